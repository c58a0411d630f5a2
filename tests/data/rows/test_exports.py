"""Test that what is taken along holds every cell, and no spreadsheet runs any of it."""

import csv
import io
import math

import pandas as pd
import pytest
from hypothesis import given, strategies as st

from data.rows.exports import escape_formulas, safe_csv

RUNS = ["=1+1", "+1+1", "-2+3", "\ufeff=1", "@x", "\tx", "\r=x", "\n=x", "-", "+", "=", "-2.5 kg", "+x", "--1", "-1\n"]
HARMLESS = ["", "1", "-1", "+1", "-2.5", "1e5", "-1E-7", "a=b", " =1", "refund", "(−2)", "x@y", "'quoted"]


@pytest.mark.parametrize("text", RUNS)
def test_text_that_a_spreadsheet_would_run_is_disarmed(text):
    assert escape_formulas(text) == "'" + text.replace("\r=", "\r'=").replace("\n=", "\n'=")


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("y;=1+1", "y;'=1+1"),
        *((f"{sign}1+1;{sign}2", f"'{sign}1+1;'{sign}2") for sign in "＝＋－＠"),
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


def test_table_without_rows_is_still_a_file():
    frame = pd.DataFrame({"a": pd.Series([], dtype=object)})
    assert safe_csv(frame) == b"a\r\n"
