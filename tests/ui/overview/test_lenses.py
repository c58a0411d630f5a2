"""The lenses say what applies to a file, and nothing about what it lacks."""

import pyarrow as pa

from data.building.build import build
from data.evaluation import Settings
from tests.opened_runs import open_run
from ui.overview.lenses import lenses


def names(sample: str) -> list[str]:
    return [lens.name for lens in lenses(open_run(sample))]


def test_lenses_are_those_that_apply():
    assert names("screening") == ["Recall", "Precision", "Accuracy", "ROC AUC", "Calibration"]
    assert names("support-intents") == ["Accuracy", "Macro F1", "Never predicted", "Confusion"]
    assert names("support-intents-llm") == ["Accuracy", "No label found", "Macro F1", "Never predicted", "Confusion"]
    assert names("movie-genres")[:2] == ["Subset accuracy", "Per-label accuracy"]


def test_without_a_true_label_the_lenses_about_labels_are_left_out():
    table = pa.table({"y": ["", "", ""], "y_pred": ["a", "a|b", ""]})
    settings = Settings(truth="y", pred="y_pred", encoding="delimited", delimiter="|")
    evaluation = build(table, settings, name="none", content_sha256="lenses-none")
    assert [lens.name for lens in lenses(evaluation)] == ["Subset accuracy", "Per-label accuracy", "Labels per row"]
