"""Title lines, thousands, cells that are no numbers, totals, and labels without a column: found, or named."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from data.columns.column import Column
from data.columns.written_numbers import read_written_numbers
from data.errors import DataError
from data.evaluation import Evaluation
from data.runs import load
from data.runs.draft import Given

pytestmark = pytest.mark.usefixtures("read_here")


def opened(folder: Path, *texts: str, **given) -> Evaluation:
    paths = [folder / f"file{i}.csv" for i in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return load.read_evaluation(paths, Given(**given))


def warned(e: Evaluation, words: str) -> bool:
    return any(words in text for text in e.receipt.warnings)


BODY = "id,y_true,y_pred\n1,a,a\n2,b,a\n3,b,b\n"


# -- title lines -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("Results of run 7\n", 2),
        ("Results of run 7\nmade on 2024-01-01\n\n", 4),
        ("Results, run 7\n\n", 3),
        ("Results of run 7,,\n,,\n", 3),
        ('"Results\nof run 7"\n', 3),
    ],
)
def test_a_table_below_title_lines_is_found(tmp_path, title, line):
    e = opened(tmp_path, title + BODY)
    assert (e.n_rows, e.settings.truth, e.settings.pred) == (3, "y_true", "y_pred")
    assert float((e.y_true == e.y_pred).mean()) == pytest.approx(2 / 3)
    assert warned(e, f"data starts at line {line} with the header ('id', 'y_true', 'y_pred')")


def test_title_lines_without_header_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"data starts at line 3 \('1', 'a', 'a'\).*write a header there"):
        opened(tmp_path, "Results of run 7\n\n" + BODY.partition("\n")[2])


@pytest.mark.parametrize("text", [BODY, BODY.replace("id,", ",", 1), 'a,b\n1,"x, y"\n2,z\n'])
def test_a_table_from_the_first_line_on_stays(tmp_path, text):
    from data.process.limits import Limits
    from data.reading.csv.delimited import read_delimited

    read = read_delimited(text.encode(), Limits())
    assert read.table.num_rows == text.count("\n") - 1 and not any("data starts" in one for one in read.warnings)


# -- numbers -----------------------------------------------------------------------------------------


def test_the_other_values_say_which_comma_it_is():
    assert read_written_numbers(["90000", "130,000", "25000.5"]) == (
        [90000, 130000, 25000.5],
        "commas between thousands",
    )
    assert read_written_numbers(["1,234,567", "2"])[0] == [1234567, 2]
    assert read_written_numbers(["0,5", "130,000"]) == ([0.5, 130.0], "decimal commas")
    assert read_written_numbers(["0.5", "1,000"]) is None and read_written_numbers(["130,000", "250,000"]) is None


@given(st.lists(st.text("019.,eE+-%\u2212 infa", max_size=6), max_size=3))
@settings(max_examples=2000)
def test_odd_numbers_are_read_or_left(texts):
    found = read_written_numbers(texts)
    assert found is None or len(found[0]) == len(texts)


@pytest.mark.parametrize(("text", "share"), [("1e1%", 0.1), ("7,5e1 %", 0.75), ("1e-3%", 1e-5), ("inf%", np.inf)])
def test_per_cent_may_have_an_exponent(text, share):
    assert read_written_numbers([text, "90%"])[0] == [pytest.approx(share), 0.9]


def test_all_cells_that_are_no_numbers_are_counted():
    cells = pa.chunked_array([["0.5", "x", "?", "0.1", "x", "-", "n", "y", "inf"]])
    with pytest.raises(DataError) as refused:
        _ = Column(pa.table({"score": cells}), "score").numbers
    assert (
        "'score': 7 cells are not a finite number (row 2: 'x', row 3: '?', row 5: 'x', row 6: '-', row 7: 'n', …)"
        in str(refused.value)
    )
    with pytest.raises(DataError, match="row 2: 'x' is not a finite number"):
        _ = Column(pa.table({"score": ["0.5", "x"]}), "score").numbers


# -- totals ------------------------------------------------------------------------------------------

MATRIX = np.array([[40, 10], [5, 45]])


@pytest.mark.parametrize("word", ["Total", "All", "Grand total", "sum:"])
@pytest.mark.parametrize("margins", ["both", "line", "column"])
def test_the_totals_of_a_matrix_are_no_class(tmp_path, word, margins):
    line, column = margins != "column", margins != "line"
    rows = [["actual", "cat", "dog", *[word] * column]]
    rows += [
        [name, *cells, *[sum(cells)] * column] for name, cells in zip(["cat", "dog"], MATRIX.tolist(), strict=True)
    ]
    rows += [[word, *MATRIX.sum(axis=0), *[MATRIX.sum()] * column]] * line
    e = opened(tmp_path, "".join(",".join(map(str, row)) + "\n" for row in rows))
    assert (e.labels, e.n_rows) == (("cat", "dog"), 100)
    assert warned(e, "left out")


def test_totals_of_counts_are_no_class(tmp_path):
    text = "actual,predicted,count\ncat,cat,40\ncat,dog,10\ndog,cat,5\ndog,dog,45\n"
    e = opened(tmp_path, text + "cat,Total,50\ndog,Total,50\nTotal,cat,45\nTotal,dog,55\nTotal,Total,100\n")
    assert (e.labels, e.n_rows) == (("cat", "dog"), 100)
    assert warned(e, "5 lines add up others ('Total'): left out, no class.")


def test_class_called_total_stays_where_nothing_adds_up(tmp_path):
    e = opened(tmp_path, "actual,predicted,count\ncat,cat,40\ncat,total,10\ntotal,cat,5\ntotal,total,45\n")
    assert (e.labels, e.n_rows) == (("cat", "total"), 100)


# -- labels without a column ---------------------------------------------------------------------------


SETS = "id,tags\n1,music;noise\n2,speech\n3,music;speech\n4,bird\n"
FLAGS = "id,music,speech,noise,bird\n1,1,0,1,0\n2,0,1,0,0\n3,1,1,1,1\n4,0,1,0,0\n"
SCORES = "id,p_music,p_speech\n1,0.9,0.1\n2,0.3,0.7\n3,0.4,0.6\n4,0.2,0.8\n"
PREDICTED = "id,pred_music,pred_speech\n1,1,0\n2,0,1\n3,1,0\n4,1,1\n"


@pytest.mark.parametrize("predictions", [SCORES, PREDICTED])
def test_labels_that_no_column_predicts_are_listed(tmp_path, predictions):
    e = opened(tmp_path, predictions, SETS)
    assert warned(e, "2 labels without a column that predicts them, counted as never predicted: 'bird', 'noise'.")
    e = opened(tmp_path, predictions, FLAGS)
    assert warned(
        e, "2 labels of the labels file without a column that predicts them, so not counted: 'noise', 'bird'."
    )


def test_files_of_different_lengths_are_named_with_both(tmp_path):
    with pytest.raises(DataError, match=r"predictions file has 2 rows and the labels file 3 rows"):
        opened(tmp_path, "p\na\nb\n", "y\na\nb\nb\n")
