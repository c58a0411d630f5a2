"""Find what the accuracy hides, as ranked plain sentences with their evidence.

A finding's text keeps label names apart from our own words (`Label`), so that whoever shows it
decides how uploaded text reaches the screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.macro_gap import macro_gap, macro_gap_of_labels
from metrics.finding import Finding, Label
from metrics.findings.calibration import Calibration, calibration_findings, measure_calibration
from metrics.findings.chosen_threshold import rule_findings
from metrics.findings.clear_differences import better_threshold_is_clear, gap_is_clear, gap_of_cells_is_clear
from metrics.findings.confident_errors import confident_findings
from metrics.findings.multi_label import multi_label_findings
from metrics.findings.single_label import single_label_findings
from metrics.findings.tables import FROM_ROWS, Counters, Predictions
from metrics.findings.worst_parts import NO_PARTS, WorstParts, part_findings
from metrics.multilabel.set_metrics import MultilabelCounts
from metrics.scores.curves import ScoreCounts, roc_auc
from metrics.scores.intervals import auc_interval
from metrics.thresholds.threshold_metrics import best_thresholds, rates_at
from text.numbers import count, number, write_threshold

if TYPE_CHECKING:
    from metrics.thresholds.rule_in_force import ChosenThreshold

_RANK = {"serious": 0, "warning": 1, "info": 2}


@dataclass(frozen=True)
class Tables:
    """Hold what the findings are read from: the small tables, and how the predictions came about.

    confusion, multilabel, scores : in units of weight where rows have weights.
    shrinkage : effective rows for each count of these tables; 1 = they count rows.
    positive, threshold : of a binary task with a score; `threshold` is the one in use, NaN where there is none.
    has_predictions : False = nothing is predicted, because scores on their own scale need a threshold first.
    n_space : how many of the labels of a multi-label task are the label space (they come first); None = all.
    chosen : the thresholds in use that a rule chose: these rules judge them.
    listed : codes of its labels that are known from elsewhere than the predictions; None = the label space.
    confidence : "the prediction is right" counted against the confidence in it, where rows have one.
    weighted_confidence : the same in units of weight; None where rows have no weights.
    gap_of_labels : of a multi-label task, whether its rows tell macro F1 below micro F1; its counts alone cannot say.
    calibration : of the positive class, or of the predictions; None where undefined.
    parts : what was found in slices and groups.
    """

    n_rows: int
    confusion: ConfusionCounts | None = None
    multilabel: MultilabelCounts | None = None
    scores: ScoreCounts | None = None
    n_missing_truth: int = 0
    n_missing_pred: int = 0
    positive: int | None = None
    threshold: float = 0.5
    n_space: int | None = None
    chosen: tuple[ChosenThreshold, ...] = ()
    listed: tuple[int, ...] | None = None
    has_predictions: bool = True
    confidence: ScoreCounts | None = None
    weighted_confidence: ScoreCounts | None = None
    gap_of_labels: bool = True
    calibration: Calibration | None = None
    parts: WorstParts = NO_PARTS
    shrinkage: float = 1.0


def tables_of(
    p: Predictions,
    count: Counters = FROM_ROWS,
    chosen: tuple[ChosenThreshold, ...] = (),
    parts: WorstParts = NO_PARTS,
    shrinkage: float = 1.0,
) -> Tables:
    """Return every small table that the findings of one evaluation are read from.

    count : where rows have weights, it counts confusions, labels and scores in units of these.
    """
    many = p.task == "multilabel"
    labels = count.labels(p) if many else None
    scores = None if p.positive is None else count.scores(p, p.positive)
    confidence = count.confidence(p) if p.has_predictions else None
    confusion = None if many else count.confusions(p)
    is_weighted = confusion is not None and confusion.counted is not None
    return Tables(
        n_rows=p.n_rows,
        confusion=confusion,
        multilabel=labels,
        scores=scores,
        n_missing_truth=p.n_missing_truth,
        n_missing_pred=p.n_missing_pred,
        positive=p.positive,
        threshold=p.effective_threshold,
        n_space=p.n_space,
        chosen=chosen,
        listed=p.listed,
        has_predictions=p.has_predictions,
        confidence=confidence,
        weighted_confidence=count.weighted(p, None) if is_weighted else None,
        gap_of_labels=labels is not None and _tells_gap_of_labels(p, labels, count),
        calibration=measure_calibration(p, count),
        parts=parts,
        shrinkage=shrinkage,
    )


def _tells_gap_of_labels(p: Predictions, labels: MultilabelCounts, count: Counters) -> bool:
    """Return whether the rows tell macro F1 below micro F1; looks at them only where it is far below."""
    far = p.has_predictions and macro_gap_of_labels(labels, p.n_space, p.listed).is_far
    return far and gap_of_cells_is_clear(count.label_cells(p))


def findings(tables: Tables) -> list[Finding]:
    """Return everything worth saying about one evaluation, the most serious first."""
    listed: list[Finding] = []
    if tables.confusion is not None and tables.confusion.n:
        rules = [chosen.described for chosen in tables.chosen if chosen.rule.by != "accuracy"]
        is_far = not rules and macro_gap(tables.confusion).is_far
        tells_gap = is_far and gap_is_clear(tables.confusion, tables.shrinkage)
        listed.extend(
            single_label_findings(
                tables.confusion, tables.positive, *rules[:1], tells_gap=tells_gap, shrinkage=tables.shrinkage
            )
        )
    if tables.multilabel is not None and tables.multilabel.n:
        ruled, tells_gap = _codes_with_rules(tables), tables.gap_of_labels
        listed.extend(
            multi_label_findings(
                tables.multilabel, tables.n_space, tables.listed, ruled, tells_gap=tells_gap, shrinkage=tables.shrinkage
            )
        )
    if not tables.has_predictions:
        listed.append(_no_threshold(tables.scores))
    if tables.confidence is not None:
        listed.extend(confident_findings(tables.confidence, tables.weighted_confidence, tables.shrinkage))
    if tables.scores is not None:
        listed.extend(_ranking(tables.scores, tables.shrinkage))
    if tables.scores is not None and not tables.chosen and not np.isnan(tables.threshold):
        listed.extend(_threshold(tables.scores, tables.threshold, _positive_name(tables), tables.shrinkage))
    if tables.calibration is not None:
        listed.extend(calibration_findings(tables.calibration))
    listed.extend(part_findings(tables.parts))
    for chosen in tables.chosen:
        listed.extend(rule_findings(chosen, _label_of(chosen, tables)))
    listed.extend(_missing(tables))
    # a low average follows what lowers it, which counts rows and leads to them
    return sorted(listed, key=lambda f: (_RANK[f.severity], f.code.startswith("macro_far"), -f.weight))


def _no_threshold(scores: ScoreCounts | None) -> Finding:
    text = "Nothing is predicted: the scores are on a scale of their own, and no threshold is given."
    best = None if scores is None else best_thresholds(scores)["f1"]
    if best is None or np.isnan(best.threshold):
        return Finding("no_threshold", "serious", (f"{text} Choose one on the page Thresholds.",), 1.0)
    return Finding(
        "no_threshold",
        "serious",
        (
            f"{text} Recommended: {write_threshold(best.threshold)}, which gives the highest F1 on these rows "
            f"({number(best.value)}).",
        ),
        1.0,
        {"best_threshold": best.threshold, "best_f1": best.value},
    )


def _positive_name(tables: Tables) -> str:
    if tables.confusion is None or tables.positive is None:
        return ""
    return tables.confusion.labels[tables.positive]


def _codes_with_rules(tables: Tables) -> set[int]:
    """Return codes of the labels whose threshold a rule chose; a rule without a label is about every one."""
    codes = {chosen.given.code for chosen in tables.chosen}
    every = range(len(tables.multilabel.labels)) if tables.multilabel is not None and None in codes else ()
    return {*every, *(code for code in codes if code is not None)}


def _label_of(chosen: ChosenThreshold, tables: Tables) -> str | None:
    """Return the label that a rule is about, in a task where that has to be said."""
    code = chosen.given.code
    return None if code is None or tables.multilabel is None else tables.multilabel.labels[code]


def _ranking(scores: ScoreCounts, shrinkage: float) -> Iterator[Finding]:
    auc = roc_auc(scores)
    if np.isnan(auc):
        return
    within = auc_interval(scores, shrinkage=shrinkage)
    if auc < 0.4 and (within.high < 0.5 or np.isnan(within.high)):
        text = f"ROC AUC is {number(auc)}, below 0.5: the score ranks backwards. Is the positive class the other one?"
        yield Finding("reversed_score", "serious", (text,), 0.9, {"roc_auc": auc})
    elif auc < 0.55:
        verdict = "little better than chance" if auc >= 0.4 else "not clearly better than chance"
        text = f"ROC AUC is {number(auc)}: the score ranks positive rows {verdict} (0.5)."
        yield Finding("chance_ranking", "warning", (text,), 0.9, {"roc_auc": auc})


def _threshold(scores: ScoreCounts, threshold: float, positive: str, shrinkage: float) -> Iterator[Finding]:
    now, best = rates_at(scores, threshold), best_thresholds(scores)["f1"]
    value = 0.0 if np.isnan(now.f1) else float(now.f1)
    if np.isnan(best.value) or best.value - value < 0.05:
        return
    if not better_threshold_is_clear(scores, threshold, float(best.threshold), shrinkage):
        return
    yield Finding(
        "threshold_far_from_best",
        "warning",
        (
            f"At threshold {write_threshold(threshold)} the F1 of ",
            Label(positive),
            (
                f" is {number(now.f1)}; at "
                f"{write_threshold(best.threshold)} it would be {number(best.value)} on these rows."
            ),
        ),
        best.value - value,
        {"threshold": threshold, "f1": value, "best_threshold": best.threshold, "best_f1": best.value},
    )


def _missing(tables: Tables) -> Iterator[Finding]:
    for n, code, what in (
        (tables.n_missing_truth, "missing_truth", "true label"),
        (tables.n_missing_pred, "missing_prediction", "predicted label"),
    ):
        if n:
            lacks = f"has no {what} and is" if n == 1 else f"have no {what} and are"
            text = f"{n:,} of {count(tables.n_rows)} {lacks} left out of every metric."
            yield Finding(code, "warning", (text,), n / tables.n_rows, {"rows": n})
