"""One evaluation written as many tools write it: name -> the files' paths (predictions, then labels)."""

import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.data.evaluations import Single, confusion
from tests.data.written import Table, text_writer

Writer = Callable[[Single, Path], list[Path]]


def _csv(make: Callable[[Single], Table], *labels: Callable[[Single], Table], name: str = "preds.csv") -> Writer:
    """A writer of one table, or of predictions and labels."""
    delimiter = "," if name.endswith(".csv") else "\t"

    def write(e: Single, folder: Path) -> list[Path]:
        first = text_writer(name, delimiter=delimiter)(make(e), folder)
        return [first, *(text_writer("labels.csv")(table(e), folder) for table in labels)]

    return write


def _lines(name: str, records: Callable[[Single], Iterable[Any]]) -> Writer:
    def write(e: Single, folder: Path) -> list[Path]:
        path = folder / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records(e)), encoding="utf-8")
        return [path]

    return write


def _json(name: str, make: Callable[[Single], Any]) -> Writer:
    def write(e: Single, folder: Path) -> list[Path]:
        path = folder / name
        path.write_text(json.dumps(make(e)), encoding="utf-8")
        return [path]

    return write


def per_class(e: Single, template: str) -> Table:
    return {template.format(name): e.scores[:, code].tolist() for code, name in enumerate(e.labels)}


def _each(e: Single) -> Iterable[tuple[int, str, str, Mapping[str, float]]]:
    for i, (truth, pred, row) in enumerate(zip(e.truth, e.pred, e.scores.tolist(), strict=True)):
        yield i, truth, pred, dict(zip(e.labels, row, strict=True))


def _turned(scores: Mapping[str, float], i: int) -> list[tuple[str, float]]:
    """The scores in another order in every row."""
    pairs = list(scores.items())
    return pairs[i % len(pairs) :] + pairs[: i % len(pairs)]


def _as_logits(e: Single) -> Single:
    return replace(e, scores=np.log(e.scores) + 3)


def _confidence(e: Single) -> list[float]:
    return [e.scores[i, e.labels.index(pred)] for i, pred in enumerate(e.pred)]


def _weka(e: Single) -> Table:
    def numbered(names: Iterable[str]) -> list[str]:
        return [f"{e.labels.index(name) + 1}:{name}" for name in names]

    wrong = ["+" if t != p else "" for t, p in zip(e.truth, e.pred, strict=True)]
    return {
        "inst#": range(1, len(wrong) + 1), "actual": numbered(e.truth), "predicted": numbered(e.pred),
        "error": wrong, "prediction": _confidence(e),
    }  # fmt: skip


def _autopilot(e: Single) -> Table:
    rows = [_turned(scores, i) for i, _, _, scores in _each(e)]
    return {
        "target": e.truth, "predicted_label": e.pred, "probability": _confidence(e),
        "probabilities": [json.dumps([p for _, p in row]) for row in rows],
        "labels": [repr([name for name, _ in row]) for row in rows],
    }  # fmt: skip


def _bigquery(e: Single) -> Iterable[Any]:
    for i, truth, pred, scores in _each(e):
        probs = [{"label": name, "prob": p} for name, p in _turned(scores, i)]
        yield {"churned": truth, "predicted_churned": pred, "predicted_churned_probs": probs}


def _vertex(e: Single) -> Iterable[Any]:
    for i, truth, _, scores in _each(e):
        names, found = zip(*_turned(scores, i), strict=True)
        prediction = {"ids": list(map(str, range(len(names)))), "displayNames": names, "confidences": found}
        yield {"instance": {"content": f"text {i}", "label": truth}, "prediction": prediction}


def _pipeline(e: Single) -> Iterable[Any]:
    for i, truth, _, scores in _each(e):
        yield {"truth": truth, "output": [{"label": name, "score": p} for name, p in _turned(scores, i)]}


def _generated(e: Single) -> Iterable[Any]:
    for i, truth, pred, _ in _each(e):
        yield {
            "doc_id": i, "doc": {"text": f"text {i}"}, "target": truth, "resps": [[f"It is {pred}."]],
            "arguments": {"gen_args_0": {"arg_0": f"{i}?", "arg_1": {"until": []}}}, "filtered_resps": [pred],
            "filter": "none", "metrics": ["exact_match"], "exact_match": float(truth == pred),
        }  # fmt: skip


def _multiple_choice(e: Single) -> Iterable[Any]:
    for i, truth, _, scores in _each(e):
        said = [[str(float(np.log(p))), "False"] for p in scores.values()]
        asked = {f"gen_args_{k}": {"arg_0": f"{i}:", "arg_1": f" {name}"} for k, name in enumerate(scores)}
        yield {
            "doc_id": i, "doc": {"q": f"text {i}"}, "target": str(e.labels.index(truth)), "arguments": asked,
            "resps": [[one] for one in said], "filtered_resps": said, "filter": "none", "metrics": ["acc"], "acc": 1.0,
        }  # fmt: skip


def _samples(e: Single) -> list[dict[str, Any]]:
    return [
        {
            "id": i, "epoch": 1, "input": f"text {i}", "target": truth, "output": {"completion": f"It is {pred}."},
            "scores": {"match": {"value": "C" if truth == pred else "I", "answer": pred}},
        }
        for i, truth, pred, _ in _each(e)
    ]  # fmt: skip


_HEAD = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}


def _archive(e: Single, folder: Path) -> list[Path]:
    path = folder / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(_HEAD))
        for sample in _samples(e):
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    return [path]


def _promptfoo(e: Single) -> Any:
    results = [
        {
            "testIdx": i, "promptIdx": 0, "provider": {"id": "m"}, "prompt": {"label": "p"}, "success": truth == pred,
            "vars": {"text": f"text {i}", "expected": truth}, "response": {"output": pred}, "score": int(truth == pred),
        }
        for i, truth, pred, _ in _each(e)
    ]  # fmt: skip
    return {"version": 3, "results": {"results": results, "prompts": []}}


def _promptfoo_table(e: Single) -> Table:
    def safe(text: str) -> str:
        return "'" + text if text[:1] in "=+-@" else text

    right = [t == p for t, p in zip(e.truth, e.pred, strict=True)]
    return {
        "text": e.ids, "expected": [safe(t) for t in e.truth], "[m] Which? {{text}}": [safe(p) for p in e.pred],
        "Status": ["PASS" if r else "FAIL" for r in right], "Score": ["1.00" if r else "0.00" for r in right],
        "Named Scores": [""] * len(right), "Grader Reason": [""] * len(right), "Comment": [""] * len(right),
    }  # fmt: skip


def _events(e: Single) -> Iterable[Any]:
    yield {"spec": {"eval_name": "t", "base_eval": "t"}}
    for i, truth, pred, _ in _each(e):
        data = {"correct": truth == pred, "expected": truth, "picked": pred}
        yield {"run_id": "r", "event_id": i, "sample_id": f"t.{i}", "type": "match", "data": data}


def _cells(e: Single, truth: str, pred: str, count: str) -> Table:
    pairs = confusion(e.truth, e.pred)
    every = [(a, b) for a in e.labels for b in e.labels]
    return {truth: [a for a, _ in every], pred: [b for _, b in every], count: [pairs.get(pair, 0) for pair in every]}


def _matrix(e: Single) -> Table:
    pairs = confusion(e.truth, e.pred)
    return {"actual": e.labels} | {b: [pairs.get((a, b), 0) for a in e.labels] for b in e.labels}


def _number(e: Single, names: Iterable[str]) -> list[float]:
    return [float(e.labels.index(name)) for name in names]


def _long(e: Single) -> Table:
    lines = [(i, *pair) for i, scores in zip(e.ids, (s for *_, s in _each(e)), strict=True) for pair in scores.items()]
    return {key: [line[place] for line in lines] for place, key in enumerate(("id", "label", "score"))}


def _phoenix(e: Single) -> Table:
    n = len(e.truth)
    return {
        "example_id": e.ids, "repetition_number": [1] * n, "input": [json.dumps({"text": i}) for i in e.ids],
        "reference_output": [json.dumps({"label": t}) for t in e.truth], "output": e.pred, "error": [""] * n,
        "latency_ms": [100.5 + i for i in range(n)],
    }  # fmt: skip


LABELS: dict[str, Writer] = {
    "lm-evaluation-harness": _lines("samples_t.jsonl", _generated),
    "Inspect log": _json("log.json", lambda e: _HEAD | {"samples": _samples(e)}),
    "Inspect archive": _archive,
    "Inspect table": _csv(
        lambda e: {
            "id": e.ids, "epoch": [1] * len(e.ids), "input": e.ids, "target": e.truth,
            "score_match": ["C" if t == p else "I" for t, p in zip(e.truth, e.pred, strict=True)],
            "score_match_answer": e.pred, "total_tokens": [12] * len(e.ids), "error": [""] * len(e.ids),
        }
    ),
    "promptfoo results": _json("results.json", _promptfoo),
    "promptfoo table": _csv(_promptfoo_table),
    "Phoenix": _csv(_phoenix),
    "OpenAI Evals": _lines("events.jsonl", _events),
    "MLflow": _json(
        "eval_results_table.json",
        lambda e: {"columns": ["x", "target", "outputs"], "data": [[i, t, p] for i, t, p, _ in _each(e)]},
    ),
    "W&B": _csv(lambda e: _cells(e, "Actual", "Predicted", "nPredictions")),
    "Neo": _csv(lambda e: _cells(e, "Ground Truth", "Prediction", "Count")),
    "Neo records": _lines(
        "neo.jsonl",
        lambda e: (
            {"actual": a, "observed": b, "count": n}
            for a, b, n in zip(*_cells(e, "a", "b", "n").values(), strict=True)
        ),
    ),
    "matrix": _csv(_matrix),
    "Zeno": _csv(lambda e: {"id": e.ids, "data": e.ids, "labels": e.truth, "output": e.pred}),
    "predict_results": _csv(
        lambda e: {"index": range(len(e.ids)), "prediction": e.pred},
        lambda e: {"index": range(len(e.ids)), "label": e.truth},
        name="predict_results.txt",
    ),
    "nested": _lines(
        "preds.jsonl", lambda e: ({"id": i, "gold": {"label": t}, "prediction": p} for i, t, p, _ in _each(e))
    ),
    "cleanlab": _csv(
        lambda e: {
            "is_label_issue": [t != p for t, p in zip(e.truth, e.pred, strict=True)],
            "label_quality": e.scores[:, 0].tolist(), "given_label": e.truth, "predicted_label": e.pred,
        }
    ),
}  # fmt: skip
"""Labels only."""

SCORED: dict[str, Writer] = {
    "Evidently": _csv(lambda e: {"target": e.truth, "prediction": e.pred, **per_class(e, "{}")}),
    "parsnip": _csv(lambda e: {"obs": e.truth, ".pred_class": e.pred, **per_class(e, ".pred_{}")}),
    "tune": _csv(
        lambda e: {
            ".row": range(1, len(e.ids) + 1), ".config": ["M1"] * len(e.ids), "id": ["Fold1"] * len(e.ids),
            ".pred_class": e.pred, **per_class(e, ".pred_{}"), "Class": e.truth,
        }
    ),
    "mlr3": _csv(
        lambda e: {"row_ids": range(len(e.ids)), "truth": e.truth, "response": e.pred, **per_class(e, "prob.{}")}
    ),
    "H2O": _csv(lambda e: {"predict": e.pred, **per_class(e, "{}"), "KIND": e.truth}),
    "PyCaret raw": _csv(
        lambda e: {"Price": e.ids, "KIND": e.truth, "prediction_label": e.pred, **per_class(e, "prediction_score_{}")}
    ),
    "KNIME": _csv(
        lambda e: {"row ID": e.ids, "Kind": e.truth, **per_class(e, "P (Kind={})"), "Prediction (Kind)": e.pred}
    ),
    "SageMaker": _csv(_autopilot),
    "BigQuery": _lines("bigquery.jsonl", _bigquery),
}  # fmt: skip
"""Labels and a score for every class."""

CONFIDENT: dict[str, Writer] = {
    "Weka": _csv(_weka),
    "PyCaret": _csv(
        lambda e: {
            "Price": e.ids, "KIND": e.truth, "prediction_label": e.pred,
            "prediction_score": _confidence(e),
        }
    ),
    "pipeline": _lines(
        "pipeline.jsonl",
        lambda e: (
            {"truth": t, "label": p, "score": c} for t, p, c in zip(e.truth, e.pred, _confidence(e), strict=True)
        ),
    ),
    "FiftyOne": _csv(
        lambda e: {
            "filepath": e.ids, "ground_truth.label": e.truth, "predictions.label": e.pred,
            "predictions.confidence": _confidence(e),
        }
    ),
}  # fmt: skip
"""Labels and the score of whichever was predicted."""

BEST: dict[str, Writer] = {
    "lm-evaluation-harness choices": _lines("samples_t.jsonl", _multiple_choice),
    "Vertex AI tables": _csv(lambda e: {"age": e.ids, "Kind": e.truth, **per_class(e, "Kind_{}_scores")}),
    "Vertex AI texts": _lines("vertex.jsonl", _vertex),
    "pipeline of all scores": _lines("pipeline.jsonl", _pipeline),
    "scores alone": _csv(lambda e: {"y_true": e.truth, **per_class(e, "proba_{}")}),
    "per cent": _csv(
        lambda e: {"y_true": e.truth} | {k: [f"{p:.5%}" for p in column] for k, column in per_class(e, "p_{}").items()}
    ),
    "logits": _csv(lambda e: {"y_true": e.truth, **per_class(_as_logits(e), "logit_{}")}),
    "long form": _csv(_long, lambda e: {"id": e.ids[::-1], "kind": e.truth[::-1]}),
    "scores and labels apart": _csv(
        lambda e: {"id": e.ids, **per_class(e, "{}")}, lambda e: {"id": e.ids[::-1], "kind": e.truth[::-1]}
    ),
}  # fmt: skip
"""A score for every class, from which the predictions are made."""

NUMBERED: dict[str, Writer] = {
    "Spark ML": _csv(
        lambda e: {
            "label": _number(e, e.truth), "rawPrediction": [str(np.log(row).round(3).tolist()) for row in e.scores],
            "probability": [str(row) for row in e.scores.tolist()], "prediction": _number(e, e.pred),
        }
    ),
    "H2O numbered": _csv(
        lambda e: {"predict": e.pred, **per_class(e, "p{}"), "CAPSULE": e.truth}
    ),
}  # fmt: skip
"""For labels that are 0, 1, …."""


def apart(e: Single, how: str, order: np.ndarray) -> tuple[Table, Table]:
    """Predictions, and labels in another order of rows; `how` says what names a row in both."""
    mixed = [e.ids[i] for i in order]
    keys: dict[str, tuple[Table, Table]] = {
        "id": ({"id": e.ids}, {"id": mixed}),
        "same names": ({"id": e.ids}, {"id": mixed}),
        "two keys": (
            {"clip": [i[:-1] for i in e.ids], "part": [i[-1] for i in e.ids]},
            {"clip": [i[:-1] for i in mixed], "part": [i[-1] for i in mixed]},
        ),
        "stems": ({"file": [f"/data/out/{i}.png" for i in e.ids]}, {"file": [f"{i}.txt" for i in mixed]}),
        "numbers": ({"id": range(len(mixed))}, {"id": [f"{i}.0" for i in order]}),
        "row order": ({}, {}),
    }
    truth = e.truth if how == "row order" else [e.truth[i] for i in order]
    pred = {"label" if how == "same names" else "prediction": e.pred, **per_class(e, "p_{}")}
    return keys[how][0] | pred, keys[how][1] | {"label": truth}
