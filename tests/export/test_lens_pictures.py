"""The tiny pictures draw the numbers they are given, and nothing where one is undefined."""

import re

import numpy as np

from export.overview.severities import BLOCK_STYLE
from export.pictures import lenses
from metrics.confusion.counts import confusion_counts_from_matrix
from metrics.confusion.matrix import arrange


def widths(svg: str, colour: str) -> list[float]:
    return [float(width) for width in re.findall(rf'class="{colour}"[^>]* width="([\d.]+)"', svg)]


def heights(svg: str, colour: str) -> list[float]:
    return [float(height) for height in re.findall(rf'class="{colour}"[^>]* height="([\d.]+)"', svg)]


def test_bars_are_as_long_as_their_shares():
    drawn = lenses.share_bars((0.5, "right"), (0.25, "base"))
    assert (widths(drawn, "right"), widths(drawn, "base")) == ([38.0], [19.0])


def test_undefined_share_has_no_bar():
    assert widths(lenses.share_bars((float("nan"), "right")), "right") == [0.0]


def test_classes_stand_worst_first_and_zeros_apart():
    drawn = lenses.class_bars(np.array([0.9, 0.0, float("nan"), 0.4]))
    assert heights(drawn, "right") == [16.0, 36.0] and len(heights(drawn, "wrong")) == 1


def test_a_thousand_classes_stay_small():
    assert len(lenses.class_bars(np.linspace(0, 1, 1000))) < 10_000


def test_thumbnail_tells_right_from_wrong_cells():
    drawn = lenses.thumbnail(arrange(confusion_counts_from_matrix([[9, 1], [0, 5]], ("a", "b"))))
    assert (len(widths(drawn, "right")), len(widths(drawn, "wrong"))) == (2, 1)


def test_curve_skips_undefined_points():
    assert 'points="0.0,40.0 40.0,0.0"' in lenses.curve([0, 0.5, 1], [0, float("nan"), 1])


def test_every_line_has_a_colour_of_its_own():
    rules = dict(re.findall(r"^([^\n{@]*)\{([^}]*)\}", BLOCK_STYLE.read_text(encoding="utf-8"), re.MULTILINE))
    strokes = {kind: re.search(r"stroke: (var\(--\w+\))", rules[name])[1]
               for name in rules for kind in ("axis", "right-line") if f".{kind}" in name}  # fmt: skip
    assert strokes == {"axis": "var(--base)", "right-line": "var(--right)"}
    assert set(re.findall(r'class="([\w-]+)"', lenses.curve([0, 1], [0, 1]))) == {"axis", "diagonal", "right-line"}
