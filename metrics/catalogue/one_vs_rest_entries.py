"""Registry rows of one class (or label) against all the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from metrics import outcomes
from metrics.catalogue.metric import Headline, Metric, Task
from metrics.catalogue.worked_examples import fraction, number
from metrics.intervals.rates import of_class
from metrics.outcomes import Formula, FourCounts, Ratio

_metric = partial(Metric, eats="confusion counts, one class")
RIJSBERGEN = "Van Rijsbergen (1979), Information Retrieval, chapter 7."
EVERY_TASK: tuple[Task, ...] = ("binary", "multiclass", "multilabel")
ALTMAN = "Altman and Bland (1994), Diagnostic tests 1: sensitivity and specificity, BMJ 308."


def _one_class(key: str, title: str, counted: Formula, steps: Callable[[FourCounts], str], **more: Any) -> Metric:
    """Return the row of a number by its formula; `steps` writes its fraction."""
    influence = partial(of_class, formula=counted)
    return _metric(key, title, counted.value, steps, influence=influence, of_outcomes=counted, **more)


def _share(key: str, title: str, ratio: Ratio, **more: Any) -> Metric:
    return _one_class(key, title, ratio, partial(_write_ratio, ratio=ratio), **more)


def _with_options(key: str, title: str, make: Callable[..., Ratio], steps: Callable[..., str], **more: Any) -> Metric:
    """Return the row of a number whose formula has options: `make` and `steps` have the same, with their defaults."""

    def value(of: FourCounts, **options: float) -> float:
        return float(make(**options).value(of))

    return replace(_one_class(key, title, make(), steps, **more), function=value)


def _write_ratio(of: FourCounts, ratio: Ratio) -> str:
    """Write the counts of a ratio; in the denominator those of the numerator come first, and all are n."""
    places = sorted(range(4), key=lambda place: not ratio.part[place])
    above, below = (
        [_times(factors[place], of[place]) for place in places if factors[place]]
        for factors in (ratio.part, ratio.whole)
    )
    return fraction(" + ".join(above), number(of.n) if len(below) == 4 else " + ".join(below))


def _times(factor: float, rows: float) -> str:
    return number(rows) if factor == 1 else rf"{number(factor)} \cdot {number(rows)}"


def _count(key: str, title: str, parts: Callable[[FourCounts], tuple[int, int]], **more: Any) -> Metric:
    def steps(of: FourCounts) -> str:
        return " + ".join(number(rows) for rows in parts(of))

    return _metric(
        key, title, lambda of: sum(parts(of)), steps, source="A plain count.", direction="zero",
        range=(0, float("inf")), unit="rows", no_interval="it counts rows of this file", **more,
    )  # fmt: skip


def _f_beta(of: FourCounts, *, beta: float = 2.0) -> str:
    weight = number(beta * beta)
    hits = rf"(1 + {weight}) \cdot {number(of.tp)}"
    return fraction(hits, rf"{hits} + {weight} \cdot {number(of.fn)} + {number(of.fp)}")


def _net_benefit(of: FourCounts, *, probability: float = 0.5) -> str:
    odds = fraction(number(probability), number(1 - probability))
    return rf"{fraction(number(of.tp), of.n)} - {fraction(number(of.fp), of.n)} \cdot {odds}"


def _expected_cost(of: FourCounts, *, cost_fp: float = 1.0, cost_fn: float = 1.0) -> str:
    above = rf"{number(cost_fp)} \cdot {number(of.fp)} + {number(cost_fn)} \cdot {number(of.fn)}"
    return fraction(above, of.n)


def _correlation(of: FourCounts) -> str:
    sides = (of.tp + of.fp, of.tp + of.fn, of.tn + of.fp, of.tn + of.fn)
    above = rf"{number(of.tp)} \cdot {number(of.tn)} - {number(of.fp)} \cdot {number(of.fn)}"
    below = r" \cdot ".join(number(side) for side in sides)
    return fraction(above, rf"\sqrt{{{below}}}")


def _geometric_mean(of: FourCounts) -> str:
    return rf"\sqrt{{{fraction(of.tp, of.tp + of.fn)} \cdot {fraction(of.tn, of.tn + of.fp)}}}"


def _likelihood_ratio(of: FourCounts, above: Ratio, below: Ratio) -> str:
    return fraction(_write_ratio(of, above), _write_ratio(of, below))


def _youden_j(of: FourCounts) -> str:
    return f"{fraction(of.tp, of.tp + of.fn)} + {fraction(of.tn, of.tn + of.fp)} - 1"


ROWS = (
    _count(
        "support",
        "Support",
        lambda of: (of.tp, of.fn),
        definition="The number of rows whose true label is the class.",
        scikit_learn="o.tp + o.fn",
        formula=r"t_k = TP + FN",
        when="Read it beside a class's other numbers: it says how many true rows they are computed from.",
        pitfall="With fewer than ten rows, one row changes recall by more than ten points.",
    ),
    _count(
        "predicted",
        "Predicted count",
        lambda of: (of.tp, of.fp),
        definition="The number of rows that are predicted as the class.",
        scikit_learn="o.tp + o.fp",
        formula=r"p_k = TP + FP",
        when="Compare it with the support: it shows which classes are predicted too often or too rarely.",
        pitfall="Equal to the support does not mean right: the rows may be different ones.",
    ),
    _share(
        "precision",
        "Precision",
        outcomes.PRECISION,
        class_tables=EVERY_TASK,
        class_key="precision",
        headline=Headline(2, "Precision of the positive class"),
        undefined="undefined (0 of 0), because no row is predicted as this class",
        definition="Of the rows predicted as the class, the share that truly are.",
        scikit_learn="share(o.tp, o.tp + o.fp)",
        formula=r"\frac{TP}{TP + FP}",
        when="A false positive is costly: how many rows predicted as this class are right?",
        pitfall="Predicting the class only when sure makes it high, however many rows are missed. It falls when the "
        "class is rarer in another file. Undefined for a class never predicted.",
        source=RIJSBERGEN,
    ),
    _share(
        "recall",
        "Recall (sensitivity, true positive rate)",
        outcomes.RECALL,
        class_tables=EVERY_TASK,
        class_key="recall",
        headline=Headline(1, "Recall of the positive class"),
        undefined="undefined (0 of 0), because the class has no true rows",
        definition="Of the class's true rows, the share that are predicted as the class.",
        scikit_learn="share(o.tp, o.tp + o.fn)",
        formula=r"\frac{TP}{TP + FN}",
        when="A false negative is costly: how many of the true rows are found?",
        pitfall="Predicting every row as this class makes it 1. Undefined without true rows.",
        source=RIJSBERGEN,
    ),
    _share(
        "f1",
        "F1",
        outcomes.F1,
        class_tables=EVERY_TASK,
        class_key="f1",
        undefined="undefined (0 of 0), because the class has no true rows, and no row is predicted as this class",
        definition="The harmonic mean of precision and recall: high only if both are.",
        scikit_learn="share(2 * o.tp, 2 * o.tp + o.fp + o.fn)",
        formula=r"\frac{2\,TP}{2\,TP + FP + FN}",
        when="The class is rare, false negatives and false positives cost about the same, and true negatives should "
        "not count.",
        pitfall="It does not say which of precision and recall is low. It changes when the other class is the positive "
        "one.",
        instead="With probabilities in place of labels it is smooth: the Dice loss.",
        source=RIJSBERGEN,
    ),
    _with_options(
        "f_beta",
        "F2 (F-beta with beta 2)",
        outcomes.f_beta,
        _f_beta,
        class_key="f2",
        aliases=("f2",),
        definition="The mean of precision and recall in which recall counts beta times as much; beta is 2.",
        scikit_learn="share(5 * o.tp, 5 * o.tp + 4 * o.fn + o.fp)  # beta is 2",
        formula=r"\frac{(1 + \beta^2)\,TP}{(1 + \beta^2)\,TP + \beta^2\,FN + FP}",
        when="Recall matters more (beta above 1, often 2) or precision does (beta under 1, often 0.5).",
        pitfall="The usual values of beta are conventions. If you know what both mistakes cost, use the expected cost.",
        source=RIJSBERGEN,
    ),
    _share(
        "specificity",
        "Specificity (true negative rate)",
        outcomes.SPECIFICITY,
        class_key="specificity",
        definition="The share of the other classes' rows that are not predicted as the class.",
        scikit_learn="share(o.tn, o.tn + o.fp)",
        formula=r"\frac{TN}{TN + FP}",
        when="Rows of other classes should not be predicted as this one, as healthy people in a screening.",
        pitfall="With many negatives it is near 1 even when most predicted positives are false.",
        source=ALTMAN,
    ),
    _share(
        "false_positive_rate",
        "False positive rate",
        outcomes.FALSE_POSITIVE_RATE,
        direction="lower",
        class_key="false_positive_rate",
        aliases=("fpr",),
        definition="The share of the other classes' rows that are predicted as the class.",
        scikit_learn="share(o.fp, o.fp + o.tn)",
        formula=r"\frac{FP}{FP + TN} = 1 - \text{specificity}",
        when="As the horizontal axis of a ROC curve: what share of the negatives is predicted as positive?",
        pitfall="It is not the share of false positives among the predicted positives. That is 1 - precision and can "
        "be far higher.",
        source="Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27(8).",
    ),
    _share(
        "negative_predictive_value",
        "Negative predictive value",
        outcomes.NEGATIVE_PREDICTIVE_VALUE,
        class_key="npv",
        aliases=("npv",),
        definition="The share of right rows among those not predicted as the class.",
        scikit_learn="share(o.tn, o.tn + o.fn)",
        formula=r"\frac{TN}{TN + FN}",
        when="How many rows not predicted as the class are right?",
        pitfall="Where the class is rare, it is near 1 even for a model that finds nothing.",
        source="Altman and Bland (1994), Diagnostic tests 2: predictive values, BMJ 309.",
    ),
    _one_class(
        "youden_j",
        "Youden's J (informedness)",
        outcomes.YOUDEN_J,
        _youden_j,
        range=(-1, 1),
        class_key="youden_j",
        definition="Recall + specificity − 1: 0 is guessing, 1 is perfect.",
        scikit_learn="share(o.tp, o.tp + o.fn) + share(o.tn, o.tn + o.fp) - 1",
        formula=r"\frac{TP}{TP + FN} + \frac{TN}{TN + FP} - 1",
        when="Both classes should be found, whatever their sizes: 0 is guessing, 1 is perfect. Often used to choose a "
        "threshold.",
        pitfall="One percent of a rare class counts like one percent of a large one, though it is far fewer rows.",
        source="Youden (1950), Index for rating diagnostic tests, Cancer 3(1).",
    ),
    _one_class(
        "class_mcc",
        "Matthews correlation of one class, one-vs-rest",
        outcomes.CORRELATION,
        _correlation,
        short="one-vs-rest Matthews correlation",
        range=(-1, 1),
        class_key="mcc",
        undefined="undefined (0 of 0), because the class is true, or predicted, in no row or in every row",
        definition="The correlation of “true class” with “predicted class”: 0 is guessing, 1 is perfect.",
        scikit_learn="correlation(*one_class(p, k), p.weight)",
        formula=r"\frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}",
        when="One number of a class that is high only if all of its four counts are good.",
        pitfall="Values between 0 and 1 have no simple meaning. Undefined for a class never predicted, which "
        "scikit-learn counts as 0.",
        source="Matthews (1975), Biochimica et Biophysica Acta 405(2).",
    ),
    _one_class(
        "g_mean",
        "G-mean of one class",
        outcomes.GEOMETRIC_MEAN,
        _geometric_mean,
        class_key="g_mean",
        definition="The geometric mean of recall and specificity: 0 as soon as one of them is 0.",
        scikit_learn="(share(o.tp, o.tp + o.fn) * share(o.tn, o.tn + o.fp)) ** 0.5",
        formula=r"\sqrt{\frac{TP}{TP + FN} \cdot \frac{TN}{TN + FP}}",
        when="The class is rare, and both its rows and the other rows should be found.",
        pitfall="With many negatives specificity is near 1, so that it is about the square root of recall. Precision "
        "has no part in it.",
        source="Kubat and Matwin (1997), Addressing the curse of imbalanced training sets, ICML.",
    ),
    _one_class(
        "positive_likelihood_ratio",
        "Positive likelihood ratio (LR+)",
        outcomes.POSITIVE_LIKELIHOOD_RATIO,
        partial(_likelihood_ratio, above=outcomes.RECALL, below=outcomes.FALSE_POSITIVE_RATE),
        range=(0, float("inf")),
        class_key="positive_likelihood_ratio",
        undefined="undefined (a share of 0 below), because no other row is predicted as the class, or it has no rows",
        definition="How many times as often the class is predicted in its own rows as in other rows.",
        scikit_learn="ratio(share(o.tp, o.tp + o.fn), share(o.fp, o.fp + o.tn))",
        formula=r"\frac{TPR}{FPR}",
        when="A prediction is to move a known prevalence: odds after it = LR+ times odds before.",
        pitfall="A few false positives decide it where specificity is near 1. Without any, it is undefined, not "
        "infinite.",
        source="Deeks and Altman (2004), Diagnostic tests 4: likelihood ratios, BMJ 329.",
    ),
    _one_class(
        "negative_likelihood_ratio",
        "Negative likelihood ratio (LR−)",
        outcomes.NEGATIVE_LIKELIHOOD_RATIO,
        partial(_likelihood_ratio, above=outcomes.FALSE_NEGATIVE_RATE, below=outcomes.SPECIFICITY),
        range=(0, float("inf")),
        direction="lower",
        class_key="negative_likelihood_ratio",
        undefined="undefined (a share of 0 below), because every other row is predicted as the class, or has no rows",
        definition="How many times as often the class is not predicted in its own rows as in other rows.",
        scikit_learn="ratio(share(o.fn, o.tp + o.fn), share(o.tn, o.fp + o.tn))",
        formula=r"\frac{1 - TPR}{TNR}",
        when="To rule a class out: odds after a prediction of another class = LR− times odds before. 0 is perfect.",
        pitfall="Near 0 a few missed rows decide it, so read it with its interval.",
        source="Deeks and Altman (2004), Diagnostic tests 4: likelihood ratios, BMJ 329.",
    ),
    _share(
        "f05",
        "F0.5",
        outcomes.f_beta(0.5),
        class_key="f05",
        definition="The mean of precision and recall in which precision counts twice as much.",
        scikit_learn="share(1.25 * o.tp, 1.25 * o.tp + 0.25 * o.fn + o.fp)",
        formula=r"\frac{1.25\,TP}{1.25\,TP + 0.25\,FN + FP}",
        when="A false positive is worse than a missed row.",
        pitfall="The 0.5 is a convention. If you know what both mistakes cost, use the expected cost.",
        source=RIJSBERGEN,
    ),
    _share(
        "class_accuracy",
        "Accuracy of one class, one-vs-rest",
        outcomes.ACCURACY,
        short="per-label accuracy",
        class_tables=("multilabel",),
        class_key="accuracy",
        unit="share",
        definition="The share of rows for which “this class or another” is predicted correctly.",
        scikit_learn="(o.tp + o.tn) / p.weight.sum()",
        formula=r"\frac{TP + TN}{TP + FP + FN + TN}",
        when="Each label counts by itself, and it is true in about half of the rows.",
        pitfall="A rare class has an accuracy near 1 even when it is never found.",
        source="Sokolova and Lapalme (2009), Information Processing & Management 45(4).",
    ),
    _share(
        "class_jaccard",
        "Jaccard index of one class",
        outcomes.JACCARD,
        class_key="jaccard",
        aliases=("jaccard",),
        definition="The overlap of true and predicted rows of the class, divided by their union.",
        scikit_learn="share(o.tp, o.tp + o.fp + o.fn)",
        formula=r"\frac{TP}{TP + FP + FN}",
        when="How much do true rows and predicted rows of the class overlap?",
        pitfall="It ranks like F1 but is lower, J = F1 / (2 - F1): do not compare one with the other.",
        instead="With probabilities in place of labels it is smooth: the soft Jaccard loss.",
        source="Jaccard (1912), The distribution of the flora in the alpine zone, New Phytologist 11(2).",
    ),
    _share(
        "predicted_share",
        "Share of rows predicted as the class",
        outcomes.PREDICTED_SHARE,
        direction="zero",
        class_key="predicted_share",
        aliases=("predicted_positive_rate",),
        definition="The share of all rows that are predicted as the class.",
        scikit_learn="(o.tp + o.fp) / p.weight.sum()",
        formula=r"\frac{TP + FP}{n}",
        when="Every predicted row costs work, and you can do only so much. Or compare it with the true share.",
        pitfall="Equal to the true share does not mean right: the rows may be different ones.",
        not_compared="More or fewer predicted rows are neither better nor worse.",
        source="A plain share.",
    ),
    _with_options(
        "net_benefit",
        "Net benefit",
        outcomes.net_benefit,
        _net_benefit,
        definition="True positives per row, minus false positives per row times the odds of the threshold probability.",
        scikit_learn="(o.tp - o.fp) / p.weight.sum()  # at the threshold probability 0.5",
        formula=r"\frac{TP}{n} - \frac{FP}{n} \cdot \frac{p_t}{1 - p_t}",
        range=(float("-inf"), 1),
        when="Is it better to act on the model than on every row, or on none? None has 0.",
        pitfall="The threshold probability is a score only where scores are calibrated, and it holds for this share of "
        "positives.",
        not_compared="It says the same as the expected cost, with the other sign: a missed row costs 1, a false "
        "positive the odds of the threshold probability. Give a table of these costs, and compare the expected cost.",
        source="Vickers and Elkin (2006), Decision curve analysis, Medical Decision Making 26.",
    ),
    _with_options(
        "expected_cost",
        "Expected cost a row",
        outcomes.expected_cost,
        _expected_cost,
        short="expected cost",
        definition="What the mistakes cost on average for each row.",
        scikit_learn="(o.fp + o.fn) / p.weight.sum()  # both mistakes cost 1",
        formula=r"\frac{C_{FP} \cdot FP + C_{FN} \cdot FN}{n}",
        direction="lower",
        range=(0, float("inf")),
        when="Both mistakes have a price. It says what a row costs on average. The best threshold has the lowest cost.",
        pitfall="It is only as good as the prices, and it holds for this share of positives only.",
        not_compared="Give what each mistake costs as a table of costs: --costs FILE.csv.",
        source="Elkan (2001), The foundations of cost-sensitive learning, IJCAI.",
        unit="cost",
    ),
)
