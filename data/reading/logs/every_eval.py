"""Instances of the schema Every Eval Ever (JSON lines): one a sample, its texts in lists.

Source: `instance_level_eval.schema.json` of the EvalEval Coalition, version 0.2: sample_id, input.reference (the
references), output.raw (the responses), answer_attribution (what was extracted from them), evaluation.is_correct.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from data.reading.json.streams import Stream
from data.reading.logs.source import Remarks, Row, get_inside, plain_cell, require_mapping

_NEEDED = {"schema_version", "evaluation_id", "sample_id", "input", "answer_attribution", "evaluation"}
_NOTHING_EXTRACTED = "[invalid]"
_ABOUT = ("evaluation_name", "model_id")


def recognises(head: list[Any]) -> bool:
    """Return whether the first line is an instance."""
    return isinstance(head[0], dict) and head[0].keys() >= _NEEDED


def read_rows(stream: Stream, remarks: Remarks) -> Iterator[Row]:
    """Give one row an instance: id, target, prediction (the final extracted value), output, correct, and its run."""
    rows = [_read_row(require_mapping(value, place, "line", _NEEDED), remarks) for place, value in stream]
    extracted = any(row["prediction"] is not None for row in rows)
    for row in rows:
        if extracted and row["prediction"] is None:
            row["prediction"] = _NOTHING_EXTRACTED
            remarks.counts["nothing"] += 1
        yield row
    remarks.notes.append(
        "Every Eval Ever: target is input.reference, prediction is the extracted value of the final answer, output is "
        "the last of output.raw, correct is evaluation.is_correct."
    )
    remarks.add_count(
        "nothing", f"nothing was extracted, written {_NOTHING_EXTRACTED}: it counts as not parsed.", warn=True
    )
    remarks.add_count("several", "several references; the target is the first of them.", warn=True)
    remarks.add_count("responses", "several responses; the last counts.", warn=True)


def _read_row(value: Row, remarks: Remarks) -> Row:
    references, responses = get_inside(value, "input", "reference"), get_inside(value, "output", "raw")
    remarks.counts["several"] += isinstance(references, list) and len(references) > 1
    remarks.counts["responses"] += isinstance(responses, list) and len(responses) > 1
    return {
        "id": value["sample_id"],
        "target": plain_cell(_choose(references, 0)),
        "prediction": _find_extracted(value["answer_attribution"]),
        "output": plain_cell(_choose(responses, -1)),
        "correct": get_inside(value, "evaluation", "is_correct"),
        "input": plain_cell(get_inside(value, "input", "raw")),
        **{name: plain_cell(value.get(name)) for name in _ABOUT},
    }


def _choose(texts: Any, place: int) -> Any:
    """Return one of a list of texts, None where it is empty; a text by itself is all there is."""
    if not isinstance(texts, list):
        return texts
    return texts[place] if texts else None


def _find_extracted(attribution: Any) -> Any:
    """Return the value of the last final answer, else of the last one; None where nothing was extracted."""
    if not isinstance(attribution, list):
        return None
    attributions = [item for item in attribution if isinstance(item, dict)]
    final = [item for item in attributions if item.get("is_terminal")] or attributions
    return plain_cell(final[-1].get("extracted_value")) if final else None
