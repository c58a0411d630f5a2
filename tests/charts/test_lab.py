"""The lab's payload: exact counts, nothing that JSON cannot hold, and small whatever the rows."""

import json

import numpy as np
import pytest
from sklearn import metrics as sk
from streamlit.components.v2.bidi_component.serialization import serialize_mixed_data
from streamlit.proto.BidiComponent_pb2 import BidiComponent

from charts import lab
from metrics.scores.curves import score_counts
from metrics.scores.intervals import auc_interval, pr_band, roc_band
from metrics.thresholds.slider_stops import Stops, near, stops
from metrics.thresholds.threshold_metrics import rates_at


def rows(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    y_true = random.random(n) < 0.2
    return y_true, 1 / (1 + np.exp(-random.normal(size=n) - 1.5 * y_true))


def sent(data: dict) -> int:
    """Bytes of a mount as Streamlit sends it."""
    proto = BidiComponent()
    serialize_mixed_data(data, proto)
    return len(proto.SerializeToString())


def test_single_score_is_not_called_several():
    counts = score_counts(np.array([True, False]), np.array([0.5, 0.5]))
    assert "go through the only score there is." in lab.curves(counts, stops(counts), id="one", name="a")["note"]


def test_million_scores_take_under_200_kilobytes():
    counts = score_counts(*rows(1_000_000))
    assert len(counts.score) > 990_000
    assert sent(lab.curves(counts, stops(counts), id="x", name="spam")) < 200_000
    assert sent({"near": lab.frame(near(counts, 0.5))}) < 6_000, "what a release sends"


def test_every_stop_has_scikit_learns_counts():
    y_true, y_score = rows(300)
    counts = score_counts(y_true, y_score)
    made = lab.curves(counts, stops(counts), id="x", name="spam")
    fpr, tpr, thresholds = sk.roc_curve(y_true, y_score, drop_intermediate=False)
    assert made["stops"]["score"].tolist() == thresholds[1:].tolist()
    np.testing.assert_allclose(made["stops"]["tp"] / made["n_pos"], tpr[1:])
    np.testing.assert_allclose(made["stops"]["fp"] / made["n_neg"], fpr[1:])
    assert sum(made["positives"]) == y_true.sum() and sum(made["negatives"]) == (~y_true).sum()


@pytest.mark.parametrize(("n", "kind"), [(2**32 - 1, np.uint32), (2**32, np.float64)])
def test_counts_that_leave_four_bytes_become_doubles(n, kind):
    frame = lab.frame(Stops(np.array([0.5]), np.array([n - 5]), np.array([5]), 1))
    assert frame["tp"].dtype == frame["fp"].dtype == kind and frame["tp"][0] == n - 5


@pytest.mark.parametrize("threshold", [0.5, 0.0, 1.0, np.inf, -np.inf])
def test_threshold_goes_with_exact_counts_as_json(threshold):
    counts = score_counts(*rows(300))
    made = lab.threshold_counts(counts, threshold)
    now = rates_at(counts, threshold)
    assert (made["tp"], made["fp"]) == (now.tp, now.fp)
    assert float(json.loads(json.dumps(made, allow_nan=False))["t"]) == threshold


def test_no_threshold_is_none():
    assert lab.threshold_counts(score_counts(*rows(30)), float("nan")) is None


def test_the_titles_name_the_areas_and_the_interval():
    y_true, y_score = rows(300)
    counts = score_counts(y_true, y_score)
    made = lab.curves(counts, stops(counts), id="x", name="spam")
    interval = auc_interval(counts)
    assert made["titles"]["roc"].startswith(f"ROC AUC {sk.roc_auc_score(y_true, y_score):.3f} ({interval.low:.3f} to ")
    assert f"{sk.average_precision_score(y_true, y_score):.3f}" in made["titles"]["pr"]
    assert "DeLong" in made["note"] and "all 300 distinct scores" in made["note"]


def test_thinned_curve_says_how_many_points():
    counts = score_counts(*rows(50_000))
    made = lab.curves(counts, stops(counts), id="x", name="spam")
    assert f"{len(made['stops']):,} of {len(counts.score):,} distinct scores" in made["note"]


def test_areas_are_undefined_without_both_classes():
    counts = score_counts(np.array([False, False]), np.array([0.2, 0.4]))
    made = lab.curves(counts, stops(counts), id="x", name="spam")
    assert made["titles"] == {"roc": "ROC AUC is undefined", "pr": "Average precision is undefined"}
    json.dumps({key: value for key, value in made.items() if key != "stops"}, allow_nan=False)


def test_bands_write_undefined_as_null():
    counts = score_counts(*rows(60))
    roc, pr = roc_band(counts, replicates=20), pr_band(counts, replicates=20)
    made = lab.bands(roc._replace(low=np.where(roc.x < 0.1, np.nan, roc.low)), pr)
    json.dumps(made, allow_nan=False)
    assert made["roc"]["low"][0] is None and made["roc"]["low"][-1] == roc.low[-1]
    assert made["pr"]["x"] == pr.x.tolist()
