"""Draw the curves of two compared runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from export.compare.comparison_text import describe_area
from export.pictures.curves import Line, pr_picture, roc_picture
from export.pictures.svg import Canvas
from metrics.comparison.comparison import Comparison


def compared_curves(
    comparison: Comparison, pair: tuple[int, int], curves: Sequence[Line], label: str | None
) -> Mapping[str, Canvas]:
    """Draw the curves of a pair whose runs both have scores of one class; nothing without curves.

    label : the class of the curves; None = the positive class.
    """
    if not curves:
        return {}
    roc, precision_recall = (describe_area(comparison, pair, area, label) for area in ("roc_auc", "average_precision"))
    return {"compared-roc": roc_picture(curves, roc), "compared-pr": pr_picture(curves, precision_recall)}
