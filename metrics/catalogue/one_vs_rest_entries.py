"""Registry rows of one class (or label) against all the others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from metrics.catalogue.metric import Metric
from metrics.catalogue.worked_examples import fraction, number, result
from metrics.confusion import one_vs_rest
from metrics.confusion.one_vs_rest import Counts, OneClass, one_against_rest

_metric = partial(Metric, eats="confusion counts, one class")
RIJSBERGEN = "Van Rijsbergen (1979), Information Retrieval, chapter 7."
COUNT: dict[str, Any] = {
    "source": "A plain count.",
    "direction": "zero",
    "range": (0, float("inf")),
    "unit": "rows",
}
ALTMAN = "Altman and Bland (1994), Diagnostic tests 1: sensitivity and specificity, BMJ 308."


def _row(name: str, title: str, function: Callable[..., float], part: Callable[[OneClass], str], **more: Any) -> Metric:
    def worked(counts: Counts, code: int) -> str:
        return result(part(one_against_rest(counts, code)), function(counts, code))

    return _metric(name, title, function, worked, **more)


def _f_beta(counts: Counts, code: int, *, beta: float = 2.0) -> str:
    at, weight = one_against_rest(counts, code), number(beta * beta)
    hits = rf"(1 + {weight}) \cdot {number(at.tp)}"
    below = rf"{hits} + {weight} \cdot {number(at.fn)} + {number(at.fp)}"
    return result(fraction(hits, below), one_vs_rest.f_beta(counts, code, beta=beta))


def _expected_cost(counts: Counts, code: int, *, cost_fp: float = 1.0, cost_fn: float = 1.0) -> str:
    at = one_against_rest(counts, code)
    above = rf"{number(cost_fp)} \cdot {number(at.fp)} + {number(cost_fn)} \cdot {number(at.fn)}"
    return result(fraction(above, at.n), one_vs_rest.expected_cost(counts, code, cost_fp=cost_fp, cost_fn=cost_fn))


def _f1(at: OneClass) -> str:
    hits = rf"2 \cdot {number(at.tp)}"
    return fraction(hits, f"{hits} + {number(at.fp)} + {number(at.fn)}")


def _share(part: Callable[[OneClass], int], *others: Callable[[OneClass], int]) -> Callable[[OneClass], str]:
    """Write `part` over the sum of itself and the others."""

    def worked(at: OneClass) -> str:
        return fraction(part(at), " + ".join(number(term(at)) for term in (part, *others)))

    return worked


ROWS = (
    _row(
        "support",
        "Support",
        one_vs_rest.support,
        lambda at: f"{number(at.tp)} + {number(at.fn)}",
        definition="The number of rows whose true label is the class.",
        scikit_learn="o.tp + o.fn",
        formula=r"t_k = TP + FN",
        when="Read it beside a class's other numbers: it says how many true rows they are computed from.",
        pitfall="With fewer than ten rows, one row changes recall by more than ten points.",
        **COUNT,
    ),
    _row(
        "predicted",
        "Predicted count",
        one_vs_rest.predicted,
        lambda at: f"{number(at.tp)} + {number(at.fp)}",
        definition="The number of rows that are predicted as the class.",
        scikit_learn="o.tp + o.fp",
        formula=r"p_k = TP + FP",
        when="Compare it with the support: it shows which classes are predicted too often or too rarely.",
        pitfall="Equal to the support does not mean right: the rows may be different ones.",
        **COUNT,
    ),
    _row(
        "precision",
        "Precision",
        one_vs_rest.precision,
        _share(lambda at: at.tp, lambda at: at.fp),
        definition="Of the rows predicted as the class, the share that truly are.",
        scikit_learn="share(o.tp, o.tp + o.fp)",
        formula=r"\frac{TP}{TP + FP}",
        when="A false positive is costly: how many rows predicted as this class are right?",
        pitfall="Predicting the class only when sure makes it high, however many rows are missed. It falls when the "
        "class is rarer in another file. Undefined for a class never predicted.",
        source=RIJSBERGEN,
    ),
    _row(
        "recall",
        "Recall (sensitivity, true positive rate)",
        one_vs_rest.recall,
        _share(lambda at: at.tp, lambda at: at.fn),
        definition="Of the class's true rows, the share that are predicted as the class.",
        scikit_learn="share(o.tp, o.tp + o.fn)",
        formula=r"\frac{TP}{TP + FN}",
        when="A false negative is costly: how many of the true rows are found?",
        pitfall="Predicting every row as this class makes it 1. Undefined without true rows.",
        source=RIJSBERGEN,
    ),
    _row(
        "f1",
        "F1",
        one_vs_rest.f1,
        _f1,
        definition="The harmonic mean of precision and recall: high only if both are.",
        scikit_learn="share(2 * o.tp, 2 * o.tp + o.fp + o.fn)",
        formula=r"\frac{2\,TP}{2\,TP + FP + FN}",
        when="The class is rare, false negatives and false positives cost about the same, and true negatives should "
        "not count.",
        pitfall="It does not say which of precision and recall is low. It changes when the other class is the positive "
        "one.",
        source=RIJSBERGEN,
    ),
    _metric(
        name="f_beta",
        title="F-beta",
        function=one_vs_rest.f_beta,
        definition="The mean of precision and recall in which recall counts beta times as much.",
        scikit_learn="share(5 * o.tp, 5 * o.tp + 4 * o.fn + o.fp)  # beta is 2",
        formula=r"\frac{(1 + \beta^2)\,TP}{(1 + \beta^2)\,TP + \beta^2\,FN + FP}",
        when="Recall matters more (beta above 1, often 2) or precision does (beta under 1, often 0.5).",
        pitfall="The usual values of beta are conventions. If you know what both mistakes cost, use the expected cost.",
        source=RIJSBERGEN,
        worked=_f_beta,
    ),
    _row(
        "specificity",
        "Specificity (true negative rate)",
        one_vs_rest.specificity,
        _share(lambda at: at.tn, lambda at: at.fp),
        definition="The share of the other classes' rows that are not predicted as the class.",
        scikit_learn="share(o.tn, o.tn + o.fp)",
        formula=r"\frac{TN}{TN + FP}",
        when="Rows of other classes should not be predicted as this one, as healthy people in a screening.",
        pitfall="With many negatives it is near 1 even when most predicted positives are false.",
        source=ALTMAN,
    ),
    _row(
        "false_positive_rate",
        "False positive rate",
        one_vs_rest.false_positive_rate,
        _share(lambda at: at.fp, lambda at: at.tn),
        direction="lower",
        definition="The share of the other classes' rows that are predicted as the class.",
        scikit_learn="share(o.fp, o.fp + o.tn)",
        formula=r"\frac{FP}{FP + TN} = 1 - \text{specificity}",
        when="As the horizontal axis of a ROC curve: what share of the negatives is predicted as positive?",
        pitfall="It is not the share of false positives among the predicted positives. That is 1 - precision and can "
        "be far higher.",
        source="Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27(8).",
    ),
    _row(
        "negative_predictive_value",
        "Negative predictive value",
        one_vs_rest.negative_predictive_value,
        _share(lambda at: at.tn, lambda at: at.fn),
        definition="The share of right rows among those not predicted as the class.",
        scikit_learn="share(o.tn, o.tn + o.fn)",
        formula=r"\frac{TN}{TN + FN}",
        when="How many rows not predicted as the class are right?",
        pitfall="Where the class is rare, it is near 1 even for a model that finds nothing.",
        source="Altman and Bland (1994), Diagnostic tests 2: predictive values, BMJ 309.",
    ),
    _row(
        "youden_j",
        "Youden's J (informedness)",
        one_vs_rest.youden_j,
        lambda at: f"{_recall(at)} + {_specificity(at)} - 1",
        range=(-1, 1),
        definition="Recall + specificity − 1: 0 is guessing, 1 is perfect.",
        scikit_learn="share(o.tp, o.tp + o.fn) + share(o.tn, o.tn + o.fp) - 1",
        formula=r"\frac{TP}{TP + FN} + \frac{TN}{TN + FP} - 1",
        when="Both classes should be found, whatever their sizes: 0 is guessing, 1 is perfect. Often used to choose a "
        "threshold.",
        pitfall="One percent of a rare class counts like one percent of a large one, though it is far fewer rows.",
        source="Youden (1950), Index for rating diagnostic tests, Cancer 3(1).",
    ),
    _row(
        "class_accuracy",
        "Accuracy of one class, one-vs-rest",
        one_vs_rest.accuracy,
        lambda at: fraction(f"{number(at.tp)} + {number(at.tn)}", at.n),
        definition="The share of rows for which “this class or another” is predicted correctly.",
        scikit_learn="(o.tp + o.tn) / p.weight.sum()",
        formula=r"\frac{TP + TN}{TP + FP + FN + TN}",
        when="Each label counts by itself, and it is true in about half of the rows.",
        pitfall="A rare class has an accuracy near 1 even when it is never found.",
        source="Sokolova and Lapalme (2009), Information Processing & Management 45(4).",
    ),
    _row(
        "class_jaccard",
        "Jaccard index of one class",
        one_vs_rest.jaccard,
        _share(lambda at: at.tp, lambda at: at.fp, lambda at: at.fn),
        definition="The overlap of true and predicted rows of the class, divided by their union.",
        scikit_learn="share(o.tp, o.tp + o.fp + o.fn)",
        formula=r"\frac{TP}{TP + FP + FN}",
        when="How much do true rows and predicted rows of the class overlap?",
        pitfall="It ranks like F1 but is lower, J = F1 / (2 - F1): do not compare one with the other.",
        source="Jaccard (1912), The distribution of the flora in the alpine zone, New Phytologist 11(2).",
    ),
    _row(
        "predicted_share",
        "Share of rows predicted as the class",
        one_vs_rest.predicted_share,
        lambda at: fraction(f"{number(at.tp)} + {number(at.fp)}", at.n),
        direction="zero",
        definition="The share of all rows that are predicted as the class.",
        scikit_learn="(o.tp + o.fp) / p.weight.sum()",
        formula=r"\frac{TP + FP}{n}",
        when="Every predicted row costs work, and you can do only so much. Or compare it with the true share.",
        pitfall="Equal to the true share does not mean right: the rows may be different ones.",
        source="A plain share.",
    ),
    _metric(
        name="expected_cost",
        title="Expected cost of a row",
        function=one_vs_rest.expected_cost,
        definition="What the mistakes cost on average for each row.",
        scikit_learn="(o.fp + o.fn) / p.weight.sum()  # both mistakes cost 1",
        formula=r"\frac{C_{FP} \cdot FP + C_{FN} \cdot FN}{n}",
        direction="lower",
        range=(0, float("inf")),
        when="Both mistakes have a price. It says what a row costs on average. The best threshold has the lowest cost.",
        pitfall="It is only as good as the prices, and it holds for this share of positives only.",
        source="Elkan (2001), The foundations of cost-sensitive learning, IJCAI.",
        worked=_expected_cost,
        unit="cost",
    ),
)


def _recall(at: OneClass) -> str:
    return fraction(at.tp, at.tp + at.fn)


def _specificity(at: OneClass) -> str:
    return fraction(at.tn, at.tn + at.fp)
