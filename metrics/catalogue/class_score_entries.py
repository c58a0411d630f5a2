"""Registry rows of the scores of every class: means over classes, all scores together, pairs, the first k."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from metrics.catalogue.metric import Headline, Metric, Task
from metrics.catalogue.worked_examples import fraction, mean, number, total
from metrics.intervals.class_scores import compare_pairs, micro_auc, one_vs_one_auc, top_k_accuracy
from metrics.intervals.joint_counts import Cells
from metrics.intervals.score_statistics import mean_of_statistics
from metrics.intervals.statistic import Statistic
from metrics.scores.ranking import Ranking

K_PLACES = (2, 3, 5)
"""The k of top-k accuracy; each is told where there are more classes."""
ONE_LABEL: tuple[Task, ...] = ("multiclass",)
_mean_of_areas = partial(Metric, eats="scores per class")


def _write_mean(values: np.ndarray) -> str:
    return mean(values[~np.isnan(values)].tolist())


def _write_weighted_auc(ranking: Ranking) -> str:
    defined = ~np.isnan(ranking.auc)
    support = ranking.n_pos[defined].tolist()
    terms = [rf"{number(n)} \cdot {number(auc)}" for n, auc in zip(support, ranking.auc[defined], strict=True)]
    return fraction(total(terms), sum(support))


def _mean_influence(
    areas: Mapping[str, Sequence[Statistic]], support: Sequence[float], *, of: str, weighted: bool = False
) -> Statistic:
    return mean_of_statistics(areas[of], support if weighted else [1.0] * len(support))


def _of_rows(
    key: str, title: str, statistic: Callable[..., Statistic], write: Callable[..., str], **texts: Any
) -> Metric:
    """Return the row of a number whose value and influence one function gives; `write` writes what leads to it."""

    def given(
        y_true: np.ndarray,
        y_score: np.ndarray,
        *,
        score_codes: Sequence[int] | None = None,
        weights: np.ndarray | None = None,
    ) -> tuple[Any, ...]:
        rows = np.ones(len(y_true), dtype=np.int64) if weights is None else weights
        codes = tuple(range(y_score.shape[1])) if score_codes is None else score_codes
        return Cells(rows, None, 0, 0), y_true, y_score, codes

    def value(*rows: np.ndarray, **options: Any) -> float:
        return statistic(*given(*rows, **options)).value

    def steps(*rows: np.ndarray, **options: Any) -> str:
        return write(*given(*rows, **options))

    return Metric(key, title, value, steps, eats="class scores", influence=statistic, **texts)


def _write_share(*given: Any, k: int) -> str:
    share = top_k_accuracy(*given, k=k)
    return fraction(share.part, share.whole)


def _write_pairs_won(*given: Any) -> str:
    cells, y_true, y_score, codes = given
    known = ~np.isnan(y_score)
    is_true = y_true[:, list(codes)] if y_true.ndim == 2 else y_true[:, None] == np.asarray(codes)
    n_pos, n_neg = (float(cells.rows @ (known & side).sum(axis=1)) for side in (is_true, ~is_true))
    won = micro_auc(*given).value * n_pos * n_neg
    return fraction(won if n_pos and n_neg else 0, rf"{number(n_pos)} \cdot {number(n_neg)}")


def _write_areas(*given: Any) -> str:
    areas = compare_pairs(*given).area
    return mean(areas[~np.isnan(areas)].tolist())


def _top_k(k: int) -> Metric:
    return _of_rows(
        f"top_{k}_accuracy",
        f"Top-{k} accuracy",
        partial(top_k_accuracy, k=k),
        partial(_write_share, k=k),
        only=ONE_LABEL,
        min_classes=k + 1,
        headline=Headline(3),
        definition=f"The share of rows whose true class is among the {k} classes with the highest scores.",
        scikit_learn=f"top_k_accuracy(p, {k})",
        formula=rf"\frac{{\text{{rows whose true class is among the {k} highest scores}}}}"
        r"{\text{rows with a score for every class}}",
        when=f"A person, or another step, looks at the first {k} suggestions.",
        pitfall=f"Guessing gives {k} divided by the number of classes. Of equal scores that of the later label counts "
        "as higher, as scikit-learn has it.",
        source="Russakovsky et al. (2015), ImageNet large scale visual recognition challenge, IJCV 115(3).",
        instead="Cross-entropy takes its place in training.",
    )


ROWS = (
    _mean_of_areas(
        "roc_auc_macro",
        "Macro ROC AUC, one-vs-rest",
        lambda ranking: ranking.macro_auc,
        lambda ranking: _write_mean(ranking.auc),
        formula=r"\frac{1}{|D|} \sum_{k \in D} AUC_k \qquad D = \text{classes where it is defined}",
        when="Scores per class, and every class should count the same.",
        pitfall="Classes without true rows are left out of it. The other classes are many negatives, so values look "
        "high.",
        source="Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27(8).",
        aliases=("macro_roc_auc",),
        influence=partial(_mean_influence, of="roc_auc"),
        headline=Headline(21),
        definition="The plain mean of every class's ROC AUC, one-vs-rest.",
        scikit_learn="mean_of_classes(p, roc_auc)",
    ),
    _mean_of_areas(
        "roc_auc_weighted",
        "Weighted ROC AUC, one-vs-rest",
        lambda ranking: ranking.weighted_auc,
        _write_weighted_auc,
        formula=r"\frac{\sum_k t_k \, AUC_k}{\sum_k t_k}",
        when="Scores per class, and classes should count by how often they are true.",
        pitfall="Frequent classes decide it. It changes with the shares of the classes in the file.",
        source="Provost and Domingos (2000), Well-trained PETs: improving probability estimation trees.",
        aliases=("weighted_roc_auc",),
        influence=partial(_mean_influence, of="roc_auc", weighted=True),
        definition="The mean of every class's ROC AUC, one-vs-rest, weighted by its true rows.",
        scikit_learn="mean_of_classes(p, roc_auc, weigh=True)",
    ),
    _mean_of_areas(
        "average_precision_macro",
        "Macro average precision (mAP), one-vs-rest",
        lambda ranking: ranking.macro_ap,
        lambda ranking: _write_mean(ranking.average_precision),
        formula=r"\frac{1}{|D|} \sum_{k \in D} AP_k \qquad D = \text{classes with true rows}",
        when="Scores per class, classes are rare, and every class should count the same.",
        pitfall="Guessing gives each class its share of the rows, so no single value stands for guessing.",
        source="Everingham et al. (2010), The PASCAL visual object classes challenge, IJCV 88(2).",
        aliases=("macro_average_precision",),
        influence=partial(_mean_influence, of="average_precision"),
        definition="The plain mean of every class's average precision, one-vs-rest.",
        scikit_learn="mean_of_classes(p, average_precision)",
    ),
    _of_rows(
        "roc_auc_micro",
        "Micro ROC AUC, one-vs-rest",
        micro_auc,
        _write_pairs_won,
        min_classes=2,
        definition="The ROC AUC of the scores of all classes together: of the true class against all other scores.",
        scikit_learn="micro_auc(p)",
        formula=r"P(s_+ > s_-) + \frac{1}{2} P(s_+ = s_-) \quad \text{over the scores of all classes}",
        when="Scores of different classes are compared with one threshold, and every row should count the same.",
        pitfall="Scores of all classes need one scale. Of many classes nearly all scores are of wrong ones and low, "
        "so that it is near 1.",
        source="The average=“micro” of scikit-learn.",
    ),
    _of_rows(
        "roc_auc_ovo",
        "ROC AUC, one-vs-one (Hand and Till's M)",
        one_vs_one_auc,
        _write_areas,
        short="ROC AUC, one-vs-one",
        only=ONE_LABEL,
        min_classes=2,
        definition="The mean over all pairs of classes of how well their scores tell the two apart.",
        scikit_learn="pairs_auc(p)",
        formula=r"\frac{1}{|T| \, (|T| - 1)} \sum_{k \in T} \sum_{l \in T} A_{kl} \qquad A_{kk} = 0",
        when="Scores per class, and the shares of the classes should not change the number.",
        pitfall="Easy pairs hide a hard one: among many classes a single confused pair hardly lowers it.",
        source="Hand and Till (2001), A simple generalisation of the area under the ROC curve for multiple class "
        "classification problems, Machine Learning 45. Also multi_class=“ovo” of scikit-learn, multiclass.roc of pROC.",
    ),
    *(_top_k(k) for k in K_PLACES),
)
