"""Registry rows of labels with an order, or with groups: they are told where somebody said so."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from metrics.catalogue.metric import Headline, Metric
from metrics.catalogue.worked_examples import fraction, number, result, total
from metrics.confusion.counts import ConfusionCounts
from metrics.intervals.hierarchical import (
    errors_within_family,
    hierarchical_f1,
    hierarchical_precision,
    hierarchical_recall,
    share_levels,
)
from metrics.intervals.joint_counts import JointCounts
from metrics.intervals.ordered import (
    SQUARES,
    STEPS,
    cells_of_counts,
    mean_steps_off,
    measure_distances,
    steps_off,
    weighted_kappa,
    within_one_step,
)
from metrics.intervals.statistic import Statistic


def _ordered(
    key: str,
    title: str,
    statistic: Callable[[JointCounts], Statistic],
    write: Callable[[ConfusionCounts], str],
    *,
    needs_groups: bool = False,
    **texts: Any,
) -> Metric:
    """Return the row of a number whose value and influence one function gives; `write` writes its fraction."""

    def value(counts: ConfusionCounts) -> float:
        return statistic(cells_of_counts(counts)).value

    def worked(counts: ConfusionCounts) -> str:
        return result(write(counts), value(counts))

    return Metric(
        key, title, value, worked, eats="confusion counts", influence=statistic,
        needs_order=not needs_groups, needs_groups=needs_groups, **texts,
    )  # fmt: skip


def _write_within(counts: ConfusionCounts) -> str:
    near = steps_off(cells_of_counts(counts)) <= 1
    return fraction(float(counts.rows[near].sum()), counts.n if counts.ranks else 0)


def _write_mean(counts: ConfusionCounts) -> str:
    steps = steps_off(cells_of_counts(counts))
    rows = np.bincount(steps[steps > 0].astype(int), counts.rows[steps > 0])
    terms = [rf"{number(step)} \cdot {number(rows[step])}" for step in np.flatnonzero(rows).tolist()]
    return fraction(total(terms), measure_distances(counts, STEPS).n)


def _write_levels(counts: ConfusionCounts, of_true: int, of_pred: int) -> str:
    """Write shared levels over those of the truth and of the predictions, each so many times."""
    levels = share_levels(cells_of_counts(counts))
    shared, true, pred = (number(float((counts.rows * of_cell).sum())) for of_cell in levels[:3])
    above = rf"2 \cdot {shared}" if of_true and of_pred else shared
    return fraction(above, total([true] * of_true + [pred] * of_pred))


def _write_family(counts: ConfusionCounts) -> str:
    wrong = counts.rows * (counts.true != counts.pred) * bool(counts.paths)
    return fraction(float(wrong[share_levels(cells_of_counts(counts)).same_family].sum()), float(wrong.sum()))


def _write_kappa(counts: ConfusionCounts, power: int) -> str:
    distances = measure_distances(counts, power)
    return f"1 - {fraction(distances.total, distances.by_chance)}"


ROWS = (
    _ordered(
        "within_one_step",
        "Accuracy within one step",
        within_one_step,
        _write_within,
        definition="The share of rows that are predicted right, or one step off.",
        scikit_learn="within_one_step(p)",
        formula=r"\frac{1}{n} \sum_k \sum_{l : d_{kl} < 2} n_{kl}",
        when="The labels have an order, and the neighbouring label is nearly as good as the right one.",
        pitfall="With three labels, always predicting the middle one scores 1. A row without a label counts as wrong.",
        source="Gaudette and Japkowicz (2009), Evaluation methods for ordinal classification, Canadian AI.",
        headline=Headline(7, "Accuracy within one step"),
    ),
    _ordered(
        "mean_steps_off",
        "Mean steps off (mean absolute error)",
        mean_steps_off,
        _write_mean,
        direction="lower",
        range=(0, float("inf")),
        definition="How many steps of the order predictions are off on average.",
        scikit_learn="mean_steps_off(p)",
        formula=r"\frac{\sum_k \sum_l d_{kl} \, n_{kl}}{\sum_k \sum_l n_{kl}}",
        when="The labels have an order, and an error costs as much as it has steps.",
        pitfall="Every step counts the same, though two labels may be closer than others. Rows without a label are "
        "left out. Where one label is frequent, always predicting it scores low.",
        source="Baccianella, Esuli and Sebastiani (2009), Evaluation measures for ordinal regression, ISDA.",
        headline=Headline(8, "Mean steps off"),
        instead="The absolute error of an expected step takes its place.",
    ),
    _ordered(
        "linear_kappa",
        "Linear weighted kappa",
        partial(weighted_kappa, power=STEPS),
        partial(_write_kappa, power=STEPS),
        range=(-1, 1),
        definition="Agreement beyond chance in which an error counts by its steps.",
        scikit_learn="weighted_kappa(p, 'linear')",
        formula=r"1 - \frac{\sum_k \sum_l d_{kl} \, n_{kl}}{\sum_k \sum_l d_{kl} \, e_{kl}}",
        when="The labels have an order, and an error of two steps is twice as bad as one of one step.",
        pitfall="It depends on how frequent the labels are and how many there are, so values of different files cannot "
        "be compared. Rows without a label are left out.",
        source="Cohen (1968), Weighted kappa, Psychological Bulletin 70(4).",
    ),
    _ordered(
        "quadratic_kappa",
        "Quadratic weighted kappa",
        partial(weighted_kappa, power=SQUARES),
        partial(_write_kappa, power=SQUARES),
        range=(-1, 1),
        definition="Agreement beyond chance in which an error counts by the square of its steps.",
        scikit_learn="weighted_kappa(p, 'quadratic')",
        formula=r"1 - \frac{\sum_k \sum_l d_{kl}^2 \, n_{kl}}{\sum_k \sum_l d_{kl}^2 \, e_{kl}}",
        when="The labels have an order, and far errors are much worse; usual for grades and in medical staging.",
        pitfall="It can be high although few rows are right: small errors hardly count. Rows without a label are left "
        "out.",
        source="Cohen (1968), Weighted kappa, Psychological Bulletin 70(4); Fleiss and Cohen (1973).",
        headline=Headline(18, "Quadratic weighted kappa"),
        instead="With probabilities in place of labels it is smooth.",
    ),
    _ordered(
        "hierarchical_precision",
        "Hierarchical precision",
        hierarchical_precision,
        partial(_write_levels, of_true=0, of_pred=1),
        needs_groups=True,
        definition="The share of predicted labels, and of all groups above them, that are right.",
        scikit_learn="hierarchical(p, metrics.precision_score)",
        formula=r"\frac{\sum_i |A_i \cap B_i|}{\sum_i |B_i|}",
        when="Labels have groups, such as animal/dog, and a label of the right group is partly right.",
        pitfall="Deep labels count more than shallow ones. A prediction that stops at a group misses nothing here.",
        source="Kiritchenko, Matwin, Nock and Famili (2006), Learning and evaluation in the presence of class "
        "hierarchies, Canadian AI.",
    ),
    _ordered(
        "hierarchical_recall",
        "Hierarchical recall",
        hierarchical_recall,
        partial(_write_levels, of_true=1, of_pred=0),
        needs_groups=True,
        definition="The share of true labels, and of all groups above them, that are predicted.",
        scikit_learn="hierarchical(p, metrics.recall_score)",
        formula=r"\frac{\sum_i |A_i \cap B_i|}{\sum_i |A_i|}",
        when="Labels have groups, and missing the label within the right group is a smaller mistake.",
        pitfall="Deep labels count more than shallow ones. An answer without a label misses all levels of the truth.",
        source="Kiritchenko, Matwin, Nock and Famili (2006), as above.",
    ),
    _ordered(
        "hierarchical_f1",
        "Hierarchical F1",
        hierarchical_f1,
        partial(_write_levels, of_true=1, of_pred=1),
        needs_groups=True,
        definition="The harmonic mean of hierarchical precision and recall.",
        scikit_learn="hierarchical(p, metrics.f1_score)",
        formula=r"\frac{2 \sum_i |A_i \cap B_i|}{\sum_i |A_i| + \sum_i |B_i|}",
        when="One number is wanted for labels in groups.",
        pitfall="Where groups are few and large, a guess is often in the right one: compare with accuracy.",
        source="Kiritchenko, Matwin, Nock and Famili (2006), as above; Kosmopoulos et al. (2015).",
        headline=Headline(8, "Hierarchical F1"),
    ),
    _ordered(
        "errors_within_family",
        "Errors within the family",
        errors_within_family,
        _write_family,
        needs_groups=True,
        direction="zero",
        definition="The share of wrong rows whose prediction is in the top group of the true label.",
        scikit_learn="errors_within_family(p)",
        formula=r"\frac{N_f}{N_w}",
        when="You ask whether mistakes are near misses within a group, or lead to another one.",
        pitfall="It says nothing of how many rows are wrong. An answer without a label is in no family.",
        source="A share of the wrong cells of the confusion matrix.",
        headline=Headline(9, "Errors within the family"),
        undefined="no row is wrong",
    ),
)
