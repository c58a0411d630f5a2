"""Runs that do not share a setting: what differs, one setting for all to choose, and the rows that it changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st

from data.comparison.alike.reading import label_texts
from data.comparison.alike.settings import Difference, DifferentSettings, find_differences, rules_of
from data.evaluation import Evaluation
from data.parser.parser import Rule
from data.parser.rule_kinds import HELP
from data.rows.row_table import row_numbers
from export.result.kinds import Column, Name, Sentence, Table
from metrics.confusion import label_metrics
from text.numbers import count, percent, write_threshold
from text.quoting import list_items
from text.visible import show
from ui.compare.run_comparison import ALERTS, OWN, RECALL, pair_in_view, take_thresholds
from ui.compare.runs import FRESH, Run, read_run_alike
from ui.frame.heading import heading
from ui.rows import rows_view
from ui.view import cache, panel, url
from ui.view.panel import Item, Label, Pages, Section
from ui.view.result_table.result_table import result_table

_AT_ONCE = 5
_FROM = "compare.unlike"
_NONE = "none"


class Pair(NamedTuple):
    """Two runs that do not share a setting, A and B, and that setting."""

    a: int
    b: int
    runs: tuple[Evaluation, Evaluation]
    difference: Difference

    @property
    def noun(self) -> str:
        """Return what the setting is called."""
        return self.difference.noun


class Effect(NamedTuple):
    """A run before and after it is read like another one."""

    before: Evaluation
    after: Evaluation

    @property
    def changed(self) -> np.ndarray:
        """Return the rows whose predicted label changes, bool (n,)."""
        return np.asarray(label_texts(self.before) != label_texts(self.after))


def draw(runs: Sequence[Run], error: DifferentSettings, controls: Callable[[], None]) -> None:
    """Draw what A and B do not share in place of their ranking, and the buttons that settle it.

    controls : draws what adds and removes runs.
    """
    pair = _find_pair(runs, error)
    effects = [_effect(pair.runs[1], pair.runs[0]), _effect(pair.runs[0], pair.runs[1])]
    heading(f"No ranking yet: A and B {pair.difference.words}", _describe_effect(pair, effects[0]))
    with panel.toolbar("compare"):
        st.space("stretch")
        controls()
    left, right = st.columns([1.7, 1], gap="medium")
    with left:
        _table(runs, pair)
    with right, st.container(border=True, key="panel-unlike", gap="small"):
        _choices(pair, effects)
    if effects[0] is not None and effects[0].changed.any():
        _rows(pair, effects[0])


def _find_pair(runs: Sequence[Run], error: DifferentSettings) -> Pair:
    """Return A and B of the view where they differ, or else the first two runs that do."""
    evaluations = [run.evaluation for run in runs]
    each_own = url.get("at") == OWN
    places = range(len(runs))
    for a, b in (pair_in_view(runs), *((a, b) for a in places for b in places if a < b)):
        first, second = evaluations[a], evaluations[b]
        if first is None or second is None:
            continue
        differences = find_differences([first, second], thresholds=each_own)
        if differences:
            return Pair(a, b, (first, second), differences[0])
    a, b = pair_in_view(runs)
    first, second = evaluations[a], evaluations[b]
    assert first is not None and second is not None
    return Pair(a, b, (first, second), error.differences[0])


def _effect(run: Evaluation, like: Evaluation) -> Effect | None:
    """Return a run read like another one; None where that would not make them alike."""
    after = read_run_alike(run, like, everything=True).evaluation
    settled = not find_differences([like, after], thresholds=False)
    return Effect(run, after) if settled and after is not run else None


def _describe_effect(pair: Pair, effect: Effect | None) -> str:
    if effect is None:
        return ""
    n = effect.before.count_rows(effect.changed)
    return f"{n:,} of {count(effect.before.n_scored, 'prediction')} of B would change with A’s {pair.noun}."


def _table(runs: Sequence[Run], pair: Pair) -> None:
    """Draw the setting of A and of B, line by line."""
    rows = [tuple(map(Name, line)) for line in _lines(pair)]
    if pair.runs[0].task != "multilabel":
        unread = [Name(f"{run.n_unparsed:,} of {run.n_scored:,}") for run in pair.runs]
        if pair.difference.setting in ("parser", "label_set"):
            rows.append((Name("Rows without a label"), *unread))
        accuracy = [percent(label_metrics.accuracy(cache.confusion(run))) for run in pair.runs]
        rows.append((Name("Accuracy, each with its own"), *(Name(f"{value}, not comparable") for value in accuracy)))
    names = [Sentence(f"{letter}: {runs[place].name}") for letter, place in (("A", pair.a), ("B", pair.b))]
    title = "rule, in this order" if pair.difference.setting == "parser" else "setting"
    columns = [Column(title, Name), *(Column(name, Name) for name in names)]
    table = Table("settings", f"The {pair.noun} of A and of B", columns, rows, title, in_order=True)
    result_table(table, key="compare.settings")


def _lines(pair: Pair) -> list[tuple[str, ...]]:
    """Return (what, A's, B's) of every part of the setting."""
    setting, (a, b) = pair.difference.setting, pair.runs
    if setting == "parser":
        return _rule_lines(a, b)
    if setting == "label_set":
        lists = [run.settings.label_set or run.labels[: run.n_space] for run in pair.runs]
        given = [run.settings.label_set for run in pair.runs]
        sizes = [count(len(labels), "label") if labels else "no list" for labels in given]
        only_a = [label for label in lists[0] if label not in lists[1]]
        only_b = [label for label in lists[1] if label not in lists[0]]
        only = [list_items(labels) or _NONE for labels in (only_a, only_b)]
        return [("Label list", sizes[0], sizes[1]), ("Labels only here", only[0], only[1])]
    if setting == "merge":
        merges = [dict(run.settings.merge) for run in pair.runs]
        return [
            (f"{written} counts as", merges[0].get(written, "itself"), merges[1].get(written, "itself"))
            for written in dict.fromkeys([*merges[0], *merges[1]])
        ]
    if setting == "order":
        orders = [" < ".join(run.labels[: run.n_space]) if run.ranks else _NONE for run in pair.runs]
        return [("From the lowest to the highest", orders[0], orders[1])]
    if setting == "tree":
        return [("Rows of the tree", *(f"{len(run.settings.tree):,}" for run in pair.runs))]
    if setting == "positive":
        positives = [_NONE if run.positive is None else run.labels[run.positive] for run in pair.runs]
        return [("Positive class", positives[0], positives[1])]
    if setting == "threshold":
        thresholds = [_threshold(run) for run in pair.runs]
        return [("Predicted by", thresholds[0], thresholds[1])]
    values = [str(run.settings.choices()[setting] or _NONE) for run in pair.runs]
    return [(pair.noun.capitalize(), values[0], values[1])]


def _threshold(run: Evaluation) -> str:
    if run.settings.threshold is not None:
        return f"score ≥ {write_threshold(run.settings.threshold)}, as chosen"
    if run.threshold is not None:
        return f"score ≥ {write_threshold(run.threshold)}, the default"
    return "the file’s own labels" if run.settings.pred else "a threshold for each label"


def _rule_lines(a: Evaluation, b: Evaluation) -> list[tuple[str, ...]]:
    of_a, of_b = (() if parser is None else parser.rules for parser in (rules_of(a), rules_of(b)))
    words = {True: "yes", False: "not in this parser"}
    every = dict.fromkeys([*of_a, *of_b])
    return [(_describe_rule(rule), words[rule in of_a], words[rule in of_b]) for rule in every]


def _describe_rule(rule: Rule) -> str:
    """Return what a rule does, with the values that it was given."""
    does = HELP[rule.kind].partition(". ")[0].rstrip(".").replace("`", "")
    values = (*rule.values, *(f"{text} = {label}" for text, label in rule.pairs))
    return f"{does}: {', '.join(values)}" if values else does


def _choices(pair: Pair, effects: Sequence[Effect | None]) -> None:
    """Draw a button for every way that makes the runs alike, with its effect."""
    panel.heading(f"Choose one {pair.noun} for both")
    if pair.difference.setting == "threshold":
        _choose_thresholds(pair)
        return
    st.caption("Choose what you use in production. Results appear after the choice.")
    offered = [(letter, like, effect) for letter, like, effect in zip("AB", (pair.a, pair.b), effects, strict=True)
               if effect is not None]  # fmt: skip
    for place, (letter, like, effect) in enumerate(offered):
        st.button(
            f"Use {letter}’s for both", key=f"compare.like.{letter}", width="stretch",
            type="secondary" if place else "primary", on_click=url.put, kwargs={**FRESH, "like": str(like)},
        )  # fmt: skip
        st.caption(_say_effect("B" if letter == "A" else "A", effect))
    if not offered:
        st.markdown(f"Neither fits both runs. Open one of them, and correct its {pair.noun} there.")


def _say_effect(letter: str, effect: Effect) -> str:
    """Say what reading a run like the other one changes."""
    before, after = effect.before.n_unparsed, effect.after.n_unparsed
    n = effect.before.count_rows(effect.changed)
    sentence = f"{letter}: {count(n, 'prediction')} change{'s' if n == 1 else ''}" if n else f"{letter}: no change"
    unread = f"; {before:,} → {after:,} rows without a label" if before != after else ""
    return f"{sentence}{unread}."


def _choose_thresholds(pair: Pair) -> None:
    st.caption("The threshold that was chosen for one run holds for that run alone.")
    in_view = url.get("t") is not None or bool(url.get("each"))
    ways = []
    if in_view:
        ways.append(("Use the thresholds of the files", {"t": None, "each": "", "rule": ""}))
    if take_thresholds(pair.runs):
        ways += [("All at equal recall", {"at": RECALL}), ("All with equally many predicted positive", {"at": ALERTS})]
    for place, (title, view) in enumerate(ways):
        st.button(title, key=f"compare.like.{place}", type="secondary" if place else "primary", width="stretch",
                  on_click=url.put, kwargs=view)  # fmt: skip
    if not ways:
        st.markdown("Open the run without a threshold by itself, and choose one there.")


def _rows(pair: Pair, effect: Effect) -> None:
    """List rows of B that would be read otherwise, with their answers and both labels."""
    run, rows = effect.before, np.flatnonzero(effect.changed)
    before, after, truth = label_texts(run), label_texts(effect.after), label_texts(run, truth=True)
    right = run.count_rows(effect.changed & (after == truth))
    st.header(f"Rows of B that only the {pair.noun} changes", anchor=False)
    st.caption(f"With A’s {pair.noun}, {right:,} of {run.count_rows(effect.changed):,} are right.")
    pages = Pages(_FROM, run.fingerprint, len(rows), _AT_ONCE)
    shown = rows[pages.shown]
    texts = rows_view.brief_texts(run, shown)  # the raw answer, where there is one
    items = [
        Item(
            (text or f"Row {n:,}",),
            note=(
                "True label ", _label(truth[row]), ", predicted as ", _label(before[row]),
                f", with A’s {pair.noun} as ",
                _label(after[row]),
            ),
        )
        for row, n, text in zip(shown.tolist(), row_numbers(run, shown).tolist(), texts, strict=True)
    ]  # fmt: skip
    panel.item_list([Section("", items, "", pages.more)], key="compare.unlike", on_choose=pages.turn)


def _label(name: str) -> str | Label:
    return Label(show(name, 40), name) if name else "no label"
