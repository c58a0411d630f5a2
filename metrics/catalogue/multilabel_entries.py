"""Registry rows of metrics for several labels a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from metrics.catalogue import average_entries
from metrics.catalogue.average_entries import HEADLINES, RATES, Texts, macro_row, mean_of_rates, write_weighted
from metrics.catalogue.metric import Headline, Metric
from metrics.catalogue.worked_examples import fraction, number, total
from metrics.confusion.averages import Over, macro, micro, weighted
from metrics.intervals.overall import hamming_loss, per_label_accuracy, samples_average, share_right
from metrics.intervals.rates import averaged
from metrics.intervals.statistic import Statistic
from metrics.multilabel import set_metrics
from metrics.multilabel.set_metrics import MultilabelCounts
from metrics.outcomes import JACCARD, Ratio

_metric = partial(Metric, eats="multi-label counts")
ZHANG = "Zhang and Zhou (2014), A review on multi-label learning algorithms, IEEE TKDE 26(8)."
TSOUMAKAS = "Tsoumakas and Katakis (2007), Multi-label classification: an overview, IJDWM 3(3)."
GODBOLE = "Godbole and Sarawagi (2004), Discriminative methods for multi-labeled classification, PAKDD."

Average = Literal["micro", "macro", "weighted", "samples"]
FORMULAS: dict[str, Ratio] = RATES | {"jaccard": JACCARD}
SPOKEN: dict[str, str] = average_entries.SPOKEN | {"jaccard": "Jaccard index"}
# The rate of one label l, and of one row i with true set Y and predicted set Z.
OF_LABEL = {
    "f1": (r"2\,TP_l", r"2\,TP_l + FP_l + FN_l"),
    "precision": ("TP_l", "TP_l + FP_l"),
    "recall": ("TP_l", "TP_l + FN_l"),
    "jaccard": ("TP_l", "TP_l + FP_l + FN_l"),
}
OF_ROW = {
    "f1": r"\frac{2\,|Y_i \cap Z_i|}{|Y_i| + |Z_i|}",
    "precision": r"\frac{|Y_i \cap Z_i|}{|Z_i|}",
    "recall": r"\frac{|Y_i \cap Z_i|}{|Y_i|}",
    "jaccard": r"\frac{|Y_i \cap Z_i|}{|Y_i \cup Z_i|}",
}
# Definition of the average of a rate, its line of scikit-learn, when to average so, and how it misleads.
TEXTS: dict[Average, tuple[str, str, str, str]] = {
    "micro": (
        "{} counted over all decisions of all labels together.",
        "micro(p, metrics.{}_score)",
        "Every decision about one label of one row should count the same.",
        "Frequent labels decide it: rare ones can be missed altogether and it hardly changes.",
    ),
    "weighted": (
        "The mean of every label's {}, weighted by its true rows.",
        "weighted(rates(p), '{}')",
        "Labels should count by how often they are true.",
        "Rare labels hardly change it. It is undefined if it is undefined for a label with true rows.",
    ),
    "samples": (
        "The mean of every row's {} over its set of labels.",
        "metrics.{}_score(*both_sides(p), average='samples', zero_division=0, sample_weight=p.weight)",
        "Every row should count the same: how well does its predicted set fit its true one?",
        "A row without any label on either side is 0/0. It counts as 0 here, as in scikit-learn, so a file with "
        "many such rows looks bad.",
    ),
}
OVER: dict[Over, Texts] = {
    "seen": (
        "labels seen in truth or prediction",
        "the labels that are true or predicted somewhere",
        r"\{l : TP_l + FP_l + FN_l > 0\}",
        "To average over the labels that occur, whichever are listed.",
    ),
    "supported": (
        "labels with true rows",
        "the labels with true rows",
        r"\{l : t_l > 0\}",
        "Every label with true rows should count the same, frequent or rare.",
    ),
    "space": (
        "all listed labels",
        "all listed labels",
        r"\text{label list}",
        "Every label should count the same, frequent or rare.",
    ),
}
JACCARD_MACRO = (
    "The plain mean of every label's {}.",
    "macro(rates(p), '{}', 'all')",
    "Every label should count the same, frequent or rare.",
    "Labels with few rows change it by chance. One label for which it is undefined makes the mean undefined.",
)
JACCARD_DEFINITIONS: dict[Average, str] = {
    "micro": "The overlap of all true and predicted labels, divided by their union.",
    "samples": "The mean overlap of a row's true and predicted labels, divided by their union.",
}
JACCARD_MICRO = "micro(p, metrics.f1_score) / (2 - micro(p, metrics.f1_score))"


def _write_micro(counts: MultilabelCounts, *, rate: Ratio) -> str:
    part, whole = rate.parts(counts)
    return fraction(part.sum(), whole.sum())


def _write_samples(counts: MultilabelCounts, *, rate: Ratio) -> str:
    """Write the mean of a rate over all rows; rows with the same numbers are one term, and 0/0 is 0."""
    part, whole = rate.parts(set_metrics.counts_of_rows(counts.row_sums))
    terms = []
    for rows, above, below in zip(counts.row_sums.rows, part, whole, strict=True):
        if above:
            terms.append(rf"{number(rows)} \cdot {fraction(above, below) if below else 0}")
    return rf"\frac{{1}}{{{number(counts.n)}}} \left( {total(terms)} \right)"


def _formula(which: str, average: Average) -> str:
    above, below = OF_LABEL[which]
    return {
        "micro": rf"\frac{{\sum_l {above}}}{{\sum_l ({below})}}",
        "macro": rf"\frac{{1}}{{L}} \sum_l \frac{{{above}}}{{{below}}}",
        "weighted": rf"\frac{{1}}{{\sum_l t_l}} \sum_l t_l \, \frac{{{above}}}{{{below}}}",
        "samples": rf"\frac{{1}}{{n}} \sum_i {OF_ROW[which]}",
    }[average]


# Of an average of a rate: its value, what writes it, and its influence.
COMPUTED: dict[Average, tuple[Callable[..., float], Callable[..., str], Callable[..., Statistic]]] = {
    "micro": (micro, _write_micro, partial(averaged, average="micro")),
    "macro": (partial(macro, over="all"), partial(mean_of_rates, over="all"), partial(averaged, average="macro_all")),
    "weighted": (weighted, write_weighted, partial(averaged, average="weighted")),
    "samples": (set_metrics.mean_over_rows, _write_samples, samples_average),
}


def _average(which: str, average: Average) -> Metric:
    is_jaccard = which == "jaccard"
    definition, line, when, pitfall = JACCARD_MACRO if average == "macro" else TEXTS[average]
    definition, line = definition.format(SPOKEN[which]), line.format(which)
    if is_jaccard:
        definition = JACCARD_DEFINITIONS.get(average, definition)
        line = JACCARD_MICRO if average == "micro" else line
    unit = "rows" if average == "samples" else "labels"
    function, steps, influence = COMPUTED[average]
    return _metric(
        f"jaccard_{average}" if is_jaccard else f"{average}_{which}",
        f"{average.capitalize()} {SPOKEN[which]} over the {unit}",
        partial(function, rate=FORMULAS[which]),
        partial(steps, rate=FORMULAS[which]),
        definition=definition[0].upper() + definition[1:],
        scikit_learn=line,
        formula=_formula(which, average),
        when=when,
        pitfall=pitfall,
        source=GODBOLE if is_jaccard else ZHANG,
        zero_division=average in ("macro", "weighted"),
        influence=partial(influence, rate=FORMULAS[which]),
        aliases=() if is_jaccard else (f"multilabel_{average}_{which}",),
        headline=HEADLINES.get((average, which)),
    )


def _macro(which: str, over: Over) -> Metric:
    return macro_row(
        which, over, OVER[over], "label", "labels", "l", fraction(*OF_LABEL[which]), eats="multi-label counts",
        aliases=(f"multilabel_macro_{which}",) if over == "space" else (), source=ZHANG,
    )  # fmt: skip


def _of_rate(which: str) -> Iterator[Metric]:
    """Yield every average of one rate."""
    yield _average(which, "micro")
    yield from (_macro(which, over) for over in OVER)
    yield from (_average(which, average) for average in ("weighted", "samples"))


def _subset(counts: MultilabelCounts) -> str:
    return fraction(counts.n_exact, counts.n)


def _decisions(counts: MultilabelCounts, *, right: bool) -> str:
    decisions = counts.tp + counts.tn if right else counts.fp + counts.fn
    return fraction(decisions.sum(), rf"{number(counts.n)} \cdot {len(counts.labels)}")


def _mean_labels(counts: MultilabelCounts, *, side: str) -> float:
    per_row = set_metrics.labels_per_row(counts)
    return per_row.mean_true if side == "true" else per_row.mean_pred


def _write_labels(counts: MultilabelCounts, *, side: str) -> str:
    given = counts.support if side == "true" else counts.predicted
    return fraction(given.sum(), counts.n)


def _labels_per_row(side: str, given: str, letter: str) -> Metric:
    return _metric(
        f"labels_per_row_{side}",
        f"{given.capitalize()} labels per row",
        partial(_mean_labels, side=side),
        partial(_write_labels, side=side),
        definition=f"The mean number of {given} labels of a row.",
        scikit_learn=f"np.average(p.y_{side}.sum(axis=1), weights=p.weight)",
        direction="zero",
        formula=rf"\frac{{1}}{{n}} \sum_i |{letter}_i|",
        when="To see whether the model gives rows as many labels as the truth does: compare the two.",
        pitfall="Equal means hide rows with far too many labels beside rows with none.",
        source=TSOUMAKAS,
        range=(0, float("inf")),
        unit="labels",
        no_interval="read the two means beside each other",
    )


ROWS = (
    _metric(
        "subset_accuracy",
        "Subset accuracy (exact match)",
        set_metrics.subset_accuracy,
        _subset,
        definition="The share of rows whose predicted set of labels is exactly the true one.",
        scikit_learn="metrics.accuracy_score(*both_sides(p), sample_weight=p.weight)",
        formula=r"\frac{|\{i : Y_i = Z_i\}|}{n}",
        when="A row is of use only if all its labels are right. scikit-learn's accuracy_score is this one.",
        pitfall="One wrong label of twenty counts like twenty, and it falls as labels are added. It is not the mean "
        "accuracy of the labels.",
        source=ZHANG,
        unit="share",
        influence=share_right,
        headline=Headline(7, "Subset accuracy (every label right)"),
    ),
    _metric(
        "per_label_accuracy",
        "Mean per-label accuracy",
        set_metrics.per_label_accuracy,
        partial(_decisions, right=True),
        definition="The share of right decisions over all rows and labels.",
        scikit_learn="1 - metrics.hamming_loss(p.y_true, p.y_pred, sample_weight=p.weight)",
        formula=r"\frac{\sum_l (TP_l + TN_l)}{n \, L} = 1 - \text{Hamming loss}",
        when="Every label counts by itself, and labels are true in about half of the rows.",
        pitfall="Where labels are rare, most decisions are true negatives: predicting no label at all scores high.",
        source=TSOUMAKAS,
        unit="share",
        influence=per_label_accuracy,
        headline=Headline(8),
    ),
    _metric(
        "hamming_loss",
        "Hamming loss",
        set_metrics.hamming_loss,
        partial(_decisions, right=False),
        direction="lower",
        definition="The share of wrong decisions over all rows and labels.",
        scikit_learn="metrics.hamming_loss(p.y_true, p.y_pred, sample_weight=p.weight)",
        formula=r"\frac{\sum_l (FP_l + FN_l)}{n \, L}",
        when="You want the share of decisions about one label of one row that are wrong.",
        pitfall="Where labels are rare, it is small for every model: predicting no label at all scores well.",
        source=TSOUMAKAS,
        influence=hamming_loss,
    ),
    *(_average("jaccard", average) for average in ("samples", "micro", "macro")),
    *(metric for which in RATES for metric in _of_rate(which)),
    _labels_per_row("true", "true", "Y"),
    _labels_per_row("pred", "predicted", "Z"),
)
