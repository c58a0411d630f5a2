"""Rows as a table, and one row in full, say what the file says and what the metrics used."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from data.answers.parsing import OUTCOMES
from data.evaluation import Settings
from data.rows.exports import safe_csv
from data.rows.row_scores import confidence, loss, margin
from data.rows.row_table import build_rows_frame, find_rows_by_number, label_names, read_row_details, row_numbers
from tests.data.few_rows import BINARY, EVERY, MANY, RAW, SCORED_SETS, SETS, cells, evaluate


def test_table_holds_row_truth_prediction_and_columns():
    rows = np.array([5, 2, 3])
    frame = build_rows_frame(BINARY, rows)
    assert list(frame.columns) == [
        "row",
        "true label",
        "predicted label",
        "confidence",
        "y_true",
        "y_pred",
        "score",
        "text",
    ]
    assert frame["row"].tolist() == [6, 3, 4]
    assert frame["true label"].tolist()[:2] == ["yes", "yes"] and pd.isna(frame["true label"][2])
    assert frame["text"].tolist()[0] == "ÉTÉ" and pd.isna(frame["text"][1])
    assert frame["score"].tolist() == [0.6, 0.9, 0.8]


def test_missing_labels_and_label_sets_are_words():
    assert build_rows_frame(RAW, np.arange(4))["predicted label"].tolist() == [
        "a thing",
        "(no label found)",
        "c thing",
        "(no label found)",
    ]
    assert build_rows_frame(SETS, np.arange(3))["predicted label"].tolist() == ["a | b", "a | c", "b"]


@pytest.mark.parametrize("names", [["row", "row (file)", "true label"], ["row (file)", "row", "true label (file)"]])
def test_no_file_column_is_overwritten(names):
    values = {name: [f"{name} {i}" for i in range(2)] for name in names}
    e = evaluate(
        pa.table({"y_true": ["a", "b"], "y_pred": ["a", "a"], **values}), Settings(truth="y_true", pred="y_pred")
    )
    frame = build_rows_frame(e, np.arange(2))
    assert frame["row"].tolist() == [1, 2]
    held = [frame[name].tolist() for name in frame.columns]
    assert len(set(frame.columns)) == len(frame.columns)
    assert all(column in held for column in values.values())


def test_long_whole_numbers_keep_their_digits():
    numbers = pa.array([12345678901234567, None], pa.int64())
    e = evaluate(pa.table({"y_true": ["a", "b"], "y_pred": ["a", "a"], "n": numbers}))
    assert "12345678901234567" in safe_csv(build_rows_frame(e, np.arange(2))).decode()


def test_marked_rows_carry_their_notes():
    frame = build_rows_frame(BINARY, np.array([5, 2, 3]), notes={2: "=look", 3: "", 0: "not here"})
    assert list(frame.columns[:4]) == ["row", "marked", "note", "true label"]
    assert frame["marked"].tolist() == [False, True, True]
    assert [None if pd.isna(note) else note for note in frame["note"]] == [None, "=look", ""]
    assert "'=look" in safe_csv(frame).decode()
    assert build_rows_frame(BINARY, np.array([2]), notes={2: "\ud800y"})["note"].tolist() == ["?y"]
    assert "note" not in build_rows_frame(BINARY, np.array([5]))
    assert build_rows_frame(BINARY, np.array([], dtype=np.int64), notes={}).shape[0] == 0


# -- one row ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_a_row_in_full_agrees_with_the_table(name):
    e = EVERY[name]
    for row in range(e.n_rows):
        found, (truth, answer) = read_row_details(e, row), cells(e, row)
        assert found["row"] == row + 1 and found["rows"] is None and found["scored"] == e.scored[row]
        assert found["truth"] == label_names(e, e.y_true, np.array([row]))[0]
        assert found["predicted"] == label_names(e, e.y_pred, np.array([row]))[0]
        assert found["right"] == ((truth == answer) if e.scored[row] else None)
        for side, labels in ((truth, found["true"]), (answer, found["pred"])):
            names = side if e.task == "multilabel" else {side} - {None, "?"}
            assert {e.labels[code] for code in labels} == names
        assert list(found["columns"].items()) == [(c, e.rows.column(c)[row].as_py()) for c in e.rows.column_names]
        for value, many in (("confidence", confidence), ("margin", margin), ("loss", loss)):
            wanted = many(e, np.array([row]))
            if wanted is None:
                assert found[value] is None
            else:
                assert found[value] == wanted[0] or (math.isnan(found[value]) and math.isnan(wanted[0]))


def test_row_shows_raw_answer_and_outcome():
    found = [read_row_details(RAW, row) for row in range(4)]
    assert [one["answer"] for one in found] == [*RAW.rows.column("output").to_pylist()[:3], ""]
    assert found[0]["outcome"] in OUTCOMES and found[1]["outcome"] == "unparseable"
    assert found[2]["outcome"] == "outside the label space" and found[3]["outcome"] == "empty"
    assert read_row_details(MANY, 0)["answer"] is read_row_details(MANY, 0)["outcome"] is None
    assert read_row_details(SETS, 0)["true"] == (0, 1) and read_row_details(SCORED_SETS, 0)["truth"] == "a | b"


def test_row_keeps_its_file_number():
    table = pa.table({"y_true": list("abab"), "y_pred": list("aabb"), "part": ["x", "y", "x", "y"]})
    e = evaluate(table, Settings(truth="y_true", pred="y_pred", only=("part", "y")))
    assert row_numbers(e, np.array([1, 0])).tolist() == [4, 2] and read_row_details(e, 1)["row"] == 4
    assert find_rows_by_number(e, np.array([4, 1, 2, 4, 99, 0, -3])).tolist() == [0, 1]
    assert find_rows_by_number(BINARY, np.array([7, 3, 3, 8, 0, -1, 2**62])).tolist() == [2, 6]
    assert find_rows_by_number(BINARY, np.array([], dtype=np.int64)).tolist() == []


def test_count_line_says_its_rows():
    e = evaluate({"y": ["a", "b"], "p": ["a", "a"], "n": ["30", "12"]}, Settings(truth="y", pred="p", counts="n"))
    assert read_row_details(e, 1)["rows"] == 12 and read_row_details(e, 1)["confidence"] is None
