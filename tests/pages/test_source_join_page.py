"""Two sources of this server are compared: chosen on the page, joined by ids, and shared as one link."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.metrics import roc_auc_score
from streamlit.testing.v1 import AppTest

from tests.data.runs.test_score_runs import scores
from tests.opened_pages import open_source
from tests.pages.test_links import follow
from tests.pages.test_sources_page import press, said
from text.numbers import percent
from text.visible import keep_together

ENTRY = '["{0}"]\nfolder = "{0}"\ntruth = "label"\npred = "pred"\n'


def write_sources(folder: Path) -> dict[str, pa.Table]:
    """Write two models' rows apart, with ids of one only, and return them."""
    rng, names = np.random.default_rng(4), np.array(["cancel", "refund", "upgrade"])
    truth, found = rng.integers(0, 3, 600), {}
    for model, share, first in (("old", 0.6, 0), ("new", 0.8, 50)):
        found[model] = pa.table({
            "label": names[truth], "pred": names[np.where(rng.random(600) < share, truth, rng.integers(0, 3, 600))],
            "region": np.where(np.arange(600) % 2, "eu", "us"), "row_id": np.arange(600),
        }).slice(first, 550)  # fmt: skip
        (folder / model).mkdir()
        pq.write_table(found[model], folder / model / "0.parquet")
    entries = ENTRY.format("old") + 'slices = ["region"]\n' + ENTRY.format("new")
    (folder / "sources.toml").write_text(entries + ENTRY.format("hidden") + 'for = "domain:example.org"\n')
    return found


def open_first(monkeypatch, folder: Path) -> tuple[AppTest, str]:
    return open_source(monkeypatch, folder)


def test_two_sources_are_joined_and_compared(tmp_path, monkeypatch):
    found = write_sources(tmp_path)
    both = found["old"].join(found["new"], "row_id", right_suffix="_b", join_type="inner").to_pandas()
    tab, run = open_first(monkeypatch, tmp_path)
    follow(tab, "compare", run=run)
    [box] = [one for one in tab.selectbox if one.key == "compare.source"]
    assert box.options == ["new"], "neither the source in view, nor one that does not open for this person"
    box.set_value("new").run()
    [key] = [one for one in tab.selectbox if one.key == "compare.source.key"]
    assert key.options[:2] == ["automatic", "row_id"]
    joined = press(tab, "compare.source.add")
    right = {one: (both[column] == both["label"]) for one, column in (("a", "pred"), ("b", "pred_b"))}
    title = tab.title[0].value
    assert title.startswith(
        "`new` is better"
    ) and "500 rows joined by id · 50 only in `old` · 50 only in `new`" in said(tab)
    assert keep_together(f"accuracy {percent(right['a'].mean())} → {percent(right['b'].mean())}") in title
    eu = both["region"] == "eu"
    view = {"with": "pred.predicted (new)"}
    assert "To see which rows changed, write the predictions of both models into one folder" in said(tab)
    assert not [one for one in tab.button if (one.key or "").startswith("slices.split.")]
    follow(tab, "compare", run=joined, filter="region=eu", **view)
    shares = [percent(right[run][eu].mean()) for run in "ab"]
    assert keep_together(f"accuracy {shares[0]} → {shares[1]}") in tab.title[0].value
    for page in ("overview", "confusion", "classes", "rows", "slices", "export"):
        follow(tab, page, run=joined)
        assert not tab.exception, page
    (tmp_path / "new/0.parquet").unlink()
    follow(tab, "compare", run=joined, **view)
    assert tab.title[0].value == title, "the numbers stay"


def test_scores_of_a_source_are_compared(tmp_path, monkeypatch):
    found = scores(np.random.default_rng(5), 900)
    (tmp_path / "rows").mkdir()
    pq.write_table(found.append_column("row_id", pa.array(np.arange(900))), tmp_path / "rows/0.parquet")
    entry = '["Cards"]\nfolder = "rows"\ntruth = "label"\nscore = "score_a"\npositive = "yes"\nslices = ["region"]\n'
    (tmp_path / "sources.toml").write_text(entry + ENTRY.format("other"))
    tab, run = open_first(monkeypatch, tmp_path)
    rows = found.to_pandas().dropna(subset=["score_a", "score_b"])
    area = [roc_auc_score(rows["label"] == "yes", rows[name]) for name in ("score_a", "score_b")]
    follow(tab, "compare", run=run)
    assert [one.label for one in tab.button if one.key == "compare.column.0"] == ["Compare with the scores `score_b`"]
    assert not [one for one in tab.selectbox if one.key == "compare.source"]
    assert any("this source has scores only: add a column" in one.value for one in tab.text)
    joined = press(tab, "compare.column.0")
    assert tab.query_params["with"] in ("score.score_b", ["score.score_b"])
    follow(tab, "compare", run=joined, metric="roc_auc", **{"with": "score.score_b"})
    drawn = [json.loads(one.proto.spec)["layout"]["title"]["text"] for one in tab.get("plotly_chart")]
    assert any(f"ROC AUC {area[0]:.3f} → {area[1]:.3f}" in one for one in drawn) and not tab.exception
    assert "Each at its own threshold, recall of" in said(tab)
    is_yes, kept = found.to_pandas()["label"] == "yes", found.to_pandas()[["score_a", "score_b"]].notna().all(axis=1)
    right_a, right_b = ((found.to_pandas()[name] >= 0.5) == is_yes for name in ("score_a", "score_b"))
    [shown] = [one.value for one in tab.dataframe if "row_id" in one.value.columns]
    assert sorted(shown["row_id"]) == np.flatnonzero(kept & right_a & ~right_b).tolist()
    follow(tab, "compare", run=joined, at="recall", filter="region=eu", **{"with": "score.score_b"})
    assert "At equal recall of" in said(tab) and not tab.exception
    for page in ("thresholds", "slices"):
        follow(tab, page, run=joined)
        assert not tab.exception, page
    assert not [one for one in tab.selectbox if any("highest" in option for option in one.options)]
