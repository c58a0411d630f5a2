"""A source of this server: listed on Open, counted by its button, its rows asked for from the matrix."""

import re
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import streamlit as st
from streamlit.testing.v1 import AppTest

from data.engines import score_bins
from data.runs import counted
from tests.opened_pages import new_tab, open_source, run_in_address, shown_frame
from tests.pages.test_links import follow
from text.numbers import percent
from text.visible import keep_together
from ui.open import sources
from ui.rows.duplicate_search import Search

ROOT = Path(__file__).resolve().parents[2]


def write_source(folder: Path) -> None:
    rng = np.random.default_rng(2)
    score = np.round(rng.random(900), 4)
    y = np.where(rng.random(900) < score, "fraud", "ok")
    (folder / "rows").mkdir()
    pq.write_table(pa.table({"label": y, "fraud_score": score, "row_id": np.arange(900)}), folder / "rows/0.parquet")
    database = '["Database"]\ndatabase = "x.duckdb"\ntable = "rows"\n'
    (folder / "sources.toml").write_text(
        f'["Card payments"]\nfolder = "rows"\n["Gone"]\nfolder = "gone `x`"\n{database}'
    )


def said(tab: AppTest) -> str:
    kinds = (tab.title, tab.header, tab.markdown, tab.caption, tab.error, tab.warning, tab.info)
    return " ".join(str(one.value) for kind in kinds for one in kind)


def test_source_opens_by_its_button(tmp_path, monkeypatch):
    write_source(tmp_path)
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(tmp_path / "sources.toml"))
    monkeypatch.setattr(counted, "MAX_COUNT_LINES", 400)  # fewer than there are scores: they are grouped into bins
    monkeypatch.setattr(score_bins, "_BITS", (6,))
    st.cache_data.clear()
    tab = new_tab().run()
    text = said(tab)
    assert "On this server" in text and "900 rows · 3 columns · 1 file · last change" in text
    assert "A table of a DuckDB database, which is read once you open it" in text, (
        "no page opens a database to be drawn"
    )
    gone = "The source 'Gone' cannot be opened. 'gone `x`' is not there: check the path, or that the disk is mounted."
    assert gone in [one.value for one in tab.text] and str(tmp_path) not in text
    tab.button(key="source.1").click().run()
    assert [one.value for one in tab.text].count(gone) == 2, "tried again, and the reason is said"
    shutil.copytree(tmp_path / "rows", tmp_path / "gone `x`")
    tab.run()
    assert said(tab).count("900 rows · 3 columns · 1 file") == 2
    tab.button(key="source.0").click().run()
    assert not tab.exception
    run = run_in_address(tab)
    assert "Source on this server, kept until" in said(tab) and "900 rows · 2 classes" in said(tab)
    follow(tab, "slices", run=run)
    assert "no column of few values to slice by" in said(tab), "scores and counts are no slices"
    follow(tab, "export", run=run)
    assert "the rows stay in the source on this server" in said(tab)
    follow(tab, "rows", run=run, only="errors")
    assert {"Wrong rows", "Right rows"} <= {one for box in tab.selectbox for one in box.options}
    wrong = tab.dataframe[0].value
    assert ((wrong["fraud_score"] >= 0.5) != (wrong["label"] == "fraud")).all()
    follow(tab, "rows", run=run, true="fraud", pred="ok")
    assert not tab.exception
    n = int(tab.title[0].value.split()[0].replace(",", ""))
    [frame] = tab.dataframe
    assert len(frame.value) == min(n, 200) and set(frame.value["label"]) == {"fraud"}
    assert (frame.value["fraud_score"] < 0.5).all() and f"of {n:,}, asked of the source" in said(tab)
    (tmp_path / "rows/0.parquet").unlink()
    follow(tab, "rows", run=run, true="ok", pred="fraud")
    assert "cannot be opened" in said(tab) and not tab.exception
    for page in ("overview", "thresholds", "confusion", "classes"):
        follow(tab, page, run=run)
        assert not tab.exception, page
    follow(tab, "thresholds", run=run, tab="calibration")
    assert re.search(r"ECE is exact to ± 0\.0\d+ and MCE to ± 0\.0\d+; Brier score to ±", said(tab))


def test_progress_left_over_ends_no_later_count(monkeypatch):
    drawn, first, second = [], Search(lambda report: None), Search(lambda report: None)
    monkeypatch.setattr(sources, "progress_bar", lambda find, what, cancel, **_: drawn.append((find, cancel)))
    monkeypatch.setattr(Search, "ask", lambda self, seconds=0.0: False)
    monkeypatch.setattr(sources.st, "session_state", {"sources.opening": ("a", first)})
    sources._wait("a", first)
    [(find, cancel)] = drawn
    assert find() is first
    sources.st.session_state["sources.opening"] = ("b", second)
    assert find() is None, "it belongs to another source now"
    cancel()
    assert sources.st.session_state["sources.opening"] == ("b", second)


def write_models(folder: Path) -> pa.Table:
    """Write a source of two models of three classes with a region and days, and return its rows."""
    rng, names = np.random.default_rng(4), np.array(["cancel", "refund", "upgrade"])
    truth = rng.integers(0, 3, 900)
    table = pa.table({
        "label": names[truth],
        **{f"pred_{one}": names[np.where(rng.random(900) < share, truth, rng.integers(0, 3, 900))]
           for one, share in (("a", 0.6), ("b", 0.8))},
        "region": rng.choice(["eu", "us"], 900), "day": [f"2026-0{1 + i % 6}-1{i % 7}" for i in range(900)],
        "row_id": np.arange(900),
    })  # fmt: skip
    (folder / "rows").mkdir()
    pq.write_table(table, folder / "rows/0.parquet")
    (folder / "sources.toml").write_text('["Intents"]\nfolder = "rows"\ntruth = "label"\npred = "pred_a"\n')
    return table


def press(tab: AppTest, key: str) -> str:
    """Press a button, and wait until the source is counted; returns the run in view."""
    tab.button(key=key).click().run()
    while "source.split" in tab.session_state:
        tab.run()
    assert not tab.exception
    return run_in_address(tab)


def test_source_is_counted_by_more_columns(tmp_path, monkeypatch):
    rows = write_models(tmp_path).to_pandas()
    tab, run = open_source(monkeypatch, tmp_path)
    follow(tab, "compare", run=run)
    assert "This source holds another model:" in said(tab)
    run = press(tab, "compare.column.0")
    a, b = ((rows[f"pred_{one}"] == rows["label"]) for one in "ab")
    better = f"`pred_b` is better: accuracy {percent(a.mean())} → {percent(b.mean())}"
    assert tab.title[0].value == keep_together(better)
    assert f"{(a & ~b).sum()} rows right in A, wrong in B" in said(tab)
    [shown] = [one.value for one in tab.dataframe if "row_id" in one.value.columns]
    assert sorted(shown["row_id"]) == np.flatnonzero(a & ~b).tolist(), "the rows are asked of the source"
    follow(tab, "slices", run=run)
    assert "The counts of this source are split by no column" in said(tab)
    names = [one.label for one in tab.button if (one.key or "").startswith("slices.split.")]
    assert names == ["Split by `region`", "Split by `day`"]
    follow(tab, "slices", run=run, mode="files", **{"with": "run.digits"})
    assert "Another file: it cannot be compared" in said(tab), "their labels differ; no column is needed for it"
    follow(tab, "slices", run=run)
    run = press(tab, "slices.split.1")
    assert len({one.label for one in tab.button} & {"Split by `region`"}) == 1
    run = press(tab, "slices.split.0")
    follow(tab, "slices", run=run, mode="time", column="day")
    assert "no column of dates" not in tab.title[0].value
    follow(tab, "compare", run=run, filter="region=eu", **{"with": "pred.pred_b"})
    eu = rows["region"] == "eu"
    shares = f"accuracy {percent(a[eu].mean())} → {percent(b[eu].mean())}"
    assert keep_together(shares) in tab.title[0].value
    [shown] = [one.value for one in tab.dataframe if "row_id" in one.value.columns]
    assert sorted(shown["row_id"]) == np.flatnonzero(a & ~b & eu).tolist()
    follow(tab, "overview", run=run, reading="1")
    [box] = [one for one in tab.selectbox if (one.key or "").startswith("source.column.pred")]
    assert box.value == "pred_a"
    box.set_value("pred_b").run()
    other = press(tab, "source.columns")
    assert f"{100 * b.mean():.1f}\u00a0%" in tab.title[0].value and other != run
    follow(tab, "compare", run=other)
    assert "This source holds another model:" in said(tab), "pred_a is now the other one"
    (tmp_path / "rows/0.parquet").unlink()
    follow(tab, "compare", run=run, **{"with": "pred.pred_b"})
    assert "cannot be opened" in said(tab) and tab.title[0].value.startswith("`pred_b` is better")
    st.cache_resource.clear()
    follow(tab, "compare", run=run)
    assert any("cannot be opened" in one.value for one in tab.text) and "has no other column" not in said(tab)


def test_source_of_label_sets_works_on_every_page(tmp_path, monkeypatch):
    rng, labels = np.random.default_rng(5), ["it's", "music", "war"]
    truth, pred = ([[one for one in labels if rng.random() < share] for _ in range(600)] for share in (0.4, 0.3))
    table = pa.table({
        "labels": truth, "predicted": pred, "region": rng.choice(["eu", "us"], 600), "row_id": np.arange(600),
        **{f"prob_{one}": np.round(rng.random(600), 2) for one in labels},
    })  # fmt: skip
    (tmp_path / "rows").mkdir()
    pq.write_table(table, tmp_path / "rows/0.parquet")
    (tmp_path / "sources.toml").write_text('["Topics"]\nfolder = "rows"\n')
    tab, run = open_source(monkeypatch, tmp_path)
    exact = sum(one == other for one, other in zip(truth, pred, strict=True))
    assert "600 rows · 3 labels · multi-label" in said(tab) and f"{exact / 6:.1f}\u00a0% of rows" in tab.title[0].value
    follow(tab, "thresholds", run=run, t="0.5")
    assert tab.title[0].value == "The scores of 3 labels were not counted yet"
    run = press(tab, "source.classes")
    follow(tab, "thresholds", run=run, t="0.3", side="fp", **{"class": "war"})
    found = table["prob_war"].to_numpy() >= 0.3
    true = np.array(["war" in each for each in truth])
    assert f"finds {(found & true).sum()} of {true.sum()} `war` rows" in tab.title[0].value
    assert list(tab.dataframe[0].value["row_id"]) == np.flatnonzero(found & ~true)[:200].tolist()
    for step in ("choose", "calibration", "classes"):
        follow(tab, "thresholds", run=run, tab=step, **{"class": "it's"})
    assert "A threshold for each label gives macro F1" in said(tab)
    best = shown_frame(tab, "Every label's threshold")
    assert list(best.index) == labels and (best["F1 at its best"] >= best.iloc[:, -1]).all()
    missed = [i for i in range(600) if "war" in truth[i] and "war" not in pred[i]]
    follow(tab, "rows", run=run, true="war", only="fn")
    assert tab.title[0].value.startswith(f"{len(missed)} rows") and not tab.exception
    [frame] = tab.dataframe
    assert list(frame.value["row_id"]) == missed[:200] and frame.value["labels"][0] == " | ".join(truth[missed[0]])
    assert set(frame.value["predicted"]) >= {"(none)"}
    follow(tab, "slices", run=run)
    run = press(tab, "slices.split.0")
    follow(tab, "thresholds", run=run, filter="region=eu")
    assert "Remove the filter to see their curves" in said(tab)
    for page in ("overview", "confusion", "classes", "slices", "compare", "export", "glossary", "choose"):
        follow(tab, page, run=run, **({"column": "region"} if page == "slices" else {}))
        assert not tab.exception, page


def test_thresholds_of_a_source_change_every_page(tmp_path, monkeypatch):
    rng, labels = np.random.default_rng(5), ["music", "war", "love", "rare"]  # no row is rare
    truth = {f"true_{one}": (rng.random(600) < (0 if one == "rare" else 0.3)).astype(int) for one in labels}
    score = {f"prob_{one}": np.round(rng.random(600) + 0.3 * truth[f"true_{one}"], 1) / 1.3 for one in labels}
    (tmp_path / "rows").mkdir()
    pq.write_table(pa.table(truth | score), tmp_path / "rows/0.parquet")
    (tmp_path / "sources.toml").write_text('["Topics"]\nfolder = "rows"\nthreshold = 0.9\n')
    tab, run = open_source(monkeypatch, tmp_path)
    follow(tab, "thresholds", run=run)
    run = press(tab, "source.classes")
    follow(tab, "thresholds", run=run, tab="classes")
    assert not tab.button(key="source.thresholds.0.5 for all").disabled and "score is at least **0.9**" in said(tab)
    assert "Macro F1 on these rows: **" in said(tab)
    run = press(tab, "source.thresholds.the best for each label")
    follow(tab, "thresholds", run=run, tab="classes")
    assert tab.button(key="source.thresholds.the best for each label").disabled and not tab.exception
    best = dict(shown_frame(tab, "Every label's threshold")["Its best threshold"])
    assert best.pop("rare") == "undefined"
    exact = np.all([(score[f"prob_{one}"] >= best.get(one, 0.9)) == truth[f"true_{one}"] for one in labels], axis=0)
    follow(tab, "overview", run=run)
    assert f"{exact.mean():.1%}".replace("%", "\u00a0%") in tab.title[0].value
