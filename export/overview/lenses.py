"""The lenses of Overview and of the report: a number, a tiny picture and one line each, and where it is explored."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from export.interval_text import bounds_of, describe, say_few, value_of
from export.measurement import Measurement
from export.pictures import lenses as pictures
from metrics.confusion import label_metrics, matrix, one_vs_rest, standouts, worst_confusions
from metrics.confusion.class_order import lowest_f1_first
from metrics.finding import Label
from metrics.findings.calibration import bin_probabilities
from metrics.intervals.statistic import Interval
from metrics.multilabel import set_metrics
from metrics.outcomes import F1
from metrics.scores import calibration
from metrics.scores.curve_thinning import thin
from metrics.scores.curves import ScoreCounts, roc_curve
from text.numbers import count, number, percent, write_bound

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
    within = bounds_of(one, share=share)
    few = say_few(one).removesuffix(" to tell")  # two lines of a tile
    return Sure(f"{within}, {few}" if within and few else within, one.why_undefined or describe(one))


def lenses_of(measured: Measurement) -> list[Lens]:
    """Return the lenses that apply to an evaluation, at most five; without predictions those of its scores."""
    if not measured.evaluation.has_predictions:
        return list(_of_label_scores(measured) if measured.many else _of_scores(measured))
    if measured.many:
        return list(_of_label_sets(measured))
    positive = measured.evaluation.positive
    if positive is not None:
        return list(_of_positive(measured, positive))
    return list(_of_classes(measured))


def _of_classes(measured: Measurement) -> Iterator[Lens]:
    counts = measured.confusion
    gap, true = measured.gap, counts.support > 0
    yield _accuracy(measured)
    if counts.n_unparsed:
        yield _no_label(measured)
    macro = measured.number("macro_f1_supported")
    yield Lens(
        "Macro F1",
        value_of(macro),
        "",
        (f"Over {count(int(true.sum()), 'class')} with true rows. Micro F1 is {number(gap.micro_f1)}",),
        pictures.share_bars((macro.value, "right"), (gap.micro_f1, "base"), within=(macro.low, macro.high)),
        "classes",
        sure=_sure(macro),
    )
    never = worst_confusions.never_predicted(counts)
    lost = int(counts.support[never].sum())
    yield Lens(
        "Never predicted",
        f"{len(never):,}",
        f"of {int(true.sum()):,}",
        (f"Together they have {count(lost, 'true row')}" if len(never) > 1 else f"It has {count(lost, 'true row')}",)
        if len(never)
        else ("Every class with true rows is predicted at least once",),
        pictures.class_bars(F1.value(measured.by_weight.confusion)[true]),
        "classes",
        {"list": "never"} if len(never) else {},
    )
    yield _confusion(measured)
    sure = _confidence(measured)
    if sure and not counts.n_unparsed:  # else its place is taken by the answers without a label
        yield sure


def _of_positive(measured: Measurement, positive: int) -> Iterator[Lens]:
    counts = measured.confusion
    cells, name = one_vs_rest.one_against_rest(counts, positive), Label(counts.labels[positive])
    recall, precision = (measured.number(rate, positive) for rate in ("recall", "precision"))
    predicted = cells.tp + cells.fp
    once = "" if measured.evaluation.units is None else ", each row counted once"
    yield Lens(
        "Recall", value_of(recall), "", (f"{cells.tp:,} of {cells.tp + cells.fn:,} ", name, f" rows are found{once}"),
        pictures.share_bars((recall.value, "right"), within=(recall.low, recall.high)),
        "confusion", {"true": name.name}, sure=_sure(recall),
    )  # fmt: skip
    yield Lens(
        "Precision", value_of(precision), "",
        (f"{cells.tp:,} of {predicted:,} rows predicted as ", name, f" are right{once}"),
        pictures.share_bars((precision.value, "right"), within=(precision.low, precision.high)),
        "confusion", {"pred": name.name}, sure=_sure(precision),
    )  # fmt: skip
    if counts.n_unparsed:
        yield _no_label(measured)
    yield _accuracy(measured)
    scores = measured.scores_of(positive)
    if scores is not None and len(scores.score):
        yield _ranking(measured, measured.by_weight.scores_of(positive) or scores, positive)
        if measured.evaluation.scale != "score":
            yield _calibration(measured, positive)


def _of_scores(measured: Measurement) -> Iterator[Lens]:
    """Yield how well the scores rank, and how many rows are positive."""
    positive, scores = measured.evaluation.positive, measured.positive_scores
    if positive is None or scores is None:
        return
    yield _ranking(measured, scores, positive)
    precision, share = measured.number("average_precision"), scores.n_pos / scores.n if scores.n else math.nan
    bound = (measured.score_error_bound or {}).get("average_precision", 0)
    binned = f"; ± {write_bound(bound)} from binning" if bound else ""
    line = precision.why_undefined or f"Guessing gives {number(share)}{binned}"
    yield Lens(
        "Average precision", value_of(precision), "", (line,),
        pictures.share_bars((precision.value, "right"), (share, "base"), within=(precision.low, precision.high)),
        "thresholds", sure=_sure(precision),
    )  # fmt: skip
    name = Label(measured.evaluation.labels[positive])
    yield Lens(
        "Positive rows", percent(share), "", (f"{scores.n_pos:,} of {count(scores.n)} are ", name),
        pictures.share_bars((share, "base")), "thresholds",
    )  # fmt: skip


def _of_label_scores(measured: Measurement) -> Iterator[Lens]:
    """Yield how well the scores of all labels rank, and how many labels a row truly has."""
    area, precision = (measured.number(key) for key in ("roc_auc_macro", "average_precision_macro"))
    n_defined = int((~np.isnan(measured.ranking.auc)).sum())
    line = f"Mean of the {count(n_defined, 'label')} where it is defined; 0.5 is guessing"
    yield Lens(
        "ROC AUC, macro", value_of(area), "", (line,),
        pictures.share_bars((area.value, "right"), (0.5, "base"), within=(area.low, area.high)),
        "thresholds", {"tab": "classes"}, sure=_sure(area),
    )  # fmt: skip
    yield Lens(
        "Average precision, macro", value_of(precision), "", ("Mean of the labels with true rows",),
        pictures.share_bars((precision.value, "right"), within=(precision.low, precision.high)),
        "thresholds", {"tab": "classes"}, sure=_sure(precision),
    )  # fmt: skip
    e = measured.evaluation
    n_true = e.y_true[e.scored].sum(axis=1)
    yield Lens(
        "True labels per row", f"{n_true.mean():.2f}", "", (f"Over {count(len(n_true))}",), "", "rows",
    )  # fmt: skip


def _accuracy(measured: Measurement) -> Lens:
    counts = measured.by_weight.confusion
    accuracy, baseline = measured.number("accuracy"), label_metrics.baseline_accuracy(counts)
    majority = Label(counts.labels[int(np.argmax(counts.support))])
    return Lens(
        "Accuracy", value_of(accuracy, share=True), "",
        ("Always predicting ", majority, f" scores {percent(baseline)}"),
        pictures.share_bars((accuracy.value, "right"), (baseline, "base"), within=(accuracy.low, accuracy.high)),
        "rows", {"only": "errors"}, sure=_sure(accuracy, share=True),
    )  # fmt: skip


def _no_label(measured: Measurement) -> Lens:
    counts, n = measured.by_weight.confusion, measured.confusion.n_unparsed
    share, parsed = counts.n_unparsed / counts.n, label_metrics.accuracy_parsed(counts)
    page, view = ("parsing", {}) if measured.evaluation.answers is not None else ("rows", {"only": "unparseable"})
    return Lens(
        "No label found",
        percent(share),
        "",
        (f"{count(n, 'answer')}; without them accuracy is {percent(parsed)}",),
        pictures.share_bars((share, "wrong")),
        page,
        view,
    )


def _confusion(measured: Measurement) -> Lens:
    counts = measured.weighted_confusion
    wrong = counts.by_row.n - int(counts.by_row.correct.sum())
    worst = worst_confusions.confusions(counts, limit=1)
    line: Parts = ("No row is wrong",)
    if worst and counts.counted is not None:
        line = standouts.matrix_title(counts)
    elif worst:
        true = Label(counts.labels[worst[0].true])
        if worst[0].pred < 0:
            line = (f"No label was found for {worst[0].rows:,} ", true, " rows")
        else:
            line = (f"{worst[0].rows:,} ", true, " rows were predicted as ", Label(counts.labels[worst[0].pred]))
    block = matrix.arrange(counts, worst=12 if len(counts.labels) > 12 else None)
    return Lens("Confusion", f"{wrong:,}", "wrong", line, pictures.thumbnail(block), "confusion")


def _ranking(measured: Measurement, scores: ScoreCounts, positive: int) -> Lens:
    auc = measured.number("roc_auc", positive)
    error = (measured.score_error_bound or {}).get("roc_auc", 0)
    exact = f"± {write_bound(error)} from binning" if error else "no threshold is needed"
    line: Parts = (auc.why_undefined,) if auc.why_undefined else (f"0.5 is guessing; {exact}",)
    return Lens("ROC AUC", value_of(auc), "", line, _roc(scores), "thresholds", sure=_sure(auc))


def _roc(scores: ScoreCounts) -> str:
    thinned = thin(roc_curve(scores), 60).curve
    return pictures.curve(thinned.fpr, thinned.tpr)


def _calibration(measured: Measurement, positive: int) -> Lens:
    e, scores = measured.evaluation, measured.weighted_scores(positive)
    assert scores is not None
    bins = measured.count.reliability(e, positive, scores, from_logits=e.scale == "logit")
    error = calibration.expected_calibration_error(bins)
    line = f"A perfectly calibrated model would score about {number(calibration.error_by_chance(bins))} here"
    return Lens(
        "Calibration", number(error), "ECE", (line,),
        pictures.curve(bins.mean_score, bins.positive_share), "thresholds",
    )  # fmt: skip


def _confidence(measured: Measurement) -> Lens | None:
    """Compare how sure the predictions are with how often they are right; None without a confidence."""
    e = measured.evaluation
    bins = bin_probabilities(e, None, measured.kept) if e.task == "multiclass" else None
    if bins is None:
        return None
    confidence = calibration.mean_confidence(bins)
    verdict = f"{confidence.verdict.capitalize()}: " if confidence.verdict else "Well calibrated: "
    of_rows = "of rows, by weight, are right" if confidence.is_weighted else "of rows are right"
    return Lens(
        "Confidence", number(confidence.mean), "mean", (f"{verdict}{percent(confidence.right)} {of_rows}",),
        pictures.curve(bins.mean_score, bins.positive_share), "thresholds", {"tab": "calibration", "cal": "top"},
    )  # fmt: skip


def _of_label_sets(measured: Measurement) -> Iterator[Lens]:
    counts = measured.labels
    weighed = measured.by_weight.labels
    support, per_row = counts.support, set_metrics.labels_per_row(weighed)
    subset, single = (measured.number(name) for name in ("subset_accuracy", "per_label_accuracy"))
    true = np.flatnonzero(support > 0)
    noes = 1 - float(weighed.support.sum()) / max(1, weighed.n * len(counts.labels))
    yield Lens(
        "Subset accuracy", value_of(subset, share=True), "", ("Rows with every label right",),
        pictures.share_bars((subset.value, "right"), within=(subset.low, subset.high)),
        "rows", {"only": "errors"}, sure=_sure(subset, share=True),
    )  # fmt: skip
    yield Lens(
        "Per-label accuracy", value_of(single, share=True), "",
        (f"Never predicting any label scores {percent(noes)}",),
        pictures.share_bars((single.value, "right"), (noes, "base"), within=(single.low, single.high)),
        "confusion", sure=_sure(single, share=True),
    )  # fmt: skip
    if len(true):
        gap = measured.gap
        macro = measured.number("macro_f1_supported")
        over = f"Over {count(len(true), 'label')} with true rows"
        yield Lens(
            "Macro F1", value_of(macro), "", (f"{over}. Micro F1 is {number(gap.micro_f1)}",),
            pictures.share_bars((macro.value, "right"), (gap.micro_f1, "base"), within=(macro.low, macro.high)),
            "classes", sure=_sure(macro),
        )  # fmt: skip
        f1_of_labels = F1.value(weighed)[true]
        weakest = int(true[lowest_f1_first(f1_of_labels, support[true])[0]])
        line = (Label(counts.labels[weakest]), f", {count(int(support[weakest]), 'true row')}")
        f1 = measured.number("f1", weakest)
        yield Lens(
            "Weakest label", value_of(f1), "F1", line,
            pictures.class_bars(f1_of_labels), "classes", {"class": counts.labels[weakest]}, sure=_sure(f1),
        )  # fmt: skip
    most = max(per_row.mean_pred, per_row.mean_true) or 1.0
    yield Lens(
        "Labels per row", f"{per_row.mean_pred:.2f}", "",
        (f"Predicted; the truth has {per_row.mean_true:.2f}, and {count(counts.n_empty_true)} have none",),
        pictures.share_bars((per_row.mean_pred / most, "right"), (per_row.mean_true / most, "base")), "rows",
    )  # fmt: skip
