"""Write an evaluation into a folder and read it back, to pass it between processes without pickle.

`evaluation.json` holds everything but the arrays (`.npy`, plain numbers only) and tables (canonical Parquet), which
lie beside it as `evaluation-1.npy` and so on. Only dataclasses listed here are ever made of what a file says.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from data import bad_rows
from data import evaluation as evaluations
from data.evaluation import Evaluation
from data.parser import parser as parsers
from data.store.store import read_canonical, write_canonical

_NAME = "evaluation.json"
_CLASSES = {
    name: kind
    for module in (evaluations, bad_rows, parsers)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and dataclasses.is_dataclass(kind)
}


def write_evaluation(evaluation: Evaluation, folder: Path, written: Mapping[str, pa.Table] | None = None) -> None:
    """Write an evaluation into a folder.

    written : canonical tables that lie there already, by their names; where one holds the rows, none is written twice.
    """
    values = _Writer(folder, written or {}).value(evaluation)
    (folder / _NAME).write_text(json.dumps(values), encoding="ascii")


def read_evaluation(folder: Path) -> Evaluation:
    """Read back what `write_evaluation` wrote.

    Raises
    ------
    ValueError, KeyError, TypeError, OSError, DataError
        the folder does not hold an evaluation.
    """
    evaluation = _read(json.loads((folder / _NAME).read_text(encoding="ascii")), folder)
    if not isinstance(evaluation, Evaluation):
        raise ValueError("not an evaluation")
    return evaluation


class _Writer:
    """Turns values into JSON; arrays and tables become files."""

    def __init__(self, folder: Path, written: Mapping[str, pa.Table]) -> None:
        self._folder = folder
        self._written = written
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
            about = [[key.hex(), text.hex()] for key, text in (value.schema.metadata or {}).items()]
            return ["table", self._table(value), about]
        if type(value).__name__ in _CLASSES:
            fields = {field.name: self.value(getattr(value, field.name)) for field in dataclasses.fields(value)}
            return [type(value).__name__, fields]
        raise TypeError(f"no way to write {type(value).__name__}")

    def _table(self, table: pa.Table) -> str:
        for there, other in self._written.items():
            if _is_same_memory(table, other):
                return there
        name = self._next("parquet")
        write_canonical(table, self._folder / name)
        return name

    def _next(self, ending: str) -> str:
        self._n_files += 1
        return f"evaluation-{self._n_files}.{ending}"


def _is_same_memory(table: pa.Table, other: pa.Table) -> bool:
    """Return whether two tables are one but for what their schemas say about the whole."""
    schemas = (side.schema.remove_metadata() for side in (table, other))
    return next(schemas).equals(next(schemas), check_metadata=True) and _places(table) == _places(other)


def _places(table: pa.Table) -> list[tuple[int, int, list[int | None]]]:
    """Return (length, offset, addresses) of every array of a table; two with the same ones are one memory."""
    arrays: list[pa.Array] = []
    for column in table.itercolumns():
        for chunk in column.chunks:
            arrays += [chunk.indices, chunk.dictionary] if pa.types.is_dictionary(chunk.type) else [chunk]
    return [(len(array), array.offset, [part and part.address for part in array.buffers()]) for array in arrays]


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
    table = read_canonical(path)
    if kind == "texts":
        return table.column("texts").combine_chunks()
    return table.replace_schema_metadata({bytes.fromhex(key): bytes.fromhex(text) for key, text in rest[1]} or None)
