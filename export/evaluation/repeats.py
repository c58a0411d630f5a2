"""Count the answers of questions that were answered several times, and measure what they say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from data.comparison.row_groups import Clusters, questions_in_use
from data.evaluation import Evaluation
from export.measurement import Measurement
from metrics.agreement.ratings import TIE
from metrics.agreement.repeats import Repeats, chance_of_all, choose_sizes, count_repeats
from metrics.intervals.joint_counts import Cells
from metrics.intervals.statistic import Interval, interval, mean_of_rows, share_of_rows
from metrics.outcomes import Scale


class Questions(NamedTuple):
    """Hold the questions that have a scored answer.

    named_by : the questions as the file names them, with what a person should know about them.
    rows : int64 (q,), the position of the first scored answer. counts : of the answers.
    is_vote_right : bool (q,). vote_rows : int64 (q,), the position of a row with the majority's label, if there is one.
    cluster : int64 (q,); None = each question stands for itself. is_nested : whether the answers of each share one.
    n_not_scored : answers that are left out. n_mixed : questions that are left out, as their true labels differ.
    """

    named_by: Clusters
    rows: np.ndarray
    counts: Repeats
    is_vote_right: np.ndarray
    vote_rows: np.ndarray
    cluster: np.ndarray | None
    is_nested: bool
    n_not_scored: int
    n_mixed: int


class Draws(NamedTuple):
    """Say of k answers how many questions have so many, and pass@k and pass^k."""

    k: int
    questions: int
    one_right: Interval
    all_right: Interval


class Part(NamedTuple):
    """Say how many of the repeated questions are of a kind, and which share that is."""

    questions: int
    share: Interval


KINDS = {
    "always_right": "all answers are right",
    "sometimes_right": "some answers are right",
    "never_right": "no answer is right",
    "majority_right": "the majority is right",
    "majority_tie": "no majority: a tie",
}
"""Kinds of repeated questions, by the keys of the JSON."""


class RepeatNumbers(NamedTuple):
    """Hold the numbers of the n repeated questions: those with two answers or more.

    kinds : by the keys of `KINDS`.
    one_answer : the mean share of right answers. gain : how much more often the majority is right.
    draws : of every question, also of those with one answer.
    """

    n: int
    kinds: dict[str, Part]
    one_answer: Interval
    gain: Interval
    draws: tuple[Draws, ...]


def count_questions(measured: Measurement) -> Questions | None:
    """Count the answers of every question; None where no question is known to have several scored ones."""
    e = measured.evaluation
    questions = questions_in_use(e)
    if questions is None or not e.has_predictions or e.weights is not None:
        return None
    rows = np.flatnonzero(e.scored)
    true, pred = _label_codes(e, rows)
    is_mixed = _find_mixed(questions.codes[rows], true)
    kept = ~is_mixed[questions.codes[rows]]
    rows, true, pred = rows[kept], true[kept], pred[kept]
    _, first, codes = np.unique(questions.codes[rows], return_index=True, return_inverse=True)
    counts = count_repeats(codes, true, pred)
    if counts.answers.max(initial=0) < 2:
        return None
    labels, holders = np.unique(pred, return_index=True)
    vote_rows = rows[holders[np.searchsorted(labels, np.maximum(counts.vote, labels[0]))]]
    cluster, is_nested = None, True
    if measured.clusters is not None and measured.clusters.column != questions.column:
        of_rows = np.unique(measured.clusters.codes[rows], return_inverse=True)[1]
        cluster = of_rows[first]
        is_nested = bool((cluster[codes] == of_rows).all())
    n_not_scored = e.n_lines - int(e.scored.sum())
    return Questions(questions, rows[first], counts, counts.vote == true[first], vote_rows, cluster, is_nested,
                     n_not_scored, int(is_mixed.sum()))  # fmt: skip


def _label_codes(e: Evaluation, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a code of the truth and of the prediction of some rows; each set of several labels has one."""
    true, pred = e.y_true[rows], e.y_pred[rows]
    if e.task != "multilabel":
        return true, pred
    codes = np.unique(np.packbits(np.concatenate([true, pred]), axis=1), axis=0, return_inverse=True)[1].ravel()
    return codes[: len(rows)], codes[len(rows) :]


def _find_mixed(questions: np.ndarray, true: np.ndarray) -> np.ndarray:
    """Mark the questions whose answers have different true labels, bool."""
    n = int(questions.max(initial=-1)) + 1
    last = np.zeros(n, dtype=np.int64)
    last[questions] = true
    return np.bincount(questions[last[questions] != true], minlength=n) > 0


def measure_repeats(questions: Questions, level: float) -> RepeatNumbers:
    """Return the numbers of repeated questions, with intervals over questions, or over clusters of them."""
    counts, is_repeated = questions.counts, questions.counts.answers > 1
    shares = counts.right / counts.answers

    def part(marks: np.ndarray) -> Part:
        cells = _cells(questions, is_repeated)
        share = interval(share_of_rows(cells, marks[is_repeated]), cells, level=level)
        return Part(int(marks[is_repeated].sum()), _check_nested(questions, share))

    def mean(values: np.ndarray, chosen: np.ndarray, scale: Scale = "unit") -> Interval:
        cells = _cells(questions, chosen)
        return _check_nested(questions, interval(mean_of_rows(cells, values[chosen], scale), cells, level=level))

    draws = []
    for k in choose_sizes(int(counts.answers.max())):
        enough = counts.answers >= k
        all_wrong = chance_of_all(counts.answers - counts.right, counts.answers, k)
        all_right = chance_of_all(counts.right, counts.answers, k)
        draws.append(Draws(k, int(enough.sum()), mean(1 - all_wrong, enough), mean(all_right, enough)))
    marks = (
        counts.right == counts.answers, counts.is_divided, counts.right == 0, questions.is_vote_right,
        counts.vote == TIE,
    )  # fmt: skip
    kinds = dict(zip(KINDS, map(part, marks), strict=True))
    gain = mean(questions.is_vote_right - shares, is_repeated, "open")
    return RepeatNumbers(int(is_repeated.sum()), kinds, mean(shares, is_repeated), gain, tuple(draws))


def _cells(questions: Questions, chosen: np.ndarray) -> Cells:
    """Return some of the questions, each as a row."""
    cluster = None if questions.cluster is None else questions.cluster[chosen]
    return Cells(np.ones(int(chosen.sum()), dtype=np.int64), cluster, 0, 0)


def _check_nested(questions: Questions, of_questions: Interval) -> Interval:
    """Return an interval, without its ends where a question lies in several clusters."""
    if questions.is_nested:
        return of_questions
    why = "undefined: a question lies in several clusters"
    return of_questions._replace(low=np.nan, high=np.nan, se=np.nan, method=why)
