"""Labels are text: reconciled between columns only where that cannot be wrong, and never merged in silence."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.columns import distinct, numbers
from data.encode import MAX_LABELS, check_labels, label_order, label_space, look_alikes, reconcile
from data.evaluation import MISSING, DataError


def column(values, kind=None):
    return pa.chunked_array([pa.array(values, kind)])


@given(st.lists(st.sampled_from(["a", "b", "NA", "null", "None", "nan", "", "  ", None])))
def test_distinct_equals_a_plain_loop_and_only_empty_cells_are_missing(cells):
    expected = [None if cell is None or not cell.strip() else cell for cell in cells]
    for array in (column(cells, pa.string()), column(cells, pa.string()).dictionary_encode()):
        found = distinct(array)
        assert [None if c == MISSING else found.values[c] for c in found.codes] == expected
        assert found.n_missing == expected.count(None)
        assert dict(zip(found.values, found.counts.tolist(), strict=True)) == {
            v: expected.count(v) for v in expected if v is not None
        }


def test_chunks_with_different_dictionaries_and_unused_entries_are_one_column():
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
def test_numbers_and_booleans_become_text_as_they_are_written(cells, texts):
    found = distinct(column(cells))
    assert [None if c == MISSING else found.values[c] for c in found.codes] == texts


def test_a_cell_that_is_no_number_is_named_by_row_column_and_value():
    for cells in (
        ["0.5", "high"],
        ["0.5", "0,5"],
        ["1", "0x1"],
        ["1", "0_1"],
        ["1", "０.５"],
        ["1", "1e999"],
        ["1", "inf"],
    ):
        with pytest.raises(DataError, match=r"Column 'p', row 2: .* is not a finite number"):
            numbers(column(cells), "p")
    with pytest.raises(DataError, match="row 2"):
        numbers(column([0.5, float("inf")]), "p")
    assert np.isnan(numbers(column(["1e-3", None, ""]), "p")).tolist() == [False, True, True]


def spelled(truth, predictions, label_set=None):
    found = label_space(
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
    ],
)
def test_spellings_of_one_number_or_truth_value_are_one_label_with_a_note(truth, predictions, labels):
    found, true, pred = spelled(truth, predictions)
    assert list(found.labels) == labels
    assert set(true) | set(pred) == set(labels)
    assert len(found.notes) == 1 and "reconciled" in found.notes[0]


@pytest.mark.parametrize(
    ("truth", "predictions"),
    [
        (["001", "01", "1"], ["1", "01"]),  # three classes of one column
        (["1", "1.0"], ["1"]),  # the truth tells them apart
        (["1", "2"], ["1", "1.0"]),  # the predictions do
        (["1e3", "1000"], ["1e3"]),
        (["yes", "no"], ["1", "0"]),
        (["0", "1", "2"], ["True", "False"]),  # true is not certainly 1 among three numbers
        (["9007199254740993", "9007199254740992"], ["9007199254740993"]),
        (["01.0"], ["1"]),
        (["a"], ["A"]),
    ],
)
def test_nothing_else_is_merged(truth, predictions):
    found, true, pred = spelled(truth, predictions)
    assert true == truth and pred == predictions
    assert set(found.labels) == {*truth, *predictions} and not found.notes


def test_true_and_1_meet_their_match():
    spelling, _ = reconcile({"truth": ["0", "1"], "predictions": ["False", "True"]})
    assert spelling["predictions"] == {"False": "0", "True": "1"}


def test_a_label_set_gives_space_order_and_spelling_and_others_stand_behind_it():
    found, true, pred = spelled(["1.0", "0.0"], ["1.0", "7"], label_set=["1", "0"])
    assert found.labels == ("1", "0", "7") and found.n_space == 2
    assert true == ["1", "0"] and pred == ["1", "7"]


def test_codes_follow_the_labels_and_missing_stays_missing():
    cells = distinct(column(["b", None, "a", "b"]))
    found = label_space({"truth": cells.values}, space=["truth"])
    assert found.codes(cells, "truth").tolist() == [1, MISSING, 0, 1]
    assert found.codes(cells, "truth").dtype == np.int32


def test_numbers_are_ordered_by_value_and_text_as_text():
    assert label_order({"10", "9", "-1"}) == ["-1", "9", "10"]
    assert label_order({"LABEL_10", "LABEL_2"}) == ["LABEL_2", "LABEL_10"]
    assert label_order({"b10", "a9"}) == ["a9", "b10"]
    assert label_order({"Zebra", "apple"}) == ["Zebra", "apple"]


@pytest.mark.parametrize(
    ("one", "two", "by"),
    [
        ("Cat", "cat", "upper and lower case"),
        ("cat", "cat ", "spaces"),
        ("cat", "cat\u200b", "cannot be seen"),
        ("caf\u00e9", "cafe\u0301", "Unicode"),
    ],
)
def test_labels_that_look_alike_are_kept_apart_with_a_warning(one, two, by):
    found, _, _ = spelled([one, "dog"], [two, "dog"])
    assert len(found.labels) == 3 and not found.notes
    (warning,) = found.warnings
    assert "differ only by" in warning and by in warning and "\u200b" not in warning


def test_labels_that_differ_bring_no_warning():
    assert look_alikes(["cat", "dog", "1", "2"]) == []


def test_too_many_labels_and_impossible_labels_are_refused():
    with pytest.raises(DataError, match="at most 5,000 classes"):
        label_space({"truth": [f"c{i}" for i in range(MAX_LABELS + 1)]}, space=["truth"])
    with pytest.raises(DataError, match=r"'y', row 2: a label of 10,000 characters, at most 256"):
        check_labels(distinct(column(["cat", "x" * 10_000])), "y")
    with pytest.raises(DataError, match=r"'y', row 2: a JSON object"):
        check_labels(distinct(column(["cat", '{"x": 1}'])), "y")
    check_labels(distinct(column(["{customdata}", "[x](http://y/)"])), "y")


def test_zeros_in_front_are_pointed_out():
    assert "zeros in front" in look_alikes(["01", "1", "2"])[0]
    assert look_alikes(["0", "10", "100"]) == []
