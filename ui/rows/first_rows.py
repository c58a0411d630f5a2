"""The first rows behind a number, in a panel: a short list, one row in full, and the way to all rows."""

from __future__ import annotations

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
    opened = np.flatnonzero(rows == find_rows_by_number(evaluation, np.array([url.get("row")])).max(initial=-1))
    if url.get("row") and len(opened):
        _one_row(evaluation, rows, int(opened[0]), key)
    else:
        _list(evaluation, rows, f"{key}.{which}", key, with_prediction)


def compare_pictures(evaluation: Evaluation, codes: tuple[int, ...]) -> None:
    """Draw pictures of correct rows of classes; nothing where rows have none, or a row is open."""
    if rows_view.pictures_of(evaluation) is None or url.get("row"):
        return
    sections = []
    for code in codes:
        rows = row_orders.ordered(evaluation, Which(true=(code,), pred=(code,)))
        pictures = rows_view.draw_pictures(evaluation, rows[:_COMPARED])
        items = [Item((), picture=picture) for picture in pictures if picture]
        name = cache.class_name(evaluation, evaluation.labels[code])
        sections += [Section(f"Correct rows of {show(name, 40)}", items, f"{len(rows):,}")] if items else []
    panel.item_list(sections, key="cell.compared", on_choose=lambda said: None)


def link_to_all(evaluation: Evaluation, which: Which, n: int) -> None:
    """Draw the way to all of the rows; nothing where they were left out."""
    if n and not left_out.rows_left_out(evaluation):
        label = "The row" if n == 1 else f"All {count(n)}"
        go_to("rows", label, icon=":material/table_rows:", **view_of(evaluation, which), row=url.get("row"))


def _list(evaluation: Evaluation, found: np.ndarray, name: str, key: str, with_prediction: bool) -> None:
    has_pictures = rows_view.pictures_of(evaluation) is not None
    pages = Pages(f"{key}.from", name, len(found), _PICTURES if has_pictures else AT_ONCE)
    rows = found[pages.shown]

    title = row_orders.order_in_words(evaluation, MISTAKES, found).capitalize() if len(found) > 1 else ""
    sure = confidence(evaluation, rows)
    items = _items(evaluation, rows, sure, with_prediction)
    panel.item_list(
        [Section(title, items, "" if sure is None else "confidence", pages.more)],
        key=f"{key}.rows",
        on_choose=pages.choose_row,
    )


def _items(evaluation: Evaluation, rows: np.ndarray, sure: np.ndarray | None, with_prediction: bool) -> list[Item]:
    texts = rows_view.brief_texts(evaluation, rows)
    numbers = row_numbers(evaluation, rows).tolist()
    pictures = rows_view.draw_pictures(evaluation, rows)
    scores = ["" if sure is None or np.isnan(sure[place]) else number(sure[place]) for place in range(len(rows))]
    predicted = label_names(evaluation, evaluation.y_pred, rows) if with_prediction else [None] * len(rows)
    notes = [("predicted as ", Label(cache.class_name(evaluation, name))) if name else () for name in predicted]
    unit = "Row" if evaluation.weights is None else "Line"
    return [
        Item(
            (f"{number:,}" if picture and not predicted_as else text or f"{unit} {number:,}",),
            score,
            predicted_as,
            chosen=str(number),
            about=f"Open {unit.lower()} {number:,}",
            picture=picture,
        )
        for text, number, score, predicted_as, picture in zip(texts, numbers, scores, notes, pictures, strict=True)
    ]


def _one_row(evaluation: Evaluation, found: np.ndarray, at: int, key: str) -> None:
    panel.draw_way_back("The rows", lambda: url.put(row=0), key=f"{key}.row")
    place = f"{at + 1:,} of {len(found):,}"
    row_card.row_card(evaluation, int(found[at]), place=place, key=f"{key}.card", height=_WHOLE)
