"""Answers of the same question: how many are right, what their majority says, and what k of them would give."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from metrics.agreement.ratings import MISSING, TIE

_SIZES = (1, 2, 3, 5, 10, 20, 50, 100)


class Repeats(NamedTuple):
    """Hold what the answers of every question come to, each int64 (q,).

    answers, right : how many there are, and how many are right. different : how many labels they have.
    vote : the label of most answers; TIE where several share the lead, MISSING where no answer has a label.
    """

    answers: np.ndarray
    right: np.ndarray
    different: np.ndarray
    vote: np.ndarray

    @property
    def is_divided(self) -> np.ndarray:
        """Mark the questions with right and wrong answers, bool (q,)."""
        return (self.right > 0) & (self.right < self.answers)

    def of(self, chosen: np.ndarray) -> Repeats:
        """Return some of the questions."""
        return Repeats(*(column[chosen] for column in self))


def count_repeats(questions: np.ndarray, y_true: np.ndarray, y_pred: np.ndarray) -> Repeats:
    """Count the answers of every question.

    questions : int (n,), from 0 without gaps. y_true, y_pred : codes, int (n,); below 0 = no label, which has no vote.

    >>> count_repeats(np.array([0, 0, 0, 1, 1]), np.zeros(5), np.array([0, 0, 1, 0, 1])).vote.tolist()
    [0, -3]
    """
    answers = np.bincount(questions)
    right = np.bincount(questions, y_true == y_pred).astype(np.int64)
    has_label = y_pred >= 0
    width = int(y_pred.max(initial=0)) + 1
    pairs, votes = np.unique(questions[has_label] * width + y_pred[has_label], return_counts=True)
    question, label = np.divmod(pairs, width)
    most = np.zeros(len(answers), dtype=np.int64)
    np.maximum.at(most, question, votes)
    leads = votes == most[question]
    vote = np.full(len(answers), MISSING, dtype=np.int64)
    vote[question[leads]] = label[leads]
    vote[np.bincount(question[leads], minlength=len(answers)) > 1] = TIE
    return Repeats(answers, right, np.bincount(question, minlength=len(answers)), vote)


def choose_sizes(most: int) -> list[int]:
    """Return the numbers of answers k that are told: a few, and the most that a question has.

    >>> choose_sizes(8)
    [1, 2, 3, 5, 8]
    """
    return [*(size for size in _SIZES if size < most), most]


def chance_of_all(good: np.ndarray, answers: np.ndarray, k: int) -> np.ndarray:
    """Return the chance that k answers, drawn without putting back, are all good: C(good, k) / C(answers, k).

    Undefined (NaN) with fewer than k answers. With the right answers it is pass^k; with the wrong ones, pass@k is 1
    less it. Source: Chen et al. 2021, Evaluating large language models trained on code.

    >>> chance_of_all(np.array([2, 1]), np.array([4, 1]), 2).tolist()
    [0.16666666666666666, nan]
    """
    width = int(answers.max(initial=0)) + 1
    pairs, place = np.unique(good * width + answers, return_inverse=True)
    every = (divmod(pair, width) for pair in pairs.tolist())
    chances = [comb(few, k) / comb(n, k) if n >= k else np.nan for few, n in every]
    return np.array(chances)[place]
