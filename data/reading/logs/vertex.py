"""Batch predictions of Vertex AI (JSON lines): {"instance": {…}, "prediction": {…}}.

Images and texts have ids, displayNames and confidences (ClassificationPredictionResult), tables classes and scores
(TabularClassificationPredictionResult); both list the labels in an order of their own in every row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from data.evaluation import DataError
from data.reading.json.streams import Stream
from data.reading.logs.label_scores import best, columns, paired_scores
from data.reading.logs.source import Row, Said, inside, mapping

_PAIRS = (("displayNames", "confidences"), ("classes", "scores"))


def recognises(head: list[Any]) -> bool:
    """Whether one of the first records has an instance and a prediction with labels and scores."""
    return any(isinstance(one, dict) and "instance" in one and _scores(one) is not None for one in head)


def read_rows(stream: Stream, said: Said) -> Iterator[Row]:
    """Give prediction (the label with the highest score), p_<label>, instance.<field>."""
    labels: set[str] = set()
    for row, value in stream:
        record = mapping(value, row)
        scores = _scores(record)
        if scores is None and "prediction" in record:
            raise DataError(f"row {row:,}: its prediction has no labels with as many scores, as Vertex AI writes them.")
        said.counts["failed"] += scores is None
        said.counts["empty"] += scores == {}
        labels |= (scores or {}).keys()
        said.counts["shorter"] += 0 < len(scores or {}) < len(labels)
        instance = record.get("instance")
        shown = {} if isinstance(instance, list | None) else {"instance": instance}
        yield {"prediction": best(scores or {}), **columns(scores or {}), **shown}
    _say(said)


def _scores(record: Row) -> dict[str, float] | None:
    found = (paired_scores(*(inside(record, "prediction", key) for key in pair)) for pair in _PAIRS)
    return next((scores for scores in found if scores is not None), None)


def _say(said: Said) -> None:
    said.notes.append(
        "Vertex AI: prediction is the label with the highest confidence, p_<label> the confidences; the fields of the"
        " instance are there as instance.<field>; ids are left out."
    )
    said.counted("failed", "no prediction (an error of the batch job); empty.", warn=True)
    said.counted("empty", "no label in the prediction; it is empty.", warn=True)
    if said.counts["shorter"]:
        said.warnings.append("Some rows list fewer labels than others: the scores they lack are empty.")
