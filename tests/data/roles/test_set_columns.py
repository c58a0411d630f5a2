"""Cells with several labels are read as sets, or a warning says what was read; a person, or a label list, decides."""

import itertools
import json

import pytest

from cli import main
from data.building.build import build
from data.errors import DataError
from data.evaluation import Evaluation
from data.labels.cell_sets import OTHER_DELIMITERS
from data.process.limits import Limits
from data.reading.csv.delimited import read_delimited
from data.roles.detect import detect
from data.runs.draft_changes import correct_settings

Sets = list[tuple[str, ...]]
RARE: tuple[Sets, Sets] = [("rude",), ("rude", "threat"), ("rude",)], [("rude",), ("rude",), ("rude", "threat")]
OF_TRUTH: tuple[Sets, Sets] = [("a", "b"), ("b",), ("a", "c"), ("c",), ("a",)], [("a",), ("b",), ("a",), ("c",), ("c",)]
OF_PREDICTION: tuple[Sets, Sets] = (OF_TRUTH[1], OF_TRUTH[0])
OTHERS: tuple[Sets, Sets] = [("a", "b"), ("c", "d"), ("e",)], [("a", "b"), ("c",), ("e", "d")]
PLACES = {"start": (0, 0), "middle": (2, 2), "end": (9, 9), "around": (0, 9)}


def with_empty(rows: Sets, place: str) -> Sets:
    """Return the rows with two empty sets among them."""
    first, last = PLACES[place]
    return [*rows[:first], (), *rows[first:last], (), *rows[last:]]


def text_of(truth: Sets, pred: Sets, delimiter: str, ids: str = "") -> str:
    """Return a file of sets; ids : the name of a column that is filled in every row, "" = none."""
    cells = [
        [*([f"r{row}"] if ids else []), *(f'"{delimiter.join(labels)}"' if labels else "" for labels in pair)]
        for row, pair in enumerate(zip(truth, pred, strict=True))
    ]
    header = [*([ids] if ids else []), "truth", "pred"]
    return "\n".join(map(",".join, [header, *cells])) + "\n"


def read(text: str, **said) -> tuple[Evaluation, list[str]]:
    file = read_delimited(text.encode(), Limits())
    found = detect(file.table, label_set=said.pop("label_set", None), given=said)
    built = build(file.table, found.settings, name="x", content_sha256="0", warnings=found.warnings)
    return built, [*file.warnings, *built.receipt.warnings]


def sets_of(evaluation: Evaluation) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """Return the true and the predicted labels of every row that counts."""
    true, predicted = (
        [frozenset(label for label, applies in zip(evaluation.labels, row, strict=True) if applies) for row in side]
        for side in (evaluation.y_true[evaluation.scored], evaluation.y_pred[evaluation.scored])
    )
    return true, predicted


@pytest.mark.parametrize("sets", [RARE, OF_TRUTH, OF_PREDICTION, OTHERS], ids=["rare", "truth", "prediction", "others"])
@pytest.mark.parametrize("delimiter", ["|", ";", ",", ", "])
def test_no_set_is_read_otherwise_in_silence(sets, delimiter):
    for place, ids, listed, task in itertools.product(PLACES, ("", "id", "note"), (False, True), (None, "multilabel")):
        truth, pred = (with_empty(side, place) for side in sets)
        labels = sorted({label for row in (*truth, *pred) for label in row}) if listed else None
        evaluation, warnings = read(text_of(truth, pred, delimiter, ids), label_set=labels, task=task)
        right = evaluation.task == "multilabel" and sets_of(evaluation) == (
            [*map(frozenset, truth)],
            [*map(frozenset, pred)],
        )
        if sets is not OTHERS or delimiter in "|;" or listed or task:
            assert right, (place, ids, listed, task)
        if not right:
            assert any("--task multilabel" in text for text in warnings), (place, ids, listed, task)
        if task:
            assert not any("--task" in text for text in warnings)


@pytest.mark.parametrize("delimiter", OTHER_DELIMITERS)
def test_labels_joined_otherwise_are_asked_about(delimiter):
    truth: Sets = [("a", "b"), ("b",), ("a", "c"), ("c",), ("a",)]
    pred: Sets = [("a", "b"), ("b",), ("a",), ("c",), ("a", "c", "b")]
    text = text_of(truth, pred, delimiter)
    evaluation, warnings = read(text)
    assert evaluation.task == "multiclass" and any("though their parts are labels, too" in text for text in warnings)
    for said in ({"task": "multilabel"}, {"label_set": ["a", "b", "c"]}):
        evaluation, warnings = read(text, **said)
        assert sets_of(evaluation) == ([*map(frozenset, truth)], [*map(frozenset, pred)])
        assert any("the label list names their parts" in text for text in warnings) == ("label_set" in said)
    assert read(text_of([("A", "B"), ("A",), ("B",)], [("A",)] * 3, delimiter))[1] == []


def test_lists_without_quotation_marks_are_sets():
    rows: Sets = [("a", "b"), ("b",), ("a", "c"), (), ("a",)]
    text = "truth;pred\n" + "".join(f"[{', '.join(true)}];[{', '.join(true[:1])}]\n" for true in rows)
    evaluation, _ = read(text)
    assert sets_of(evaluation) == ([*map(frozenset, rows)], [frozenset(labels[:1]) for labels in rows])
    assert read("truth,pred\n[ORG],[ORG]\n[PER],[ORG]\n[PER],[PER]\n")[0].labels == ("[ORG]", "[PER]")


def test_empty_rows_at_the_end_are_sets():
    truth, pred = (with_empty(side, "end") for side in OF_TRUTH)
    evaluation, warnings = read(text_of(truth, pred, "|"))
    assert evaluation.n_scored == 7 and "2 empty rows at the end count as rows without any label" in warnings[0]
    # with an id, a row without one is none
    text = text_of(*OF_TRUTH, "|", "id") + ",,\n,,\n"
    assert read(text)[0].n_scored == 5


def test_doubtful_sets_name_the_option_that_settles_them():
    text = text_of(*RARE, ",")
    evaluation, (warning,) = read(text)
    assert evaluation.task == "binary" and "'rude,threat' are read as one label" in warning
    assert read(text, task="single")[1] == []
    evaluation, (warning,) = read(text_of(*RARE, "|"))
    assert evaluation.task == "multilabel" and "'rude|threat' are read as several labels" in warning
    single, warnings = read(text_of(*RARE, "|"), task="single")
    assert single.labels == ("rude", "rude|threat") and warnings == []


@pytest.mark.parametrize(("mark", "is_doubted"), [("; ", True), ("|", True), (", ", False)])
def test_one_cell_of_several_parts_is_doubted(mark, is_doubted):
    evaluation, warnings = read(f'y_true,y_pred\n"bash{mark}java","bash{mark}java"\ngo,go\ngo,"bash{mark}java"\n')
    assert evaluation.task == "binary"
    assert any("are read as one label" in text for text in warnings) == is_doubted
    _, warnings = read(f'target,output\nb,b\na,"a{mark}b"\nb,b\nb,b\n')
    assert any("are read as one label" in text for text in warnings), "no answer in words"
    _, warnings = read(f'y_true,y_pred\n0,"0{mark}3"\n0,0\n2,2\n')
    assert any("are read as one label" in text for text in warnings), "3 is a label of the set alone"


def test_label_list_decides_about_sets():
    text = text_of(*OF_TRUTH, "|")
    assert read(text, label_set=["a", "b", "c"])[0].task == "multilabel"
    assert read(text, label_set=["a", "b", "c", "a|b", "a|c"])[0].labels == ("a", "b", "c", "a|b", "a|c")


@pytest.mark.parametrize(
    "labels",
    [
        ['Paris, France', 'Lyon, France', 'Rome, Italy'],
        ['b"; --', "3", "a"],
        ["Food, drink", "Toys", "Books"],
    ],
)  # fmt: skip
def test_single_labels_with_commas_stay_labels(labels):
    rows = [f'"{label}"'.replace('b"', 'b""') for label in labels] * 3
    evaluation, warnings = read("truth,pred\n" + "".join(f"{cell},{cell}\n" for cell in rows) + f",{rows[0]}\n")
    assert evaluation.task == "multiclass" and set(evaluation.labels) == set(labels)
    assert not any("--task" in text for text in warnings)


def test_flags_and_answers_refuse_another_task():
    with pytest.raises(DataError, match="hold several labels per row"):
        read("true_a,true_b,pred_a,pred_b\n1,0,1,0\n0,1,1,1\n", task="single")
    with pytest.raises(DataError, match="An answer is read as one label"):
        read("truth,output\na,it is a\nb,it is b\n", raw="output", task="multilabel")


def test_person_chooses_labels_per_row_and_back():
    table = read_delimited(text_of(*RARE, "|").encode(), Limits()).table
    found = detect(table).settings
    single = correct_settings(table, found, {"task": "single"})
    assert (single.encoding, single.task) == ("single", "single")
    assert correct_settings(table, single, {"positive": "rude|threat"}).encoding == "single"
    again = correct_settings(table, single, {"task": "multilabel"})
    assert (again.encoding, again.delimiter) == ("delimited", "|")
    assert correct_settings(table, again, {"task": None}) == found


def test_command_takes_the_task(tmp_path, capsys):
    path = tmp_path / "sets.csv"
    path.write_text(text_of(*RARE, ","))
    assert main(["score", str(path), "--task", "multilabel", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["subset_accuracy"] == pytest.approx(1 / 3)


def test_rare_mark_splits_truth_and_prediction_alike():
    truth: Sets = [("b",), ("a",), ("c",), ("a", "b", "c"), ("c",)]
    pred: Sets = [("a",), ("a", "c"), ("c",), ("a", "b", "c"), ("c",)]
    evaluation, _ = read(text_of(truth, pred, "+"), task="multilabel")
    assert sets_of(evaluation) == ([*map(frozenset, truth)], [*map(frozenset, pred)])
