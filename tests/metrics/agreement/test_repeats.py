"""Chances of k answers are those over all ways to draw them; a tie is no majority."""

from itertools import combinations

import numpy as np
import pytest

from metrics.agreement.ratings import MISSING, TIE
from metrics.agreement.repeats import chance_of_all, choose_sizes, count_repeats


@pytest.mark.parametrize("k", [1, 2, 3, 5, 7])
def test_chances_are_those_of_all_subsets(k):
    """Chen et al. 2021: the share of all sets of k answers in which each is right; undefined with fewer answers."""
    rng = np.random.default_rng(k)
    marks = [rng.random(n) < 0.6 for n in (1, 2, 4, 5, 7, 7)]
    right, answers = np.array([one.sum() for one in marks]), np.array([len(one) for one in marks])
    subsets = [list(combinations(one, k)) for one in marks]
    every = [np.mean([all(drawn) for drawn in sets]) if sets else np.nan for sets in subsets]
    one = [np.mean([any(drawn) for drawn in sets]) if sets else np.nan for sets in subsets]
    assert chance_of_all(right, answers, k) == pytest.approx(every, nan_ok=True)
    assert 1 - chance_of_all(answers - right, answers, k) == pytest.approx(one, nan_ok=True)


def test_majority_is_the_label_of_most_answers():
    """A tie has none; an answer without a label has no vote."""
    answers = [[0, 0, 1], [0, 1], [2, -2, -2], [-2, -2], [1]]
    questions = np.repeat(np.arange(5), [len(labels) for labels in answers])
    counts = count_repeats(questions, np.zeros(len(questions), int), np.concatenate(answers))
    assert counts.vote.tolist() == [0, TIE, 2, MISSING, 1]
    assert counts.right.tolist() == [2, 1, 0, 0, 0] and counts.answers.tolist() == [3, 2, 3, 2, 1]
    assert counts.different.tolist() == [2, 2, 1, 0, 1] and counts.is_divided.tolist() == [True, True] + [False] * 3


def test_sizes_end_with_the_most_answers():
    assert choose_sizes(2) == [1, 2] and choose_sizes(64) == [1, 2, 3, 5, 10, 20, 50, 64]
