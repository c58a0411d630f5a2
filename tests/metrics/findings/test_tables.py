"""The small tables are what a loop over the rows counts."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, strategies as st

from metrics.confusion.counts import MISSING, UNPARSEABLE
from metrics.findings.tables import count_confusions, count_labels, count_scored, count_scores


@dataclass
class Rows:
    """A stand-in for a loaded evaluation: only the attributes that counting may use."""

    task: str
    labels: tuple[str, ...]
    y_true: np.ndarray
    y_pred: np.ndarray
    y_score: np.ndarray | None = None
    score_upper: np.ndarray | None = None
    score_codes: tuple[int, ...] = ()
    scale: str = "probability"
    positive: int | None = None
    threshold: float | None = None
    n_space: int = -1
    weights: np.ndarray | None = None
    listed: tuple[int, ...] | None = None
    units: np.ndarray | None = None
    ranks: tuple[int, ...] = ()
    paths: tuple[tuple[int, ...], ...] = ()
    has_predictions: bool = True
    scored: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))

    def __post_init__(self):
        self.n_space = len(self.labels) if self.n_space < 0 else self.n_space
        if self.task != "multilabel":
            self.scored = (self.y_true != MISSING) & (self.y_pred != MISSING)
        elif not len(self.scored):
            self.scored = np.ones(len(self.y_true), bool)
        default = 0.0 if self.scale == "logit" else 0.5
        self.effective_threshold = default if self.threshold is None else self.threshold
        self.n_rows = len(self.y_true)
        self.n_missing_truth = int((self.y_true == MISSING).sum()) if self.task != "multilabel" else 0
        self.n_missing_pred = int((self.y_pred == MISSING).sum()) if self.task != "multilabel" else 0


SCORES = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, float("nan")])


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, MISSING]), st.sampled_from([0, 1, 2, MISSING, UNPARSEABLE]))))
def test_confusions_count_rows_with_both_labels(rows):
    codes = np.array(rows, dtype=np.int32).reshape(-1, 2)
    counts = count_confusions(Rows("multiclass", ("a", "b", "c"), codes[:, 0], codes[:, 1], n_space=2))
    slow = np.zeros((3, 4), dtype=int)
    for true, pred in rows:
        if MISSING not in (true, pred):
            slow[true, 3 if pred == UNPARSEABLE else pred] += 1
    assert np.array_equal(counts.matrix(), slow)
    assert counts.n_space == 2 and counts.labels == ("a", "b", "c")


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, 1, 2, MISSING]),
            st.sampled_from([0, 1, 2, MISSING, UNPARSEABLE]),
            st.sampled_from([0, 1, 2, 5, 10**12]),
        )
    )
)
def test_weighted_confusions_equal_written_rows(lines):
    codes = np.array(lines, dtype=np.int64).reshape(-1, 3)
    p = Rows("multiclass", ("a", "b", "c"), codes[:, 0], codes[:, 1], weights=codes[:, 2])
    counts = count_confusions(p)
    slow = [[0] * 4 for _ in range(3)]
    for true, pred, rows in lines:
        if MISSING not in (true, pred):
            slow[true][3 if pred == UNPARSEABLE else pred] += rows
    assert counts.matrix().tolist() == slow
    assert (counts.rows > 0).all()
    assert count_scored(p) == counts.n == sum(map(sum, slow))
    assert counts.predicted.tolist() == [sum(row[code] for row in slow) for code in range(3)]


@given(st.lists(st.tuples(*[st.booleans()] * 5), max_size=20))
def test_label_sets_are_counted_over_the_scored_rows(rows):
    cells = np.array(rows, dtype=bool).reshape(-1, 5)
    p = Rows("multilabel", ("a", "b"), cells[:, :2], cells[:, 2:4], scored=cells[:, 4])
    counts = count_labels(p)
    kept = [row for row in rows if row[4]] if len(rows) else []
    assert counts.n == len(kept)
    for i in range(2):
        assert counts.tp[i] == sum(row[i] and row[2 + i] for row in kept)
        assert counts.fp[i] == sum(not row[i] and row[2 + i] for row in kept)
        assert counts.fn[i] == sum(row[i] and not row[2 + i] for row in kept)
    assert counts.n_exact == sum(row[:2] == row[2:4] for row in kept)


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, MISSING]), st.sampled_from([0, 1, MISSING]), SCORES, SCORES)))
def test_scores_of_one_class_against_the_rest(rows):
    y_true = np.array([row[0] for row in rows], dtype=np.int32)
    y_pred = np.array([row[1] for row in rows], dtype=np.int32)
    y_score = np.array([row[2:] for row in rows], dtype=float).reshape(-1, 2)
    p = Rows("multiclass", ("a", "b", "c"), y_true, y_pred, y_score=y_score, score_codes=(2, 0))
    assert count_scores(p, 1) is None
    for column, code in enumerate((2, 0)):
        found = count_scores(p, code)
        assert found is not None
        kept = [(true, s[column]) for true, pred, *s in rows if MISSING not in (true, pred)]
        known = [(true == code, score) for true, score in kept if score == score]
        assert found.n_without_score == len(kept) - len(known)
        assert (found.n_pos, found.n_neg) == (sum(t for t, _ in known), sum(not t for t, _ in known))
        assert found.score.tolist() == sorted({score for _, score in known}, reverse=True)
        assert found.tp.tolist() == [sum(t and s >= at for t, s in known) for at in found.score]
        assert found.fp.tolist() == [sum(not t and s >= at for t, s in known) for at in found.score]


def test_scores_of_one_label_of_several():
    truth = np.array([[True, False], [True, True], [False, True]])
    p = Rows(
        "multilabel",
        ("a", "b"),
        truth,
        truth,
        y_score=np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.2]]),
        score_codes=(0, 1),
    )
    found = count_scores(p, 1)
    assert found is not None and found.tp.tolist() == [2, 2] and found.fp.tolist() == [0, 1]


def test_without_scores_there_are_no_score_counts():
    p = Rows("binary", ("a", "b"), np.array([0, 1]), np.array([0, 1]), positive=1)
    assert count_scores(p, 1) is None


def test_several_labels_a_row_have_no_confusion_matrix():
    sets = np.ones((2, 1), dtype=bool)
    with pytest.raises(ValueError, match="no confusion matrix"):
        count_confusions(Rows("multilabel", ("a",), sets, sets))
