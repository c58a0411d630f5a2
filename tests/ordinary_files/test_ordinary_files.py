"""Ordinary files are read as they were meant: the numbers equal those of a slow reading that knows the roles."""

import pytest
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

from tests.ordinary_files.draw import draw_file
from tests.ordinary_files.drawn import Reading
from tests.ordinary_files.judge import ASKED, REFUSED, SILENT, judge
from tests.ordinary_files.oracle import measure_accuracy, measure_log_loss, measure_roc_auc, predict
from tests.reading_here import reading_here

SEEDS = range(1, 61)
SCORED = (*range(1, 73), 132, 168, 40016, 20622, 20746, 21018, 21112, 70626, 80254, 80466, 80471, 91284, 93222)
"""The last ones were read wrongly without a word."""


def test_a_seed_draws_one_file():
    once, again = ([draw_file(seed) for seed in SEEDS] for _ in range(2))
    assert [drawn.reading for drawn in once] == [drawn.reading for drawn in again]
    texts = [[file for drawn in drawing for file in drawn.files if "xlsx" not in file[0]] for drawing in (once, again)]
    assert texts[0] == texts[1], "a workbook holds the time of day"


def test_oracle_counts_as_scikit_learn():
    readings = [draw_file(seed).reading for seed in SEEDS]
    for reading in readings:
        if not isinstance(reading.truth[0], frozenset):
            check_against_scikit_learn(reading)


def check_against_scikit_learn(reading: Reading) -> None:
    assert measure_accuracy(reading) == pytest.approx(accuracy_score(list(reading.truth), predict(reading)))
    classes = sorted({*reading.scores, *reading.truth})
    if reading.scale == "probability" and len(classes) == 2 and len(set(reading.truth)) == 2:
        positive = next(iter(reading.scores))
        is_positive = [label == positive for label in reading.truth]
        values = list(reading.scores[positive])
        assert measure_roc_auc(reading.truth, reading.scores, positive) == pytest.approx(
            roc_auc_score(is_positive, values)
        )
        assert measure_log_loss(reading) == pytest.approx(log_loss(is_positive, values), abs=1e-4)


def test_ordinary_files_are_read_as_meant(tmp_path):
    with reading_here():
        outcomes = {seed: judge(draw_file(seed), tmp_path).outcome for seed in SCORED}
    silent = [seed for seed, outcome in outcomes.items() if outcome == SILENT]
    asked = [seed for seed, outcome in outcomes.items() if outcome in (ASKED, REFUSED)]
    assert not silent, "see one: python -m tests.ordinary_files --files 1 --seed SEED --show all"
    assert len(asked) < len(SCORED) / 20
