"""Put the app into the package: in the repository it lies beside this folder, in a source distribution inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

APP = (
    ".streamlit/config.toml", "app.py", "assets", "charts", "cli.py", "command", "data", "export", "harness", "metrics",
    "pages", "server.py", "text", "ui", "web",
)  # fmt: skip
"""Not the folder .streamlit: a secrets.toml may lie there."""


class AppHook(BuildHookInterface):
    """Take the app's rooms from the repository's top level."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the app's files for the package; an editable install runs them where they are."""
        folder = Path(self.root).parent
        if version != "editable" and not (Path(self.root) / "PKG-INFO").exists():
            build_data["force_include"] |= {str(folder / name): f"blindspot_eval/_app/{name}" for name in APP}
