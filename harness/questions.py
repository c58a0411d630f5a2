"""The rows that are asked about: read as any upload is, and sampled."""

from __future__ import annotations

import dataclasses
import hashlib
import random
import tempfile
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from data.columns.column import distinct
from data.columns.name_ranks import near_miss, sort_by_role
from data.errors import DataError
from data.evaluation import FileFacts
from data.reading.options import ReadOptions
from data.runs.limited_reading import read_table_alone
from data.store import store
from text.numbers import count, verb
from text.quoting import list_items, quote

FIRST, RANDOM, STRATIFIED = "first", "random", "stratified"
SAMPLES = (RANDOM, STRATIFIED, FIRST)


@dataclass(frozen=True, eq=False)
class Questions:
    """Rows to ask about.

    table : every column of the file, as it was read; n rows. numbers : each row's place in the file, from 1.
    text, truth, id : names of columns; None = there is none.
    facts : how the file was read. n_file : rows of the file, n of which were sampled.
    """

    table: pa.Table
    facts: FileFacts
    numbers: tuple[int, ...]
    text: str | None
    truth: str | None
    id: str | None
    n_file: int

    def require(self, column: str) -> None:
        """Raise DataError where the file lacks a column."""
        _require(self.facts.name, column, self.table.column_names)

    @cached_property
    def _columns(self) -> dict[str, list[str]]:
        return {name: cells_of(self.table, name) for name in self.table.column_names}

    def cells(self, column: str) -> list[str]:
        """Return a column as text; an empty cell is ""."""
        return self._columns[column]

    def row(self, place: int) -> dict[str, str]:
        """Return a row by its columns, as text."""
        return {name: cells[place] for name, cells in self._columns.items()}

    def hashes(self, without: Collection[str] = ()) -> list[str]:
        """Return a hash of every row: its cells but those of some columns, and which of them is the text."""
        columns = [self.cells(name) for name in self.table.column_names if name not in without]
        names = "\x1f".join((self.text or "", *(name for name in self.table.column_names if name not in without)))
        start = hashlib.sha256(names.encode(errors="surrogatepass"))
        keys = []
        for cells in zip(*columns, strict=True):
            row = start.copy()
            row.update("\x1f".join(cells).encode(errors="surrogatepass"))
            keys.append(row.hexdigest()[:24])
        return keys

    def truths(self) -> list[str]:
        """Return the true label of every row, "" where there is none."""
        return [""] * len(self.table) if self.truth is None else self.cells(self.truth)

    def texts(self) -> list[str]:
        """Return the text of every row, "" where no column is its text."""
        return [""] * len(self.table) if self.text is None else self.cells(self.text)

    def ids(self) -> list[str]:
        """Return what names every row: the id column, else the row's number in the file."""
        return [str(number) for number in self.numbers] if self.id is None else self.cells(self.id)


def cells_of(table: pa.Table, column: str) -> list[str]:
    """Return a column as text; an empty cell is "".

    >>> cells_of(pa.table({"a": ["x", None]}), "a")
    ['x', '']
    """
    cells = distinct(table.column(column), keep_blank=True)
    values = (*cells.values, "")
    return [values[code] for code in cells.codes.tolist()]


def read_questions(
    path: Path,
    *,
    text: str | None = None,
    truth: str | None = None,
    id: str | None = None,
    skip_bad_rows: bool = False,
) -> Questions:
    """Read a file of rows in the limited process that reads every upload.

    skip_bad_rows : leave out rows that cannot be read; the account of them stands in the facts of the file.

    Raises
    ------
    DataError
        the file cannot be read, or lacks a column.
    """
    if not path.is_file():
        raise DataError(f"{path.name}: there is no such file; name the file of the rows to ask about.")
    with tempfile.TemporaryDirectory(prefix=store.SCRATCH) as folder:
        table, facts = read_table_alone(path, Path(folder), [ReadOptions(skip_bad_rows=skip_bad_rows)])
    for name in (text, truth, id):
        if name is not None:
            _require(path.name, name, table.column_names)
    if not len(table):
        raise DataError(f"{path.name}: it has no rows; give a file with rows to ask about.")
    if id is None:
        named = [name for name in sort_by_role(table.column_names, "id") if name not in (text, truth)]
        id = next((name for name in named if len(set(cells_of(table, name)) - {""}) == len(table)), None)
    return Questions(table, facts, tuple(range(1, len(table) + 1)), text, truth, id, len(table))


def _require(file: str, name: str, there: Sequence[str]) -> None:
    """Raise DataError where a file lacks a column."""
    if name not in there:
        near = near_miss(name, there)
        hint = f"was {quote(near)} meant?" if near else f"there are {list_items(there)}."
        raise DataError(f"{file} has no column {quote(name)}; {hint}")


def sample(questions: Questions, limit: int | None, how: str, seed: int) -> Questions:
    """Return at most `limit` of the rows, in file order.

    how : "random", "stratified" (each class its share, and at least one row where there is room) or "first".
    """
    n = len(questions.table)
    if limit is None or limit >= n:
        return questions
    if how == STRATIFIED and questions.truth is None:
        raise DataError("--sample stratified needs the column of true labels; name it with --truth.")
    places = {
        FIRST: lambda: list(range(limit)),
        RANDOM: lambda: random.Random(seed).sample(range(n), limit),
        STRATIFIED: lambda: stratified(questions.truths(), limit, seed),
    }[how]()
    places.sort()
    table = questions.table.take(pa.array(places))
    return dataclasses.replace(questions, table=table, numbers=tuple(questions.numbers[place] for place in places))


def stratified(labels: Sequence[str], limit: int, seed: int) -> list[int]:
    """Return places of `limit` rows, each class with its share of them; every class has one where there is room.

    >>> sorted(stratified(["a"] * 8 + ["b"] * 2, 5, seed=1))[-1] >= 8
    True
    """
    places: dict[str, list[int]] = defaultdict(list)
    for place, label in enumerate(labels):
        places[label].append(place)
    share = {label: limit * len(rows) / len(labels) for label, rows in places.items()}
    least = 1 if limit >= len(places) else 0
    wanted = {label: max(least, int(part)) for label, part in share.items()}
    by_rest = sorted(share, key=lambda label: (wanted[label] - share[label], label))
    while sum(wanted.values()) < limit:
        label = next(label for label in by_rest if wanted[label] < len(places[label]))
        wanted[label] += 1
        by_rest.remove(label)
        by_rest.append(label)
    while sum(wanted.values()) > limit:
        wanted[max(wanted, key=lambda label: (wanted[label], label))] -= 1
    drawn = random.Random(seed)
    return [place for label, rows in places.items() for place in drawn.sample(rows, wanted[label])]


def warnings_of(questions: Questions, labels: Sequence[str], all_truths: Sequence[str]) -> list[str]:
    """Return what a person should look at before paying for answers.

    all_truths : the true labels of the whole file.
    """
    if questions.truth is None:
        return []
    truths, column = questions.truths(), quote(questions.truth)
    seen, everywhere = set(truths) - {""}, set(all_truths) - {""}
    sentences = []
    if missing := [label for label in dict.fromkeys(truths) if label and labels and label not in set(labels)]:
        n = sum(label in set(missing) for label in truths)
        sentences.append(
            f"{count(len(missing), 'true label')} of {column} ({list_items(missing)}; {count(n, 'row')}) "
            f"{verb(len(missing), 'is')} not in the label list: no answer can be right there."
        )
    if n_empty := truths.count(""):
        sentences.append(f"{count(n_empty, 'row')} of {column} {verb(n_empty, 'has')} no true label.")
    if len(truths) < questions.n_file and 10 * len(seen) < 8 * len(everywhere):
        sentences.append(
            f"The sample covers {len(seen):,} of the {len(everywhere):,} classes of the file: macro averages say "
            "nothing about the others. Use --sample stratified, or a larger --limit."
        )
    elif labels and 10 * len(seen & set(labels)) < 8 * len(labels):
        sentences.append(
            f"The rows cover {len(seen & set(labels)):,} of the {len(labels):,} labels of the list: macro averages "
            "say nothing about the others."
        )
    return sentences
