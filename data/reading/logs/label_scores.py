"""Labels with their scores inside one cell, as columns: [{"label": …, "score": …}] and the pair of lists beside it.

Hugging Face pipelines write `label` and `score`, BigQuery ML `label` and `prob`, Vertex AI two lists of equal length.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from data.errors import DataError
from data.reading.json.streams import Stream
from data.reading.logs.source import Remarks, Row, get_inside, require_mapping
from text.quoting import quote

_LABELS = ("label", "class", "className", "displayName", "name", "value")
_SCORES = ("score", "prob", "probability", "confidence")
_PIPELINE = {"label", "score"}


def read_listed_scores(value: Any) -> dict[str, float] | None:
    """Return the scores by label in a list of objects of two keys; None if the value is no such list.

    >>> read_listed_scores([{"label": "spam", "score": 0.75}, {"label": "ham", "score": 0.25}])
    {'spam': 0.75, 'ham': 0.25}
    >>> read_listed_scores([{"label": "spam"}]) is None
    True
    """
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return None
    label = next((key for key in _LABELS if key in value[0]), None)
    score = next((key for key in _SCORES if key in value[0]), None)
    wanted = {label, score}
    if None in wanted or any(not isinstance(part, dict) or part.keys() != wanted for part in value):
        return None
    return read_paired_scores([part[label] for part in value], [part[score] for part in value])


def read_paired_scores(labels: Any, scores: Any) -> dict[str, float] | None:
    """Return the scores by label, of two lists of one length; None if they are none, or a label occurs twice.

    >>> read_paired_scores(["a", "b"], [0.25, 0.75])
    {'a': 0.25, 'b': 0.75}
    """
    if not isinstance(labels, list) or not isinstance(scores, list) or len(labels) != len(scores):
        return None
    if not all(_is_number(score) for score in scores) or not all(isinstance(label, str | int) for label in labels):
        return None
    by_label = dict(zip(map(_text, labels), map(float, scores), strict=True))
    return by_label if len(by_label) == len(labels) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(label: Any) -> str:
    return str(label).lower() if isinstance(label, bool) else str(label)


def choose_best(scores: dict[str, float]) -> str | None:
    """Return the label with the largest score, the first of equals; None without labels."""
    return max(scores, key=scores.__getitem__, default=None)


def score_columns(scores: dict[str, float], prefix: str = "p") -> Row:
    """Return one cell a label.

    >>> score_columns({"spam": 0.75})
    {'p_spam': 0.75}
    """
    return {f"{prefix}_{label}": score for label, score in scores.items()}


def is_pipeline(head: list[Any]) -> bool:
    """Return whether records are what a Hugging Face pipeline returns: a label and its score, or a list of those."""
    return all(isinstance(record, list) and read_listed_scores(record) is not None for record in head) or all(
        isinstance(record, dict) and record.keys() == _PIPELINE and isinstance(record["label"], str) for record in head
    )


def pipeline_rows(stream: Stream, remarks: Remarks) -> Iterator[Row]:
    """Yield the label as prediction; p_<label> where a record lists several, and score where it is the label's own."""
    labels: set[str] = set()
    for row, value in stream:
        if isinstance(value, list):
            scores = read_listed_scores(value)
            if scores is None:
                raise DataError(f"row {row:,} is no list of different labels with their scores, as the rows before.")
            remarks.counts["lists"] += 1
            labels |= scores.keys()
            remarks.counts["shorter"] += len(scores) < len(labels)
            yield {"prediction": choose_best(scores), **score_columns(scores)}
        else:
            record = require_mapping(value, row)
            yield {"prediction": record.get("label"), "score": record.get("score")}
    remarks.notes.append(
        "Hugging Face pipeline: prediction is the label with the highest score, p_<label> the scores of all."
        if remarks.counts["lists"]
        else "Hugging Face pipeline: prediction is label; score is that label's own."
    )
    if remarks.counts["shorter"]:
        remarks.warnings.append("Some rows list fewer labels than others (top_k): the scores they lack are empty.")


def split(record: Row, prefixes: dict[str, str], remarks: Remarks) -> Row:
    """Return a record with its lists of labels and scores as columns.

    Parameters
    ----------
    prefixes : key -> prefix of its columns; filled as keys are met. The first key's prefix is "p".
    """
    if not any(isinstance(value, list) and read_listed_scores(value) is not None for value in record.values()):
        return record
    made: Row = {}
    for key, value in record.items():
        scores = read_listed_scores(value) if isinstance(value, list) else None
        if scores is None:
            made[key] = value
            continue
        prefix = prefixes.setdefault(key, key if prefixes else "p")
        remarks.counts[key] += 1
        made |= score_columns(scores, prefix)
    return made


def say_split(prefixes: dict[str, str], remarks: Remarks) -> None:
    """Note which lists became which columns."""
    for key, prefix in prefixes.items():
        remarks.notes.append(
            f"The lists of labels and scores in {quote(key)} were split into columns {prefix}_<label>."
        )


_PAIRS = (("displayNames", "confidences"), ("classes", "scores"))


def is_vertex(head: list[Any]) -> bool:
    """Return whether one of the first records has an instance and a prediction with labels and scores."""
    return any(isinstance(record, dict) and "instance" in record and _scores(record) is not None for record in head)


def vertex_rows(stream: Stream, remarks: Remarks) -> Iterator[Row]:
    """Give prediction (the label with the highest score), p_<label>, instance.<field>."""
    labels: set[str] = set()
    for row, value in stream:
        record = require_mapping(value, row)
        scores = _scores(record)
        if scores is None and "prediction" in record:
            raise DataError(f"row {row:,}: its prediction has no labels with as many scores, as Vertex AI writes them.")
        remarks.counts["failed"] += scores is None
        remarks.counts["empty"] += scores == {}
        labels |= (scores or {}).keys()
        remarks.counts["shorter"] += 0 < len(scores or {}) < len(labels)
        instance = record.get("instance")
        shown = {} if isinstance(instance, list | None) else {"instance": instance}
        yield {"prediction": choose_best(scores or {}), **score_columns(scores or {}), **shown}
    _say_vertex(remarks)


def _scores(record: Row) -> dict[str, float] | None:
    readings = (read_paired_scores(*(get_inside(record, "prediction", key) for key in pair)) for pair in _PAIRS)
    return next((scores for scores in readings if scores is not None), None)


def _say_vertex(remarks: Remarks) -> None:
    remarks.notes.append(
        "Vertex AI: prediction is the label with the highest confidence, p_<label> the confidences; the fields of the"
        " instance are there as instance.<field>; ids are left out."
    )
    remarks.add_count("failed", "no prediction (an error of the batch job); empty.", warn=True)
    remarks.add_count("empty", "no label in the prediction; it is empty.", warn=True)
    if remarks.counts["shorter"]:
        remarks.warnings.append("Some rows list fewer labels than others: the scores they lack are empty.")
