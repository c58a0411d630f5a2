"""The gap between micro and macro F1 is explained once: the parts add up, and no place says another thing."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

from metrics.confusion.averages import macro, micro
from metrics.confusion.counts import confusion_counts, confusion_counts_from_matrix
from metrics.confusion.macro_gap import FAR, macro_gap, macro_gap_of_labels
from metrics.findings.clear_differences import gap_is_clear, gap_of_cells_is_clear
from metrics.findings.findings import Tables, findings
from metrics.intervals.joint_counts import label_joint_counts
from metrics.multilabel.set_counts import multilabel_counts
from metrics.outcomes import F1
from tests.measured_numbers import numbers_of
from tests.metrics.findings.test_tables import Rows


def assert_close(found, expected):
    assert found == pytest.approx(expected, abs=1e-12)


@st.composite
def listed_counts(draw):
    """Counts of a few classes of any sizes, and which of them a list names."""
    k = draw(st.integers(2, 7))
    matrix = draw(st.lists(st.lists(st.integers(0, 30), min_size=k + 1, max_size=k + 1), min_size=k, max_size=k))
    for code in draw(st.sets(st.integers(0, k - 1))):
        matrix[code] = [0] * (k + 1)
    full = confusion_counts_from_matrix(matrix, tuple("abcdefg"[:k]))
    listed = draw(st.one_of(st.none(), st.sets(st.integers(0, k - 1)).map(lambda codes: tuple(sorted(codes)))))
    return confusion_counts(
        full.true, full.pred, labels=full.labels, n_space=draw(st.integers(1, k)), weights=full.rows, listed=listed
    )


@given(listed_counts())
def test_the_parts_add_up_to_the_gap(counts):
    gap = macro_gap(counts)
    if not counts.n:
        assert np.isnan(gap.gap) and gap.text() == "Macro F1 and micro F1 are undefined: no row is scored."
        return
    assert_close(gap.gap, micro(counts, F1) - macro(counts, F1, over="space"))
    parts = gap.from_absent, gap.from_never_true, gap.from_never_predicted, gap.from_other
    assert_close(sum(parts), gap.gap)
    assert min(parts[:3]) >= -1e-12
    shares = gap.shares()
    assert (gap.gap > 1e-9) == bool(shares)
    if shares:
        assert_close(sum(shares.values()), 1)
        assert min(shares.values()) >= 0


@given(listed_counts())
def test_only_listed_classes_are_the_samples(counts):
    gap, codes = macro_gap(counts), range(counts.n_space)
    listed = set(codes) if counts.listed is None else set(counts.listed)
    without = [code for code in codes if not counts.support[code]]
    invented = [code for code in without if counts.predicted[code] and code not in listed]
    assert sorted(gap.never_true) == [counts.labels[code] for code in invented]
    assert sorted(gap.absent) == [counts.labels[code] for code in without if code not in invented]
    if not gap.absent:
        assert_close(gap.from_absent if counts.n else 0, 0)
        assert "listed" not in gap.text() and "perfect model" not in gap.text()
    if not invented:
        assert_close(gap.from_never_true if counts.n else 0, 0)
    if counts.n and counts.n_space > len(invented):
        # a perfect model on these rows predicts no label that is never true
        perfect = np.isin(codes, np.flatnonzero(counts.support))[np.setdiff1d(codes, invented)].mean()
        assert_close(gap.max_macro_f1, perfect)


@given(listed_counts())
def test_every_place_has_the_same_sentence(counts):
    gap = macro_gap(counts)
    told = [f for f in findings(Tables(n_rows=counts.n, confusion=counts)) if f.code.startswith("macro_far")]
    assert [f.text for f in told] == ([gap.text()] if gap.is_far and gap_is_clear(counts) else [])
    if told:
        sample = gap.shares()["absent"] >= 0.5
        assert (told[0].code == "macro_far_below_micro_sample") == sample
        repeats = gap.shares()["never_true"] >= 0.5  # another finding says that these labels are never true
        assert told[0].severity == ("warning" if sample or repeats else "serious")
    text = gap.text()
    shares = [float(share) for share in re.findall(r"([\d.]+) % of (?:the gap|it)", text)]
    if shares and "< 0.1" not in text and "> 99.9" not in text:
        assert sum(shares) == pytest.approx(100, abs=0.25)
    zeros = re.search(r"(\d+) class(?:es)? (?:has|have) an F1 of 0", text)
    f1, true = F1.value(counts)[: counts.n_space], counts.support[: counts.n_space] > 0
    if zeros:
        assert int(zeros[1]) == int((f1[true] == 0).sum()) + gap.n_never_true
    elif counts.n and abs(gap.gap) <= FAR:
        assert not (f1[true] == 0).any() and not gap.n_never_true


@given(st.integers(2, 6).flatmap(lambda k: st.tuples(st.just(k), st.integers(1, 30), st.randoms())))
def test_balanced_classes_are_never_rare(drawn):
    k, n, random = drawn
    pred = np.array([random.randrange(k) for _ in range(k * n)])
    counts = confusion_counts(np.repeat(np.arange(k), n), pred, labels=tuple("abcdef"[:k]))
    assert "rare" not in macro_gap(counts).text()


@given(st.lists(st.tuples(*[st.booleans()] * 6), max_size=30), st.sampled_from([None, (), (0,), (0, 2)]))
def test_several_labels_a_row_are_explained_alike(rows, listed):
    table = np.array(rows, dtype=bool).reshape(-1, 6)
    counts = multilabel_counts(table[:, :3], table[:, 3:], ("x", "y", "z"))
    gap = macro_gap_of_labels(counts, listed=listed)
    if counts.n and not math.isnan(gap.gap):
        parts = gap.from_absent, gap.from_never_true, gap.from_never_predicted, gap.from_other
        assert_close(sum(parts), gap.gap)
        assert "class" not in gap.text()
    given = Rows("multilabel", ("x", "y", "z"), table[:, :3], table[:, 3:], listed=listed)
    found = numbers_of(given)
    assert found["macro_gap"]["text"] == gap.text()
    told = [one["text"] for one in found["findings"] if one["code"].startswith("macro_far")]
    cells = label_joint_counts(given.y_true, [given.y_pred], n_space=3)
    clear = gap.is_far and bool(counts.n) and gap_of_cells_is_clear(cells)
    assert told == ([gap.text()] if clear else [])
    assert found["never_true"] == sorted(gap.never_true)


def test_misspelt_predictions_are_not_the_samples_doing():
    # 2 true classes, each predicted rightly in 40 rows and in 10 rows by five spellings of its name; no list given
    spellings = tuple(f"{label}{i}" for label in "ab" for i in range(5))
    matrix = np.zeros((12, 12), dtype=int)
    matrix[[0, 1], [0, 1]] = 40
    matrix[0, 2:7] = matrix[1, 7:12] = 2
    made = confusion_counts_from_matrix(matrix, ("a", "b", *spellings))
    counts = confusion_counts(made.true, made.pred, labels=made.labels, weights=made.rows, listed=(0, 1))
    gap = macro_gap(counts)
    assert gap.shares()["absent"] == 0 and gap.n_never_true == 10 and gap.max_macro_f1 == 1.0
    assert gap.text() == (
        "Macro F1 over all 12 classes is 0.148, far below micro F1 0.800. All of the gap is 10 predicted "
        "labels that are never true ('a0', 'a1', 'a2' and 7 more). The other classes do better on average than micro "
        "F1."
    )
    given_list = macro_gap(made)
    assert given_list.shares()["never_true"] == 0 and given_list.n_absent == 10


def test_zero_f1_classes_are_told_beside_small_gaps():
    matrix = np.diag([100] * 38 + [0, 0])
    matrix[38, 0] = matrix[39, 1] = 20
    text = macro_gap(confusion_counts_from_matrix(matrix, [f"class {i:02}" for i in range(40)])).text()
    assert text.endswith(", near micro F1 0.990. Yet 2 classes have an F1 of 0.")


def test_a_macro_f1_far_above_is_explained():
    # three small classes always right, the large one in 4 of 10 rows
    matrix = np.diag([40, 5, 5, 5])
    matrix = np.hstack([matrix, [[60], [0], [0], [0]]])
    text = macro_gap(confusion_counts_from_matrix(matrix, tuple("abcd"))).text()
    assert "far above micro F1" in text
    assert text.endswith(" Classes with more rows, true or predicted, do worse than the mean.")


def test_gap_of_a_perfect_model_is_the_samples():
    perfect = np.diag([40] * 10 + [0] * 67)
    gap = macro_gap(confusion_counts_from_matrix(perfect, [str(i) for i in range(77)]))
    assert_close(gap.macro_f1_space, 10 / 77)
    assert_close(gap.max_macro_f1, 10 / 77)
    assert_close(gap.from_absent, gap.gap)
    assert_close((gap.from_never_predicted, gap.from_other), (0, 0))
    assert (gap.n_absent, gap.n_never_predicted) == (67, 0)


def test_abandoned_classes_make_the_gap():
    gap = macro_gap(confusion_counts_from_matrix([[90, 0, 0], [0, 9, 0], [1, 0, 0]], ("a", "b", "c")))
    f1_of_a = 180 / 181
    assert_close(gap.from_absent, 0)
    assert_close(gap.from_never_predicted, (f1_of_a + 1) / 2 - (f1_of_a + 1) / 3)
    assert_close(gap.from_other, 0.99 - (f1_of_a + 1) / 2)
    assert (gap.n_absent, gap.n_never_predicted) == (0, 1)


def test_label_outside_the_space_is_the_rest():
    gap = macro_gap(confusion_counts_from_matrix([[0, 0], [0, 5]], ("asked never", "made up"), n_space=1))
    assert (gap.micro_f1, gap.macro_f1_space, gap.max_macro_f1, gap.n_absent) == (1.0, 0.0, 0.0, 1)
    assert (gap.from_absent, gap.from_never_predicted, gap.from_other) == (0.0, 0.0, 1.0)
