"""Registry rows of labels with an order: they are told where somebody gave one."""

from __future__ import annotations

from functools import partial

import numpy as np

from metrics.catalogue.joint_count_row import joint_count_row
from metrics.catalogue.metric import Headline
from metrics.catalogue.worked_examples import fraction, number, total
from metrics.confusion.counts import ConfusionCounts
from metrics.intervals.joint_counts import cells_of_counts
from metrics.intervals.ordered import (
    SQUARES,
    STEPS,
    mean_steps_off,
    measure_distances,
    steps_off,
    weighted_kappa,
    within_one_step,
)

_ordered = partial(joint_count_row, needs_order=True)


def _write_within(counts: ConfusionCounts) -> str:
    near = steps_off(cells_of_counts(counts)) <= 1
    return fraction(float(counts.rows[near].sum()), counts.n if counts.ranks else 0)


def _write_mean(counts: ConfusionCounts) -> str:
    cells = cells_of_counts(counts)
    steps = steps_off(cells)
    rows = np.bincount(steps[steps > 0].astype(int), counts.rows[steps > 0])
    terms = [rf"{number(step)} \cdot {number(rows[step])}" for step in np.flatnonzero(rows).tolist()]
    return fraction(total(terms), measure_distances(cells, 0, STEPS).n)


def _write_kappa(counts: ConfusionCounts, power: int) -> str:
    distances = measure_distances(cells_of_counts(counts), 0, power)
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
        headline=Headline(7),
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
        headline=Headline(8),
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
        headline=Headline(18),
        instead="With probabilities in place of labels it is smooth.",
    ),
)
