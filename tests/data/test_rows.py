"""The rows behind a number are those that a plain loop over the file finds."""

import csv
import io
import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.build import build
from data.evaluation import Settings
from data.rescore import with_threshold
from data.roles import detect
from data.rows import confidence, formula_safe, most_confident_first, rows_frame, safe_csv, search_rows, select_rows


def evaluate(columns, settings=None, label_set=None):
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    settings = settings or detect(table, label_set=label_set).settings
    return build(table, settings, name="t", content_sha256="0")


BINARY = evaluate(
    {
        "y_true": ["no", "yes", "yes", None, "no", "yes", "no"],
        "y_pred": ["no", "no", "yes", "yes", "yes", None, "no"],
        "score": [0.1, 0.45, 0.9, 0.8, 0.7, 0.6, None],
        "text": ["Alpha", "beta ALPHA", None, "gamma", "al.pha", "ÉTÉ", "été alpha"],
    }
)
LOGIT = evaluate({"y_true": ["0", "1", "1", "0"], "logit": [-3.0, -0.5, 2.0, 0.0]})
MANY = evaluate(
    {
        "y_true": ["a", "b", "c", "a", "b", None],
        "y_pred": ["a", "c", "c", "b", "x", "a"],
        "p_a": [0.6, 0.1, 0.1, 0.2, 0.3, 0.9],
        "p_b": [0.3, 0.1, 0.2, 0.7, 0.3, 0.05],
        "p_c": [0.1, 0.8, 0.7, 0.1, 0.4, 0.05],
    },
    label_set=["a", "b", "c"],
)
RAW = evaluate(
    {
        "target": ["a thing", "b thing", "a thing", "b thing"],
        "output": ["A thing", "I really could not say which of them", "c thing", None],
    },
    Settings(truth="target", raw="output", label_set=("a thing", "b thing")),
)
SETS = evaluate(
    {
        "y_true": ['["a", "b"]', '["b"]', "[]", None, '["a"]'],
        "y_pred": ['["a", "b"]', '["a", "c"]', '["b"]', '["a"]', "[]"],
    }
)
EVERY = {"binary": BINARY, "logit": LOGIT, "many": MANY, "raw": RAW, "sets": SETS}


def cells(e, i):
    """Truth and prediction of one row as sets of labels; None = missing, "?" = unparseable."""
    if e.task == "multilabel":
        return tuple({e.labels[c] for c in range(len(e.labels)) if side[i][c]} for side in (e.y_true, e.y_pred))
    special = {-1: None, -2: "?"}
    codes = (int(e.y_true[i]), int(e.y_pred[i]))
    return tuple(special[code] if code < 0 else e.labels[code] for code in codes)


def slow(e, true, pred, only):
    """Row by row, cell by cell."""
    found = []
    for i in range(e.n_rows):
        truth, answer = cells(e, i)
        many = e.task == "multilabel"
        if only in ("tp", "fp", "fn", "tn"):
            label = e.labels[true]
            is_true, is_pred = (label in truth, label in answer) if many else (truth == label, answer == label)
            outcome = {(1, 1): "tp", (0, 1): "fp", (1, 0): "fn", (0, 0): "tn"}[is_true, is_pred]
            if e.scored[i] and outcome == only:
                found.append(i)
            continue
        kind = {
            "all": True,
            "errors": e.scored[i] and truth != answer,
            "correct": e.scored[i] and truth == answer,
            "unparseable": e.scored[i] and not many and answer == "?",
            "missing": not e.scored[i],
        }[only]
        fits = all(
            code is None or (e.labels[code] in side if many else side == e.labels[code])
            for code, side in ((true, truth), (pred, answer))
        )
        if kind and fits:
            found.append(i)
    return found


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("only", ["all", "errors", "correct", "unparseable", "missing", "tp", "fp", "fn", "tn"])
def test_rows_behind_a_cell_are_those_of_a_plain_loop(name, only):
    e = EVERY[name]
    for true in [None, *range(len(e.labels))]:
        for pred in [None, *range(len(e.labels))]:
            if only in ("tp", "fp", "fn", "tn") and true is None:
                with pytest.raises(ValueError, match="true"):
                    select_rows(e, true=true, pred=pred, only=only)
            else:
                assert select_rows(e, true=true, pred=pred, only=only).tolist() == slow(e, true, pred, only)


def test_the_stand_ins_hold_what_the_loops_are_about():
    assert BINARY.n_missing_truth == BINARY.n_missing_pred == 1 and BINARY.labels == ("no", "yes")
    assert RAW.n_unparsed == 2 and RAW.labels == ("a thing", "b thing", "c thing")
    assert SETS.task == "multilabel" and SETS.n_missing_truth == 1 and LOGIT.scale == "logit"
    assert MANY.n_space == 3 and MANY.labels == ("a", "b", "c", "x")


def test_every_scored_row_is_behind_exactly_one_outcome():
    for e in EVERY.values():
        for code in range(len(e.labels)):
            parts = [select_rows(e, true=code, only=outcome).tolist() for outcome in ("tp", "fp", "fn", "tn")]
            assert sorted(row for part in parts for row in part) == np.flatnonzero(e.scored).tolist()


# -- confidence -------------------------------------------------------------------------------------


def same(found, wanted):
    assert np.allclose(found, [math.nan if w is None else w for w in wanted], equal_nan=True)


def test_confidence_is_the_score_of_the_predicted_side():
    assert BINARY.positive == 1
    same(confidence(BINARY, np.arange(7)), [0.9, 0.55, 0.9, 0.8, 0.7, None, None])
    assert LOGIT.y_pred.tolist() == [0, 0, 1, 1]
    same(confidence(LOGIT, np.arange(4)), [3.0, 0.5, 2.0, 0.0])
    same(confidence(MANY, np.arange(6)), [0.6, 0.8, 0.7, 0.7, None, 0.9])
    assert confidence(RAW, np.arange(4)) is None and confidence(SETS, np.arange(5)) is None


def test_a_label_outside_the_two_has_no_confidence():
    e = evaluate({"y_true": ["0", "1"], "y_pred": ["2", "1"], "score": [0.1, 0.9]}, label_set=["0", "1"])
    assert e.task == "binary"
    same(confidence(e, np.arange(2)), [None, 0.9])


def test_the_most_confident_rows_come_first_and_ties_stay_in_file_order():
    for name in ("binary", "logit", "many"):
        e = EVERY[name]
        rows = np.arange(e.n_rows)[::-1]
        sure = {row: value for row, value in zip(rows, confidence(e, rows), strict=True)}
        known = [row for row in rows if not math.isnan(sure[row])]
        wanted = sorted(known, key=lambda row: -sure[row]) + [row for row in rows if math.isnan(sure[row])]
        assert most_confident_first(e, rows).tolist() == wanted
    assert most_confident_first(RAW, np.array([2, 0, 1])).tolist() == [2, 0, 1]
    wrong = {i: len(set.symmetric_difference(*cells(SETS, i))) for i in range(5)}
    rows = np.array([0, 1, 2, 4])
    assert most_confident_first(SETS, rows).tolist() == sorted(rows, key=lambda i: -wrong[i])
    assert most_confident_first(BINARY, np.array([], dtype=int)).tolist() == []


# -- search -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["alpha", "ALPHA", "al.pha", ".", "été", "yes", "(", "\\", "0.9", "zzz", ""])
def test_search_finds_the_text_as_written_in_any_case(text):
    columns = [BINARY.rows.column(name).to_pylist() for name in ("y_true", "y_pred", "text")]
    wanted = [i for i in range(7) if any(text.lower() in (column[i] or "").lower() for column in columns)]
    assert search_rows(BINARY, np.arange(7), text).tolist() == (wanted if text else list(range(7)))
    some = np.array([6, 3, 1])
    assert search_rows(BINARY, some, text).tolist() == [i for i in some if not text or i in wanted]


def test_search_reads_dictionary_columns_and_empty_selections():
    table = BINARY.rows
    coded = evaluate(
        pa.table([c.dictionary_encode() for c in table.columns[:2]] + table.columns[2:], table.column_names)
    )
    assert search_rows(coded, np.arange(7), "YES").tolist() == search_rows(BINARY, np.arange(7), "yes").tolist()
    assert search_rows(coded, np.array([], dtype=np.int64), "yes").tolist() == []


# -- the table --------------------------------------------------------------------------------------


def test_the_table_says_row_truth_prediction_and_every_column():
    rows = np.array([5, 2, 3])
    frame = rows_frame(BINARY, rows)
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


def test_unparseable_answers_and_label_sets_are_told_in_words():
    assert rows_frame(RAW, np.arange(4))["predicted label"].tolist() == [
        "a thing",
        "(unparseable)",
        "c thing",
        "(unparseable)",
    ]
    assert rows_frame(SETS, np.arange(3))["predicted label"].tolist() == ["a | b", "a | c", "b"]


@pytest.mark.parametrize("names", [["row", "row (file)", "true label"], ["row (file)", "row", "true label (file)"]])
def test_no_column_of_the_file_is_lost_to_one_of_ours(names):
    values = {name: [f"{name} {i}" for i in range(2)] for name in names}
    e = evaluate(
        pa.table({"y_true": ["a", "b"], "y_pred": ["a", "a"], **values}), Settings(truth="y_true", pred="y_pred")
    )
    frame = rows_frame(e, np.arange(2))
    assert frame["row"].tolist() == [1, 2]
    held = [frame[name].tolist() for name in frame.columns]
    assert len(set(frame.columns)) == len(frame.columns)
    assert all(column in held for column in values.values())


def test_long_whole_numbers_keep_their_digits_beside_an_empty_cell():
    numbers = pa.array([12345678901234567, None], pa.int64())
    e = evaluate(pa.table({"y_true": ["a", "b"], "y_pred": ["a", "a"], "n": numbers}))
    assert "12345678901234567" in safe_csv(rows_frame(e, np.arange(2))).decode()


def test_with_a_threshold_the_rows_follow():
    moved = with_threshold(BINARY, 0.45)
    yes = moved.labels.index("yes")
    assert select_rows(moved, true=yes, only="tp").tolist() == [1, 2, 5]
    assert select_rows(moved, only="missing").tolist() == [3, 6]


# -- download ---------------------------------------------------------------------------------------

RUNS = ["=cmd", "=1+1", "+1+1", "-2+3", "@x", "\tx", "\r=x", "\n=x", "-", "+", "=", "-2.5 kg", "+x", "--1", "-1\n"]
HARMLESS = ["", "1", "-1", "+1", "-2.5", "1e5", "-1E-7", "a=b", " =1", "refund", "(−2)", "x@y", "'quoted"]


@pytest.mark.parametrize("text", RUNS)
def test_text_that_a_spreadsheet_would_run_is_disarmed(text):
    assert formula_safe(text) == "'" + text


@pytest.mark.parametrize("value", [*HARMLESS, 1, -2.5, None, True, math.nan])
def test_everything_else_is_unharmed(value):
    assert formula_safe(value) is value


texts = st.text(st.sampled_from(list("=+-@\t\r\n'\",;ab1.é漢 ")), max_size=6)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5), st.tuples(texts, texts))
def test_no_cell_and_no_header_of_a_download_begins_like_a_formula(rows, header):
    made = safe_csv(pd.DataFrame(rows, columns=list(header))).decode("utf-8")
    read = list(csv.reader(io.StringIO(made, newline="")))
    wanted = [[formula_safe(cell) for cell in row] for row in (header, *rows)]
    assert read == wanted
    for row in read:
        for cell in row:
            number = cell[1:].replace(".", "", 1).isdigit() and cell[:1] in "+-"
            assert number or not cell or cell[0] not in "=+-@\t\r\n"


def test_a_carriage_return_inside_a_cell_begins_no_row():
    made = safe_csv(pd.DataFrame({"a": ["x\r=1+1", "y\n=2"], "b": ["c", "d"]})).decode()
    assert '"x\r=1+1"' in made and '"y\n=2"' in made


def test_numbers_dates_and_missing_cells_of_a_download_stay():
    frame = pd.DataFrame({"n": [-1.5, None], "i": [-3, 4], "t": ["-3", None], "c": pd.Categorical(["=x", "-1"])})
    assert safe_csv(frame).decode().splitlines() == ["n,i,t,c", "-1.5,-3,-3,'=x", ",4,,-1"]
    assert frame["c"].tolist() == ["=x", "-1"], "the frame itself is not changed"


def test_half_characters_do_not_stop_a_download():
    assert b"?" in safe_csv(pd.DataFrame({"a": pd.Series(["\ud800"], dtype=object)}))
