"""Rows that stand for no prediction are left out and named; a row that may be one stays."""

import pyarrow as pa
import pytest

from data.process.limits import Limits
from data.reading.csv.delimited import Delimited, read_delimited
from data.reading.csv.extra_rows import counts_rows, without_extra_rows
from data.reading.csv.total_cells import without_total_cells

ROWS = "a1,cat,cat,0.5\na2,dog,cat,0.25\na3,cat,cat,1\n"


def read(text: str) -> Delimited:
    return read_delimited(text.encode(), Limits())


def last_row_stays(text: str) -> bool:
    return read(text).table.num_rows == text.count("\n") - 1


@pytest.mark.parametrize(
    "total",
    [
        "TOTAL,,,",
        "Total:,,,1.75",
        "Sum,3,3,1.75",
        "Grand total,3,,",
        " total ,,,0.5833",
        "Average,,,0.583333",
        "mean,,,0.58",
        "overall,,66.7%,",
        ",Total,,3",
        "total,,,30.5",
    ],
)
def test_closing_totals_row_is_left_out(total: str) -> None:
    found = read("id,y_true,y_pred,p\n" + ROWS + total + "\n")
    assert found.table.column("id").to_pylist() == ["a1", "a2", "a3"]
    (warning,) = found.warnings
    assert "holds totals and no prediction: row 4 was left out" in warning
    assert total.split(",")[0].strip() in warning


@pytest.mark.parametrize(
    "row",
    [
        "total,cat,dog,0.5",  # predicted
        "total,,dog,",  # predicted, without a truth
        "total,,,0.33",  # neither the sum nor the mean
        "a4,,,",  # no word for a total
        "totally,,,",
        "a1,total,cat,0.5",
    ],
)
def test_a_row_that_may_be_one_stays(row: str) -> None:
    assert last_row_stays("id,y_true,y_pred,p\n" + ROWS + row + "\n")


def test_a_class_called_total_stays() -> None:
    assert last_row_stays("y_true,y_pred\ncat,cat\ntotal,total\ncat,total\ntotal,\n")
    assert last_row_stays("y_true,y_pred\ncat,cat\ndog,dog\ntotal,total\n")
    assert last_row_stays("y\ncat\ndog\ncat\ntotal\n")


def test_sums_are_told_from_numeric_labels() -> None:
    rows = "id,y_true,y_pred\nr1,0,1\nr2,1,1\nr3,1,1\n"
    assert read(rows + "Total,2,3\n").table.num_rows == 3
    assert last_row_stays(rows + "Total,1,0\n")


def test_several_closing_rows_are_left_out() -> None:
    found = read("id,y_true,y_pred,p\n" + ROWS + "Total,,,1.75\nAverage,,,0.5833\n,,,\n,,,\n")
    assert found.table.num_rows == 3
    assert "2 empty rows at the end left out." in found.notes and len(found.warnings) == 2


def test_labels_of_left_out_rows_are_gone() -> None:
    found = read("y_true,y_pred\n" + "cat,dog\ndog,dog\n" * 20 + "Total,40\n")
    kinds = {name: set(found.table.column(name).unique().to_pylist()) for name in ("y_true", "y_pred")}
    assert kinds == {"y_true": {"cat", "dog"}, "y_pred": {"dog"}}
    assert all(set(chunk.dictionary.to_pylist()) <= {"cat", "dog"} for chunk in found.table.column("y_true").chunks)


def test_exact_repeated_header_is_left_out() -> None:
    table = pa.table({"word": ["y", "word", "word", "x"], "y": ["word", "a", "y", "y"]})
    kept, _, warnings = without_extra_rows(table)
    assert kept.to_pydict() == {"word": ["y", "word", "x"], "y": ["word", "a", "y"]}
    assert "row 3" in warnings[0]


@pytest.mark.parametrize(
    ("cells", "counted"),
    [
        (["0", "1", "2"], True),
        (["1", "2", "3"], True),
        (["2", "3"], False),
        (["0", "2"], False),
        (["0", None], False),
        (["0", "01"], False),
        ([None], False),
    ],
)
def test_a_column_that_counts_its_rows_is_told(cells: list[str | None], counted: bool) -> None:
    column = pa.chunked_array([pa.array(cells, pa.string())])
    assert counts_rows(column) == counts_rows(column.dictionary_encode()) == counted


def check_same_table(text: str, plain: str, said: str) -> None:
    """Assert that a text gives the table of a plain one, and says so in a warning."""
    found = read(text)
    assert found.table.to_pydict() == read(plain).table.to_pydict()
    assert any(said in warning for warning in found.warnings), found.warnings


GERMAN = "Fall-Nr.;Diagnose;Vorhersage;Score\n"
CASES = [f"{number};{'ab'[number % 2]};{'ab'[number % 3 % 2]};0,{number + 10}\n" for number in range(40)]


@pytest.mark.parametrize("place", [10, 30, 40])
def test_repeated_foreign_header_is_left_out(place: int) -> None:
    text = GERMAN + "".join(CASES[:place]) + GERMAN + "".join(CASES[place:])
    check_same_table(
        text, GERMAN + "".join(CASES), f"The header line stands inside the file again (1 time: row {place + 1})"
    )


def test_repeated_header_below_titles_is_left_out() -> None:
    text = "Report\n" + GERMAN + "".join(CASES[:20]) + GERMAN + "".join(CASES[20:])
    check_same_table(text, GERMAN + "".join(CASES), "The header line stands inside the file again (1 time: row 21)")


SUM = f"{sum(number + 10 for number in range(40)) / 100:.2f}".replace(".", ",")


@pytest.mark.parametrize(
    "total", [f"Summe;;;{SUM}", f"Gesamt;40;40;{SUM}", "Summe;40;40;99,9", "Total;;18;99,9", "Durchschnitt;;;0,295"]
)
def test_totals_with_decimal_commas_are_left_out(total: str) -> None:
    rows = GERMAN + "".join(CASES)
    check_same_table(rows + total + "\n", rows, "holds totals and no prediction: row 41 was left out")


def test_totals_of_rows_without_ids_are_left_out() -> None:
    rows = "truth,pred,score\n" + "".join(f"{'ab'[n % 2]},{'ab'[n % 3 % 2]},0.{n + 10}\n" for n in range(40))
    check_same_table(rows + "Total,,99.5\n", rows, "holds totals and no prediction")


@pytest.mark.parametrize("row", ["Summe;a;b;0,99", "Summe;;b;0,5", "Summe;a;c;99,9", "Summen;40;40;99,9"])
def test_foreign_row_that_may_be_one_stays(row: str) -> None:
    assert last_row_stays(GERMAN + "".join(CASES) + row + "\n")


@pytest.mark.parametrize(
    "units", ["int;class;class;prob", "[-];[-];[-];[%]", ";;;[%]", "BIGINT;VARCHAR;VARCHAR;DOUBLE", "---;---;---;---"]
)
def test_second_header_of_units_is_left_out(units: str) -> None:
    rows = "".join(CASES)
    check_same_table(GERMAN + units + "\n" + rows, GERMAN + rows, "names units or types and is no prediction: left out")


@pytest.mark.parametrize("row", ["x;a;c;high", "x;c;c;0,5", "x;c;c;", "7;c;c;high", "x;c;c;NA"])
def test_first_row_that_may_be_one_stays(row: str) -> None:
    assert read(GERMAN + row + "\n" + "".join(CASES)).table.num_rows == len(CASES) + 1


def test_groups_of_names_above_the_header_are_titles() -> None:
    rows = "id,truth,pred,score\n" + "".join(f"{n},{'ab'[n % 2]},a,0.{n + 10}\n" for n in range(40))
    check_same_table(",labels,labels,scores\n" + rows, rows, "1 line above the table left out ('labels labels scores')")


def test_every_kind_of_extra_row_is_left_out() -> None:
    text = GERMAN + "[-];[-];[-];[-]\n" + "".join(CASES[:20]) + GERMAN + "".join(CASES[20:]) + f"Summe;40;40;{SUM}\n"
    found = read(text)
    assert found.table.to_pydict() == read(GERMAN + "".join(CASES)).table.to_pydict()
    rows = zip(("row 22", "Row 1 ", "row 43"), found.warnings, strict=True)
    assert [row in said for row, said in rows] == [True] * 3, found.warnings


@pytest.mark.parametrize("word", ["Total", "Summe", "Gesamt", "Somme", "Totale", "Suma"])
def test_margins_of_a_matrix_are_left_out(word: str) -> None:
    read_matrix = read(f"true;cat;dog;{word}\ncat;5;2;7\ndog;1;7;8\n{word};6;9;15\n").table
    assert without_total_cells(read_matrix)[0].to_pydict() == {
        "true": ["cat", "dog"],
        "cat": ["5", "1"],
        "dog": ["2", "7"],
    }


def test_first_row_of_several_labels_stays() -> None:
    assert read("y_true,y_pred\n0+1+2,1+2\n0,1\n0,0\n1,1\n2,2\n0,2\n").table.num_rows == 6


def test_rare_label_in_the_first_row_stays() -> None:
    rows = "y_true,y_pred,age\nbird,bird,unknown\n" + "cat,cat,30.5\ndog,cat,22\n" * 4
    assert read(rows).table.num_rows == 9
    assert read(rows.replace("bird,bird,unknown", "text,text,float")).table.num_rows == 8
