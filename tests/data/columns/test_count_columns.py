"""A file of counts gives the numbers of the same file written out row by row, and says what it cannot give."""

import json
import runpy
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.build import build
from data.columns.count_columns import describe_lines, read_row_counts
from data.errors import DataError
from data.evaluation import MISSING, Settings
from data.joining.matrix_file import as_lines, is_matrix
from data.limits import MAX_COUNTED_ROWS
from data.roles.detect import detect
from data.rows.row_table import build_rows_frame
from data.rows.selection import Which, find_rows
from data.runs import draft_changes
from data.runs.draft_changes import correct_settings
from export.measurement import Measurement
from export.numbers import list_intervals, values
from export.recompute.prepared import prepared_file, script
from tests.measured_numbers import numbers_of
from tests.opened_runs import keep_text, open_run

LABELS = ("a", "b", "c", "d")


def counted(lines, **settings):
    columns = [pa.array(column, pa.string()) for column in zip(*lines, strict=True)]
    table = pa.table(dict(zip("ypn", columns, strict=True)))
    return build(table, Settings(truth="y", pred="p", counts="n", **settings), name="x", content_sha256="0")


def detected(table: dict):
    table = as_lines(pa.table({name: pa.array(values) for name, values in table.items()}))
    found = detect(table)
    return build(table, found.settings, name="x", content_sha256="0", notes=found.notes)


cells = st.tuples(
    st.sampled_from([*LABELS, "out", None]),
    st.sampled_from([*LABELS, "out", "made up", "[invalid]", None]),
    st.integers(0, 6),
)


@given(st.lists(cells, min_size=1, max_size=25), st.booleans())
def test_counted_numbers_equal_those_of_written_rows(lines, binary):
    labels = LABELS[: 2 if binary else 4]
    written = [(true, pred) for true, pred, n in lines for _ in range(n)]
    try:
        evaluation = counted([(true, pred, str(n)) for true, pred, n in lines], label_set=labels)
        table = pa.table({"y": pa.array([t for t, _ in written], pa.string()),
                          "p": pa.array([p for _, p in written], pa.string())})  # fmt: skip
        expanded = build(table, Settings(truth="y", pred="p", label_set=labels), name="x", content_sha256="0")
    except DataError:
        return
    if expanded.labels != evaluation.labels:  # a label of empty lines alone is kept with the counts
        return
    assert evaluation.n_rows == expanded.n_rows == len(written)
    assert evaluation.n_scored == expanded.n_scored and evaluation.n_unparsed == expanded.n_unparsed
    assert evaluation.n_missing_truth == expanded.n_missing_truth
    assert evaluation.n_missing_pred == expanded.n_missing_pred
    assert evaluation.positive == expanded.positive
    found, expected = numbers_of(evaluation), numbers_of(expanded)
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        np.testing.assert_equal(found[key], value, err_msg=key)


def test_the_receipt_counts_rows_and_not_lines():
    evaluation = counted([("a", "a", "40"), ("b", "x", "7"), ("b", None, "5"), (None, "a", "3")], label_set=("a", "b"))
    warnings = "\n".join(evaluation.receipt.warnings)
    assert "This file holds counts, not rows: 'n' says how many rows each line stands for" in warnings
    assert "its 4 lines are 55 rows" in warnings and "switched off" in warnings
    assert "('x'; 7 rows) is not in the list of" in warnings
    assert "1 line (5 rows) have no predicted label" in warnings and "1 line (3 rows) have no true label" in warnings
    assert evaluation.receipt.roles[2].role == "rows per line"


def test_huge_counts_stay_exact():
    big = 10**12
    evaluation = counted([("a", "a", str(big)), ("a", "b", "1"), ("b", "b", str(3 * big)), ("b", "a", "2")])
    numbers = numbers_of(evaluation)
    assert evaluation.n_rows == 4 * big + 3
    assert numbers["confusion_matrix"]["rows_true_cols_pred"] == [[big, 1], [2, 3 * big]]
    assert numbers["accuracy"] == float(Fraction(4 * big, 4 * big + 3))
    agreed, n = 4 * big, 4 * big + 3
    chance = (big + 1) * (big + 2) + (3 * big + 2) * (3 * big + 1)
    assert numbers["cohen_kappa"] == pytest.approx(float(Fraction(n * agreed - chance, n * n - chance)), rel=1e-15)
    assert numbers["n_rows"] == numbers["n_scored"] == n


@pytest.mark.parametrize(
    ("cells", "row", "came"),
    [
        (["3", "-1"], 2, "'-1'"),
        (["3", "2.5"], 2, "'2.5'"),
        (["3", "", "-1"], 2, "an empty cell"),
        (["many", "3"], 1, "'many'"),
        (["1", "1,000"], 2, "'1,000'"),
        (["1", "nan"], 2, "'nan'"),
        (["1", "inf"], 2, "'inf'"),
        (["1", str(MAX_COUNTED_ROWS + 1)], 2, str(MAX_COUNTED_ROWS + 1)),
        (["1", "1e300"], 2, "'1e300'"),
    ],
)
def test_wrong_count_is_refused_with_its_row(cells, row, came):
    with pytest.raises(DataError, match=f"Column 'n', row {row}: .*is no number of rows") as refused:
        read_row_counts(pa.table({"n": cells}), "n")
    assert came in str(refused.value)


@pytest.mark.parametrize(
    ("cells", "kind"),
    [(["3", "12.0", " 7 ", "1e3"], pa.string()), ([3, 12, 7, 1000], pa.int32()), ([3.0, 12.0, 7.0, 1e3], pa.float64())],
)
def test_counts_may_be_written_as_any_whole_number(cells, kind):
    assert read_row_counts(pa.table({"n": pa.array(cells, kind)}), "n").tolist() == [3, 12, 7, 1000]


def test_counts_that_no_float_holds_together_are_refused():
    with pytest.raises(DataError, match="add up to 9,007,199,254,740,993 rows"):
        read_row_counts(pa.table({"n": [str(MAX_COUNTED_ROWS), "1"]}), "n")


def test_options_for_single_rows_are_refused():
    table = pa.table({"y": ["a", "b"], "p": ["a", "b"], "n": ["3", "2"], "score": [0.2, 0.9], "raw": ["a", "b"]})

    def made(**settings):
        return build(table, Settings(truth="y", counts="n", **settings), name="x", content_sha256="0")

    with pytest.raises(DataError, match="needs a column of predicted labels"):
        made(raw="raw")
    with pytest.raises(DataError, match="is a column of labels at once"):
        build(table, Settings(truth="y", pred="n", counts="n"), name="x", content_sha256="0")
    scored = made(pred="p", scores=(("score", "b"),))
    assert scored.y_score is None and any("'score' are left out" in note for note in scored.receipt.notes)
    with pytest.raises(DataError, match="A threshold needs scores"):
        made(pred="p", scores=(("score", "b"),), threshold=0.5)


def test_cell_lines_say_their_row_counts():
    evaluation = counted([("a", "a", "40"), ("a", "b", "7"), ("b", "b", "5")])
    chosen = find_rows(evaluation, Which(true=(0,)))
    assert chosen.tolist() == [0, 1] and describe_lines(evaluation, chosen) == "47 rows in 2 lines"
    frame = build_rows_frame(evaluation, chosen)
    assert frame["rows"].tolist() == [40, 7] and frame["row"].tolist() == [1, 2]
    assert find_rows(evaluation, Which(only="errors")).tolist() == [1]
    assert find_rows(evaluation, Which()).tolist() == [0, 1, 2]


# -- recognising them ---------------------------------------------------------------------------------

MATRIX = [("cat", "cat", 50), ("cat", "dog", 3), ("dog", "cat", 7), ("dog", "dog", 40)]


@pytest.mark.parametrize(
    "names",
    [
        ("Actual", "Predicted", "nPredictions"),  # Weights & Biases
        ("Ground Truth", "Prediction", "Count"),  # Neo
        ("y_true", "y_pred", "n"),
        ("label", "prediction", "frequency"),
    ],
)
@pytest.mark.parametrize("lines", [MATRIX, MATRIX[:3], MATRIX[::3]])
def test_truth_prediction_count_lines_are_a_matrix(names, lines):
    columns = dict(zip(names, zip(*lines, strict=True), strict=True))
    evaluation = detected(columns)
    assert evaluation.settings.counts == names[2]
    assert evaluation.n_rows == sum(n for _, _, n in lines)


def test_small_matrix_is_no_free_text():
    names = [f"class {i}" for i in range(60)]
    evaluation = detected({"Ground Truth": names, "Prediction": names[1:] + names[:1], "Count": [7] * 60})
    assert evaluation.n_rows == 420 and evaluation.n_space == 60


@pytest.mark.parametrize(
    "columns",
    [
        {"y_true": ["a", "b", "a"], "y_pred": ["a", "b", "a"], "n": [5, 3, 4]},  # a pair occurs twice
        {"y_true": ["a", "b", "a"], "y_pred": ["a", "b", "b"], "n": [1, 2, 3]},  # a row number
        {"y_true": ["a", "b"], "y_pred": ["a", "b"], "count": [5, 3], "age": [3, 4]},  # a feature, as far as one knows
        {"y_true": ["a", "b"], "y_pred": ["a", "b"], "size": [5, 3]},
        {"y_true": ["a", "b"], "y_pred": ["a", "b"], "n": [5, None]},
        {"y_true": ["a", "b"], "y_pred": ["a", "b"], "frequency": [0.5, 0.3]},
    ],
)
def test_ambiguous_column_is_no_count(columns):
    assert detected(columns).settings.counts is None


def test_few_lines_that_may_be_counts_are_doubted():
    few = {"expected_label": ["1", "1", "2"], "actual_label": ["1", "2", "2"], "Freq": [8, 3, 1]}
    assert any("may say how many rows" in text for text in detect(pa.table(few)).warnings)
    infinite = detected({"label": ["a", "b"] * 2, "pred": ["a", "b"] * 2, "ratio": [0.5, float("inf"), 0.2, 0.7]})
    assert infinite.n_scored == 4, "a column that is no score may hold what no score may"


def test_label_sets_with_counts_equal_their_rows(tmp_path):
    rng = np.random.default_rng(3)
    sets = ["a", "b;a", "a;b", "b;c;b", "", "c;out"]
    truth, pred, rows = rng.choice(sets, 40), rng.choice(sets, 40), rng.integers(0, 6, 40)
    how = {"encoding": "delimited", "delimiter": ";", "label_set": ("a", "b", "c", "d")}
    lines = list(zip(truth.tolist(), pred.tolist(), map(str, rows), strict=True))
    table = pa.table({"y": np.repeat(truth, rows), "p": np.repeat(pred, rows)})
    every = build(table, Settings(truth="y", pred="p", **how), name="x", content_sha256="0")
    found, wanted = (Measurement(one) for one in (counted(lines, **how), every))
    assert json.dumps(values(found)) == json.dumps(values(wanted))
    bounds = list_intervals(wanted)
    for name, one in list_intervals(found).items():
        assert one[:4] == pytest.approx(bounds[name][:4], nan_ok=True), name
    (tmp_path / "prepared.parquet").write_bytes(prepared_file(found.evaluation))
    (tmp_path / "recompute.py").write_bytes(script(found.evaluation))
    copied = runpy.run_path(str(tmp_path / "recompute.py"))
    again = copied["recompute"](copied["read_prepared"](str(tmp_path / "prepared.parquet")))
    kept = {name: value for name, value in values(found).items() if name not in copied["READING"]}
    assert all(same for *_, same in copied["compare"](json.loads(json.dumps(kept)), again))


def test_fractional_counts_are_refused_with_the_row():
    with pytest.raises(DataError, match=r"'Count', row 2: '0\.25' is no number of rows"):
        detected({"Actual": ["a", "b"], "Predicted": ["a", "b"], "Count": [1.0, 0.25]})


def test_positive_class_is_the_rarer_by_rows():
    evaluation = detected({"Actual": ["u", "u", "v"], "Predicted": ["u", "v", "v"], "nPredictions": [900, 20, 80]})
    assert evaluation.labels[evaluation.positive] == "v"
    assert any("the rarer class, 8.0 % of the true rows" in note for note in evaluation.receipt.notes)


def test_person_takes_counts_back_and_again():
    table = pa.table(dict(zip(("Actual", "Predicted", "Count"), map(list, zip(*MATRIX, strict=True)), strict=True)))
    found = detect(table).settings
    taken = correct_settings(table, found, {"counts": None})
    assert taken.counts is None and (taken.truth, taken.pred) == ("Actual", "Predicted")
    assert build(table, taken, name="x", content_sha256="0").n_rows == 4
    again = correct_settings(table, taken, {"counts": "Count"})
    assert build(table, again, name="x", content_sha256="0").n_rows == 100
    # another correction leaves what the person said
    assert correct_settings(table, taken, {"positive": "cat"}).counts is None


# -- a square matrix ----------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["dog", "dog "])
def test_a_square_matrix_is_read_cell_by_cell(first):
    evaluation = detected({"": [first, "cat"], "cat": [7, 50], "dog": [40, 3]})
    assert evaluation.labels == ("cat", "dog")
    assert numbers_of(evaluation)["confusion_matrix"]["rows_true_cols_pred"] == [[50, 3], [7, 40]]
    in_a_row = detected({"Predicted": ["0", "1"], "0": [1, 2], "1": [0, 3]})
    assert in_a_row.n_rows == 6, "cells of 1, 2, 3 are no row numbers"


@given(st.integers(2, 6).flatmap(lambda k: st.lists(st.integers(0, 9), min_size=k * k, max_size=k * k)))
def test_square_matrix_keeps_cells_and_labels(values):
    k = round(len(values) ** 0.5)
    names = [f"label {i}" for i in range(k)]
    matrix = np.array(values).reshape(k, k)
    table = {"true": names, **{name: matrix[:, i] for i, name in enumerate(names)}}
    evaluation = detected(table)
    assert evaluation.labels == tuple(names) and evaluation.n_space == k
    assert numbers_of(evaluation)["confusion_matrix"]["rows_true_cols_pred"] == matrix.tolist()


def test_labels_of_a_matrix_are_different():
    assert not is_matrix(pa.table({"": ["dog ", "dog"], "cat": [7, 50], "dog": [40, 3]}))


def test_matrix_of_shares_is_refused_with_its_place():
    with pytest.raises(DataError, match=r"Column 'cat', row 2: '0\.1' is no number of rows"):
        as_lines(pa.table({"": ["cat", "dog"], "cat": [1.0, 0.1], "dog": [0.0, 0.9]}))


@pytest.mark.parametrize(
    "table",
    [
        {"y": ["cat", "dog"], "cat": [1, 2], "bird": [3, 4]},
        {"y": ["cat", "cat"], "cat": [1, 2], "dog": [3, 4]},
        {"y": ["cat", "dog", "cat"], "cat": [1, 2, 3], "dog": [3, 4, 5]},
        {"y": ["p"], "p": [1]},
    ],
)
def test_other_tables_are_left_as_they_are(table):
    table = pa.table(table)
    assert not is_matrix(table) and as_lines(table) is table


def test_matrix_file_is_read_kept_and_corrected(tmp_path, own_store):
    run = keep_text(tmp_path / "matrix.csv", ",0,1,2\n0,50,3,1\n1,7,40,0\n2,1,2,0\n")
    evaluation = open_run(run)
    assert evaluation.n_rows == 104 and evaluation.labels == ("0", "1", "2")
    assert (evaluation.y_true != MISSING).all()
    assert any("The file is a confusion matrix of 3 classes" in note for note in evaluation.receipt.notes)
    swapped = {"truth": "predicted label", "pred": evaluation.settings.truth}
    other = open_run(draft_changes.correct(run, evaluation.settings, swapped))
    matrix = numbers_of(evaluation)["confusion_matrix"]["rows_true_cols_pred"]
    assert numbers_of(other)["confusion_matrix"]["rows_true_cols_pred"] == np.transpose(matrix).tolist()


@pytest.mark.parametrize("name", ["count", "Anzahl", "Häufigkeit", "nombre", "Cantidad"])
def test_counts_are_found_by_their_name(name):
    table = pa.table({"truth": [*"aabb"], "pred": [*"abab"], name: ["50", "10", "5", "35"]})
    settings = detect(table).settings
    evaluation = build(table, settings, name="x", content_sha256="0")
    assert settings.counts == name and evaluation.n_rows == 100
    assert numbers_of(evaluation)["accuracy"] == 0.85
