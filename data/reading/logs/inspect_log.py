"""Logs of Inspect: one row a sample and epoch, from a JSON log or from the members of an .eval archive.

Sources: `EvalLog`, `EvalSample` and `Score` of inspect_ai 0.3.285. NaN is how a score that was not given is written, as
a bare constant, and Infinity is let through as well.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.errors import DataError
from data.process.limits import Limits, Progress
from data.reading.cells import check_names, tidy
from data.reading.json.outline import Outline
from data.reading.json.streams import decode, is_blank, past_space
from data.reading.logs.source import Remarks, Row, get_inside, plain_cell, require_mapping
from data.reading.record_columns import Records, as_json
from data.reading.zip_archives import Zipped
from text.numbers import count
from text.quoting import list_items, quote

NAME = "Inspect"
_ATTACHED = "attachment://"
_LOOK_AT = 200
_FINISHED = "success"


def recognises(document: Outline) -> bool:
    """Return whether an object is a log: a version, a status, and what was evaluated."""
    return {"version", "status", "eval"} <= {*document.keys} and ("eval", "task") in document.values


def read_rows(document: Outline, remarks: Remarks) -> Iterator[Row]:
    """Return the rows of a JSON log.

    Raises
    ------
    DataError
        It has no samples: only the head of a log was written.
    """
    if not document.lists.get(("samples",)) or not document.lists[("samples",)].n:
        raise no_samples_error()
    say_status(document.values.get(("status",)), remarks)
    stream = document.each("samples", where="sample", infinite=True)
    return sample_rows((require_mapping(value, row, "sample") for row, value in stream), remarks)


def no_samples_error() -> DataError:
    """Return the error for a log without samples."""
    return DataError("it is an Inspect log without samples, so there are no answers in it; write the log in full.")


def say_status(status: Any, remarks: Remarks) -> None:
    """Warn of a run that has not come to its end."""
    if status != _FINISHED:
        remarks.warnings.append(
            f"The log's status is {quote(str(status))}, not {quote(_FINISHED)}: samples may be missing."
        )


def sample_rows(samples: Iterable[Row], remarks: Remarks) -> Iterator[Row]:
    """Give id, epoch, target, output, prediction, value_<scorer>, and what else a sample says that is short."""
    slim = map(_slim, samples)
    head = list(islice(slim, _LOOK_AT))
    main = next((name for sample in head for name in sample["scores"] if _answers(head, name)), None)
    others: dict[str, None] = {}
    for sample in chain(head, slim):
        yield _row(sample, main, others, remarks)
    _say(main, list(others), remarks)


def _answers(head: list[Row], scorer: str) -> bool:
    return any(get_inside(sample["scores"], scorer, "answer") is not None for sample in head)


def _slim(sample: Row) -> Row:
    """Keep the needed parts of a sample; most of it are events."""
    missing = [key for key in ("id", "epoch", "target") if key not in sample]
    if missing:
        raise DataError(f"a sample has no {list_items(missing)}, as samples of Inspect have; write the log again.")
    scores = sample.get("scores")
    return {
        "id": sample["id"],
        "epoch": sample["epoch"],
        "target": sample["target"],
        "output": _text(get_inside(sample, "output", "completion"), sample),
        "scores": scores if isinstance(scores, dict) else {},
        "error": get_inside(sample, "error", "message"),
        "limit": get_inside(sample, "limit", "type"),
        "input": _text(sample.get("input"), sample),
        "metadata": sample.get("metadata"),
    }


def _text(value: Any, sample: Row) -> str | None:
    """Return a text, or what stands for it among the sample's attachments."""
    if not isinstance(value, str):
        return None
    held = get_inside(sample, "attachments", value.removeprefix(_ATTACHED)) if value.startswith(_ATTACHED) else None
    return held if isinstance(held, str) else value


def _row(sample: Row, main: str | None, others: dict[str, None], remarks: Remarks) -> Row:
    target, failed = sample["target"], sample["error"] is not None
    remarks.counts["several"] += isinstance(target, list) and len(target) > 1
    remarks.counts["failed"] += failed
    remarks.counts["long"] += sample["input"] is None
    row = {
        "id": sample["id"],
        "epoch": sample["epoch"],
        "target": plain_cell(target),
        "output": sample["output"] or None,
    }
    row |= {"prediction": None} if main else {}
    for scorer, score in sample["scores"].items():
        answer = None if failed else plain_cell(get_inside(score, "answer"))
        if scorer == main:
            row["prediction"] = answer
        elif answer is not None:
            others.setdefault(scorer)
            row[f"answer_{scorer}"] = answer
        row[f"value_{scorer}"] = _value(get_inside(score, "value"), remarks)
    return row | _other_fields(sample)


def _value(value: Any, remarks: Remarks) -> Any:
    if isinstance(value, float) and math.isnan(value):
        remarks.counts["unscored"] += 1
        return None
    return as_json(value) if isinstance(value, list | dict) else value


def _other_fields(sample: Row) -> Row:
    """Return everything else that a sample says, by the place where it says it."""
    fields = {key: sample[key] for key in ("input", "error", "limit") if sample[key] is not None}
    return fields | ({"metadata": sample["metadata"]} if sample["metadata"] else {})


def _say(main: str | None, others: list[str], remarks: Remarks) -> None:
    answer = f"prediction the answer of the scorer {quote(main)}" if main else "no scorer kept an answer"
    remarks.notes.append(
        f"Inspect: output is output.completion, {answer}, value_<scorer> its verdict (C correct, I incorrect,"
        " P partial, N no answer); left out: messages, events, choices, usage."
    )
    if others:
        columns = [f"answer_{name}" for name in others]
        remarks.warnings.append(
            f"Several scorers kept an answer; prediction is that of {quote(main or '')}, the others' are in"
            f" {list_items(columns)}."
        )
    remarks.add_count("several", "several targets; the target is a JSON list.", noun="sample", warn=True)
    remarks.add_count("failed", "ended with an error; the prediction is empty.", noun="sample", warn=True)
    remarks.add_count("unscored", "NaN, which is how Inspect says unscored; empty.", noun="verdict")
    remarks.add_count("long", "the input is several messages, which were left out.", noun="sample")


_WHAT = "an Inspect log (.eval)"
_HEADER = "header.json"
_STARTED = "_journal/start.json"
_SAMPLE = re.compile(r"samples/.+_epoch_\d+\.json", re.DOTALL)
_ODD_NAME = re.compile(r"^[/\\]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)|\\|[\x00-\x1f\x7f]")
_MEMBER_SHARE = 4


def read_eval(path: Path, limits: Limits, progress: Progress) -> tuple[pa.Table, dict[str, Any]]:
    """Read an .eval archive.

    Returns
    -------
    table : one row a sample and epoch.
    described : format, source, notes and warnings.

    Raises
    ------
    DataError
        The archive is damaged, encrypted, too large unpacked, or not of Inspect; a sample is not JSON.
    """
    remarks, records = Remarks(), Records(limits)
    with Zipped(path, limits, _WHAT) as archive:
        names = _samples(archive, limits)
        if archive.n_replaced:
            again = count(archive.n_replaced, "file")
            remarks.notes.append(f"{again} of the archive were written again: the last counts.")
        _say_header(archive, remarks)
        for row in sample_rows(_read(archive, names, progress), remarks):
            records.add(row)
    table = records.table()
    check_names(table.column_names, limits)
    table, notes, warnings = tidy(table, limits)
    return table, {
        "format": "Inspect log",
        "source": NAME,
        "notes": (*remarks.notes, *notes),
        "warnings": (*remarks.warnings, *records.warnings(), *warnings),
    }


def _samples(archive: Zipped, limits: Limits) -> list[str]:
    """Return the members that are samples.

    Raises
    ------
    DataError
        There are none, a name leads out of the archive, or one is too large to be read as a whole.
    """
    odd = next((name for name in archive.names if _ODD_NAME.search(name)), None)
    if odd is not None:
        raise DataError(
            f"the archive holds a file named {quote(odd)}, whose path leads out of it; Inspect writes no such names."
        )
    if _HEADER not in archive.names and _STARTED not in archive.names:
        raise archive.damaged(f"it has neither {_HEADER} nor {_STARTED}")
    names = [name for name in archive.names if _SAMPLE.fullmatch(name)]
    if not names:
        raise no_samples_error()
    largest = max(names, key=archive.size)
    if archive.size(largest) > limits.expanded_bytes // _MEMBER_SHARE:
        raise DataError(f"the sample {quote(largest)} is too large to be read; its events are most of it.")
    return names


def _say_header(archive: Zipped, remarks: Remarks) -> None:
    """Warn if the run has not come to its end; nor has that of a log without a header."""
    header = _json(archive, _HEADER) if _HEADER in archive.names else {"status": "started"}
    say_status(header.get("status"), remarks)


def _read(archive: Zipped, names: list[str], progress: Progress) -> Iterator[Row]:
    for place, name in enumerate(names):
        yield _json(archive, name)
        progress("reading", (place + 1) / len(names))


def _json(archive: Zipped, name: str) -> Row:
    where = f"the file {quote(name)} in the archive"
    try:
        text = archive.read(name).decode()
    except UnicodeDecodeError as error:
        raise DataError(f"{where} is not UTF-8 text (byte {error.start + 1:,}); write the log again.") from None
    value, end = decode(text, past_space(text, 0), where, cut_off=True, infinite=True)
    if not is_blank(text, end):
        raise DataError(f"{where} is not valid JSON: more text follows the object.")
    return require_mapping(value, 1, f"{where}: value")
