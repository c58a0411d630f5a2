"""Labels are text: reconciled between columns only where that cannot be wrong, and never merged in silence."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.columns.column import Column, distinct
from data.errors import DataError
from data.evaluation import MISSING
from data.labels.encode import build_label_space, check_labels, warn_of_missing_words
from data.labels.label_merges import resolve_merges
from data.labels.spelling import reconcile, sort_labels


def column(values, kind=None):
    return pa.chunked_array([pa.array(values, kind)])


def read_numbers(cells):
    return Column(pa.table({"p": cells}), "p").numbers


@given(st.lists(st.sampled_from(["a", "b", "NA", "null", "None", "nan", "", "  ", None])))
def test_distinct_equals_a_plain_loop(cells):
    expected = [None if cell is None or not cell.strip() else cell for cell in cells]
    for array in (column(cells, pa.string()), column(cells, pa.string()).dictionary_encode()):
        found = distinct(array)
        assert [None if c == MISSING else found.values[c] for c in found.codes] == expected
        assert found.n_missing == expected.count(None)
        assert dict(zip(found.values, found.counts.tolist(), strict=True)) == {
            v: expected.count(v) for v in expected if v is not None
        }


def test_chunks_with_different_dictionaries_are_one_column():
    one = pa.array(["a", "b"]).dictionary_encode()
    two = pa.DictionaryArray.from_arrays(pa.array([1, None], pa.int32()), pa.array(["unused", "b"]))
    found = distinct(pa.chunked_array([one, two]))
    assert [found.values[c] if c >= 0 else None for c in found.codes] == ["a", "b", "b", None]
    assert set(found.values) == {"a", "b"}


@pytest.mark.parametrize(
    ("cells", "texts"),
    [
        ([1, 2, None], ["1", "2", None]),
        ([1.0, 2.5, float("nan")], ["1.0", "2.5", None]),
        ([True, False], ["true", "false"]),
    ],
)
def test_numbers_and_booleans_become_their_text(cells, texts):
    found = distinct(column(cells))
    assert [None if c == MISSING else found.values[c] for c in found.codes] == texts


def test_cell_without_number_is_named():
    for cells in (
        ["0.5", "high"],
        ["0.5", "1,000"],
        ["1", "0x1"],
        ["1", "0_1"],
        ["1", "０.５"],
        ["1", "1e999"],
        ["1", "inf"],
    ):
        with pytest.raises(DataError, match=r"Column 'p', row 2: .* is not a finite number"):
            read_numbers(cells)
    with pytest.raises(DataError, match="row 2"):
        read_numbers([0.5, float("inf")])
    assert np.isnan(read_numbers(["1e-3", None, ""])).tolist() == [False, True, True]


def spelled(truth, predictions, label_set=None):
    found = build_label_space(
        {"truth": truth, "predictions": predictions}, space=["truth", "predictions"], label_set=label_set
    )
    return found, [found.spelling["truth"][v] for v in truth], [found.spelling["predictions"][v] for v in predictions]


@pytest.mark.parametrize(
    ("truth", "predictions", "labels"),
    [
        (["0", "1"], ["0.0", "1.0"], ["0", "1"]),
        (["0.0", "1.0"], ["0", "1"], ["0", "1"]),
        (["True", "False"], ["true", "false"], ["False", "True"]),
        (["0", "1"], ["True", "False"], ["0", "1"]),
        (["True", "False"], ["1.0", "0.0"], ["False", "True"]),
        (["0", "1", "2"], ["0.0", "2.0", "5.0"], ["0", "1", "2", "5"]),
        (["-1", "1"], ["-1.0", "1.0"], ["-1", "1"]),
        (["-1", "+1"], ["-1", "1"], ["-1", "1"]),
        (["-1", "1"], ["-1", "+1"], ["-1", "1"]),
        (["-1.0", "1.0"], ["-1", "+1"], ["-1", "1"]),
    ],
)
def test_spellings_of_a_number_are_one_label(truth, predictions, labels):
    found, true, pred = spelled(truth, predictions)
    assert list(found.labels) == labels
    assert set(true) | set(pred) == set(labels)
    assert len(found.notes) == 1 and "reconciled" in found.notes[0]


@pytest.mark.parametrize(
    ("truth", "predictions"),
    [
        (["001", "01", "1"], ["1", "01"]),  # three classes of one column
        (["1", "1.0"], ["1"]),  # the truth tells them apart
        (["1", "+1"], ["1"]),
        (["1.0", "2"], ["1.0", "2"]),  # one spelling in both
        (["1", "2"], ["1", "1.0"]),  # the predictions do
        (["1e3", "1000"], ["1e3"]),
        (["yes", "no"], ["1", "0"]),
        (["0", "1", "2"], ["True", "False"]),  # true is not certainly 1 among three numbers
        (["9007199254740993", "9007199254740992"], ["9007199254740993"]),
        (["01.0"], ["1"]),
        (["a"], ["A"]),
        (["01", "002"], ["1", "2"]),  # zeros in front of two widths
        (["01", "1"], ["1"]),  # two spellings of one number in one column
        (["01", "2a"], ["1", "2"]),
        (["01", "02"], ["1", "02"]),  # the predictions are half padded
        (["01", "02"], ["1", "x"]),
        (["10", "20"], ["010", "20"]),
        (["-01"], ["-1"]),
    ],
)
def test_nothing_else_is_merged(truth, predictions):
    found, true, pred = spelled(truth, predictions)
    assert true == truth and pred == predictions
    assert set(found.labels) == {*truth, *predictions} and not found.notes


def test_true_and_1_meet_their_match():
    spelling, _ = reconcile({"truth": ["0", "1"], "predictions": ["False", "True"]})
    assert spelling["predictions"] == {"False": "0", "True": "1"}


def test_label_set_gives_order_and_spelling():
    found, true, pred = spelled(["1.0", "0.0"], ["1.0", "7"], label_set=["1", "0"])
    assert found.labels == ("1", "0", "7") and found.n_space == 2
    assert true == ["1", "0"] and pred == ["1", "7"]


def test_codes_follow_the_labels_and_missing_stays_missing():
    cells = distinct(column(["b", None, "a", "b"]))
    found = build_label_space({"truth": cells.values}, space=["truth"])
    assert found.codes(cells, "truth").tolist() == [1, MISSING, 0, 1]
    assert found.codes(cells, "truth").dtype == np.int32


def test_numbers_are_ordered_by_value():
    assert sort_labels({"10", "9", "-1"}) == ["-1", "9", "10"]
    assert sort_labels({"LABEL_10", "LABEL_2"}) == ["LABEL_2", "LABEL_10"]
    assert sort_labels({"b10", "a9"}) == ["a9", "b10"]
    assert sort_labels({"Zebra", "apple"}) == ["Zebra", "apple"]


@pytest.mark.parametrize(
    ("one", "two", "by"),
    [
        ("Cat", "cat", "upper and lower case"),
        ("cat", "cat ", "spaces"),
        ("cat", "cat\u200b", "cannot be seen"),
        ("caf\u00e9", "cafe\u0301", "Unicode"),
    ],
)
def test_look_alike_labels_stay_apart_with_a_warning(one, two, by):
    found, _, _ = spelled([one, "dog"], [two, "dog"])
    assert len(found.labels) == 3 and not found.notes
    (warning,) = found.warnings
    assert "differ only by" in warning and by in warning and "\u200b" not in warning


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([f"c{i}" for i in range(5_001)], "at most 5,000 classes"),
        ([f"c{i}" for i in range(100_000)], "at most 5,000 classes"),
        (["a", "x" * 5_001], "is 5,001 characters long, at most 5,000"),
    ],
    ids=["one too many", "far too many", "too long"],
)
def test_labels_beyond_the_limits_are_refused(labels, message):
    with pytest.raises(DataError, match=message):
        build_label_space({"truth": labels}, space=["truth"])


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("x" * 10_000, r"'y', row 2: a label of 10,000 characters, at most 5,000"),
        ('{"x": 1}', r"'y', row 2: a JSON object"),
    ],
    ids=["too long", "an object"],
)
def test_cell_that_is_no_label_is_refused(cell, message):
    with pytest.raises(DataError, match=message):
        check_labels(distinct(column(["cat", cell])), "y")


def test_labels_like_markup_are_labels():
    assert check_labels(distinct(column(["{customdata}", "[x](http://y/)"])), "y") == []


def test_long_labels_are_taken_with_a_warning():
    assert check_labels(distinct(column(["cat", "x" * 256])), "y") == []
    (warning,) = check_labels(distinct(column(["cat", "x" * 257, "y" * 4_500])), "y")
    assert "'y' holds 2 labels of more than 256 characters (first in row 2)" in warning


@pytest.mark.parametrize(
    ("truth", "predictions", "labels"),
    [
        (["01", "02"], ["1", "2"], ["01", "02"]),
        (["1", "2"], ["01", "02"], ["1", "2"]),
        (["01", "02", "10"], ["1", "2", "10", "11"], ["01", "02", "10", "11"]),
        (["007", "000"], ["7", "0"], ["000", "007"]),
        (["01", "02"], ["1.0", "2.0"], ["01", "02"]),
        (["01", "02"], ["1", "2", "100"], ["01", "02", "100"]),
    ],
)
def test_leading_zeros_are_reconciled_with_padded_columns(truth, predictions, labels):
    found, true, pred = spelled(truth, predictions)
    assert list(found.labels) == labels
    assert {int(float(label)) for label in predictions} == {int(label) for label in pred}
    assert {int(label) for label in true} == {int(label) for label in truth}
    assert len(found.notes) == 1 and "reconciled" in found.notes[0]


# -- merging ----------------------------------------------------------------------------------------


def test_merges_reach_every_vocabulary():
    words = {"truth": ["cat", "dog"], "predictions": ["Cat", "cat", "dog"], "score columns": ["Cat", "dog"]}
    found = build_label_space(words, space=list(words), merge=[("Cat", "cat")])
    assert found.labels == ("cat", "dog") and found.n_space == 2
    assert found.spelling["predictions"] == {"Cat": "cat", "cat": "cat", "dog": "dog"}
    assert found.code("Cat", "score columns") == 0
    assert found.notes == ("Labels merged: 'Cat' into 'cat'.",) and found.warnings == ()


def test_merge_reaches_the_label_list():
    found = build_label_space(
        {"truth": ["cat"]}, space=["truth"], label_set=["dog", "Cat", "bird"], merge=[("Cat", "cat")]
    )
    assert found.labels == ("dog", "cat", "bird") and found.n_space == 3


def test_merge_may_name_a_columns_spelling():
    found = build_label_space(
        {"truth": ["1", "2"], "predictions": ["1.0", "3.0"]}, space=["truth"], merge=[("3.0", "1.0")]
    )
    assert found.labels == ("1", "2") and found.spelling["predictions"] == {"1.0": "1", "3.0": "1"}


SPELLING = {"truth": {label: label for label in "abcd"}}


@pytest.mark.parametrize(
    ("merge", "message"),
    [
        ([("x", "a")], "There is no label 'x' to merge; the file has 'a', 'b', 'c', 'd'"),
        ([("a", "y")], "There is no label 'y' to merge"),
        ([("a", "b"), ("a", "c")], "'a' is merged into 'b' and into 'c'"),
        ([("a", "b"), ("b", "c"), ("c", "a")], "lead in a circle"),
        ([("d", "a"), ("a", "b"), ("b", "a")], "lead in a circle"),
    ],
)
def test_merges_that_lead_nowhere_are_refused(merge, message):
    with pytest.raises(DataError, match=message):
        resolve_merges(merge, SPELLING)


def test_chains_of_merges_are_followed():
    assert resolve_merges([("a", "b"), ("b", "c")], SPELLING) == {"a": "c", "b": "c"}
    assert resolve_merges([("a", "b"), ("a", "b"), ("c", "c")], SPELLING) == {"a": "b"}
    # answers may hold a label that is not known yet
    assert resolve_merges([("x", "a")], SPELLING, strict=False) == {"x": "a"}


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=6))
def test_merges_end_like_following_pairs(merge):
    spelling = {"truth": {label: label for label in "abcdef"}}
    try:
        found = resolve_merges(merge, spelling)
    except DataError:
        into = {one: other for one, other in merge if one != other}
        twice = len({pair for pair in merge if pair[0] != pair[1]}) > len(into)
        assert twice or any(_ends(label, into) is None for label in into)
        return
    into = {one: other for one, other in merge if one != other}
    assert found == {label: _ends(label, into) for label in into}


def _ends(label, into):
    seen = []
    while label in into:
        if label in seen:
            return None
        seen.append(label)
        label = into[label]
    return label


def test_missing_value_word_is_a_warning():
    truth, pred = (distinct(column(values)) for values in (["a", "None", "b", "b"], ["None", "nan", "nan", "<NA>"]))
    assert warn_of_missing_words(truth, "y", pred) == []
    assert [text.split(", which")[0] for text in warn_of_missing_words(pred, "p", truth)] == [
        "Column 'p' holds 'nan' in 2 rows",
        "Column 'p' holds '<NA>' in 1 row",
    ]
    marks, labels = (distinct(column(values)) for values in (["?", "-", "#N/A", "a"], ["a", "b", "a", "b"]))
    assert len(warn_of_missing_words(marks, "p", labels)) == 3
    signs = distinct(column(["+", "-"]))
    assert warn_of_missing_words(signs, "y", distinct(column(["+", "+"]))) == [], "one of two signs"


def test_minus_zero_is_zero():
    found = distinct(pa.chunked_array([[0.0, -0.0, 1.0, None]]))
    assert found.values == ("0.0", "1.0") and found.codes.tolist() == [0, 0, 1, -1]
