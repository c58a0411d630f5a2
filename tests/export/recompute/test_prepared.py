"""The script that is handed out gives every number of numbers.json, and holds what may leave."""

import contextlib
import dataclasses
import io
import json
import math
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.building.build import build
from data.building.rescoring import with_label_thresholds, with_settings, with_threshold
from data.comparison.aligned_runs import align_runs
from data.evaluation import Evaluation, Settings
from data.samples import SAMPLES
from data.sharing import share
from export.compare.comparison import comparison
from export.files import prepared_files
from export.measurement import measure
from export.numbers import numbers_json
from export.recompute.prepared import has_prepared
from export.recompute.python_snippet import classes_of, list_offered_metrics, python_snippet
from tests.ceiling import CEILING_SECONDS
from tests.export.evaluations import HOSTILE, hostile, made, sample
from tests.opened_runs import open_run

TRUTH = np.random.default_rng(4).choice(["no", "yes"], 60).tolist()
NOISE = np.random.default_rng(5).normal(size=60) + 1.5 * (np.array(TRUTH) == "yes")


def built(columns: dict, **settings) -> Evaluation:
    given = Settings(truth="y", **settings)
    return build(pa.table({"y": TRUTH, **columns}), given, name="t", content_sha256="0")


def sets(*, scores: bool = True, k: int = 3) -> Evaluation:
    names = ["art", "bees", "cats"][:k]
    rng = np.random.default_rng(6)
    sides = rng.random((2, 40, k)) < 0.4
    sides[:, :, -1] &= k == 1  # a label of no row, where there are several
    texts = [[";".join(c for c, has in zip(names, row, strict=True) if has) for row in side] for side in sides]
    columns = {"y": texts[0], "p": texts[1], **{f"s{c}": rng.random(40) for c in names}}
    given = Settings(
        truth="y", pred="p", encoding="delimited", delimiter=";", label_set=tuple(names),
        scores=tuple((f"s{c}", c) for c in names) if scores else (),
    )  # fmt: skip
    return build(pa.table(columns), given, name="sets", content_sha256="1")


def counted() -> Evaluation:
    table = pa.table({"y": list("aabbcd"), "p": list("abbcad"), "n": [5, 2, 7, 1, 3, 0]})
    return build(table, Settings(truth="y", pred="p", counts="n"), name="counts", content_sha256="2")


def weighted(e: Evaluation, *, seed: int = 8) -> Evaluation:
    """Return the same rows with weights: fractions, whole numbers, and zero for one row in five."""
    rng = np.random.default_rng(seed)
    weights = np.where(rng.random(e.n_lines) < 0.3, rng.integers(0, 3, e.n_lines), rng.gamma(1.0, 1.0, e.n_lines))
    weights[rng.random(e.n_lines) < 0.2] = 0.0
    settings = dataclasses.replace(e.settings, weights="w")
    return build(e.rows.append_column("w", pa.array(weights)), settings, name="weighted", content_sha256="3")


MADE = {
    "probabilities": lambda: built({"s": 1 / (1 + np.exp(-NOISE))}, scores=(("s", "yes"),)),
    "missing scores": lambda: built({"s": [None, *(1 / (1 + np.exp(-NOISE[1:])))]}, scores=(("s", "yes"),)),
    "threshold": lambda: with_threshold(built({"s": 1 / (1 + np.exp(-NOISE))}, scores=(("s", "yes"),)), 0.3),
    "logits": lambda: built({"s": NOISE}, scores=(("s", "yes"),), scale="logit"),
    "own scale": lambda: built({"s": np.abs(np.round(NOISE * 3))}, scores=(("s", "yes"),), scale="score"),
    "own scale, threshold": lambda: with_threshold(
        built({"s": np.abs(np.round(NOISE * 3))}, scores=(("s", "yes"),), scale="score"), 2.0
    ),
    "one class": lambda: built({"p": ["yes"] * 60}, pred="p", label_set=("no", "yes")),
    "several classes": lambda: made(("a", "b", "c", "d"), 80, scores=True),
    "hostile": hostile,
    "outside the list": lambda: built({"p": ["yes", "maybe"] * 30}, pred="p", label_set=("no", "yes", "never")),
    "counts": counted,
    "ordered": lambda: with_settings(made(("l", "m", "h"), 80), order=("l", "none", "m", "h")),
    "ordered, unread": lambda: built(
        {"p": ["yes", "no", "[invalid]"] * 20}, pred="p", order=("no", "yes"), label_set=("yes", "no")
    ),
    "in groups": lambda: with_settings(made(("x/a", "x/b", "y/c/d", "y", "z"), 80), separator="/"),
    "weighted, in groups, unread": lambda: weighted(
        built({"p": ["yes.a", "no", "[invalid]"] * 20}, pred="p", separator=".", label_set=("yes", "yes.a", "no"))
    ),
    "sets": sets,
    "sets without scores": lambda: sets(scores=False),
    "one label": lambda: sets(k=1, scores=False),
    "label thresholds": lambda: with_label_thresholds(sets(), np.array([0.2, 0.5, 0.7])),
    "weighted probabilities": lambda: weighted(
        built({"s": np.round(1 / (1 + np.exp(-NOISE)), 1), "p": [*TRUTH[1:], "no"]}, pred="p", scores=(("s", "yes"),))
    ),
    "weighted, missing scores": lambda: weighted(
        built({"s": [None, *(1 / (1 + np.exp(-NOISE[1:])))]}, scores=(("s", "yes"),))
    ),
    "weighted logits, threshold": lambda: with_threshold(
        weighted(built({"s": NOISE}, scores=(("s", "yes"),), scale="logit")), 0.3
    ),
    "weighted own scale": lambda: weighted(
        built({"s": np.abs(np.round(NOISE * 3))}, scores=(("s", "yes"),), scale="score")
    ),
    "weighted, one class": lambda: weighted(built({"p": ["yes"] * 60}, pred="p", label_set=("no", "yes"))),
    "weighted, several classes": lambda: weighted(made(("a", "b", "c", "d"), 80, scores=True)),
    "weighted, outside the list": lambda: weighted(
        built({"p": ["yes", "maybe", "unparseable"] * 20}, pred="p", label_set=("no", "yes", "never"))
    ),
    "weighted counts": lambda: weighted(counted()),
    "weighted sets": lambda: weighted(sets()),
    "weighted sets, label thresholds": lambda: with_label_thresholds(weighted(sets()), np.array([0.2, 0.5, 0.7])),
}


def run_script(e: Evaluation, folder: Path) -> str:
    """Return what the script prints; it ends with an error where a number differs."""
    for name, content in {**prepared_files(e), "numbers.json": numbers_json(measure(e))}.items():
        (folder / name).write_bytes(content)
    printed = io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(printed),
        warnings.catch_warnings(),
        pytest.raises(SystemExit) as ended,
    ):
        runpy.run_path("recompute.py", run_name="__main__")  # a process of its own would import everything again
    assert ended.value.code == 0, [line for line in printed.getvalue().splitlines() if "DIFFERENT" in line]
    return printed.getvalue()


@pytest.mark.parametrize("key", [each.key for each in SAMPLES])
def test_script_gives_every_number_of_a_sample(key, tmp_path):
    printed = run_script(sample(key), tmp_path)
    n, total = printed.splitlines()[-1].split()[0:3:2]
    assert n == total and int(n.replace(",", "")) >= 70


@pytest.mark.parametrize("name", MADE)
def test_script_gives_every_number_of_a_made_file(name, tmp_path):
    e = MADE[name]()
    assert "numbers agree to 1e-9." in run_script(e, tmp_path)
    numbers = json.loads(numbers_json(measure(e)))["numbers"]
    assert "accuracy" in numbers or "subset_accuracy" in numbers


def test_script_names_a_number_that_differs(tmp_path):
    e = MADE["probabilities"]()
    run_script(e, tmp_path)
    text = (tmp_path / "numbers.json").read_text().replace('"accuracy": 0.', '"accuracy": 1.')
    (tmp_path / "numbers.json").write_text(text)
    command = [sys.executable, "recompute.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=CEILING_SECONDS)
    assert done.returncode == 1
    different = [line.split()[0] for line in done.stdout.splitlines() if line.endswith("DIFFERENT")]
    assert "accuracy" in different


@pytest.mark.parametrize("name", MADE)
def test_snippets_give_the_shown_numbers(name, tmp_path, monkeypatch):
    e = MADE[name]()
    found = measure(e)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prepared.parquet").write_bytes(prepared_files(e)["prepared.parquet"])
    for place, metric in enumerate(list_offered_metrics(e), list(MADE).index(name)):
        codes = classes_of(e, metric)
        code = codes[-(place % 2)] if codes else None  # the first or the last in turns: classes differ in their number
        value, wanted = run_snippet(e, metric, code), found.value(metric, code)
        assert value == pytest.approx(wanted, abs=1e-9, nan_ok=True), (metric, code)
        assert math.isnan(wanted) or not math.isnan(value)
    assert len(list_offered_metrics(e)) >= 6


def run_snippet(e: Evaluation, metric: str, code: int | None = None) -> float:
    """Return the number that the copied Python leaves in `value`, run where prepared.parquet lies."""
    text = python_snippet(e, metric, code)
    scope: dict[str, Any] = {}
    text.encode("ascii")
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(text, scope)  # our own code, as a person would run it
    return float(scope["value"])


def test_snippets_of_weighted_runs_give_numbers_of_compare(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(9)
    runs = []
    for name, error in (("A", 0.2), ("B", 0.4)):
        pred = np.where(rng.random(60) < error, "no", TRUTH).tolist()
        columns = {"p": pred, "s": (NOISE + error * rng.normal(size=60)).tolist(), "id": list(range(60))}
        run = built(columns, pred="p", id="id", scores=(("s", "yes"),), scale="logit", positive="yes")
        runs.append(dataclasses.replace(weighted(run), name=name))
    compared, _ = comparison(align_runs(runs, ["A", "B"], key="id"))
    metrics = [metric for metric in list_offered_metrics(runs[0]) if metric in compared.names]
    assert {"accuracy", "macro_f1", "log_loss"} <= set(metrics) and len(metrics) >= 20
    for model, run in enumerate(runs):
        (tmp_path / "prepared.parquet").write_bytes(prepared_files(run)["prepared.parquet"])
        for metric in metrics:
            codes = classes_of(run, metric)
            value = run_snippet(run, metric, run.positive if codes else None)
            assert value == pytest.approx(compared.interval(metric, model).value, abs=1e-9, nan_ok=True), metric


def columns_of(e: Evaluation) -> list[str]:
    return pq.read_table(io.BytesIO(prepared_files(e)["prepared.parquet"])).column_names


def test_file_holds_labels_exactly():
    table = pq.read_table(io.BytesIO(prepared_files(hostile())["prepared.parquet"]))
    assert set(table["y_true"].to_pylist()) == set(HOSTILE)


def test_hidden_columns_are_not_in_the_file(own_store):
    names = columns_of(open_run(share.share("support-intents-llm").token))
    assert {"row", "y_true", "y_pred"} <= set(names) <= {"row", "id", "y_true", "y_pred"}


def test_share_of_numbers_holds_counts_only(own_store, tmp_path):
    e = open_run(share.share("screening", counts_only=True).token)
    assert columns_of(e) == ["y_true", "y_pred", "y_score", "weight"]
    agree = re.search(r"(\d+) of (\d+) numbers agree", run_script(e, tmp_path))
    assert agree and agree[1] == agree[2] and int(agree[1]) >= 100
    digits = open_run(share.share("digits", counts_only=True).token)
    assert columns_of(digits) == ["y_true", "y_pred", "weight"]
    genres = open_run(share.share("movie-genres", counts_only=True).token)
    assert not has_prepared(genres) and prepared_files(genres) == {}


def test_missing_predictions_are_not_in_the_file():
    e = built({"p": [None, *TRUTH[1:]]}, pred="p")
    assert len(pq.read_table(io.BytesIO(prepared_files(e)["prepared.parquet"]))) == 59
    assert dataclasses.replace(e).n_scored == 59
