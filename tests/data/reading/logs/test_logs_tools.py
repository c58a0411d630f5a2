"""Logs that the tools themselves wrote; each is skipped where the tool is not installed (requirements-tools.txt)."""

import json
from pathlib import Path
from typing import Any

import pytest

from data.reading.dispatch import read_table

ANSWERS = {"a/1": ["yes", "no"], "2": ["no", "I think no"], "3": ["unsure " * 40, "maybe"]}
TARGETS = {"a/1": "yes", "2": "no", "3": "maybe"}


def tool(name: str) -> Any:
    """A module of an optional tool."""
    return pytest.importorskip(name, reason=f"{name} is not installed (requirements-tools.txt)")


@pytest.fixture
def inspect_logs(tmp_path: Path) -> list[Path]:
    """One run of Inspect with two epochs, two scorers and a score that is NaN, as an archive and as JSON."""
    inspect_ai = tool("inspect_ai")
    models, scorers = tool("inspect_ai.model"), tool("inspect_ai.scorer")

    @scorers.scorer(metrics=[scorers.mean()])
    def unscored() -> Any:
        async def score(state: Any, target: Any) -> Any:
            return scorers.Score(value=float("nan"), answer=None)

        return score

    def answer(messages: Any, *rest: Any) -> Any:
        name = messages[-1].text
        output = models.ModelOutput.from_content("mockllm/model", left[name].pop(0))
        output.usage = models.ModelUsage(
            input_tokens=1, output_tokens=1, total_tokens=2
        )  # else it counts tokens online
        return output

    def run(kind: str) -> Path:
        dataset = [
            tool("inspect_ai.dataset").Sample(id=name, input=name, target=target) for name, target in TARGETS.items()
        ]
        solver, both = tool("inspect_ai.solver").generate(), [scorers.match(location="exact"), unscored()]
        task = inspect_ai.Task(dataset=dataset, solver=solver, scorer=both, epochs=2)
        model = models.get_model("mockllm/model", custom_outputs=answer, memoize=False)
        (log,) = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), log_format=kind, display="none")
        assert log.status == "success"
        return Path(log.location.removeprefix("file://"))

    paths = []
    for kind in ("eval", "json"):
        left = {name: list(texts) for name, texts in ANSWERS.items()}
        paths.append(run(kind))
    return paths


def test_inspect_writes_what_is_read(inspect_logs: list[Path]) -> None:
    for path in inspect_logs:
        table, facts = read_table(path, path.name)
        assert facts.source == "Inspect" and facts.n_rows == 6
        found = {(row["id"], row["epoch"]): row for row in table.to_pylist()}
        for name, texts in ANSWERS.items():
            rows = [found[name, epoch] for epoch in ("1", "2")]
            assert sorted(row["output"] for row in rows) == sorted(texts)
            assert {row["target"] for row in rows} == {TARGETS[name]}
            assert all((row["value_match"] == "C") == (row["output"] == TARGETS[name]) for row in rows)
            assert all(row["prediction"] == row["output"].strip() for row in rows)
        assert any("6 verdicts: NaN" in text for text in facts.notes)


def test_both_inspect_logs_hold_the_same_rows(inspect_logs: list[Path]) -> None:
    tables = [read_table(path, path.name)[0] for path in inspect_logs]
    rows = [sorted(map(repr, table.select(["id", "target", "input"]).to_pylist())) for table in tables]
    assert rows[0] == rows[1] and tables[0].column_names == tables[1].column_names


@pytest.fixture
def lm_eval_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """A multiple-choice task and one that generates with two filters, over three documents."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    lm_eval, base = tool("lm_eval"), tool("lm_eval.api.model")
    documents = tmp_path / "docs.jsonl"
    labels = [("great film", 1), ("awful", 0), ("meh", 0)]
    documents.write_text("".join(json.dumps({"q": text, "label": label}) + "\n" for text, label in labels))
    shared = {
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(documents)}},
        "test_split": "test",
        "doc_to_text": "{{q}}",
    }
    metrics = [{"metric": name} for name in ("acc", "f1", "mcc", "acc_norm")]
    choosing = shared | {
        "task": "choosing",
        "output_type": "multiple_choice",
        "doc_to_target": "label",
        "doc_to_choice": ["negative", "positive"],
        "metric_list": metrics,
    }
    regex = {"function": "regex", "regex_pattern": r"answer is (\w+)"}
    generating = shared | {
        "task": "generating",
        "output_type": "generate_until",
        "doc_to_target": "{{['negative', 'positive'][label]}}",
        "generation_kwargs": {"until": ["\n"]},
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
        "filter_list": [
            {"name": "strict", "filter": [regex, {"function": "take_first"}]},
            {"name": "raw", "filter": [{"function": "take_first"}]},
        ],
    }

    class Fixed(base.LM):  # type: ignore[name-defined]
        def loglikelihood(self, requests: Any, **options: Any) -> Any:
            return [(-1.0 if "pos" in request.args[1] else -2.0, True) for request in requests]

        def loglikelihood_rolling(self, requests: Any, **options: Any) -> Any:
            raise NotImplementedError

        def generate_until(self, requests: Any, **options: Any) -> Any:
            texts = {"great film": "The answer is positive", "awful": "It is bad.", "meh": "The answer is positive"}
            return [texts[request.args[0]] for request in requests]

    found = lm_eval.simple_evaluate(model=Fixed(), tasks=[choosing, generating], log_samples=True, bootstrap_iters=0)
    samples = found.pop("samples")
    tracker = tool("lm_eval.loggers").EvaluationTracker(output_path=str(tmp_path / "out"))
    tracker.general_config_tracker.model_name_sanitized = "fixed"
    tracker.save_results_aggregated(results=found, samples=samples)
    for name, rows in samples.items():
        tracker.save_results_samples(name, rows)
    return {name: next((tmp_path / "out").rglob(f"samples_{name}_*.jsonl")) for name in samples}


def test_lm_eval_writes_the_choices_that_are_read(lm_eval_samples: dict[str, Path]) -> None:
    path = lm_eval_samples["choosing"]
    table, facts = read_table(path, path.name)
    assert facts.source == "lm-evaluation-harness"
    assert table["target"].to_pylist() == ["positive", "negative", "negative"]
    assert table["prediction"].to_pylist() == ["positive"] * 3
    assert table["p_positive"].to_pylist() == pytest.approx([1 / (1 + 2.718281828459045**-1)] * 3)
    right = [a == b for a, b in zip(table["target"].to_pylist(), table["prediction"].to_pylist(), strict=True)]
    assert [float(cell) for cell in table["acc"].to_pylist()] == [float(flag) for flag in right]


def test_lm_eval_writes_the_filters_that_are_read(lm_eval_samples: dict[str, Path]) -> None:
    path = lm_eval_samples["generating"]
    rows = read_table(path, path.name)[0].to_pylist()
    assert [(row["id"], row["filter"]) for row in rows] == [(i, f) for f in ("strict", "raw") for i in "012"]
    assert [row["prediction"] for row in rows[:3]] == ["positive", "[invalid]", "positive"]
    assert all(row["prediction"] == row["output"] for row in rows[3:])
    assert [row["target"] for row in rows[:3]] == ["positive", "negative", "negative"]
