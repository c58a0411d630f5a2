"""The threshold page as Streamlit alone draws it: a slider on the server, four Plotly pictures. Not the app.

This is how the page worked before the threshold lab: a move is released, the server computes, all pictures are sent
again. `bench_hand.py` runs it with PLAIN_SLIDER_SCORES naming an .npz of y_true and y_score.
"""

import os
from collections import namedtuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from metrics.scores.curve_thinning import thin
from metrics.scores.curves import ScoreCounts, precision_recall_curve, roc_curve, score_counts
from metrics.scores.score_histogram import score_histogram
from metrics.thresholds.threshold_metrics import rates, rates_at

STEPS = 1000


Lines = namedtuple("Lines", "threshold precision recall f1")


@st.cache_resource
def counted(path: str) -> ScoreCounts:
    with np.load(path) as arrays:
        return score_counts(arrays["y_true"], arrays["y_score"])


def picture(x: np.ndarray, lines: dict[str, np.ndarray], at: float, key: str) -> None:
    figure = go.Figure([go.Scatter(x=x, y=y, name=name) for name, y in lines.items()])
    figure.add_vline(x=at)
    st.plotly_chart(figure, key=key)


counts = counted(os.environ["PLAIN_SLIDER_SCORES"])
stops = counts.score[::-1][np.linspace(0, len(counts.score) - 1, STEPS).astype(int)].tolist()
threshold = st.select_slider("Threshold", stops, value=stops[STEPS // 2], format_func=lambda value: f"{value:.6g}")
now = rates_at(counts, threshold)
for name in ("tp", "fp", "fn", "tn"):
    st.metric(name, f"{getattr(now, name):,}")
for name in ("precision", "recall", "f1", "accuracy", "mcc"):
    st.metric(name, f"{getattr(now, name):.3f}")
roc, pr = thin(roc_curve(counts)).curve, thin(precision_recall_curve(counts)).curve
table = rates(counts)
every = thin(Lines(table.threshold, table.precision, table.recall, table.f1)).curve
bars = score_histogram(counts)
picture(roc.fpr, {"ROC": roc.tpr}, now.fpr, "roc")
picture(pr.recall, {"PR": pr.precision}, now.recall, "pr")
picture(every.threshold, {name: getattr(every, name) for name in ("precision", "recall", "f1")}, threshold, "rates")
picture(bars.edges[:-1], {"positive": bars.positives, "negative": bars.negatives}, threshold, "scores")
