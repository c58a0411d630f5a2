"""The command `blindspot-eval`: everything that cli.py does, of the app that lies in this package."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def app_folder() -> Path:
    """Return the folder of the app: in an installed package `_app`, in the repository its top level."""
    inside = _HERE / "_app"
    return inside if inside.is_dir() else _HERE.parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, 2 with one sentence on stderr, or 1 where a gate fails."""
    if app_folder() == _HERE / "_app":  # in site-packages nothing is kept
        os.environ.setdefault("BLINDSPOT_STORE", str(Path.home() / ".blindspot"))
    given = sys.argv[1:] if arguments is None else list(arguments)
    sys.path.insert(0, str(app_folder()))
    import cli

    if given[:1] == ["open"] and find_spec("streamlit") is None:
        print(f"The app is not installed here: {_hint(cli.INSTALL_APP)}.", file=sys.stderr)
        return 2
    try:
        return int(cli.program(given))
    except ModuleNotFoundError as error:
        print(f"This needs {error.name}, not installed here: {_hint(cli.INSTALL_APP)}.", file=sys.stderr)
        return 2


def _hint(command: str) -> str:
    """Return how to install the app; pip, uvx and pipx take the same name."""
    return f"name the package with [app] behind it, as in {command}"
