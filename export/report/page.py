"""One self-contained HTML file about one evaluation: it opens from disk, offline, and asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from data.evaluation import Evaluation
from export.class_result import classes_result
from export.evaluation.averages_result import averages_result
from export.evaluation.calibration_result import calibration_result
from export.evaluation.confusion_result import confusion_result, worst_result
from export.evaluation.curves_result import curves_result
from export.evaluation.family_result import families_result
from export.evaluation.headline_result import headline_result
from export.evaluation.label_sets_result import accuracies_result, outcomes_result, swaps_result
from export.evaluation.parsing_result import has_answers, parsing_result
from export.evaluation.repeats_result import repeats_result
from export.measurement import Measurement, level_of, measure
from export.numbers import leave_out_large_matrix, numbers
from export.pictures.svg import DARK, STYLE
from export.pictures.words import font_file
from export.report import facts, markup, rows, sections
from export.report.part import Part, numbers_of
from export.report.result_part import report_part
from metrics.findings.worst_parts import WorstParts
from metrics.thresholds.rule_in_force import ChosenThreshold, unpack_chosen
from text.visible import show

_HERE = Path(__file__).parent


def html_report(
    evaluation: Evaluation,
    *,
    with_rows: bool = False,
    at_most: int | None = None,
    view: Mapping[str, Any] | None = None,
    made: datetime | None = None,
    chosen: tuple[ChosenThreshold, ...] = (),
    parts: Sequence[Part] = (),
    level: float | None = None,
    worst: WorstParts | None = None,
) -> bytes:
    """Return the report as UTF-8; aggregates only, unless rows are asked for.

    Parameters
    ----------
    with_rows : whether rows of the file go in, texts and all.
    at_most : so many rows at most, the wrong ones first; None = all. The report says how many of how many.
    view : parameters of the page it was taken from, to be named.
    made : when, with a time zone; None = now.
    chosen : the thresholds in use that a rule chose.
    parts : sections of a comparison, of slices, groups or times.
    level : of the intervals; None = the view's.
    worst : the worst slices and the largest gap; None = they are searched.

    Raises
    ------
    DataError
        no row has both a true and a predicted label.
    """
    measured = measure(evaluation, level_of(view) if level is None else level, rule=chosen, known_parts=worst)
    body = _body(measured, dict(view or {}), made, parts, rows.section(evaluation, at_most) if with_rows else "")
    every = numbers(measured, view=view, made=made, more=numbers_of(parts))
    data = _embed(leave_out_large_matrix(every, "the file of numbers that Blindspot exports holds it"))
    style = _font() + page_style()
    drawing, script = STYLE, read_asset("script.js")
    page = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(style, drawing, script)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f'<link rel="icon" href="data:,"><title>{html.escape(show(measured.evaluation.name))} · Blindspot</title>'
        f'<style id="chart-style">{drawing}</style><style>{style}</style></head>'
        f'<body>{body}<script type="application/json" id="numbers">{data}</script>'
        f"<script>{script}</script></body></html>\n"
    )
    return page.encode("utf-8", "replace")


def write_report(evaluation: Evaluation, path: Path, options: Mapping[str, Any], rows: object, say: object) -> None:
    """Write the report into a file: what a process of its own does for many rows.

    options : "with_rows", "at_most" and "view", as in `html_report`; "chosen", as `pack_chosen` gives them; "parts", a
        list for each `Part`.
    """
    chosen = tuple(map(unpack_chosen, options.get("chosen", ())))
    parts = tuple(Part(*part) for part in options.get("parts", ()))
    path.write_bytes(html_report(evaluation, **{**options, "chosen": chosen, "parts": parts}))


def policy(style: str, drawing: str, script: str) -> str:
    """Return the content security policy: this script and these styles, nothing else, and no request at all."""
    return (
        f"default-src 'none'; script-src {hash_source(script)}; style-src {hash_source(style)} {hash_source(drawing)}; "
        "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def hash_source(content: str) -> str:
    """Return the source of a policy that allows one script or style alone."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def page_style() -> str:
    """Return the style of everything but charts, light and dark, of the report and of the page of a link."""
    return read_asset("../overview/block.css") + read_asset("style.css") + DARK


@cache
def read_asset(name: str) -> str:
    """Return a text beside this module."""
    return (_HERE / name).read_text(encoding="utf-8")


@cache
def _font() -> str:
    """Return the page's typeface as a style, inside the file; nothing where it is not installed."""
    file = font_file()
    if file is None:
        return ""
    data = base64.b64encode(file.read_bytes()).decode()
    return (
        '@font-face { font-family: "Source Sans"; font-weight: 200 900; '
        f'src: url("data:font/woff2;base64,{data}") format("woff2"); }}\n'
    )


def _embed(data: object) -> str:
    """Return JSON for a script element, which ends at the first "</script" whatever stands around it."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _body(
    measured: Measurement, view: dict[str, Any], made: datetime | None, more: Sequence[Part], row_section: str
) -> str:
    e = measured.evaluation
    parts = [*more, report_part(headline_result(measured)), *_parts(measured)]
    parts += [Part("rows", "Rows", row_section)] if row_section else []
    # the numbers first; what they are of is the last section, and one link away
    warned = facts.warnings(e)
    parts.append(Part("about", "The file and its settings", facts.describe_file(measured, view, made) + warned))
    parts.append(Part("read", "How we read your file", facts.describe_reading(e)))
    chapters = {part.name for part in parts}
    parts.insert(0, Part("findings", "Findings", sections.findings(measured, chapters)))
    main = "".join(markup.section(part.name, part.title, part.content) for part in parts)
    links = "".join(f'<a href="#{part.name}">{html.escape(part.title)}</a>' for part in parts)
    held = "It holds rows of the file." if row_section else "It holds no row of the file."
    return (
        f'<aside class="side" aria-label="Report"><p class="brand">{read_asset("../../assets/logo.svg")}Blindspot</p>'
        f'<nav aria-label="Chapters">{links}</nav><div class="origin">'
        f"{facts.describe_origin(e, made)}</div></aside>"
        f'<div class="page"><header class="top"><p class="file"><b>{html.escape(show(e.name))}</b> '
        f'<span class="short">{facts.short(e)}</span></p><p class="save" hidden><button type="button" '
        'data-save="json" data-of="numbers">Save every number as JSON</button><button type="button" data-print>Print'
        f'</button></p></header><main><h1>{sections.takeaway(measured)}</h1><p class="short reading">How we read your '
        f"file: {facts.summary(e)}</p>{facts.weights(e)}{sections.headline(measured)}{main}"
        "</main><footer><p>This file holds everything it shows and sends nothing anywhere. "
        f"{held}</p></footer></div>"
    )


def _parts(measured: Measurement) -> list[Part]:
    """Return every section that this task has, in order."""
    if not measured.evaluation.has_predictions:
        return [report_part(classes_result(measured)), report_part(curves_result(measured))]
    results = [parsing_result(measured)] if has_answers(measured) else []
    results += [accuracies_result(measured)] if measured.many else [confusion_result(measured), worst_result(measured)]
    results += [families_result(measured)] if measured.evaluation.paths else []
    results += [
        classes_result(measured),
        *([outcomes_result(measured), swaps_result(measured)] if measured.many else []),
    ]
    repeats = repeats_result(measured)
    results += [repeats] if repeats is not None else []
    silent = Part("silent", "Never predicted, not in the data, not in the label list", sections.list_states(measured))
    scored = [averages_result(measured)]
    scored += [curves_result(measured)] if measured.scores else []
    calibration = calibration_result(measured)
    scored += [calibration] if calibration is not None else []
    return [*map(report_part, results), silent, *map(report_part, scored)]
