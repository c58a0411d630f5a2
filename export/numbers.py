"""Every number of an evaluation as JSON, with what it takes to know later what the numbers are of."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from data.answers.parsed_answers import count_rows_by_outcome
from data.columns.table_metadata import is_part
from data.comparison.row_groups import cluster_warnings
from data.evaluation import Evaluation
from data.version import VERSION
from export.cells import has_losses
from export.measurement import Measurement
from metrics.catalogue.metric import Task
from metrics.catalogue.registry import ROWS, class_formulas, with_influence
from metrics.confusion.average_numbers import ZERO, is_filled
from metrics.intervals.statistic import Interval
from metrics.scores.probabilities import CLIPPING
from text.numbers import write_moment

FORMAT = 3
"""Goes up when a key changes its meaning or goes away; new keys do not change it."""


def head(numbers: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (key, title) of the single numbers that there are; below an undefined one scikit-learn's, if it has one.

    >>> found = head({"task": "binary", "macro_recall": math.nan, "macro_recall_zero_division_0": 0.25})
    >>> [title for _, title in found]
    ['Macro recall', 'Macro recall, zero_division=0']
    """
    found = []
    for key, title in _list_headlines(numbers["task"]):
        if key in numbers:
            filled = [(key + ZERO, f"{title}, zero_division=0")] if is_filled(numbers, key) else []
            found += [(key, title), *filled]
    return found


def _list_headlines(task: Task) -> list[tuple[str, str]]:
    """Return key and title of the numbers of a task that are read first, in their order."""
    first = [(row.headline, row.key) for row in ROWS if row.headline is not None and task in row.tasks]
    return [(key, headline.title) for headline, key in sorted(first)]


def scored_numbers(found: Measurement, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return every number, the parser where answers were parsed, warnings and the receipt: what the command line
    prints.

    more : numbers of a comparison, of slices, groups or times.
    """
    receipt = found.evaluation.receipt
    said = {"warnings": [*receipt.warnings, *cluster_warnings(found.evaluation)], "receipt": receipt.to_json()}
    counted = {"engine": found.engine, "score_error_bound": found.score_error_bound}
    return found.numbers | clipping(found.numbers) | parsing(found.evaluation) | counted | said | dict(more or {})


def clipping(numbers: Mapping[str, Any]) -> dict[str, str]:
    """Return what log loss does with probabilities of 0 and 1; nothing where there is no log loss."""
    return {"log_loss_clipping": CLIPPING} if "log_loss" in numbers else {}


def parsing(evaluation: Evaluation) -> dict[str, Any]:
    """Return the parser that read the answers, and scored rows of every outcome; nothing without answers."""
    if evaluation.answers is None:
        return {}
    parser = evaluation.answers.parser.to_json()
    counts = count_rows_by_outcome(evaluation.answers, evaluation.scored)
    return {"parser": {"name": parser["name"], "rules": parser["rules"]}, "outcomes": counts}


def list_intervals(found: Measurement, *, by_class: bool = True) -> dict[str, Interval]:
    """Return every number that has an interval, by its name in the JSON.

    A rate of one class is "recall[refund]", and of the positive class "recall" too; at the threshold in use it is
    "recall_at_threshold".

    by_class : whether every class has its intervals, too.
    """
    e = found.evaluation
    result: dict[str, Interval] = {}
    codes = range(len(e.labels)) if by_class else ()
    if e.has_predictions:
        rates = list(class_formulas(e.task))
        overall = with_influence("multi-label counts" if found.many else "confusion counts")
        filled = [key + ZERO for key, row in overall.items() if row.zero_division]
        of_positive = rates if e.positive is not None else []
        result |= {key: found.number(key) for key in (*overall, *filled, *of_positive)}
        result |= {f"{key}[{e.labels[code]}]": found.number(key, code) for code in codes for key in rates}
    if e.y_score is not None:
        result |= _score_intervals(found, codes)
    if e.positive is not None and e.positive in e.score_codes:
        rates_there = found.at_threshold(e.positive, e.effective_threshold)
        result |= {f"{key}_at_threshold": rate for key, rate in rates_there.items()}
    return result


def _score_intervals(found: Measurement, codes: Collection[int]) -> dict[str, Interval]:
    """Return what has an interval and comes from the scores; `codes` are the classes that have theirs, too."""
    e, areas = found.evaluation, with_influence("score counts")
    losses = with_influence("probabilities") if has_losses(e) else ()
    if e.task == "binary" and len(e.score_codes) == 1:
        return {key: found.number(key) for key in (*areas, *losses)}
    means = {key: found.number(key) for key in with_influence("scores per class")}
    several = [code for code in e.score_codes if code in codes and len(e.score_codes) > 1]
    of_classes = {f"{key}[{e.labels[code]}]": found.number(key, code) for code in several for key in areas}
    return of_classes | means | {key: found.number(key) for key in losses}


def numbers(
    found: Measurement,
    *,
    view: Mapping[str, Any] | None = None,
    made: datetime | None = None,
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return every number with the version, the settings, the hash of every file, the fingerprint and the view.

    Parameters
    ----------
    view : the parameters of the page that it was taken from, as its link has them.
    made : when, with a time zone; None = now.
    more : numbers of a comparison, of slices, groups or times.

    >>> import pyarrow as pa
    >>> from data.building.build import build
    >>> from data.evaluation import Settings
    >>> table = pa.table({"y": ["a", "b"], "y_pred": ["a", "a"]})
    >>> from export.measurement import measure
    >>> e = build(table, Settings(truth="y", pred="y_pred"), name="d", content_sha256="0")
    >>> found = numbers(measure(e))
    >>> found["numbers"]["accuracy"], found["numbers"]["per_class"]["b"]["precision"], found["settings"]["truth"]
    (0.5, None, 'y')
    """
    evaluation = found.evaluation
    about: dict[str, Any] = {
        "format": FORMAT,
        "blindspot": VERSION,
        "made": write_time(made),
        "name": evaluation.name,
        "fingerprint": evaluation.fingerprint,
        # of a share that leaves something out, the digest is that of what was shared, not of the file
        "files": [
            {"name": file.name, ("shared_part_sha256" if is_part(evaluation) else "sha256"): file.sha256}
            for file in evaluation.receipt.files
        ],
        "settings": evaluation.settings.to_json(),
        "threshold": evaluation.threshold,
        "view": dict(view or {}),
        "undefined": "null",
        "numbers": scored_numbers(found, more),
        "intervals": {name: within.to_json() for name, within in list_intervals(found).items()},
    }
    if evaluation.filtered is not None:
        conditions, n_rows = evaluation.filtered.conditions, evaluation.filtered.n_rows
        about["filter"] = {"conditions": conditions, "rows": evaluation.n_rows, "rows_of_the_file": n_rows}
    every: dict[str, Any] = plain(about)
    return every


def numbers_json(
    found: Measurement,
    *,
    view: Mapping[str, Any] | None = None,
    made: datetime | None = None,
    more: Mapping[str, Any] | None = None,
) -> bytes:
    """Return `numbers` as a file: ASCII, so that no encoding can break it and no label can speak to a terminal."""
    return json.dumps(numbers(found, view=view, made=made, more=more), allow_nan=False, indent=1).encode("ascii")


def write_time(made: datetime | None) -> str:
    """Return a moment (None = now) in UTC, as ISO 8601 to the second."""
    return write_moment((made or datetime.now(UTC)).timestamp())


_AS_THEY_ARE = {int, str, bool, type(None)}


def plain(value: Any) -> Any:
    """Return numbers as JSON knows them: NaN and infinities become null.

    >>> plain({"a": (1.0, float("nan"))})
    {'a': [1.0, None]}
    """
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        as_they_are = {*map(type, value)} <= _AS_THEY_ARE  # a matrix of 1,000 classes has a million
        return list(value) if as_they_are else [plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
