"""Test how LABEL_1 is read beside true labels that are numbers, in one file and in two."""

import pyarrow as pa
import pytest

from data.columns.table_metadata import read_notes
from data.runs.draft import Given
from data.runs.tables import join_tables


def _read(columns: dict[str, list], truth: str | None = None, merge: tuple[tuple[str, str], ...] = ()) -> dict:
    return join_tables([pa.table(columns)], None, wishes=Given(truth=truth, merge=merge))[0].to_pydict()


TEXTS, NUMBERS = ["LABEL_1", "LABEL_0", "LABEL_2", None], ["1", "0", "2", None]


@pytest.mark.parametrize(
    "truth",
    [["1", "0", "1", "2"], [1, 0, 1, 2], ["1.0", "0.0", "", "2.0"], [1.0, 0.0, None, 2.0]],
    ids=["texts", "whole numbers", "texts with a gap", "numbers with a gap"],
)
@pytest.mark.parametrize("name", ["gold", "label_true", "true_intent", "human_label"])
def test_predicted_names_are_read_as_numbers(name, truth):
    for predicted in ("prediction", "model_b"):
        assert _read({name: truth, predicted: TEXTS})[predicted] == NUMBERS


@pytest.mark.parametrize(("name", "is_predicted"), [("gold", True), ("label_true", True), ("target_group", False)])
def test_label_is_predicted_beside_a_sure_truth(name, is_predicted):
    expected = NUMBERS if is_predicted else TEXTS
    assert _read({name: ["1", "0", "1", "2"], "label": TEXTS})["label"] == expected


@pytest.mark.parametrize("empty", [None, ""])
def test_gaps_before_the_names_change_nothing(empty):
    rows = 2500
    columns = {"gold": ["1", "0"] * rows, "label": [empty] * (2 * rows - 2) + ["LABEL_1", "LABEL_0"]}
    assert _read(columns)["label"][-2:] == ["1", "0"]


def test_one_predicted_class_is_enough():
    assert _read({"gold": ["1", "0"], "label": ["LABEL_1"] * 2})["label"] == ["1"] * 2


@pytest.mark.parametrize(
    "columns",
    [
        {"label": TEXTS, "prediction": TEXTS, "true_region": ["1", "0", "2", "1"]},
        {"gold": TEXTS, "prediction": TEXTS, "age_group": ["1", "0", "2", "1"]},
        {"gold": ["a", "b", "c", "a"], "label": TEXTS},
        {"gold": ["1.5", "0", "2", "1"], "label": TEXTS},
        {"gold": ["01", "00", "02", "01"], "label": TEXTS},
        {"gold": ["7", "8", "9", "7"], "label": TEXTS},
        {"gold": ["2", "1", "3", "4"], "label": ["LABEL_1", "LABEL_2", "LABEL_3", "LABEL_1"]},
        {"stars": ["2", "1", "3", "4"], "true_label": ["2", "1", "3", "4"], "label": TEXTS},
        {"gold": ["1", "0", "2", "1"], "label": ["LABEL_1", "LABEL_0", "LABEL_01", "LABEL_2"]},
        {"gold": ["1", "0", "2", "1"], "label": ["LABEL_1", "LABEL_0", "2", "LABEL_2"]},
        {"gold": ["1", "0", "2", "1"], "label": ["LABEL_1", "LABEL_0", "no", "maybe"]},
    ],
    ids=[
        "true LABEL_1",
        "sure truth",
        "words",
        "fractions",
        "zeros before",
        "none shared",
        "no true 0",
        "from 1",
        "other form",
        "a number beside",
        "as many words",
    ],
)
def test_other_names_stay_as_they_are(columns):
    assert _read(columns) == columns


def test_chosen_truth_keeps_its_names():
    columns = {"gold": ["1", "0", "2", "1"], "label": TEXTS}
    assert _read(columns, "label") == columns
    assert _read({"number": columns["gold"], "label": TEXTS}, "number")["label"] == NUMBERS


def test_two_files_are_read_likewise():
    labels = pa.table({"id": ["a", "b", "c"], "label": ["1", "0", "1"]})
    predictions = pa.table({"id": ["b", "a", "c"], "prediction": ["LABEL_0", "LABEL_1", "LABEL_0"]})
    table, _ = join_tables([predictions, labels], None)
    assert sorted(zip(table["label"].to_pylist(), table["prediction"].to_pylist(), strict=True)) == [
        ("0", "0"),
        ("1", "0"),
        ("1", "1"),
    ]


def test_truth_that_no_column_has_changes_nothing():
    columns = {"gold": ["1", "0"], "label": ["LABEL_1", "LABEL_0"]}
    assert _read(columns, "missing") == columns


def test_merged_names_stay_as_they_are():
    columns = {"gold": ["1", "0"], "label": ["LABEL_1", "LABEL_0"]}
    assert _read(columns, merge=(("LABEL_1", "1"), ("LABEL_0", "0"))) == columns
    assert _read(columns, merge=(("0", "1"),))["label"] == ["1", "0"]


@pytest.mark.parametrize("word", ["ERROR", "nan", "N/A", "timeout", "no answer"])
@pytest.mark.parametrize("place", [0, 3])
def test_a_word_beside_the_names_stays(word, place):
    """The other cells are read as numbers, and the word is said."""
    cells = ["LABEL_1", "LABEL_0", "LABEL_2", "LABEL_1"]
    cells[place] = word
    table = join_tables([pa.table({"gold": ["1", "0", "2", "1"], "label": cells})], None)[0]
    assert table["label"].to_pylist() == [cell.removeprefix("LABEL_") for cell in cells]
    assert any(f"'{word}' stays as written" in note for note in read_notes(table))
