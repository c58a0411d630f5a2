"""Every number of the registry equals its scikit-learn expression at every edge of a file: drawn, of every task."""

import math
import runpy
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.evaluation import Evaluation, Settings
from export.files import prepared_files
from export.measurement import measure
from export.recompute.prepared import recomputed_metrics
from export.recompute.python_snippet import classes_of
from metrics.catalogue.metric import why_undefined
from metrics.catalogue.registry import ROWS
from tests.export.recompute.test_prepared import run_script

LABELS = ("x/a", "x/b", "y/c", "y/d", "z", "v")
N_LABELS = {"one score": 2, "logits": 2, "own scale": 2, "scores": 6, "sets": 3, "ordered in groups": 4}
EDGES = (
    "one row", "few rows", "one true class", "constant prediction", "all right", "all wrong", "tied scores",
    "scores of 0 and 1", "weights", "zero weights", "one row with a weight",
)  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore")


def draw(kind: str, edge: str, random: np.random.Generator) -> Evaluation:
    """Return a file of a kind at an edge."""
    k, n = N_LABELS[kind], {"one row": 1, "few rows": 3}.get(edge, int(random.integers(4, 30)))
    sides = draw_sets(edge, n, k, random) if kind == "sets" else draw_labels(edge, n, k, random)
    scores = random.multinomial(8, np.ones(k) / k, n) / 8
    if edge == "tied scores":
        scores = np.full((n, k), 1 / k)
    elif edge == "scores of 0 and 1":
        scores = np.eye(k)[random.integers(0, k, n)]
    columns = dict(zip(("y", "p"), sides, strict=True)) | draw_weights(edge, n, random)
    given: dict[str, Any] = {"weights": "w"} if "w" in columns else {}
    if k == 2:
        factor = {"one score": 1, "logits": 6, "own scale": 12}[kind]
        columns["s"] = scores[:, 1] * factor - (3 if kind == "logits" else 0)
        scale = {"one score": "probability", "logits": "logit", "own scale": "score"}[kind]
        given |= {"scores": (("s", LABELS[1]),), "positive": LABELS[1], "scale": scale}
    elif kind == "ordered in groups":
        given |= {"order": LABELS[:k], "separator": "/"}
    else:
        columns |= {f"s{code}": scores[:, code] for code in range(k)}
        given |= {"scores": tuple((f"s{code}", LABELS[code]) for code in range(k)), "scale": "probability"}
        given |= {"encoding": "delimited", "delimiter": ";"} if kind == "sets" else {}
    settings = Settings(truth="y", pred="p", label_set=LABELS[:k], **given)
    return build(pa.table(columns), settings, name=edge, content_sha256=kind)


def draw_labels(edge: str, n: int, k: int, random: np.random.Generator) -> list[list[str]]:
    """Return true and predicted labels."""
    truth = np.full(n, random.integers(k)) if edge == "one true class" else random.integers(0, k, n)
    pred = np.where(random.random(n) < 0.6, truth, random.integers(0, k, n))
    pred = {"constant prediction": np.full(n, random.integers(k)), "all right": truth,
            "all wrong": (truth + 1) % k}.get(edge, pred)  # fmt: skip
    return [[LABELS[code] for code in side] for side in (truth, pred)]


def draw_sets(edge: str, n: int, k: int, random: np.random.Generator) -> list[list[str]]:
    """Return true and predicted label sets, as text."""
    truth, pred = random.random((2, n, k)) < 0.4
    if edge == "one true class":
        truth = np.arange(k) == np.full((n, 1), 1)
    pred = {"constant prediction": np.zeros((n, k), bool), "all right": truth, "all wrong": ~truth}.get(edge, pred)
    return [[";".join(np.array(LABELS[:k])[row]) for row in side] for side in (truth, pred)]


def draw_weights(edge: str, n: int, random: np.random.Generator) -> dict[str, np.ndarray]:
    """Return the column of weights; none where every row counts once."""
    weights = {
        "weights": random.gamma(1.0, 1.0, n),
        "tied scores": random.gamma(1.0, 1.0, n),
        "zero weights": random.gamma(1.0, 1.0, n) * (np.arange(n) % 3 == 0),
        "one row with a weight": 2.5 * (np.arange(n) == n // 2),
    }
    return {"w": weights[edge]} if edge in weights else {}


@pytest.mark.parametrize("edge", EDGES)
def test_every_metric_has_an_oracle_at_the_edge(edge, tmp_path):
    compared: set[str] = set()
    random = np.random.default_rng(EDGES.index(edge))
    for kind in N_LABELS:
        for turn in range(2):
            e = draw(kind, edge, random)
            folder = tmp_path / f"{kind} {turn}"
            folder.mkdir()
            run_script(e, folder)
            compared |= compare_metrics(e, folder)
    assert compared == {f"{row.key} of {row.eats}" for row in ROWS}


def compare_metrics(e: Evaluation, folder: Path) -> set[str]:
    """Compare every metric, of every class, with its expression; undefined is undefined in both."""
    scope = runpy.run_path(str(folder / "recompute.py"))
    (folder / "prepared.parquet").write_bytes(prepared_files(e)["prepared.parquet"])
    p, found = scope["read_prepared"](str(folder / "prepared.parquet")), measure(e)
    compared = set()
    for row in recomputed_metrics(e):
        if why_undefined(e, row.eats):
            continue
        for code in classes_of(e, row.key) or (None,):
            names: dict[str, Any] = {"p": p, "k": code}
            if row.eats == "confusion counts, one class":
                names["o"] = scope["outcomes"](*scope["one_class"](p, code), p.rows if row.counts_rows else p.weight)
            elif row.eats == "score counts":
                names |= zip(("is_true", "score", "weight"), scope["scores_of"](p, code), strict=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = float(eval(row.scikit_learn, scope | names))  # our own code, as the exported script has it
            value = found.value(row.key, code)
            assert value == pytest.approx(expected, abs=1e-9, nan_ok=True), (e.name, row.key, code)
            assert value is not None and math.isnan(value) == math.isnan(expected), (e.name, row.key, code)
            compared.add(f"{row.key} of {row.eats}")
    return compared
