"""Say which files are counted by an engine because they are above the limits of what is read row by row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from data.environment import raise_it
from data.errors import DataError
from data.process.limits import Limits, format_size

if TYPE_CHECKING:
    from data.engines.parquet_folder import ParquetFolder


def is_counted(path: Path, engine: str | None) -> bool:
    """Return whether a path is counted by an engine and not read row by row.

    Folders are, files where an engine is named, and Parquet files above the limits of what is read.
    """
    if path.is_dir() or engine not in (None, "auto"):
        return True
    if path.suffix != ".parquet" or not path.is_file():
        return False
    from data.engines.parquet_folder import open_folder  # other files need none of this, which takes time to import

    try:
        return _find_excess(open_folder(path)) != ""
    except DataError:  # reading it row by row says what is wrong
        return False


def explain_counting(folder: ParquetFolder, engine: str) -> tuple[str, ...]:
    """Return the note about a file that is counted because it is above a limit of what is read row by row."""
    excess = "" if folder.base == folder.root or engine != "auto" else _find_excess(folder)
    return (f"{excess} So an engine counted the rows, and none of them is shown.",) if excess else ()


def _find_excess(file: ParquetFolder) -> str:
    """Return which limit of what is read row by row a file exceeds; "" where it exceeds none."""
    limits, size = Limits.from_environment(), sum(file.sizes)
    if file.n_rows > limits.rows:
        raised = raise_it("BLINDSPOT_ROWS")
        return f"The file has {file.n_rows:,} rows; the limit is {limits.rows:,} rows ({raised})."
    if size > limits.n_bytes:
        raised = raise_it("BLINDSPOT_UPLOAD_MB")
        return f"The file has {format_size(size)}; the limit is {format_size(limits.n_bytes)} ({raised})."
    if file.n_bytes > limits.expanded_bytes:
        raised = raise_it("BLINDSPOT_READING_MB")
        most = format_size(limits.expanded_bytes)
        return f"The file unpacks to {format_size(file.n_bytes)}; the limit is {most} ({raised})."
    return ""
