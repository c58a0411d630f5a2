"""Every bar of the labels per row leads to its rows."""

import numpy as np
import pytest

from metrics.multilabel import set_metrics
from ui.overview.labels_per_row import bars_of, rows_with
from ui.view import cache
from ui.view.open_runs import evaluation_of

pytestmark = pytest.mark.usefixtures("own_store")


def test_bars_hold_as_many_rows_as_said():
    evaluation = evaluation_of("movie-genres")
    per_row = set_metrics.labels_per_row(cache.multilabel(evaluation))
    bars = bars_of(per_row)
    for side, drawn, sets in (
        ("true", per_row.true_rows, evaluation.y_true),
        ("pred", per_row.pred_rows, evaluation.y_pred),
    ):
        found = {n: rows_with(evaluation, side, n) for s, n in bars if s == side}
        assert {n: len(rows) for n, rows in found.items()} == {n: k for n, k in enumerate(drawn.tolist()) if k}
        assert all(sum(map(bool, sets[row])) == n for n, rows in found.items() for row in rows[:20].tolist())
        assert sorted(np.concatenate(list(found.values())).tolist()) == list(range(evaluation.n_rows))
