"""What a stored table that leaves something out says about itself: how its files were joined, and answers read already.

Such a table is one even where two files were uploaded, and it is taken as it is: nothing is joined, turned or searched
again. What it says stands in the schema's metadata, which the stored Parquet keeps.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from data.answers.parsing import OUTCOMES, OUTSIDE, READ, Parsed
from data.evaluation import UNPARSEABLE, Evaluation, FileFacts, JoinReport
from data.joining.repeated_ids import file_rows
from text.numbers import count

ANSWERS = "answers as they were read"
"""The column that stands in for raw answers which were left out."""
_LEFT_OUT, _ROWS_GONE = b"left out", b"rows"
_JOIN, _ROLE, _READ_ALREADY, _DISTINCT = b"join", b"role", b"answers read already", b"distinct"
_SEPARATOR = ": "
_NO_LABEL = "unparseable"


def with_join(table: pa.Table, join: JoinReport | None) -> pa.Table:
    """The table with the report of the join that made it, for `join_of`."""
    if join is None:
        return table
    said = json.dumps(dataclasses.asdict(join)).encode()
    return table.replace_schema_metadata({**(table.schema.metadata or {}), _JOIN: said})


def join_of(table: pa.Table) -> JoinReport | None:
    """How the files of a table were joined; None where it was one file.

    >>> report = JoinReport("row order", None, 2, 0, 0, text="Side by side.")
    >>> join_of(with_join(pa.table({"y": ["a"]}), report)) == report
    True
    """
    said = (table.schema.metadata or {}).get(_JOIN)
    if said is None:
        return None
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in json.loads(said).items()
    }
    return JoinReport(**values)


def files_of(table: pa.Table, files: Sequence[FileFacts]) -> list[FileFacts]:
    """The files, each with those of its columns that are left."""
    if len(files) == 1:
        return [dataclasses.replace(files[0], columns=tuple(table.column_names))]
    sides = [(field.metadata or {}).get(b"file") for field in table.schema]
    return [
        dataclasses.replace(
            file, columns=tuple(name for name, own in zip(table.column_names, sides, strict=True) if own == side)
        )
        for file, side in zip(files, (b"predictions", b"labels"), strict=True)
    ]


def what_is_gone(n_hidden: int, *, counts_only: bool) -> tuple[str, ...]:
    """What a receipt says of what whoever shared an evaluation left out.

    >>> what_is_gone(2, counts_only=False)
    ('Whoever shared this left 2 columns out.',)
    """
    columns = f"Whoever shared this left {count(n_hidden, 'column')} out."
    rows = (
        "Whoever shared this left the rows out: the numbers are all here, and what they are made of stands in sorted "
        "order, so row numbers in this receipt say nothing about the file."
    )
    return (*((columns,) if n_hidden else ()), *((rows,) if counts_only else ()))


def with_mark(table: pa.Table, *, counts_only: bool) -> pa.Table:
    """The table with what was left of it, for `rows_left_out` and `is_part`."""
    said = _ROWS_GONE if counts_only else b"columns"
    return table.replace_schema_metadata({**(table.schema.metadata or {}), _LEFT_OUT: said})


def is_part(evaluation: Evaluation) -> bool:
    """Whether whoever shared an evaluation left columns or rows out."""
    return _LEFT_OUT in (evaluation.rows.schema.metadata or {})


def rows_left_out(evaluation: Evaluation) -> bool:
    """Whether only what the numbers need was shared: no row of it may be shown, listed or written to a file."""
    return (evaluation.rows.schema.metadata or {}).get(_LEFT_OUT) == _ROWS_GONE


# -- answers ----------------------------------------------------------------------------------------


def are_read(table: pa.Table, column: str | None) -> bool:
    """Whether a column says what was read from answers, and no longer the answers."""
    if column is None or column not in table.column_names:
        return False
    return (table.schema.field(column).metadata or {}).get(_ROLE) == _READ_ALREADY


def answers_left_out(evaluation: Evaluation) -> bool:
    """Whether the answers of an evaluation were left out: what was read from them is all there is."""
    return evaluation.answers is not None and are_read(evaluation.rows, evaluation.answers.column)


def what_was_read(evaluation: Evaluation) -> pa.DictionaryArray:
    """Outcome and label of every row's answer, null where it has none: dictionary<int32, string> (n,).

    >>> from data.building.build import build
    >>> from data.evaluation import Settings
    >>> table = pa.table({"y": ["ham", "spam", "ham"], "output": ["Ham.", "?", "eggs"]})
    >>> found = build(table, Settings(truth="y", raw="output"), name="demo", content_sha256="0")
    >>> what_was_read(found).to_pylist()
    ['normalised: ham', 'unparseable', 'outside the label space: eggs']
    """
    answers = evaluation.answers
    assert answers is not None
    names = (*evaluation.labels, "")
    pairs = zip(answers.outcomes.tolist(), answers.labels.tolist(), strict=True)
    cells = [OUTCOMES[kind] + (f"{_SEPARATOR}{names[code]}" if code >= 0 else "") for kind, code in pairs]
    place = {cell: i for i, cell in enumerate(sorted(set(cells)))}
    lookup = np.array([*(place[cell] for cell in cells), -1], dtype=np.int32)
    codes = lookup[answers.codes]
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(list(place), pa.string()))


def with_read_answers(table: pa.Table, column: str, evaluation: Evaluation) -> tuple[pa.Table, str]:
    """The table with what was read from answers in their place, and the name of that column.

    table : the rows of the evaluation, or all rows of its file: nothing stands in those that are not evaluated.
    """
    read = what_was_read(evaluation)
    if evaluation.row_numbers is not None and len(table) != len(read):
        place = np.full(len(table), -1, dtype=np.int64)
        numbers = file_rows(table)
        here = evaluation.row_numbers if numbers is None else np.searchsorted(numbers, evaluation.row_numbers)
        place[here] = np.arange(len(read))
        read = read.take(pa.array(place, mask=place < 0))
    name, before = ANSWERS, table.schema.field(column)
    while name in table.column_names:
        name += " (share)"
    about = {_ROLE: _READ_ALREADY, _DISTINCT: json.dumps(_distinct_answers(evaluation)).encode()}
    field = pa.field(name, read.type, metadata={**(before.metadata or {}), **about})
    return table.set_column(table.column_names.index(column), field, read), name


def _in_space(kind: str, label: str, space: Collection[str]) -> tuple[str, str]:
    """Outcome and label as the label space has it: a label that it lacks is one that the model made up."""
    if kind not in OUTCOMES:
        return _NO_LABEL, ""
    return (OUTSIDE, label) if kind in READ and label not in space else (kind, label)


def _distinct_answers(evaluation: Evaluation) -> dict[str, int]:
    """How many different answers among the scored rows have each outcome; no text at all counts as one."""
    answers = evaluation.answers
    assert answers is not None
    codes = np.unique(answers.codes[evaluation.scored])
    outcomes = np.append(answers.outcomes, OUTCOMES.index("empty"))[codes]
    return {OUTCOMES[kind]: int(n) for kind, n in zip(*np.unique(outcomes, return_counts=True), strict=True)}


def distinct_answers(evaluation: Evaluation) -> dict[str, int]:
    """Different answers by outcome, of an evaluation whose answers were left out."""
    assert evaluation.answers is not None
    about = evaluation.rows.schema.field(evaluation.answers.column).metadata or {}
    found: dict[str, int] = json.loads(about.get(_DISTINCT, b"{}"))
    return found


def read_already(texts: pa.Array, labels: Sequence[str]) -> Parsed:
    """What became of m distinct answers, told by what `what_was_read` wrote of them.

    labels : the label space.

    >>> found = read_already(pa.array(["exact: ham", "empty", "outside the label space: eggs"]), ["ham", "spam"])
    >>> found.codes.tolist(), found.names(), found.outside
    ([0, -2, 2], ['exact', 'empty', 'outside the label space'], ('eggs',))
    """
    pairs = [text.partition(_SEPARATOR)[::2] for text in texts.to_pylist()]
    place = {label: code for code, label in enumerate(labels)}
    known = [_in_space(kind, label, place) for kind, label in pairs]
    outside = tuple(sorted({label for _, label in known if label} - set(place)))
    place |= {label: len(labels) + i for i, label in enumerate(outside)}
    codes = np.array([place[label] if label else UNPARSEABLE for _, label in known], dtype=np.int32)
    outcomes = np.array([OUTCOMES.index(kind) for kind, _ in known], dtype=np.int8)
    return Parsed(codes, outcomes, outside, np.full(len(known), -1, dtype=np.int16))
