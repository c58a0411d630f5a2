"""Pairs of a missed label and one predicted instead equal those of a loop over rows and labels."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from metrics.multilabel import swaps
from metrics.multilabel.swaps import count_swaps
from tests.metrics.multilabel.test_set_metrics import label_sets


def pairs_by_hand(y_true, y_pred, weights):
    rows = Counter()
    for truth, guess, times in zip(y_true.tolist(), y_pred.tolist(), weights, strict=True):
        for missed in range(len(truth)):
            for other in range(len(truth)):
                if truth[missed] and not guess[missed] and guess[other] and not truth[other]:
                    rows[missed, other] += times
    return rows


@pytest.mark.parametrize("cells", [1, 1 << 20])
@given(label_sets())
def test_pairs_equal_a_loop(cells, sets):
    y_true, y_pred = sets
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(swaps, "_BLOCK_CELLS", cells)
        for weights in (None, np.arange(1, len(y_true) + 1)):
            found = count_swaps(y_true, y_pred, weights)
            pairs = zip(found.missed.tolist(), found.predicted.tolist(), strict=True)
            times = [1] * len(y_true) if weights is None else weights.tolist()
            assert dict(zip(pairs, found.rows.tolist(), strict=True)) == pairs_by_hand(y_true, y_pred, times)
            assert (np.diff(found.rows) <= 0).all(), "the most rows first"
