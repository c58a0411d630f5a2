"""Records of Argilla as JSON: a suggestion of a model and responses of people to each question.

`Dataset.records.to_json` nests them; `to_datasets` writes the columns that are made here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from data.reading.json.streams import Stream
from data.reading.logs.source import Remarks, Row, get_inside, require_mapping

_PARTS = ("fields", "suggestions", "responses")


def recognises(head: list[Any]) -> bool:
    """Return whether records hold fields, suggestions and responses."""
    return all(isinstance(record, dict) and record.keys() >= {*_PARTS} for record in head)


def read_rows(stream: Stream, remarks: Remarks) -> Iterator[Row]:
    """Give the fields of each record and, of every question, suggestion, suggestion.score and responses."""
    for row, value in stream:
        record = require_mapping(value, row, needed=_PARTS)
        made: Row = {key: cell for key, cell in record.items() if key not in (*_PARTS, "vectors")}
        made |= require_mapping(record["fields"], row)
        for question, suggestion in (record["suggestions"] or {}).items():
            made[f"{question}.suggestion"] = get_inside(suggestion, "value")
            score = get_inside(suggestion, "score")
            made[f"{question}.suggestion.score"] = score if isinstance(score, float) else None
        for question, responses in (record["responses"] or {}).items():
            made[f"{question}.responses"] = [get_inside(response, "value") for response in responses]
            statuses = [get_inside(response, "status") for response in responses]
            made |= {f"{question}.responses.status": statuses} if any(statuses) else {}
        yield made
    remarks.notes.append("Argilla: the fields of each record, and the suggestion and responses to every question.")
