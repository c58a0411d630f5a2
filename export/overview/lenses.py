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
from metrics.confusion.counts import ConfusionCounts
from metrics.finding import Label
from metrics.findings.calibration import bin_probabilities
from metrics.intervals.statistic import Interval
from metrics.multilabel import set_metrics
from metrics.scores import calibration
from metrics.scores.curve_thinning import thin
from metrics.scores.curves import ScoreCounts, roc_curve
from text.numbers import count, number, percent, rows_are, verb, write_bound

Parts = tuple[str | Label, ...]


class Sure(NamedTuple):
    """The interval of a lens: its ends, and that the rows are too few, then grey; hovering says all of it."""

    within: str
    about: str
    is_few: bool


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


def _sure(shown: Interval) -> Sure:
    within = bounds_of(shown)
    few = say_few(shown).removesuffix(" to tell")  # two lines of a tile
    if within and few:
        within = f"{within}, {few}"
    return Sure(within, shown.why_undefined or describe(shown), is_few=bool(few))


def _lens_of(
    name: str,
    shown: Interval,
    line: Parts,
    page: str,
    view: Mapping[str, object] = {},
    *,
    base: float | None = None,
) -> Lens:
    """Return the lens of a number with its interval, drawn as a bar; base : what it is compared with, a second bar."""
    bars = [(shown.value, "right")]
    if base is not None:
        bars.append((base, "base"))
    return Lens(
        name,
        value_of(shown),
        unit="",
        line=line,
        picture=pictures.share_bars(*bars, within=(shown.low, shown.high)),
        page=page,
        view=view,
        sure=_sure(shown),
    )


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
    n_unparsed = measured.confusion.n_unparsed
    yield _accuracy(measured)
    if n_unparsed:
        yield _no_label(measured)
    yield _macro_f1(measured)
    yield _never_predicted(measured)
    yield _confusion(measured)
    confidence = None if n_unparsed else _confidence(measured)  # the answers without a label have taken its place
    if confidence is not None:
        yield confidence


def _macro_f1(measured: Measurement) -> Lens:
    micro = measured.gap.micro_f1
    classes = count(int((measured.classes.support > 0).sum()), measured.evaluation.class_noun)
    line = (f"Over {classes} with true rows. Micro F1 is {number(micro)}",)
    return _lens_of("Macro F1", measured.number("macro_f1_supported"), line, "classes", base=micro)


def _never_predicted(measured: Measurement) -> Lens:
    counts = measured.confusion
    is_true = counts.support > 0
    never = worst_confusions.never_predicted(counts)
    line = "Every class with true rows is predicted at least once"
    if len(never):
        rows = count(int(counts.support[never].sum()), "true row")
        line = f"Together they have {rows}" if len(never) > 1 else f"It has {rows}"
    return Lens(
        "Never predicted",
        f"{len(never):,}",
        unit=f"of {int(is_true.sum()):,}",
        line=(line,),
        picture=pictures.class_bars(measured.class_columns["f1"][is_true]),
        page="classes",
        view={"list": "never"} if len(never) else {},
    )


def _of_positive(measured: Measurement, positive: int) -> Iterator[Lens]:
    counts = measured.confusion
    cells = one_vs_rest.one_against_rest(counts, positive)
    name = Label(counts.labels[positive])
    n_true, n_predicted = cells.tp + cells.fn, cells.tp + cells.fp
    once = "" if measured.evaluation.units is None else ", each row counted once"
    recalled: Parts = (f"{cells.tp:,} of {n_true:,} ", name, f" {rows_are(cells.tp, n_true)} found{once}")
    yield _lens_of("Recall", measured.number("recall", positive), recalled, "confusion", {"true": name.name})
    right: Parts = ("No row is predicted as ", name)
    if n_predicted:
        is_or_are = "is" if 1 in (cells.tp, n_predicted) else "are"
        right = (f"{cells.tp:,} of {count(n_predicted)} predicted as ", name, f" {is_or_are} right{once}")
    yield _lens_of("Precision", measured.number("precision", positive), right, "confusion", {"pred": name.name})
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
    precision = measured.number("average_precision")
    share = scores.n_pos / scores.n if scores.n else math.nan
    bound = (measured.score_error_bound or {}).get("average_precision", 0)
    binned = f"; ± {write_bound(bound)} from binning" if bound else ""
    line = precision.why_undefined or f"Guessing gives {number(share)}{binned}"
    yield _lens_of("Average precision", precision, (line,), "thresholds", base=share)
    yield Lens(
        "Positive rows",
        percent(share),
        unit="",
        line=(f"{scores.n_pos:,} of {count(scores.n)} are ", Label(measured.evaluation.labels[positive])),
        picture=pictures.share_bars((share, "base")),
        page="thresholds",
    )


def _of_label_scores(measured: Measurement) -> Iterator[Lens]:
    """Yield how well the scores of all labels rank, and how many labels a row truly has."""
    n_defined = int((~np.isnan(measured.ranking.auc)).sum())
    yield _lens_of(
        "Macro ROC AUC",
        measured.number("roc_auc_macro"),
        (f"Mean of the {count(n_defined, 'label')} where it is defined; 0.5 is guessing",),
        "thresholds",
        {"tab": "classes"},
        base=0.5,
    )
    yield _lens_of(
        "Macro average precision",
        measured.number("average_precision_macro"),
        ("Mean of the labels with true rows",),
        "thresholds",
        {"tab": "classes"},
    )
    e = measured.evaluation
    n_true = e.y_true[e.scored].sum(axis=1)
    yield Lens(
        "True labels per row",
        f"{n_true.mean():.2f}",
        unit="",
        line=(f"Over {count(len(n_true))}",),
        picture="",
        page="rows",
    )


def _accuracy(measured: Measurement) -> Lens:
    counts = measured.by_weight.confusion
    baseline = label_metrics.baseline_accuracy(counts)
    majority = Label(counts.labels[int(np.argmax(counts.support))])
    return _lens_of(
        "Accuracy",
        measured.number("accuracy"),
        ("Always predicting ", majority, f" scores {percent(baseline)}"),
        "rows",
        {"only": "errors"},
        base=baseline,
    )


def _no_label(measured: Measurement) -> Lens:
    counts = measured.by_weight.confusion
    share = counts.n_unparsed / counts.n
    answers = count(measured.confusion.n_unparsed, "answer")
    accuracy = percent(label_metrics.accuracy_parsed(counts))
    has_answers = measured.evaluation.answers is not None
    return Lens(
        "No label found",
        percent(share),
        unit="",
        line=(f"{answers}; without them accuracy is {accuracy}",),
        picture=pictures.share_bars((share, "wrong")),
        page="parsing" if has_answers else "rows",
        view={} if has_answers else {"only": "unparseable"},
    )


def _confusion(measured: Measurement) -> Lens:
    counts = measured.weighted_confusion
    n_wrong = counts.by_row.n - int(counts.by_row.correct.sum())
    block = matrix.arrange(counts, worst=12 if len(counts.labels) > 12 else None)
    return Lens(
        "Confusion",
        f"{n_wrong:,}",
        unit="wrong",
        line=_describe_worst_confusion(counts),
        picture=pictures.thumbnail(block),
        page="confusion",
    )


def _describe_worst_confusion(counts: ConfusionCounts) -> Parts:
    confusions = worst_confusions.confusions(counts, limit=1)
    if not confusions:
        return ("No row is wrong",)
    if counts.counted is not None:
        return standouts.matrix_title(counts)
    worst = confusions[0]
    true = Label(counts.labels[worst.true])
    if worst.pred < 0:
        return (f"No label was found for {worst.rows:,} ", true, " rows")
    were = rows_are(worst.rows, now=False)
    return (f"{worst.rows:,} ", true, f" {were} predicted as ", Label(counts.labels[worst.pred]))


def _ranking(measured: Measurement, scores: ScoreCounts, positive: int) -> Lens:
    auc = measured.number("roc_auc", positive)
    error = (measured.score_error_bound or {}).get("roc_auc", 0)
    exact = f"± {write_bound(error)} from binning" if error else "no threshold is needed"
    curve = thin(roc_curve(scores), 60).curve
    return Lens(
        "ROC AUC",
        value_of(auc),
        unit="",
        line=(auc.why_undefined or f"0.5 is guessing; {exact}",),
        picture=pictures.curve(curve.fpr, curve.tpr),
        page="thresholds",
        sure=_sure(auc),
    )


def _calibration(measured: Measurement, positive: int) -> Lens:
    e = measured.evaluation
    scores = measured.weighted_scores(positive)
    assert scores is not None
    bins = measured.count.reliability(e, positive, scores, from_logits=e.scale == "logit")
    by_chance = number(calibration.error_by_chance(bins))
    return Lens(
        "Calibration",
        number(calibration.expected_calibration_error(bins)),
        unit="ECE",
        line=(f"A perfectly calibrated model would score about {by_chance} here",),
        picture=pictures.curve(bins.mean_score, bins.positive_share),
        page="thresholds",
    )


def _confidence(measured: Measurement) -> Lens | None:
    """Compare how sure the predictions are with how often they are right; None without a confidence."""
    e = measured.evaluation
    bins = bin_probabilities(e, None, measured.kept) if e.task == "multiclass" else None
    if bins is None:
        return None
    confidence = calibration.mean_confidence(bins)
    verdict = confidence.verdict.capitalize() or "Well calibrated"
    of_rows = "of rows, by weight, are right" if confidence.is_weighted else "of rows are right"
    return Lens(
        "Confidence",
        percent(confidence.mean),
        unit="mean",
        line=(f"{verdict}: {percent(confidence.right)} {of_rows}",),
        picture=pictures.curve(bins.mean_score, bins.positive_share),
        page="thresholds",
        view={"tab": "calibration", "cal": "top"},
    )


def _of_label_sets(measured: Measurement) -> Iterator[Lens]:
    counts = measured.labels
    weighed = measured.by_weight.labels
    share_without = 1 - float(weighed.support.sum()) / max(1, weighed.n * len(counts.labels))
    yield _lens_of(
        "Subset accuracy",
        measured.number("subset_accuracy"),
        ("Rows with every label right",),
        "rows",
        {"only": "errors"},
    )
    yield _lens_of(
        "Per-label accuracy",
        measured.number("per_label_accuracy"),
        (f"Never predicting any label scores {percent(share_without)}",),
        "confusion",
        base=share_without,
    )
    true = np.flatnonzero(counts.support > 0)
    if len(true):
        yield _macro_f1(measured)
        yield _weakest_label(measured, true)
    per_row = set_metrics.labels_per_row(weighed)
    most = max(per_row.mean_pred, per_row.mean_true) or 1.0
    empty = counts.n_empty_true
    none = f", and {count(empty)} {verb(empty, 'has')} none" if empty else ""
    yield Lens(
        "Labels per row",
        f"{per_row.mean_pred:.2f}",
        unit="",
        line=(f"Predicted; the truth has {per_row.mean_true:.2f}{none}",),
        picture=pictures.share_bars((per_row.mean_pred / most, "right"), (per_row.mean_true / most, "base")),
        page="rows",
    )


def _weakest_label(measured: Measurement, true: np.ndarray) -> Lens:
    """Return the lens of the label with the lowest F1; true : the labels with true rows, at least one."""
    counts = measured.labels
    f1_of_labels = measured.class_columns["f1"][true]
    weakest = int(true[lowest_f1_first(f1_of_labels, counts.support[true])[0]])
    label = counts.labels[weakest]
    f1 = measured.number("f1", weakest)
    return Lens(
        "Weakest label",
        value_of(f1),
        unit="F1",
        line=(Label(label), f", {count(int(counts.support[weakest]), 'true row')}"),
        picture=pictures.class_bars(f1_of_labels),
        page="classes",
        view={"class": label},
        sure=_sure(f1),
    )
