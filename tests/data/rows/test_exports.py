"""Test that what is taken along holds every cell, and no spreadsheet runs any of it."""

import csv
import io
import math

import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.rows.exports import escape_formulas, safe_csv, safe_parquet

RUNS = ["=cmd", "=1+1", "+1+1", "-2+3", "@x", "\tx", "\r=x", "\n=x", "-", "+", "=", "-2.5 kg", "+x", "--1", "-1\n"]
HARMLESS = ["", "1", "-1", "+1", "-2.5", "1e5", "-1E-7", "a=b", " =1", "refund", "(−2)", "x@y", "'quoted"]


@pytest.mark.parametrize("text", RUNS)
def test_text_that_a_spreadsheet_would_run_is_disarmed(text):
    assert escape_formulas(text) == "'" + text.replace("\r=", "\r'=").replace("\n=", "\n'=")


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("y;=1+1", "y;'=1+1"),
        ("y|@x\t-2", "y|'@x\t'-2"),
        ("a\r\n=1\n+b", "a\r\n'=1\n'+b"),
        ("=a;=b;", "'=a;'=b;"),
        ('y;"=1+1"', 'y;\'"=1+1"'),
        ("a;b|c-d\te=f", "a;b|c-d\te=f"),
    ],
)
def test_formula_after_a_separator_is_disarmed(text, safe):
    assert escape_formulas(text) == safe
    assert escape_formulas(safe) == safe


@pytest.mark.parametrize("value", [*HARMLESS, 1, -2.5, None, True, math.nan])
def test_everything_else_is_unharmed(value):
    assert escape_formulas(value) is value


texts = st.text(st.sampled_from(list("=+-@\t\r\n'\",;|ab1.é漢 ")), max_size=6)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5), st.tuples(texts, texts))
def test_downloads_hold_no_formula(rows, header):
    made = safe_csv(pd.DataFrame(rows, columns=list(header))).decode("utf-8")
    read = list(csv.reader(io.StringIO(made, newline="")))
    wanted = [[escape_formulas(cell) for cell in row] for row in (header, *rows)]
    assert read == wanted
    for row in read:
        for cell in row:
            number = cell[1:].replace(".", "", 1).isdigit() and cell[:1] in "+-"
            assert number or not cell or cell[0] not in "=+-@\t\r\n"


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5), st.tuples(texts, texts), st.sampled_from(";|\t"))
def test_no_line_or_cell_end_starts_a_formula(rows, header, sign):
    made = safe_csv(pd.DataFrame(rows, columns=list(header))).decode("utf-8")
    quoted = [cell for row in csv.reader(io.StringIO(made, newline=""), delimiter=sign) for cell in row]
    split = [cell for line in made.splitlines() for cell in line.split(sign)]
    first = {str(cell) for cell in (header[0], *(row[0] for row in rows))}  # a number there is one with what follows it
    for cell in (*quoted, *split):
        assert cell[:1] not in tuple("=@+-") or cell.split(",")[0] in first


def test_disarmed_text_stays_the_same_text():
    cells = ["refund;=1+1", "a|b\n- one\n- two", 'say "no";-2']
    made = safe_csv(pd.DataFrame({"a": cells})).decode()
    read = [row[0] for row in csv.reader(io.StringIO(made, newline=""))][1:]
    assert read == ["refund;'=1+1", "a|b\n'- one\n'- two", 'say "no";\'-2']


def test_carriage_return_inside_a_cell_begins_no_row():
    made = safe_csv(pd.DataFrame({"a": ["x\r=1+1", "y\n=2"], "b": ["c", "d"]})).decode()
    assert '"x\r\'=1+1"' in made and '"y\n\'=2"' in made


def test_download_keeps_numbers_dates_and_gaps():
    frame = pd.DataFrame({"n": [-1.5, None], "i": [-3, 4], "t": ["-3", None], "c": pd.Categorical(["=x", "-1"])})
    assert safe_csv(frame).decode().splitlines() == ["n,i,t,c", "-1.5,-3,-3,'=x", ",4,,-1"]
    assert frame["c"].tolist() == ["=x", "-1"], "the frame itself is not changed"


def test_half_characters_do_not_stop_a_download():
    assert b"?" in safe_csv(pd.DataFrame({"a": pd.Series(["\ud800"], dtype=object)}))


# -- Parquet ----------------------------------------------------------------------------------------


def read(frame):
    return pq.read_table(io.BytesIO(safe_parquet(frame)))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.none() | texts, st.none() | st.integers(-(2**60), 2**60)), min_size=1, max_size=5))
def test_parquet_holds_texts_and_whole_numbers_unchanged(rows):
    words, numbers = (list(side) for side in zip(*rows, strict=True))
    made = read(pd.DataFrame({"w": pd.Series(words, dtype=object), "n": pd.Series(numbers, dtype=object)}))
    assert made.column("w").to_pylist() == words and made.column("n").to_pylist() == numbers


def test_parquet_keeps_dates_numbers_and_what_is_missing():
    times = pd.to_datetime(["2026-11-21", None])
    made = read(pd.DataFrame({"f": [0.1, None], "t": times, "b": [True, False], "c": pd.Categorical(["=x", None])}))
    assert made.column("f").to_pylist() == [0.1, None] and made.column("b").to_pylist() == [True, False]
    assert made.column("t").to_pylist()[0] == times[0] and made.column("t").to_pylist()[1] is None
    assert [value for value in made.column("c").to_pylist()] == ["=x", None]


def test_parquet_takes_mixed_cells_and_half_characters():
    columns = {"a": [1, "x", None, 2.5], "b": ["\ud800y", "z", None, "w"]}
    made = read(pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()}))
    assert made.column("a").to_pylist() == ["1", "x", None, "2.5"]
    assert made.column("b").to_pylist() == ["?y", "z", None, "w"]


def test_parquet_keeps_equal_column_names_apart():
    frame = pd.DataFrame([[1, 2, 3]], columns=["a", "a", "a (2)"])
    made = read(frame)
    assert made.column_names == ["a", "a (2)", "a (2) (2)"] and made.to_pylist() == [
        {"a": 1, "a (2)": 2, "a (2) (2)": 3}
    ]
    assert made.schema.metadata is None and list(frame.columns) == ["a", "a", "a (2)"]


def test_table_without_rows_is_still_a_file():
    frame = pd.DataFrame({"a": pd.Series([], dtype=object)})
    assert read(frame).num_rows == 0 and read(frame).column_names == ["a"] and safe_csv(frame) == b"a\r\n"
