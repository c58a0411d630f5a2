"""The title of Overview, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from data.evaluation import Evaluation
from export.overview.title import Parts, title_parts
from metrics.finding import Finding, Label, Name
from text.visible import keep_together
from ui.overview.finding_list import short_labels
from ui.text.markdown import md
from ui.view.measurement import measure


def title_of(evaluation: Evaluation, found: Sequence[Finding]) -> str:
    """Return the page's title as Markdown: accuracy, and what it hides."""
    return write_parts(evaluation, title_parts(measure(evaluation), found))


def write_parts(evaluation: Evaluation, parts: Parts) -> str:
    """Write parts of a sentence as Markdown."""
    short = short_labels(evaluation)
    return "".join(md(_name_of(part, short), 40) if isinstance(part, Label) else keep_together(part) for part in parts)


def _name_of(part: Label, short: Mapping[str, str]) -> str:
    return part.name if isinstance(part, Name) else short.get(part.name, part.name)
