"""Excel workbooks: what a person sees in the first sheet is what is read; what is left out is said."""

import datetime
import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest

from data.errors import DataError
from data.evaluation import FileFacts
from data.process.limits import Limits
from data.reading.dispatch import read_table
from data.reading.options import ReadOptions
from tests.data.workbooks import SHEET, cell, saved, with_cells, with_part, workbook

PAIR = [["truth", "pred"], ["owl", "owl"], ["fox", "owl"]]
SMALL = Limits(expanded_bytes=4 << 20, rows=2_000, columns=300, cell_chars=5_000)


def read(tmp_path: Path, content: bytes, name: str = "book.xlsx") -> tuple[dict[str, list[Any]], FileFacts]:
    path = tmp_path / "upload"
    path.write_bytes(content)
    table, facts = read_table(path, name, limits=SMALL)
    assert isinstance(table, pa.Table)
    return table.to_pydict(), facts


def refusal(tmp_path: Path, content: bytes, name: str = "book.xlsx") -> str:
    with pytest.raises(DataError) as error:
        read(tmp_path, content, name)
    assert len(str(error.value)) <= 400
    return str(error.value)


def test_sheet_is_read_like_its_csv(tmp_path):
    columns, facts = read(tmp_path, workbook(("Sheet", PAIR)))
    assert columns == {"truth": ["owl", "fox"], "pred": ["owl", "owl"]}
    assert (facts.format, facts.delimiter, facts.notes, facts.warnings) == ("Excel", None, (), ())


def test_values_become_the_text_a_person_writes(tmp_path):
    rows = [
        ["whole", "day", "moment", "yes", "code", "share"],
        [1, datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5), True, "007", 0.25],
        [2, datetime.date(2024, 1, 3), datetime.datetime(2024, 1, 3, 23), False, "1.0", 1],
    ]

    def percent(sheet):
        sheet["F2"].number_format = sheet["F3"].number_format = "0%"

    columns, _ = read(tmp_path, workbook(("Sheet", rows), change=percent))
    assert columns["whole"] == ["1", "2"]
    assert columns["day"] == ["2024-01-02", "2024-01-03"]
    assert columns["moment"] == ["2024-01-02 03:04:05", "2024-01-03 23:00:00"]
    assert columns["yes"] == ["true", "false"]
    assert columns["code"] == ["007", "1.0"]
    assert columns["share"] == [0.25, 1.0]


def test_uncomputed_cells_are_empty_with_a_note(tmp_path):
    rows = [["truth", "pred", "p"], ["owl", "#N/A", "=1/4"], ["fox", "owl", "=1/2"], ["fox", "#DIV/0!", "=1/5"]]
    columns, facts = read(tmp_path, workbook(("Sheet", rows)))
    assert columns == {"truth": ["owl", "fox", "fox"], "pred": [None, "owl", None], "p": [None] * 3}
    said = " ".join(facts.warnings)
    assert "2 cells with an error" in said and "3 formulas without a computed value" in said


def test_formula_is_its_last_saved_value(tmp_path):
    row = '<row r="2"><c r="A2" t="str"><f>B1</f><v>owl</v></c><c r="B2"><f>1/4</f><v>0.25</v></c></row>'
    header = f'<row r="1">{cell("A1", "truth")}{cell("B1", "p")}</row>'
    columns, facts = read(tmp_path, with_cells(header + row))
    assert columns == {"truth": ["owl"], "p": [0.25]} and facts.warnings == ()


def test_first_visible_sheet_with_a_table_is_read(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "empty"
    cover, notes = [["Report"], ["See preds"]], [["by", "me"]]
    for name, rows in (("secret", [["x"], ["y"]]), ("cover", cover), ("preds", PAIR), ("notes", notes)):
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book["secret"].sheet_state = "hidden"
    columns, facts = read(tmp_path, saved(book))
    assert columns["truth"] == ["owl", "fox"]
    (said,) = facts.warnings
    assert "'preds' was read" in said and all(f"'{name}'" in said for name in ("empty", "secret", "cover", "notes"))


def test_title_above_the_table_is_left_out(tmp_path):
    columns, facts = read(tmp_path, workbook(("Sheet", [["Run 7 of March"], [], *PAIR])))
    assert columns["pred"] == ["owl", "owl"]
    assert "Run 7 of March" in facts.warnings[0] and "row 3" in facts.warnings[0]


def test_table_away_from_the_corner_is_found(tmp_path):
    def move(sheet):
        sheet.move_range("A1:B3", rows=4, cols=3)

    columns, facts = read(tmp_path, workbook(("Sheet", PAIR), change=move))
    assert columns == {"truth": ["owl", "fox"], "pred": ["owl", "owl"]} and facts.warnings == ()


def test_two_merged_header_rows_name_the_columns(tmp_path):
    rows = [["truth", "scores", None], [None, "owl", "fox"], ["owl", 0.75, 0.25], ["fox", 0.5, 0.5]]

    def merge(sheet):
        sheet.merge_cells("B1:C1")
        sheet.merge_cells("A1:A2")

    columns, facts = read(tmp_path, workbook(("Sheet", rows), change=merge))
    assert columns["truth"] == ["owl", "fox"] and columns["owl"] == [0.75, 0.5] and columns["fox"] == [0.25, 0.5]
    assert "merged header cells" in " ".join(facts.notes)


def test_merged_cells_among_the_rows_are_warned_about(tmp_path):
    columns, facts = read(tmp_path, workbook(("Sheet", PAIR), change=lambda sheet: sheet.merge_cells("A2:A3")))
    assert columns["truth"] == ["owl", None]
    assert "1 merged cell below the header" in facts.warnings[0]


def test_other_delimiters_in_a_header_cell_split_nothing(tmp_path):
    columns, _ = read(tmp_path, workbook(("Sheet", [["truth; final, checked"], ["a;b,c"], ["d;e,f"]])))
    assert columns == {"truth; final, checked": ["a;b,c", "d;e,f"]}


def test_line_ends_and_quotes_inside_cells_stay(tmp_path):
    texts = ["two\nlines", "a\tb", 'say "hi"']
    columns, _ = read(tmp_path, workbook(("Sheet", [["text", "y"], *([text, "a"] for text in texts)])))
    assert columns["text"] == texts


@pytest.mark.parametrize(
    ("rows", "kept", "words"),
    [
        ([*PAIR, ["", ""], ["", ""]], 2, "2 empty rows at the end left out."),
        ([["y_true", "y_pred"], ["a|b", "a"], ["b", "a|b"], ["", ""]], 3, "1 empty row at the end counts as rows"),
        ([*PAIR[:2], [None, None], PAIR[2]], 2, "1 blank row inside the file skipped: row 2."),
        ([["y_true", "y_pred"], ["a|b", "a"], ["", ""], ["b", "a|b"]], 3, ""),
        ([["pred"], ["owl"], ["fox"], [""], [""]], 2, "2 blank rows at the end skipped."),
        ([["pred"], ["owl"], [""], ["fox"], ["owl"]], 4, "1 blank row (first: row 2) counted as empty"),
    ],
)
def test_blank_rows_are_said_like_blank_lines(tmp_path, rows, kept, words):
    _, facts = read(tmp_path, workbook(("Sheet", rows)))
    assert facts.n_rows == kept and words in " ".join([*facts.notes, *facts.warnings])


def test_formatted_cells_are_no_rows(tmp_path):
    def format_below(sheet):
        for row in (4, 9):
            sheet.cell(row, 1).number_format = "0.00"

    columns, facts = read(tmp_path, workbook(("Sheet", PAIR), change=format_below))
    assert columns["truth"] == ["owl", "fox"] and facts.n_rows == 2


def test_macros_and_links_to_other_files_change_nothing(tmp_path):
    book = with_part(workbook(("Sheet", PAIR)), "xl/vbaProject.bin", b"\xd0\xcf\x11\xe0 any code")
    book = with_part(book, "xl/externalLinks/externalLink1.xml", b"<externalLink/>")
    columns, _ = read(tmp_path, book, "book.xlsm")
    assert columns["truth"] == ["owl", "fox"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (with_cells(f'<row r="1">{cell("A1", "a")}</row><row>{cell("XFD1048576", "z")}</row>'), "1,048,576"),
        (with_cells(f'<row r="1">{cell("A1", "a")}{cell("XFD1", "z")}</row>'), "16,384 columns"),
        (with_cells(f'<row r="1">{cell("A1", "a")}</row><row r="1999">{cell("KN1999", "z")}</row>'), "spreads over"),
        (with_cells("", '<!DOCTYPE x [<!ENTITY a "aaaa">]>'), "no visible sheet holds a cell"),
        (with_part(workbook(("S", PAIR)), "xl/workbook.xml", b'<!DOCTYPE x [<!ENTITY a "a">]>'), "document type"),
        (with_part(workbook(("S", PAIR)), SHEET, b"<worksheet><sheetData><row"), "no visible sheet"),
        (with_part(workbook(("S", PAIR)), "xl/media/big.bin", bytes(5 << 20)), "expands to 5"),
        (workbook(("S", PAIR))[:-40], "damaged or not an Excel workbook"),
        (workbook(("S", [])), "no visible sheet holds a cell"),
        (workbook(("S", [["truth", "pred"]])), "no rows"),
        (b"PK\x03\x04" + b"\0" * 60, "damaged or not an Excel workbook"),
        (b"truth,pred\na,b\n", "seems to be text"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600, "password-protected Excel workbook"),
    ],
)  # fmt: skip
def test_hostile_workbook_is_refused_in_a_sentence(tmp_path, content, says):
    assert says in refusal(tmp_path, content)


def test_cells_without_position_follow_each_other(tmp_path):
    row = '<row><c t="inlineStr"><is><t>{}</t></is></c><c t="inlineStr"><is><t>{}</t></is></c></row>'
    content = with_cells(row.format("truth", "pred") + row.format("owl", "fox"))
    assert read(tmp_path, content)[0] == {"truth": ["owl"], "pred": ["fox"]}
    assert "3,000 rows" in refusal(tmp_path, with_cells(row.format("owl", "fox") * 3_000))


def test_tags_with_a_prefix_are_the_same_tags(tmp_path):
    content = with_cells(f'<row r="1">{cell("A1", "truth")}</row><row r="2">{cell("A2", "owl")}<c r="B2" t="e"/></row>')
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        xml = archive.read(SHEET).replace(b"<", b"<x:").replace(b"<x:/", b"</x:").replace(b"<x:?", b"<?")
    prefixed = with_part(content, SHEET, xml.replace(b"xmlns=", b"xmlns:x="))
    columns, facts = read(tmp_path, prefixed)
    assert columns["truth"] == ["owl"] and "1 cell with an error" in facts.warnings[0]


def test_too_long_cell_is_refused_before_parsing(tmp_path):
    content = with_cells(f"<row>{cell('A1', 'z' * (3 << 20))}</row>")
    assert "one of its cells is longer than 5,000 characters" in refusal(tmp_path, content)
    shared = with_part(workbook(("S", PAIR)), "xl/sharedStrings.xml", b"<sst><si><t>" + b"z" * (3 << 20))
    assert "one of its cells is longer" in refusal(tmp_path, shared)


def test_an_entity_in_a_sheet_is_never_expanded(tmp_path):
    content = with_cells(f'<row r="1">{cell("A1", "&a;")}</row>', '<!DOCTYPE x [<!ENTITY a "aaaa">]>')
    assert "damaged" in refusal(tmp_path, content)


def test_lying_member_is_never_unpacked_whole(tmp_path):
    content = with_part(workbook(("S", PAIR)), "xl/theme/theme1.xml", bytes(3 << 20))
    lying = content.replace((3 << 20).to_bytes(4, "little"), (300).to_bytes(4, "little"))
    assert lying != content
    assert "larger than it says" in refusal(tmp_path, lying)


def test_zip_that_is_no_workbook_says_so(tmp_path):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("preds.csv", "a,b\n1,2\n")
    assert "no Excel workbook" in refusal(tmp_path, sink.getvalue())
    assert "no Excel workbook" in refusal(tmp_path, sink.getvalue(), "preds.csv")


def test_workbook_named_csv_is_read_as_workbook(tmp_path):
    columns, facts = read(tmp_path, workbook(("Sheet", PAIR)), "preds.csv")
    assert columns["truth"] == ["owl", "fox"] and "it holds an Excel workbook" in facts.warnings[0]


@pytest.mark.parametrize("ending", [".xls", ".xlsb", ".ods"])
def test_other_spreadsheets_are_refused_with_advice(tmp_path, ending):
    said = refusal(tmp_path, b"anything", f"preds{ending}")
    assert ending in said and "Save it as .xlsx" in said


def test_chosen_sheet_header_and_decimal_are_taken(tmp_path):
    cells = [["Bericht"], ["Fall-Nr.", "Wahrheit", "Score"], [1, "a", "0,97"], [2, "b", "0,5"]]
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbook(("Deckblatt", [["Stand", "heute"]]), ("Daten", cells)))
    options = ReadOptions(header=2, decimal=",", sheet="Daten")
    table, facts = read_table(path, path.name, options=options)
    assert table.to_pydict() == {"Fall-Nr.": ["1", "2"], "Wahrheit": ["a", "b"], "Score": [0.97, 0.5]}
    assert (facts.sheet, facts.decimal) == ("Daten", ",") and "which you chose" in facts.notes[0]
    for wrong, words in (
        (ReadOptions(sheet="X"), "choose one of 'Deckblatt', 'Daten'"),
        (ReadOptions(header=7), "ends"),
    ):
        with pytest.raises(DataError, match=words):
            read_table(path, path.name, options=wrong)
