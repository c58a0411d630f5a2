"""A threshold for every label: the same rows predicted cell by cell, and nothing else changed."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.building.rescoring import with_label_thresholds, with_threshold
from data.errors import DataError
from data.evaluation import Evaluation, Settings

SETTINGS = Settings(truth="y", encoding="delimited", delimiter=";", scores=(("p", "a"), ("q", "b")))
TABLE = pa.table(
    {"y": ["a;b", "b", "c", "a"], "p": [0.2, 0.4, None, 0.6], "q": [0.2, 0.4, None, None], "g": ["a", "b", "c", "c"]}
)


def made(**changes) -> Evaluation:
    return build(TABLE, dataclasses.replace(SETTINGS, **changes), name="t", content_sha256="0")


def test_every_cell_compares_score_and_threshold():
    found = with_label_thresholds(made(), np.array([0.5, 0.2]))
    by_hand = [["b"], ["b"], [], ["a"]]
    assert [[found.labels[code] for code in np.flatnonzero(row)] for row in found.y_pred] == by_hand


def test_row_without_any_score_has_no_prediction():
    found = with_label_thresholds(made(), np.array([0.5, 0.2]))
    assert found.scored.tolist() == [True, True, False, True] and found.n_missing_pred == 1


@pytest.mark.parametrize("changes", [{}, {"pred": "g"}, {"threshold": 0.3}])
def test_equal_label_thresholds_are_one_threshold(changes):
    start = made(**changes)
    one, other = with_label_thresholds(start, np.array([0.4, 0.4])), with_threshold(start, 0.4)
    assert (one.y_pred == other.y_pred).all() and (one.scored == other.scored).all()
    assert (one.fingerprint, one.threshold) == (other.fingerprint, other.threshold)


def test_fingerprint_follows_thresholds_only():
    start, thresholds = made(pred="g"), np.array([0.5, 0.2])
    straight, round_about = (with_label_thresholds(e, thresholds) for e in (start, with_threshold(start, 0.9)))
    assert straight.fingerprint == round_about.fingerprint and (straight.y_pred == round_about.y_pred).all()
    others = [with_label_thresholds(start, np.array(pair)) for pair in ((0.5, 0.3), (0.2, 0.5))]
    assert len({straight.fingerprint, start.fingerprint, *(e.fingerprint for e in others)}) == 4
    assert straight.threshold is None


def test_a_truth_that_is_missing_stays_missing():
    table = pa.table({"y": ['["a"]', None, '["b"]'], "p": [0.9, 0.9, None], "q": [0.9, 0.1, None]})
    start = build(table, dataclasses.replace(SETTINGS, encoding="json"), name="t", content_sha256="0")
    found = with_label_thresholds(start, np.array([0.5, 0.2]))
    assert found.scored.tolist() == [True, False, False]
    assert (found.n_missing_truth, found.n_missing_pred) == (1, 1)


def test_infinite_thresholds_predict_nothing_or_every_score():
    found = with_label_thresholds(made(), np.array([np.inf, -np.inf]))
    assert found.y_pred[:, found.labels.index("a")].sum() == 0
    assert found.y_pred[:, found.labels.index("b")].tolist() == [True, True, False, False]


@pytest.mark.parametrize("thresholds", [[0.5], [0.5, float("nan")], [[0.5, 0.5]]])
def test_wrong_thresholds_are_refused(thresholds):
    with pytest.raises(ValueError, match="2 thresholds were wanted"):
        with_label_thresholds(made(), np.array(thresholds))


def test_single_label_and_unscored_files_are_refused():
    single = build(pa.table({"y": ["0", "1"], "p": [0.2, 0.4]}), Settings("y", scores=(("p", "1"),), positive="1"),
                   name="t", content_sha256="0")  # fmt: skip
    for evaluation in (single, dataclasses.replace(made(), y_score=None)):
        with pytest.raises(DataError, match="threshold for each label"):
            with_label_thresholds(evaluation, np.array([0.5]))
