"""The formats of results: each writes every result, since it knows the kinds of cells alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from export.result.kinds import Result
from export.result.markdown import write_markdown
from export.result.terminal import write_terminal

FORMATS: Mapping[str, Callable[[Result], str]] = {"text": write_terminal, "markdown": write_markdown}
"""A format by its name on the command line: the `write` of a `Format`. Blank lines stand between results."""
