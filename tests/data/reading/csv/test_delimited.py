"""Delimited text against Python's csv module: whatever is read is what the csv module reads, cell for cell."""

import csv
import hashlib
import io
import math
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pytest
from hypothesis import example, given, strategies as st

from data.errors import DataError
from data.process.limits import Limits
from data.reading.csv import fast_rows, strict_csv
from data.reading.csv.delimited import Delimited, read_delimited
from data.reading.csv.empty_rows import holds_only_sets
from data.reading.dispatch import read_table

LIMITS = Limits()


def cells(table: pa.Table) -> list[list[object]]:
    return [list(row) for row in zip(*table.to_pydict().values(), strict=True)]


Style = tuple[str, Literal[0, 1]]  # line end, and whether every cell is quoted
STYLES: list[Style] = [("\r\n", 0), ("\n", 1), ("\r", 1)]  # the csv module leaves another system's line ends bare
WITHOUT_SPACES = ["é"]  # a cell of a column that is not filled up: its spaces belong to the values
CELL = st.text(st.sampled_from('ab"\n\r, ;\té0.5'), max_size=5)


@given(st.data(), st.sampled_from(",;\t|"), st.sampled_from(STYLES))
def test_what_the_csv_module_writes_is_read_back(data: st.DataObject, delimiter: str, style: Style) -> None:
    rows = [WITHOUT_SPACES * 3, *data.draw(st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=8))]
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator=style[0], quoting=style[1])
    writer.writerows([["x", "y", "z"], *rows])
    read = read_delimited(file.getvalue().encode(), LIMITS)
    assert read.delimiter == delimiter and read.table.column_names == ["x", "y", "z"]
    check_rows(read.table, [[cell if cell.strip() else None for cell in row] for row in rows])


def check_rows(table: pa.Table, rows: Sequence[Sequence[object]]) -> None:
    """An empty row stays only where it may be an empty set, or where no row holds anything."""
    kept, expected = cells(table), filled(rows)
    assert as_written(filled(kept)) == as_written(expected)
    assert len(kept) == len(expected) or holds_only_sets(table)


def filled(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    """Rows without the empty ones, if any row holds something."""
    return [list(row) for row in rows if any(cell is not None for cell in row)] or [list(row) for row in rows]


def as_written(rows: list[list[object]]) -> list[list[object]]:
    """Text that is a number and the number are the same cell here: which columns are scores is tested below."""
    return [[_number(cell) for cell in row] for row in rows]


def _number(cell: object) -> object:
    try:
        number = float(cell.strip()) if isinstance(cell, str) else cell
        return "nan" if number != number else number
    except ValueError:
        return cell


def oracle_rows(content: str) -> list[list[str | None]] | None:
    """The rows below the header as the csv module reads them strictly, None where it cannot; blank cells are None.

    Among several columns a line of spaces is no row. Quotation marks around nothing are a row of one value.
    """
    without_blank_end = re.sub(r"(?:[\r\n] *)+\Z", "", content)
    file, begin = io.StringIO(without_blank_end, newline=""), 0
    rows: list[list[str | None]] = []
    try:
        for record in csv.reader(file, strict=True):
            end = file.tell()
            if without_blank_end[begin:end].strip() or len(rows[0]) == 1:
                rows.append([cell if cell.strip() else None for cell in record])
            begin = end
    except csv.Error:
        return None
    return rows[1:]


@example(',","a\ra,')  # text after a closing mark that follows a delimiter
@example('""')
@example('""\na,b\n" "\n')
@example("  \na,b\n")
@given(st.text(st.sampled_from('ab",\n\n" \r'), max_size=40))
def test_text_is_refused_or_read_like_csv(text: str) -> None:
    content = "x,y\né,é\n" + text
    expected = oracle_rows(content)
    try:
        read = cells(read_delimited(content.encode(), LIMITS).table)
    except DataError:
        assert expected is None or not expected or any(len(record) != 2 for record in expected)
    else:
        assert expected is not None
        trimmed = [record[:2] if not any(record[2:]) else record for record in expected]  # delimiters after each row
        assert read == filled(trimmed if len({len(record) for record in expected}) == 1 else expected)


@given(st.text(st.sampled_from('ab"\n '), min_size=1, max_size=20))
def test_single_column_is_refused_or_read_like_csv(text: str) -> None:
    content = "x\né\n" + text
    expected = oracle_rows(content)
    try:
        read = cells(read_delimited(content.encode(), LIMITS).table)
    except DataError:
        assert not expected or any(len(record) != 1 for record in expected)
    else:
        assert read == expected


@given(st.binary(max_size=60))
def test_any_bytes_are_a_table_or_one_sentence(noise: bytes) -> None:
    try:
        table = read_delimited(b"a,b\n1,2\n" + noise, LIMITS).table
    except DataError as refusal:
        assert "\n" not in str(refusal)
    else:
        assert table.num_columns == 2 and table.num_rows >= 1


def test_slow_reader_equals_the_fast_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f'label {i % 7},{i / 64},"id ""{i}""",{"" if i % 5 else "x"}\n' for i in range(3000))
    content = ("y,p,id,gap\n" + rows).encode()
    fast = read_delimited(content, LIMITS).table

    def broken(*_: object) -> pa.Table:
        raise pa.ArrowInvalid("straddling object straddles two block boundaries")

    monkeypatch.setattr(fast_rows, "_parse", broken)
    slow = read_delimited(content, LIMITS).table
    assert slow.schema == fast.schema and slow.to_pydict() == fast.to_pydict()


def test_column_types_come_from_the_first_thousand_rows() -> None:
    rows = "".join(f"{i % 77},{i / 7},{i},{i % 3}.5,row number {i}\n" for i in range(2000))
    schema = read_delimited(("label,score,id,rating,text\n" + rows).encode(), LIMITS).table.schema
    codes = pa.dictionary(pa.int32(), pa.string())
    assert schema.types == [codes, pa.float64(), pa.string(), codes, pa.string()]


def test_scores_are_exact() -> None:
    drawn = random.Random(3)
    scores = [drawn.random() * 10.0 ** drawn.randint(-12, 3) for _ in range(500)] + [0.1 + 0.2, 5e-324, 1.7e308]
    content = "p\n" + "".join(f"{score!r}\n" for score in scores)
    assert read_delimited(content.encode(), LIMITS).table.column("p").to_pylist() == scores


def test_late_word_makes_a_score_column_text() -> None:
    scores = [f"{i / 4096:.6f}" for i in range(3000)]
    content = "p,q\n" + "".join(f"{score},{score}\n" for score in scores) + "withheld,0.5\n"
    table = read_delimited(content.encode(), LIMITS).table
    assert table.column("p").to_pylist() == [*scores, "withheld"]
    assert table.column("q").to_pylist() == [*map(float, scores), 0.5]


def test_nan_and_inf_scores_are_named_by_row() -> None:
    read = read_delimited(b"y,p\na,0.5\nb,nan\nc,0.25\nd,inf\ne,nan\n", LIMITS)
    scores = read.table.column("p").to_pylist()
    assert math.isnan(scores[1]) and math.isnan(scores[4]) and scores[3] == math.inf
    assert [w for w in read.warnings if "nan" in w and "2 rows" in w and "first row 2" in w]
    assert [w for w in read.warnings if "inf" in w and "1 row" in w and "first row 4" in w]


def test_unrepetitive_column_becomes_plain_text() -> None:
    values = ["same"] * 1000 + [f"other {i}" for i in range(4000)]
    column = read_delimited(("y\n" + "".join(f"{v}\n" for v in values)).encode(), LIMITS).table.column("y")
    assert column.type == pa.string() and column.to_pylist() == values


@pytest.mark.parametrize("bad_row", [1, 2, 999, 60_000])
def test_a_ragged_row_is_named_wherever_it_is(bad_row: int) -> None:
    lines = ["a,b\n"] * 70_000
    lines[bad_row - 1] = "a,b,c\n"
    with pytest.raises(DataError, match=f"row {bad_row:,} has 3 values"):
        read_delimited(("x,y\n" + "".join(lines)).encode(), LIMITS)


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


def test_facts_say_how_a_file_was_read(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(b"\xef\xbb\xbfy;p\r\na;0,5\r\n")
    _, facts = read_table(path, "preds.txt")
    assert (facts.format, facts.delimiter, facts.n_bytes) == ("CSV", ";", 15)
    assert facts.encoding == "UTF-8 with byte order mark" and facts.compression is None
    assert facts.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


MARKED = ("utf-8", "utf-8-sig", "utf-16")
ENCODED = (*MARKED, "utf-16-le", "utf-16-be", "cp1252")
PRINTABLE = st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" ,;|'\"#é"), max_size=6)
WESTERN = st.text(st.sampled_from("abc äöüéèñçßÄ,;'#\"."), max_size=6)


def draw_table(encoding: str) -> st.SearchStrategy[tuple[str, list[list[str]]]]:
    cell = WESTERN if encoding == "cp1252" else PRINTABLE
    return st.tuples(st.just(encoding), st.lists(st.lists(cell, min_size=3, max_size=3), min_size=1, max_size=8))


@example(("utf-8", [["", "", ": "]]), ",", "\n")
@given(st.sampled_from(ENCODED).flatmap(draw_table), st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n", "\r"]))
def test_printable_table_reads_back_in_every_dialect(
    tmp_path_factory: pytest.TempPathFactory, table: tuple[str, list[list[str]]], delimiter: str, line_end: str
) -> None:
    encoding, drawn = table
    rows = [WITHOUT_SPACES * 3, *drawn]
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, lineterminator=line_end).writerows([["id", "y_true", "y_pred"], *rows])
    path = tmp_path_factory.getbasetemp() / "dressed"
    path.write_bytes(file.getvalue().encode(encoding))
    try:
        read, facts = read_table(path, "preds.csv")
    except DataError as refusal:  # too few letters make the encoding plain
        assert encoding not in MARKED, refusal
        return
    assert facts.delimiter == delimiter and read.column_names == ["id", "y_true", "y_pred"]
    check_rows(read, [[cell if cell.strip() else None for cell in row] for row in rows])


def said(read: Delimited) -> str:
    return " ".join((read.choice, *read.notes, *read.warnings))


@pytest.mark.parametrize(
    ("text", "confirmed"),
    [
        ("a,b\n1,2\n3,4\n", "3 of 3 sampled lines split into 2 cells at the comma"),
        ("a;b;c\n1,5;2;3\n", "2 of 2 sampled lines split into 3 cells at the semicolon"),
        ("a\tb\n1\t2\n# note\n3\t4\n", "3 of 4 sampled lines split into 2 cells at the tab"),
        ("a\nx\n", "Every line is one cell: no delimiter splits the lines alike"),
    ],
)
def test_delimiter_choice_is_said_with_its_reason(text: str, confirmed: str) -> None:
    assert read_delimited(text.encode(), LIMITS).choice.startswith(confirmed)


def test_sentences_of_plain_text_are_one_column() -> None:
    lines = ["Well, it is B, I think", "A", 'I say "B", or', "C; D | E", '"Yes," she said']
    read = read_delimited(("\n".join(lines) + "\n").encode(), LIMITS, plain=True)
    assert cells(read.table) == [[line] for line in lines] and read.delimiter is None


@pytest.mark.parametrize(
    ("text", "columns", "sentences"),
    [
        pytest.param(
            'tag,y\n#owl,a\n# left, right, centre\n"# quoted,\n# inside\n",b\n#fox,c\n# the "end\n',
            {"tag": ["#owl", "# quoted,\n# inside\n", "#fox"], "y": ["a", "b", "c"]},
            ["Lines 3, 8 begin with #", "left, right, centre"],
            id="comments between rows",
        ),
        pytest.param(
            "# run 7\n# made, on monday\ny_true,y_pred\na,a\nb,a\n",
            {"y_true": ["a", "b"], "y_pred": ["a", "a"]},
            ["# made, on"],
            id="comments with delimiters before the header",
        ),
        pytest.param(
            "# y_true,y_pred\na,a\nb,a\n",
            {"y_true": ["a", "b"], "y_pred": ["a", "a"]},
            ["lost that mark"],
            id="a header as NumPy writes it",
        ),
        pytest.param(
            "# run 7, model x\n# label,guess\na,a\nb,a\n",
            {"label": ["a", "b"], "guess": ["a", "a"]},
            ["run 7, model x"],
            id="the last comment may be the header",
        ),
        pytest.param(
            "y,p,p,p (2),p\n1,a,b,c,d\n",
            {"y": ["1"], "p": ["a"], "p (3)": ["b"], "p (2)": ["c"], "p (4)": ["d"]},
            ["'p' is now 'p (3)'"],
            id="repeated names are numbered",
        ),
        pytest.param(
            "\u00a0y_true\u00a0,\u200by_pred,\ufeff p\n“a”,b,c\n",
            {"y_true": ["“a”"], "y_pred": ["b"], "p": ["c"]},
            [],
            id="names lose blanks and marks that nobody sees",
        ),
        pytest.param(
            "truth,estimate\na1,owl,fox\na2,owl,owl\n",
            {"column 1": ["a1", "a2"], "truth": ["owl", "owl"], "estimate": ["fox", "owl"]},
            [],
            id="names of rows become a column",
        ),
        pytest.param(
            "y,p" + "," * 50 + "\n" + ("a,b" + "," * 50 + "\n") * 3 + ("," * 51 + "\n") * 4000,
            {"y": ["a"] * 3, "p": ["b"] * 3},
            ["4,000 empty rows at the end", "45 more"],
            id="empty rows and columns",
        ),
    ],
)
def test_rows_are_read_beside_what_is_none(text: str, columns: dict[str, list[str]], sentences: list[str]) -> None:
    read = read_delimited(text.encode(), LIMITS)
    assert read.table.to_pydict() == columns
    assert [sentence for sentence in sentences if sentence not in said(read)] == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'x,y\n"a\n\nb",1\n"c\nd",2\ne\n', "row 3 has 1 value,"),  # rows are counted by record
        (b"x,y\n1,2\n# note\n1,2,3\n", "row 2 has 3 values"),
        (b"x,y\n# a\n# b\n", "no rows"),
        (b"#a,b\n", "header line but no rows"),
    ],
)
def test_content_without_its_cells_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_delimited(content, LIMITS)


def test_an_open_mark_is_found_in_its_row() -> None:
    assert strict_csv.find_row(b'x,y\n"a\n\nb",1\n"c') == 2


def test_blank_text_line_is_an_empty_cell() -> None:
    read = read_delimited(b"cat\n\ndog\ncat\n  \ndog\n", LIMITS, plain=True)
    assert read.table.column(0).to_pylist() == ["cat", None, "dog", "cat", None, "dog"]
    assert "2 blank lines (first: row 2) counted as empty" in said(read)


@pytest.mark.parametrize(
    "text",
    [
        "#a,#a\n#b,#a\nc,c\n#a,c\nc,c\n",
        "#fun today, really\tjoy\nwell, yes, no\tjoy\nno\tanger\nyes, no\tjoy\n",
        "#owl,fox\nfox,fox\n#owl,#owl\n",
        "#owl,#owl\n#fox,#owl\n#fox,#fox\n",
    ],
)
def test_first_label_with_a_hash_stays(text: str) -> None:
    read = read_delimited(text.encode(), LIMITS)
    assert cells(read.table) == [re.split("\t|,(?! )", line) for line in text.splitlines()]


def test_cells_with_a_hash_stay_cells() -> None:
    long = "x" * 150_000
    read = read_delimited(f"#{long},a\nb,{long}\nb,a\na,b\n".encode(), LIMITS)
    assert cells(read.table)[1:] == [["b", long], ["b", "a"], ["a", "b"]] and len(read.table) == 4


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_a_first_column_that_counts_is_an_index(name: str, first: int) -> None:
    rows = "".join(f"{index + first},a\n" for index in range(30))
    read = read_delimited(f"{name},y\n{rows}".encode(), LIMITS)
    assert read.table.column_names == ["index", "y"] and "neither truth nor prediction" in said(read)


@pytest.mark.parametrize("cells_of_it", [["1", "2", "4"], ["2", "3", "4"], ["0", "1", ""], ["0", "1", "b"]])
def test_first_column_of_words_keeps_its_place(cells_of_it: list[str]) -> None:
    read = read_delimited((",y\n" + "".join(f"{cell},a\n" for cell in cells_of_it)).encode(), LIMITS)
    assert read.table.column_names == ["column 1", "y"]


def test_eight_thousand_columns_are_read_whole() -> None:
    names = [f"c{i}" for i in range(8000)]
    rows = [[f"{(i * j) % 7}w" for i in range(8000)] for j in range(5)]
    content = "\n".join(",".join(row) for row in [names, *rows]) + "\n"
    table = read_delimited(content.encode(), LIMITS).table
    assert table.column_names == names and cells(table) == rows
