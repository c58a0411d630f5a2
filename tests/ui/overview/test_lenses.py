"""The five lenses of files that lack what some of them are about."""

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.evaluation import Settings
from data.rows.selection import Which
from ui.overview import lenses


def test_without_a_true_label_the_lenses_about_labels_are_left_out():
    table = pa.table({"y": ["", "", ""], "y_pred": ["a", "a|b", ""]})
    settings = Settings(truth="y", pred="y_pred", encoding="delimited", delimiter="|")
    evaluation = build(table, settings, name="none", content_sha256="lenses-none")
    titles = [card[0] for card in lenses._multilabel_cards(evaluation)]
    assert titles == ["Subset accuracy", "Per-label accuracy", "Overlap with the truth"]


@pytest.mark.parametrize(
    ("gain", "said"),
    [
        (0.32, "32.0 points better than"),
        (0.099, "only 9.9 points better than"),
        (0.0002, "only less than 0.1 points better than"),
        (0.0, "as often as"),
        (-0.0002, "less than 0.1 points worse than"),
        (-0.25, "25.0 points worse than"),
    ],
)
def test_what_accuracy_gains_reads_as_a_comparison(gain, said):
    assert lenses.against_the_same(gain) == said


def test_balanced_classes_have_no_rarest():
    assert lenses.rarest(np.array([20, 20, 20]), "class") is None
    assert lenses.rarest(np.array([90, 10, 0]), "class") == ("Rows of the rarest class", Which((1,)))
