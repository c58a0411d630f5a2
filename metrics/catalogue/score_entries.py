"""Registry rows of what is computed from scores: rankings, best thresholds, probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from metrics.catalogue.metric import Direction, Headline, Metric
from metrics.catalogue.worked_examples import fraction, number, total
from metrics.intervals.score_statistics import (
    auc_statistic,
    average_precision_statistic,
    brier_skill_statistic,
    mean_loss,
    partial_auc_statistic,
)
from metrics.intervals.statistic import Statistic
from metrics.scores import calibration
from metrics.scores.curves import ScoreCounts, average_precision, roc_auc
from metrics.scores.partial_area import MAX_FPR, partial_area, partial_auc
from metrics.scores.probabilities import CLIPPING, Probabilities, brier_of_shares, brier_skill, read_probabilities
from metrics.scores.reliability import By, Reliability, reliability
from metrics.thresholds.threshold_metrics import best_thresholds, rates_at

CHOSEN_HERE = "the threshold was chosen on these same rows"
NAEINI = "Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning, AAAI."
ABOVE_ZERO = "It depends on the bins, and calibrated scores have it above 0: compare. A constant share has 0."
NOT_ZERO = "even calibrated scores have it above 0; theirs stands beside it"
CHOSEN = f"Expect slightly worse on new data: {CHOSEN_HERE}."


def _roc_auc(counts: ScoreCounts) -> str:
    """Write the pairs in which the positive row scores higher, and half of the tied ones, over all pairs."""
    positives = np.diff(counts.tp, prepend=0)
    negatives = np.diff(counts.fp, prepend=0)
    tied = np.dot(positives, negatives)
    higher = np.dot(counts.tp, negatives) - tied
    above = rf"{number(higher)} + \frac{{1}}{{2}} \cdot {number(tied)}"
    below = rf"{number(counts.n_pos)} \cdot {number(counts.n_neg)}"
    return fraction(above, below)


def _partial_auc(counts: ScoreCounts, *, max_fpr: float = MAX_FPR) -> str:
    area = number(partial_area(counts, max_fpr).area)
    guessing = number(max_fpr**2 / 2)
    share = fraction(f"{area} - {guessing}", f"{number(max_fpr)} - {guessing}")
    return rf"\frac{{1}}{{2}} \left( 1 + {share} \right)"


def _average_precision(counts: ScoreCounts) -> str:
    """Write the precision at every score with positives, weighed by these; of a long sum three and the last."""
    positives = np.diff(counts.tp, prepend=0)
    places = np.flatnonzero(positives)
    shown = places if len(places) <= 4 else places[[0, 1, 2, -1]]
    terms = [rf"{number(positives[i])} \cdot {fraction(counts.tp[i], counts.tp[i] + counts.fp[i])}" for i in shown]
    if len(shown) < len(places):
        terms.insert(3, r"\dots")
    return rf"\frac{{1}}{{{number(counts.n_pos)}}} \left( {' + '.join(terms) or 0} \right)"


def _best(counts: ScoreCounts, *, which: str, **costs: float) -> float:
    return best_thresholds(counts, **costs)[which].value


def _write_best(counts: ScoreCounts, *, which: str, cost_fp: float = 1.0, cost_fn: float = 1.0) -> str:
    """Write the highest number, or the lowest cost, that any threshold gives, and that threshold."""
    best = best_thresholds(counts, cost_fp=cost_fp, cost_fn=cost_fn)[which]
    if math.isnan(best.value):
        return r"\frac{0}{0}"
    rates = rates_at(counts, best.threshold)
    tp, fp, fn = number(rates.tp), number(rates.fp), number(rates.fn)
    sensitivity = fraction(rates.tp, counts.n_pos)
    specificity = fraction(rates.tn, counts.n_neg)
    cost = rf"{number(cost_fp)} \cdot {fp} + {number(cost_fn)} \cdot {fn}"
    steps = {
        "f1": fraction(rf"2 \cdot {tp}", rf"2 \cdot {tp} + {fp} + {fn}"),
        "youden_j": f"{sensitivity} + {specificity} - 1",
        "balanced_accuracy": rf"\frac{{1}}{{2}} \left( {sensitivity} + {specificity} \right)",
        "cost": fraction(cost, counts.n),
    }[which]
    return rf"\text{{at score}} \ge {number(best.threshold)}: \quad {steps}"


def _mean_of_rows(
    y_true: np.ndarray, y_score: np.ndarray, *, loss: Any, weights: np.ndarray | None = None, **options: Any
) -> str:
    """Write the mean of a loss over the rows with a score; of many rows the first two and the last."""
    y_true, y_score = np.asarray(y_true), np.asarray(y_score, dtype=np.float64)
    scored = np.flatnonzero(~np.isnan(y_score).any(axis=tuple(range(1, y_score.ndim))))
    shown = scored if len(scored) <= 4 else scored[[0, 1, -1]]
    terms = [number(loss(y_true[[row]], y_score[[row]], **options)) for row in shown]
    n = len(scored)
    if weights is not None:
        terms = [rf"{number(weights[row])} \cdot {term}" for row, term in zip(shown, terms, strict=True)]
        n = weights[scored].sum()
    if len(shown) < len(scored):
        terms.insert(2, r"\dots")
    return fraction(" + ".join(terms) or "0", n)


def _brier_skill(y_true: np.ndarray, y_score: np.ndarray, **options: Any) -> str:
    rows = read_probabilities(y_true, y_score, **options)
    return f"1 - {fraction(rows.mean(rows.squares()), brier_of_shares(rows))}"


def _mean_loss(key: str, title: str, losses: Callable[[Probabilities], np.ndarray | None], **texts: Any) -> Metric:
    """Return the row of a mean; `losses` gives what each row with probabilities adds to it, None = undefined."""

    def value(y_true: np.ndarray, y_score: np.ndarray, **options: Any) -> float:
        rows = read_probabilities(y_true, y_score, **options)
        return rows.mean(losses(rows))

    def influence(rows: Probabilities) -> Statistic:
        return mean_loss(rows, losses(rows))

    steps = partial(_mean_of_rows, loss=value)
    return Metric(key, title, value, steps, eats="probabilities", influence=influence, **texts)


def _write_terms(bins: Reliability, values: np.ndarray) -> str:
    """Write the mean of a value of every bin, weighed by its rows."""
    terms = [rf"{number(rows)} \cdot {number(value)}" for rows, value in zip(bins.n, values, strict=True) if rows]
    return fraction(total(terms), bins.n.sum())


def _write_ece(bins: Reliability) -> str:
    return _write_terms(bins, np.abs(bins.gap))


def _write_mce(bins: Reliability) -> str:
    if not len(bins.n):
        return fraction(0, 0)
    worst = int(np.nanargmax(np.abs(bins.gap)))
    low, high = sorted((float(bins.mean_score[worst]), float(bins.positive_share[worst])))
    return f"{number(high)} - {number(low)}"


def _write_chance(bins: Reliability) -> str:
    spread = np.maximum(bins.mean_score * (1 - bins.mean_score) - bins.variance, 0)
    with np.errstate(invalid="ignore"):
        return _write_terms(bins, np.sqrt(2 / np.pi * spread / bins.effective_n))


def _calibration(
    key: str,
    title: str,
    error: Callable[[Reliability], float],
    write: Callable[[Reliability], str],
    by: By = "mass",
    direction: Direction = "lower",
    **texts: Any,
) -> Metric:
    """Return the row of a number of ten bins of scores; `write` writes what leads to it."""

    def value(
        counts: ScoreCounts, *, from_logits: bool = False, bin_scores: Callable[..., Reliability] = reliability
    ) -> float:
        return error(bin_scores(counts, by=by, from_logits=from_logits))

    def steps(
        counts: ScoreCounts, *, from_logits: bool = False, bin_scores: Callable[..., Reliability] = reliability
    ) -> str:
        return write(bin_scores(counts, by=by, from_logits=from_logits))

    return Metric(key, title, value, steps, eats="calibration", direction=direction, scikit_learn=f"{key}(p)", **texts)


def _chosen(which: str, spoken: str, formula: str, when: str, source: str) -> Metric:
    """Return the row of the highest value of a metric; which : its key in `best_thresholds`, spoken : its name."""
    compute, steps = partial(_best, which=which), partial(_write_best, which=which)
    return Metric(
        key=f"best_{which}", title=f"Highest {spoken} of any threshold", function=compute, steps=steps,
        formula=formula, when=when, pitfall=CHOSEN, source=source, eats="score counts",
        definition=f"The highest {spoken} that any threshold gives on these rows.",
        scikit_learn=f"best(is_true, score, weight)['{which}']['value']", no_interval=CHOSEN_HERE,
    )  # fmt: skip


ROWS = (
    Metric(
        key="roc_auc",
        title="ROC AUC",
        function=roc_auc,
        definition="The share of pairs in which a positive row scores higher than a negative one.",
        scikit_learn="roc_auc(is_true, score, weight)",
        formula=r"P(s_+ > s_-) + \frac{1}{2} P(s_+ = s_-) = \int_0^1 TPR \; d\,FPR",
        eats="score counts",
        when="The threshold is not known yet: how often does a positive row score higher than a negative one? "
        "Guessing gives 0.5 whatever the balance.",
        pitfall="With few positives it can be high while most predicted positives are false. Much of the area lies "
        "where nobody would choose a threshold.",
        source="Hanley and McNeil (1982), The meaning and use of the area under a ROC curve, Radiology 143(1).",
        instead="A smooth loss over pairs of rows takes its place.",
        influence=auc_statistic,
        headline=Headline(20),
        steps=_roc_auc,
    ),
    Metric(
        key="partial_auc",
        title="Partial AUC, false positive rate up to 0.1",
        function=partial_auc,
        only=("binary",),
        definition="The area under the ROC curve up to a false positive rate of 0.1; guessing gives 0.5.",
        scikit_learn="partial_auc(is_true, score, weight)",
        formula=r"\frac{1}{2} \left( 1 + \frac{A - u^2 / 2}{u - u^2 / 2} \right) \quad A = \int_0^u TPR \; d\,FPR"
        r" \quad u = 0.1",
        eats="score counts",
        when="Only few false positives can be allowed: how well do the scores rank there?",
        pitfall="It rests on the highest tenth of the negatives, so it needs many. Other tools show the area A itself, "
        "without McClish's scale.",
        source="McClish (1989), Analyzing a portion of the ROC curve, Medical Decision Making 9(3).",
        influence=partial_auc_statistic,
        steps=_partial_auc,
    ),
    Metric(
        key="average_precision",
        title="Average precision",
        function=average_precision,
        definition="The mean precision over all levels of recall, from the highest score down.",
        scikit_learn="average_precision(is_true, score, weight)",
        formula=r"\sum_i (R_i - R_{i-1}) \, P_i",
        eats="score counts",
        when="The threshold is not known yet and positives are rare: how many of the highest scores are positive?",
        pitfall="Guessing gives the share of positives, not 0.5, so files with different shares cannot be compared.",
        source="Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, ICML; Saito and "
        "Rehmsmeier (2015), PLoS ONE 10(3).",
        influence=average_precision_statistic,
        headline=Headline(22),
        steps=_average_precision,
    ),
    _chosen(
        "f1",
        "F1",
        formula=r"\max_\theta \frac{2\,TP_\theta}{2\,TP_\theta + FP_\theta + FN_\theta}",
        when="To see which F1 the scores could give, and how far the threshold in use is from it.",
        source="Lipton et al. (2014), Optimal thresholding of classifiers to maximize F1 measure, ECML PKDD.",
    ),
    _chosen(
        "youden_j",
        "Youden's J",
        formula=r"\max_\theta \left( TPR_\theta - FPR_\theta \right)",
        when="To choose a threshold where both classes matter the same. It is the greatest height of the ROC curve "
        "over the no-skill line.",
        source="Youden (1950), Index for rating diagnostic tests, Cancer 3(1).",
    ),
    _chosen(
        "balanced_accuracy",
        "balanced accuracy",
        formula=r"\max_\theta \frac{TPR_\theta + TNR_\theta}{2}",
        when="To choose a threshold where both classes matter the same; it has the same threshold as Youden's J.",
        source="Brodersen et al. (2010), The balanced accuracy and its posterior distribution, ICPR.",
    ),
    Metric(
        key="lowest_cost",
        title="Lowest expected cost a row of any threshold",
        function=partial(_best, which="cost"),
        definition="The lowest mean cost of a row that any threshold gives.",
        scikit_learn="best(is_true, score, weight)['cost']['value']  # both mistakes cost 1",
        formula=r"\min_\theta \frac{C_{FP} \cdot FP_\theta + C_{FN} \cdot FN_\theta}{n}",
        direction="lower",
        range=(0, math.inf),
        eats="score counts",
        when="Both mistakes have a price and the threshold can be chosen.",
        pitfall=CHOSEN + " And it holds for this share of positives only.",
        source="Elkan (2001), The foundations of cost-sensitive learning, IJCAI.",
        no_interval=CHOSEN_HERE,
        steps=partial(_write_best, which="cost"),
        unit="cost",
    ),
    _calibration(
        "ece",
        "Expected calibration error (ECE), adaptive",
        calibration.expected_calibration_error,
        _write_ece,
        definition="The mean distance of scores from what came true, in ten bins of equally many rows.",
        formula=r"\sum_b \frac{n_b}{n} \left| \bar{p}_b - \bar{y}_b \right|",
        when="Scores are read as probabilities: of rows with 0.8, are eight in ten positive, or right?",
        pitfall=ABOVE_ZERO,
        source=NAEINI + " Nixon et al. (2019), Measuring calibration in deep learning, CVPR workshops.",
        no_interval=NOT_ZERO,
    ),
    _calibration(
        "ece_equal_width",
        "Expected calibration error (ECE), bins of equal width",
        calibration.expected_calibration_error,
        _write_ece,
        by="width",
        short="expected calibration error, bins of equal width",
        definition="The mean distance of scores from what came true, in ten bins of equal width.",
        formula=r"\sum_b \frac{n_b}{n} \left| \bar{p}_b - \bar{y}_b \right|",
        when="To compare with a published ECE of ten bins, which mostly have equal width.",
        pitfall=ABOVE_ZERO + " Where most scores lie in one bin, it hardly sees their order.",
        source=NAEINI,
        no_interval=NOT_ZERO,
    ),
    _calibration(
        "mce",
        "Maximum calibration error (MCE)",
        calibration.maximum_calibration_error,
        _write_mce,
        definition="The largest distance of scores from what came true, of any of ten bins of equally many rows.",
        formula=r"\max_b \left| \bar{p}_b - \bar{y}_b \right|",
        when="No range of scores may be far off.",
        pitfall="One bin decides it, and the fewer rows the bins have, the larger it is by chance.",
        source=NAEINI,
        no_interval=NOT_ZERO,
    ),
    _calibration(
        "ece_by_chance",
        "ECE of calibrated scores",
        calibration.error_by_chance,
        _write_chance,
        direction="zero",
        definition="The ECE that perfectly calibrated scores would show on so many rows, about.",
        formula=r"\sum_b \frac{n_b}{n} \sqrt{\frac{2}{\pi} \cdot \frac{\overline{p (1 - p)}_b}{n_b}}",
        when="Read it beside ECE: only what is above it says that scores are off.",
        pitfall="It is no error of the model, and rough where a bin has a handful of rows.",
        source="Bröcker and Smith (2007), Increasing the reliability of reliability diagrams, Weather and "
        "Forecasting 22.",
        no_interval="it says what chance alone gives",
    ),
    _mean_loss(
        "log_loss",
        "Log loss (cross-entropy)",
        Probabilities.log_losses,
        direction="lower",
        definition="The mean of −ln(the probability given to the true label).",
        scikit_learn="log_loss(p)",
        formula=r"-\frac{1}{n} \sum_i \ln p_i \qquad p_i = \text{probability given to the true class}",
        range=(0, math.inf),
        when="The probabilities themselves are used: only calibrated ones keep it low. Most models are trained on it.",
        pitfall="One confident mistake weighs heavily. Compare it with another log loss: alone the value says little. "
        + CLIPPING,
        source="Good (1952), Rational decisions, Journal of the Royal Statistical Society B 14(1).",
        headline=Headline(23),
        unit="nats",
    ),
    _mean_loss(
        "brier",
        "Brier score",
        Probabilities.squares,
        direction="lower",
        aliases=("brier_score",),
        definition="The mean squared difference between probabilities and what came true.",
        scikit_learn="mean_loss(p, squared_distances)",
        formula=r"\frac{1}{n} \sum_i (p_i - y_i)^2 \quad \text{or, with several classes,} \quad"
        r" \frac{1}{n} \sum_i \sum_k (p_{ik} - y_{ik})^2",
        range=(0, 2),
        when="The probabilities themselves are used, and one confident mistake should not decide everything.",
        pitfall="With a rare class, always giving its share scores near 0. Two conventions exist: the sum over classes "
        "goes up to 2, the two-class form up to 1.",
        source="Brier (1950), Verification of forecasts expressed in terms of probability, Mon. Weather Rev. 78(1).",
        headline=Headline(24),
    ),
    Metric(
        key="brier_skill",
        title="Brier skill score",
        function=brier_skill,
        definition="How much smaller the Brier score is than that of always giving each class its share.",
        scikit_learn="brier_skill(p)",
        formula=r"1 - \frac{\text{Brier score}}{\text{Brier score of always giving each class its share}}",
        range=(-math.inf, 1),
        eats="probabilities",
        when="Brier scores of files with other shares of classes are compared: 0 is no better than the shares.",
        pitfall="Below 0 is worse than the shares, which are those of these rows. With a rare class small changes of "
        "the Brier score move it much.",
        source="Murphy (1973), Hedging and skill scores for probability forecasts, Journal of Applied Meteorology 12.",
        influence=brier_skill_statistic,
        undefined="all rows are of one class, or the Brier score is undefined, too",
        steps=_brier_skill,
    ),
)
