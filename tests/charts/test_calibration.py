"""The pictures of calibration show the numbers of `metrics`, say what matters, and tell bins apart without colour."""

import html

import numpy as np
import pytest

from charts.calibration import (
    DRAWN_POINTS,
    confidence_figure,
    confidence_table,
    key_to_marks,
    reliability_diagram,
)
from metrics.findings.calibration import describe_clearest_gap
from metrics.scores.calibration import confidence_curve
from metrics.scores.curves import score_counts
from metrics.scores.reliability import reliability

BY = ("mass", "width")


def counts_of(n=1000, power=1.5, seed=0):
    rng = np.random.default_rng(seed)
    score = rng.random(n)
    return score_counts(rng.random(n) < score**power, score)


def title(fig) -> str:
    return html.unescape(fig.layout.title.text).replace("<br>", " ")


def marks(fig) -> dict[int, tuple[float, float, str]]:
    """Bin -> mean score, share and symbol of every mark."""
    return {
        told[0]: (x, y, symbol)
        for trace in fig.data
        if trace.type == "scatter" and trace.mode == "markers"
        for told, x, y, symbol in zip(trace.customdata, trace.x, trace.y, trace.marker.symbol, strict=True)
    }


def bars(fig):
    return [trace for trace in fig.data if trace.type == "bar"]


@pytest.mark.parametrize("by", BY)
def test_every_bin_is_a_mark_at_its_mean(by):
    found = reliability(counts_of(), by=by, bins=7)
    drawn = marks(reliability_diagram(found, by=by))
    assert sorted(drawn) == list(range(7))
    for i, (x, y, _) in drawn.items():
        assert (x, y) == (found.mean_score[i], found.positive_share[i])


def test_off_bins_are_diamonds_and_small_ones_hollow():
    score = np.concatenate([np.full(500, 0.15), np.full(500, 0.85), np.full(5, 0.55)])
    y_true = np.concatenate([np.arange(500) < 75, np.arange(500) < 200, np.arange(5) < 3])
    found = reliability(score_counts(y_true, score), by="width")
    symbols = {i: mark[2] for i, mark in marks(reliability_diagram(found, by="width")).items()}
    assert symbols == {1: "circle", 8: "diamond", 5: "circle-open"}
    assert all(word in key_to_marks("positive") for word in ("◆", "Hollow", "under 10 rows", "Wilson"))


@pytest.mark.parametrize("by", BY)
def test_bars_below_are_the_rows_of_bins(by):
    found = reliability(counts_of(), by=by)
    positive, negative = bars(reliability_diagram(found, by=by, share="right"))
    assert (np.asarray(positive.y) + np.asarray(negative.y)).tolist() == found.n.tolist()
    assert np.asarray(positive.y).tolist() == found.n_positive.tolist()
    assert (positive.name, negative.name) == ("right", "not right")
    assert positive.marker.pattern.shape != negative.marker.pattern.shape
    assert [told[0] for told in positive.customdata] == list(range(10))


def test_bars_of_equal_width_stand_at_their_scores():
    found = reliability(counts_of(), by="width", bins=4)
    assert list(bars(reliability_diagram(found, by="width"))[0].x) == [0.125, 0.375, 0.625, 0.875]


def test_equal_mass_bars_are_evenly_spaced():
    found = reliability(counts_of(), bins=10)
    axis = reliability_diagram(found, by="mass").layout.xaxis2
    assert axis.tickvals == pytest.approx(np.arange(11) / 10)
    assert [float(text) for text in axis.ticktext] == pytest.approx(found.edges.tolist(), abs=0.005)
    assert [text == "1" for text in axis.ticktext] == (found.edges == 1).tolist()
    assert len(reliability_diagram(reliability(counts_of(), bins=80), by="mass").layout.xaxis2.ticktext) <= 11
    small = score_counts(np.arange(400) % 3 == 0, np.arange(400) / 1e6)
    assert len(reliability_diagram(reliability(small, bins=10), by="mass").layout.xaxis2.ticktext) == 4, "long numbers"


def test_the_error_bars_end_at_the_interval():
    found = reliability(counts_of())
    low, high = found.interval(0.95)
    drawn = reliability_diagram(found, by="mass").data
    points = [trace for trace in drawn if trace.type == "scatter" and trace.mode == "markers" and len(trace.x)]
    assert points
    for trace in points:
        bins = [told[0] for told in trace.customdata]
        np.testing.assert_allclose(np.add(trace.y, trace.error_y.array), high[bins])
        np.testing.assert_allclose(np.subtract(trace.y, trace.error_y.arrayminus), low[bins])


def test_title_names_the_worst_bin_and_gap():
    found = reliability(score_counts(np.arange(1000) < 610, np.full(1000, 0.8)))
    assert title(reliability_diagram(found, by="mass", share="right")) == (
        "Of rows with scores around 80.0 %, 61.0 % are right: the scores are 19.0 points too high"
    )
    rare = reliability(score_counts(np.arange(10_000) < 20, np.full(10_000, 0.0004)))
    assert (
        describe_clearest_gap(rare, "positive")
        == "Of rows with scores around 0.04 %, 0.2 % are positive: the scores are 0.2 points too low"
    )
    assert (
        describe_clearest_gap(reliability(counts_of(power=1)), "right") == "No bin is off by more than chance explains"
    )


def test_scores_and_shares_are_per_cent():
    figure = reliability_diagram(reliability(score_counts(np.arange(1000) < 610, np.full(1000, 0.8))), by="mass")
    across, up = figure.layout.xaxis, figure.layout.yaxis
    assert across.ticktext == up.ticktext and all(text.endswith(" %") for text in across.ticktext)
    off = next(trace for trace in figure.data if "diamond" in (trace.marker.symbol or ()))
    assert off.customdata[0][4:] == ["80.0 %", "61.0 %", "57.9 to 64.0 %", "+19.0 points"]


def test_rare_positives_are_drawn_large():
    rng = np.random.default_rng(0)
    score = rng.random(5000) / 20
    low, high = reliability_diagram(
        reliability(score_counts(rng.random(5000) < score, score)), by="mass"
    ).layout.xaxis.range
    assert low <= 0 and 0.05 < high < 0.1
    assert reliability_diagram(reliability(counts_of()), by="mass").layout.yaxis.range == (-0.02, 1.02)


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize(("truth", "score"), [([True], [0.5]), ([False, False], [0.0, 1.0]), ([True, False], [1, 1])])
def test_very_few_rows_are_drawn(truth, score, by):
    found = reliability(score_counts(np.array(truth), np.array(score, float)), by=by)
    fig = reliability_diagram(found, by=by)
    assert len(marks(fig)) == (found.n > 0).sum()
    assert np.isfinite([*fig.layout.xaxis.range, *fig.layout.yaxis.range]).all()


def test_confidence_curve_is_whole_with_its_title():
    right = score_counts(np.arange(100) >= 20, np.arange(100) / 100)
    fig = confidence_figure(confidence_curve(right))
    assert title(fig) == "100.0 % of the most confident half are right, 80.0 % of all rows"
    line = next(trace for trace in fig.data if trace.name == "accuracy")
    assert len(line.x) == 100 and line.y[-1] == pytest.approx(0.8)
    assert confidence_table(confidence_curve(right))["share of rows"].iloc[-1] == 1


def test_a_thinned_confidence_curve_says_so():
    fig = confidence_figure(confidence_curve(counts_of(5000)))
    words = " ".join(html.unescape(note.text) for note in fig.layout.annotations)
    assert f"Drawn with {DRAWN_POINTS:,} of 5,000 points" in words


def test_title_counts_rows_of_the_most_common_confidence():
    right = score_counts(np.arange(10) < 6, np.array([0.9] * 8 + [0.4] * 2))
    assert title(confidence_figure(confidence_curve(right))).startswith("75.0 % of the most confident 80.0 % are right")


def test_bars_beside_a_dominant_one_have_log_axis():
    score = np.repeat([0.05, 0.5, 0.95], [9000, 40, 30])
    found = reliability(score_counts(np.arange(len(score)) % 3 == 0, score), bins=10, by="width")
    fig = reliability_diagram(found, by="width")
    assert fig.layout.yaxis2.type == "log" and fig.layout.yaxis2.title.text == "rows (log)"
    positive, negative = fig.data[-2:]
    assert (np.array(negative.x) > positive.x).all() and fig.layout.barmode == "overlay", "bars are not stacked"
