"""Tables beside a picture, sentences of results, tables to download, and files that are written first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from data.errors import DataError
from data.process.limits import format_size
from data.rows.made_files import MadeFile, is_kept
from data.rows.selection import safe_csv
from export.result.kinds import Cell, Words
from export.result.written import write_cell, write_words
from text.visible import keep_together, show
from ui.text.markdown import md
from ui.text.messages import refuse
from ui.text.started_download import start_download
from ui.text.tile import tile
from ui.view import open_runs
from ui.view.address import download_address

_MADE = "made_files"
_SHOWN = 1_000  # rows of a table
_MIME = {
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "csv": "text/csv",
    "svg": "image/svg+xml",
    "zip": "application/zip",
    "parquet": "application/vnd.apache.parquet",
    "py": "text/x-python",
}


def table_twin(frame: pd.DataFrame, name: str, title: str = "The same as a table") -> None:
    """Draw the numbers of a picture as a table to read, and a download of all of them.

    Uploaded text in `frame` is as in the file: it is made visible here, and formula-safe in the download.
    """
    with st.expander(title, icon=":material/table:"):
        shown = frame.head(_SHOWN)
        texts = {
            column: [show(text) for text in shown[column]] for column in shown if shown[column].dtype.kind in "OUT"
        }
        st.dataframe(shown.assign(**texts), hide_index=True, key=f"{name}.twin")
        if len(frame) > _SHOWN:
            st.caption(f"The first {_SHOWN:,} of {len(frame):,} rows; the download holds all.")
        download(frame, name)


def download(frame: pd.DataFrame, name: str, title: str = "Download as CSV") -> None:
    """Draw a button that hands out a table as CSV, formula-safe."""
    hand_out(title, lambda: safe_csv(frame), f"{name}.csv", key=f"{name}.download")


def hand_out(
    title: str, make: Callable[[], bytes], name: str, *, key: str, about: str | None = None, primary: bool = False
) -> None:
    """Draw a button that hands out a file, made when it is clicked.

    make : called in a thread that has no session, so it gets all that the view says as arguments.
    about : what hovering says. primary : whether the button is what one is here for.
    """
    st.download_button(
        title, open_runs.while_open(make), name, _MIME[name.rpartition(".")[2]], on_click="ignore", key=key,
        help=about, icon=":material/download:", type="primary" if primary else "secondary",
    )  # fmt: skip


def selection(key: str) -> Any:
    """Return what is selected in the table with this key; for its `on_select`."""
    return st.session_state[key]["selection"]


def offer_file(
    title: str, write: Callable[[], MadeFile], choice: object, *, key: str, about: str | None = None
) -> None:
    """Draw the button that writes a large file and then starts its download; once it is written, the link to it.

    choice : what the file is made of; of another choice another file is made.
    """
    kept: dict[str, tuple[object, MadeFile]] = st.session_state.setdefault(_MADE, {})
    place, link = st.empty(), f"made-{re.sub('[^a-z0-9]', '-', key)}"
    made_of, made = kept.get(key, (None, None))
    if made is None or made_of != choice or not is_kept(made):
        if not place.button(f"Download {title}", key=f"{key}.make", help=about, icon=":material/download:"):
            return
        with st.spinner("Writing the file …"):
            try:
                made = write()
            except DataError as error:
                refuse(str(error), title="There is no file")
                return
        kept[key] = choice, made
        start_download(link)
    with place.container(key=link, width="content"):
        st.link_button(
            f"Download {title} · {format_size(made.n_bytes)}",
            download_address(made.token),
            icon=":material/download:",
            type="primary",
        )


def write_markdown(words: Words) -> str:
    """Write a sentence as Markdown: names of the file are code spans."""
    return write_words(words, lambda part: md(part.name, 40), keep_together)


def draw_sentences(sentences: Iterable[Words], *, small: bool = False) -> None:
    """Draw each sentence; small : as a caption."""
    for sentence in sentences:
        (st.caption if small else st.markdown)(write_markdown(sentence))


def draw_tile(row: Sequence[Cell], step: Callable[[], object] = lambda: None, about: str | None = None) -> None:
    """Draw a line of a tiled table: its title, its number and its words; `step` draws the link to its rows.

    about : what hovering says.
    """
    title, value, words = (write_cell(cell, md) for cell in row)
    tile(title.text, value.text, keep_together(words.text), about, step=step)
