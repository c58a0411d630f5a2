"""Draw the curves of two compared runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from export.compare.comparison_text import name_metric, with_interval
from export.pictures.curves import Line, pr_picture, roc_picture
from export.pictures.svg import Canvas
from metrics.comparison.comparison import Comparison
from text.numbers import number
from text.visible import show


def compared_curves(
    found: Comparison, pair: tuple[int, int], curves: Sequence[Line], label: str | None
) -> Mapping[str, Canvas]:
    """Draw the curves of a pair whose runs both have scores of one class; nothing without curves.

    label : the class of the curves; None = the positive class.
    """
    if not curves:
        return {}
    roc, precision_recall = (_title(found, pair, area, label) for area in ("roc_auc", "average_precision"))
    return {"compared-roc": roc_picture(curves, roc), "compared-pr": pr_picture(curves, precision_recall)}


def _title(found: Comparison, pair: tuple[int, int], area: str, label: str | None) -> str:
    metric = area if label is None else f"{area}[{label}]"
    before, after = (number(found.interval(metric, model).value) for model in pair)
    moved = with_interval(found.difference(metric, *pair), found.level)
    of = "" if label is None else f" of {show(label, 40)}"
    return f"{name_metric(area).replace('average', 'Average')}{of} {before} → {after}: {moved}"
