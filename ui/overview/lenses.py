"""The lenses of Overview: a number, a tiny picture and one line each, and the page that explores it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from charts import lenses as charts
from data.evaluation import Evaluation
from data.rows.selection import CONFIDENCE
from export.interval_text import TOO_FEW, bounds_of, describe, value_of
from metrics.confusion import label_metrics, matrix, one_vs_rest, worst_confusions
from metrics.confusion.class_order import lowest_f1_first
from metrics.confusion.macro_gap import macro_gap, macro_gap_of_labels
from metrics.finding import Label
from metrics.intervals.statistic import Interval
from metrics.multilabel import set_metrics
from metrics.outcomes import F1
from metrics.scores import calibration
from metrics.scores.curve_thinning import thin
from metrics.scores.curves import ScoreCounts, roc_curve
from metrics.scores.probabilities import in_unit
from text.numbers import count, number, percent, write_bound
from ui.view import cache, measurement

Parts = tuple[str | Label, ...]


class Sure(NamedTuple):
    """The interval of a lens: its ends, or that the rows are too few; hovering says all of it."""

    within: str
    about: str


class Lens(NamedTuple):
    """One number: its name and unit, a line about it, its picture (SVG), and the page and view that it leads to."""

    name: str
    figure: str
    unit: str
    line: Parts
    picture: str
    page: str
    view: Mapping[str, object] = {}
    sure: Sure | None = None


def _sure(one: Interval, *, share: bool = False) -> Sure:
    few = f"{bounds_of(one, share=share)}, {TOO_FEW}" if one.too_few else bounds_of(one, share=share)
    return Sure(few if bounds_of(one) else "", one.why_undefined or describe(one))


def lenses(evaluation: Evaluation) -> list[Lens]:
    """Return the lenses that apply to an evaluation with predictions; at most five."""
    if evaluation.task == "multilabel":
        return list(_of_label_sets(evaluation))
    if evaluation.positive is not None:
        return list(_of_positive(evaluation, evaluation.positive))
    return list(_of_classes(evaluation))


def _of_classes(evaluation: Evaluation) -> Iterator[Lens]:
    counts = cache.confusion(evaluation)
    gap, true = macro_gap(counts), counts.support > 0
    yield _accuracy(evaluation)
    if counts.n_unparsed:
        yield _no_label(evaluation)
    macro = measurement.measure(evaluation).number("macro_f1_supported")
    yield Lens(
        "Macro F1",
        value_of(macro),
        "",
        (f"Micro F1 is {number(gap.micro_f1)}; over {count(int(true.sum()), 'class')} with true rows",),
        charts.share_bars((macro.value, "right"), (gap.micro_f1, "base"), within=(macro.low, macro.high)),
        "classes",
        sure=_sure(macro),
    )
    never = worst_confusions.never_predicted(counts)
    lost = int(counts.support[never].sum())
    yield Lens(
        "Never predicted",
        f"{len(never):,}",
        f"of {int(true.sum()):,}",
        (f"{count(lost, 'true row')} of classes that are never predicted",)
        if len(never)
        else ("Every class with true rows is predicted at least once",),
        charts.class_bars(F1.value(counts)[true]),
        "classes",
        {"list": "never"} if len(never) else {},
    )
    yield _confusion(evaluation)
    sure = _confidence(evaluation)
    if sure and not counts.n_unparsed:  # else its place is taken by the answers without a label
        yield sure


def _of_positive(evaluation: Evaluation, positive: int) -> Iterator[Lens]:
    counts = cache.confusion(evaluation)
    at, name = one_vs_rest.one_against_rest(counts, positive), Label(counts.labels[positive])
    recall, precision = (measurement.measure(evaluation).number(rate, positive) for rate in ("recall", "precision"))
    predicted = at.tp + at.fp
    yield Lens(
        "Recall", value_of(recall), "", (f"{at.tp:,} of {at.tp + at.fn:,} ", name, " rows are found"),
        charts.share_bars((recall.value, "right"), within=(recall.low, recall.high)),
        "confusion", {"true": name.name}, sure=_sure(recall),
    )  # fmt: skip
    yield Lens(
        "Precision", value_of(precision), "", (f"{at.tp:,} of {predicted:,} rows predicted as ", name, " are right"),
        charts.share_bars((precision.value, "right"), within=(precision.low, precision.high)),
        "confusion", {"pred": name.name}, sure=_sure(precision),
    )  # fmt: skip
    if counts.n_unparsed:
        yield _no_label(evaluation)
    yield _accuracy(evaluation)
    scores = cache.scores(evaluation, positive)
    if scores is not None and len(scores.score):
        yield _ranking(evaluation, scores, positive)
        if evaluation.scale != "score":
            yield _calibration(evaluation, positive, scores)


def _accuracy(evaluation: Evaluation) -> Lens:
    counts = cache.confusion(evaluation)
    accuracy, baseline = measurement.measure(evaluation).number("accuracy"), label_metrics.baseline_accuracy(counts)
    majority = Label(counts.labels[int(np.argmax(counts.support))])
    return Lens(
        "Accuracy", value_of(accuracy, share=True), "",
        ("Always predicting ", majority, f" scores {percent(baseline)}"),
        charts.share_bars((accuracy.value, "right"), (baseline, "base"), within=(accuracy.low, accuracy.high)),
        "rows", {"only": "errors"}, sure=_sure(accuracy, share=True),
    )  # fmt: skip


def _no_label(evaluation: Evaluation) -> Lens:
    counts = cache.confusion(evaluation)
    share, parsed = counts.n_unparsed / counts.n, label_metrics.accuracy_parsed(counts)
    page, view = ("parsing", {}) if evaluation.answers is not None else ("rows", {"only": "unparseable"})
    return Lens(
        "No label found",
        percent(share),
        "",
        (f"{count(counts.n_unparsed, 'answer')}; without them accuracy is {percent(parsed)}",),
        charts.share_bars((share, "wrong")),
        page,
        view,
    )


def _confusion(evaluation: Evaluation) -> Lens:
    counts = cache.confusion(evaluation)
    wrong = counts.n - int(counts.correct.sum())
    worst = worst_confusions.confusions(counts, limit=1)
    line: Parts = ("No row is wrong",)
    if worst:
        true = Label(counts.labels[worst[0].true])
        if worst[0].pred < 0:
            line = (f"No label was found for {worst[0].rows:,} ", true, " rows")
        else:
            line = (f"{worst[0].rows:,} ", true, " rows were predicted as ", Label(counts.labels[worst[0].pred]))
    block = matrix.arrange(counts, worst=12 if len(counts.labels) > 12 else None)
    return Lens("Confusion", f"{wrong:,}", "wrong", line, charts.thumbnail(block), "confusion")


def _ranking(evaluation: Evaluation, scores: ScoreCounts, positive: int) -> Lens:
    auc = measurement.measure(evaluation).number("roc_auc", positive)
    errors = cache.binning_errors(evaluation)
    exact = f"± {write_bound(errors['roc_auc'])} from binning" if errors else "no threshold is needed"
    line: Parts = (auc.why_undefined,) if auc.why_undefined else (f"0.5 is guessing; {exact}",)
    return Lens("ROC AUC", value_of(auc), "", line, _roc(evaluation, positive, scores), "thresholds", sure=_sure(auc))


@cache.kept(32)
def _roc(evaluation: Evaluation, positive: int, _scores: ScoreCounts) -> str:
    """Draw the ROC curve of a class; its scores follow from the evaluation and the class."""
    thinned = thin(roc_curve(_scores), 60).curve
    return charts.curve(thinned.fpr, thinned.tpr)


@cache.kept(32)
def _calibration(evaluation: Evaluation, positive: int, _scores: ScoreCounts) -> Lens:
    found = cache.reliability_of(evaluation, positive, evaluation.scale == "logit", "mass", 10, _scores)
    error = calibration.expected_calibration_error(found)
    line = f"A perfectly calibrated model would score about {number(calibration.error_by_chance(found))} here"
    return Lens(
        "Calibration", number(error), "ECE", (line,),
        charts.curve(found.mean_score, found.positive_share), "thresholds",
    )  # fmt: skip


@cache.kept(32)
def _confidence(evaluation: Evaluation) -> Lens | None:
    """Compare how sure the predictions are with how often they are right; None without a confidence."""
    top = cache.top_class_counts(evaluation)
    if top is None or not in_unit(top.counts.score):
        return None
    bins = cache.reliability_of(evaluation, CONFIDENCE, False, "mass", 10, top.counts)
    found = calibration.mean_confidence(top.counts)
    verdict = f"{found.verdict.capitalize()}: " if found.verdict else "Well calibrated: "
    return Lens(
        "Confidence", number(found.mean), "mean", (f"{verdict}{percent(found.right)} of rows are right",),
        charts.curve(bins.mean_score, bins.positive_share), "thresholds", {"tab": "calibration", "cal": "top"},
    )  # fmt: skip


def _of_label_sets(evaluation: Evaluation) -> Iterator[Lens]:
    counts = cache.multilabel(evaluation)
    support, per_row = counts.support, set_metrics.labels_per_row(counts)
    subset, single = (
        measurement.measure(evaluation).number(name) for name in ("subset_accuracy", "per_label_accuracy")
    )
    true = np.flatnonzero(support > 0)
    noes = 1 - float(support.sum()) / max(1, counts.n * len(counts.labels))
    yield Lens(
        "Subset accuracy", value_of(subset, share=True), "", ("Rows with every label right",),
        charts.share_bars((subset.value, "right"), within=(subset.low, subset.high)),
        "rows", {"only": "errors"}, sure=_sure(subset, share=True),
    )  # fmt: skip
    yield Lens(
        "Per-label accuracy", value_of(single, share=True), "",
        (f"Never predicting any label scores {percent(noes)}",),
        charts.share_bars((single.value, "right"), (noes, "base"), within=(single.low, single.high)),
        "confusion", sure=_sure(single, share=True),
    )  # fmt: skip
    if len(true):
        gap = macro_gap_of_labels(counts, evaluation.n_space, evaluation.listed)
        macro = measurement.measure(evaluation).number("macro_f1_supported")
        over = f"over {count(len(true), 'label')} with true rows"
        yield Lens(
            "Macro F1", value_of(macro), "", (f"Micro F1 is {number(gap.micro_f1)}; {over}",),
            charts.share_bars((macro.value, "right"), (gap.micro_f1, "base"), within=(macro.low, macro.high)),
            "classes", sure=_sure(macro),
        )  # fmt: skip
        f1_of_labels = F1.value(counts)[true]
        weakest = int(true[lowest_f1_first(f1_of_labels, support[true])[0]])
        line = (Label(counts.labels[weakest]), f", {count(int(support[weakest]), 'true row')}")
        f1 = measurement.measure(evaluation).number("f1", weakest)
        yield Lens(
            "Weakest label", value_of(f1), "F1", line,
            charts.class_bars(f1_of_labels), "classes", {"class": counts.labels[weakest]}, sure=_sure(f1),
        )  # fmt: skip
    most = max(per_row.mean_pred, per_row.mean_true) or 1.0
    yield Lens(
        "Labels per row", f"{per_row.mean_pred:.2f}", "",
        (f"Predicted; the truth has {per_row.mean_true:.2f}, and {count(counts.n_empty_true)} have none",),
        charts.share_bars((per_row.mean_pred / most, "right"), (per_row.mean_true / most, "base")), "rows",
    )  # fmt: skip
