"""Write the title of Overview, and draw its lenses and findings as one block, each with the way to its rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from data.columns.table_metadata import rows_left_out
from data.evaluation import Evaluation
from export.measurement import Measurement
from export.overview.amounts import amount_of
from export.overview.lenses import Lens, lenses_of
from export.overview.severities import BLOCK_STYLE, SHAPES, count_severities, list_not_searched
from export.overview.title import Parts, title_parts
from metrics.finding import SEVERITIES, Finding, Label, Name, split_sentence
from metrics.findings.worst_parts import WorstParts
from text.numbers import count
from text.short_names import LABEL_CHARS, short_names
from text.visible import keep_together, show
from ui.limits import LENS_LABEL_CHARS
from ui.overview.finding_places import Place, place_of
from ui.rows.row_choice import view_of
from ui.text.component import component
from ui.text.markdown import md
from ui.view import cache
from ui.view.address import address_of
from ui.view.data_table import draw_sentences
from ui.view.measurement import measure
from ui.view.pages import PAGES

_block = component(__file__, "overview", '<div class="overview"></div>', style=BLOCK_STYLE)


def overview_block(evaluation: Evaluation, lenses: Sequence[Lens], findings: Sequence[Finding]) -> None:
    """Draw the lenses in a row and all findings below them."""
    narrow = _lens_names(evaluation)
    data = {"lenses": [_lens(lens, narrow) for lens in lenses], **block_data(evaluation, findings, here="overview")}
    _block(data=data | {"titled": True}, key="overview.block")


def not_searched_line(parts: WorstParts) -> None:
    """Say below the findings which columns were not searched for them; nothing without any."""
    draw_sentences(list_not_searched(parts), small=True)


def finding_list(evaluation: Evaluation, findings: Iterable[Finding], *, here: str) -> None:
    """Draw findings, each with a link to the page that shows it unless that is `here`."""
    findings = list(findings)
    if findings:
        with st.container(key="findings"):
            _block(data={"lenses": [], **block_data(evaluation, findings, here=here)}, key=f"findings.{here}")


def block_data(evaluation: Evaluation, findings: Sequence[Finding], *, here: str) -> dict[str, Any]:
    """Return the findings as the block draws them, and how many there are of each severity."""
    measured, names = measure(evaluation), _names(evaluation)
    return {
        "findings": [_finding(measured, each, here, names) for each in findings],
        "totals": [total._asdict() for total in count_severities(findings)],
    }


class Names(NamedTuple):
    """The labels by what the file calls them: cut so that no two look the same, and whole."""

    short: Mapping[str, str]
    whole: Mapping[str, str]


@cache.kept(64)
def _names(evaluation: Evaluation) -> Names:
    """Return the labels as sentences show them."""
    short = dict(zip(evaluation.labels, cache.label_names(evaluation), strict=True))
    return Names(short, cache.spoken_names(evaluation))


@cache.kept(64)
def _lens_names(evaluation: Evaluation) -> Names:
    """Return the labels as the narrow lenses show them."""
    shown = [show(label, None) for label in cache.class_names(evaluation)]
    short = dict(zip(evaluation.labels, short_names(shown, LENS_LABEL_CHARS), strict=True))
    return Names(short, cache.spoken_names(evaluation))


def words(parts: Parts, names: Names) -> list[list[str]]:
    """Return parts for the browser: [kind, text], and of a label all of it that one can read."""
    return [
        ["label", _short_name(part, names), show(_whole_name(part, names), 400)]
        if isinstance(part, Label)
        else ["text", keep_together(part)]
        for part in parts
    ]


def _short_name(part: Label, names: Names) -> str:
    """Return a label as sentences show it; a column or its value is written as it is."""
    if isinstance(part, Name):
        return show(part.name, LABEL_CHARS)
    return names.short.get(part.name) or show(part.name, LABEL_CHARS)


def _whole_name(part: Label, names: Names) -> str:
    return part.name if isinstance(part, Name) else names.whole.get(part.name, part.name)


def _lens(lens: Lens, names: Names) -> dict[str, Any]:
    sure = lens.sure and lens.sure._asdict()
    return lens._asdict() | {
        "sure": sure,
        "line": words(lens.line, names),
        "href": address_of(lens.page, lens.view),
        "view": None,
    }


def _finding(measured: Measurement, finding: Finding, here: str, names: Names) -> dict[str, Any]:
    evaluation = measured.evaluation
    place = place_of(evaluation, finding)
    head, more = split_sentence(finding.parts)
    amount = amount_of(measured, finding)
    return {
        "shape": SHAPES[finding.severity],
        "severity": SEVERITIES[finding.severity],
        "kind": finding.severity,
        "head": words(head, names),
        "more": words(more, names),
        "amount": None if amount is None else amount._asdict(),
        "links": list(_links(evaluation, finding, place, here)),
    }


def _links(evaluation: Evaluation, finding: Finding, place: Place, here: str) -> Iterable[dict[str, str]]:
    """Yield the link to a finding's page and the one to its rows."""
    if place.page != here:
        yield _link(place.page, PAGES[place.page].title, place.view(finding))
    which = place.rows(evaluation, finding) if place.page != "rows" and not rows_left_out(evaluation) else None
    if which is not None:
        n = finding.evidence.get("rows")
        yield _link("rows", "Rows" if n is None else count(int(n)), view_of(evaluation, which))


def _link(page: str, text: str, view: Mapping[str, object]) -> dict[str, str]:
    icon = PAGES[page].icon.removeprefix(":material/").removesuffix(":")
    return {"icon": icon, "text": text, "href": address_of(page, view)}


def title_of(evaluation: Evaluation, findings: Sequence[Finding]) -> str:
    """Return the page's title as Markdown: accuracy, and what it hides."""
    return write_parts(evaluation, title_parts(measure(evaluation), findings))


def write_parts(evaluation: Evaluation, parts: Parts) -> str:
    """Write parts of a sentence as Markdown."""
    short = _names(evaluation).short
    return "".join(md(_name_of(part, short), 40) if isinstance(part, Label) else keep_together(part) for part in parts)


def _name_of(part: Label, short: Mapping[str, str]) -> str:
    return part.name if isinstance(part, Name) else short.get(part.name, part.name)


_lenses = cache.kept(32)(lenses_of)


def lenses(evaluation: Evaluation) -> list[Lens]:
    """Return the lenses that apply to an evaluation; at most five."""
    return _lenses(measure(evaluation))
