"""An ordinary file of predictions as it was drawn: its bytes, and the reading that is true by construction."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import openpyxl

Cell = str | frozenset[str]
"""The label of a row, or its labels."""
Columns = dict[str, list[object]]


@dataclass(frozen=True)
class Reading:
    """The true reading of a file.

    truth : a label, or a set of labels, a row. pred : the predicted ones; None = the highest score decides.
    scores : class → score of each row. scale : "probability", "one-vs-rest" or "logit"; "" without scores.
    roles : role → the columns that have it.
    warned : each of these words must stand in a warning, or the numbers are read wrongly.
    open : whether a person could not tell the roles either; then a warning must stand, or a question.
    aliases : other names of labels, such as their codes → label.
    rivals : readings that are as good, such as another model's: a warning must name what they differ in.
    """

    truth: tuple[Cell, ...]
    pred: tuple[Cell, ...] | None = None
    scores: Mapping[str, Sequence[float]] = field(default_factory=dict)
    scale: str = ""
    roles: Mapping[str, Sequence[str]] = field(default_factory=dict)
    warned: tuple[str, ...] = ()
    open: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    rivals: tuple[Reading, ...] = ()


@dataclass(frozen=True)
class Drawn:
    """A file, or predictions and labels.

    kind : what was drawn. traits : what is particular about it. files : (name, bytes), the predictions first.
    """

    seed: int
    kind: str
    traits: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    reading: Reading


class Sheet:
    """A table under construction: groups of columns that stay together while their order is drawn."""

    def __init__(self, random: random.Random) -> None:
        self.random = random
        self.groups: list[Columns] = []
        self.traits: list[str] = []

    def add(self, **columns: Sequence[object]) -> None:
        """Add a column, or several that stand side by side."""
        self.add_block(columns)

    def add_block(self, columns: Mapping[str, Sequence[object]]) -> None:
        """Add columns that stand side by side; a name that is taken stays with the first."""
        self.groups.append({name: list(cells) for name, cells in columns.items() if name not in self.names()})

    def names(self) -> list[str]:
        """Return the names of all columns so far."""
        return [name for group in self.groups for name in group]

    def has_room_for(self, name: str) -> bool:
        """Return whether no column has this name yet, in any spelling."""
        return name.casefold().strip("_") not in {taken.casefold().strip("_") for taken in self.names()}

    def columns(self, *, shuffled: bool = False) -> Columns:
        """Return the columns in the order that is drawn for them."""
        groups = list(self.groups)
        if shuffled:
            self.random.shuffle(groups)
        return {name: cells for group in groups for name, cells in group.items()}


def write(columns: Columns, form: str) -> bytes:
    """Return a table as a file of the form "csv", "tsv", "jsonl", "json", "xlsx" or "comma": with decimal commas."""
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    if form == "json":
        return json.dumps(rows).encode()
    if form == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    if form == "xlsx":
        return _write_workbook(columns)
    delimiter = {"tsv": "\t", "comma": ";"}.get(form, ",")
    if form == "comma":
        rows = [{name: _with_comma(cell) for name, cell in row.items()} for row in rows]
    file = io.StringIO()
    writer = csv.DictWriter(file, list(columns), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def _with_comma(cell: object) -> object:
    return str(cell).replace(".", ",") if isinstance(cell, float) else cell


def _write_workbook(columns: Columns) -> bytes:
    workbook, file = openpyxl.Workbook(), io.BytesIO()
    sheet = workbook.active
    for line in ([*columns], *zip(*columns.values(), strict=True)):
        sheet.append([str(cell) if isinstance(cell, list) else cell for cell in line])
    workbook.save(file)
    return file.getvalue()
