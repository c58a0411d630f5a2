"""Rows that stand for no prediction are left out and named; a row that may be one stays."""

import pyarrow as pa
import pytest

from data.process.limits import Limits
from data.reading.csv.delimited import Delimited, read_delimited
from data.reading.csv.extra_rows import counts_rows, without_extra_rows
from data.reading.csv.total_cells import without_total_cells

HEADER = "id,y_true,y_pred,p\n"
ROWS = "a1,cat,cat,0.5\na2,dog,cat,0.25\na3,cat,cat,1\n"
GERMAN = "Fall-Nr.;Diagnose;Vorhersage;Score\n"
LINES = [f"{number};{'ab'[number % 2]};{'ab'[number % 3 % 2]};0,{number + 10}\n" for number in range(40)]
CASES = "".join(LINES)
PLAIN = GERMAN + CASES
SUM = f"{sum(number + 10 for number in range(40)) / 100:.2f}".replace(".", ",")


def read(text: str) -> Delimited:
    return read_delimited(text.encode(), Limits())


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
    found = read(HEADER + ROWS + total + "\n")
    assert found.table.column("id").to_pylist() == ["a1", "a2", "a3"]
    (warning,) = found.warnings
    assert "holds totals and no prediction: row 4 was left out" in warning
    assert total.split(",")[0].strip() in warning


@pytest.mark.parametrize(
    "text",
    [
        HEADER + ROWS + "total,cat,dog,0.5\n",  # predicted
        HEADER + ROWS + "total,,dog,\n",  # predicted, without a truth
        HEADER + ROWS + "total,,,0.33\n",  # neither the sum nor the mean
        HEADER + ROWS + "a4,,,\n",  # no word for a total
        HEADER + ROWS + "totally,,,\n",
        HEADER + ROWS + "a1,total,cat,0.5\n",
        "y_true,y_pred\ncat,cat\ntotal,total\ncat,total\ntotal,\n",  # a class called total
        "y_true,y_pred\ncat,cat\ndog,dog\ntotal,total\n",
        "y\ncat\ndog\ncat\ntotal\n",
        "id,y_true,y_pred\nr1,0,1\nr2,1,1\nr3,1,1\nTotal,1,0\n",  # labels that are numbers
        PLAIN + "Summe;a;b;0,99\n",
        PLAIN + "Summe;;b;0,5\n",
        PLAIN + "Summe;a;c;99,9\n",
        PLAIN + "Summen;40;40;99,9\n",
        GERMAN + "x;a;c;high\n" + CASES,  # below the header
        GERMAN + "x;c;c;0,5\n" + CASES,
        GERMAN + "x;c;c;\n" + CASES,
        GERMAN + "7;c;c;high\n" + CASES,
        GERMAN + "x;c;c;NA\n" + CASES,
        "y_true,y_pred\n0+1+2,1+2\n0,1\n0,0\n1,1\n2,2\n0,2\n",
    ],
)
def test_rows_that_may_be_predictions_stay(text: str) -> None:
    assert read(text).table.num_rows == text.count("\n") - 1


def test_several_closing_rows_are_left_out() -> None:
    found = read(HEADER + ROWS + "Total,,,1.75\nAverage,,,0.5833\n,,,\n,,,\n")
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


NO_IDS = "truth,pred,score\n" + "".join(f"{'ab'[n % 2]},{'ab'[n % 3 % 2]},0.{n + 10}\n" for n in range(40))
WITH_IDS = "id,truth,pred,score\n" + "".join(f"{n},{'ab'[n % 2]},a,0.{n + 10}\n" for n in range(40))
NUMBERS = "id,y_true,y_pred\nr1,0,1\nr2,1,1\nr3,1,1\n"


@pytest.mark.parametrize(
    ("text", "plain", "said"),
    [
        *(
            pytest.param(
                GERMAN + "".join(LINES[:place]) + GERMAN + "".join(LINES[place:]), PLAIN,
                f"The header line stands inside the file again (1 time: row {place + 1})", id=f"header at {place}",
            )
            for place in (10, 30, 40)
        ),
        pytest.param(
            "Report\n" + GERMAN + "".join(LINES[:20]) + GERMAN + "".join(LINES[20:]), PLAIN,
            "The header line stands inside the file again (1 time: row 21)", id="header below a title",
        ),
        *(
            pytest.param(
                f"{PLAIN}{total}\n", PLAIN, "holds totals and no prediction: row 41 was left out", id=total
            )
            for total in (
                f"Summe;;;{SUM}", f"Gesamt;40;40;{SUM}", "Summe;40;40;99,9", "Total;;18;99,9", "Durchschnitt;;;0,295"
            )
        ),
        pytest.param(NO_IDS + "Total,,99.5\n", NO_IDS, "holds totals and no prediction", id="total without ids"),
        pytest.param(NUMBERS + "Total,2,3\n", NUMBERS, "holds totals and no prediction", id="total of numbers"),
        *(
            pytest.param(
                f"{GERMAN}{units}\n{CASES}", PLAIN, "names units or types and is no prediction: left out", id=units
            )
            for units in (
                "int;class;class;prob", "[-];[-];[-];[%]", ";;;[%]", "BIGINT;VARCHAR;VARCHAR;DOUBLE", "---;---;---;---"
            )
        ),
        pytest.param(
            ",labels,labels,scores\n" + WITH_IDS, WITH_IDS,
            "1 line above the table left out ('labels labels scores')", id="groups of names",
        ),
    ],
)  # fmt: skip
def test_rows_that_are_no_predictions_are_left_out(text: str, plain: str, said: str) -> None:
    found = read(text)
    assert found.table.to_pydict() == read(plain).table.to_pydict()
    assert any(said in warning for warning in found.warnings), found.warnings


def test_every_kind_of_extra_row_is_left_out() -> None:
    text = GERMAN + "[-];[-];[-];[-]\n" + "".join(LINES[:20]) + GERMAN + "".join(LINES[20:]) + f"Summe;40;40;{SUM}\n"
    found = read(text)
    assert found.table.to_pydict() == read(PLAIN).table.to_pydict()
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


def test_rare_label_in_the_first_row_stays() -> None:
    rows = "y_true,y_pred,age\nbird,bird,unknown\n" + "cat,cat,30.5\ndog,cat,22\n" * 4
    assert read(rows).table.num_rows == 9
    assert read(rows.replace("bird,bird,unknown", "text,text,float")).table.num_rows == 8


def test_lines_of_types_and_roles_are_left_out():
    rows = [f"{row / 8}\t{'cat' if row % 2 else 'dog'}\tcat\t0.{row}" for row in range(1, 9)]
    lines = [
        "size\tanimal\tTree\tTree (cat)",
        "continuous\tdiscrete\tdiscrete\tcontinuous",
        "\tclass\tmeta\tmeta",
        *rows,
    ]
    read = read_delimited("\n".join(lines).encode(), Limits(), "\t")
    assert read.table.column("animal").to_pylist() == ["cat", "dog"] * 4
    left_out = [text for text in read.warnings if "names units or types" in text]
    assert [text[:5] for text in left_out] == ["Row 1", "Row 2"]


@pytest.mark.parametrize("roles", ["\tmeta\tclass\tmeta", "\tm\tc\tm", "\t\tclass\t"])
def test_roles_below_types_need_no_fractions(roles: str) -> None:
    rows = [f"0.{row}\t{20 + row}\t{'yes' if row % 3 else 'no'}\t{'no' if row % 4 else 'yes'}" for row in range(1, 31)]
    lines = ["p_yes\tage\ty\tpred", "continuous\tcontinuous\tdiscrete\tdiscrete", roles, *rows]
    assert read_delimited("\n".join(lines).encode(), Limits(), "\t").table.num_rows == 30
    lines[10] = "0.5\t20\tclass\tmeta"  # where such words are labels, the line may be a row
    kept = {"\tmeta\tclass\tmeta": 31, "\t\tclass\t": 31}.get(roles, 30)
    assert read_delimited("\n".join(lines).encode(), Limits(), "\t").table.num_rows == kept
