"""The one interface of all sources of rows: Parquet files and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import pyarrow as pa


class RowSource(Protocol):
    """The columns and the account of a source, as it was when it was opened."""

    @property
    def schema(self) -> pa.Schema:
        """Return the columns."""

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""

    @property
    def files(self) -> Sequence[Any]:
        """Return the files behind it."""

    @property
    def sizes(self) -> Sequence[int]:
        """Return the bytes of each file."""

    @property
    def snapshot(self) -> str:
        """Return 64 hex digits that are others once the source has changed."""

    @property
    def last_change(self) -> float:
        """Return when it was last changed, in seconds since 1970."""

    def sample(self, n: int, seed: int = 0) -> pa.Table:
        """Return about `n` rows that `seed` chooses."""

    def cancel(self) -> None:
        """Stop the drawing of rows under way, from another thread, where it may take long."""

    def check_unchanged(self) -> None:
        """Raise DataError where it was changed or removed since it was opened."""
