"""Delimited text against Python's csv module: whatever is read is what the csv module reads, cell for cell."""

from __future__ import annotations

import csv
import hashlib
import io
import math
import random
import re
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data.evaluation import DataError
from data.readers import delimited, exact, read_table
from data.readers.delimited import read_delimited
from data.readers.limits import Limits

LIMITS = Limits()
QUICK = settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def oracle(text: str, delimiter: str = ",") -> list[list[str | None]]:
    """Every record as the csv module reads it strictly, header line first; blank cells are None."""
    without_blank_end = re.sub(r"(?:[\r\n] *)+\Z", "", text)
    records = csv.reader(io.StringIO(without_blank_end, newline=""), delimiter=delimiter, strict=True)
    return [[cell if cell.strip() else None for cell in record] for record in records]


def cells(table: pa.Table) -> list[list[object]]:
    return [list(row) for row in zip(*table.to_pydict().values(), strict=True)]


Style = tuple[str, Literal[0, 1]]  # line end, and whether every cell is quoted
STYLES: list[Style] = [("\r\n", 0), ("\n", 1), ("\r", 1)]  # the csv module leaves another system's line ends bare
CELL = st.text(st.sampled_from('ab"\n\r, ;\té0.5'), max_size=5)


@QUICK
@given(st.data(), st.sampled_from(",;\t|"), st.sampled_from(STYLES))
def test_what_the_csv_module_writes_is_read_back(data: st.DataObject, delimiter: str, style: Style) -> None:
    rows = data.draw(st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=8))
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator=style[0], quoting=style[1])
    writer.writerows([["x", "y", "z"], *rows])
    expected: list[list[object]] = [[cell if cell.strip() else None for cell in row] for row in rows]
    read = read_delimited(file.getvalue().encode(), LIMITS)
    assert read.delimiter == delimiter and read.table.column_names == ["x", "y", "z"]
    assert as_written(cells(read.table)) == as_written(expected)


def as_written(rows: list[list[object]]) -> list[list[object]]:
    """Text that is a number and the number are the same cell here: which columns are scores is tested below."""
    return [[_number(cell) for cell in row] for row in rows]


def _number(cell: object) -> object:
    try:
        return float(cell.strip()) if isinstance(cell, str) else cell
    except ValueError:
        return cell


@QUICK
@given(st.text(st.sampled_from('ab",\n\n" \r'), max_size=40))
def test_any_text_is_refused_or_read_as_the_csv_module_reads_it(text: str) -> None:
    content = "x,y\n" + text
    try:
        expected: list[list[str | None]] | None = oracle(content)[1:]
    except csv.Error:
        expected = None
    try:
        read = cells(read_delimited(content.encode(), LIMITS).table)
    except DataError:
        assert expected is None or not expected or any(len(record) != 2 for record in expected)
    else:
        assert read == expected


@QUICK
@given(st.text(st.sampled_from('ab"\n '), min_size=1, max_size=20))
def test_a_single_column_is_refused_or_read_as_the_csv_module_reads_it(text: str) -> None:
    content = "x\n" + text
    try:
        expected: list[list[str | None]] | None = oracle(content)[1:]
    except csv.Error:
        expected = None
    try:
        read = cells(read_delimited(content.encode(), LIMITS).table)
    except DataError:
        assert not expected or any(len(record) != 1 for record in expected)
    else:
        assert read == expected


@QUICK
@given(st.binary(max_size=60))
def test_any_bytes_are_a_table_or_one_sentence(noise: bytes) -> None:
    try:
        table = read_delimited(b"a,b\n1,2\n" + noise, LIMITS).table
    except DataError as refusal:
        assert "\n" not in str(refusal)
    else:
        assert table.num_columns == 2 and table.num_rows >= 1


def test_the_slow_reader_gives_what_the_fast_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f'label {i % 7},{i / 64},"id ""{i}""",{"" if i % 5 else "x"}\n' for i in range(3000))
    content = ("y,p,id,gap\n" + rows).encode()
    fast = read_delimited(content, LIMITS).table

    def broken(*_: object) -> pa.Table:
        raise pa.ArrowInvalid("straddling object straddles two block boundaries")

    monkeypatch.setattr(delimited, "_parse", broken)
    slow = read_delimited(content, LIMITS).table
    assert slow.schema == fast.schema and slow.to_pydict() == fast.to_pydict()


def test_kinds_of_columns_are_told_from_the_first_thousand_rows() -> None:
    rows = "".join(f"{i % 77},{i / 7},{i},{i % 3}.5,row number {i}\n" for i in range(2000))
    schema = read_delimited(("label,score,id,rating,text\n" + rows).encode(), LIMITS).table.schema
    codes = pa.dictionary(pa.int32(), pa.string())
    assert schema.types == [codes, pa.float64(), pa.string(), codes, pa.string()]


def test_scores_are_exact() -> None:
    drawn = random.Random(3)
    scores = [drawn.random() * 10.0 ** drawn.randint(-12, 3) for _ in range(500)] + [0.1 + 0.2, 5e-324, 1.7e308]
    content = "p\n" + "".join(f"{score!r}\n" for score in scores)
    assert read_delimited(content.encode(), LIMITS).table.column("p").to_pylist() == scores


def test_a_word_far_below_makes_a_score_column_text_and_loses_nothing() -> None:
    scores = [f"{i / 4096:.6f}" for i in range(3000)]
    content = "p,q\n" + "".join(f"{score},{score}\n" for score in scores) + "withheld,0.5\n"
    table = read_delimited(content.encode(), LIMITS).table
    assert table.column("p").to_pylist() == [*scores, "withheld"]
    assert table.column("q").to_pylist() == [*map(float, scores), 0.5]


def test_nan_and_inf_among_scores_are_named_by_row() -> None:
    read = read_delimited(b"y,p\na,0.5\nb,nan\nc,0.25\nd,inf\ne,nan\n", LIMITS)
    scores = read.table.column("p").to_pylist()
    assert math.isnan(scores[1]) and math.isnan(scores[4]) and scores[3] == math.inf
    assert [w for w in read.warnings if "nan" in w and "2 rows" in w and "first row 2" in w]
    assert [w for w in read.warnings if "inf" in w and "1 row" in w and "first row 4" in w]


def test_a_column_that_stops_repeating_itself_becomes_plain_text() -> None:
    values = ["same"] * 1000 + [f"other {i}" for i in range(4000)]
    column = read_delimited(("y\n" + "".join(f"{v}\n" for v in values)).encode(), LIMITS).table.column("y")
    assert column.type == pa.string() and column.to_pylist() == values


@pytest.mark.parametrize("bad_row", [1, 2, 999, 60_000])
def test_a_ragged_row_is_named_wherever_it_is(bad_row: int) -> None:
    lines = ["a,b\n"] * 70_000
    lines[bad_row - 1] = "a,b,c\n"
    with pytest.raises(DataError, match=f"row {bad_row:,} has 3 values"):
        read_delimited(("x,y\n" + "".join(lines)).encode(), LIMITS)


def test_rows_are_counted_by_record_where_cells_span_lines() -> None:
    with pytest.raises(DataError, match="row 3 has 1 value,"):
        read_delimited(b'x,y\n"a\n\nb",1\n"c\nd",2\ne\n', LIMITS)
    assert exact.row_after(b'x,y\n"a\n\nb",1\n"c') == 2


def test_cells_longer_than_a_block_are_read() -> None:
    long = "word " * 150_000
    rows = [("a", long), ("b", long), ('c "quoted"', long + "!")]
    file = io.StringIO()
    csv.writer(file).writerows([("y", "text"), *rows])
    assert [tuple(row) for row in cells(read_delimited(file.getvalue().encode(), LIMITS).table)] == rows


def test_a_wide_file_is_read_whole() -> None:
    names = [f"class {i}" for i in range(2000)]
    rows = [[f"{(i * j % 97) / 97:.4f}" for j in range(2000)] for i in range(1, 41)]
    content = "\n".join(",".join(row) for row in [names, *rows]) + "\n"
    table = read_delimited(content.encode(), LIMITS).table
    assert table.column_names == names
    assert as_written(cells(table)) == [[float(cell) for cell in row] for row in rows]


def test_the_first_line_decides_even_if_it_is_no_header() -> None:
    table = read_delimited(b"clip.wav,child speech,16.5\nclip.wav,noise,-2.25\n", LIMITS).table
    assert table.column_names == ["clip.wav", "child speech", "16.5"] and table.num_rows == 1


def test_facts_say_how_a_file_was_read(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(b"\xef\xbb\xbfy;p\r\na;0,5\r\n")
    _, facts = read_table(path, "preds.txt")
    assert (facts.format, facts.delimiter, facts.n_bytes) == ("CSV", ";", 15)
    assert facts.encoding == "UTF-8 with byte order mark" and facts.compression is None
    assert facts.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("text", ["cat,dog\ncat,cat\ndog,dog\n", "1,0,0.25\n0,0,0.5\n1,1,0.75\n", "a,a\na,a\na,b\n"])
def test_a_file_without_a_header_is_refused_before_its_first_row_is_lost(text: str) -> None:
    with pytest.raises(DataError, match="not a header: add a header line"):
        read_delimited(text.encode(), LIMITS)


def test_a_header_that_may_be_a_row_is_doubted_and_class_names_are_none() -> None:
    (doubt,) = read_delimited(b"id1,cat,0.25\nid2,cat,0.5\nid3,dog,0.75\n", LIMITS).warnings
    assert "taken as the header" in doubt and "0.25" in doubt
    assert read_delimited(b"y,0,1\n0,0.25,0.75\n1,0.5,0.5\n", LIMITS).warnings == ()
