"""Draw the curves of two runs for the report."""

from __future__ import annotations

from collections.abc import Sequence

from export.compare.comparison_text import name_metric, with_interval
from export.pictures.curves import Line, pr_picture, roc_picture
from export.report import markup
from metrics.comparison.comparison import Comparison
from text.numbers import number
from text.visible import show


def compared_curves(found: Comparison, pair: tuple[int, int], curves: Sequence[Line], label: str | None) -> str:
    """Draw the curves of a pair whose runs both have scores of one class; nothing without curves.

    label : the class of the curves; None = the positive class.
    """
    if not curves:
        return ""
    titles = []
    for area in ("roc_auc", "average_precision"):
        metric = area if label is None else f"{area}[{label}]"
        values = [number(found.interval(metric, model).value) for model in pair]
        moved = with_interval(found.difference(metric, *pair), found.level)
        of = name_metric(area).replace("average", "Average") + ("" if label is None else f" of {show(label, 40)}")
        titles.append(f"{of} {values[0]} → {values[1]}: {moved}")
    roc = markup.picture(roc_picture(curves, titles[0]), "compared-roc")
    return f'<div class="pair">{roc}{markup.picture(pr_picture(curves, titles[1]), "compared-pr")}</div>'
