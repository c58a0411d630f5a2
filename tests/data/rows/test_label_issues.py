"""Likely label errors are those of the published rule, worked out row by row."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from data.evaluation import MISSING, Settings
from data.rows.label_issues import ROUNDING, confident_learning, find_label_issues
from tests.data.few_rows import MANY, RAW, SCORED_SETS, SETS, evaluate


def slow(given_, scores):
    """Northcutt, Jiang & Chuang 2021, section 3.1, in plain Python: what is listed."""
    classes = range(len(scores[0]))
    thresholds = []
    for j in classes:
        own = [row[j] for label, row in zip(given_, scores, strict=True) if label == j]
        thresholds.append(sum(own) / len(own) if own else math.nan)
    listed = []
    for i, (label, row) in enumerate(zip(given_, scores, strict=True)):
        reached = [j for j in classes if row[j] >= thresholds[j] - ROUNDING]
        if not reached:
            continue
        guess = max(reached, key=lambda j: row[j])  # the first on a tie
        if guess != label:
            highest_other = max(row[j] for j in classes if j != label)
            if row[label] < highest_other:
                listed.append((i, guess, row[label], row[label] - highest_other))
    return listed


tenths = st.integers(0, 10).map(lambda n: n / 10)
tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(
        st.tuples(st.integers(0, k - 1), st.lists(tenths, min_size=k, max_size=k)), min_size=1, max_size=30
    )
)


@given(tables)
def test_issues_follow_the_rule(rows):
    labels, scores = [label for label, _ in rows], [row for _, row in rows]
    listed = slow(labels, scores)
    found = confident_learning(np.array(labels), np.asfortranarray(scores))
    assert found.places.tolist() == [i for i, *_ in listed] and found.suggested.tolist() == [g for _, g, *_ in listed]
    assert np.allclose(found.self_confidence, [own for *_, own, _ in listed])
    assert np.allclose(found.margin, [margin for *_, margin in listed]) and (found.margin < 0).all()


def test_labels_that_were_turned_over_are_found_again():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 600)
    scores = 0.05 + 0.85 * np.eye(3)[truth]  # as sure of each: a class's mean is below what it gives its own
    wrong = rng.choice(600, 20, replace=False)
    written = truth.copy()
    written[wrong] = (truth[wrong] + 1) % 3
    columns = {f"p_{name}": scores[:, code] for code, name in enumerate("abc")}
    e = evaluate({"y_true": np.array(list("abc"))[written].tolist(), **columns})
    found = find_label_issues(e)
    assert set(wrong.tolist()) == set(found.rows.tolist())
    assert (
        found.suggested.tolist() == truth[found.rows].tolist() and found.given.tolist() == written[found.rows].tolist()
    )
    assert (np.diff(found.self_confidence) >= 0).all() and found.n_looked == 600 and found.n_left_out == 0
    assert found.margin.tolist() == [0.05 - 0.9] * 20


def test_one_score_is_two_classes():
    p = [0.1, 0.95, 0.2, 0.9, 0.85, 0.05]
    e = evaluate({"y_true": list("aaabbb"), "p": p})
    assert e.score_codes == (1,)
    listed = slow([0, 0, 0, 1, 1, 1], [[1 - x, x] for x in p])
    found = find_label_issues(e)
    assert sorted(found.rows.tolist()) == [i for i, *_ in listed] == [1, 5]
    assert found.given.tolist() == [0, 1] or found.given.tolist() == [1, 0]


def test_logits_are_judged_as_probabilities():
    p = np.array([0.1, 0.95, 0.2, 0.9, 0.85, 0.05])
    y = list("aaabbb")
    plain = find_label_issues(evaluate({"y": y, "p": p}, Settings(truth="y", scores=(("p", "b"),))))
    logit = Settings(truth="y", scores=(("x", "b"),), scale="logit")
    found = find_label_issues(evaluate({"y": y, "x": np.log(p / (1 - p))}, logit))
    assert found.rows.tolist() == plain.rows.tolist() and np.allclose(found.self_confidence, plain.self_confidence)


def test_incomplete_rows_are_left_out_and_counted():
    e = evaluate(
        {
            "y_true": ["a", "b", None, "x", "a", "b"],
            "y_pred": ["a"] * 6,
            "p_a": [0.9, 0.2, 0.5, 0.5, None, 0.95],
            "p_b": [0.1, 0.8, 0.5, 0.5, 0.5, 0.05],
        },
        Settings(truth="y_true", pred="y_pred", scores=(("p_a", "a"), ("p_b", "b")), label_set=("a", "b", "c")),
    )
    found = find_label_issues(e)
    assert found.n_looked == 3 and found.n_left_out == 3 and set(found.rows.tolist()) <= {0, 1, 5}
    assert found.rows.tolist() == [5] and found.given.tolist() == [1] and found.suggested.tolist() == [0]


def test_several_labels_are_judged_one_by_one():
    wanted = []
    for code in range(3):
        column = SCORED_SETS.y_score[:, code]
        rows = [i for i in (0, 1, 2, 4, 5) if not math.isnan(column[i])]
        written = [int(SCORED_SETS.y_true[i, code]) for i in rows]
        listed = slow(written, [[1 - column[i], column[i]] for i in rows])
        for at, guess, own, _ in listed:
            sides = (MISSING, code) if guess else (code, MISSING)
            wanted.append((own, rows[at], *sides))
    found = find_label_issues(SCORED_SETS)
    made = list(zip(found.rows.tolist(), found.given.tolist(), found.suggested.tolist(), strict=True))
    assert wanted and made == [one[1:] for one in sorted(wanted, key=lambda one: one[0])]
    assert found.n_looked == 5 and found.n_left_out == 1
    assert ((found.given == MISSING) != (found.suggested == MISSING)).all()


def test_label_issues_need_scores_and_rows():
    assert find_label_issues(RAW) is None and find_label_issues(SETS) is None
    e = evaluate({"y_true": ["a", "b"], "p_a": [None, None], "p_b": [0.5, 0.5]}, Settings(
        truth="y_true", scores=(("p_a", "a"), ("p_b", "b")), label_set=("a", "b", "c")))  # fmt: skip
    found = find_label_issues(e)
    assert len(found.rows) == 0 and found.n_looked == 0 and found.n_left_out == 2


def test_highest_true_score_is_no_issue():
    rows = find_label_issues(MANY).rows.tolist()
    assert rows
    for row in rows:
        assert MANY.y_score[row].argmax() != MANY.y_true[row]


@pytest.mark.parametrize("layout", ["C", "F"])
def test_more_rows_than_a_block_are_judged(layout):
    rng = np.random.default_rng(1)
    n = 70_000
    labels, scores = rng.integers(0, 3, n), np.array(rng.random((n, 3)), order=layout)
    found = confident_learning(labels, scores)
    thresholds = np.array([scores[labels == code, code].mean() for code in range(3)])
    parts = scores >= thresholds - ROUNDING
    guess = np.where(parts.any(axis=1), np.where(parts, scores, -1).argmax(axis=1), -1)
    off = (guess >= 0) & (guess != labels)
    assert off[found.places].all() and (guess[found.places] == found.suggested).all()
    assert (scores[off].argmax(axis=1) != labels[off]).sum() == len(found.places)
