"""The lenses say what applies to a file, and nothing about what it lacks."""

import pyarrow as pa

from data.building.build import build
from data.evaluation import Settings
from tests.opened_runs import open_run
from ui.overview.finding_list import _lens_names, lenses, words


def names(sample: str) -> list[str]:
    return [lens.name for lens in lenses(open_run(sample))]


def test_lenses_are_those_that_apply():
    assert names("screening") == ["Recall", "Precision", "Accuracy", "ROC AUC", "Calibration"]
    assert names("support-intents") == ["Accuracy", "Macro F1", "Never predicted", "Confusion", "Confidence"]
    assert names("support-intents-llm") == ["Accuracy", "No label found", "Macro F1", "Never predicted", "Confusion"]
    assert names("movie-genres")[:2] == ["Subset accuracy", "Per-label accuracy"]


def test_lenses_about_labels_need_true_labels():
    table = pa.table({"y": ["", "", ""], "y_pred": ["a", "a|b", ""]})
    settings = Settings(truth="y", pred="y_pred", encoding="delimited", delimiter="|")
    evaluation = build(table, settings, name="none", content_sha256="lenses-none")
    assert [lens.name for lens in lenses(evaluation)] == ["Subset accuracy", "Per-label accuracy", "Labels per row"]


def test_lenses_hold_the_interval_and_its_method():
    recall, precision, accuracy, auc, calibration = lenses(open_run("screening"))
    assert (recall.figure, recall.sure.within) == ("0.070", "0.034 to 0.137")
    assert precision.sure.within.endswith(", too few rows")
    assert accuracy.sure.about == "95 % interval 98.7 to 99.1 % (Wilson, 10,000 rows)"
    assert "DeLong" in auc.sure.about and calibration.sure is None


def test_lenses_name_numbers_as_classes_at_full_length():
    evaluation = open_run("digits")
    (line,) = [lens.line for lens in lenses(evaluation) if lens.name == "Confusion"]
    parts = [part for part in words(line, _lens_names(evaluation)) if part[0] == "label"]
    assert parts == [["label", "class 1", "class 1"], ["label", "class 8", "class 8"]]


def test_lenses_of_weighted_rows_say_what_they_count():
    table = pa.table({"y": ["a", "b", "a", "b"], "y_pred": ["a", "b", "b", "b"], "w": [1.0, 2.5, 3.0, 1.0]})
    settings = Settings(truth="y", pred="y_pred", positive="b", weights="w")
    evaluation = build(table, settings, name="weighted", content_sha256="lenses-weighted")
    recall, precision, *_ = lenses(evaluation)
    assert recall.line[-1] == " rows are found, each row counted once"
    assert (precision.figure, precision.line[-1]) == ("0.538", " are right, each row counted once")
