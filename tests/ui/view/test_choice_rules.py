"""The thresholds of single labels in a link: text and back, and what is refused."""

from types import SimpleNamespace

import numpy as np
import pytest

from data.runs.written_options import read_each
from ui.view.choice_rules import every_threshold, write_each

FILE = SimpleNamespace(score_codes=(4, 0, 7))


@pytest.mark.parametrize("each", [{}, {4: 0.1}, {0: 1e-300, 7: -np.inf, 4: 0.1 + 0.2}, {7: 3}])
def test_written_rule_is_read_back_exactly(each):
    assert read_each(write_each(each), FILE) == each


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0", "pairs such as"),
        ("0:0.5,", "pairs such as"),
        ("0:nan", "pairs such as"),
        ("zero:0.5", "pairs such as"),
        ("3:0.5", "label 3 has no score"),
        ("-1:0.5", "label -1 has no score"),
        ("0:0.5,0:0.6", "label 0 stands there twice"),
        ("<b>:0.5", "pairs such as"),
    ],
)
def test_anything_else_is_refused_with_the_reason(text, why):
    with pytest.raises(ValueError, match=why):
        read_each(text, FILE)


def test_unnamed_labels_take_the_others_threshold():
    assert every_threshold(FILE, {7: 0.2}, 0.5).tolist() == [0.5, 0.5, 0.2]
