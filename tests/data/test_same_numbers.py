"""The same predictions give the same numbers, however they are written: every way of writing against scikit-learn.

What a way cannot say is left out of what is written that way: Weka's `?` is no label, a first line with `#` is a
comment, a header line loses the blanks around names.
"""

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data.evaluation import Evaluation
from data.runs import load
from data.runs.load import Given
from tests.data import evaluations, written, written_by_tools, written_sets
from tests.data.evaluations import Multi, Single
from tests.measured_numbers import numbers_of
from tests.reliability.counts import LONG

POOLS = {
    name: getattr(evaluations, name.upper()) for name in ("plain", "words", "numbers", "marks", "letters", "whole")
}
pytestmark = pytest.mark.usefixtures("read_here")


def with_pools(name: str, ways: Iterable[str]) -> pytest.MarkDecorator:
    """Give each way two pools of labels in turn; together they meet all six. RELIABILITY=long gives each all."""
    pools, n = [*POOLS], 6 if LONG else 2
    order = (0, 3, 1, 4, 2, 5)
    pairs = [(way, pools[(i + step) % len(pools)]) for i, way in enumerate(ways) for step in order[:n]]
    return pytest.mark.parametrize((name, "pool"), pairs)


def chance(*seed: str) -> np.random.Generator:
    return np.random.default_rng(list("/".join(seed).encode()))


def drawn(pool: str, way: str, *, without: str = "", bare: bool = False, parts: int = 10_000) -> Single:
    """Two to six labels of a pool, with or without the blanks at their ends, in some rows."""
    rng = chance(pool, way)
    names = tuple(name.strip() if bare else name for name in POOLS[pool] if name not in without.split())
    return evaluations.single(rng, names, int(rng.integers(2, 7)), parts=parts)


def read(*paths: Path, given: Given | None = None) -> Evaluation:
    return load.read_evaluation(paths, given or Given())


def put(table: written.Table, folder: Path, way: str) -> Path:
    """Write a table, or skip the test where the encoding has no place for its labels."""
    folder.mkdir(exist_ok=True)
    try:
        return written.ALL[way](table, folder)
    except UnicodeEncodeError:
        pytest.skip("labels that the encoding cannot hold")


def check_labels(e: Evaluation, wanted: Single) -> dict[str, Any]:
    """The numbers and the confusion matrix are those of scikit-learn; returns the report."""
    numbers = numbers_of(e)
    expected = evaluations.of_labels(wanted.truth, wanted.pred)
    assert {key: numbers.get(key) for key in expected} == pytest.approx(expected)
    names, matrix = numbers["confusion_matrix"]["labels"], numbers["confusion_matrix"]["rows_true_cols_pred"]
    found = {(a, b): n for a, row in zip(names, matrix, strict=True) for b, n in zip(names, row, strict=True) if n}
    assert found == evaluations.confusion(wanted.truth, wanted.pred)
    return numbers


def check_scores(numbers: dict[str, Any], wanted: Single) -> None:
    for key, value in evaluations.of_scores(wanted, numbers.get("positive")).items():
        assert numbers[key] == pytest.approx(value, rel=1e-9), key


def check_sets(e: Evaluation, wanted: Multi) -> None:
    expected = evaluations.of_sets(wanted) | (evaluations.of_set_scores(wanted) if e.y_score is not None else {})
    numbers = numbers_of(e)
    for key, value in expected.items():
        assert numbers[key] == pytest.approx(value), key


# -- tables -----------------------------------------------------------------------------------------


@with_pools("way", written.ALL)
def test_labels_and_scores_in_a_table(way: str, pool: str, tmp_path: Path):
    one = drawn(pool, way)
    table = {"y_true": one.truth, "y_pred": one.pred, **written_by_tools.per_class(one, "p_{}")}
    check_scores(check_labels(read(put(table, tmp_path, way)), one), one)


@pytest.mark.parametrize("way", [way for way in written.ALL if way not in ("npz", "csv total")])
def test_rows_without_truth_or_prediction_are_not_scored(way: str, tmp_path: Path):
    one = drawn(str(chance(way).choice([*POOLS])), way)
    holes = chance(way).random((2, len(one.ids))) < 0.1
    columns = [
        [None if hole else label for hole, label in zip(line, labels, strict=True)]
        for line, labels in zip(holes, (one.truth, one.pred), strict=True)
    ]
    e = read(put({"id": one.ids, "y_true": columns[0], "y_pred": columns[1]}, tmp_path, way))
    whole = np.flatnonzero(~holes.any(axis=0))
    truth, pred = (tuple(labels[i] for i in whole) for labels in (one.truth, one.pred))
    check_labels(e, dataclasses.replace(one, truth=truth, pred=pred))
    assert (e.n_missing_truth, e.n_missing_pred) == tuple(holes.sum(axis=1))


@pytest.mark.parametrize("kind", [int, float, bool])
@pytest.mark.parametrize("way", [way for way in written.ALL if way.startswith(("json", "parquet", "xlsx", "npz"))])
def test_labels_that_are_numbers_or_truth_values(way: str, kind: type, tmp_path: Path):
    one = evaluations.single(chance(way, kind.__name__), ("0", "1"), 2)
    truth, pred = ([kind(int(name)) for name in names] for names in (one.truth, one.pred))
    e = read(put({"y_true": truth, "y_pred": pred}, tmp_path, way))
    plain = {"0.0": "0", "1.0": "1", "false": "0", "true": "1"}
    labels = tuple(plain.get(label.casefold(), label) for label in e.labels)
    check_labels(dataclasses.replace(e, labels=labels), one)


@with_pools("delimiter", [",", ";", "\t", "lines", "arrays"])
def test_labels_without_a_header(delimiter: str, pool: str, tmp_path: Path):
    one = drawn(pool, delimiter, without="#5")
    if len(delimiter) == 1:
        write = written.text_writer("preds.csv", delimiter=delimiter, header=False)
        check_labels(read(write({"": one.truth, " ": one.pred}, tmp_path)), one)
        return
    paths = [tmp_path / f"{name}.{'txt' if delimiter == 'lines' else 'npy'}" for name in ("predictions", "labels")]
    for path, names in zip(paths, (one.pred, one.truth), strict=True):
        if delimiter == "lines":
            path.write_text("".join(name + "\n" for name in names), encoding="utf-8")
        else:
            np.save(path, np.array(names), allow_pickle=False)
    check_labels(read(*paths), one)


def test_an_array_of_scores_beside_labels(tmp_path):
    one = evaluations.single(chance("array"), evaluations.WHOLE[:4], 4)
    one = dataclasses.replace(one, pred=one.best)
    np.save(tmp_path / "scores.npy", one.scores)
    np.save(tmp_path / "labels.npy", np.array(one.truth).astype(np.int64))
    check_scores(check_labels(read(tmp_path / "scores.npy", tmp_path / "labels.npy"), one), one)


@pytest.mark.parametrize("scale", ["fraction", "per cent", "sign", "logit"])
@pytest.mark.parametrize(
    "labels", [("0", "1"), ("ham", "spam"), ("False", "True"), ("-1", "1"), ("no", "yes"), ("a", "b")]
)
def test_one_score(scale: str, labels: tuple[str, str], tmp_path: Path):
    rng = chance(scale, *labels)
    one = evaluations.single(rng, labels, 2, parts=10**7)
    one, score = dataclasses.replace(one, pred=one.best), one.scores[:, one.labels.index(labels[1])]
    shown = {"fraction": score, "per cent": np.round(100 * score, 5), "logit": np.log(score / (1 - score))}
    values = [f"{s:.5%}" for s in score] if scale == "sign" else shown[scale].tolist()
    name = "score_pct" if scale == "per cent" else "y_score"
    path = put({"y_true": one.truth, name: values}, tmp_path, str(rng.choice([*written.ALL])))
    check_scores(check_labels(read(path, given=Given(positive=labels[1])), one), one)


# -- tools ------------------------------------------------------------------------------------------


@with_pools("tool", [*written_by_tools.LABELS, *written_by_tools.SCORED])
def test_what_a_tool_writes(tool: str, pool: str, tmp_path: Path):
    one = drawn(pool, tool, bare=tool == "matrix")
    numbers = check_labels(read(*(written_by_tools.LABELS | written_by_tools.SCORED)[tool](one, tmp_path)), one)
    if tool in written_by_tools.SCORED:
        check_scores(numbers, one)


@with_pools("tool", written_by_tools.CONFIDENT)
def test_scores_of_whichever_label_was_predicted(tool: str, pool: str, tmp_path: Path):
    one = drawn(pool, tool, without="?")
    if len(one.labels) == 2:
        one = dataclasses.replace(one, pred=one.best)
    poor = (tool, pool) == ("PyCaret", "numbers")  # its drawn labels agree by chance, so the columns are asked for
    given = Given(truth="KIND") if poor else None
    numbers = check_labels(read(*written_by_tools.CONFIDENT[tool](one, tmp_path), given=given), one)
    if len(one.labels) == 2:
        check_scores(numbers, one)


@with_pools("tool", written_by_tools.BEST)
def test_predictions_made_of_scores(tool: str, pool: str, tmp_path: Path):
    one = drawn(pool, tool, bare=True, parts=10**7)  # a softmax may tell equal scores apart
    one = dataclasses.replace(one, pred=one.best)
    check_scores(check_labels(read(*written_by_tools.BEST[tool](one, tmp_path)), one), one)


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("tool", written_by_tools.NUMBERED)
def test_tools_that_number_the_labels(tool: str, k: int, tmp_path: Path):
    one = evaluations.single(chance(tool, str(k)), evaluations.WHOLE[:k], k)
    e = read(*written_by_tools.NUMBERED[tool](one, tmp_path))
    labels = tuple(label.removesuffix(".0") for label in e.labels)
    check_scores(check_labels(dataclasses.replace(e, labels=labels), one), one)


# -- two files, several labels ----------------------------------------------------------------------


@with_pools("how", ["id", "same names", "two keys", "stems", "numbers", "row order"])
def test_predictions_and_labels_apart(how: str, pool: str, tmp_path: Path):
    one, rng = drawn(pool, how), chance(how, pool)
    ways = rng.choice(["csv", "parquet", "json lines", "xlsx", "csv utf-16"], size=2).tolist()
    tables = written_by_tools.apart(one, how, rng.permutation(len(one.ids)))
    paths = [put(table, tmp_path / str(i), way) for i, (table, way) in enumerate(zip(tables, ways, strict=True))]
    given = Given(key="clip,part") if how == "two keys" else None
    check_scores(check_labels(read(*paths, given=given), one), one)


@with_pools("way", [*written_sets.BOTH, *written_sets.SCORES])
def test_sets_of_labels(way: str, pool: str, tmp_path: Path):
    rng = chance(way, pool)
    names = tuple(name.strip() for name in POOLS[pool] if way != "comma" or "," not in name)
    one = evaluations.multi(rng, names, int(rng.integers(3, 6)))
    if way in written_sets.SCORES:
        one = dataclasses.replace(one, pred=one.scores >= 0.5)
    files = ["json lines", "json columns", "parquet"]
    files += [] if way == "lists" else ["csv", "xlsx", "tsv", "csv utf-16", "csv zst"]
    tables = (written_sets.BOTH | written_sets.SCORES)[way](one)
    check_sets(read(*(put(t, tmp_path / str(i), str(rng.choice(files))) for i, t in enumerate(tables))), one)
