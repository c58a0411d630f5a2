"""The delimiter and the header line of drawn files come out as they were drawn, or the file is refused."""

import io

import numpy as np
import pyarrow as pa
import pytest

from data.columns.name_ranks import is_sure_id, rank
from data.errors import DataError
from data.process.limits import Limits
from data.reading.csv.delimited import Delimited, read_delimited
from data.reading.options import ReadOptions
from tests.data.reading.csv.drawn_layouts import DrawnLayout, draw_layout


def read_drawn(drawn: DrawnLayout) -> Delimited | None:
    """Return the file as read; None where its closing line is refused by its row."""
    try:
        return read_delimited(drawn.content, Limits())
    except DataError as error:
        assert drawn.footers and str(error).startswith("row"), (drawn.seed, str(error))
        return None


def drawn_cells(drawn: DrawnLayout, place: int) -> list[str | float]:
    cells = [row[place] for row in drawn.rows]
    return [float(cell) for cell in cells] if "." in cells[0] and place == 3 else [*cells]


def test_drawn_layouts_are_split_as_drawn() -> None:
    for drawn in map(draw_layout, range(400)):
        read = read_drawn(drawn)
        if read is None:
            continue
        names = drawn.names if drawn.header_line else read.table.column_names
        assert (read.delimiter or drawn.delimiter) == drawn.delimiter, drawn.seed
        assert read.table.column_names == names, drawn.seed
        columns = [
            column.cast(pa.string()) if place != 3 else column for place, column in enumerate(read.table.columns)
        ]
        assert [column.to_pylist() for column in columns] == [
            drawn_cells(drawn, place) for place in range(len(names))
        ], drawn.seed
        assert any("above the table left out" in said for said in read.warnings) == bool(drawn.titles), drawn.seed


TITLED = "Model evaluation report\nGenerated 2026-11-20\n\ncase;reference;system output;certainty\n"


@pytest.mark.parametrize("n_titles", [13, 40, 100])
@pytest.mark.parametrize("title", ["Report line", "Report, line", "Report; line; more"])
def test_header_far_below_is_found(title: str, n_titles: int) -> None:
    titles = "".join(f"{title} {number}\n" for number in range(n_titles))
    rows = "".join(f"{number},{label},A\n" for number, label in enumerate("ABC" * 60))
    read = read_delimited((titles + "id,y_true,y_pred\n" + rows).encode(), Limits())
    assert (read.table.column_names, read.table.num_rows) == (["id", "y_true", "y_pred"], 180)
    assert f"data starts at line {n_titles + 1} with the header ('id', 'y_true', 'y_pred')" in read.warnings[0]


def test_semicolons_below_title_lines_win() -> None:
    rows = "".join(f"{number};{label};A;0,{number:02}\n" for number, label in enumerate("ABC" * 20))
    read = read_delimited((TITLED + rows).encode(), Limits())
    assert (read.delimiter, read.table.num_rows) == (";", 60)
    assert "data starts at line 4 with the header ('case', 'reference'" in read.warnings[0]


@pytest.mark.parametrize(
    ("names", "is_id", "sure"),
    [
        ("Fall-Nr.|Fallnummer|Lfd. Nr.|Vorgangs-ID|Aktenzeichen|Numéro de dossier", True, True),
        ("Nr.|No.|N°|Vorgang|case|file", True, False),
        ("no|none|normal|Vorhersage", False, False),
    ],
)
def test_numbered_names_are_ids(names: str, is_id: bool, sure: bool) -> None:
    for name in names.split("|"):
        assert ((rank(name, "id") is not None), is_sure_id(name)) == (is_id, sure), name


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        pytest.param("truth prediction\nham spam\nham ham\n", " ", id="header of all columns"),
        pytest.param('"truth" "prediction"\n"1" "no spam" "ham"\n"2" "ham" "ham"\n', " ", id="names of rows"),
        pytest.param("truth prediction\nham spam\nham ham too\n", None, id="lines of different lengths"),
        pytest.param("call me\nham spam\nham ham\n", None, id="a first line of other words"),
        pytest.param("the prediction\nham spam\nham ham\n", None, id="one name of a column"),
        pytest.param("true label\nnot spam\nvery ham\n", None, id="one name of two words"),
        pytest.param("label pred\nham spam\nspam spam\n", " ", id="names like one, above labels that both have"),
        pytest.param("truth prediction,text\nham ham,hi you\nham ham,me too\n", ",", id="another delimiter"),
    ],
)
def test_spaces_part_cells_below_names_alone(text: str, delimiter: str | None) -> None:
    assert read_delimited(text.encode(), Limits(), plain=True).delimiter == delimiter


@pytest.mark.parametrize("header", ["", "y_true y_pred y_score"])
@pytest.mark.parametrize("fmt", ["%.18e", "%.6g", "%.2e"])
@pytest.mark.parametrize("delimiter", [" ", ","])
def test_saved_arrays_are_columns(header: str, fmt: str, delimiter: str) -> None:
    array = np.array([[1, 0, 0.25], [0, 0, 0.5], [3, 10, 0.75], [0, 1, 1]])
    content = io.BytesIO()
    np.savetxt(content, array, fmt, delimiter, header=header.replace(" ", delimiter))
    table = read_delimited(content.getvalue(), Limits(), plain=delimiter == " ").table
    assert table.column_names == (header.split() or ["column 1", "column 2", "column 3"])
    assert [column.to_pylist() for column in table.columns] == [
        ["1", "0", "3", "0"],
        ["0", "0", "10", "1"],
        [*array.T[2]],
    ]


@pytest.mark.parametrize(("place", "delimiter"), [(0, " "), (0, ","), (3, ",")])
def test_saved_probabilities_are_scores(place: int, delimiter: str) -> None:
    """Columns of fractions that add up to 1 are the scores of classes. Others, as the labels, have no name."""
    shares = np.array([[0.7, 0.2, 0.1], [0.25, 0.25, 0.5], [0, 1, 0]])
    content = io.BytesIO()
    np.savetxt(content, np.insert(shares, place, [0, 2, 1], axis=1), delimiter=delimiter)
    read = read_delimited(content.getvalue(), Limits(), plain=delimiter == " ")
    names = ["share 1", "share 2", "share 3"]
    names.insert(place, f"column {place + 1}")
    assert read.table.column_names == names
    assert any("There is no header line" in warning and "'share 1'" in warning for warning in read.warnings)


@pytest.mark.parametrize("cells", ["0.5,0.4", "1,0", "1.5,-0.5", "0.5,nan", "0.5,inf"])
def test_other_numbers_are_no_shares(cells: str) -> None:
    text = "\n".join([cells] * 4)
    names = read_delimited(text.encode(), Limits(), options=ReadOptions(header=False)).table.column_names
    assert names == ["column 1", "column 2"]


def test_shares_beside_two_columns_may_be_features() -> None:
    text = "spam,spam,0.7,0.3\nham,spam,0.2,0.8\n" * 3
    read = read_delimited(text.encode(), Limits())
    assert read.table.column_names == ["column 1", "column 2", "column 3", "column 4"]


@pytest.mark.parametrize(
    "lines", [["3 7", "1 7", "2 3"], ["39 4", "4 33"], ["1 1", "1 1 1", "2 2"], ["a 0.5", "b 0.5"]]
)
def test_sets_and_matrices_of_numbers_stay_lines(lines: list[str]) -> None:
    assert read_delimited("\n".join(lines).encode(), Limits(), plain=True).table.column(0).to_pylist() == lines
