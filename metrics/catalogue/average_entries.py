"""Registry rows of averages over classes: each name says over which."""

from __future__ import annotations

from functools import partial
from typing import Any

from metrics.catalogue.metric import Headline, Metric
from metrics.catalogue.worked_examples import fraction, mean, number, total
from metrics.confusion.averages import Counts, Over, macro, macro_precision_predicted, micro, rates_over, weighted
from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.macro_gap import macro_gap
from metrics.intervals.rates import Average, averaged
from metrics.outcomes import F1, JACCARD, NEGATIVE_PREDICTIVE_VALUE, PRECISION, RECALL, SPECIFICITY, Ratio, f_beta

_metric = partial(Metric, eats="confusion counts")
RATES: dict[str, Ratio] = {"f1": F1, "precision": PRECISION, "recall": RECALL}
SPOKEN: dict[str, str] = {"f1": "F1", "precision": "precision", "recall": "recall"}
SYMBOL: dict[str, str] = {
    "f1": r"\frac{2 c_k}{t_k + p_k}",
    "precision": r"\frac{c_k}{p_k}",
    "recall": r"\frac{c_k}{t_k}",
}
MICRO: dict[str, str] = {
    "f1": r"\frac{2 \sum_k c_k}{\sum_k t_k + \sum_k p_k}",
    "precision": r"\frac{\sum_k c_k}{\sum_k p_k}",
    "recall": r"\frac{\sum_k c_k}{\sum_k t_k}",
}
OPITZ = "Opitz and Burst (2019), Macro F1 and macro F1, arXiv:1911.03347."
YANG = "Yang (1999), An evaluation of statistical approaches to text categorization, Information Retrieval 1."
RIJSBERGEN = "Van Rijsbergen (1979), Information Retrieval, chapter 7."
SOKOLOVA = "Sokolova and Lapalme (2009), Information Processing & Management 45(4)."
MANNING = "Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, section 13.6."

Texts = tuple[str, str, str, str]
"""Say what a macro average is over: in a title, in a definition, as a set; and when to use it."""
OVER: dict[Over, Texts] = {
    "seen": (
        "classes seen in truth or prediction",
        "the classes that are true or predicted somewhere",
        r"\{k : t_k + p_k > 0\}",
        "To compare with scikit-learn, whose own choice of classes this is.",
    ),
    "supported": (
        "classes with true rows",
        "the classes with true rows",
        r"\{k : t_k > 0\}",
        "Every class with true rows should count the same, large or small.",
    ),
    "space": (
        "all listed classes",
        "all listed classes",
        r"\text{label list}",
        "Every class has true rows, or you compare with a figure published over all classes.",
    ),
}
END: dict[Over, str] = {"seen": "", "supported": "_supported", "space": "_label_space"}
KIND: dict[Over, Average] = {"seen": "macro", "supported": "macro_supported", "space": "macro_label_space"}
# By the average and the rate; averages over classes and over labels share them.
HEADLINES: dict[tuple[str, str], Headline] = {
    ("micro", "f1"): Headline(9),
    ("macro", "f1"): Headline(10, "Macro F1 over classes seen"),
    ("macro_supported", "f1"): Headline(11),
    ("macro_label_space", "f1"): Headline(12),
    ("weighted", "f1"): Headline(13),
    ("macro", "precision"): Headline(14),
    ("macro", "recall"): Headline(15),
    ("weighted", "precision"): Headline(16),
    ("samples", "f1"): Headline(17),
}
_ADDED = "One prediction of a {one} without true rows adds it to the average as 0."
_FEW = "{Many} with few rows change it by chance."
_NEVER = " It is undefined as soon as one of the {many} is never predicted."
PITFALLS: dict[tuple[str, Over], str] = {
    ("f1", "seen"): _ADDED,
    ("f1", "supported"): f"{_FEW} Predictions of {{many}} without true rows lower it only through recall.",
    ("f1", "space"): "A {one} without true rows lowers it whatever the model does. The highest possible value is the "
    "share of {many} with true rows. A {one} neither true nor predicted counts as 0 by convention.",
    ("precision", "seen"): _ADDED + _NEVER,
    ("precision", "supported"): f"{_FEW} Predictions of {{many}} without true rows do not lower it.{_NEVER}",
    ("precision", "space"): "A {one} that is predicted and never true counts as 0." + _NEVER,
    ("recall", "seen"): "One prediction of a {one} without true rows makes it undefined.",
    ("recall", "supported"): _FEW,
    ("recall", "space"): "It is undefined as soon as one of the {many} has no true rows.",
}
"""Pitfall of a macro average of a rate over classes, or over labels."""


def macro_pitfall(which: str, over: Over, noun: str, plural: str) -> str:
    """Return the pitfall of a macro average over classes or over labels.

    >>> macro_pitfall("recall", "space", "label", "labels")
    'It is undefined as soon as one of the labels has no true rows.'
    """
    return PITFALLS[which, over].format(one=noun, many=plural, Many=plural.capitalize())


def mean_of_rates(counts: Counts, *, rate: Ratio, over: Over = "seen") -> str:
    """Write the mean that `macro` takes."""
    return mean(rates_over(counts, rate, over).tolist())


def macro_row(
    which: str, over: Over, texts: Texts, noun: str, plural: str, symbol: str, rate_symbol: str, **more: Any
) -> Metric:
    """Return the row of a macro average over classes, or over labels; `symbol` is one of them in the formula."""
    members, them, chosen, when = texts
    title, headline = f"Macro {SPOKEN[which]} over {members}", HEADLINES.get(("macro" + END[over], which))
    return Metric(
        key=f"macro_{which}{END[over]}",
        title=title,
        short="" if over == "seen" else title,
        function=partial(macro, rate=RATES[which], over=over),
        steps=partial(mean_of_rates, rate=RATES[which], over=over),
        definition=f"The plain mean of every {noun}'s {SPOKEN[which]}, over {them}.",
        scikit_learn=f"macro(rates(p), '{which}', '{over}')",
        formula=rf"\frac{{1}}{{|S|}} \sum_{{{symbol} \in S}} {rate_symbol} \qquad S = {chosen}",
        when=when,
        pitfall=macro_pitfall(which, over, noun, plural),
        zero_division=True,
        influence=partial(averaged, rate=RATES[which], average=KIND[over]),
        headline=headline and headline._replace(title=headline.title.replace("classes", plural)),
        **more,
    )


def _macro(which: str, over: Over) -> Metric:
    return macro_row(
        which, over, OVER[over], "class", "classes", "k", SYMBOL[which], eats="confusion counts",
        aliases=() if over == "supported" else (f"macro_{which}_{over}",),
        source=OPITZ if which == "f1" else MANNING,
    )  # fmt: skip


def _macro_seen(key: str, rate: Ratio, name: str, symbol: str, which: str, pitfall: str, source: str) -> Metric:
    """Return the row of the mean of another rate over the classes that scikit-learn chooses; `which`: in the script."""
    return _metric(
        key,
        f"Macro {name}",
        partial(macro, rate=rate),
        partial(mean_of_rates, rate=rate),
        definition=f"The plain mean of every class's {name}, over {OVER['seen'][1]}.",
        scikit_learn=f"macro(rates(p), '{which}', 'seen')",
        formula=rf"\frac{{1}}{{|S|}} \sum_{{k \in S}} {symbol} \qquad S = \{{k : t_k + p_k > 0\}}",
        when=f"Every class should count the same, and its {name} is what matters.",
        pitfall=pitfall,
        source=source,
        influence=partial(averaged, rate=rate, average="macro"),
    )


def _write_micro(counts: ConfusionCounts, *, which: str) -> str:
    right, parsed = counts.correct.sum(), counts.n - counts.n_unparsed
    parts: dict[str, tuple[float | str, float | str]] = {
        "f1": (rf"2 \cdot {number(right)}", f"{number(counts.n)} + {number(parsed)}"),
        "precision": (right, parsed),
        "recall": (right, counts.n),
    }
    return fraction(*parts[which])


def _micro(which: str) -> Metric:
    return _metric(
        key=f"micro_{which}",
        title=f"Micro {SPOKEN[which]}",
        function=partial(micro, rate=RATES[which]),
        definition=f"{SPOKEN[which].capitalize()} counted over all rows together, whatever their class.",
        scikit_learn=f"micro(p, metrics.{which}_score)",
        formula=MICRO[which],
        when="Every row should count the same. In a single-label file it is the accuracy, if every answer has a label.",
        pitfall="Frequent classes decide it: rare ones can be missed altogether and it hardly changes."
        + (" Answers without a label do not lower it." if which == "precision" else ""),
        source=YANG,
        steps=partial(_write_micro, which=which),
        influence=partial(averaged, rate=RATES[which], average="micro"),
        headline=HEADLINES.get(("micro", which)),
    )


def write_weighted(counts: Counts, *, rate: Ratio) -> str:
    """Write the mean that `weighted` takes."""
    pairs = zip(counts.support.tolist(), rate.value(counts).tolist(), strict=True)
    terms = [rf"{number(rows)} \cdot {number(value)}" for rows, value in pairs if rows]
    return fraction(total(terms), counts.support.sum())


def _weighted_entry(which: str) -> Metric:
    extra = {
        "f1": " It need not lie between weighted precision and weighted recall.",
        "precision": " It is undefined as soon as a class with true rows is never predicted.",
        "recall": " It is always the same number as accuracy.",
    }
    return _metric(
        key=f"weighted_{which}",
        title=f"Weighted {SPOKEN[which]}",
        function=partial(weighted, rate=RATES[which]),
        definition=f"The mean of every class's {SPOKEN[which]}, weighted by its true rows.",
        scikit_learn=f"weighted(rates(p), '{which}')",
        formula=rf"\frac{{1}}{{n}} \sum_{{k : t_k > 0}} t_k \cdot {SYMBOL[which]}",
        when="Classes should count by how often they are true, as they will in use.",
        pitfall="Rare classes hardly change it." + extra[which],
        source="The average=“weighted” of scikit-learn.",
        steps=partial(write_weighted, rate=RATES[which]),
        zero_division=True,
        influence=partial(averaged, rate=RATES[which], average="weighted"),
        headline=HEADLINES.get(("weighted", which)),
    )


def _write_predicted(counts: ConfusionCounts) -> str:
    return mean(PRECISION.value(counts)[counts.predicted > 0].tolist())


def _gap(counts: ConfusionCounts) -> float:
    return macro_gap(counts).gap


def _write_gap(counts: ConfusionCounts) -> str:
    gap = macro_gap(counts)
    return f"{number(gap.micro_f1)} - {number(gap.macro_f1_space)}"


def _highest(counts: ConfusionCounts) -> float:
    return macro_gap(counts).max_macro_f1


def _write_highest(counts: ConfusionCounts) -> str:
    gap = macro_gap(counts)
    listed = counts.n_space - gap.n_never_true
    return fraction(listed - gap.n_absent, listed)


ROWS = (
    *(_macro(which, over) for which in RATES for over in OVER),
    _macro_seen(
        "macro_specificity",
        SPECIFICITY,
        "specificity",
        r"\frac{n - t_k - p_k + c_k}{n - t_k}",
        "specificity",
        "Of many classes each has many negatives, so that it is near 1 for a poor model.",
        SOKOLOVA,
    ),
    _macro_seen(
        "macro_npv",
        NEGATIVE_PREDICTIVE_VALUE,
        "negative predictive value",
        r"\frac{n - t_k - p_k + c_k}{n - p_k}",
        "npv",
        "Of many classes each is rare, so that it is near 1 for a poor model.",
        SOKOLOVA,
    ),
    _macro_seen(
        "jaccard_macro",
        JACCARD,
        "Jaccard index",
        r"\frac{c_k}{t_k + p_k - c_k}",
        "jaccard",
        "It ranks much like macro F1 but is lower: do not compare one with the other.",
        "The average=“macro” of scikit-learn's jaccard_score.",
    ),
    _macro_seen(
        "macro_f05",
        f_beta(0.5),
        "F0.5",
        r"\frac{1.25 \, c_k}{0.25 \, t_k + p_k}",
        "f05",
        "The 0.5 is a convention. " + macro_pitfall("f1", "seen", "class", "classes"),
        RIJSBERGEN,
    ),
    _macro_seen(
        "macro_f2",
        f_beta(2.0),
        "F2",
        r"\frac{5 \, c_k}{4 \, t_k + p_k}",
        "f2",
        "The 2 is a convention. " + macro_pitfall("f1", "seen", "class", "classes"),
        RIJSBERGEN,
    ),
    *(_micro(which) for which in RATES),
    *(_weighted_entry(which) for which in RATES),
    _metric(
        "macro_precision_predicted",
        "Macro precision over the classes that were predicted",
        macro_precision_predicted,
        _write_predicted,
        short="macro precision over predicted classes",
        definition="The plain mean of precision over the classes that are predicted at least once.",
        scikit_learn="macro(rates(p), 'precision', 'predicted')",
        formula=r"\frac{1}{|P|} \sum_{k \in P} \frac{c_k}{p_k} \qquad P = \{k : p_k > 0\}",
        when="Some classes are never predicted, so macro precision is undefined. This one says how many of the "
        "predictions made are right.",
        pitfall="Classes that are never predicted are left out of it, so never predicting a hard class can raise it.",
        source=MANNING,
        no_interval="the classes that it is over depend on the predictions",
    ),
    _metric(
        "macro_gap",
        "Gap between micro and macro F1",
        _gap,
        _write_gap,
        definition="Micro F1 minus macro F1: how much weak classes hide in the overall figure.",
        scikit_learn="micro(p, metrics.f1_score) - macro(rates(p), 'f1', 'space')",
        formula=r"F_1^{\text{micro}} - F_1^{\text{macro, label list}}",
        when="To see whether a good overall number hides weak classes.",
        pitfall="With many listed classes without true rows, the gap is large even for a perfect model. See how much "
        "of it they explain.",
        source=YANG,
        direction="zero",
        range=(-1, 1),
        no_interval="the two figures that it is the difference of have theirs",
    ),
    _metric(
        "max_macro_f1",
        "Highest possible macro F1 over the label list",
        _highest,
        _write_highest,
        definition="The macro F1 of a perfect model, since classes without true rows count as 0.",
        scikit_learn="highest_macro_f1(p, rates(p))",
        formula=r"\frac{|\{k \in S : t_k > 0\}|}{|S|} \qquad S = \text{label list without labels that only "
        r"predictions hold}",
        when="Compare macro F1 over the label list with it: a perfect model reaches this and no more.",
        pitfall="It describes the file, not the model: a perfect model predicts no label that is never true.",
        source="Follows from counting the F1 of a listed class without true rows as 0.",
        direction="zero",
        no_interval="it describes the file",
    ),
)
