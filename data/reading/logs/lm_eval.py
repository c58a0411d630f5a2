"""Samples of lm-evaluation-harness (`--log_samples`, samples_<task>_<date>.jsonl): one line a document and filter.

Responses are written as text, numbers and truth values too ("-1.25", "False"); a parse that failed is "[invalid]".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from data.evaluation import DataError
from data.reading.json.outline import Outline
from data.reading.json.streams import Stream
from data.reading.logs.lm_eval_choices import Choices, survey
from data.reading.logs.source import Row, Said, inside, left_out, mapping, plain

_SIGNATURE = {"doc_id", "target", "resps", "filtered_resps"}
_KNOWN = _SIGNATURE | {"doc", "arguments", "filter", "metrics", "doc_hash", "prompt_hash", "target_hash"}
_TAKEN = _KNOWN | {"id", "prediction", "output"}
_SUMMARY = {"results", "configs", "versions", "n-shot"}
_INVALID = frozenset(["[invalid]", "['invalid']", "[missing]"])


def recognises(head: list[Any]) -> bool:
    """Whether the first record has the keys that every sample has."""
    return isinstance(head[0], dict) and head[0].keys() >= _SIGNATURE


def is_summary(document: Outline) -> bool:
    """Whether an object is the file of results beside the samples."""
    return {*document.keys} >= _SUMMARY


def refuse_summary(document: Outline, said: Said) -> NoReturn:
    """There is no row in a file of results."""
    raise DataError(
        "it holds the summary of an lm-evaluation-harness run, not its answers; run with --log_samples and upload the"
        " file samples_<task>_<date>.jsonl beside it."
    )


def rows(stream: Stream, said: Said) -> Iterator[Row]:
    """Flat rows: id, target, prediction, filter, then output (generated text) or p_<choice>, metrics, doc.<field>."""
    choices = survey(record for _, record in stream)
    dropped: set[str] = set()
    for row, value in stream:
        record = mapping(value, row, needed=sorted(_SIGNATURE))
        read = choices.row(record, row, said) if choices else _generated(record, row, said)
        dropped |= {key for key, cell in record.items() if key not in _KNOWN and isinstance(cell, list | dict)}
        yield {"id": record["doc_id"], **read, "filter": record.get("filter"), **_metrics(record), **_document(record)}
    _say(choices, said, dropped)


def _generated(record: Row, row: int, said: Said) -> Row:
    """The answer of a generating task: raw text, and what the filter made of it."""
    if _rolling(record):
        raise DataError(
            f"row {row:,} is of an lm-evaluation-harness task that measures perplexity: there are no labels to compare."
        )
    answers = _first(record.get("resps"))
    said.counts["repeated"] += isinstance(answers, list) and len(answers) > 1
    parsed = plain(_first(record.get("filtered_resps")))
    said.counts["invalid"] += parsed in _INVALID
    return {"target": record["target"], "prediction": parsed, "output": plain(_first(answers))}


def _rolling(record: Row) -> bool:
    arguments = inside(record, "arguments", "gen_args_0")
    return isinstance(arguments, dict) and arguments.keys() == {"arg_0"}


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else (None if isinstance(value, list) else value)


def _metrics(record: Row) -> Row:
    return {key: value for key, value in record.items() if key not in _TAKEN and not isinstance(value, list | dict)}


def _document(record: Row) -> Row:
    """The dataset's own row, each field as doc.<field>."""
    return {"doc": record["doc"]} if record.get("doc") not in (None, {}) else {}


def _say(choices: Choices | None, said: Said, dropped: set[str]) -> None:
    dropped = dropped | {"arguments", "resps", "hashes"}
    if choices:
        said.notes[:0] = [choices.note + left_out(dropped | {"is_greedy"})]
        choices.say(said)
        return
    said.notes.insert(
        0,
        "lm-evaluation-harness: output is the first response (resps), prediction what the filter made of it"
        " (filtered_resps)" + left_out(dropped),
    )
    said.counted("invalid", "[invalid], where the filter found no answer; kept as it is.")
    said.counted("repeated", "several responses; only the first was taken.", warn=True)
