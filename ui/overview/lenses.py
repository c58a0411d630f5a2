"""The lenses of the evaluation in view, kept for each level of the intervals."""

from __future__ import annotations

from data.evaluation import Evaluation
from export.overview.lenses import Lens, lenses_of
from ui.view import cache
from ui.view.measurement import level, measure


def lenses(evaluation: Evaluation) -> list[Lens]:
    """Return the lenses that apply to an evaluation; at most five."""
    return _lenses(evaluation, level())


@cache.kept(32)
def _lenses(evaluation: Evaluation, level: float) -> list[Lens]:
    return lenses_of(measure(evaluation))
