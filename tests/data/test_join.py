"""Two files become one table; no row is dropped, and the report says what met what."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.evaluation import DataError
from data.join import join, marks


def slow_outer_join(predictions, labels):
    """Rows (id, p, y) by a plain loop: predictions in order, then what only the labels have."""
    truth = {row["id"]: row["y"] for row in labels}
    rows = [(row["id"], row["p"], truth.get(row["id"])) for row in predictions]
    known = {row["id"] for row in predictions}
    return rows + [(row["id"], None, row["y"]) for row in labels if row["id"] not in known]


ids = st.lists(st.integers(0, 30), unique=True, min_size=1)


@settings(deadline=None)
@given(ids, ids)
def test_joining_on_a_key_equals_a_plain_loop(left, right):
    predictions = [{"id": str(i), "p": f"p{i}"} for i in left]
    labels = [{"id": str(i), "y": f"y{i}"} for i in right]
    shared = len(set(left) & set(right))
    tables = pa.Table.from_pylist(predictions), pa.Table.from_pylist(labels)
    if not shared:
        with pytest.raises(DataError, match="share no value"):
            join(*tables, key="id")
        return
    table, report = join(*tables, key="id")
    rows = list(zip(*(table.column(name).to_pylist() for name in ("id", "p", "y")), strict=True))
    assert rows == slow_outer_join(predictions, labels)
    assert (report.n_matched, report.n_only_predictions, report.n_only_labels) == (
        shared, len(left) - shared, len(right) - shared,
    )  # fmt: skip
    assert len(table) == report.n_matched + report.n_only_predictions + report.n_only_labels


def test_a_key_is_found_by_name_and_values():
    predictions = pa.table({"score": [0.1, 0.2], "sample_id": ["a", "b"]})
    labels = pa.table({"id": ["b", "a"], "label": ["x", "y"]})
    table, report = join(predictions, labels)
    assert report.how == "key" and report.key == ("sample_id", "id")
    assert table.column("label").to_pylist() == ["y", "x"]


def test_keys_of_different_types_meet():
    table, report = join(pa.table({"id": [1, 2], "p": ["a", "b"]}), pa.table({"id": ["2", "1"], "y": ["b", "a"]}))
    assert report.n_matched == 2 and table.column("y").to_pylist() == ["a", "b"]
    floats = pa.table({"id": [2.0, 1.0], "y": ["b", "a"]})
    assert join(pa.table({"id": [1, 2], "p": ["a", "b"]}), floats)[0].column("y").to_pylist() == ["a", "b"]


def test_a_text_column_that_is_unique_and_shared_serves_as_key():
    predictions = pa.table({"sentence": ["one", "two"], "pred": ["a", "b"]})
    labels = pa.table({"sentence": ["two", "one", "three"], "gold": ["b", "a", "a"]})
    table, report = join(predictions, labels)
    assert report.key == ("sentence", "sentence") and report.examples_only_labels == ("three",)
    assert table.column("sentence").to_pylist() == ["one", "two", "three"]


def test_unmatched_rows_stay_and_say_where_they_came_from():
    predictions = pa.table({"id": ["a", "b", "z"], "p": [1, 2, 3]})
    labels = pa.table({"id": ["b", "a", "q"], "y": [2, 1, 4]})
    table, report = join(predictions, labels)
    assert table.column("found in").to_pylist() == ["both files", "both files", "predictions only", "labels only"]
    no_truth, no_pred = marks(table)
    assert no_truth.tolist() == [False, False, True, False] and no_pred.tolist() == [False, False, False, True]
    assert "'z'" in report.text and "'q'" in report.text


def test_a_complete_match_adds_no_column():
    table, _ = join(pa.table({"id": ["a"], "p": [1]}), pa.table({"id": ["a"], "y": [1]}))
    assert table.column_names == ["id", "p", "y"] and marks(table) == (None, None)


def test_columns_of_the_same_name_are_told_apart():
    table, _ = join(pa.table({"id": ["a", "b"], "x": [0.1, 0.2]}), pa.table({"id": ["b", "a"], "x": ["1", "0"]}))
    assert table.column_names == ["id", "x (predictions)", "x (labels)"]
    assert table.column("x (labels)").to_pylist() == ["0", "1"]
    assert [(f.metadata or {}).get(b"file") for f in table.schema] == [b"predictions", b"predictions", b"labels"]


def test_without_a_key_equal_lengths_go_by_row_order():
    table, report = join(pa.table({"p": ["a", "b"]}), pa.table({"y": ["b", "b"]}))
    assert report.how == "row order" and report.n_matched == 2
    assert table.to_pydict() == {"p": ["a", "b"], "y": ["b", "b"]}
    assert "check the order" not in report.text


def test_row_order_is_doubted_where_there_are_ids():
    _, report = join(pa.table({"id": ["1", "2"], "p": ["a", "b"]}), pa.table({"y": ["b", "b"]}))
    assert report.how == "row order" and "check the order" in report.text and "'id'" in report.text


def test_different_lengths_without_a_key_are_refused_with_both_lengths():
    with pytest.raises(DataError, match=r"2 rows.* 3 rows.*name the column"):
        join(pa.table({"p": ["a", "b"]}), pa.table({"y": ["b", "b", "a"]}))


def test_a_key_that_repeats_is_refused_with_an_example():
    with pytest.raises(DataError, match=r"'id' is not unique in the labels file: 'a' occurs 2 times"):
        join(pa.table({"id": ["a", "b"], "p": [1, 2]}), pa.table({"id": ["a", "a"], "y": [1, 2]}), key="id")


def test_a_key_that_is_not_there_is_refused_with_what_there_is():
    with pytest.raises(DataError, match=r"no column 'ID' to join on; it has 'id', 'p'\. Did you mean 'id'\?"):
        join(pa.table({"id": ["a"], "p": [1]}), pa.table({"ID": ["a"], "y": [1]}), key="ID")


def test_a_pair_of_names_joins_columns_of_different_names():
    table, report = join(
        pa.table({"left": ["a", "b"], "p": [1, 2]}), pa.table({"right": ["b", "a"], "y": [2, 1]}), key=("left", "right")
    )
    assert report.key == ("left", "right") and table.column("y").to_pylist() == [1, 2]
    assert "right" not in table.column_names


def test_empty_keys_match_nothing():
    table, report = join(
        pa.table({"id": ["a", None], "p": [1, 2]}), pa.table({"id": ["a", None], "y": [1, 2]}), key="id"
    )
    assert report.n_matched == 1 and len(table) == 3


def test_whole_numbers_written_as_fractions_meet_in_any_order():
    predictions = pa.table({"id": ["2.0", "1.0"], "p": ["b", "a"]})
    table, report = join(predictions, pa.table({"id": ["1", "2"], "y": ["a", "b"]}))
    assert report.how == "key" and table.column("y").to_pylist() == ["b", "a"]


@pytest.mark.parametrize("theirs", [["8", "9"], ["2", "1"]])
def test_row_order_is_refused_where_the_ids_of_both_files_disagree(theirs):
    predictions = pa.table({"id": ["1", "1"], "p": ["a", "b"]})
    with pytest.raises(DataError, match=r"'id' of row 1 is '1' in the predictions and '[28]' in the labels; give"):
        join(predictions, pa.table({"ID": theirs, "y": ["a", "b"]}))


def test_row_order_stands_where_repeated_ids_agree_row_by_row():
    predictions, labels = pa.table({"id": ["1", "1"], "p": ["a", "b"]}), pa.table({"ID": ["1", "1"], "y": ["a", "b"]})
    assert join(predictions, labels)[1].how == "row order"
