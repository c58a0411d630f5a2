"""Slices hold every row once: values, bins with ends of the file, missing; filters keep the rows of a value."""

from datetime import timedelta

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.building.rescoring import with_threshold
from data.columns import column
from data.comparison.filter_conditions import filter_rows, find_rows_with, read_condition, read_filter, write_filter
from data.comparison.ordered_columns import read_ordered
from data.comparison.slice_columns import slices_by, write_columns
from data.comparison.sliceable_columns import cut_columns
from data.errors import DataError
from data.evaluation import Settings


def test_values_stand_in_the_order_of_the_file():
    found = slices_by(pa.table({"region": ["us", "eu", None, "us", " "]}), "region")
    assert found.values == (("us",), ("eu",), (None,)) and found.codes.tolist() == [0, 1, 2, 0, 2]


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        (["2026-03", "2025-12", "2026-01"], ["2025-12", "2026-01", "2026-03"]),
        (["2026-Q1", "2025Q4", "2025-Q2"], ["2025-Q2", "2025-Q4", "2026-Q1"]),
        (["2025-Q4", "2025Q4", "2025-Q2"], ["2025-Q2", "2025-Q4"]),
        (["2026-W01", "2025-W52", "2020-W53"], ["2020-W53", "2025-W52", "2026-W01"]),
    ],
)
def test_months_quarters_and_weeks_have_an_order(cells, names):
    table = pa.table({"when": [*cells, None, cells[0]]})
    slicing = slices_by(table, "when")
    assert [name for (name,) in slicing.values[:-1]] == names and slicing.has_dates
    assert [slicing.values[code][0] for code in slicing.codes] == [*(_dashed(cell) for cell in cells), None, names[-1]]
    for name in names:
        inside = find_rows_with(table, "when", name)
        assert inside.tolist() == [cell is not None and _dashed(cell) == name for cell in table["when"].to_pylist()]


def _dashed(period):
    return period.replace("5Q", "5-Q")


def test_many_weeks_become_months():
    mondays = np.arange("2025-06-02", "2026-06-01", 7, dtype="datetime64[D]").astype(object)
    table = pa.table({"week": [f"{day.isocalendar().year}-W{day.isocalendar().week:02}" for day in mondays]})
    slicing = slices_by(table, "week")
    thursdays = [(day + timedelta(days=3)).isoformat()[:7] for day in mondays]
    assert [slicing.values[code][0] for code in slicing.codes] == thursdays
    assert (find_rows_with(table, "week", "2026-01") == [month == "2026-01" for month in thursdays]).all()


@pytest.mark.parametrize(
    "cells",
    [
        ["2026-01", "2026-13"], ["2026-01", "2026"], ["4711-03", "4711-04"], ["2026-1", "2026-2"], ["2026-W54"],
        ["2025-W53"], ["2026-Q5"], ["2026-01", "2026-Q1"], ["2026-01", "unknown"], ["A2026-01"], ["2026-01-A"],
    ],
)  # fmt: skip
def test_other_texts_become_no_periods(cells):
    assert read_ordered(pa.chunked_array([cells])) is None


@pytest.mark.parametrize("cells", [["2024", "2025"], ["1901", "4711"], ["202601", "202602"]])
def test_plain_digits_stay_numbers(cells):
    assert read_ordered(pa.chunked_array([cells])).kind == "number"


def test_few_numbers_are_values_in_their_order():
    assert slices_by(pa.table({"grade": ["10", "9", "10", "2"]}), "grade").values == (("2",), ("9",), ("10",))


def test_many_numbers_are_cut_into_equal_bins():
    ages = np.random.default_rng(0).integers(18, 90, 1000)
    found = slices_by(pa.table({"age": ages}), "age")
    rows = np.bincount(found.codes)
    assert len(found.values) == 5 and rows.min() > 150
    for place, (text,) in enumerate(found.values):
        own = ages[found.codes == place]
        assert text == f"{own.min()} to {own.max()}"
    assert found.values[0][0].startswith("18 to ") and found.values[4][0].endswith(" to 89")


def test_equal_numbers_stay_together():
    numbers = np.append(np.zeros(500), np.arange(30) + 0.5)
    found = slices_by(pa.table({"x": numbers}), "x")
    assert len(set(found.codes[:500].tolist())) == 1


def test_missing_numbers_are_a_slice():
    found = slices_by(pa.table({"x": [*(float(i) for i in range(40)), None, None]}), "x")
    assert found.values[-1] == (None,) and (found.codes == len(found.values) - 1).sum() == 2


def test_crossed_columns_hold_what_occurs():
    table = pa.table({"a": ["x", "y", "x", None], "b": ["1", "1", "2", "2"]})
    found = slices_by(table, "a,b")
    named = [found.named(code) for code in found.codes.tolist()]
    assert named == [{"a": a, "b": b} for a, b in zip(["x", "y", "x", None], ["1", "1", "2", "2"], strict=True)]
    assert len(found.values) == 4


@pytest.mark.parametrize(
    ("columns", "n_slices"), [(["a", "b"], 4), (["a,b"], 3), (["size, cm", "b"], 2), (["[x]", "a,b"], 3)]
)
def test_names_with_commas_are_crossed(columns, n_slices):
    table = pa.table(
        {
            "a": ["1", "2", "1", "2"],
            "b": ["u", "v", "v", "u"],
            "a,b": ["x", "y", "z", "x"],
            "size, cm": ["S", "L", "L", "S"],
            "[x]": ["k"] * 4,
        }
    )
    way = slices_by(table, write_columns(columns, table.column_names))
    assert (list(way.columns), len(way.values)) == (columns, n_slices)
    assert [tuple(way.named(code).values()) for code in way.codes] == list(
        zip(*(table[name].to_pylist() for name in columns), strict=True)
    )


def test_a_missing_column_is_named():
    with pytest.raises(DataError, match=r"no column 'regio' to slice rows by.*Did you mean 'region'"):
        slices_by(pa.table({"region": ["a"]}), "regio")


def evaluation():
    table = pa.table(
        {"y": ["a", "b", "a", None], "p": ["a", "a", "b", "a"], "s": [0.9, 0.6, 0.2, 0.8], "r": ["x", "x", "y", "x"]}
    )
    return build(table, Settings(truth="y", pred="p", scores=(("s", "a"),)), name="d", content_sha256="0")


def test_a_filter_keeps_its_rows_and_all_labels():
    found = filter_rows(evaluation(), [("r", "x")])
    assert (found.n_rows, found.n_scored, found.n_missing_truth) == (3, 2, 1)
    assert found.labels == ("a", "b") and found.y_score[:, 0].tolist() == [0.9, 0.6, 0.8]
    assert found.rows.column("s").to_pylist() == [0.9, 0.6, 0.8] and found.row_numbers.tolist() == [0, 1, 3]
    assert found.fingerprint != evaluation().fingerprint
    assert "Only the 3 lines with 'r' = 'x' count." in found.receipt.notes


@pytest.mark.parametrize(("column", "value", "words"), [("r", "z", "No row has 'z'"), ("q", "x", "no column 'q'")])
def test_a_filter_that_keeps_nothing_is_refused(column, value, words):
    with pytest.raises(DataError, match=words):
        filter_rows(evaluation(), [(column, value)])
    with pytest.raises(DataError, match="says no value"):
        read_condition("region")


def test_dates_are_cut_into_calendar_periods():
    days = np.arange("2026-01-05", "2026-12-30", dtype="datetime64[D]")
    year = pa.table({"day": [*map(str, days), None]})
    months = slices_by(year, "day")
    assert [value for (value,) in months.values] == [f"2026-{month:02}" for month in range(1, 13)] + [None]
    weeks = slices_by(year.slice(0, 28), "day")
    assert weeks.values[0] == ("2026-01-05 to 2026-01-11",) and np.bincount(weeks.codes).tolist() == [7] * 4
    assert slices_by(year.slice(0, 9), "day").values[8] == ("2026-01-13",)


def test_a_filter_takes_every_name_of_a_slice():
    rng = np.random.default_rng(3)
    days = np.datetime64("2026-01-05") + rng.integers(0, 300, 200)
    columns = {"age": rng.integers(0, 90, 200), "price": rng.lognormal(9, 2, 200), "day": list(map(str, days))}
    columns["gap"] = [*(str(i % 3) for i in range(150)), *([None] * 50)]
    table = pa.table({"y": ["a", "b"] * 100, "p": ["a"] * 200, **columns})
    whole = build(table, Settings(truth="y", pred="p"), name="d", content_sha256="0")
    for name in columns:
        found = slices_by(table, name)
        for place, (value,) in enumerate(found.values):
            kept = filter_rows(whole, [(name, value or "")])
            assert kept.row_numbers.tolist() == np.flatnonzero(found.codes == place).tolist()


def test_several_conditions_hold_together():
    conditions = (("r", "x"), ("y", "a"))
    found = filter_rows(evaluation(), conditions)
    assert found.row_numbers.tolist() == [0] and found.filtered.conditions == conditions
    again = filter_rows(filter_rows(evaluation(), conditions[:1]), conditions[1:])
    assert (again.filtered, again.listed) == (found.filtered, evaluation().listed) and found.filtered.n_rows == 4
    with pytest.raises(DataError, match="together"):
        filter_rows(evaluation(), [("r", "y"), ("y", "b")])


def test_a_threshold_keeps_filtered_rows_apart():
    table = pa.table({"y": ["a", "b"] * 3, "s": [0.9, 0.2, 0.7, 0.4, 0.1, 0.3], "r": ["x", "x", "y", "y", "x", "y"]})
    whole = build(table, Settings(truth="y", scores=(("s", "a"),), positive="a"), name="d", content_sha256="0")
    part = filter_rows(whole, [("r", "x")])
    at = [with_threshold(one, 0.3) for one in (whole, part, filter_rows(whole, [("r", "y")]))]
    assert len({one.fingerprint for one in at}) == 3 and at[1].filtered == part.filtered
    assert at[1].y_pred.tolist() == at[0].y_pred[[0, 1, 4]].tolist()


def test_an_address_holds_any_filter():
    conditions = (("a=b&c", "50 % + ü"), ("b", ""))
    assert read_filter(write_filter(conditions)) == conditions
    with pytest.raises(ValueError):
        read_filter("country")


def test_columns_are_cut_or_the_reason_is_told():
    n = 600
    table = pa.table(
        {
            "y": ["a", "b"] * 300,
            "p": ["a"] * n,
            "country": ["DE", None, "FR"] * 200,
            "age": [float(i % 70) for i in range(n)],
            "day": [f"2026-{1 + i % 9:02}-{1 + i % 28:02}" for i in range(n)],
            "text": [f"words {i}" for i in range(n)],
            "same": ["x"] * n,
            "code": pa.array([f"c{i % 300}" for i in range(n)]).dictionary_encode(),
        }
    )
    found = cut_columns(build(table, Settings(truth="y", pred="p"), name="d", content_sha256="0"))
    assert {way.columns[0]: len(way.values) for way in found.ways} == {"country": 3, "age": 5, "day": 9}
    assert found.left_out == (
        ("text", "600 different texts"), ("same", "one value only"), ("code", "300 values"),
    )  # fmt: skip


def test_too_many_values_are_counted(monkeypatch):
    monkeypatch.setattr("data.comparison.slice_columns.MAX_SLICES", 200)
    code = pa.array([f"c{i % 300}" for i in range(600)]).dictionary_encode()
    table = pa.table({"y": ["a", "b"] * 300, "p": ["a"] * 600, "code": code})
    slices = cut_columns(build(table, Settings(truth="y", pred="p"), name="d", content_sha256="0"))
    assert slices.left_out == (("code", "300 values"),)


def test_ratings_of_others_are_no_slices():
    """Columns of other raters only say where raters disagree, if truth and prediction are raters."""
    rng = np.random.default_rng(3)
    ratings = {name: rng.choice(["good", "bad"], 60).tolist() for name in ("human_1", "human_2", "model_x")}
    table = pa.table(ratings | {"topic": rng.choice(["a", "b"], 60).tolist()})
    found = cut_columns(build(table, Settings(truth="human_1", pred="model_x"), name="d", content_sha256="0"))
    assert [way.columns for way in found.ways] == [("topic",)]
    assert found.left_out == (("human_2", "ratings of another rater"),)


def labelled(n: int, **columns):
    truth = ["ab"[i % 2] for i in range(n)]
    pred = ["ab"[(i // 3) % 2] for i in range(n)]
    table = pa.table({"y": truth, "p": pred, **columns})
    return build(table, Settings(truth="y", pred="p"), name="d", content_sha256=repr(sorted(columns)) + str(n))


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("made", [int, str, float], ids=lambda kind: kind.__name__)
def test_a_number_of_each_row_is_an_id(made, shuffled, rng):
    numbers = rng.permutation(90) + 7 if shuffled else np.arange(90)
    found = cut_columns(labelled(90, nr=[made(number) for number in numbers.tolist()]))
    assert not found.ways and found.left_out == (("nr", "an id: another number in every row"),)


@pytest.mark.parametrize(
    "numbers", [np.arange(90) // 2, np.arange(90) / 2, np.arange(29)], ids=["twice", "half", "few"]
)
def test_other_numbers_are_slices(numbers):
    assert [way.columns for way in cut_columns(labelled(len(numbers), x=numbers.tolist())).ways] == [("x",)]


@pytest.mark.parametrize(("copied", "word"), [("y", "true"), ("p", "predicted")])
def test_a_copy_of_the_labels_is_no_slice(copied, word):
    labels = labelled(60).rows.column(copied).to_pylist()
    copy = [{"a": "no", "b": "yes"}[label] for label in labels]
    assert cut_columns(labelled(60, copy=copy)).left_out == (("copy", f"the same as the {word} label"),)
    assert cut_columns(labelled(60, copy=["yes"] * 20 + copy[20:])).ways


def test_columns_of_texts_are_encoded_once(monkeypatch):
    """A file may have thousands of columns, and encoding one takes longer than all that is asked of it."""
    cells = {"y": "abab", "p": "abba", "place": "nsnn", "week": "1232"}
    table = pa.table({name: pa.array(list(texts)).dictionary_encode() for name, texts in cells.items()})
    built = build(table, Settings(truth="y", pred="p"), name="demo", content_sha256="0")
    encoded = []
    monkeypatch.setattr(column, "encode", lambda array, encode=column.encode: encoded.append(1) or encode(array))
    assert [way.columns for way in cut_columns(built).ways] == [("place",), ("week",)]
    assert len(encoded) == 2
