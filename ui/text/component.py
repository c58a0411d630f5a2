"""Components of our own: pictures that answer the hand in the page, which nothing built in does.

Script and style stand beside the page they belong to and are read once. A script may import others of its folder; they
are sent as one inline module: no bundler, no request to another host. Uploaded text reaches the page by `textContent`
or a canvas only.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

_IMPORT = re.compile(r'^import [^"]*"\./(\w+)\.js"\n', re.MULTILINE)


def component(
    here: str,
    name: str,
    html: str = "",
    *,
    scripts: tuple[str, ...] = (),
    folder: str = "",
    tables: bool = False,
    picture: bool = False,
) -> Callable[..., Any]:
    """Register the component whose files are `<name>.css` and `<name>.js` beside the module `here`.

    Its style stands behind component.css, which every one begins with.

    here : `__file__` of the module that places it.
    html : its elements; none are read from `<name>.html`.
    folder : the folder beside it that holds the files, where they have one of their own.
    scripts : names of scripts that stand before `<name>.js` in the same module, such as those shared by several.
    picture : whether the script that makes a PNG of what is drawn (picture_of_html.js) stands before it.
    tables : whether the style of our tables (table.css) stands before its own.
    """
    files = Path(here).parent / folder
    before = [files / f"{part}.js" for part in scripts]
    before += [Path(__file__).with_name("picture_of_html.js")] if picture else []
    script = "\n".join([*(path.read_text(encoding="utf-8") for path in before), join(files, name)])
    shared = [Path(__file__).with_name(f"{part}.css") for part in ("component", *(["table"] if tables else []))]
    style = "\n".join(path.read_text(encoding="utf-8") for path in (*shared, files / f"{name}.css"))
    html = html or (files / f"{name}.html").read_text(encoding="utf-8")
    return st.components.v2.component(f"blindspot_{name}", html=html, css=style, js=script)


def join(folder: Path, name: str) -> str:
    """Return a script after all that it imports, each once: an inline script has no address to import from.

    The scripts share one scope then, so that no two may give a name twice.
    """
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        if name not in parts:
            text = (folder / f"{name}.js").read_text(encoding="utf-8")
            parts[name] = ""  # it is being read: an import in a circle ends here
            for imported in _IMPORT.findall(text):
                add(imported)
            del parts[name]
            parts[name] = re.sub(r"^export (?!default)", "", _IMPORT.sub("", text), flags=re.MULTILINE)

    add(name)
    return "\n".join(parts.values())


_handed = component(__file__, "handed", "<div></div>")


def handed(to: str, role: str, data: dict[str, Any], *, key: str) -> None:
    """Hand small, moving data to a big component of the same page, whose own data need not change for it.

    Streamlit sends a component's script again with every change of its data; this one's is a few lines.

    to : what the big component listens for.
    role : what the data is to it.
    """
    _handed(data=data | {"to": to, "role": role}, key=key)
