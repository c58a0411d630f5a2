"""A table of numbers of the classes, which a person types."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from data.labels.costs_and_shares import write_rows

_MOST = 1e12


def edit_numbers(
    name: str, numbers: np.ndarray, classes: Sequence[str], columns: Sequence[str], take: Callable[[np.ndarray], None],
    *, of: str, least: float = -_MOST,
) -> None:  # fmt: skip
    """Draw the table, a line a class; `take` gets all its numbers once one was typed, 0 in place of an empty cell.

    name : of the subject, for the key. numbers : float64 (classes, columns). of : the title of the classes.
    """
    key = f"{name}.table.{write_rows(numbers)}"

    def put() -> None:
        typed = numbers.copy()
        for row, cells in st.session_state[key]["edited_rows"].items():
            for column, number in cells.items():
                typed[int(row), int(column)] = 0.0 if number is None else number
        take(typed)

    places = list(map(str, range(len(columns))))  # a class may have a name that Streamlit keeps for itself
    shown = {
        place: st.column_config.NumberColumn(column, min_value=least, max_value=_MOST, format="%g")
        for place, column in zip(places, columns, strict=True)
    }
    st.data_editor(
        pd.DataFrame(numbers, index=classes, columns=places), key=key, on_change=put,
        column_config={"_index": st.column_config.TextColumn(of, disabled=True), **shown},
    )  # fmt: skip
