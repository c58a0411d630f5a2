"""The panel while no class is open: the averages and the class balance, or the list of classes that was chosen."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from data.rows.selection import Which
from export.class_result import STATES, ClassState
from export.interval_text import bounds_of, describe, say_few, value_of
from metrics.confusion import label_metrics
from metrics.confusion.average_numbers import average_rows
from text.intervals import name_interval
from text.numbers import count, number, percent
from ui.limits import SHOWN_CLASSES
from ui.rows import left_out
from ui.rows.row_choice import link_to_rows, only_counted
from ui.view import cache, measurement, panel, url
from ui.view.cache import class_lists, support
from ui.view.panel import Item, Section, label_of

MEANINGS = {
    "never": STATES["never_predicted"],
    "absent": STATES["absent"],
    "never_true": STATES["never_true"],
    "outside": STATES["outside_label_space"],
    "low": ClassState("Few rows", "They have few true rows, so their numbers may change much on new data."),
}


def draw(evaluation: Evaluation, chosen: str) -> None:
    """Draw the averages and the class balance; above them a chosen list with the way to its rows."""
    if chosen in MEANINGS:
        _draw_list(evaluation, chosen)
    panel.heading("All classes" if evaluation.task != "multilabel" else "All labels")
    left_out.note(evaluation)
    sections = [_balance(evaluation), _averages(evaluation)]

    def choose(item: str) -> None:
        url.put(**{"class": evaluation.labels[int(item)], "row": 0})

    panel.item_list([section for section in sections if section.items], key="classes.all", on_choose=choose)


def _draw_list(evaluation: Evaluation, chosen: str) -> None:
    codes = class_lists(evaluation)[chosen]
    title, meaning = MEANINGS[chosen]
    panel.heading(f"{title}: {count(len(codes), 'class')}")
    st.markdown(meaning)
    true, predicted = support(evaluation)
    with st.container(horizontal=True, gap="small"):
        for rows, which, what in (
            (true, Which(true=tuple(codes.tolist())), "true row"),
            (predicted, Which(pred=tuple(codes.tolist())), "predicted row"),
        ):
            n = int(rows[codes].sum())
            if n:
                label = f"Their {count(n, what)}"
                link_to_rows(evaluation, only_counted(evaluation, which), label, key=f"list.{chosen}.{what[:4]}")


def _averages(evaluation: Evaluation) -> Section:
    """Return F1 of every average, with precision and recall below; averages of equal numbers are one item."""
    measured = measurement.measure(evaluation)
    lines = average_rows(measured.overall, evaluation.class_noun)
    why = (
        "An average that holds an undefined value is undefined. zero_division=0 counts 0/0 as 0, as scikit-learn does."
    )
    items: dict[tuple[str, ...], Item] = {}
    for line in lines:
        f1, precision, recall = (measured.number(line.key.format(rate)) for rate in ("f1", "precision", "recall"))
        values = precision.value, recall.value, f1.value
        within = bounds_of(f1)
        few = say_few(f1) if within else ""
        note = "; ".join(filter(None, (f"precision {value_of(precision)}, recall {value_of(recall)}", few)))
        about = why if any(map(math.isnan, values)) else describe(f1)
        item = Item((line.title,), value_of(f1), (note,), within, about=about)
        # a title is a kind, such as "Macro", what it is over, and how 0/0 counts: equal numbers differ in the second
        kind, *over = line.title.split(", ")
        equal = (*(f"{value:.12g}" for value in values), item.share, kind, *over[1:])
        if equal in items:
            notes = items[equal].note
            also = f". It is the same over {over[0]}" if len(notes) == 1 else f" and {over[0]}"
            item = items[equal]._replace(note=(*notes, also))
        items[equal] = item
    return Section("Averages", [*items.values()], f"F1, {name_interval(measurement.level())}")


def _balance(evaluation: Evaluation) -> Section:
    """Return the classes with the most true rows, the one with the fewest, and how even all are."""
    title = "Label balance" if evaluation.task == "multilabel" else "Class balance"
    true = cache.counts_of_classes(evaluation).support
    order = np.argsort(-true, kind="stable")
    order = order[true[order] > 0]
    if not len(order):
        return Section(title, [])
    rows, most = evaluation.n_scored, int(true[order[0]])
    shown = [*order[:SHOWN_CLASSES].tolist(), *([int(order[-1])] if len(order) > SHOWN_CLASSES else [])]
    items = [
        Item(
            (label_of(evaluation, code),),
            f"{int(true[code]):,}",
            bar=int(true[code]) / most,
            about=f"{int(true[code]):,} of {count(rows)}, {percent(int(true[code]) / rows)}",
            chosen=str(code),
        )
        for code in shown
    ]
    if len(order) > SHOWN_CLASSES + 1:
        noun = "more label" if evaluation.task == "multilabel" else "more class"
        between = count(len(order) - SHOWN_CLASSES - 1, noun)
        items.insert(SHOWN_CLASSES, Item((between,)))
    if evaluation.task != "multilabel":
        evenness = number(label_metrics.evenness(cache.confusion(evaluation)))
        items.append(Item(("Evenness",), evenness, ("1 if all classes have equally many rows",)))
    return Section(title, items, "true rows")
