"""The five small pictures show the numbers they are given, and say "undefined" where there is none."""

import numpy as np
import pytest

from charts.lenses import accuracy_lens, confusion_lens, f1_lens, macro_micro_lens, parse_lens
from charts.theme import ACCENT, MODEL, sequential_scale
from metrics.confusion.counts import confusion_counts
from metrics.confusion.matrix import arrange

NAN = float("nan")


def words(fig) -> list[str]:
    return [note.text.replace("<b>", "").replace("</b>", "") for note in fig.layout.annotations]


def test_accuracy_stands_beside_the_majority_class():
    fig = accuracy_lens(0.9, 0.85)
    assert list(fig.data[0].x) == ["model", "majority"] and list(fig.data[0].y) == [0.9, 0.85]
    assert words(fig) == ["90.0 %", "85.0 %"]
    shapes = fig.data[0].marker.pattern.shape
    assert shapes[0] != shapes[1], "told apart without colour"


def test_without_a_baseline_there_is_one_bar():
    fig = accuracy_lens(0.4, None, ("overlap", ""))
    assert list(fig.data[0].y) == [0.4] and list(fig.data[0].x) == ["overlap"]


def test_an_undefined_value_has_a_word_and_no_bar():
    fig = macro_micro_lens(0.3, NAN)
    assert list(fig.data[0].y) == [0.3, None] and words(fig) == ["0.300", "undefined"]


def test_f1_of_the_classes_stands_worst_first_and_the_undefined_are_counted():
    fig = f1_lens(np.array([0.9, 0.0, NAN, 0.4, 0.0]))
    assert list(fig.data[0].y) == [0.0, 0.0, 0.4, 0.9]
    assert words(fig) == ["2 at 0, 1 undefined"]
    assert not f1_lens(np.array([0.5, 0.6])).layout.annotations


def test_no_class_with_an_f1_is_said():
    fig = f1_lens(np.array([NAN]))
    assert not fig.data and "undefined" in words(fig)[0]


@pytest.mark.parametrize(
    ("parsed", "said"), [(1.0, ["100.0 %<br>parsed"]), (0.93, ["93.0 %<br>parsed", "7.0 % no label"])]
)
def test_parsed_and_unparsed_make_up_the_whole(parsed, said):
    fig = parse_lens(parsed)
    assert sum(trace.y[0] for trace in fig.data) == pytest.approx(1)
    assert words(fig) == said


def test_the_thumbnail_is_the_matrix_of_row_shares_right_and_wrong_each_on_a_scale_of_its_own():
    counts = confusion_counts(np.array([0, 0, 0, 0, 1]), np.array([0, 0, 0, 1, 1]), labels=("a", "b"))
    right, wrong = confusion_lens(arrange(counts)).data
    np.testing.assert_array_equal(right.z, [[0.75, NAN], [NAN, 1]])
    np.testing.assert_array_equal(wrong.z, [[NAN, 0.25], [0, NAN]])
    assert (right.zmax, wrong.zmax) == (1, 0.25)
    blue, orange = (trace.colorscale[-1][1] for trace in (right, wrong))
    assert (blue, orange) == tuple(sequential_scale(colour)[-1][1] for colour in (MODEL, ACCENT))
    assert confusion_lens(arrange(counts)).layout.yaxis.autorange == "reversed", "truth from the top down"
