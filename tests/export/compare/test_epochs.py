"""A training opens at its last epoch; its metrics over epochs are those of each epoch alone."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import roc_auc_score

from cli import main
from data.errors import ChoiceNeeded, DataError
from data.reading.epochs import pack_epochs
from data.roles.run_columns import training_epochs
from data.runs import draft_changes, load
from export.compare.epochs import SHOWN, epochs_of
from export.measurement import measure
from metrics.comparison.epoch_choice import draw_folds
from tests.training import write_training, zip_folder

pytestmark = pytest.mark.usefixtures("module_reads_here", "module_store")


@pytest.mark.parametrize("many", [False, True])
def test_metrics_are_those_of_each_epoch(tmp_path, many):
    path = zip_folder(write_training(tmp_path / "t", many=many))
    draft = load.read_draft([(path, "t.zip")], load.Given())
    assert (draft.problem, draft.settings.only) == ("", ("epoch", "5"))
    found = epochs_of(draft)
    assert found.names == ("1", "2", "3", "4", "5")
    for name, metric in zip(SHOWN["multilabel" if many else "multiclass"], found.metrics, strict=True):
        alone = [load.read_evaluation([path], load.Given(only=("epoch", epoch))) for epoch in found.names]
        values = [measure(one).value(name, 0) for one in alone]
        np.testing.assert_allclose(metric.values, values)
        assert metric.best == int(np.argmax(values)) == 2 and metric.on_other_rows <= max(values)


def test_other_epoch_is_chosen_and_the_training_stays(tmp_path):
    path = zip_folder(write_training(tmp_path / "t"))
    run = load.keep(load.read_draft([(path, "t.zip")], load.Given()))
    other = load.draft_of(draft_changes.answer(run, "2"))
    assert other.settings.only == ("epoch", "2") and epochs_of(other).names == ("1", "2", "3", "4", "5")


def test_rows_that_differ_leave_the_bias_unknown(tmp_path):
    folder = write_training(tmp_path / "t")
    last = max(folder.iterdir())
    pq.write_table(pq.read_table(last).slice(1), last)
    path = zip_folder(folder)
    found = epochs_of(load.read_draft([(path, "t.zip")], load.Given()))
    assert all(np.isnan(metric.on_other_rows) for metric in found.metrics) and found.metrics[0].best == 2
    assert found.n_scored == (120, 120, 120, 120, 119) and not found.same_rows


def write_scores(path, *, clusters):
    """Write eight epochs whose scores have eight scales; rows of one patient are the same row again."""
    random, n = np.random.default_rng(4), 400
    patient = np.arange(n) % clusters
    truth = (random.random(clusters) < 0.4)[patient]
    scores = [10.0**epoch * (truth + 2 * random.normal(size=clusters)[patient]) for epoch in range(8)]
    columns = {
        "epoch": np.repeat([str(epoch) for epoch in range(8)], n).tolist(), "step": np.repeat(np.arange(8.0), n),
        "id": np.tile(np.arange(n), 8).astype(str).tolist(), "patient_id": [f"{p:03}" for p in np.tile(patient, 8)],
        "y_true": np.tile(truth.astype(str), 8).tolist(), "score": np.concatenate(scores),
    }  # fmt: skip
    pq.write_table(pa.table(columns), path)
    return truth, np.array(scores), patient


@pytest.mark.parametrize("clusters", [400, 40])
def test_areas_of_epochs_are_averaged(tmp_path, clusters):
    """Scores of different scales are never ranked together; rows of a cluster lie in one fold."""
    truth, scores, patient = write_scores(tmp_path / "s.parquet", clusters=clusters)
    draft = load.read_draft([(tmp_path / "s.parquet", "s.parquet")], load.Given(positive="True"))
    found = epochs_of(draft, None if clusters == 400 else "patient_id")
    (area,) = (metric for metric in found.metrics if metric.name == "roc_auc")
    folds = draw_folds(400) if clusters == 400 else draw_folds(clusters)[patient]
    chosen = np.zeros(400, dtype=int)
    for fold in range(5):
        others = folds != fold
        chosen[~others] = np.argmax([roc_auc_score(truth[others], own[others]) for own in scores])
    parts = [(roc_auc_score(truth[chosen == e], scores[e][chosen == e]), (chosen == e).mean()) for e in set(chosen)]
    assert area.on_other_rows == pytest.approx(sum(value * share for value, share in parts))
    assert len(parts) > 1 and roc_auc_score(truth, scores[chosen, np.arange(400)]) != pytest.approx(area.on_other_rows)


def test_epochs_without_steps_are_asked_about(tmp_path):
    table = pa.concat_tables([pq.read_table(path) for path in sorted(write_training(tmp_path / "t").iterdir())])
    pq.write_table(table, tmp_path / "one.parquet")
    assert load.read_evaluation([tmp_path / "one.parquet"], load.Given()).settings.only == ("epoch", "5")
    pq.write_table(table.drop_columns("step"), tmp_path / "one.parquet")
    with pytest.raises(ChoiceNeeded):
        load.read_evaluation([tmp_path / "one.parquet"], load.Given())
    backwards = {"epoch": ["1", "2"], "step": [2.0, 1.0]}
    assert training_epochs(pa.table(backwards), "epoch") is None


def test_command_line_takes_a_folder(tmp_path, capsys):
    folder = write_training(tmp_path / "t")
    assert main(["score", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "t.zip: 120 rows" in out and "5 epochs of a training; the last one is evaluated" in out
    (tmp_path / "outer").mkdir()
    folder.rename(tmp_path / "outer" / "dev")
    said = "outer: this folder holds no table; name one of its folders: 'dev'"
    with pytest.raises(DataError, match=said), pack_epochs(tmp_path / "outer"):
        pass
