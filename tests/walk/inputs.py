"""Keep the runs that are walked: samples, files of the corpus, and files of one's own."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from data.errors import DataError
from data.runs.draft import Given
from data.samples import SAMPLES
from tests.corpus.case import SMALL, Case
from tests.corpus.every import all_cases
from tests.corpus.outcome import given_by
from tests.opened_runs import keep_file, keep_text
from tests.reading_here import reading_here

SAMPLE_RUNS = tuple(sample.key for sample in SAMPLES)


def keep_case(case: Case, folder: Path) -> str:
    """Keep a file of the corpus; returns its run, "" where it is refused or no row can be scored."""
    content = case.made()
    if case.n is None or len(content) > SMALL.n_bytes:
        return ""
    path = folder / case.upload
    path.write_bytes(content)
    try:
        with reading_here(SMALL):
            return keep_file(path, given_by(case))
    except DataError:
        return ""


def keep_corpus(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the run of every file of the corpus that is read."""
    for case in all_cases():
        run = keep_case(case, folder)
        if run:
            yield str(case), run


def keep_made(folder: Path) -> dict[str, str]:
    """Keep files whose parts differ: groups, missing values, rows per line, several classes, clusters, label sets."""
    rng, n = np.random.default_rng(8), 1200
    runs = {}

    def keep(name: str, given: Given | None = None, **columns: object) -> None:
        rows = zip(*(map(str, values) for values in columns.values()), strict=True)  # type: ignore[call-overload]
        text = "\n".join([",".join(columns), *map(",".join, rows)])
        runs[name] = keep_text(folder / f"{name}.csv", text, given)

    truth, sex, age = rng.integers(0, 2, n), rng.integers(0, 2, n), rng.integers(18, 80, n)
    right = rng.random(n) < np.where(sex == 1, 0.58, 0.81)
    alarms = np.where(rng.random(n) < 0.1, 0.7, 0.2)
    score = np.where(truth == 1, np.where(right, 0.8, 0.3), alarms)
    keep("loan", id=range(n), label=truth, score=score, sex=np.where(sex == 1, "f", "m"), age=age)
    region = rng.choice(["north", "south", ""], n)
    missed = rng.random(n) < np.where(region == "", 0.5, 0.1)
    keep("lines", label=truth, prediction=truth ^ missed, region=region, rows=rng.integers(1, 9, n))
    classes = rng.integers(0, 4, n)
    wrong = rng.random(n) < np.where(age > 60, 0.6, 0.1)
    keep("several", label=_name(classes), prediction=_name((classes + wrong) % 4), age=age)
    device = rng.integers(0, 2, n)
    missed = rng.random(n) < np.where(device == 1, 0.5, 0.1)
    keep("clustered", label=truth, prediction=truth ^ missed, template=np.repeat(np.arange(60), 20), device=device)
    template = ["" if i < 5 else f"m{i // 20}" for i in range(n)]
    keep("holes", label=truth, prediction=truth ^ missed, template=template)
    sets = rng.choice(["a|b", "a", "b|c", "c", "a|c"], n)
    keep("sets", labels=sets, predictions=np.where(missed, "b", sets), device=device)
    keep("invented label", labels=sets, predictions=np.where(missed, "b|d", sets))
    weight = np.where(np.arange(n) % 100 == 0, 400, rng.gamma(2.0, 1.0, n).round(3))
    keep("weighed", Given(weights="weight"), label=truth, score=score, weight=weight, device=device)
    rare = np.arange(n) < 16
    keep("rare", label=rare.astype(int), score=np.where(rare, 0.8, 0.3) - 0.6 * missed)
    keep("undone", Given(raw="answer"), label=_name(classes), answer=[""] * n)
    return runs


def _name(codes: np.ndarray) -> list[str]:
    return [f"c{code}" for code in codes.tolist()]
