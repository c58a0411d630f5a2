"""Registry rows of single numbers over all rows of a confusion matrix."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from metrics.catalogue.metric import Headline, Metric
from metrics.catalogue.worked_examples import fraction, number, total
from metrics.confusion import label_metrics
from metrics.confusion.counts import ConfusionCounts
from metrics.intervals.joint_counts import JointCounts
from metrics.intervals.overall import cohen_kappa, share_right
from metrics.intervals.rates import averaged, geometric_mean_of_recalls, matthews_correlation
from metrics.intervals.statistic import Statistic, share_of_rows
from metrics.outcomes import RECALL

_metric = partial(Metric, eats="confusion counts")


def _accuracy(counts: ConfusionCounts) -> str:
    return fraction(counts.correct.sum(), counts.n)


def _accuracy_parsed(counts: ConfusionCounts) -> str:
    return fraction(counts.correct.sum(), counts.n - counts.n_unparsed)


def _parse_rate(counts: ConfusionCounts) -> str:
    return fraction(counts.n - counts.n_unparsed, counts.n)


def _majority(counts: ConfusionCounts) -> str:
    return fraction(counts.support.max(initial=0), counts.n)


def _balanced_accuracy(counts: ConfusionCounts) -> str:
    asked = np.flatnonzero(counts.support)
    recalls = [fraction(counts.correct[code], counts.support[code]) for code in asked]
    return rf"\frac{{1}}{{{len(asked)}}} \left( {total(recalls)} \right)"


def _geometric_mean(counts: ConfusionCounts) -> str:
    asked = np.flatnonzero(counts.support)
    recalls = [fraction(counts.correct[code], counts.support[code]) for code in asked]
    shown = recalls if len(recalls) <= 4 else [*recalls[:2], r"\dots", recalls[-1]]
    product = r" \cdot ".join(shown) or "0"
    return rf"\left( {product} \right)^{{1/{len(asked)}}}"


def _p_of_baseline(counts: ConfusionCounts) -> str:
    right, most = counts.correct.sum(), counts.support.max(initial=0)
    drawn = rf"\text{{binomial}}({number(counts.n)}, {fraction(most, counts.n)})"
    return rf"P(\text{{{right:,}}} \text{{ or more of }} {drawn})"


def _cohen_kappa(counts: ConfusionCounts) -> str:
    agreed = number(label_metrics.accuracy(counts))
    by_chance = number(float(counts.support @ (counts.predicted / counts.n)) / counts.n if counts.n else math.nan)
    return fraction(f"{agreed} - {by_chance}", f"1 - {by_chance}")


def _matthews_correlation(counts: ConfusionCounts) -> str:
    n, right = number(counts.n), number(counts.correct.sum())
    true, pred = counts.support.astype(float), counts.predicted.astype(float)
    squares_pred = float(pred @ pred) + float(counts.n_unparsed) ** 2
    above = rf"{n} \cdot {right} - {number(float(true @ pred))}"
    spreads = [rf"\left({n}^2 - {number(squares)}\right)" for squares in (squares_pred, float(true @ true))]
    return fraction(above, rf"\sqrt{{{' '.join(spreads)}}}")


def _entropy(counts: ConfusionCounts) -> str:
    support = counts.support[counts.support > 0]
    share = support / counts.n
    terms = [rf"{number(p)} \ln {number(p)}" for p in share.tolist()]
    return rf"-\frac{{{total(terms)}}}{{\ln {len(support)}}}"


def _accuracy_parsed_influence(cells: JointCounts, model: int = 0) -> Statistic:
    return share_of_rows(cells, cells.right(model), cells.preds[model] >= 0)


def _baseline_influence(cells: JointCounts, model: int = 0) -> Statistic:
    most_frequent = int(np.argmax(cells.totals(model).support))
    return share_of_rows(cells, cells.true == most_frequent)


ROWS = (
    _metric(
        key="accuracy",
        title="Accuracy",
        function=label_metrics.accuracy,
        definition="The share of rows that are predicted as their true label.",
        scikit_learn="metrics.accuracy_score(p.y_true, p.y_pred, sample_weight=p.weight)",
        formula=r"\frac{\text{rows with the right label}}{\text{all scored rows}}",
        when="Every class is predicted and about equally frequent, and every mistake costs about the same.",
        pitfall="Where one class has most of the rows, always predicting it scores high; read it beside the "
        "majority-class accuracy. A row in which no label was found counts as wrong here.",
        instead="Cross-entropy takes its place in training.",
        source="Sokolova and Lapalme (2009), A systematic analysis of performance measures for classification tasks, "
        "Information Processing & Management 45(4).",
        influence=share_right,
        headline=Headline(3),
        unit="share",
        steps=_accuracy,
    ),
    _metric(
        key="accuracy_parsed",
        title="Accuracy where a label was found",
        function=label_metrics.accuracy_parsed,
        definition="The share of right rows among those in which a label was found.",
        scikit_learn="share(p.weight[p.y_true == p.y_pred].sum(), p.weight[p.y_pred >= 0].sum())",
        formula=r"\frac{\text{rows with the right label}}{\text{rows with a label found}}",
        when="Answers are free text, and you want the accuracy apart from answers without a label.",
        pitfall="It rises if only easy rows get a label. Give the share of answers with a label, too.",
        source="Accuracy over a part of the rows; its name keeps it apart from accuracy.",
        influence=_accuracy_parsed_influence,
        headline=Headline(4),
        unit="share",
        steps=_accuracy_parsed,
    ),
    _metric(
        key="parse_rate",
        title="Share of answers with a label",
        function=label_metrics.parse_rate,
        definition="The share of rows in which a label was found.",
        scikit_learn="np.average(p.y_pred >= 0, weights=p.weight)",
        formula=r"\frac{\text{rows with a label found}}{\text{all scored rows}}",
        when="Labels were read from free text. If it is low, improve the prompt or the parser.",
        pitfall="It does not say whether labels are right. It depends on the parser as much as on the model.",
        source="A plain share.",
        no_interval="the answers without a label are counted and listed",
        unit="share",
        steps=_parse_rate,
    ),
    _metric(
        key="baseline_accuracy",
        title="Majority-class accuracy",
        function=label_metrics.baseline_accuracy,
        definition="The accuracy of always predicting the most frequent class.",
        scikit_learn="rates(p).support.max() / p.weight.sum()",
        formula=r"\frac{\max_k t_k}{n} \qquad t_k = \text{true rows of class } k",
        direction="zero",
        when="Compare accuracy with it: it is what always predicting the most frequent class would score.",
        pitfall="It uses the most frequent class of this file. On few rows, a slightly higher accuracy proves little.",
        source="Witten and Frank (2005), Data Mining, there called ZeroR.",
        influence=_baseline_influence,
        headline=Headline(5, "Always predicting the majority class"),
        unit="share",
        steps=_majority,
    ),
    _metric(
        key="balanced_accuracy",
        title="Balanced accuracy",
        function=label_metrics.balanced_accuracy,
        definition="The mean recall of the classes with true rows.",
        scikit_learn="macro(rates(p), 'recall', 'supported')",
        formula=r"\frac{1}{|T|} \sum_{k \in T} \frac{c_k}{t_k} \qquad T = \text{classes with true rows}",
        when="Classes differ in size, and recall of each matters the same. Guessing gives 1 divided by the number of "
        "classes.",
        pitfall="It is about recall only: false positives in a large class hardly change it. A class of five rows "
        "counts as much as one of five thousand, so chance can change it.",
        source="Brodersen et al. (2010), The balanced accuracy and its posterior distribution, ICPR.",
        influence=partial(averaged, rate=RECALL, average="macro_supported"),
        headline=Headline(6),
        instead="Cross-entropy with rows weighted by 1 / their class's rows takes its place.",
        steps=_balanced_accuracy,
    ),
    _metric(
        key="accuracy_above_baseline_p",
        title="p of accuracy against the no-information rate",
        function=label_metrics.p_of_baseline,
        definition="The probability of this accuracy or more if rows were right as often as the most frequent class.",
        scikit_learn="p_of_baseline(p)",
        formula=r"\sum_{i = c}^{n} \frac{n!}{i! \, (n - i)!} \left( \frac{\max_k t_k}{n} \right)^i"
        r"\left( 1 - \frac{\max_k t_k}{n} \right)^{n - i} \qquad c = \text{right rows}",
        direction="lower",
        when="Accuracy is hardly above that of always predicting the most frequent class. Is it more than chance?",
        pitfall="A small p does not say that the model is useful, and with many rows it is always small. It takes rows "
        "as independent, and their weights do not count.",
        source="Kuhn (2008), Building predictive models in R using the caret package, Journal of Statistical Software "
        "28(5): the one-sided binomial test of its confusionMatrix.",
        no_interval="it is a p value",
        unit="p",
        steps=_p_of_baseline,
    ),
    _metric(
        key="g_mean_of_recalls",
        title="G-mean over classes",
        short="G-mean over classes",
        function=label_metrics.geometric_mean_of_recalls,
        definition="The geometric mean of the recalls of the classes with true rows.",
        scikit_learn="geometric_mean(rates(p))",
        formula=r"\left( \prod_{k \in T} \frac{c_k}{t_k} \right)^{1 / |T|} \qquad T = \text{classes with true rows}",
        when="No class may be missed: it is 0 as soon as one class is never found.",
        pitfall="Of many classes, a small one that is never found makes it 0, whatever the others are. Precision has "
        "no part in it.",
        source="Sun, Kamel and Wang (2006), Boosting for learning multiple classes with imbalanced class "
        "distribution, ICDM.",
        influence=geometric_mean_of_recalls,
        steps=_geometric_mean,
    ),
    _metric(
        key="cohen_kappa",
        title="Cohen's kappa",
        function=label_metrics.cohen_kappa,
        definition="How far agreement exceeds what chance gives for these label frequencies.",
        scikit_learn="metrics.cohen_kappa_score(p.y_true, p.y_pred, sample_weight=p.weight)",
        formula=r"\frac{p_o - p_e}{1 - p_e} \qquad p_o = \text{accuracy}, \quad p_e = \sum_k \frac{t_k \, p_k}{n^2}",
        range=(-1, 1),
        when="You want agreement beyond what the two label frequencies would give by chance; usual for comparing "
        "annotators.",
        pitfall="It depends on how frequent the classes are, so values of different files cannot be compared. Words "
        "such as “substantial” for a value are convention only.",
        source="Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological "
        "Measurement 20(1).",
        influence=cohen_kappa,
        headline=Headline(18),
        steps=_cohen_kappa,
    ),
    _metric(
        key="mcc",
        aliases=("matthews_correlation",),
        title="Matthews correlation (MCC)",
        function=label_metrics.matthews_correlation,
        definition="The correlation between true and predicted labels, from −1 to 1.",
        scikit_learn="correlation(p.y_true, p.y_pred, p.weight)",
        formula=r"\frac{n c - \sum_k t_k p_k}{\sqrt{\left(n^2 - \sum_k p_k^2\right) \left(n^2 - \sum_k t_k^2\right)}}"
        r" \qquad c = \text{right rows}",
        range=(-1, 1),
        when="You want one number that is high only if all cells are good, even if classes differ in size.",
        pitfall="Values between 0 and 1 have no simple meaning. If truth or prediction has one class only, it is 0/0: "
        "undefined. scikit-learn counts that as 0.",
        source="Matthews (1975), Biochimica et Biophysica Acta 405(2); for several classes Gorodkin (2004), "
        "Computational Biology and Chemistry 28(5-6).",
        influence=matthews_correlation,
        headline=Headline(19, "Matthews correlation"),
        steps=_matthews_correlation,
    ),
    _metric(
        key="majority_share",
        title="Share of the most frequent class",
        function=label_metrics.baseline_accuracy,
        definition="The share of rows whose true class is the most frequent one.",
        scikit_learn="rates(p).support.max() / p.weight.sum()",
        formula=r"\frac{\max_k t_k}{n}",
        direction="zero",
        when="To see what always predicting the most frequent class scores.",
        pitfall="It says nothing about the other classes: with 50 %, there may be one other class or a thousand.",
        source="A plain share; the same number as the majority-class accuracy.",
        no_interval="it describes the file; the majority-class accuracy has one",
        unit="share",
        steps=_majority,
    ),
    _metric(
        key="normalised_entropy",
        title="Class balance",
        function=label_metrics.evenness,
        definition="How evenly the true rows are spread over the classes, from 0 to 1.",
        scikit_learn="evenness(rates(p).support)",
        formula=r"-\frac{\sum_{k \in T} s_k \ln s_k}{\ln |T|} \qquad s_k = \frac{t_k}{n}",
        direction="zero",
        when="To see how evenly the true rows are spread over several classes: 1 is perfectly even.",
        pitfall="Classes without true rows have no part in it. A file with true rows of 10 of 77 classes can be "
        "perfectly even.",
        source="Shannon (1948), A mathematical theory of communication; as an index of evenness Pielou (1966), "
        "Journal of Theoretical Biology 13.",
        no_interval="it describes the file",
        steps=_entropy,
    ),
)
