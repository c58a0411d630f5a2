"""The parts of the report that every task has: headline numbers, findings, classes, averages, silences."""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable

from export.class_result import class_states
from export.interval_text import NOT_COVERED, TOO_FEW, bounds_of, name_level
from export.limits import MAX_LISTED_LABELS
from export.measurement import Measurement
from export.numbers import clipping
from export.overview.amounts import amount_of, page_of
from export.overview.lenses import Lens, lenses_of
from export.overview.severities import SHAPES, count_severities
from export.overview.title import title_parts
from export.pictures.bars import bars_picture
from export.pictures.words import name
from export.report import markup
from export.report.markup import Cell
from metrics.confusion.average_numbers import average_rows
from metrics.finding import SEVERITIES, Finding, Label, split_sentence
from text.intervals import bounds
from text.numbers import count, number, write_bound
from text.visible import keep_together, show

_CHAPTERS = {
    "classes": ("per-class", "Classes"), "confusion": ("confusion", "Confusion"), "slices": ("slices", "Slices"),
    "thresholds": ("curves", "Curves"), "rows": ("rows", "Rows"), "parsing": ("unparseable", "Answers"),
}  # fmt: skip
"""The chapter that shows what a page of the app shows: its id and what a link calls it."""


def takeaway(found: Measurement) -> str:
    """Return the report in one sentence, HTML: the title of Overview."""
    return _write(found.named(title_parts(found, found.findings)))


def headline(found: Measurement) -> str:
    """Return the numbers one asks for first, each beside what it has to be compared with."""
    if not found.evaluation.has_predictions:
        tiles = "".join(_tiles_of_ranking(found))
    else:
        tiles = "".join(_lens(found, lens) for lens in lenses_of(found))
    return f'<h2 class="sr">Headline numbers</h2><div class="tiles">{tiles}</div>'


def numbers_table(found: Measurement) -> str:
    """Return every headline number with its interval."""
    table = markup.table(
        "headline",
        "Each number with its interval",
        ["metric", "value", f"{name_level(found.level)} interval", "method"],
        ([title, _with_reason(found, key), *_interval_cells(found, key)] for key, title in found.headlines),
        sort=False,
    )
    notes = (*clipping([key for key, _ in found.headlines]).values(), NOT_COVERED)
    return table + "".join(f'<p class="note">{note}</p>' for note in notes)


def _interval_cells(found: Measurement, key: str) -> list[Cell]:
    """Return the ends of a number's interval and its method, with the clusters behind it."""
    one = found.number(key)
    if one.low != one.low:
        return [Cell(""), Cell("")]
    of = "" if one.clusters is None else f", {count(one.clusters, 'cluster')}"
    few = f", {TOO_FEW}" if one.too_few else ""
    return [Cell(f"{bounds(one.low, one.high)}", one.low), Cell(f"{one.method}{of}{few}")]


def _within(found: Measurement, key: str, *, share: bool = False) -> str:
    """Return a tile's interval; empty where it has none."""
    one = found.number(key)
    return bounds_of(one, share=share) + (f", {TOO_FEW}" if one.too_few else "") if bounds_of(one) else ""


def _with_reason(found: Measurement, key: str) -> Cell:
    """Return a number and how exact it is, or why it is undefined."""
    value = found.number(key).value
    reason = found.why_undefined(key) if value != value else ""
    bound = (found.score_error_bound or {}).get(key, 0)
    if bound > 0:
        return Cell(f"{number(value)} ± {write_bound(bound)} from binning", value)
    return Cell(f"undefined: {reason}", value) if reason else _value(value)


def _tiles_of_ranking(found: Measurement) -> list[str]:
    """Return the tiles that hold without predictions."""
    if found.many:
        tiles = [
            (title, found.number(key).value)
            for title, key in (
                ("ROC AUC, macro", "roc_auc_macro"), ("Average precision, macro", "average_precision_macro")
            )
        ]  # fmt: skip
        about = "Mean of the labels for which it is defined."
        return [markup.tile(title, number(value), about) for title, value in tiles]
    positive = name(found.names[found.evaluation.labels[found.evaluation.positive or 0]], 40)
    return [
        _tile(found, "roc_auc", "ROC AUC", f"0.5 is guessing. Positive class {positive}."),
        _tile(found, "average_precision", "Average precision", f"Positive class {positive}."),
    ]


def _tile(found: Measurement, key: str, title: str, note: str) -> str:
    """Return the tile of a number; where it is undefined, with the reason in place of the note."""
    reason = found.why_undefined(key)
    bound = (found.score_error_bound or {}).get(key, 0)
    if reason or bound > 0:
        note = html.escape(f"{reason.capitalize()}.") if reason else f"± {write_bound(bound)} from binning. {note}"
    return markup.tile(title, number(found.number(key).value), note, _within(found, key))


def _lens(found: Measurement, lens: Lens) -> str:
    value = f"{lens.figure} <small>{lens.unit}</small>" if lens.unit else lens.figure
    within = lens.sure.within if lens.sure is not None else ""
    return markup.tile(lens.name, value, _write(found.named(lens.line)), within, lens.picture)


def findings(found: Measurement, chapters: Collection[str]) -> str:
    """Return every finding as a line, the most serious first; with a legend that filters them.

    chapters : the ids of the report's chapters, to which findings link.
    """
    if not found.findings:
        return "<p>Nothing stands out: no class is ignored, and accuracy beats its baseline.</p>"
    legend = "".join(
        f'<label class="total"><input type="checkbox" class="{total.kind}">{total.shape}{total.name} {total.n}</label>'
        for total in count_severities(found.findings)
    )
    lines = "".join(_finding(found, finding, chapters) for finding in found.findings)
    many = f'<p class="short">{len(found.findings):,}, most serious first</p>'
    return f'<div class="legend">{many}<div class="totals">{legend}</div></div><ol class="findings">{lines}</ol>'


def _finding(found: Measurement, finding: Finding, chapters: Collection[str]) -> str:
    head, more = split_sentence(found.named(finding.parts))
    severity = SEVERITIES[finding.severity]
    sign = f'<span class="severity" title="{severity}">{SHAPES[finding.severity]}<b class="sr">{severity}</b></span>'
    second = f'<span class="more">{_write(more)}</span>' if more else ""
    sentence = f'<span class="said"><strong>{_write(head)}</strong> {second}</span>'
    return f'<li class="{finding.severity}">{sign}{sentence}{_amount(found, finding)}{_way(finding, chapters)}</li>'


def _amount(found: Measurement, finding: Finding) -> str:
    n_right = 0 if found.many else int(found.confusion.correct.sum())
    amount = amount_of(found.evaluation, finding, n_right)
    if amount is None:
        return '<span class="amount"></span>'
    drawn = "" if amount.share is None else markup.bar(amount.share, "wrong" if amount.mistakes else "base")
    return f'<span class="amount"><b>{amount.n}</b> {amount.base}{drawn}</span>'


def _way(finding: Finding, chapters: Collection[str]) -> str:
    """Link to the chapter that shows a finding, where the report has it."""
    name, title = _CHAPTERS.get(page_of(finding), ("", ""))
    return f'<a class="way" href="#{name}">{title}</a>' if name in chapters else '<span class="way"></span>'


def _write(parts: Iterable[str | Label]) -> str:
    return "".join(map(_part, parts))


def _part(part: str | Label) -> str:
    return name(part.name) if isinstance(part, Label) else html.escape(keep_together(part))


def _value(value: float) -> Cell:
    return Cell(number(value), value)


def list_class_states(found: Measurement) -> str:
    """List classes never predicted, not in the data, never true, or not in the label list, each kind by itself."""
    noun = "labels" if found.many else "classes"
    titles = {
        "never_predicted": ("Never predicted", f"{noun} with true rows, but no prediction."),
        "absent": ("Not in the data", f"listed {noun} without a true row: they can't be scored."),
        "never_true": ("Never true", "predicted labels without a true row: misspelt or invented."),
        "outside_label_space": ("Not in the label list", "true or predicted labels that the list lacks."),
    }  # fmt: skip
    parts = []
    for key, labels in class_states(found).items():
        title, about = titles[key]
        if key == "never_true" and not labels:
            continue
        more = f" and {len(labels) - MAX_LISTED_LABELS:,} more" if len(labels) > MAX_LISTED_LABELS else ""
        named = " ".join(name(label) for label in labels[:MAX_LISTED_LABELS]) + more if labels else "none"
        parts.append(f"<div><h3>{title}: {len(labels):,}</h3><p class='note'>{about}</p><p>{named}</p></div>")
    return f'<div class="columns">{"".join(parts)}</div>'


def averages(found: Measurement) -> str:
    """Return micro beside macro, each with the classes that it is over, and what the gap is made of."""
    n = found.overall
    over = "labels" if found.many else "classes"
    values = [
        ("Micro F1", n["micro_f1"], False),
        ("Weighted F1", n["weighted_f1"], False),
        (f"Macro F1, {over} seen", n["macro_f1"], True),
        (f"Macro F1, {over} with true rows", n["macro_f1_supported"], True),
        (f"Macro F1, all listed {over}", n["macro_f1_label_space"], True),
    ]
    noun, macro = "label" if found.many else "class", number(n["macro_f1_supported"])
    title = f"Macro F1 over the {over} with true rows is {macro}, micro F1 {number(n['micro_f1'])}"
    body = [[row.title, *(_value(value) for value in row[1:4])] for row in average_rows(n, noun)]
    table = markup.table("averages-table", "Averages", ["average", "precision", "recall", "F1"], body, sort=False)
    note = "<p class='note'>zero_division=0: scikit-learn's figure, which counts 0/0 as 0.</p>"
    twin = markup.fold("Averages of precision, recall and F1 as a table", table, note)
    return markup.picture(bars_picture(values, title), "averages-chart", _gap(found)) + twin


def _gap(found: Measurement) -> str:
    """Explain why macro F1 differs from micro F1: the sentence of the findings, HTML."""
    return _write(found.named(found.gap.parts()))


def shown_name(found: Measurement) -> str:
    """Return the evaluation's name as plain text."""
    return show(found.evaluation.name)
