"""Scores of several models that an engine counts together are compared as those of the rows are, or within a bound."""

import dataclasses
import json

import numpy as np
import pyarrow as pa
import pytest

from cli import main
from data.columns.counted_metadata import Counted
from data.engines.query import AtLeast
from data.runs.score_runs import counting
from data.runs.score_runs.row_keys import find_score_keys
from data.runs.source_counts import read_source_draft
from data.runs.sources import find_source
from data.runs.understanding import open_draft, open_with_table
from data.sharing.redaction import redact_draft
from tests.data.runs.test_counted import same, write


def scores(rng, n=1500):
    """Two models' scores with ties, gaps and NaN, and a column of clusters and one of groups."""
    y = rng.random(n) < 0.3
    found = {"label": np.where(y, "yes", "no")}
    for name, gap in (("score_a", 1.5), ("score_b", 2)):
        score = np.round(1 / (1 + np.exp(-(rng.normal(size=n) + gap * y - 1))), 3)
        score[rng.random(n) < 0.01] = np.nan
        found[name] = pa.array(score, mask=rng.random(n) < 0.02)
    return pa.table(found | {"box": [f"d{i % 90}" for i in range(n)], "region": rng.choice(["eu", "us"], n)})


def test_columns_named_like_the_score_are_offered():
    share = [0.1, 0.25, 0.9]
    table = pa.table({"risk_a": share, "risk_b": share, "risk_eur": [1.5, 20.25, 3], "age": share, "p_yes": share})
    assert counting.list_score_columns(table, ["risk_a"], "risk_a") == ["risk_b", "p_yes"]
    assert counting.list_score_columns(table, ["risk_a"]) == ["p_yes"]


@pytest.fixture
def compare(capsys, read_here):
    def run(path, *options):
        named = ["--scores", "score_a,score_b", "--positive", "yes", "--truth", "label", "--json"]
        assert main(["compare", str(path), *named, *options]) == 0
        return json.loads(capsys.readouterr().out)

    return run


@pytest.mark.parametrize(
    "options",
    [("--threshold", "0.3"), ("--cluster", "box", "--filter", "region=eu")],
    ids=["rows", "clusters, filter"],
)
def test_scores_counted_together_equal_rows(tmp_path, engine, compare, options):
    source, whole = write(tmp_path, scores(np.random.default_rng(5)))
    rows, counts = compare(whole, *options), compare(source, *options, "--engine", engine)
    assert (rows.pop("engine"), counts.pop("engine")) == ("memory", engine)
    assert rows["pairs"][0]["delong"]["p"] < 0.01 and "brier" in rows["models"][0]
    same(counts, rows, near=1e-9)


def test_scores_in_bins_lie_within_their_bound(tmp_path, engine, compare, monkeypatch):
    source, whole = write(tmp_path, scores(np.random.default_rng(6)))
    monkeypatch.setattr(counting, "MAX_COUNT_LINES", 900)
    rows, counts = compare(whole), compare(source, "--engine", engine)
    assert "The scores were grouped into bins" in counts["warnings"][-1]
    for own, exact in zip(counts["models"], rows["models"], strict=True):
        for name in ("roc_auc", "average_precision", "log_loss", "brier"):
            assert 1e-4 < own[name]["score_error_bound"] < 0.1
            assert abs(own[name]["value"] - exact[name]["value"]) <= own[name]["score_error_bound"], name
        assert own["accuracy"] == exact["accuracy"], "no bin crosses the threshold"
    [own], [exact] = ([pair["differences"]["roc_auc"] for pair in found["pairs"]] for found in (counts, rows))
    assert own["low"] < exact["low"] < exact["high"] < own["high"] and "wider" in own["method"]
    assert own["se"] == pytest.approx(exact["se"], rel=0.02)
    [test] = [pair["delong"] for pair in counts["pairs"]]
    assert own["p"] > exact["p"] and all(test[name] == own[name] for name in ("low", "high", "p"))


def test_columns_that_hold_no_scores_are_refused(tmp_path, capsys, compare):
    source, _ = write(tmp_path, scores(np.random.default_rng(7), 200))
    named = ["--positive", "yes", "--truth", "label", "--engine", "memory"]
    for columns, said in (
        ("score_a,region", "holds text: write the scores as numbers"), ("score_a,nowhere", "no column 'nowhere'"),
        ("score_*,x_*", "An engine compares one score of each model"),
    ):  # fmt: skip
        assert main(["compare", str(source), "--scores", columns, *named]) == 2
        assert said in capsys.readouterr().err


def test_threshold_tells_rows_of_two_scores():
    low, high = np.divmod(np.arange(400), 20)
    table = pa.table({"a": low / 20, "b": np.where(high == 19, np.nan, high / 20)})
    counted = Counted(None, "0", "memory", 400, 1, "rows", "a", columns={"a": "a", "b": "raw b"}, more_scores={"b": ""})
    group = np.arange(400) % 2
    chosen = np.flatnonzero(np.where(group == 1, (low >= 8) & (high < 12), (low < 8) & (high >= 12) & (high < 19)))
    found = find_score_keys(table, counted, chosen, group, None)
    assert found["b"][0] == AtLeast("raw b", 0.6, ("raw b",)) and found["b"][1].null_count == 20
    assert find_score_keys(table, counted, np.flatnonzero(low >= 8), group, 0.5) == {}, "no score of b was asked for"


def test_scores_counted_together_have_one_order(tmp_path, own_store, monkeypatch):
    write(tmp_path, scores(np.random.default_rng(9), 300))
    (tmp_path / "list.toml").write_text('["Cards"]\nfolder = "source"\ntruth = "label"\nscore = "score_a"\n')
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(tmp_path / "list.toml"))
    source, ask = dataclasses.replace(find_source("Cards"), more_scores=("score_b",)), counting._count
    drafts = [read_source_draft(source, lambda share: None)[0]]
    monkeypatch.setattr(counting, "_count", lambda *asked: (found := ask(*asked)).take(np.arange(len(found))[::-1]))
    again = dataclasses.replace(source, memory_bytes=2 * source.memory_bytes)  # counts that are kept are not asked
    drafts.append(read_source_draft(again, lambda share: None)[0])
    one, two = (open_draft(draft).rows for draft in drafts)
    assert one.num_columns > 3 and one.equals(two)


@pytest.mark.parametrize("hidden", ["score_b", "score_b (highest)"])
def test_hidden_scores_hide_both_ends(tmp_path, own_store, monkeypatch, hidden):
    write(tmp_path, scores(np.random.default_rng(8), 400))
    (tmp_path / "list.toml").write_text('["Cards"]\nfolder = "source"\ntruth = "label"\nscore = "score_a"\n')
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(tmp_path / "list.toml"))
    monkeypatch.setattr(counting, "MAX_COUNT_LINES", 350)
    source = dataclasses.replace(find_source("Cards"), more_scores=("score_b",))
    draft, _ = read_source_draft(source, lambda share: None)
    shared = redact_draft(draft, *open_with_table(draft), hide=[hidden])
    assert not [name for name in open_draft(shared).rows.column_names if name.startswith("score_b")]
