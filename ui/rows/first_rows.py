"""The first rows behind a number, in a panel: a short list, one row in full, and the way to all rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from data.columns.weight_columns import add_weights
from data.evaluation import Evaluation
from data.rows.order import MISTAKES
from data.rows.row_table import find_rows_by_number, label_names, row_numbers
from data.rows.selection import Which, confidence
from data.runs.source_rows import has_source
from text.numbers import count, number, write_amount
from text.visible import show
from ui.rows import left_out, row_card, row_orders, rows_view
from ui.rows.row_choice import view_of
from ui.view import cache, panel, url
from ui.view.address import go_to
from ui.view.panel import Item, Label, Pages, Section

AT_ONCE = 9
_PICTURES, _COMPARED = 12, 4
"""Pictures at once: of rows behind a number, and of rows to compare them with."""
_WHOLE = 100_000
"""Pixels: the panel scrolls, not the row in it."""


def count_rows(evaluation: Evaluation, which: Which) -> int:
    """Count the rows of the file behind a number; of a file of counts, those that its lines stand for."""
    rows = row_orders.ordered(evaluation, which)  # kept for the list
    return len(rows) if evaluation.weights is None else int(evaluation.weights[rows].sum())


def weigh_rows(evaluation: Evaluation, which: Which) -> str:
    """Write the weight of the rows behind a number; "" where rows have none."""
    weights = add_weights(evaluation, row_orders.ordered(evaluation, which))
    return "" if weights is None else write_amount(weights.total)


def first_rows(evaluation: Evaluation, which: Which, *, key: str, with_prediction: bool = False) -> None:
    """Draw the first rows behind a number, or the one of them that the view opens.

    with_prediction : say below each row as which class it was predicted.
    """
    if left_out.note(evaluation):
        return
    if has_source(evaluation):
        st.caption("These rows are in the source. The page Rows shows them.")
        return
    rows = row_orders.ordered(evaluation, which)
    if not len(rows):
        st.markdown("No rows match.")
        return
    opened = find_open_row(evaluation, rows)
    if opened is None:
        _list(evaluation, rows, f"{key}.{which}", key, with_prediction)
    else:
        draw_open_row(evaluation, rows, opened, key)


def find_open_row(evaluation: Evaluation, rows: np.ndarray) -> int | None:
    """Return the place among the rows of the one that the view opens; None where it opens none of them."""
    row_number = url.get("row")
    if not row_number:
        return None
    row = find_rows_by_number(evaluation, np.array([row_number])).max(initial=-1)
    places = np.flatnonzero(rows == row)
    return int(places[0]) if len(places) else None


def compare_pictures(evaluation: Evaluation, codes: tuple[int, ...]) -> None:
    """Draw pictures of correct rows of classes; nothing where rows have none, or a row is open."""
    if rows_view.pictures_of(evaluation) is None or url.get("row"):
        return
    sections = []
    for code in codes:
        rows = row_orders.ordered(evaluation, Which(true=(code,), pred=(code,)))
        pictures = rows_view.draw_pictures(evaluation, rows[:_COMPARED])
        items = [Item((), picture=picture) for picture in pictures if picture]
        if items:
            name = cache.class_name(evaluation, evaluation.labels[code])
            sections.append(Section(f"Correct rows of {show(name, 40)}", items, f"{len(rows):,}"))
    panel.item_list(sections, key="cell.compared", on_choose=lambda chosen: None)


def link_to_all(evaluation: Evaluation, which: Which, n: int) -> None:
    """Draw the way to all of the rows; nothing where they were left out."""
    if n and not left_out.rows_left_out(evaluation):
        label = "The row" if n == 1 else f"All {count(n)}"
        go_to("rows", label, icon=":material/table_rows:", **view_of(evaluation, which), row=url.get("row"))


def _list(evaluation: Evaluation, every: np.ndarray, name: str, key: str, with_prediction: bool) -> None:
    """Draw one page of the rows; every : all of them, in their order."""
    has_pictures = rows_view.pictures_of(evaluation) is not None
    pages = Pages(f"{key}.from", name, len(every), _PICTURES if has_pictures else AT_ONCE)
    rows = every[pages.shown]
    title = row_orders.order_in_words(evaluation, MISTAKES, every).capitalize() if len(every) > 1 else ""
    confidences = confidence(evaluation, rows)
    items = _items(evaluation, rows, confidences, with_prediction)
    section = Section(title, items, "" if confidences is None else "confidence", pages.more)
    panel.item_list([section], key=f"{key}.rows", on_choose=pages.choose_row)


def _items(
    evaluation: Evaluation, rows: np.ndarray, confidences: np.ndarray | None, with_prediction: bool
) -> list[Item]:
    texts = rows_view.brief_texts(evaluation, rows)
    pictures = rows_view.draw_pictures(evaluation, rows)
    predicted = label_names(evaluation, evaluation.y_pred, rows) if with_prediction else None
    unit = "Row" if evaluation.weights is None else "Line"
    items = []
    for place, row_number in enumerate(row_numbers(evaluation, rows).tolist()):
        title = texts[place] or f"{unit} {row_number:,}"
        note: tuple[str | Label, ...] = ()
        label = None if predicted is None else predicted[place]
        if label:
            note = ("predicted as ", Label(cache.class_name(evaluation, label)))
        elif pictures[place]:
            title = f"{row_number:,}"
        amount = ""
        if confidences is not None and not np.isnan(confidences[place]):
            amount = number(confidences[place])
        items.append(
            Item(
                (title,),
                amount,
                note,
                chosen=str(row_number),
                about=f"Open {unit.lower()} {row_number:,}",
                picture=pictures[place],
            )
        )
    return items


def draw_open_row(
    evaluation: Evaluation, rows: np.ndarray, opened: int, key: str, extra: Sequence[tuple[str, str]] = ()
) -> None:
    """Draw a row in full; opened : its place among the rows. extra : more facts of it, by their titles."""
    panel.draw_way_back("The rows", lambda: url.put(row=0), key=f"{key}.row")
    place = f"{opened + 1:,} of {len(rows):,}"
    row_card.row_card(evaluation, int(rows[opened]), place=place, key=f"{key}.card", extra=extra, height=_WHOLE)
