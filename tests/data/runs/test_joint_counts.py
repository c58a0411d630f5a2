"""Runs that an engine counts together are compared as their rows would be."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli import main
from data.comparison.aligned_runs import align_runs
from data.comparison.row_groups import clusters
from data.errors import DataError
from data.runs.draft import Given
from data.runs.own_folders.counting import read_source_models
from data.runs.own_folders.joining import read_joined_sources
from tests.data.runs.test_counted import LABELS, same, write

COLUMNS = ("pred_a", "pred_b", "pred_c")


def models(rng, n=700):
    """Rows with odd labels, gaps, a label that one model alone predicts, weights, clusters and a slice."""
    names = [*LABELS[:3], "[invalid]", "new", None]
    truth = rng.integers(0, 3, n)
    found = {"y_true": pa.array([names[i] for i in truth], mask=rng.random(n) < 0.03)}
    for place, column in enumerate(COLUMNS):
        wrong = rng.integers(0, 6 if place == 1 else 4, n)
        found[column] = [names[i] for i in np.where(rng.random(n) < 0.6 + 0.1 * place, truth, wrong)]
    return pa.table(found | {
        "doc": [f"d{i}" for i in rng.integers(0, 40, n)], "region": rng.choice(["eu", "us"], n),
        "times": rng.integers(0, 4, n), "row_id": np.arange(n),
    })  # fmt: skip


@pytest.fixture
def compare(capsys, read_here):
    def run(path, *options):
        assert main(["compare", str(path), "--preds", ",".join(COLUMNS), "--truth", "y_true", "--json", *options]) == 0
        return json.loads(capsys.readouterr().out)

    return run


@pytest.mark.parametrize(
    "options",
    [("--cluster", "none"), ("--cluster", "doc", "--filter", "region=eu"), ("--counts", "times", "--cluster", "none")],
    ids=["rows", "clusters and a filter", "weights"],
)
def test_joint_counts_equal_rows(tmp_path, engine, compare, options):
    source, whole = write(tmp_path, models(np.random.default_rng(5)))
    rows, counts = compare(whole, *options), compare(source, *options, "--engine", engine)
    assert (rows.pop("engine"), counts.pop("engine")) == ("memory", engine)
    assert sum("labels that no other run has" in said for said in counts["warnings"]) == 1
    same(counts, rows, near=1e-9)


def test_runs_counted_apart_are_refused(tmp_path):
    source, _ = write(tmp_path, models(np.random.default_rng(8), n=200))
    found = read_source_models(source, Given(truth="y_true"), COLUMNS[:2], engine="memory", slices=("region",))
    with pytest.raises(DataError, match="counted these runs apart"):
        align_runs(found, ["A", "B"])
    with pytest.raises(DataError, match="no column 'pred_x'"):
        read_source_models(source, Given(truth="y_true"), ("pred_a", "pred_x"), engine="memory")


def test_rows_without_a_cluster_are_not_guessed(tmp_path):
    table = pa.table({"y_true": ["a", "b"] * 30, "pred_a": ["a"] * 60, "pred_b": ["b"] * 60, "doc": ["x", None] * 30})
    pq.write_table(table, tmp_path / "rows.parquet")
    (found, _) = read_source_models(tmp_path / "rows.parquet", Given(), COLUMNS[:2], engine="memory", slices=("doc",))
    with pytest.raises(DataError, match="30 rows have no value of 'doc'"):
        clusters(found, "doc")


def write_two(folder, rng, kind):
    """Write two models' rows apart, with ids that repeat, lack, or have another truth, as folders and files."""
    table = models(rng, 500)
    ids = [None if i % 97 == 5 else i for i in range(500)]
    for name, column, low, high in (("old", "pred_a", 0, 450), ("new", "pred_b", 40, 500)):
        own = table.select(["y_true", column]).rename_columns(["y_true", "pred"]).append_column("id", pa.array(ids))
        if name == "new":
            truth = own.column("y_true").to_pylist()
            own = own.set_column(0, "y_true", pa.array(["it's" if i % 41 == 0 else t for i, t in enumerate(truth)]))
            own = own.set_column(2, "id", own.column("id").cast(kind))
        own = pa.concat_tables([own.slice(low, high - low), own.slice(100, 9), own.slice(120, 3).set_column(
            1, "pred", pa.array(["ä", "it's", None]))])  # fmt: skip
        own = own.take(rng.permutation(len(own)))
        days = np.array(["2026-07-01", "2026-07-02"], "datetime64[D]")[rng.integers(0, 2, len(own))]
        own = own.append_column("day", pa.array(days))
        (folder / name).mkdir()
        pq.write_table(own.slice(0, 200), folder / name / "0.parquet")
        pq.write_table(own.slice(200), folder / name / "1.parquet")
        pq.write_table(own, folder / f"{name}.parquet")
    return [[folder / f"{name}{end}" for name in ("old", "new")] for end in ("", ".parquet")]


def test_joint_counts_of_label_sets_equal_rows(tmp_path, engine, compare):
    rng = np.random.default_rng(6)
    sets = np.array(["a", "a;b", "b;c", "c", "", "a;b;c"])
    chosen = {name: sets[rng.integers(0, 6, 400)] for name in ("y_true", *COLUMNS)}
    source, whole = write(tmp_path, pa.table(chosen | {"doc": [f"d{i % 30}" for i in range(400)]}))
    rows, counts = compare(whole, "--cluster", "doc"), compare(source, "--cluster", "doc", "--engine", engine)
    assert rows["task"] == "multilabel" and counts.pop("engine") == engine
    same(counts | {"engine": "memory"}, rows, near=1e-9)


@pytest.mark.parametrize("kind", [pa.int64(), pa.string(), pa.float64(), pa.decimal128(24, 2)], ids=str)
def test_sources_join_as_their_rows_do(tmp_path, engine, capsys, read_here, kind):
    if engine == "spark" and kind != pa.string():
        pytest.skip("Spark's own tests join ids of other types")
    folders, files = write_two(tmp_path, np.random.default_rng(3), kind)

    def run(paths, *options):
        assert main(["compare", *map(str, paths), "--truth", "y_true", "--pred", "pred", "--json", *options]) == 0
        return json.loads(capsys.readouterr().out.replace(".parquet", ""))

    rows, counts = run(files, "--join", "id"), run(folders, "--engine", engine)
    assert (rows.pop("engine"), counts.pop("engine")) == ("memory", engine)
    assert rows["rows"]["repeated"] > 10 and rows["rows"]["truth_differs"] > 3 and rows["rows"]["only_in"]["new"] > 20
    said, asked = rows.pop("warnings"), counts.pop("warnings")
    assert [one.partition(": row ")[0].rstrip(".") for one in said] == [one.rstrip(".") for one in asked]
    same(counts, rows, near=1e-9)
    plain, by_day = (
        read_joined_sources(folders, Given(truth="y_true", pred="pred"), "id", engine=engine, slices=slices)[1]
        for slices in ((), ("day",))
    )
    assert plain.left_out > 0 and plain.rows.sum() == by_day.rows.sum()
    assert plain[2:] == by_day[2:], "rows of other days are not other answers"


def test_first_slice_of_an_id_counts(tmp_path, engine):
    ids, n = np.repeat(np.arange(200), 2), 400
    for name, seed in (("old", 0), ("new", 1)):
        table = pa.table(
            {"id": ids, "y_true": np.where(ids % 3 > 0, "a", "b"), "pred": ["a"] * n, "g": ["y", "x"] * 200}
        )
        (tmp_path / name).mkdir()
        pq.write_table(table.take(np.random.default_rng(seed).permutation(n)), tmp_path / name / "0.parquet")
    paths, given = [tmp_path / "old", tmp_path / "new"], Given(truth="y_true", pred="pred")
    counted, joined = read_joined_sources(paths, given, "id", engine=engine, slices=("g",))
    for one, places in zip(counted, joined.places, strict=True):
        assert set(one.rows.column("g").take(places).to_pylist()) == {"x"}
    assert joined.rows.sum() == 200 and joined.left_out == 0


def test_binary_counts_say_what_needs_rows(tmp_path, capsys, read_here):
    score = np.random.default_rng(2).random(200)
    truth, guess = np.where(score > 0.4, "yes", "no"), np.where(score > 0.6, "yes", "no")
    pq.write_table(pa.table({"y_true": truth, "a": guess, "b": truth, "yes_score": score}), tmp_path / "rows.parquet")
    options = ["--preds", "a,b", "--truth", "y_true", "--positive", "yes", "--json", "--engine", "memory"]
    assert main(["compare", str(tmp_path), *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pairs"][0]["delong"] is None and any("cannot be compared" in said for said in found["warnings"])


def test_sources_of_counts_are_not_joined_as_rows(tmp_path, capsys, read_here):
    for name in "ab":
        table = {"id": list(range(8)), "label": ["x", "y"] * 4, "predicted": ["x"] * 8, "n": [3] * 8}
        pq.write_table(pa.table(table), tmp_path / f"{name}.parquet")
    paths = [str(tmp_path / f"{name}.parquet") for name in "ab"]
    line = ["compare", *paths, "--truth", "label", "--pred", "predicted", "--join", "id", "--engine", "memory"]
    assert main([*line, "--counts", "n"]) != 0
    assert "'a.parquet' holds counts ('n'), and only single rows can be joined" in capsys.readouterr().err
    assert main([*line[:-3], "zz", *line[-2:]]) != 0
    assert "'a.parquet' has no column 'zz' to join on" in capsys.readouterr().err
