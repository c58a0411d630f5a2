"""The picture of a day: each mark says its threshold, and its name stands above the picture, off every line."""

import numpy as np
import pytest

from charts.deployment import Mark, limits_figure
from metrics.scores.curves import score_counts
from metrics.thresholds.deployed.feasible import Limits, find_feasible
from metrics.thresholds.deployed.in_use import Place


@pytest.mark.parametrize(("threshold", "written"), [(0.4, "score ≥ 0.4"), (0.95, "above every score")])
def test_mark_above_every_score_says_so(threshold, written):
    scores, place = score_counts(np.arange(10) > 6, np.arange(10) / 10), Place(0.3, 100)
    figure = limits_figure(scores, place, find_feasible(scores, place, Limits()), [Mark("chosen", threshold, 3, True)])
    assert figure.data[-1].hovertemplate.startswith(f"chosen, {written}<br>")
    assert [trace.name for trace in figure.data if trace.showlegend is None] == ["chosen: 3"]
    assert figure.layout.showlegend and figure.layout.legend.y == 1 and not figure.layout.annotations
