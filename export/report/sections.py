"""The parts of the report that every task has: headline numbers, findings, classes, averages, silences."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence

from export.class_result import STATES, ClassState, class_states
from export.limits import MAX_LISTED_LABELS
from export.measurement import Measurement
from export.overview.amounts import amount_of, page_of
from export.overview.lenses import Lens, lenses_of
from export.overview.severities import SHAPES, count_severities, list_not_searched
from export.overview.title import title_parts
from export.pictures.words import name
from export.report import markup
from export.report.part import CHAPTERS, CHAPTERS_OF_FINDINGS
from export.report.result_part import write_html
from metrics.finding import SEVERITIES, Finding, split_sentence

NOTHING = "<p>Nothing stands out: every class is predicted, and accuracy beats its baseline.</p>"
"""The sentence in place of findings where there are none."""


def takeaway(measured: Measurement) -> str:
    """Return the report in one sentence, HTML: the title of Overview."""
    return write_html(measured.named(title_parts(measured, measured.findings)))


def headline(measured: Measurement) -> str:
    """Return the numbers one asks for first, each beside what it has to be compared with."""
    tiles = "".join(_lens(measured, lens) for lens in lenses_of(measured))
    return f'<h2 class="sr">Headline numbers</h2><div class="tiles">{tiles}</div>'


def _lens(measured: Measurement, lens: Lens) -> str:
    value = f"{lens.figure} <small>{lens.unit}</small>" if lens.unit else lens.figure
    return markup.tile(lens.name, value, write_html(measured.named(lens.line)), lens.sure, lens.picture)


def findings(measured: Measurement, chapters: Collection[str]) -> str:
    """Return every finding as a line, the most serious first; with a legend that filters them.

    chapters : the ids of the report's chapters, to which findings link.
    """
    notes = "".join(f'<p class="note">{write_html(words)}</p>' for words in list_not_searched(measured.worst_parts))
    if not measured.findings:
        return NOTHING + notes
    legend = "".join(
        f'<label class="total"><input type="checkbox" class="{total.kind}">{total.shape}{total.name} {total.n}</label>'
        for total in count_severities(measured.findings)
    )
    many = f'<p class="short">{len(measured.findings):,}, most serious first</p>'
    lines = finding_lines(measured, measured.findings, chapters)
    return f'<div class="legend">{many}<div class="totals">{legend}</div></div>{lines}{notes}'


def finding_lines(measured: Measurement, shown: Sequence[Finding], chapters: Collection[str] = ()) -> str:
    """Return findings as lines; chapters : as of `findings`."""
    lines = "".join(_finding(measured, finding, chapters) for finding in shown)
    return f'<ol class="findings">{lines}</ol>'


def _finding(measured: Measurement, finding: Finding, chapters: Collection[str]) -> str:
    head, more = split_sentence(measured.named(finding.parts))
    severity = SEVERITIES[finding.severity]
    sign = f'<span class="severity" title="{severity}">{SHAPES[finding.severity]}<b class="sr">{severity}</b></span>'
    second = f'<span class="more">{write_html(more)}</span>' if more else ""
    sentence = f'<span class="said"><strong>{write_html(head)}</strong> {second}</span>'
    return f'<li class="{finding.severity}">{sign}{sentence}{_amount(measured, finding)}{_way(finding, chapters)}</li>'


def _amount(measured: Measurement, finding: Finding) -> str:
    amount = amount_of(measured, finding)
    if amount is None:
        return '<span class="amount"></span>'
    drawn = "" if amount.share is None else markup.bar(amount.share, "wrong" if amount.mistakes else "base")
    return f'<span class="amount"><b>{amount.n}</b> {amount.base}{drawn}</span>'


def _way(finding: Finding, chapters: Collection[str]) -> str:
    """Link to the chapter that shows a finding, where the report has it."""
    for chapter in (CHAPTERS_OF_FINDINGS.get(finding.code), CHAPTERS.get(page_of(finding))):
        if chapter is not None and chapter[0] in chapters:
            return f'<a class="way" href="#{chapter[0]}">{chapter[1]}</a>'
    return '<span class="way"></span>'


def list_states(measured: Measurement) -> str:
    """List classes never predicted, not in the data, never true, or not in the label list, each kind by itself."""
    listed = class_states(measured)
    kinds = ("never_predicted", "absent", *(["never_true"] if listed["never_true"] else []), "outside_label_space")
    return f'<div class="columns">{"".join(_state(STATES[kind], listed[kind]) for kind in kinds)}</div>'


def _state(state: ClassState, labels: Sequence[str]) -> str:
    n_more = len(labels) - MAX_LISTED_LABELS
    more = f" and {n_more:,} more" if n_more > 0 else ""
    named = " ".join(map(name, labels[:MAX_LISTED_LABELS])) + more if labels else "none"
    about = html.escape(state.meaning)
    return f"<div><h3>{state.title}: {len(labels):,}</h3><p class='note'>{about}</p><p>{named}</p></div>"
