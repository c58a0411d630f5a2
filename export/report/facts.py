"""State what a report is of: the file, the classes, how the predictions came about, and when it was made."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from data.columns.table_metadata import is_part
from data.comparison.row_groups import cluster_warnings
from data.evaluation import Evaluation, FileFacts
from data.labels.class_names import names_in_sentences
from data.version import VERSION
from export import file_reading
from export.limits import MAX_LISTED_FACTS
from export.measurement import Measurement
from export.numbers import write_time
from export.pictures.words import name, text
from export.report import markup
from export.report.result_part import write_html
from export.rules_in_force import rules_html
from text.numbers import count

TASKS = {"binary": "binary", "multiclass": "single-label", "multilabel": "multi-label"}


def short(evaluation: Evaluation) -> str:
    """Return one line under the title, HTML."""
    e = evaluation
    lines = "" if e.weights is None else f" in {e.n_lines:,} lines"
    facts_in_line = [
        f"{count(e.n_rows)}{lines}",
        file_reading.count_classes(e),
        TASKS[e.task],
    ]
    if e.positive is not None:
        facts_in_line.append(f"positive: {name(names_in_sentences(e)[e.labels[e.positive]])}")
    facts = file_reading.facts(e)
    facts_in_line += [f"{fact.term}: {write_html(fact.parts)}" for fact in facts if fact.term == "Filter"]
    return " · ".join(facts_in_line)


def describe_origin(evaluation: Evaluation, made: datetime | None) -> str:
    """Return when the report was made, and of which files with which hashes, cut short, HTML."""
    what = "sha256 of the part that was shared" if is_part(evaluation) else "sha256"
    files = [
        f"<p>{text(file.name, 60)}<br>{what} <code>{text(file.sha256[:12])}…</code></p>"
        for file in evaluation.receipt.files
    ]
    time = write_time(made).replace("T", " ").replace("Z", " UTC")
    return f'<p class="group">Made</p><p>{time}<br>Blindspot {VERSION}</p><p class="group">File</p>{"".join(files)}'


def summary(evaluation: Evaluation) -> str:
    """Return in one line the columns used, and how many warnings there are, with the way to them, HTML."""
    n = len(evaluation.receipt.warnings) + len(cluster_warnings(evaluation))
    warned = f' · <a class="warned" href="#about">{count(n, "warning")}</a>' if n else ""
    return file_reading.summary(evaluation, lambda column: f"<code>{text(column, 30)}</code>", n) + warned


def weights(evaluation: Evaluation) -> str:
    """Say how rows are weighted and what still counts rows, HTML; "" where every row counts once."""
    fact = file_reading.describe_weights(evaluation)
    if fact is None:
        return ""
    return f'<p class="short">{fact.term} {write_html(fact.parts)}. {file_reading.BY_WEIGHT}</p>'


def describe_file(measured: Measurement, view: Mapping[str, Any], made: datetime | None) -> str:
    """Return everything that is needed to know later what the numbers are of."""
    e = measured.evaluation
    pairs: list[tuple[str, str]] = [
        ("Evaluation", name(e.name)),
        *(("File", _file(file, part=is_part(e))) for file in e.receipt.files),
        ("Rows", _rows(e)),
        ("Task", TASKS[e.task]),
        *((fact.term, write_html(fact.parts)) for fact in file_reading.facts(e)),
        ("Rule", rules_html(e, measured.rule)),
        ("Averages", "Each macro average names its classes. 0/0 is undefined; it counts as 0 only where the name says "
         "so."),
        ("View", ", ".join(f"{text(str(key))} = {name(str(value))}" for key, value in view.items())),
        ("Made", f"{write_time(made)} by Blindspot {VERSION}"),
        ("Fingerprint", f"<code>{e.fingerprint}</code>"),
    ]  # fmt: skip
    return markup.facts((term, words) for term, words in pairs if words)


def _file(file: FileFacts, *, part: bool) -> str:
    left = " of the part that was shared" if part else ""
    size = f"{count(file.n_rows)} · {file.n_bytes:,} bytes{left}"
    return f"{name(file.name)} · {size} · sha256{left} <code>{text(file.sha256)}</code>"


def _rows(e: Evaluation) -> str:
    words = f"{e.n_rows:,}, of which {e.n_scored:,} scored"
    left = [(e.n_missing_truth, "true"), (e.n_missing_pred, "predicted")]
    return words + "".join(f"; {count(n)} without a {what} label left out" for n, what in left if n)


def describe_reading(evaluation: Evaluation) -> str:
    """Return roles, notes and warnings of the receipt, every class and every setting."""
    paper = evaluation.receipt
    roles = file_reading.roles(paper)
    told = [*file_reading.join_note(paper), *file_reading.notes(paper)]
    settings = json.dumps(evaluation.settings.to_json(), indent=1, ensure_ascii=True)
    parts = [
        markup.table(
            "roles", "Columns and their roles", ["Column", "Role", "Because"],
            ([text(r.column), text(file_reading.name_role(r)), text(r.why)] for r in roles[:MAX_LISTED_FACTS]),
            sort=False,
        ) + _more(len(roles), "column"),
        markup.fold(count(len(told), "note") + " on how the file was read", _sentences(told)) if told else "",
        markup.fold(
            f"The {count(evaluation.n_space, evaluation.class_noun)} of the label list",
            f"<p>{' '.join(map(name, evaluation.labels[: min(evaluation.n_space, 5 * MAX_LISTED_FACTS)]))}</p>",
            _more(evaluation.n_space, evaluation.class_noun, 5 * MAX_LISTED_FACTS),
        ),
        markup.fold("Settings as JSON", f"<pre>{html.escape(settings)}</pre>"),
    ]  # fmt: skip
    return "".join(parts)


def warnings(evaluation: Evaluation) -> str:
    """Return what a person should look at before any number."""
    return _sentences((*evaluation.receipt.warnings, *cluster_warnings(evaluation)))


def _sentences(sentences: tuple[str, ...] | list[str]) -> str:
    if not sentences:
        return ""
    return markup.item_list(text(sentence, 1_000) for sentence in sentences[:MAX_LISTED_FACTS]) + _more(
        len(sentences), "sentence"
    )


def _more(n: int, what: str, limit: int = MAX_LISTED_FACTS) -> str:
    return f'<p class="note">… and {count(n - limit, "more " + what)}.</p>' if n > limit else ""
