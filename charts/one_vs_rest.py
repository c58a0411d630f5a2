"""Draw the ROC curve of one class of many, small: the shape at a glance, for a wall of them, as SVG text."""

from __future__ import annotations

import numpy as np

from charts.theme import FAINT, MODEL, REFERENCE
from metrics.scores.curve_thinning import Thinned, thin
from metrics.scores.curves import RocCurve

POINTS = 160
"""At most so many points of a small curve are drawn."""
WIDTH, HEIGHT = 200, 120
_EDGE = 4


def small_curve(curve: RocCurve) -> Thinned:
    """Return the points of a curve that a small picture can show."""
    return thin(curve, POINTS)


def small_roc_svg(thinned: Thinned) -> str:
    """Draw recall over the false positive rate, filled down to the axis, the line of no skill dashed.

    thinned : as `small_curve` gives it. It holds numbers only. A curve with one side missing draws the frame alone.
    """
    fpr, tpr = (np.asarray(axis, dtype=float) for axis in (thinned.curve.fpr, thinned.curve.tpr))
    x, y = _EDGE + fpr * (WIDTH - 2 * _EDGE), HEIGHT - _EDGE - tpr * (HEIGHT - 2 * _EDGE)
    left, right, top, bottom = _EDGE, WIDTH - _EDGE, _EDGE, HEIGHT - _EDGE
    parts = [
        f'<path d="M{left} {top}H{right}V{bottom}H{left}Z" fill="none" stroke="{FAINT}"/>',
        f'<path d="M{left} {bottom}L{right} {top}" stroke="{REFERENCE}" stroke-dasharray="5 4" fill="none"/>',
    ]
    if not np.isnan(x).any() and not np.isnan(y).any():
        line = "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))
        parts += [
            f'<path d="M{left} {bottom}L{line}V{bottom}Z" fill="{MODEL}" fill-opacity="0.14"/>',
            f'<path d="M{line}" fill="none" stroke="{MODEL}" stroke-width="2"/>',
        ]
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="100%" preserveAspectRatio="none"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} height="{HEIGHT}" aria-hidden="true">{"".join(parts)}</svg>'
