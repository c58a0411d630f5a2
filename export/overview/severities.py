"""The severities of findings as one sees them: a filled triangle, an open triangle and a dot; how many of each; and
what was not searched for findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from export.result.kinds import Words
from export.result.written import list_reasons
from metrics.finding import SEVERITIES, Finding, Severity
from metrics.findings.worst_parts import WorstParts

BLOCK_STYLE = Path(__file__).with_name("block.css")
"""The style of lenses and findings, on the page and in the report."""


def _shape(mark: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="shape" viewBox="0 0 18 18" width="18" height="18" '
        f'aria-hidden="true">{mark}</svg>'
    )


SHAPES: Mapping[Severity, str] = {
    "serious": _shape('<path class="filled" d="M9 2 17 16H1Z"/><path class="sign" d="M9 7v4.2M9 13v1.2"/>'),
    "warning": _shape('<path class="open" d="M9 3.2 15.8 15.2H2.2Z"/><path class="open" d="M9 7.6v3.4M9 12.4v1"/>'),
    "info": _shape('<circle class="dot" cx="9" cy="9" r="4"/>'),
}
"""SVG; whoever draws it colours the classes `filled`, `sign`, `open` and `dot`."""


_NAMED = 8
"""Columns that are named where findings are listed; the JSON names all."""


def list_not_searched(parts: WorstParts) -> list[Words]:
    """Say which columns were not searched for findings, since they follow from what is measured; [] without any."""
    return list_reasons("Not searched for worse slices", parts.not_searched, _NAMED)


class Total(NamedTuple):
    """The findings of one severity: its key, its name, its shape and how many there are."""

    kind: Severity
    name: str
    shape: str
    n: int


def count_severities(findings: Sequence[Finding]) -> list[Total]:
    """Return the severities that occur, the worst first.

    >>> [(total.name, total.n) for total in count_severities([Finding("x", "info", ()), Finding("y", "info", ())])]
    [('Good to know', 2)]
    """
    totals = [
        Total(kind, name, SHAPES[kind], sum(finding.severity == kind for finding in findings))
        for kind, name in SEVERITIES.items()
    ]
    return [total for total in totals if total.n]
