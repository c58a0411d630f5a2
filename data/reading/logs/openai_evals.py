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
_USED = ("type match", "type sampling")
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
    is_matched = "target" in matches[-1]
    if event["type"] == "match":
        if is_matched:
            matches.append({})
        matches[-1]["target"] = get_inside(data, "expected")
        matches[-1]["prediction"] = get_inside(data, "picked")
        matches[-1]["correct"] = get_inside(data, "correct")
        sampled = get_inside(data, "sampled")
        if sampled is not None:
            matches[-1]["output"] = sampled
    elif event["type"] == "sampling":
        if is_matched and "output" in matches[-1]:
            matches.append({})
        matches[-1]["output"] = get_inside(data, "sampled")


def _rows(samples: dict[str, list[Row]], remarks: Remarks) -> Iterator[Row]:
    n_repeated = sum(len(matches) > 1 for matches in samples.values())
    remarks.counts["repeated"] = n_repeated
    picks = any(match.get("prediction") is not None for matches in samples.values() for match in matches)
    for name, matches in samples.items():
        for number, match in enumerate(matches, 1):
            target = match.get("target")
            if picks and "target" in match and match["prediction"] is None:
                match["prediction"] = _NOTHING_PICKED
                remarks.counts["nothing"] += 1
            remarks.counts["unmatched"] += "target" not in match
            remarks.counts["several"] += isinstance(target, list) and len(target) > 1
            row: Row = {"id": name}
            if n_repeated:
                row["repetition"] = number
            yield row | {column: plain_cell(match.get(column)) for column in _COLUMNS}


def _say(remarks: Remarks) -> None:
    remarks.notes.append(
        "OpenAI Evals: target is expected, prediction is picked and correct is correct, of events of type match;"
        " output is sampled, of events of type sampling; events are joined by sample_id."
    )
    kinds = sorted(key for key in remarks.counts if key.startswith("type ") and key not in _USED)
    skipped = [f"{count(remarks.counts[kind], 'event')} of {kind}" for kind in kinds]
    if remarks.counts["frame"]:
        skipped.append(f"{count(remarks.counts['frame'], 'line')} of the run itself (spec, final_report)")
    if skipped:
        remarks.notes.append(f"Left out: {', '.join(skipped)}.")
    remarks.add_count("several", "several expected answers; the target is a JSON list.", warn=True)
    remarks.add_count("nothing", f"nothing was picked, written {_NOTHING_PICKED}: it counts as not parsed.", warn=True)
    remarks.add_count("unmatched", "no event of type match; the target is empty.", warn=True)
    remarks.add_count("repeated", "several matches, which the column repetition tells apart.", noun="sample", warn=True)
