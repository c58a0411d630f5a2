"""Start the download of a file that a click has asked for, once it is made."""

from __future__ import annotations

import uuid

import streamlit as st

from ui.text.component import component

_started = component(__file__, "started_download", "<div></div>")


def start_download(key: str) -> None:
    """Have the browser press the download button, or follow the link, in the container with this key, once."""
    with st.container(key=f"started-{key}"):
        _started(data={"place": key, "id": uuid.uuid4().hex}, key=f"started.{key}", height=1)
