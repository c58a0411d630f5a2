"""The file of predictions that a run writes, and the manifest that says how it was made."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from data.columns.plain_names import free_name
from data.errors import DataError
from data.reading.run_record import RUN_METADATA
from data.version import VERSION
from harness.answers import Answer
from harness.questions import Questions
from harness.records import unwritable_error
from text.quoting import show_file_name

ANSWER, PARSED = "answer", "parsed_label"
ENDINGS = (".parquet", ".csv")
_PACKAGES = ("blindspot", "python", "pyarrow", "jinja2", "openai", "torch", "transformers")


def check_output(path: Path) -> None:
    """Raise DataError unless a file of predictions can be written there."""
    if path.suffix.lower() not in ENDINGS:
        raise DataError(f"-o {path.name}: predictions are written as .parquet or .csv; name such a file.")
    if not path.parent.is_dir():
        raise DataError(f"-o {path}: there is no folder {show_file_name(str(path.parent))}; make it first.")


def path_beside(path: Path, ending: str) -> Path:
    """Return the path of a file that belongs to one of predictions.

    >>> path_beside(Path("out/p.parquet"), "manifest.json").as_posix()
    'out/p.manifest.json'
    """
    return path.with_name(f"{path.stem}.{ending}")


def predictions_table(
    questions: Questions,
    places: Sequence[int],
    answers: Sequence[Answer],
    labels: Sequence[str | None],
    *,
    truths: Sequence[str],
    logits_of: Sequence[str] | None = None,
    several: bool = False,
) -> pa.Table:
    """Return the rows that were asked, in file order, in our columns; the file's other columns stand behind them.

    places : of the rows in `questions`; `answers` and `labels` are of these. truths : of every row of `questions`.
    logits_of : the labels of a classifier's logits; None = answers are texts.
    several : texts may hold several labels; one without a label predicts none, and says so as its error.
    """
    ids = questions.ids()
    columns: dict[str, pa.Array] = {"id": _text([ids[place] for place in places])}
    if questions.text is not None:
        texts = questions.texts()
        columns["text"] = _text([texts[place] for place in places])
    if questions.truth is not None:
        columns["truth"] = _text([truths[place] or None for place in places])
    if logits_of is None and several:
        columns |= {
            ANSWER: _text([answer.raw for answer in answers]),
            "prediction": _text([label or "[]" for label in labels]),
        }
    elif logits_of is None:
        columns |= {ANSWER: _text([answer.raw for answer in answers]), PARSED: _text(labels)}
    else:
        columns["prediction"] = _text(labels)
        for code, label in enumerate(logits_of):
            logits = [answer.logits[code] if answer.logits else None for answer in answers]
            columns[f"logit_{label}"] = pa.array(logits, pa.float64())
    columns |= _measure_calls(answers)
    errors: list[str | None] = []
    for answer, predicted in zip(answers, labels, strict=True):
        unread = "no label found" if several and predicted is None else None
        errors.append(": ".join(filter(None, (answer.error, answer.detail))) or unread)
    columns["error"] = _text(errors)
    taken = {questions.id, questions.text, questions.truth}
    rows = questions.table.take(pa.array(places, pa.int64()))
    for name in rows.column_names:
        if name not in taken:
            columns[free_name(name, columns, " (questions)")] = rows.column(name)
    return pa.table(columns)


def _measure_calls(answers: Sequence[Answer]) -> dict[str, pa.Array]:
    """Return what a server measures of every call; nothing that differs between two equal runs of a batch."""
    columns: dict[str, pa.Array] = {}
    if any(answer.seconds is not None for answer in answers):
        columns["latency_seconds"] = pa.array([answer.seconds for answer in answers], pa.float64())
    for name in ("input_tokens", "output_tokens"):
        if any(getattr(answer, name) is not None for answer in answers):
            columns[name] = pa.array([getattr(answer, name) for answer in answers], pa.int64())
    if any(answer.finish for answer in answers):
        columns["finish_reason"] = _text([answer.finish or None for answer in answers])
    return columns


def _text(values: Sequence[str | None]) -> pa.Array:
    return pa.array(values, pa.string())


def write_predictions(table: pa.Table, path: Path, about: Mapping[str, Any] | None) -> None:
    """Write predictions as Parquet or CSV: the old file stays until the new one is whole.

    about : what a Parquet file keeps inside of the run; None = nothing.

    Raises
    ------
    DataError
        the file cannot be written.
    """
    with replace_when_written(path) as target:
        if path.suffix.lower() == ".csv":
            pa_csv.write_csv(table.cast(_plain_schema(table)), target)
        else:
            kept = None if about is None else {RUN_METADATA: json.dumps(about, sort_keys=True).encode()}
            pq.write_table(table.replace_schema_metadata(kept), target, compression="zstd")


def _plain_schema(table: pa.Table) -> pa.Schema:
    """Return the schema with text for categories, which the writer of CSV does not take."""
    kinds = [f.type.value_type if pa.types.is_dictionary(f.type) else f.type for f in table.schema]
    return pa.schema([pa.field(f.name, kind) for f, kind in zip(table.schema, kinds, strict=True)])


def write_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest as JSON."""
    with replace_when_written(path) as target:
        Path(target).write_text(json.dumps(manifest, indent=1, ensure_ascii=True) + "\n", encoding="ascii")


@contextmanager
def replace_when_written(path: Path) -> Iterator[str]:
    """Give the name of a new file beside `path`; it takes that one's place once it is written and synced.

    Raises
    ------
    DataError
        it cannot be written; `path` is as it was.
    """
    name = ""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        yield name
        with open(name, "rb+") as file:
            os.fsync(file.fileno())
        os.chmod(name, 0o644 & ~_umask())
        os.replace(name, path)
    except OSError as error:
        raise unwritable_error(path, error) from None
    finally:
        if name and os.path.exists(name):
            os.unlink(name)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def versions() -> dict[str, str]:
    """Return the versions of what made the predictions, of the packages that are installed."""
    installed = {"blindspot": VERSION, "python": platform.python_version()}
    for package in _PACKAGES[2:]:
        try:
            installed[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return installed
