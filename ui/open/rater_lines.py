"""Open a file with one line for each rating as a table of units by raters, on the page Agreement."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow.parquet as pq
import streamlit as st

from data.columns.rater_columns import find_raters
from data.comparison.ratings_table import widen_lines
from data.errors import DataError
from data.runs import load
from data.runs.tables import load_joined_table
from ui.text.markdown import md
from ui.text.messages import refuse
from ui.view import open_runs
from ui.view.pages import PAGES


def offer(run: str) -> None:
    """Offer to compare the raters of a file with one line for each rating; nothing for other files."""
    draft = load.draft_of(run)
    raters = find_raters(load_joined_table(draft)[0])
    if raters is None or not raters.lines:
        return
    unit, rater, rating = raters.lines
    with st.container(border=True):
        st.markdown(f"The file has a line a rating: {md(rater, 40)} gave {md(unit, 40)} the rating {md(rating, 40)}.")
        if not st.button("Compare the raters", type="primary", icon=":material/groups:", key="open.raters"):
            return
        try:
            wide = _keep_wide(run, raters.lines)
        except DataError as error:
            refuse(str(error), title="The raters cannot be compared")
            return
    open_runs.open_run(wide)
    st.switch_page(PAGES["agreement"].script)


def _keep_wide(run: str, lines: tuple[str, ...]) -> str:
    """Store the ratings with one column for each rater; return the new run."""
    draft = load.draft_of(run)
    unit, rater, rating = lines
    table = widen_lines(load_joined_table(draft)[0], unit, rater, rating)
    with tempfile.TemporaryDirectory(prefix="blindspot-") as folder:
        path = Path(folder) / "ratings.parquet"
        pq.write_table(table.replace_schema_metadata(None), path)
        return load.keep(load.read_draft([(path, f"{Path(draft.name).stem}.parquet")], load.Given()))
