"""The words in and around the corner of a confusion matrix say which axis holds the true labels."""

import dataclasses
import re
from itertools import product

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score

from data.joining.matrix_axes import read_rows_side
from data.joining.printed_matrix import read_printed_matrix
from data.process.limits import Limits
from data.runs import load
from tests.measured_numbers import numbers_of
from tests.opened_runs import keep_text, open_run

pytestmark = pytest.mark.usefixtures("module_reads_here")

MATRIX = np.array([[50, 3, 1], [7, 40, 2], [0, 4, 30]])
LABELS = ["cat", "dog", "owl"]
TRUE = ["Reference", "actual", "Truth", "y_true", "True class", "ACTUAL:", "Observed", "gold", "label", "Wahrheit"]
PREDICTED = [
    "Prediction",
    "predicted",
    "Pred",
    "y_pred",
    "Predicted class",
    "PREDICTED:",
    "Vorhersage",
    "Classified as",
]
BETWEEN = ["\\", "/", " / ", " vs ", "|", "_", " x ", " by ", " (rows) / ", " ↓ "]


@pytest.mark.parametrize(
    ("corner", "side"),
    [
        *((word, "truth") for word in TRUE),
        *((word, "prediction") for word in PREDICTED),
        # arrows and words for the axes say more than the order
        ("Predicted → / Actual ↓", "truth"),
        ("predicted (columns), true (rows)", "truth"),
        ("Predicted →", "truth"),
        ("", None),
        ("column 1", None),
        ("confusion matrix", None),
        ("Total", None),
    ],
)
def test_corner_says_what_lines_are(corner, side):
    assert read_rows_side(corner) == side


@pytest.mark.parametrize("between", BETWEEN)
def test_first_of_two_words_is_about_lines(between):
    for true, predicted in product(TRUE[:7], PREDICTED[:6]):
        assert read_rows_side(true + between + predicted) == "truth"
        assert read_rows_side(predicted + between + true) == "prediction"


def text_of(matrix, *head: str, totals: bool = False) -> str:
    """Return a matrix as text below its head; `totals` add a line and a column."""
    labels, cells = list(LABELS), matrix
    if totals:
        labels, cells = [*LABELS, "Total"], np.vstack([matrix, matrix.sum(axis=0)])
        cells = np.column_stack([cells, cells.sum(axis=1)])
    lines = (",".join([label, *map(str, row)]) for label, row in zip(labels, cells.tolist(), strict=True))
    names = "," + ",".join(labels)
    return "\n".join([*(line.replace("*", names) for line in head), *lines]) + "\n"


HEADS = [
    (("Prediction*",), True),
    (("Prediction\\Reference*",), True),
    (("Actual*",), False),
    ((",Reference,,", "Prediction*"), True),
    ((",Actual,,", "*"), True),
    ((",Predicted,,", "*"), False),
    (("Predicted*", "Actual,,,"), False),
    (("Actual*", "Predicted,,,"), True),
]


@pytest.mark.parametrize(("head", "turned"), HEADS)
@pytest.mark.parametrize("totals", [False, True])
def test_matrix_is_read_as_its_words_say(tmp_path, own_store, head, turned, totals):
    head = tuple(line + "," * (totals and "*" not in line) for line in head)
    evaluation = open_run(keep_text(tmp_path / "m.csv", text_of(MATRIX.T if turned else MATRIX, *head, totals=totals)))
    assert numbers_of(evaluation)["confusion_matrix"]["rows_true_cols_pred"] == MATRIX.tolist()
    assert any("by the word in its corner" in note for note in evaluation.receipt.notes)
    assert not any("Nothing in the confusion matrix says" in text for text in evaluation.receipt.warnings)


def print_matrix(matrix, rows: str, columns: str, labels=LABELS) -> str:
    """Return a matrix as R prints a table with two named axes."""
    lines = [[label, *map(str, cells)] for label, cells in zip(labels, matrix.tolist(), strict=True)]
    head = " ".join([rows.ljust(10), *(label.rjust(4) for label in labels)])
    body = (" ".join([line[0].rjust(10), *(cell.rjust(4) for cell in line[1:])]) for line in lines)
    return "\n".join([" " * 11 + columns, head, *body]) + "\n"


@pytest.mark.parametrize(
    ("rows", "columns", "turned"),
    [("Prediction", "Reference", True), ("pred", "truth", True), ("Actual", "Predicted", False)],
)
def test_printed_matrix_is_read_by_its_words(tmp_path, own_store, rows, columns, turned):
    text = print_matrix(MATRIX.T if turned else MATRIX, rows, columns)
    evaluation = open_run(keep_text(tmp_path / "m.txt", text))
    assert numbers_of(evaluation)["confusion_matrix"]["rows_true_cols_pred"] == MATRIX.tolist()
    assert any(f"its lines are '{rows}'" in text for text in evaluation.receipt.warnings)


SONAR = """Confusion Matrix and Statistics

          Reference
Prediction  M  R
         M 21  7
         R  6 17
                                          
               Accuracy : 0.7451          
                 95% CI : (0.6037, 0.8567)
    No Information Rate : 0.5294          
    P-Value [Acc > NIR] : 0.001347        
                                          
                  Kappa : 0.4872          
                                          
 Mcnemar's Test P-Value : 1.000000        
                                          
            Sensitivity : 0.7778          
            Specificity : 0.7083          
      Balanced Accuracy : 0.7431          
                                          
       'Positive' Class : M               
"""
"""A whole print in the form of caret: 38 of 51 rows are right, 21 of 27 of class M and 17 of 24 of class R."""


def print_as_caret(matrix, labels, width: int = 80) -> str:
    """Return what caret prints: R puts as many columns side by side as fit, and repeats the names of the lines."""
    offset = max(2, len("Prediction") - max(map(len, labels)))
    names = [" " * offset + label for label in labels]
    margin = max(len("Prediction"), *map(len, names))
    cells = [[label, *map(str, column)] for label, column in zip(labels, matrix.T.tolist(), strict=True)]
    columns = [[cell.rjust(max(map(len, column))) for cell in column] for column in cells]
    lines: list[str] = []
    while columns:
        part = [columns.pop(0)]
        while columns and margin + sum(len(column[0]) + 1 for column in [*part, columns[0]]) <= width:
            part.append(columns.pop(0))
        side = [name.ljust(margin) for name in ("Prediction", *names)]
        lines += [" " * (margin + 1) + "Reference"]
        lines += [" ".join([name, *cells]) for name, cells in zip(side, zip(*part, strict=True), strict=True)]
    pred, true = (np.repeat(axis.ravel(), matrix.ravel()) for axis in np.indices(matrix.shape))
    said = {"Accuracy": accuracy_score(true, pred), "Kappa": cohen_kappa_score(true, pred)}
    numbers = [f"{name:>23} : {value:.4f}   " for name, value in said.items()]
    head = ["Confusion Matrix and Statistics", ""]
    by_class = ["", "Statistics by Class:", "", "                 Class: x", "Sensitivity           0.9", ""]
    return "\n".join([*head, *lines, "", "Overall Statistics", " " * 42, *numbers, *by_class])


def draw_matrix(n: int) -> np.ndarray:
    random = np.random.default_rng(n)
    return random.integers(0, 9, (n, n)) + np.diag(random.integers(20, 2000, n))


PRINTED = [
    SONAR,
    print_as_caret(draw_matrix(2), ["0", "1"]),
    print_as_caret(draw_matrix(3), ["bug", "feature request", "a question"]),
    print_as_caret(draw_matrix(3), ["class 1", "class 2", "class 3"]),
    print_as_caret(draw_matrix(3), ["bug, small", "it's late", 'say "no"']),
    print_as_caret(draw_matrix(40), [f"label {number}" for number in range(40)]),
    print_as_caret(draw_matrix(77), [f"a rather long name of class {number}" for number in range(77)]),
]


@pytest.mark.parametrize("text", PRINTED, ids=range(len(PRINTED)))
def test_whole_print_of_caret_is_read(tmp_path, own_store, text):
    evaluation = open_run(keep_text(tmp_path / "m.txt", text))
    printed = {name: float(re.search(rf" {name} : ([\d.]+)", text)[1]) for name in ("Accuracy", "Kappa")}
    numbers = numbers_of(evaluation)
    assert round(numbers["accuracy"], 4) == printed["Accuracy"]
    assert numbers["cohen_kappa"] == pytest.approx(printed["Kappa"], abs=6e-5)
    left_out = re.compile(rf"Lines 1, \d+ to {len(text.rstrip().splitlines())} are no part of it")
    assert any(left_out.search(warning) for warning in evaluation.receipt.warnings)


def test_parts_of_different_matrices_are_none():
    text = print_as_caret(draw_matrix(40), [f"label {number}" for number in range(40)])
    assert read_printed_matrix(text.encode(), Limits()) is not None
    cut = text.replace("  label 39 ", "  label 93 ", 1)
    assert read_printed_matrix(cut.encode(), Limits()) is None


def test_doubtful_print_is_no_matrix():
    clear = print_matrix(MATRIX, "Prediction", "Reference")
    assert read_printed_matrix(clear.encode(), Limits()) is not None
    doubtful = [
        print_matrix(MATRIX, "Prediction", "Predicted"),
        print_matrix(MATRIX, "first", "second"),
        print_matrix(MATRIX, "Prediction", "Reference", ["cat", "dog", "an owl"]),
        clear.replace(" 30", " 0.3"),
        clear.replace("owl", "fox", 1),
        clear + clear,
        clear.rsplit("\n", 2)[0],
        clear.replace("cat", "a,b"),
        clear.splitlines()[0],
    ]
    assert [read_printed_matrix(text.encode(), Limits()) for text in doubtful] == [None] * len(doubtful)


def test_matrix_without_a_word_is_warned_of(tmp_path, own_store):
    evaluation = open_run(keep_text(tmp_path / "m.csv", text_of(MATRIX, "*")))
    assert numbers_of(evaluation)["confusion_matrix"]["rows_true_cols_pred"] == MATRIX.tolist()
    assert any("its lines were taken as the true labels" in text for text in evaluation.receipt.warnings)


@pytest.mark.parametrize("names", [("true label", "predicted label"), ("predicted label", "true label")])
def test_older_link_to_a_turned_matrix_opens(tmp_path, own_store, names):
    draft = load.draft_of(keep_text(tmp_path / "m.csv", text_of(MATRIX.T, "Prediction*")))
    settings = dataclasses.replace(draft.settings, truth=names[0], pred=names[1])
    evaluation = open_run(load.keep(dataclasses.replace(draft, settings=settings)))
    assert numbers_of(evaluation)["confusion_matrix"]["rows_true_cols_pred"] == MATRIX.tolist()
