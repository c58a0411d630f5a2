"""Make the report of one file and show it in a notebook, without a server: in Jupyter, Colab, Kaggle and VS Code."""

from __future__ import annotations

import html
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from .viewing import command_of, environment_of, last_line

MOST_ROWS = 1_000
"""Rows that a notebook's report may hold: every one of them is saved with the notebook."""


class Report(NamedTuple):
    """One HTML page about a file. A notebook draws it in a frame that may neither see nor change the notebook."""

    content: str
    rows: int
    height: int
    sources: tuple[str, ...] = ()
    """The words of the command that made it; those that name files were read."""

    def __repr__(self) -> str:
        held = f"{self.rows:,} rows at most" if self.rows else "no rows"
        return f"Blindspot report: {len(self.content.encode()) / 1e3:,.0f} kB, {held}."

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page as a file, which opens offline; returns its path.

        Raises
        ------
        ValueError
            the report was made of this file, which would be lost.
        """
        target = Path(path)
        read = [source for source in self.sources if os.path.isfile(source)]
        if target.is_file() and any(target.samefile(source) for source in read):
            raise ValueError(f"{target}: the report was made of this file, which would be lost; name another one.")
        target.write_text(self.content, encoding="utf-8")
        return target

    def _repr_html_(self) -> str:
        page = html.escape(self.content)
        frame = (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts allow-popups" width="100%" height="{self.height}" '
            'style="border:0"></iframe>'
        )
        return f"{html.escape(str(self))}<br>{frame}"


def report(data: Any, *, rows: int = 0, height: int = 800, options: Sequence[str] = ()) -> Report:
    """Return the report of predictions, which a notebook draws below its cell; it needs the package's extra `app`.

    Parameters
    ----------
    data : the path of a file; or its columns as a data frame of any library, a dict, or a list of such batches; or
        its rows as a list of dicts. Scores and labels of their own become a file by `save_predictions`, which returns
        its path.
    rows : so many rows of the file are in the report, the wrong ones first; 0 = none, 1,000 at most.
    height : of the frame, in pixels. options : further words of `blindspot-eval report`, such as "--group=sex".

    Raises
    ------
    ValueError
        one sentence: too many rows, or what cannot be read.
    """
    if not 0 <= rows <= MOST_ROWS:
        raise ValueError(f"rows is {rows:,}; a notebook's report holds 0 to {MOST_ROWS:,}. Write more to a file.")
    with tempfile.TemporaryDirectory() as folder:
        path, page = Path(folder, "predictions.parquet"), Path(folder, "report.html")
        if isinstance(data, str | os.PathLike):
            path = Path(data)
        else:
            pq.write_table(read_columns(data), path)
        words = [
            "report",
            os.fspath(path),
            "--output",
            os.fspath(page),
            *options,
            *(["--rows", str(rows)] if rows else []),
        ]
        ran = subprocess.run(
            command_of(words), env=environment_of({}), capture_output=True, text=True, encoding="utf-8", check=False
        )
        if ran.returncode:
            raise ValueError(last_line(ran.stderr) or f"The report ended with exit code {ran.returncode}.")
        sources = tuple(word.rpartition("=")[2] for word in words)
        return Report(page.read_text(encoding="utf-8"), rows, height, sources)


def read_columns(data: Any) -> pa.Table:
    """Return columns as a table: of a frame, of a dict, of rows, or of batches, which are put below each other.

    >>> read_columns([{"y_true": ["a"]}, {"y_true": ["b"]}])["y_true"].to_pylist()
    ['a', 'b']
    >>> read_columns([{"y_true": "ham"}, {"y_true": "egg"}])["y_true"].to_pylist()
    ['ham', 'egg']

    Raises
    ------
    ValueError
        it is none of these.
    """
    if isinstance(data, list) and data and all(map(_is_row, data)):
        names = dict.fromkeys(name for row in data for name in row)
        return pa.table({str(name): pa.array([row.get(name) for row in data]) for name in names})
    if isinstance(data, list) and data:
        return pa.concat_tables([read_columns(batch) for batch in data], promote_options="permissive")
    if isinstance(data, pa.Table | pa.RecordBatch) or hasattr(data, "__arrow_c_stream__"):
        return _without_index(pa.table(data))
    if isinstance(data, dict) and not _is_row(data):
        return pa.table({str(name): pa.array(values) for name, values in data.items()})
    if hasattr(data, "columns") and hasattr(data, "to_dict"):  # pandas before 2.2
        return pa.Table.from_pandas(data, preserve_index=False)
    raise ValueError(
        f"A report is made of a path, a data frame, a dict of columns or a list of rows; {type(data).__name__} came. "
        "save_predictions makes a file of scores and labels."
    )


def _is_row(part: Any) -> bool:
    """Return whether a dict holds single values, and no columns: a text is no column of its letters."""
    return isinstance(part, dict) and any(isinstance(value, str | int | float) for value in part.values())


def _without_index(table: pa.Table) -> pa.Table:
    """Return a table without the index that pandas adds as a column."""
    index = (table.schema.pandas_metadata or {}).get("index_columns", ())
    return table.drop_columns([name for name in index if isinstance(name, str) and name in table.column_names])
