"""Find by which score of another model lines were chosen, so that an engine can look for their rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from data.columns.counted_metadata import Counted
from data.engines.query import AtLeast


def find_score_keys(
    table: pa.Table, counted: Counted, lines: np.ndarray, group: np.ndarray, usual: float | None
) -> dict[str, tuple[AtLeast, pa.ChunkedArray]]:
    """Return for further scores a threshold that tells chosen lines from others, as a key and its texts in every line.

    lines : positions of chosen lines. group : int (n,), lines that agree in all but their scores. usual : the
    threshold by which scores predict. A score by which nothing was chosen is left out.
    """
    chosen = np.zeros(len(table), bool)
    chosen[lines] = True
    score_keys = {}
    for name in counted.more_scores:
        low = table.column(name).to_numpy(zero_copy_only=False).astype(np.float64)
        rest = [other for other in (counted.score, *counted.more_scores) if other not in (None, name)]
        ranks = [np.unique(table.column(other).to_numpy(zero_copy_only=False), return_inverse=True)[1]
                 for other in rest]  # fmt: skip
        cuts = [cut for cut in (_find_toggle(low, ranks, group, chosen), usual) if cut is not None]
        runs = [_count_runs(ranks, group, chosen, low >= cut) for cut in cuts]
        plain = _count_runs(ranks, group, chosen, np.zeros(len(low), bool))
        if cuts and min(runs) < plain:
            cut = cuts[int(np.argmin(runs))]
            texts = np.where(low >= cut, "1", "0")
            raw = counted.columns[name]
            score_keys[name] = AtLeast(raw, cut, (raw,)), pa.chunked_array([pa.array(texts, mask=np.isnan(low))])
    return score_keys


def _find_toggle(low: np.ndarray, ranks: Sequence[np.ndarray], group: np.ndarray, chosen: np.ndarray) -> float | None:
    """Return the score from which on lines are chosen or are not, among those that agree in all else."""
    order = np.lexsort((low, *ranks, group))
    alike = np.logical_and.reduce([np.diff(rank[order]) == 0 for rank in (*ranks, group)])
    alike &= ~np.isnan(low[order][1:])
    toggles = np.flatnonzero(alike & np.diff(chosen[order]))
    if not len(toggles):
        return None
    below, above = low[order][toggles].max(), low[order][toggles + 1].min()
    return float(above) if below < above else None


def _count_runs(ranks: Sequence[np.ndarray], group: np.ndarray, chosen: np.ndarray, side: np.ndarray) -> int:
    """Return how often lines in the order of the first score change between chosen and not, in a group and a side."""
    order = np.lexsort((chosen, *ranks[::-1], side, group))
    apart = (np.diff(group[order]) != 0) | (np.diff(side[order]) != 0)
    return int(np.count_nonzero(~apart & np.diff(chosen[order])))
