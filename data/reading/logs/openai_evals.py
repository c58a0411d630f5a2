"""Events of OpenAI Evals (JSON lines): several a sample, joined by sample_id.

Source: `evals/record.py`: {"spec"} on the first line, {"final_report"} on the last, and between them events with
run_id, event_id, sample_id, type, data; `record_match` writes correct, expected and picked, `record_sampling` sampled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from data.errors import DataError
from data.reading.json.streams import Stream
from data.reading.logs.source import Remarks, Row, get_inside, plain_cell, require_mapping
from text.numbers import count

_EVENT = {"sample_id", "type", "data"}
_FRAME = ("spec", "final_report")
_NOTHING_PICKED = "[invalid]"
_COLUMNS = ("target", "prediction", "correct", "output")


def recognises(head: list[Any]) -> bool:
    """Return whether the first line is a run's specification or an event."""
    first = head[0]
    return isinstance(first, dict) and ({*first} == {"spec"} or first.keys() >= _EVENT | {"run_id", "event_id"})


def read_rows(stream: Stream, remarks: Remarks) -> Iterator[Row]:
    """Give one row a match: id, target (expected), prediction (picked), correct, output (sampled)."""
    samples: dict[str, list[Row]] = {}
    for row, value in stream:
        event = require_mapping(value, row, "line")
        if event.keys() >= _EVENT:
            remarks.counts[f"type {event['type']}"] += 1
            _add(samples.setdefault(str(event["sample_id"]), [{}]), event)
        elif not any(key in event for key in _FRAME):
            raise DataError(f"line {row:,} is no event of OpenAI Evals: sample_id, type and data were wanted.")
        else:
            remarks.counts["frame"] += 1
    if not remarks.counts["type match"]:
        raise DataError("it holds no event of type match (OpenAI Evals), so there is nothing expected to compare with.")
    yield from _rows(samples, remarks)
    _say(remarks)


def _add(matches: list[Row], event: Row) -> None:
    """Add an event to its sample: a match begins a new row if there is one; a text belongs to the match after it."""
    data = event["data"]
    if event["type"] == "match":
        answer = {"target": get_inside(data, "expected"), "prediction": get_inside(data, "picked")}
        answer |= {"correct": get_inside(data, "correct")}
        sampled = get_inside(data, "sampled")
        answer |= {"output": sampled} if sampled is not None else {}
        if "target" in matches[-1]:
            matches.append({})
        matches[-1].update(answer)
    elif event["type"] == "sampling":
        if "target" in matches[-1] and "output" in matches[-1]:
            matches.append({})
        matches[-1]["output"] = get_inside(data, "sampled")


def _rows(samples: dict[str, list[Row]], remarks: Remarks) -> Iterator[Row]:
    repeated = any(len(matches) > 1 for matches in samples.values())
    remarks.counts["repeated"] = sum(len(matches) > 1 for matches in samples.values())
    picks = any(match.get("prediction") is not None for matches in samples.values() for match in matches)
    for name, matches in samples.items():
        for number, match in enumerate(matches, 1):
            if picks and "target" in match and match["prediction"] is None:
                match["prediction"] = _NOTHING_PICKED
                remarks.counts["nothing"] += 1
            remarks.counts["unmatched"] += "target" not in match
            remarks.counts["several"] += isinstance(match.get("target"), list) and len(match["target"]) > 1
            cells = {column: plain_cell(match.get(column)) for column in _COLUMNS}
            yield {"id": name, **({"repetition": number} if repeated else {}), **cells}


def _say(remarks: Remarks) -> None:
    remarks.notes.append(
        "OpenAI Evals: target is expected, prediction is picked and correct is correct, of events of type match;"
        " output is sampled, of events of type sampling; events are joined by sample_id."
    )
    others = [key.removeprefix("type ") for key in remarks.counts if key.startswith("type ")]
    skipped = [f"{count(remarks.counts['type ' + name], 'event')} of type {name}" for name in sorted(others)]
    skipped = [text for text in skipped if not text.endswith((" match", " sampling"))]
    if remarks.counts["frame"]:
        skipped.append(f"{count(remarks.counts['frame'], 'line')} of the run itself (spec, final_report)")
    if skipped:
        remarks.notes.append(f"Left out: {', '.join(skipped)}.")
    remarks.add_count("several", "several expected answers; the target is a JSON list.", warn=True)
    remarks.add_count("nothing", f"nothing was picked, written {_NOTHING_PICKED}: it counts as not parsed.", warn=True)
    remarks.add_count("unmatched", "no event of type match; the target is empty.", warn=True)
    remarks.add_count("repeated", "several matches, which the column repetition tells apart.", noun="sample", warn=True)
