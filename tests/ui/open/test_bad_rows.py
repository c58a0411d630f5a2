"""Rows that cannot be read are shown as they stand, left out by a button, and brought back under Change."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.bad_rows import FEWER, MORE, QUOTE, BadRow, BadRows
from data.runs import load
from data.runs.uploads import kept
from tests.opened_pages import open_page, texts
from tests.reading_here import preview_here, reading_here
from ui.open.again import split
from ui.open.repair import bad_rows

pytestmark = pytest.mark.usefixtures("own_store")
LONG = BadRow(MORE, 7, 1, "has 4 values, the header 3", ("4,1.5,a", "5,2.5,b"), ("6,8,09,\u202ea",), ("7,1.5,a",),
              ("6", "8", "09", "\u202ea"), (8, ("7", "1.5", "a")))  # fmt: skip
SHORT = BadRow(FEWER, 9, 1, "has 2 values, the header 3", ("6,8,09,\u202ea", "7,1.5,a"), ("8,a",), (), ("8", "a"))
OPEN = BadRow(QUOTE, 40, 1, "opens a quotation mark and never closes it", ("38,1.5,a",), ('"39,1.5,a',), ("40,1.5,b",))


def found(*examples: BadRow) -> BadRows:
    kinds = tuple((row.kind, 1) for row in examples)
    return BadRows(300, kinds, examples, (1, "id,x,y"), ("id", "x", "y"), "comma")


def test_lines_stand_once_and_in_order() -> None:
    lines = bad_rows.list_lines(found(LONG, SHORT, OPEN))
    assert [(line["number"], line["kind"]) for line in lines] == [
        ("1", "header"), ("···", "skip"), ("6", ""), ("7", "bad"), ("8", ""), ("9", "bad"), ("···", "skip"),
        ("39", ""), ("40", "bad"), ("41", ""),
    ]  # fmt: skip
    assert lines[3] == {
        "number": "7", "text": "6,8,09,\\u202ea", "marked": "8,09", "note": "4 values", "kind": "bad",
    }  # fmt: skip
    assert bad_rows.title(found(LONG, OPEN)) == "2 of 300 rows cannot be read"
    assert bad_rows.lead(found(LONG, OPEN))[1] == "Line 40 opens a quotation mark and never closes it."


def test_split_marks_what_has_no_column() -> None:
    assert bad_rows.find_decimal_comma(found(LONG)) == ("8", "09")
    split = bad_rows.split_table(found(LONG, SHORT))
    assert split is not None and split["heads"] == ["id", "x", "y", "no column"]
    assert [(row["number"], row["cells"], row["off"]) for row in split["rows"]] == [
        ("7", ["6", "8", "09", "\\u202ea"], [1, 2, 3]),
        ("8", ["7", "1.5", "a", "–"], []),
        ("9", ["8", "a", "–", "–"], [2, 3]),
    ]
    assert bad_rows.split_table(found(OPEN)) is None


def opened(folder: Path, n_bad: int, fault: str = ",more") -> AppTest:
    rows = [f"{i},{'ab'[i % 2]},{'ab'[i % 3 > 0]}" + fault * (i < n_bad) for i in range(150)]
    path = folder / "p.csv"
    path.write_text("\n".join(["id,y_true,y_pred", *rows]), errors="surrogateescape")
    return open_page("open", run=load.keep(kept.read_and_keep([(path, path.name)], load.Given())[0]))


def test_rows_are_left_out_and_brought_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "preview_files", preview_here)
    with reading_here():
        app = opened(tmp_path, 1)
        assert "1 of 150 rows cannot be read: line 2 has 4 values, the header 3" in texts(app)
        app.button(key="repair.leave_out").click().run()
        run = app.query_params["run"]
        assert load.draft_of(run).files[0].n_rows == 149
        app = open_page("overview", run=run, reading=True)
        assert "1 of 150 rows was left out: line 2 has 4 values, the header 3." in texts(app)
        for page in ("confusion", "rows", "classes"):
            assert "1 unreadable row left out" in texts(open_page(page, run=run))
        app.button(key="repair.undo").click().run()
        assert not load.draft_of(app.query_params["run"]).is_read and not app.exception


def test_bar_names_all_rows_left_out(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text(
        "\n".join(["id,y_true,y_pred", "0,a,a,more", "1,,b", *(f"{i},a,{'ab'[i % 2]}" for i in range(2, 30))])
    )
    with reading_here():
        read, _ = kept.read_and_keep([(path, path.name)], load.Given(reading=(load.ReadOptions(skip_bad_rows=True),)))
        shown = texts(open_page("confusion", run=load.keep(read)))
    assert "29 rows :orange[(1 unreadable row and 1 row without true or predicted label left out)] · 2 classes" in shown


def test_line_is_corrected_and_brought_back(tmp_path: Path) -> None:
    with reading_here():
        app = opened(tmp_path, 2)
        app.button(key="repair.correct").click().run()
        assert app.text_input(key="repair.text.2").value == "0,a,a,more"
        correct(app, 2, "0,b,a")
        app = open_page("open", run=app.query_params["run"])
        assert "1 of 150 rows cannot be read: line 3 has 4 values, the header 3" in texts(app)
        app.button(key="repair.leave_out").click().run()
        run = app.query_params["run"]
        table = load.read_first_rows(run, 2).to_pylist()
        assert table == [{"id": "0", "y_true": "b", "y_pred": "a"}, {"id": "2", "y_true": "a", "y_pred": "b"}]
        app = open_page("overview", run=run, reading=True)
        assert "Line 2 was corrected by hand before it was read." in texts(app)
        app.button(key="repair.undo_corrections").click().run()
        left_out = load.draft_of(app.query_params["run"]).files[0].rows_left_out
        assert left_out is not None and left_out.n_left_out == 2


def correct(app: AppTest, line: int, text: str) -> None:
    """Write another line and read the file again."""
    app.text_input(key=f"repair.text.{line}").set_value(text)
    next(button for button in app.button if button.label == "Read again").click().run()


def test_bad_json_line_says_why(tmp_path: Path) -> None:
    rows = ['{"y_true": "a", "y_pred": "a"}', '{"y_true": "b", "y_pred": "a"}']
    for line, why in (
        ('{"y_true": {"x": 1}, "y_pred": "a"}', "has an object in 'y_true', most rows have a plain value"),
        ('{"y_true": "a", "y_true": "b"}', "has a fault: the key 'y_true' occurs twice in one object"),
        ('{"y_true": "a", "y_pred": Infinity}', "has a fault: Infinity is not valid JSON"),
        ('["a", "a"]', "is a list, not an object"),
        ('{"y_true": ', "is not valid JSON (Expecting value at its character 12)"),
    ):
        path = tmp_path / "p.jsonl"
        path.write_text("\n".join([rows[0], line, rows[1], ""]))
        with reading_here():
            app = open_page("open", run=load.keep(kept.read_and_keep([(path, path.name)], load.Given())[0]))
            assert f"1 of 3 rows cannot be read: line 2 {why}" in texts(app)
            shown = load.draft_of(app.query_params["run"]).bad_rows
            assert shown is not None and why in str(bad_rows.list_lines(shown))
            assert all(button.label != "Delimiter and header" for button in app.button)
            app.button(key="repair.correct").click().run()
            correct(app, 2, rows[0])
            draft = load.draft_of(app.query_params["run"])
            assert (draft.files[0].n_rows, draft.files[0].corrected_lines) == (3, ((2, rows[0]),))


def test_row_of_other_bytes_points_to_encoding(tmp_path: Path) -> None:
    with reading_here():
        app = opened(tmp_path, 1, "\udcc0\udcaf")
        assert "1 of 150 rows cannot be read: line 2 is not UTF-8 text" in texts(app)
        assert "Is the file in another encoding? Then choose it under *Delimiter and header*." in texts(app)
        app.button(key="repair.leave_out").click().run()
        assert load.draft_of(app.query_params["run"]).files[0].n_rows == 149


def test_many_rows_are_asked_about_twice(tmp_path: Path) -> None:
    with reading_here():
        app = opened(tmp_path, 3)
        assert "3 of 150 rows cannot be read: they have too many values" in texts(app)
        assert app.button(key="repair.ask").label == "Leave out these 3 rows (3 of 150)"
        app.button(key="repair.ask").click().run()
        assert "These are 2.0 % of the rows." in texts(app)
        app.button(key="repair.leave_out").click().run()
        assert load.draft_of(app.query_params["run"]).files[0].n_rows == 147


def test_most_rows_are_left_out_once_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "preview_files", preview_here)
    monkeypatch.setattr(split, "preview_files", preview_here)
    with reading_here():
        app = opened(tmp_path, 90)
        assert "That is more than half, so none are left out: check delimiter and header" in texts(app)
        app.button(key="read.again").click().run()
        assert "90 of 150 rows cannot be read: they have too many values" in texts(app)
        app.button(key="repair.ask").click().run()
        assert "These are 60.0 % of the rows." in texts(app)
        app.button(key="repair.leave_out").click().run()
        assert load.draft_of(app.query_params["run"]).files[0].n_rows == 60


def open_closing_line(folder: Path) -> AppTest:
    path = folder / "p.csv"
    path.write_text("y_true,y_pred\n" + "a,b\nb,b\n" * 20 + "\nRows,40\n")
    return open_page("open", run=load.keep(kept.read_and_keep([(path, path.name)], load.Given())[0]))


def test_closing_line_is_left_out_or_kept(tmp_path: Path) -> None:
    with reading_here():
        asked = open_closing_line(tmp_path)
        title = "1 of 41 rows cannot be read: line 43 looks like a closing line, not a prediction"
        assert title in texts(asked)
        asked.button(key="repair.ask").click().run()
        asked.button(key="repair.leave_out").click().run()
        file = load.draft_of(asked.query_params["run"]).files[0]
        assert file.n_rows == 40 and file.rows_left_out is not None
        assert "line 43 looks like a closing line" in file.rows_left_out.sentences()[0]
        app = open_closing_line(tmp_path)
        app.button(key="repair.correct").click().run()
        correct(app, 43, "Rows,40")
        file = load.draft_of(app.query_params["run"]).files[0]
        assert (file.n_rows, file.corrected_lines, file.rows_left_out) == (41, (), None)
