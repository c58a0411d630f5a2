"""Samples of lm-evaluation-harness (`--log_samples`, samples_<task>_<date>.jsonl): one line a document and filter.

Responses are written as text, numbers and truth values too ("-1.25", "False"); a parse that failed is "[invalid]".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, NoReturn

from data.errors import DataError
from data.labels.cell_sets import parse_list
from data.reading.json.outline import Outline
from data.reading.json.streams import Stream
from data.reading.logs.source import Remarks, Row, get_inside, name_left_out, plain_cell, require_mapping

_TRUTH_VALUES = ("True", "False", True, False)

_PAIRS = ("f1", "mcc")


@dataclass
class Choices:
    """The way in which all records of a file are read.

    same : every record has the same choices, so that they are labels; else letters stand for them.
    by_text : targets of digits are the text of a choice, not its index.
    single : records hold one continuation, not several.
    """

    same: bool
    by_text: bool = False
    single: bool = False

    @property
    def note(self) -> str:
        """Say where truth, prediction and scores come from."""
        if self.single:
            return (
                "lm-evaluation-harness, one continuation a row: prediction is the target where the model would have"
                " written it by itself (is_greedy), and empty elsewhere"
            )
        what = (
            "the choices' texts; p_<choice> is the softmax of the log-likelihoods"
            if self.same
            else "letters (A is the first choice), because the choices differ from row to row"
        )
        return (
            f"lm-evaluation-harness, multiple choice: prediction is the choice with the highest log-likelihood (as in"
            f" acc, not acc_norm); target and prediction are {what}"
        )

    def row(self, record: Row, row: int, remarks: Remarks) -> Row:
        """Return target and prediction, and scores where the choices are labels.

        Raises
        ------
        DataError
            The record is of another kind than the first.
        """
        logs = read_likelihoods(record)
        if logs is None:
            raise DataError(f"row {row:,} has no log-likelihood for every choice, as the rows before have.")
        if len(logs) == 1:
            return _greedy(record, logs[0])
        names = read_choices(record, len(logs)) if self.same else _letters(len(logs))
        predicted = _best(logs)
        remarks.counts["undefined"] += predicted is None
        gold = _pair(record, len(logs))
        target = [gold[0]] if gold else self._gold(record, len(logs), remarks)
        predicted = gold[1] if gold else predicted
        row_cells = {
            "target": plain_cell([_name_place(place, names) for place in target]),
            "prediction": None if predicted is None else names[predicted],
        }
        if self.same:
            row_cells |= {f"p_{name}": share for name, share in zip(names, _softmax(logs), strict=True)}
        return row_cells

    def _gold(self, record: Row, n: int, remarks: Remarks) -> list[int | str]:
        """Return the right choice; several where several are right, the text where it is none of the choices."""
        places = _places(record.get("target"), read_choices(record, n), n, self.by_text)
        remarks.counts["several"] += len(places) > 1
        remarks.counts["unknown"] += any(isinstance(place, str) for place in places)
        return places

    def say(self, remarks: Remarks) -> None:
        """Add the counts to the notes."""
        remarks.add_count("several", "several right choices; the target is a JSON list.", warn=True)
        remarks.add_count("unknown", "the target is none of the choices; it is kept as it is.", warn=True)
        remarks.add_count("undefined", "a log-likelihood is no number; no prediction there.", warn=True)


def survey(records: Iterable[Any]) -> Choices | None:
    """Look through all records; None if they are of a generating task."""
    choices: Choices | None = None
    first: frozenset[str] | None = None
    wrong = {False: False, True: False}  # by text? -> some row's accuracy contradicts it
    for record in records:
        logs = read_likelihoods(record) if isinstance(record, dict) else None
        if logs is None:
            return choices
        texts = read_choices(record, len(logs))
        first = first or frozenset(texts)
        choices = choices or Choices(same=True, single=len(logs) == 1)
        choices.same = choices.same and len(set(texts)) == len(texts) and frozenset(texts) == first
        wrong = {way: was or not _agrees(record, logs, texts, way) for way, was in wrong.items()}
    if choices:
        choices.by_text = wrong[False] and not wrong[True]
    return choices


def _agrees(record: Row, logs: list[float], texts: list[str], by_text: bool) -> bool:
    """Return whether reading the target so fits the accuracy that the tool itself computed."""
    predicted, accuracy = _best(logs), record.get("acc")
    if predicted is None or len(logs) < 2 or accuracy not in (0, 1):
        return True
    return (predicted in _places(record.get("target"), texts, len(logs), by_text)) == bool(accuracy)


def read_likelihoods(record: Row) -> list[float] | None:
    """Return the log-likelihood of every choice; None if the responses are no such pairs.

    >>> read_likelihoods({"filtered_resps": [["-1.25", "False"], ["-0.5", "True"]]})
    [-1.25, -0.5]
    """
    pairs = record.get("filtered_resps")
    if not isinstance(pairs, list) or not pairs:
        return None
    likelihoods = [_likelihood(pair) for pair in pairs]
    logs = [value for value in likelihoods if value is not None]
    if len(logs) != len(likelihoods):
        return None
    return logs[: len(logs) // 2] if _is_doubled(record, len(logs)) else logs


def _likelihood(pair: Any) -> float | None:
    if not isinstance(pair, list) or len(pair) != 2 or pair[1] not in _TRUTH_VALUES:
        return None
    try:
        return float(pair[0])
    except (TypeError, ValueError):
        return None


def _is_doubled(record: Row, n: int) -> bool:
    """Return whether the second half are the choices without their question, for acc_mutual_info."""
    return "acc_mutual_info" in record and n % 2 == 0 and all(not _argument(record, i, 0) for i in range(n // 2, n))


def _argument(record: Row, request: int, place: int) -> Any:
    return get_inside(record, "arguments", f"gen_args_{request}", f"arg_{place}")


def read_choices(record: Row, n: int) -> list[str]:
    """Return the choices as texts: the continuations, the document's list, or "0", "1", ... without either."""
    continuations = [_argument(record, i, 1) for i in range(n)]
    texts = [text.strip() for text in continuations if isinstance(text, str)]
    if len(texts) == n and (len(set(texts)) == n or n == 1):
        return texts
    listed = get_inside(record, "doc", "choices")
    listed = listed.get("text") if isinstance(listed, dict) else listed
    if isinstance(listed, list) and len(listed) == n and all(isinstance(text, str) for text in listed):
        return [text.strip() for text in listed]
    return [str(place) for place in range(n)]


def _places(target: Any, texts: list[str], n: int, by_text: bool) -> list[int | str]:
    if target is None:
        return []
    text = str(target)
    several = parse_list(text) if text.startswith("[") and text not in texts else None
    if several:
        return [place for part in several for place in _places(part.lstrip("["), texts, n, by_text)]
    if not by_text and text.isdecimal() and text.isascii() and len(text) < 5 and int(text) < n:
        return [int(text)]
    return [texts.index(text.strip())] if text.strip() in texts else [text]


def _pair(record: Row, n: int) -> tuple[int, int] | None:
    """Return gold and predicted index, where a metric keeps both."""
    for name in _PAIRS:
        value = record.get(name)
        if isinstance(value, list) and len(value) == 2 and all(type(part) is int and 0 <= part < n for part in value):
            return value[0], value[1]
    return None


def _best(logs: list[float]) -> int | None:
    return None if any(map(math.isnan, logs)) else max(range(len(logs)), key=logs.__getitem__)


def _name_place(place: int | str, names: list[str]) -> str:
    return place if isinstance(place, str) else names[place]


def _letters(n: int) -> list[str]:
    return list(ascii_uppercase[:n]) if n <= len(ascii_uppercase) else [str(place) for place in range(n)]


def _softmax(logs: list[float]) -> list[float | None]:
    top = max(logs)
    if any(map(math.isnan, logs)) or math.isinf(top):
        return [None] * len(logs)
    weights = [math.exp(value - top) for value in logs]
    return [weight / math.fsum(weights) for weight in weights]


def _greedy(record: Row, log: float) -> Row:
    """Read one continuation only: all that is known is whether the model would have written it by itself."""
    chosen = record["filtered_resps"][0][1] in ("True", True)
    return {
        "target": record.get("target"),
        "prediction": record.get("target") if chosen else None,
        "loglikelihood": log,
    }


_SIGNATURE = {"doc_id", "target", "resps", "filtered_resps"}
_KNOWN = _SIGNATURE | {"doc", "arguments", "filter", "metrics", "doc_hash", "prompt_hash", "target_hash"}
_TAKEN = _KNOWN | {"id", "prediction", "output"}
_SUMMARY = {"results", "configs", "versions", "n-shot"}
_INVALID = frozenset(["[invalid]", "['invalid']", "[missing]"])


def recognises(head: list[Any]) -> bool:
    """Return whether the first record has the keys that every sample has."""
    return isinstance(head[0], dict) and head[0].keys() >= _SIGNATURE


def is_summary(document: Outline) -> bool:
    """Return whether an object is the file of results beside the samples."""
    return {*document.keys} >= _SUMMARY


def refuse_summary(document: Outline, remarks: Remarks) -> NoReturn:
    """Refuse a file of results, in which there is no row."""
    raise DataError(
        "it holds the summary of an lm-evaluation-harness run, not its answers. Run with --log_samples and upload the"
        " file samples_<task>_<date>.jsonl beside it."
    )


def read_rows(stream: Stream, remarks: Remarks) -> Iterator[Row]:
    """Yield flat rows: id, target, prediction, filter, output (text) or p_<choice>, metrics, doc.<field>."""
    choices = survey(record for _, record in stream)
    dropped: set[str] = set()
    for row, value in stream:
        record = require_mapping(value, row, needed=sorted(_SIGNATURE))
        read = choices.row(record, row, remarks) if choices else _read_generated(record, row, remarks)
        dropped |= {key for key, cell in record.items() if key not in _KNOWN and isinstance(cell, list | dict)}
        yield {"id": record["doc_id"], **read, "filter": record.get("filter"), **_metrics(record), **_document(record)}
    _say(choices, remarks, dropped)


def _read_generated(record: Row, row: int, remarks: Remarks) -> Row:
    """Return the answer of a generating task: the raw text and the filtered one."""
    if _rolling(record):
        raise DataError(
            f"row {row:,} is of an lm-evaluation-harness task that measures perplexity: there are no labels to compare."
        )
    answers = _first(record.get("resps"))
    remarks.counts["repeated"] += isinstance(answers, list) and len(answers) > 1
    parsed = plain_cell(_first(record.get("filtered_resps")))
    remarks.counts["invalid"] += parsed in _INVALID
    return {"target": record["target"], "prediction": parsed, "output": plain_cell(_first(answers))}


def _rolling(record: Row) -> bool:
    arguments = get_inside(record, "arguments", "gen_args_0")
    return isinstance(arguments, dict) and arguments.keys() == {"arg_0"}


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else (None if isinstance(value, list) else value)


def _metrics(record: Row) -> Row:
    return {key: value for key, value in record.items() if key not in _TAKEN and not isinstance(value, list | dict)}


def _document(record: Row) -> Row:
    """Return the dataset's own row, each field as doc.<field>."""
    return {"doc": record["doc"]} if record.get("doc") not in (None, {}) else {}


def _say(choices: Choices | None, remarks: Remarks, dropped: set[str]) -> None:
    dropped = dropped | {"arguments", "resps", "hashes"}
    if choices:
        remarks.notes[:0] = [choices.note + name_left_out(dropped | {"is_greedy"})]
        choices.say(remarks)
        return
    remarks.notes.insert(
        0,
        "lm-evaluation-harness: output is the first response (resps), prediction what the filter made of it"
        " (filtered_resps)" + name_left_out(dropped),
    )
    remarks.add_count("invalid", "[invalid], where the filter found no answer; kept as it is.")
    remarks.add_count("repeated", "several responses; only the first was taken.", warn=True)
