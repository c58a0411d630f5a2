"""Limit what one upload may ask of the machine; say how far a reader is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from data.environment import raise_it, value
from data.errors import DataError, FinalError

Progress = Callable[[str, float], None]
"""Called with a stage ("reading", "checking", "writing") and the share of the work done, 0 to 1."""


@dataclass(frozen=True)
class Limits:
    """The most that one upload may hold, and what reading it may cost.

    n_bytes : size of one uploaded file. expanded_bytes : its size unpacked, as text or in columns.
    rows, columns : of one table. cell_chars : characters in one cell.
    memory_bytes : address space of the reading process (not enforced on macOS).
    building_bytes : what it may take besides once the files are read, to find what they hold and build it.
    cpu_seconds, wall_seconds : for all files of one upload together.
    """

    n_bytes: int = 200 << 20
    expanded_bytes: int = 1 << 30
    rows: int = 5_000_000
    columns: int = 10_000
    cell_chars: int = 1_000_000
    memory_bytes: int = 3 << 30
    building_bytes: int = 0
    cpu_seconds: int = 120
    wall_seconds: float = 180.0

    @classmethod
    def from_environment(cls) -> Limits:
        """Return the limits that whoever runs the server has set; see `data.environment`."""
        memory, seconds = value("BLINDSPOT_READING_MB") << 20, value("BLINDSPOT_SECONDS")
        return cls(
            n_bytes=value("BLINDSPOT_UPLOAD_MB") << 20,
            expanded_bytes=memory // 3,
            rows=value("BLINDSPOT_ROWS"),
            columns=value("BLINDSPOT_COLUMNS"),
            memory_bytes=memory,
            cpu_seconds=max(1, seconds * 2 // 3),
            wall_seconds=float(seconds),
        )

    def check_rows(self, n_rows: int, how: str = "") -> None:
        """Raise FinalError for more rows than allowed; `how` : how that came, instead of "it has n rows"."""
        if n_rows > self.rows:
            raise FinalError(
                f"{how or f'it has {n_rows:,} rows'}; the limit is {self.rows:,} rows. Give fewer, "
                f"or {raise_it('BLINDSPOT_ROWS')}."
            )

    def check_columns(self, n_columns: int, how: str = "") -> None:
        """Raise DataError for more columns than allowed; `how` as in `check_rows`."""
        if n_columns > self.columns:
            raise DataError(
                f"{how or f'it has {n_columns:,} columns'}; the limit is {self.columns:,} columns. Leave out what is "
                f"not needed, or {raise_it('BLINDSPOT_COLUMNS')}."
            )


def ignore_progress(stage: str, share: float) -> None:
    """Ignore the progress."""


def format_size(n_bytes: int) -> str:
    """Write a size as people say it.

    >>> format_size(200 << 20), format_size(1536), format_size(17)
    ('200 MB', '1.5 kB', '17 bytes')
    """
    for unit, factor in (("GB", 1 << 30), ("MB", 1 << 20), ("kB", 1 << 10)):
        if n_bytes >= factor:
            return f"{n_bytes / factor:.1f}".removesuffix(".0") + f" {unit}"
    return f"{n_bytes} bytes"
