"""Scores of several labels in, thresholds out: one for all labels, or one for each, and how optimistic they are."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_FLOOR, Context, Decimal
from typing import Literal, NamedTuple

import numpy as np

from metrics.multilabel.set_counts import MultilabelCounts, multilabel_counts
from metrics.progress import Report, nobody, part
from metrics.scores.curves import ScoreCounts, score_counts
from metrics.thresholds.cross_validation import FOLDS, assign_folds
from metrics.thresholds.threshold_metrics import Best

_TIE = 1e-12  # mean F1 values closer than this are one value: they differ by the order of their sum
_BLOCK = 1 << 16  # scores of all labels looked at together


class LabelScores(NamedTuple):
    """The score counts of every label that has scores, and the true rows.

    counts : S score counts. support : int64 (S,), true rows of each, with a score or without.
    other_support : int64, true rows of every label that has no score column and so is never predicted.
    """

    counts: tuple[ScoreCounts, ...]
    support: np.ndarray
    other_support: np.ndarray

    @property
    def n_labels(self) -> int:
        """Return labels with true rows: those that macro F1 is the mean over, whatever the threshold."""
        return int((self.support > 0).sum() + (self.other_support > 0).sum())


def label_scores(
    y_true: np.ndarray, y_score: np.ndarray, score_codes: Sequence[int], weights: np.ndarray | None = None
) -> LabelScores:
    """Count what each label's scores separate.

    y_true : bool (n, L). y_score : float64 (n, S), NaN = no score. score_codes : the label of every score column.
    weights : int64 (n,), rows of each line, or its weight in units; None = one.
    """
    support, codes = y_true.sum(axis=0) if weights is None else weights @ y_true, list(score_codes)
    counts = tuple(score_counts(y_true[:, code], y_score[:, i], weights) for i, code in enumerate(codes))
    return LabelScores(counts, support[codes], np.delete(support, codes))


class BestEach(NamedTuple):
    """The best threshold of every label by itself: float64 (S,); NaN where no true row has a score."""

    threshold: np.ndarray
    f1: np.ndarray


def best_each(scores: LabelScores) -> BestEach:
    """Return the threshold of highest F1 for each label, over all its distinct scores; the highest of equals.

    >>> truth = np.array([[1, 0], [1, 0], [0, 0]], dtype=bool)
    >>> best_each(label_scores(truth, np.array([[0.9, 0.1], [0.2, 0.3], [0.5, 0.2]]), (0, 1)))
    BestEach(threshold=array([0.2, nan]), f1=array([0.8, nan]))
    """
    threshold, f1 = np.full((2, len(scores.counts)), np.nan)
    for i, (counts, support) in enumerate(zip(scores.counts, scores.support, strict=True)):
        if counts.n_pos:
            every = _f1(counts.tp, counts.fp, support)
            place = int(every.argmax())
            threshold[i], f1[i] = counts.score[place], every[place]
    return BestEach(threshold, f1)


def best_for_all(scores: LabelScores, average: Literal["micro", "macro"], *, report: Report = nobody) -> Best:
    """Return the one threshold of highest averaged F1, over all distinct scores of all labels; the highest of equals.

    micro : all decisions as one table. macro : the plain mean over the labels with true rows, with a score or not.
    Undefined (NaN) where no true row has a score.

    Exact: the scores are taken in blocks, those that might hold the best one first, until no block left can. Within a
    block F1 is at most that of its end's true positives with its start's false positives.

    report : told before every block which share of them is done, from 0; what it raises ends the work.

    >>> truth = np.array([[1, 0], [1, 0], [0, 1]], dtype=bool)
    >>> scores = label_scores(truth, np.array([[0.9, 0.1], [0.2, 0.3], [0.5, 0.6]]), (0, 1))
    >>> best_for_all(scores, "micro")
    Best(threshold=0.6, value=0.8)
    """
    if not sum(counts.n_pos for counts in scores.counts):
        return Best(float("nan"), float("nan"))
    cuts = _cuts(scores.counts)
    places = np.array([[0, *(counts.above(cut) for cut in cuts)] for counts in scores.counts])
    tp, fp = (
        np.array([_from_zero(getattr(c, side))[place] for c, place in zip(scores.counts, places, strict=True)])
        for side in ("tp", "fp")
    )
    bound = _average_f1(tp[:, 1:], fp[:, :-1], scores, average)
    best = Best(float("nan"), -np.inf)
    for n_done, block in enumerate(np.argsort(-bound, kind="stable")):
        report(n_done / len(bound))
        if bound[block] < best.value - _TIE:
            break
        best_in_block = _best_in_block(scores, places[:, block], places[:, block + 1], average)
        higher = abs(best_in_block.value - best.value) <= _TIE and best_in_block.threshold > best.threshold
        best = best_in_block if best_in_block.value > best.value + _TIE or higher else best
    return best


def _f1(tp: np.ndarray, fp: np.ndarray, support: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        value: np.ndarray = 2 * tp / (tp + fp + np.float64(1) * support)
    return value


def _average_f1(tp: np.ndarray, fp: np.ndarray, scores: LabelScores, average: str) -> np.ndarray:
    """Return the averaged F1 of counts (S, k) at k thresholds."""
    if average == "micro":
        return _f1(tp.sum(axis=0), fp.sum(axis=0), scores.support.sum() + scores.other_support.sum())
    true = scores.support > 0
    value: np.ndarray = _f1(tp[true], fp[true], scores.support[true, None]).sum(axis=0) / scores.n_labels
    return value


def _from_zero(cumulative: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros(1, np.int64), cumulative])


def _cuts(counts: Sequence[ScoreCounts]) -> np.ndarray:
    """Return thresholds, descending, between which there are some `_BLOCK` scores of all labels together; lowest
    last.
    """
    total = sum(len(c.score) for c in counts)
    step = max(1, _BLOCK // (4 * len(counts)))
    some = np.sort(np.concatenate([c.score[::step] for c in counts]))[::-1]
    n_blocks = -(-total // _BLOCK)
    inner = some[np.linspace(0, len(some) - 1, n_blocks + 1).astype(int)[1:-1]]
    lowest = min(c.score[-1] for c in counts if len(c.score))
    return np.unique(np.append(inner, lowest))[::-1]


def _best_in_block(scores: LabelScores, start: np.ndarray, end: np.ndarray, average: str) -> Best:
    """Return the best of the scores at places start to end of each label."""
    labels = [i for i in range(len(start)) if end[i] > start[i]]
    pieces = [slice(start[i], end[i]) for i in labels]
    score = np.concatenate([scores.counts[i].score[piece] for i, piece in zip(labels, pieces, strict=True)])
    order = np.argsort(-score, kind="stable")
    score = score[order]
    last = np.append(score[1:] != score[:-1], True)  # of its distinct score
    value = (_micro_along if average == "micro" else _macro_along)(scores, start, labels, pieces, order)[last]
    place = int((value >= value.max() - _TIE).argmax())
    threshold = float(score[last][place])
    tp, fp = np.array([counts.at(threshold) for counts in scores.counts]).T[..., None]
    return Best(threshold, float(_average_f1(tp, fp, scores, average)[0]))  # summed afresh, not along the block


def _gain(cumulative: np.ndarray, piece: slice) -> np.ndarray:
    return np.diff(cumulative[piece], prepend=cumulative[piece.start - 1] if piece.start else 0)


_Labels = list[int]
_Pieces = list[slice]


def _micro_along(
    scores: LabelScores, start: np.ndarray, labels: _Labels, pieces: _Pieces, order: np.ndarray
) -> np.ndarray:
    """Return micro F1 after every score of a block, in the block's order."""
    along = []
    for side in ("tp", "fp"):
        before = sum(int(getattr(c, side)[place - 1]) for c, place in zip(scores.counts, start, strict=True) if place)
        gained = [_gain(getattr(scores.counts[i], side), piece) for i, piece in zip(labels, pieces, strict=True)]
        along.append(before + np.cumsum(np.concatenate(gained)[order]))
    return _f1(along[0], along[1], scores.support.sum() + scores.other_support.sum())


def _macro_along(
    scores: LabelScores, start: np.ndarray, labels: _Labels, pieces: _Pieces, order: np.ndarray
) -> np.ndarray:
    """Return macro F1 after every score of a block: each changes the F1 of its own label only."""
    before, gained = 0.0, []
    for i, (counts, support) in enumerate(zip(scores.counts, scores.support, strict=True)):
        if support and start[i]:
            before += float(_f1(counts.tp[start[i] - 1], counts.fp[start[i] - 1], support))
    for i, piece in zip(labels, pieces, strict=True):
        counts, support = scores.counts[i], scores.support[i]
        f1 = _f1(counts.tp[piece], counts.fp[piece], support) if support else np.zeros(piece.stop - piece.start)
        last = piece.start - 1
        so_far = float(_f1(counts.tp[last], counts.fp[last], support)) if support and piece.start else 0.0
        gained.append(np.diff(f1, prepend=so_far))
    along: np.ndarray = (before + np.cumsum(np.concatenate(gained)[order])) / scores.n_labels
    return along


def plainest_threshold(counts: Sequence[ScoreCounts], threshold: float) -> float:
    """Return the threshold of fewest digits that calls the same rows positive as `threshold` does, in all of `counts`.

    A link or a configuration file then holds 0.4 instead of 0.43119999999999997. Of those with as few digits the
    highest. `threshold` itself where it is infinite, or above or below every score.

    >>> counts = score_counts(np.array([True, False, True]), np.array([0.4312, 0.38, 0.9]))
    >>> plainest_threshold([counts], 0.4312), plainest_threshold([counts], 0.5)
    (0.4, 0.9)
    """
    above = [c.above(threshold) for c in counts]
    reached = [c.score[n - 1] for c, n in zip(counts, above, strict=True) if n]
    missed = [c.score[n] for c, n in zip(counts, above, strict=True) if n < len(c.score)]
    highest, lowest = float(min(reached, default=np.inf)), float(max(missed, default=-np.inf))
    if not np.isfinite([highest, threshold]).all() or lowest == -np.inf:
        return float(threshold)
    for digits in range(1, 18):
        plain = float(Context(prec=digits, rounding=ROUND_FLOOR).create_decimal(Decimal(repr(highest))))
        if lowest < plain <= highest:
            return plain
    return highest


def plain_each(scores: LabelScores) -> np.ndarray:
    """Return the threshold of `best_each` for every label, written with as few digits as `plainest_threshold` does."""
    pairs = zip(scores.counts, best_each(scores).threshold, strict=True)
    return np.array(
        [threshold if np.isnan(threshold) else plainest_threshold([counts], threshold) for counts, threshold in pairs],
        np.float64,
    )


def plain_for_all(scores: LabelScores, average: Literal["micro", "macro"], *, report: Report = nobody) -> Best:
    """Return what `best_for_all` finds, its threshold written with as few digits as `plainest_threshold` does."""
    best = best_for_all(scores, average, report=report)
    if np.isnan(best.threshold):
        return best
    return best._replace(threshold=plainest_threshold(scores.counts, best.threshold))


class CrossFitted(NamedTuple):
    """Hold what each way of choosing gives on rows that took no part in the choice; counts over all rows once.

    each, micro, macro : the best threshold of every label; the one of best micro F1; of best macro F1.
    """

    each: MultilabelCounts
    micro: MultilabelCounts
    macro: MultilabelCounts
    folds: int
    seed: int


def cross_fitted(
    y_true: np.ndarray,
    y_score: np.ndarray,
    score_codes: Sequence[int],
    *,
    otherwise: float,
    weights: np.ndarray | None = None,
    folds: int = FOLDS,
    seed: int = 0,
    report: Report = nobody,
) -> CrossFitted:
    """Choose thresholds on all folds but one and predict that one with them; every fold in turn.

    The folds are drawn at random, of equal size to a row; of fewer rows than folds each is one by itself. Thresholds
    chosen and judged on the same rows look better than they are, the more so the fewer true rows a label has: compare
    with these counts.

    otherwise : the threshold of a label without a true row in the folds it would be chosen on.
    weights : int64 (n,), the weight of each row in units; None = all alike.
    report : told before every fold, and within it, which share is done, from 0; what it raises ends the work.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random((500, 3)) < 0.1
    >>> noise = rng.random((500, 3))
    >>> best_f1 = best_each(label_scores(truth, noise, range(3))).f1.mean()
    >>> fitted = cross_fitted(truth, noise, range(3), otherwise=0.5).each
    >>> held_out = (2 * fitted.tp / (2 * fitted.tp + fitted.fp + fitted.fn)).mean()
    >>> bool(held_out < best_f1)
    True
    """
    n, codes = len(y_true), list(score_codes)
    folds = min(folds, n)
    fold = assign_folds(n, folds, np.random.default_rng(seed))
    predicted = {name: np.zeros(y_true.shape, dtype=bool) for name in ("each", "micro", "macro")}
    for held_out in range(folds):
        told = part(report, held_out, folds)
        told(0.0)
        inside, outside = np.flatnonzero(fold == held_out), fold != held_out
        rest = None if weights is None else weights[outside]
        chosen = _choose_each_way(label_scores(y_true[outside], y_score[outside], codes, rest), otherwise, told)
        for name, thresholds in chosen.items():
            predicted[name][inside[:, None], codes] = y_score[inside] >= thresholds
    names = tuple(map(str, range(y_true.shape[1])))
    return CrossFitted(**{name: multilabel_counts(y_true, guess, names, weights) for name, guess in predicted.items()},
                       folds=folds, seed=seed)  # fmt: skip


def _choose_each_way(scores: LabelScores, otherwise: float, report: Report) -> dict[str, np.ndarray]:
    thresholds = {
        "each": best_each(scores).threshold,
        "micro": np.array(best_for_all(scores, "micro", report=part(report, 0, 2)).threshold),
        "macro": np.array(best_for_all(scores, "macro", report=part(report, 1, 2)).threshold),
    }
    return {name: np.where(np.isnan(threshold), otherwise, threshold) for name, threshold in thresholds.items()}
