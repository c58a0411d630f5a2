"""A file that is too large for one click: a button writes it, and then a link hands it out from the disk."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from data.evaluation import DataError
from data.process.limits import size_text
from data.rows.made_files import MadeFile, is_kept
from ui.text.messages import refuse
from ui.view.address import download_address

_MADE = "made_files"


def offer(title: str, write: Callable[[], MadeFile], choice: object, *, key: str, about: str | None = None) -> None:
    """Show the button that writes a file, or the link to it once it was written.

    choice : what the file is made of; of another choice another file is made.
    """
    kept: dict[str, tuple[object, MadeFile]] = st.session_state.setdefault(_MADE, {})
    if st.button(f"Make {title}", key=f"{key}.make", help=about, icon=":material/draft:"):
        kept.pop(key, None)
        with st.spinner("Writing the file …"):
            try:
                kept[key] = choice, write()
            except DataError as error:
                refuse(str(error), title="There is no file")
    made_of, made = kept.get(key, (None, None))
    if made is not None and made_of == choice and is_kept(made):
        st.link_button(
            f"Download {title} · {size_text(made.n_bytes)}",
            download_address(made.token),
            icon=":material/download:",
            type="primary",
        )
