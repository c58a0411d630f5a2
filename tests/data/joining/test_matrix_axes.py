"""The words in and around the corner of a confusion matrix say which axis holds the true labels."""

from __future__ import annotations

import dataclasses
from itertools import product

import numpy as np
import pytest

from data.joining.matrix_axes import read_axes
from data.joining.printed_matrix import read_printed_matrix
from data.process.limits import Limits
from data.runs import load
from export.summary import report
from tests.opened_runs import keep_text, open_run

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


@pytest.mark.parametrize(("words", "side"), [(TRUE, "truth"), (PREDICTED, "prediction")])
def test_word_in_the_corner_is_about_lines(words, side):
    assert {word: read_axes(word).rows for word in words} == dict.fromkeys(words, side)


@pytest.mark.parametrize("between", BETWEEN)
def test_first_of_two_words_is_about_lines(between):
    for true, predicted in product(TRUE[:7], PREDICTED[:6]):
        assert read_axes(true + between + predicted) == ("truth", "prediction")
        assert read_axes(predicted + between + true) == ("prediction", "truth")


@pytest.mark.parametrize("corner", ["Predicted → / Actual ↓", "predicted (columns), true (rows)", "Predicted →"])
def test_arrows_and_words_for_axes_overrule_order(corner):
    assert read_axes(corner).rows == "truth"


@pytest.mark.parametrize("corner", ["", "column 1", "confusion matrix", "Total"])
def test_other_corners_say_nothing(corner):
    assert read_axes(corner) == (None, None)


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
def test_matrix_is_read_as_its_words_say(tmp_path, monkeypatch, head, turned, totals):
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    head = tuple(line + "," * (totals and "*" not in line) for line in head)
    evaluation = open_run(keep_text(tmp_path / "m.csv", text_of(MATRIX.T if turned else MATRIX, *head, totals=totals)))
    assert report(evaluation)["confusion_matrix"]["rows_true_cols_pred"] == MATRIX.tolist()
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
def test_printed_matrix_is_read_by_its_words(tmp_path, monkeypatch, rows, columns, turned):
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    text = print_matrix(MATRIX.T if turned else MATRIX, rows, columns)
    evaluation = open_run(keep_text(tmp_path / "m.txt", text))
    assert report(evaluation)["confusion_matrix"]["rows_true_cols_pred"] == MATRIX.tolist()
    assert any(f"its lines are '{rows}'" in text for text in evaluation.receipt.warnings)


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


def test_matrix_without_a_word_is_warned_of(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    evaluation = open_run(keep_text(tmp_path / "m.csv", text_of(MATRIX, "*")))
    assert report(evaluation)["confusion_matrix"]["rows_true_cols_pred"] == MATRIX.tolist()
    assert any("its lines were taken as the true labels" in text for text in evaluation.receipt.warnings)


@pytest.mark.parametrize("names", [("true label", "predicted label"), ("predicted label", "true label")])
def test_older_link_to_a_turned_matrix_opens(tmp_path, monkeypatch, names):
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    draft = load.draft_of(keep_text(tmp_path / "m.csv", text_of(MATRIX.T, "Prediction*")))
    settings = dataclasses.replace(draft.settings, truth=names[0], pred=names[1])
    evaluation = open_run(load.keep(dataclasses.replace(draft, settings=settings)))
    assert report(evaluation)["confusion_matrix"]["rows_true_cols_pred"] == MATRIX.tolist()
