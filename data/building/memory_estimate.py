"""How much memory an evaluation will take, asked beforehand: one that is too large is a sentence and no outage."""

from __future__ import annotations

import pyarrow as pa

from data.columns.expanded_size import memory_bytes
from data.environment import raise_it, value
from data.errors import DataError
from data.process.limits import size_text

_CODES = 2 * 4 + 2  # of truth and prediction, and which rows are scored
_SCORE = 2 * 8  # as read, and as used
_LABEL = 3  # bools of truth, of prediction, and of the distinct sets


def check_memory(table: pa.Table, *, n_scores: int, n_labels: int = 0) -> None:
    """Refuse an evaluation before its arrays are made.

    Parameters
    ----------
    n_scores : score columns. n_labels : labels of a multi-label task; 0 where a row has one.

    Raises
    ------
    DataError
        it would take more than BLINDSPOT_EVALUATION_MB.

    Examples
    --------
    >>> check_memory(pa.table({"y": ["a", "b"]}), n_scores=1)
    """
    n_bytes = memory_bytes(table) + len(table) * (_CODES + _SCORE * n_scores + _LABEL * n_labels)
    most = value("BLINDSPOT_EVALUATION_MB") << 20
    if n_bytes > most:
        raise DataError(
            f"With repeated texts written out, this evaluation takes some {size_text(n_bytes)} of memory; the limit is "
            f"{size_text(most)}: give fewer rows, labels or text columns, or {raise_it('BLINDSPOT_EVALUATION_MB')}."
        )
