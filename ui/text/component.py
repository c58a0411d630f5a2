"""Build our own components: pictures that react in the page, without asking the server.

Script and style stand beside the page they belong to and are read once. A script may import others of its folder and of
this one; they are sent as one inline module: no bundler, no request to another host. Uploaded text reaches the page by
`textContent` or a canvas only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

_SHARED = Path(__file__).parent
TABLES = _SHARED / "table.css"
"""The style of our tables."""
_IMPORT = re.compile(r'^import [^"]*"\./(\w+)\.js"\n', re.MULTILINE)


def component(
    here: str, name: str, html: str = "", *, folder: str = "", style: Path | None = None
) -> Callable[..., Any]:
    """Register the component whose files are `<name>.js` and, if it has a style, `<name>.css` beside the module `here`.

    Its style stands behind component.css, which every one begins with.

    here : `__file__` of the module that places it.
    html : its elements; none are read from `<name>.html`.
    folder : the folder beside it that holds the files, where they have one of their own.
    style : a file that others begin with, too, such as that of our tables; it stands before its own.
    """
    files = Path(here).parent / folder
    styles = [_SHARED / "component.css", *([style] if style else []), files / f"{name}.css"]
    whole = "\n".join(path.read_text(encoding="utf-8") for path in styles if path.exists())
    html = html or (files / f"{name}.html").read_text(encoding="utf-8")
    mount = st.components.v2.component(f"blindspot_{name}", html=html, css=whole, js=join(files, name))

    def draw(*, key: str, **given: Any) -> Any:
        return mount(key=_as_base(key), **given)

    return draw


def _as_base(key: str) -> str:
    """Return a key that Streamlit takes for a component: it refuses `__`, which the token of a link may hold."""
    return key.replace("__", "_.")


def join(folder: Path, name: str) -> str:
    """Return a script after all that it imports, each once: an inline script has no address to import from.

    The scripts share one scope then, so that no two may give a name twice.
    """
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        if name not in parts:
            file = next(
                path for folder_of_script in (folder, _SHARED) if (path := folder_of_script / f"{name}.js").exists()
            )
            text = file.read_text(encoding="utf-8")
            parts[name] = ""  # it is being read: an import in a circle ends here
            for imported in _IMPORT.findall(text):
                add(imported)
            del parts[name]
            parts[name] = re.sub(r"^export (?!default)", "", _IMPORT.sub("", text), flags=re.MULTILINE)

    add(name)
    return "\n".join(parts.values())


def sent_by(key: str, name: str) -> Any:
    """Return what a component sent under a name, for its callback; None where its page was left on the server before.

    Somebody clicks what is still on screen while the next page is on its way: Streamlit has dropped the component's
    state by then, and calls its callback all the same.
    """
    sent = st.session_state.get(_as_base(key))
    return sent.get(name) if isinstance(sent, Mapping) else None


def report_offered(key: str, offered: Collection[str], on_choose: Callable[[str], object]) -> Callable[[], None]:
    """Return the callback of a component's `chosen`; it accepts only what was offered: a browser can send anything."""

    def chosen() -> None:
        sent = sent_by(key, "chosen")
        if isinstance(sent, str) and sent and sent in offered:
            on_choose(sent)

    return chosen


_update = component(__file__, "component_update", "<div></div>")


def update_component(to: str, role: str, data: dict[str, Any], *, key: str) -> None:
    """Send small data that changes often to a big component of the same page, whose own data need not change for it.

    Streamlit sends a component's script again with every change of its data; this one's is a few lines.

    to : what the big component listens for.
    role : what the data is to it.
    """
    _update(data=data | {"to": to, "role": role}, key=key)
