"""Evaluations to report on: samples as files, and made-up ones with hostile labels or many classes."""

from functools import cache

import numpy as np
import pyarrow as pa

from data.building.build import build
from data.evaluation import Evaluation, FileFacts, Settings
from data.runs import load
from data.runs.draft import Given
from data.samples import FOLDER, SAMPLES
from tests.reading_here import reading_here

HOSTILE = (
    "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", '=cmd|"/c calc"!A1', "a\u202eb\n",
    "<!--", "&lt;b&gt;", "${x}", "]]>", '"><svg onload=alert(3)>',
)  # fmt: skip


@cache
def sample(key: str) -> Evaluation:
    """A sample as the command line opens it, read in this process."""
    found = next(s for s in SAMPLES if s.key == key)
    with reading_here():
        return load.read_evaluation([FOLDER / name for name in found.files], Given(label_set=found.label_set))


def made(labels: tuple[str, ...], n: int, *, seed: int = 0, name: str = "made up", scores: bool = False) -> Evaluation:
    """Rows of these labels, two in three right, with a text column that quotes the labels."""
    rng = np.random.default_rng(seed)
    true = np.concatenate([np.arange(len(labels)), rng.integers(len(labels), size=n - len(labels))])
    pred = np.where(rng.random(n) < 0.67, true, rng.integers(len(labels), size=n))
    names = np.array(labels, dtype=object)
    columns = {
        "y": names[true].tolist(),
        "y_pred": names[pred].tolist(),
        "text": [f"{labels[i]} spoke up" for i in true],
    }
    settings = Settings(truth="y", pred="y_pred", label_set=labels)
    if scores:
        given = rng.dirichlet(np.ones(len(labels)), size=n)
        columns |= {f"p{i}": given[:, i].tolist() for i in range(len(labels))}
        settings = Settings(
            truth="y", pred="y_pred", label_set=labels, scores=tuple((f"p{i}", c) for i, c in enumerate(labels))
        )
    file = FileFacts(f"{labels[0]}.csv", "CSV", n, tuple(columns), 12_345, "ab" * 32, ",", "UTF-8")
    return build(pa.table(columns), settings, name=name, content_sha256=str(seed), files=[file])


def hostile() -> Evaluation:
    """Every label, the name of the file and of the evaluation are attempts at something."""
    return made(HOSTILE, 60, name=HOSTILE[0], scores=True)
