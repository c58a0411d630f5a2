"""Score counts as pictures: ROC, precision and recall, the scores by truth, metrics against the threshold.

The model is one colour, what it is compared with is grey and dashed, the threshold in force is a diamond
or an upright line. A curve with very many points is drawn with fewer, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from charts.theme import ACCENT, LINES, MODEL, PAGE_TEXT, REFERENCE, caption, figure, hatch, note
from metrics.curves import PrecisionRecallCurve, RocCurve, ScoreCounts
from metrics.thinning import Thinned, thin
from metrics.thresholds import Best, ThresholdRates, score_histogram

DRAWN_POINTS = 1500
"""At most so many points of a curve are drawn; a screen has no more."""

NAMES = {
    "precision": "precision",
    "recall": "recall",
    "specificity": "specificity",
    "npv": "negative predictive value",
    "fpr": "false positive rate",
    "f1": "F1",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "youden_j": "Youden's J",
    "mcc": "Matthews correlation",
    "predicted_positive_rate": "share called positive",
}


def roc_figure(curve: RocCurve, *, auc: float, point: ThresholdRates | None = None) -> go.Figure:
    """The ROC curve, the line of no skill, and the threshold in force.

    `auc` NaN means that one of the classes is missing: the figure then says so and draws nothing.
    """
    if np.isnan(auc):
        return note(figure("AUC is undefined"), "A ROC curve needs rows of both classes with a score.")
    fig = figure(f"AUC {auc:.3f}: a random positive outranks a random negative {auc:.1%} of the time", height=400)
    thinned = thin(curve, DRAWN_POINTS)
    _reference(fig, [0, 1], [0, 1], "no skill", at=(0.62, 0.6), below=True)
    drawn = thinned.curve
    fig.add_trace(_model_line(drawn.fpr, drawn.tpr, drawn.threshold, "linear", "false positive rate", "recall"))
    if point is not None:
        _diamond(fig, point.fpr, point.recall, point.threshold)
    fig.update_xaxes(title_text="false positive rate (negatives called positive)", range=[-0.01, 1.01])
    fig.update_yaxes(title_text="recall (positives found)", range=[-0.01, 1.02])
    return _with_count(fig, thinned)


def precision_recall_figure(
    curve: PrecisionRecallCurve, *, average_precision: float, prevalence: float, point: ThresholdRates | None = None
) -> go.Figure:
    """Precision against recall, the share of positives as the line of no skill, and the threshold in force.

    The line goes in steps as the average precision does; a thinned one joins its points.
    """
    if np.isnan(average_precision):
        return note(figure("Average precision is undefined"), "It needs at least one positive row with a score.")
    title = f"Average precision {average_precision:.3f}; with scores at random it would be {prevalence:.3f}"
    fig = figure(title, height=400)
    thinned = thin(curve, DRAWN_POINTS)
    _reference(
        fig,
        [0, 1],
        [prevalence] * 2,
        f"no skill: {prevalence:.1%} are positive",
        at=(0.01, prevalence),
        below=prevalence > 0.2,
    )
    shape, drawn = "vh" if thinned.shown == thinned.total else "linear", thinned.curve
    fig.add_trace(_model_line(drawn.recall, drawn.precision, drawn.threshold, shape, "recall", "precision"))
    if point is not None and not np.isnan(point.precision):
        _diamond(fig, point.recall, point.precision, point.threshold)
    fig.update_xaxes(title_text="recall (positives found)", range=[-0.01, 1.01])
    fig.update_yaxes(title_text="precision (of those called positive)", range=[-0.01, 1.02])
    return _with_count(fig, thinned)


def score_histogram_figure(scores: ScoreCounts, *, threshold: float | None = None, bins: int = 40) -> go.Figure:
    """How the scores of positives (upwards) and negatives (downwards) lie, each adding up to 100 %.

    Shares and not counts, because one side often has a hundred times the rows of the other; the counts
    are on hover.
    """
    if not scores.n:
        return note(figure("No scores"), "No row has a score for this class.")
    histogram = score_histogram(scores, bins)
    fig = figure(_histogram_title(scores, threshold), height=380, bargap=0.04, barmode="overlay")
    sides = (("positives", histogram.positives, scores.n_pos, 1, MODEL, ""),
             ("negatives", histogram.negatives, scores.n_neg, -1, REFERENCE, "/"))  # fmt: skip
    for name, rows, total, sign, colour, pattern in sides:
        fig.add_trace(_bars(histogram.edges, rows, total, sign, f"{name} ({total:,})", colour, pattern))
    if threshold is not None and np.isfinite(threshold):
        fig.add_vline(threshold, line={"color": ACCENT, "width": 2, "dash": "dash"})
    fig.update_xaxes(title_text="score", showgrid=False)
    ticks = _mirrored_ticks(histogram.positives, scores.n_pos, histogram.negatives, scores.n_neg)
    fig.update_yaxes(title_text="share of that side", tickvals=ticks, ticktext=[f"{abs(tick):.0%}" for tick in ticks])
    fig.add_hline(0, line={"color": REFERENCE, "width": 1})
    for name, total, y, anchor in (("positives", scores.n_pos, 1, "top"), ("negatives", scores.n_neg, 0, "bottom")):
        fig.add_annotation(x=1, y=y, xref="paper", yref="paper", xanchor="right", yanchor=anchor, showarrow=False,
                           text=f"{total:,} {name}", font={"color": PAGE_TEXT, "size": 12})  # fmt: skip
    return fig


def threshold_figure(
    rates: ThresholdRates,
    *,
    threshold: float,
    best: Mapping[str, Best],
    metrics: tuple[str, ...] = ("f1", "precision", "recall", "balanced_accuracy"),
) -> go.Figure:
    """Metrics against the threshold, the best points marked, the threshold in force as an upright line.

    Parameters
    ----------
    rates : arrays over every distinct score, thresholds descending.
    best : as `best_thresholds` gives them; those of a metric drawn stand on its line, the lowest cost on the axis.
    metrics : the fields of `rates` to draw.
    """
    finite = np.isfinite(rates.threshold)
    if not finite.any():
        return note(figure("No thresholds"), "No row has a finite score for this class.")
    thinned = thin(ThresholdRates(*(column[finite] for column in rates)), DRAWN_POINTS, axes=("threshold", *metrics))
    fig = figure(_threshold_title(rates, threshold, best), height=400, hovermode="x unified", legend_rows=2)
    shape = "hv" if thinned.shown == thinned.total else "linear"  # thresholds descend: a rate holds down to the next
    for metric, (colour, dash) in zip(metrics, LINES, strict=False):
        fig.add_trace(
            go.Scatter(
                x=thinned.curve.threshold,
                y=getattr(thinned.curve, metric),
                name=NAMES[metric],
                mode="lines",
                line={"color": colour, "dash": dash, "width": 2, "shape": shape},
                hovertemplate="%{y:.3f}",
            )
        )
    fig.add_traces(_best_marks(best, metrics))
    if np.isfinite(threshold):
        fig.add_vline(threshold, line={"color": REFERENCE, "width": 2, "dash": "dot"})
    fig.update_xaxes(title_text="threshold (positive when score >= threshold)", hoverformat=".6g")
    fig.update_yaxes(range=[-0.04, 1.04])
    return _with_count(fig, thinned, "★ best of its line, ▲ lowest cost, upright line: the threshold in force.")


def _reference(
    fig: go.Figure, x: list[float], y: list[float], name: str, *, at: tuple[float, float], below: bool
) -> None:
    line = {"color": REFERENCE, "dash": "dash", "width": 1.5}
    fig.add_trace(go.Scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip"))
    _label(fig, *at, name, REFERENCE, below=below)


def _label(fig: go.Figure, x: float, y: float, text: str, colour: str, *, below: bool = False) -> None:
    """A name beside what it names, where a legend would send the eye away."""
    fig.add_annotation(x=x, y=y, text=text, showarrow=False, xanchor="left", yanchor="top" if below else "bottom",
                       xshift=4, font={"color": colour, "size": 12})  # fmt: skip


def _model_line(x: np.ndarray, y: np.ndarray, threshold: np.ndarray, shape: str, x_name: str, y_name: str) -> Any:
    hover = f"threshold %{{customdata}}<br>{x_name} %{{x:.3f}}<br>{y_name} %{{y:.3f}}<extra></extra>"
    return go.Scatter(
        x=x,
        y=y,
        mode="lines" if len(x) > 60 else "lines+markers",
        name="model",
        line={"color": MODEL, "width": 2.5, "shape": shape},
        marker={"size": 5},
        customdata=[_threshold_text(value) for value in threshold],
        hovertemplate=hover,
    )


def _diamond(fig: go.Figure, x: float, y: float, threshold: float) -> None:
    """The threshold in force, named on the side where there is room."""
    text = f"threshold {_threshold_text(threshold)}"
    fig.add_trace(
        go.Scatter(
            x=[x],
            y=[y],
            mode="markers",
            name=text,
            cliponaxis=False,  # at recall 0 or 1 it stands on the frame
            marker={"symbol": "diamond", "size": 14, "color": ACCENT, "line": {"width": 1.5, "color": "#ffffff"}},
            hovertemplate=f"{text}<br>%{{x:.3f}}, %{{y:.3f}}<extra></extra>",
        )
    )
    right = x < 0.6
    fig.add_annotation(x=x, y=y, text=text, showarrow=False, xanchor="left" if right else "right",
                       xshift=12 if right else -12, yanchor="top" if y > 0.9 else "bottom",
                       font={"color": PAGE_TEXT, "size": 12})  # fmt: skip


def _threshold_text(threshold: float) -> str:
    return f"{threshold:.6g}" if np.isfinite(threshold) else "above every score"


def _with_count(fig: go.Figure, thinned: Thinned, before: str = "") -> go.Figure:
    drawn = f"Drawn with {thinned.shown:,} of {thinned.total:,} points, chosen to keep the shape."
    texts = [text for text in (before, drawn if thinned.shown < thinned.total else "") if text]
    return caption(fig, *texts) if texts else fig


def _histogram_title(scores: ScoreCounts, threshold: float | None) -> str:
    if threshold is None or not scores.n_pos or not scores.n_neg:
        return "Scores by truth: positives upwards, negatives downwards"
    above = scores.above(threshold)
    tp, fp = (int(side[above - 1]) if above else 0 for side in (scores.tp, scores.fp))
    return (
        f"At or above {_threshold_text(threshold)} lie {tp / scores.n_pos:.1%} of the positives "
        f"and {fp / scores.n_neg:.1%} of the negatives"
    )


def _bars(edges: np.ndarray, rows: np.ndarray, total: int, sign: int, name: str, colour: str, pattern: str) -> go.Bar:
    return go.Bar(
        x=(edges[:-1] + edges[1:]) / 2,
        width=np.diff(edges) * 0.94,
        y=sign * rows / max(total, 1),
        name=name,
        marker={"color": colour, "line": {"width": 0}, "pattern": hatch(pattern)},
        customdata=[[f"{low:.4g}", f"{high:.4g}", f"{n:,}", f"{n / max(total, 1):.1%}"]
                    for low, high, n in zip(edges[:-1], edges[1:], rows, strict=True)],
        hovertemplate="score %{customdata[0]} to %{customdata[1]}<br><b>%{customdata[2]} rows</b>, %{customdata[3]} of "
        + name.split(" ")[0] + "<extra></extra>",
    )  # fmt: skip


def _mirrored_ticks(positives: np.ndarray, n_pos: int, negatives: np.ndarray, n_neg: int) -> list[float]:
    up, down = positives.max() / max(n_pos, 1), negatives.max() / max(n_neg, 1)
    step = next(step for step in (0.02, 0.05, 0.1, 0.2, 0.25, 0.5) if max(up, down) / step <= 4 or step == 0.5)
    return [round(tick * step, 4) for tick in range(-int(down / step + 1), int(up / step + 1) + 1)]


def _threshold_title(rates: ThresholdRates, threshold: float, best: Mapping[str, Best]) -> str:
    if "f1" not in best or np.isnan(best["f1"].value):
        return "Every threshold is a different classifier"
    above = int((rates.threshold >= threshold).sum())
    here = float(rates.f1[above - 1]) if above else 0.0
    found = best["f1"]
    return (
        f"F1 is highest ({found.value:.3f}) at {_threshold_text(found.threshold)}; at this threshold it is {here:.3f}"
    )


def _best_marks(best: Mapping[str, Best], metrics: tuple[str, ...]) -> list[go.Scatter]:
    """A star on the line of every metric that has a best threshold, and a triangle on the axis for the cost."""
    wanted = [(key, found) for key, found in best.items() if key in (*metrics, "cost") and np.isfinite(found.threshold)]
    return [
        go.Scatter(
            x=[found.threshold],
            y=[0 if key == "cost" else found.value],
            mode="markers",
            showlegend=False,
            name="lowest cost" if key == "cost" else f"best {NAMES[key]}",
            marker={
                "symbol": "triangle-up" if key == "cost" else "star",
                "size": 14,
                "color": REFERENCE if key == "cost" else LINES[metrics.index(key) % len(LINES)][0],
                "line": {"width": 1, "color": "#ffffff"},
            },
            hovertemplate=f"{found.value:.4g} at {_threshold_text(found.threshold)}",
        )
        for key, found in wanted
    ]
