"""Components of our own: pictures that answer the hand in the page, which nothing built in does.

Script and style stand beside the page they belong to and are read once. Each is one plain module, inline: no bundler,
no request to another host. Uploaded text reaches the page by `textContent` or a canvas only.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st


def component(
    here: str, name: str, html: str, *, scripts: tuple[str, ...] = (), folder: str = ""
) -> Callable[..., Any]:
    """Register the component whose files are `<name>.css` and `<name>.js` beside the module `here`.

    here : `__file__` of the module that places it.
    folder : the folder beside it that holds the files, where they have one of their own.
    scripts : names of scripts that stand before `<name>.js` in the same module, such as those shared by several.
    """
    files = Path(here).parent / folder
    script = "\n".join((files / f"{part}.js").read_text(encoding="utf-8") for part in (*scripts, name))
    style = (files / f"{name}.css").read_text(encoding="utf-8")
    return st.components.v2.component(f"blindspot_{name}", html=html, css=style, js=script)


_handed = component(__file__, "handed", "<div></div>")


def handed(to: str, role: str, data: dict[str, Any], *, key: str) -> None:
    """Hand small, moving data to a big component of the same page, whose own data need not change for it.

    Streamlit sends a component's script again with every change of its data; this one's is a few lines.

    to : what the big component listens for.
    role : what the data is to it.
    """
    _handed(data=data | {"to": to, "role": role}, key=key)
