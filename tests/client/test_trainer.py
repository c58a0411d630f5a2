"""A real Trainer on a tiny model: its metrics are those worked out by hand, and every evaluation leaves a file."""

import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (requirements-models.txt)")
transformers = pytest.importorskip("transformers", reason="transformers is not installed (requirements-models.txt)")
pytest.importorskip("accelerate", reason="accelerate is not installed; the Trainer needs it")

from blindspot_eval import SavePredictions, compute_metrics  # noqa: E402

LABELS = ["action", "comedy", "drama"]
EXAMPLE = re.findall(
    r"```python\n(.*?)```", (Path(__file__).resolve().parents[2] / "client/README.md").read_text(), re.S
)[0]
torch.set_num_threads(1)


def rows(n: int, seed: int) -> list[dict[str, object]]:
    """Return texts of tokens: each label has a token of its own, and the others mean nothing."""
    random, found = np.random.default_rng(seed), []
    for _ in range(n):
        labels = (random.random(3) < 0.4).astype(float)
        noise = random.integers(10, 40, 6).tolist()
        ids = [code + 1 if labels[code] else 9 for code in range(3)] + noise
        found.append({"input_ids": ids, "attention_mask": [1] * 9, "labels": labels.tolist()})
    return found


def tiny_model(problem: str = "multi_label_classification") -> object:
    torch.manual_seed(0)
    config = transformers.DistilBertConfig(
        vocab_size=40, dim=16, hidden_dim=32, n_layers=1, n_heads=2, max_position_embeddings=16, num_labels=3,
        problem_type=problem,
    )  # fmt: skip
    return transformers.DistilBertForSequenceClassification(config)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The example of the README, run: a folder with a file an epoch, and the trainer."""
    folder = tmp_path_factory.mktemp("trainer")
    names = {"model": tiny_model(), "train": rows(160, 0), "test": rows(80, 1)}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        learns = EXAMPLE.replace("=3)", '=3, learning_rate=0.02, use_cpu=True, report_to="none")')
        exec(compile(learns, "README.md", "exec"), names)
    return folder / "predictions", names["trainer"], names["test"]


def test_every_evaluation_leaves_a_file(trained):
    folder, trainer, test = trained
    files = sorted(folder.iterdir())
    assert [path.name for path in files] == ["step-00000020.parquet", "step-00000040.parquet", "step-00000060.parquet"]
    tables = [pq.read_table(path) for path in files]
    assert [(set(t["epoch"].to_pylist()), set(t["step"].to_pylist())) for t in tables] == [
        ({"1"}, {20}),
        ({"2"}, {40}),
        ({"3"}, {60}),
    ]
    wanted = torch.tensor([row["labels"] for row in test], dtype=torch.bool).tolist()
    assert [[label in cell for label in LABELS] for cell in tables[0]["truth"].to_pylist()] == wanted
    with pytest.raises(ValueError, match="earlier training; name another folder"):
        SavePredictions(compute_metrics(LABELS), folder).on_train_begin(None, trainer.state.__class__(), None)


def test_three_computations_agree(trained):
    """By hand on arrays, by the Trainer on logits, and batch by batch on probabilities of 0.5."""
    _, trainer, test = trained
    logits = trainer.predict(test).predictions
    truth = np.array([row["labels"] for row in test], dtype=bool)
    right = (logits > 0) == truth
    by_hand = {"subset_accuracy": right.all(axis=1).mean(), "per_label_accuracy": right.mean()}
    by_trainer = {name.removeprefix("eval_"): value for name, value in trainer.evaluate().items()}
    n_right = n_exact = 0
    for start in range(0, len(test), 7):
        batch = test[start : start + 7]
        with torch.no_grad():
            scores = torch.sigmoid(trainer.model(input_ids=torch.tensor([row["input_ids"] for row in batch])).logits)
        same = (scores > 0.5) == torch.tensor([row["labels"] for row in batch]).bool()
        n_right, n_exact = n_right + int(same.sum()), n_exact + int(same.all(dim=1).sum())
    by_batch = {"subset_accuracy": n_exact / len(test), "per_label_accuracy": n_right / truth.size}
    assert by_hand == pytest.approx(by_batch) == {name: by_trainer[name] for name in by_hand}
    assert 0.5 < by_hand["per_label_accuracy"] != by_hand["subset_accuracy"]


def test_trainer_gives_batches_and_several_data_sets(tmp_path):
    test, metrics = rows(40, 2), compute_metrics(LABELS)
    arguments = transformers.TrainingArguments(
        str(tmp_path), report_to="none", use_cpu=True, batch_eval_metrics=True, per_device_eval_batch_size=16
    )
    trainer = transformers.Trainer(
        tiny_model(), arguments, eval_dataset={"dev": test, "far": test[:20]}, compute_metrics=metrics,
        callbacks=[SavePredictions(metrics, tmp_path / "p", ids=None)],
    )  # fmt: skip
    found = trainer.evaluate()
    assert (found["eval_dev_n_rows"], found["eval_far_n_rows"]) == (40, 20)
    assert sorted(path.parent.name for path in (tmp_path / "p").rglob("*.parquet")) == ["dev", "far"]
    assert "eval_dev_subset_accuracy" in found
