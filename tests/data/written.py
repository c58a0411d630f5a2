"""One table written in every way that a table of labels and scores is written: name -> the files' paths."""

import csv
import gzip
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.data.workbooks import workbook

Rows = list[list[Any]]
Table = dict[str, Sequence[Any]]
"""Columns of texts, numbers or None."""


def rows_of(table: Table) -> Rows:
    return [list(row) for row in zip(*table.values(), strict=True)]


def csv_text(table: Table, *, header: bool = True, decimal: str = ".", **style: Any) -> str:
    """A table as delimited text; numbers as Python writes them, or with a decimal comma."""
    sink = io.StringIO()
    style = {"lineterminator": "\n", **style}
    writer = csv.writer(sink, **style)
    shown = [[str(v).replace(".", decimal) if isinstance(v, float) else v for v in row] for row in rows_of(table)]
    writer.writerows([list(table), *shown] if header else shown)
    return sink.getvalue()


def text_writer(name: str, encoding: str = "utf-8", before: str = "", **style: Any) -> Callable[[Table, Path], Path]:
    def write(table: Table, folder: Path) -> Path:
        path = folder / name
        path.write_bytes((before + csv_text(table, **style)).encode(encoding))
        return path

    return write


def _packed(suffix: str) -> Callable[[Table, Path], Path]:
    def write(table: Table, folder: Path) -> Path:
        path, data = folder / f"preds.csv.{suffix}", csv_text(table).encode()
        if suffix == "gz":
            path.write_bytes(gzip.compress(data[:200]) + gzip.compress(data[200:]))
        else:
            with pa.CompressedOutputStream(path, "zstd") as file:
                file.write(data)
        return path

    return write


def _indexed(table: Table, folder: Path) -> Path:
    return text_writer("preds.csv")({"": range(len(next(iter(table.values())))), **table}, folder)


def _with_total(table: Table, folder: Path) -> Path:
    n = len(next(iter(table.values())))
    last = [round(sum(v), 4) if isinstance(v[0], float) else None for v in table.values()]
    first = {"id": [*(f"r{i}" for i in range(n)), "TOTAL"]}
    return text_writer("preds.csv")(first | {k: [*v, x] for (k, v), x in zip(table.items(), last, strict=True)}, folder)


def _commented(table: Table, folder: Path) -> Path:
    return text_writer("preds.csv", before="# written by hand\n# on a Monday\n")(table, folder)


def _records(table: Table) -> list[dict[str, Any]]:
    return [dict(zip(table, row, strict=True)) for row in rows_of(table)]


def _json(make: Callable[[Table], Any], name: str = "preds.json", **style: Any) -> Callable[[Table, Path], Path]:
    def write(table: Table, folder: Path) -> Path:
        path = folder / name
        path.write_text(json.dumps(make(table), **style), encoding="utf-8")
        return path

    return write


def _json_lines(table: Table, folder: Path) -> Path:
    path = folder / "preds.jsonl"
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in _records(table)), encoding="utf-8")
    return path


def _places(table: Table) -> list[str]:
    return [str(i) for i in range(len(next(iter(table.values()))))]


def _split(table: Table) -> dict[str, Any]:
    return {"columns": list(table), "index": list(map(int, _places(table))), "data": rows_of(table)}


def _parquet(change: Callable[[pa.Table], pa.Table] = lambda t: t, **style: Any) -> Callable[[Table, Path], Path]:
    def write(table: Table, folder: Path) -> Path:
        path = folder / "preds.parquet"
        pq.write_table(change(pa.table({k: list(v) for k, v in table.items()})), path, **style)
        return path

    return write


def _as_type(text: pa.DataType) -> Callable[[pa.Table], pa.Table]:
    return lambda t: pa.table({f.name: t[f.name].cast(text) if f.type == pa.string() else t[f.name] for f in t.schema})


def _encoded(table: pa.Table) -> pa.Table:
    return pa.table(
        {f.name: table[f.name].dictionary_encode() if f.type == pa.string() else table[f.name] for f in table.schema}
    )


def _workbook(table: Table, folder: Path) -> Path:
    def as_text(sheet: Any) -> None:
        for line in sheet.iter_rows():
            for cell in line:
                if cell.data_type == "f":
                    cell.data_type = "s"

    path = folder / "preds.xlsx"
    path.write_bytes(workbook(("Sheet", [list(table), *rows_of(table)]), change=as_text))
    return path


def _arrays(table: Table, folder: Path) -> Path:
    path = folder / "preds.npz"
    np.savez(path, allow_pickle=False, **{k: np.array(list(v)) for k, v in table.items()})
    return path


ALL: dict[str, Callable[[Table, Path], Path]] = {
    "csv": text_writer("preds.csv"),
    "csv quoted": text_writer("preds.csv", quoting=csv.QUOTE_ALL),
    "csv windows": text_writer("preds.csv", lineterminator="\r\n"),
    "csv old mac": text_writer("preds.csv", lineterminator="\r", quoting=csv.QUOTE_NONNUMERIC),
    "csv semicolon": text_writer("preds.csv", delimiter=";"),
    "csv decimal comma": text_writer("preds.csv", delimiter=";", decimal=","),
    "csv sep line": text_writer("preds.csv", before="sep=;\r\n", delimiter=";", lineterminator="\r\n"),
    "csv bar": text_writer("preds.csv", delimiter="|"),
    "csv tab": text_writer("preds.csv", delimiter="\t"),
    "tsv": text_writer("preds.tsv", delimiter="\t"),
    "csv bom": text_writer("preds.csv", "utf-8-sig"),
    "csv utf-16": text_writer("preds.csv", "utf-16"),
    "csv utf-16 big": text_writer("preds.csv", "utf-16-be", before="\ufeff"),
    "csv windows-1252": text_writer("preds.csv", "cp1252"),
    "csv index": _indexed,
    "csv total": _with_total,
    "csv comments": _commented,
    "csv gz": _packed("gz"),
    "csv zst": _packed("zst"),
    "json lines": _json_lines,
    "json array": _json(_records, indent=1),
    "json columns": _json(lambda t: {k: list(v) for k, v in t.items()}),
    "json pandas": _json(lambda t: {k: dict(zip(_places(t), v, strict=True)) for k, v in t.items()}),
    "json index": _json(lambda t: dict(zip(_places(t), _records(t), strict=True))),
    "json split": _json(_split),
    "json wrapped": _json(lambda t: {"model": "m", "predictions": _records(t)}),
    "parquet": _parquet(),
    "parquet large": _parquet(_as_type(pa.large_string()), compression="zstd"),
    "parquet dictionary": _parquet(_encoded, row_group_size=11),
    "xlsx": _workbook,
    "npz": _arrays,
}
