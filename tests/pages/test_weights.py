"""Every page of a file with weights says whether its numbers are weighted; a form chooses their column."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score, f1_score, recall_score, roc_auc_score

from data.runs import load
from export.measurement import measure
from tests.opened_pages import open_page, shown_frame, texts
from tests.opened_runs import keep_file, open_run
from ui.view.pages import PAGES

ROWS = "y_true,y_pred,answer weight\n" + "cat,cat,0.5\ndog,dog,2\ncat,dog,1.5\nbee,bee,0\n" * 3


@pytest.fixture(scope="module")
def runs(tmp_path_factory, _store):
    path = tmp_path_factory.mktemp("weights") / "a.csv"
    path.write_text(ROWS)
    return {
        "weighted": keep_file(path, load.Given(weights="answer weight")),
        "plain": keep_file(path),
    }


def captions(page, run, **view):
    shown = open_page(page, run=run, **view)
    assert not shown.exception
    return [caption.value for caption in shown.caption if ":material/balance:" in caption.value]


@pytest.mark.parametrize("page", ["overview", "classes", "confusion", "parsing"])
def test_page_says_if_its_numbers_are_weighted(page, runs):
    (said,) = captions(page, runs["weighted"])
    if PAGES[page].weights == "used":
        assert "Weighted by `answer weight`: weight 12 of 9 rows, as much as 7.4 rows of equal weight" in said
    else:
        assert said.endswith("Not weighted: every row counts once here, whatever its weight.")


def test_cell_says_its_rows_and_its_weight(runs):
    shown = open_page("confusion", run=runs["weighted"], true="cat", pred="dog")
    assert shown.title[0].value == "3 of 6 `cat` rows were predicted as `dog`"
    assert "Weight 4.5 of 6: 75.0\xa0% of the true class. No row was confused the other way." in texts(shown)
    whole = open_page("confusion", run=runs["weighted"])
    assert whole.title[0].value == "75.0\xa0% of `cat`, by weight, was predicted as `dog`"


def test_curves_of_all_classes_are_weighted(tmp_path):
    rng = np.random.default_rng(3)
    truth, scores, weights = rng.choice(["bee", "cat", "dog"], 90), rng.dirichlet([1, 1, 1], 90), rng.gamma(1, 1, 90)
    table = pd.DataFrame(scores, columns=["p_bee", "p_cat", "p_dog"]).assign(y_true=truth, weight=weights)
    table.to_csv(tmp_path / "scored.csv", index=False)
    run = keep_file(tmp_path / "scored.csv", load.Given(weights="weight"))
    shown = open_page("thresholds", run=run, tab="classes")
    frame = shown_frame(shown, "ROC AUC of 3 classes, the weakest first")
    areas = []
    for place, name in enumerate(["bee", "cat", "dog"]):
        given = truth == name, scores[:, place]
        areas.append(roc_auc_score(*given, sample_weight=weights))
        assert frame["ROC AUC"][name] == pytest.approx(areas[-1], rel=1e-5)
        precision = average_precision_score(*given, sample_weight=weights)
        assert frame["Average precision"][name] == pytest.approx(precision, rel=1e-5)
        assert frame["True rows"][name] == (truth == name).sum()
        low, high = map(float, frame["ROC AUC, 95 % interval"][name].replace("\u00a0", " ").split(" to "))
        assert low < areas[-1] < high
    assert f"Macro ROC AUC **{np.mean(areas):.3f}**" in texts(shown)
    assert any("Weighted by `weight`" in caption.value for caption in shown.caption)
    assert "Weighted by `weight`" in captions("thresholds", run, tab="choose", by="reject")[0]


def test_lab_counts_weights_at_its_threshold(tmp_path):
    rng = np.random.default_rng(4)
    truth, weights = rng.random(120) < 0.4, rng.gamma(1, 1, 120)
    score = np.round(np.clip(0.3 * truth + 0.7 * rng.random(120), 0, 1), 2)
    table = pd.DataFrame({"y_true": np.where(truth, "yes", "no"), "score": score, "weight": weights})
    table.to_csv(tmp_path / "binary.csv", index=False)
    run = keep_file(tmp_path / "binary.csv", load.Given(weights="weight"))
    shown, e = open_page("thresholds", run=run, t=0.4), open_run(run)
    parts = [json.loads(part.proto.json or "{}") for part in shown.get("bidi_component")]
    (sent,) = [data for data in parts if "within" in data]
    called = score >= 0.4
    assert sent["tp"] * e.unit == pytest.approx(weights[truth & called].sum())
    assert sent["fp"] * e.unit == pytest.approx(weights[~truth & called].sum())
    recall = measure(e).at_threshold(e.positive, 0.4)["recall"]
    assert recall.value == pytest.approx(recall_score(truth, called, sample_weight=weights))
    assert sent["within"]["now"]["recall"][0] == f"{recall.low:.3f} to {recall.high:.3f}"
    f1 = {t: f1_score(truth, score >= t, sample_weight=weights) for t in np.unique(score)}
    assert sent["best"]["t"] == max(f1, key=f1.get) and sent["best"]["value"] == pytest.approx(max(f1.values()))
    found = f"{weights[truth & called].sum():.0f} of {weights[truth].sum():.0f}"
    assert shown.title[0].value == f"At score ≥ 0.4 the model finds {found} `yes` rows, by weight"
    assert any("Weighted by `weight`" in caption.value for caption in shown.caption)


@pytest.mark.parametrize("several", [False, True])
def test_calibration_is_weighted(tmp_path, several):
    rng = np.random.default_rng(5)
    truth, weights = rng.choice(["bee", "cat", "dog"] if several else ["no", "yes"], 2_000), rng.gamma(1, 1, 2_000)
    scores = rng.dirichlet([1, 1, 1] if several else [1, 1], 2_000)
    names = ["p_bee", "p_cat", "p_dog"] if several else ["p_no", "p_yes"]
    table = pd.DataFrame(scores, columns=names).assign(y_true=truth, weight=weights)
    table.to_csv(tmp_path / "scored.csv", index=False)
    run = keep_file(tmp_path / "scored.csv", load.Given(weights="weight"))
    shown, found = open_page("thresholds", run=run, tab="calibration"), measure(open_run(run))
    (finding,) = (one for one in found.findings if one.code == "miscalibrated")
    assert shown.title[0].value in finding.text.replace(" %", "\xa0%")
    assert {metric.label: metric.value for metric in shown.metric}["ECE"] == f"{found.value('ece'):.3f}"
    assert any("Weighted by `weight`" in caption.value for caption in shown.caption)
    assert any("Bars: the weight of each bin." in caption.value for caption in shown.caption)
    frame = shown.dataframe[0].value
    assert frame["rows"].sum() == 2_000 and frame["weight"].sum() == pytest.approx(weights.sum())


def test_sheet_as_deployed_is_weighted(tmp_path):
    """Cat rows score 0.9 and 0.4, of weight 3 and 1; dog rows 0.6 and 0.1, of weight 2 and 4: 0.9 costs 1 of 10."""
    path = tmp_path / "d.csv"
    path.write_text("y_true,score,weight\ncat,0.9,3\ncat,0.4,1\ndog,0.6,2\ndog,0.1,4\n" * 5)
    run = keep_file(path, load.Given(weights="weight", positive="cat"))
    shown = open_page("thresholds", run=run, tab="choose", by="deployed")
    assert shown.title[0].value == "Score ≥ 0.9 costs 10 a day less than now"
    words = texts(shown) + " ".join(caption.value for caption in shown.caption)
    assert (
        "All numbers here are by the weights of rows. Unless its rows are given, a day has the total weight." in words
    )
    assert "Weighted by `weight`: weight 50 of 20 rows" in words and "Not weighted" not in words
    assert shown.number_input(key="choices.perday").placeholder == "50, as here"
    assert any("of 50 rows a day 15 (" in link.label for link in shown.get("page_link") or shown.button)


def test_rules_of_choose_are_weighted(tmp_path):
    """Yes rows have weights 3 and 1, no rows 2 and 4.5: at 0.6, 3 + 2 of 10.5 are predicted positive, five times."""
    path = tmp_path / "d.csv"
    path.write_text("y_true,score,weight\nyes,0.9,3\nyes,0.4,1\nno,0.6,2\nno,0.1,4.5\n" * 5)
    run = keep_file(path, load.Given(weights="weight", positive="yes"))
    shown = open_page("thresholds", run=run, tab="choose", by="capacity", cap="28")
    assert shown.title[0].value == "Score ≥ 0.6 finds 15 of 20 `yes` rows and predicts 10 `no` rows as `yes`, by weight"
    assert "**score ≥ 0.6**: it predicts **25**." in texts(shown) and "would add 5 rows at once" in texts(shown)
    table = shown_frame(shown, "What other rules choose")
    assert table["Predicted positive"]["In use"] == 25 and table["Predicted positive"]["Best F1"] == 15
    other = open_page("thresholds", run=run, tab="choose", by="capacity", cap="60")
    every = shown_frame(other, "What other rules choose")
    assert every["Predicted positive"].iloc[0] == 52  # of 52.5: one number of decimals in the column
    e = measure(open_run(run))
    low = e.at_threshold(e.evaluation.positive, 0.6)["precision"].low
    assert table["Precision, 95 % interval"]["In use"].startswith(f"{low:.3f}")
    (caption,) = captions("thresholds", run, tab="choose", by="capacity")
    assert "Weighted by `weight`" in caption and "Numbers of rows here are weights." in caption
    cost = open_page("thresholds", run=run, tab="choose", by="cost", cfn="3")
    assert "All 52 rows cost **10**" in texts(cost)  # at 0.4, no row of weight 2 five times


def test_thresholds_of_labels_are_weighted(tmp_path):
    rng = np.random.default_rng(5)
    truth, weights = rng.random((80, 2)) < (0.5, 0.3), rng.gamma(1, 1, 80).round(2)
    score = np.clip(0.3 * truth + 0.7 * rng.random((80, 2)), 0, 1).round(2)
    sets = [";".join(name for name, has in zip(("art", "bee"), row, strict=True) if has) for row in truth]
    table = pd.DataFrame({"labels": sets, "score_art": score[:, 0], "score_bee": score[:, 1], "weight": weights})
    table.to_csv(tmp_path / "sets.csv", index=False)
    given = load.Given(weights="weight", truth="labels", task="multilabel", scores=("score_art", "score_bee"))
    shown = open_page("thresholds", run=keep_file(tmp_path / "sets.csv", given), tab="classes")
    best = shown_frame(shown, "Every label's threshold")
    for place, name in enumerate(("art", "bee")):
        y, s = truth[:, place], score[:, place]
        f1 = {t: f1_score(y, s >= t, sample_weight=weights, zero_division=0) for t in np.unique(s)}
        assert best["F1 at its best"][name] == pytest.approx(max(f1.values()), rel=1e-5)
        assert f1_score(y, s >= best["Its best"][name], sample_weight=weights) == pytest.approx(max(f1.values()))
        assert best["F1 in use"][name] == pytest.approx(f1_score(y, s >= 0.5, sample_weight=weights), rel=1e-5)
        assert best["True weight"][name] == pytest.approx(weights[y].sum(), rel=1e-5)
        assert best["Predicted weight"][name] == pytest.approx(weights[s >= 0.5].sum(), rel=1e-5)
        area = shown_frame(shown, "ROC AUC of 2 labels, the weakest first")["ROC AUC"][name]
        assert area == pytest.approx(roc_auc_score(y, s, sample_weight=weights), rel=1e-5)
    assert any("Weighted by `weight`" in caption.value for caption in shown.caption)


def test_undecided_rows_are_weighted(tmp_path):
    """From 0.3 up to 0.7: weight 2 + 1.5 of 10.5 five times, 10 rows; one of weight 3 is wrong of the others."""
    path = tmp_path / "d.csv"
    path.write_text("y_true,score,weight\nno,0.9,3\nyes,0.4,1.5\nno,0.6,2\nno,0.1,4\n" * 5)
    run = keep_file(path, load.Given(weights="weight", positive="yes"))
    shown = open_page("thresholds", run=run, tab="choose", by="reject", low=0.3, t=0.7)
    words = texts(shown).replace("\xa0", " ")
    assert shown.title[0].value.replace("\xa0", " ") == (
        "With 18 of 52 rows undecided, 57.1 % of the others are right, not 57.1 %, by weight"
    )
    assert "are undecided: **18 rows**, of which 7.5 positive and 10 negative." in words
    assert "The 35 decided have 15 false positives and 0 false negatives." in words
    assert any("Show the 10 undecided rows" in link.label for link in (*shown.button, *shown.get("page_link")))


def test_times_are_weighted(tmp_path):
    """Half of the rows are yes in both times; the later ones weigh three times as much as the others there."""
    path = tmp_path / "t.csv"
    lines = "2026-01-0{i},yes,yes,1\n2026-01-0{i},no,no,1\n2026-03-0{i},yes,no,3\n2026-03-0{i},no,no,1\n"
    path.write_text("day,y_true,y_pred,weight\n" + "".join(lines.replace("{i}", str(i)) for i in range(1, 10)) * 5)
    run = keep_file(path, load.Given(weights="weight", positive="yes"))
    shown = open_page("slices", run=run, mode="time", column="day", since="2026-03-01")
    assert shown.title[0].value == "From `2026-03-01` on, 75.0\xa0% of the rows, by weight, are `yes`, 50.0\xa0% before"
    (said,) = (caption.value for caption in shown.caption if ":material/balance:" in caption.value)
    assert "Weighted by `weight`: weight 270 of 180 rows" in said
    (chart,) = shown.get("plotly_chart")
    assert chart.proto.alt.startswith("Accuracy is 100.0 % before 2026-03-01, 25.0 % from then on")


def test_page_without_weights_says_nothing_of_them(runs):
    assert captions("overview", runs["plain"]) == []


def test_title_of_overview_is_weighted(runs):
    assert "62.5\xa0%" in open_page("overview", run=runs["weighted"]).title[0].value
    assert "75.0\xa0%" in open_page("overview", run=runs["plain"]).title[0].value


def test_form_chooses_the_column_of_weights(runs):
    shown = open_page("overview", run=runs["plain"], reading="1")
    picker = next(one for one in shown.selectbox if one.label == "Weights of rows")
    assert picker.value == ""
    picker.select("answer weight")
    next(button for button in shown.button if button.label == "Apply").click().run()
    assert not shown.exception
    run = shown.query_params["run"]
    assert open_run(run if isinstance(run, str) else run[0]).settings.weights == "answer weight"


def test_cell_counts_no_row_of_weight_zero(tmp_path, runs):
    """Of two rows a read as b one weighs nothing: title, panel and matrix speak of the other."""
    path = tmp_path / "z.csv"
    path.write_text("y_true,y_pred,weight\na,b,0\na,b,1\na,a,2\nb,b,1\nb,a,1\n")
    shown = open_page("confusion", run=keep_file(path, load.Given(weights="weight")), true="a", pred="b")
    assert shown.title[0].value == "1 of 2 `a` rows was predicted as `b`"
    assert "Rows: true class `a`, predicted as `b`, of a weight above 0" in texts(shown)
