"""0/1 columns of one true label a row are read as one column of labels, if what is predicted says the same."""

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pytest
from sklearn.metrics import accuracy_score, f1_score

from data.errors import DataError
from data.labels.one_hot import read_one_hot
from data.roles.detect import detect
from data.runs import draft_changes, load
from tests.opened_runs import keep_file, open_run

TRUTH = np.random.default_rng(3).integers(0, 3, 60)
SOFTMAX = np.random.default_rng(4).dirichlet([1, 1, 1], 60).round(6)
SIGMOID = np.random.default_rng(5).random((60, 3)).round(6)
FLAGS = np.eye(3, dtype=int)
TWO_LABELS = np.where(np.arange(60)[:, None] == 7, 1, FLAGS[TRUTH])


def block(names, values):
    return {names.format(label): list(column) for label, column in zip(("cat", "dog", "bird"), values.T, strict=True)}


@pytest.mark.parametrize(
    ("names", "scores"),
    [
        ("true_{}", "p_{}"),
        ("{}_true", "{}_prob"),
        ("y_test_{}", "y_pred_{}"),
        ("{}", "p_{}"),
        ("gold.{}", "cats.{}"),
    ],
)
@pytest.mark.parametrize("write", [str, float, lambda flag: str(bool(flag))], ids=["text", "number", "truth value"])
def test_one_label_a_row_is_one_column(names, scores, write):
    flags = {name: [write(flag) for flag in column] for name, column in block(names, FLAGS[TRUTH]).items()}
    table, notes = read_one_hot(pa.table({"id": range(60), **flags, **block(scores, SOFTMAX)}))
    assert table.column(1).to_pylist() == [("cat", "dog", "bird")[code] for code in TRUTH]
    assert table.column_names[2:] == [*block(scores, SOFTMAX)] and len(notes) == 2


@pytest.mark.parametrize(
    ("truth", "predicted", "more"),
    [
        pytest.param(FLAGS[TRUTH], block("p_{}", SIGMOID), {}, id="scores that do not add up"),
        pytest.param(TWO_LABELS, block("p_{}", SOFTMAX), {}, id="two true labels in a row"),
        pytest.param(FLAGS[TRUTH], block("pred_{}", TWO_LABELS), {}, id="two predicted labels in a row"),
        pytest.param(FLAGS[TRUTH], block("p_{}", SOFTMAX), {"label": ["cat", "dog"] * 30}, id="another truth"),
        pytest.param(FLAGS[TRUTH][:9], block("p_{}", SOFTMAX[:9]), {}, id="few rows"),
    ],
)
def test_flags_that_may_hold_several_labels_stay(truth, predicted, more):
    table = pa.table({**block("true_{}", truth), **predicted, **more})
    assert read_one_hot(table) == (table, [])


@pytest.mark.parametrize("predicted", [block("pred_{}", FLAGS[SOFTMAX.argmax(1)]), block("pred_{}", SOFTMAX)])
def test_numbers_are_those_of_single_labels(tmp_path, predicted):
    pacsv.write_csv(pa.table({**block("true_{}", FLAGS[TRUTH]), **predicted}), tmp_path / "flags.csv")
    evaluation = open_run(keep_file(tmp_path / "flags.csv"))
    assert evaluation.task == "multiclass"
    names = [("cat", "dog", "bird").index(label) for label in evaluation.labels]
    found = [np.array(names)[codes] for codes in (evaluation.y_true, evaluation.y_pred)]
    assert accuracy_score(*found) == accuracy_score(TRUTH, SOFTMAX.argmax(1))
    assert f1_score(*found, average="macro") == f1_score(TRUTH, SOFTMAX.argmax(1), average="macro")


@pytest.mark.parametrize("cell", [2.0, 0.5, 0.0, np.nan])
def test_cell_outside_the_sample_may_be_no_flag(cell):
    truth = np.tile(FLAGS[TRUTH], (500, 1)).astype(float)
    truth[12_345, truth[12_345].argmax()] = cell
    columns = {**block("true_{}", truth), **block("p_{}", np.tile(SOFTMAX, (500, 1)))}
    table = pa.table(columns)
    assert read_one_hot(table) == (table, [])
    assert detect(table).settings.encoding == "multi_hot"


@pytest.mark.parametrize(("task", "names"), [("single", (("cat", "Cat"),)), ("multilabel", (("dog", "Dog"),))])
def test_other_corrections_hold_beside_labels_of_a_row(tmp_path, task, names):
    scores = SIGMOID if task == "single" else SOFTMAX
    flags = {**block("true_{}", FLAGS[TRUTH]), **block("p_{}", scores), "speaker": ["ann", "bob"] * 30}
    pacsv.write_csv(pa.table(flags), tmp_path / "flags.csv")
    run = keep_file(tmp_path / "flags.csv")
    run = draft_changes.correct(run, load.draft_of(run).settings, {"cluster": "speaker"})
    run = draft_changes.correct(run, load.draft_of(run).settings, {"task": task, "class_names": names})
    settings = open_run(run).settings
    assert (settings.task, settings.cluster, settings.class_names) == (task, "speaker", names)
    run = draft_changes.correct(run, load.draft_of(run).settings, {"task": None})
    assert open_run(run).task == ("multilabel" if task == "single" else "multiclass")


def test_person_chooses_labels_of_a_row_and_back(tmp_path):
    pacsv.write_csv(pa.table({**block("true_{}", FLAGS[TRUTH]), **block("p_{}", SIGMOID)}), tmp_path / "flags.csv")
    run = keep_file(tmp_path / "flags.csv")
    assert any("exactly one true label" in text for text in open_run(run).receipt.warnings)
    tasks = []
    for task in ("single", "multilabel"):
        run = draft_changes.correct(run, load.draft_of(run).settings, {"task": task})
        tasks.append(open_run(run).task)
    assert tasks == ["multiclass", "multilabel"] and open_run(run).receipt.warnings == ()


def test_several_labels_of_a_row_are_never_one(tmp_path):
    pacsv.write_csv(pa.table({**block("true_{}", TWO_LABELS), **block("p_{}", SIGMOID)}), tmp_path / "flags.csv")
    run = keep_file(tmp_path / "flags.csv")
    assert open_run(run).receipt.warnings == ()
    with pytest.raises(DataError, match="hold several labels per row"):
        draft_changes.correct(run, load.draft_of(run).settings, {"task": "single"})
