"""Registry rows of labels with groups, such as animal/dog: they are told where somebody named the separator."""

from __future__ import annotations

from functools import partial

from metrics.catalogue.joint_count_row import joint_count_row
from metrics.catalogue.metric import Headline
from metrics.catalogue.worked_examples import fraction, number, total
from metrics.confusion.counts import ConfusionCounts
from metrics.intervals.hierarchical import errors_within_family, share_levels, shared_share
from metrics.intervals.joint_counts import cells_of_counts

_of_groups = partial(joint_count_row, needs_groups=True)


def _write_levels(counts: ConfusionCounts, of_true: int, of_pred: int) -> str:
    """Write shared levels over those of the truth and of the predictions, each so many times."""
    levels = share_levels(cells_of_counts(counts))
    shared, true, pred = (number(float((counts.rows * of_cell).sum())) for of_cell in levels[:3])
    above = rf"2 \cdot {shared}" if of_true and of_pred else shared
    return fraction(above, total([true] * of_true + [pred] * of_pred))


def _write_family(counts: ConfusionCounts) -> str:
    wrong = counts.rows * (counts.true != counts.pred) * bool(counts.paths)
    return fraction(float(wrong[share_levels(cells_of_counts(counts)).same_family].sum()), float(wrong.sum()))


ROWS = (
    _of_groups(
        "hierarchical_precision",
        "Hierarchical precision",
        partial(shared_share, of_true=0, of_pred=1),
        partial(_write_levels, of_true=0, of_pred=1),
        definition="The share of predicted labels, and of all groups above them, that are right.",
        scikit_learn="hierarchical(p, metrics.precision_score)",
        formula=r"\frac{\sum_i |A_i \cap B_i|}{\sum_i |B_i|}",
        when="Labels have groups, such as animal/dog, and a label of the right group is partly right.",
        pitfall="Deep labels count more than shallow ones. A prediction that stops at a group misses nothing here.",
        source="Kiritchenko, Matwin, Nock and Famili (2006), Learning and evaluation in the presence of class "
        "hierarchies, Canadian AI.",
    ),
    _of_groups(
        "hierarchical_recall",
        "Hierarchical recall",
        partial(shared_share, of_true=1, of_pred=0),
        partial(_write_levels, of_true=1, of_pred=0),
        definition="The share of true labels, and of all groups above them, that are predicted.",
        scikit_learn="hierarchical(p, metrics.recall_score)",
        formula=r"\frac{\sum_i |A_i \cap B_i|}{\sum_i |A_i|}",
        when="Labels have groups, and missing the label within the right group is a smaller mistake.",
        pitfall="Deep labels count more than shallow ones. An answer without a label misses all levels of the truth.",
        source="Kiritchenko, Matwin, Nock and Famili (2006), as above.",
    ),
    _of_groups(
        "hierarchical_f1",
        "Hierarchical F1",
        partial(shared_share, of_true=1, of_pred=1),
        partial(_write_levels, of_true=1, of_pred=1),
        definition="The harmonic mean of hierarchical precision and recall.",
        scikit_learn="hierarchical(p, metrics.f1_score)",
        formula=r"\frac{2 \sum_i |A_i \cap B_i|}{\sum_i |A_i| + \sum_i |B_i|}",
        when="One number is wanted for labels in groups.",
        pitfall="Where groups are few and large, a guess is often in the right one: compare with accuracy.",
        source="Kiritchenko, Matwin, Nock and Famili (2006), as above; Kosmopoulos et al. (2015).",
        headline=Headline(8),
    ),
    _of_groups(
        "errors_within_family",
        "Errors within the family",
        errors_within_family,
        _write_family,
        direction="zero",
        definition="The share of wrong rows whose prediction is in the top group of the true label.",
        scikit_learn="errors_within_family(p)",
        formula=r"\frac{N_f}{N_w}",
        when="You ask whether mistakes are near misses within a group, or lead to another one.",
        pitfall="It says nothing of how many rows are wrong. An answer without a label is in no family.",
        source="A share of the wrong cells of the confusion matrix.",
        headline=Headline(9),
        undefined="no row is wrong",
    ),
)
