"""The five lenses of files that lack what some of them are about."""

import pyarrow as pa

from data.build import build
from data.evaluation import Settings
from ui import lenses


def test_without_a_true_label_the_lenses_about_labels_are_left_out():
    table = pa.table({"y": ["", "", ""], "y_pred": ["a", "a|b", ""]})
    settings = Settings(truth="y", pred="y_pred", encoding="delimited", delimiter="|")
    evaluation = build(table, settings, name="none", content_sha256="lenses-none")
    titles = [card[0] for card in lenses._multilabel_cards(evaluation)]
    assert titles == ["Subset accuracy", "Per-label accuracy", "Overlap with the truth"]
