"""The classes and pairs worth looking at, against slow and obvious ways to find them."""

import pytest
from hypothesis import given, strategies as st

from metrics.confusion.worst_confusions import (
    Confusion,
    Favourite,
    absent,
    confusions,
    favourites,
    never_predicted,
    outside_label_space,
)
from tests.metrics.pairs import many_classes, pairs

LABELS = ("a", "b", "c", "d")


@given(pairs())
def test_never_predicted_absent_and_unlisted_differ(p):
    counts = p.counts
    codes = range(len(p.names))
    rows = [(t, q) for t, q in zip(p.y_true.tolist(), p.y_pred.tolist(), strict=True) if t >= 0 and q != -1]
    asked, answered = {t for t, _ in rows}, {q for _, q in rows}
    assert never_predicted(counts).tolist() == [code for code in codes if code in asked - answered]
    assert absent(counts).tolist() == [code for code in codes if code < p.n_space and code not in asked]
    assert outside_label_space(counts).tolist() == [code for code in codes if code >= p.n_space]


def slow_confusions(counts):
    wrong = [
        Confusion(t, q, n, n / int(counts.support[t]))
        for t, q, n in zip(counts.true.tolist(), counts.pred.tolist(), counts.rows.tolist(), strict=True)
        if t != q
    ]
    return sorted(wrong, key=lambda c: (-c.rows, -c.share, c.true, c.pred))


@given(pairs(), st.one_of(st.none(), st.integers(0, 12)))
def test_confusions_are_ranked_by_rows_then_by_share(p, limit):
    assert confusions(p.counts, limit) == slow_confusions(p.counts)[:limit]


@pytest.mark.parametrize("limit", [None, 0, 1, 20, 10_000])
def test_confusions_of_a_thousand_classes(limit):
    counts = many_classes().counts
    found = confusions(counts, limit)
    assert found == slow_confusions(counts)[:limit]
    assert all(type(value) is int for value in (c for confusion in found[:3] for c in confusion[:3]))


def slow_favourites(counts, factor, min_extra):
    matrix = counts.matrix()
    found = []
    for code in range(len(counts.labels)):
        predicted, support = int(matrix[:, code].sum()), int(matrix[code].sum())
        if predicted > support and predicted >= factor * support and predicted - support >= min_extra:
            feeders = [(t, int(n)) for t, n in enumerate(matrix[:, code]) if n and t != code]
            feeders.sort(key=lambda feeder: (-feeder[1], feeder[0]))
            found.append(Favourite(code, predicted, support, tuple(feeders)))
    return sorted(found, key=lambda f: (f.support - f.predicted, f.code))


@given(pairs(), st.sampled_from([1.0, 1.5, 2.0, 4.0]), st.integers(0, 6))
def test_favourites_are_predicted_far_more_often_than_true(p, factor, min_extra):
    found = favourites(p.counts, factor, min_extra)
    assert found == slow_favourites(p.counts, factor, min_extra)
    for favourite in found:
        assert sum(n for _, n in favourite.feeders) == favourite.predicted - p.counts.correct[favourite.code]


def test_favourites_of_a_thousand_classes():
    counts = many_classes().counts
    found = favourites(counts)
    assert len(found) > 10 and found == slow_favourites(counts, 2.0, 5)
