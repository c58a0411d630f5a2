"""Write an evaluation into a folder and read it back, to pass it between processes without pickle.

`evaluation.json` holds everything but the arrays and tables, which lie beside it as `evaluation-1.npy` and so on: plain
numbers, and Arrow's own file format, which needs no decoding. No class is made of what a file says but the dataclasses
listed here.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from data import bad_rows, evaluation as evaluations
from data.evaluation import Evaluation
from data.parser import parser as parsers

_NAME = "evaluation.json"
_CLASSES = {
    name: kind
    for module in (evaluations, bad_rows, parsers)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and dataclasses.is_dataclass(kind)
}


def write_evaluation(evaluation: Evaluation, folder: Path) -> None:
    """Write an evaluation into a folder."""
    values = _Writer(folder).value(evaluation)
    (folder / _NAME).write_text(json.dumps(values), encoding="ascii")


def read_evaluation(folder: Path) -> Evaluation:
    """Read back what `write_evaluation` wrote.

    Raises
    ------
    ValueError
        the folder does not hold an evaluation.
    MemoryError
    """
    try:
        evaluation = _read(json.loads((folder / _NAME).read_text(encoding="ascii")), folder)
    except MemoryError:  # Arrow's, too: the table may be whole
        raise
    except Exception as error:  # another process wrote it, which may have been taken over
        raise ValueError("not an evaluation") from error
    if not isinstance(evaluation, Evaluation):
        raise ValueError("not an evaluation")
    return evaluation


class _Writer:
    """Turns values into JSON; arrays and tables become files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._n_files = 0

    def value(self, value: Any) -> Any:
        """Return a value as JSON: what JSON has no word for is a list that begins with its kind."""
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, tuple):
            return ["tuple", *map(self.value, value)]
        if isinstance(value, dict):
            return ["dict", *([self.value(key), self.value(item)] for key, item in value.items())]
        if isinstance(value, np.ndarray):
            name = self._next("npy")
            np.save(self._folder / name, value, allow_pickle=False)
            return ["array", name]
        if isinstance(value, pa.Array):
            return ["texts", self._table(pa.table({"texts": value}))]
        if isinstance(value, pa.Table):
            return ["table", self._table(value)]
        if type(value).__name__ in _CLASSES:
            fields = {field.name: self.value(getattr(value, field.name)) for field in dataclasses.fields(value)}
            return [type(value).__name__, fields]
        raise TypeError(f"no way to write {type(value).__name__}")

    def _table(self, table: pa.Table) -> str:
        name = self._next("arrow")
        with pa.OSFile(str(self._folder / name), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table.unify_dictionaries())  # the format holds one dictionary a column
        return name

    def _next(self, ending: str) -> str:
        self._n_files += 1
        return f"evaluation-{self._n_files}.{ending}"


def _read(value: Any, folder: Path) -> Any:
    if not isinstance(value, list):
        return value
    kind, *rest = value
    if kind == "tuple":
        return tuple(_read(item, folder) for item in rest)
    if kind == "dict":
        return {_read(key, folder): _read(item, folder) for key, item in rest}
    if kind in _CLASSES:
        return _CLASSES[kind](**{name: _read(item, folder) for name, item in rest[0].items()})
    path = folder / Path(str(rest[0])).name
    if kind == "array":
        return np.load(path, allow_pickle=False)
    if kind not in ("table", "texts"):
        raise ValueError(f"no such kind: {kind}")
    table = read_table(path)
    return table.column("texts").combine_chunks() if kind == "texts" else table


def read_table(path: Path) -> pa.Table:
    """Read a table whose every offset and text is checked: another process wrote it."""
    with pa.OSFile(str(path)) as file:
        table = pa.ipc.open_file(file).read_all()
    table.validate(full=True)
    return table
