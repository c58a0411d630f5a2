"""Net benefit against the definition, row by row, and against numbers of the package dcurves 1.1.7."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.scores.curves import score_counts
from metrics.thresholds.deployed.net_benefit import net_benefit, shift_probabilities, useful_probabilities

TRUTH = [1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0]
SCORE = [0.91, 0.42, 0.13, 0.55, 0.55, 0.27, 0.08, 0.61, 0.74, 0.19, 0.33, 0.02]
COUNTS = score_counts(np.array(TRUTH, bool), np.array(SCORE))
DCURVES = {
    None: {
        0.05: (0.3026315789473684, 0.2982456140350877), 0.2: (0.25, 1 / 6), 0.3: (0.10714285714285712, 1 / 21),
        0.5: (1 / 12, -1 / 3), 0.7: (1 / 6, -11 / 9),
    },
    0.1: {
        0.05: (0.05855263157894737, 1 / 19), 0.2: (-0.0125, -0.125), 0.3: (-0.11785714285714285, -2 / 7),
        0.5: (-0.15, -0.8), 0.7: (0.05, -2.0),
    },
}  # fmt: skip
"""By prevalence and threshold probability: net benefit of the model, and of treating every row."""
rows = st.lists(st.tuples(st.booleans(), st.integers(1, 19).map(lambda n: n / 20)), min_size=2, max_size=20)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_net_benefit_equals_dcurves(prevalence):
    for probability, (model, every) in DCURVES[prevalence].items():
        found = net_benefit(COUNTS, probability, prevalence=prevalence)
        assert (found.model.value, found.every) == pytest.approx((model, every), abs=1e-12)


def test_interval_is_that_of_a_mean_of_rows():
    """Without a given prevalence, net benefit is the mean over the rows of 1, -odds or 0."""
    probability, n = 0.3, len(TRUTH)
    odds = probability / (1 - probability)
    worth = np.where(np.array(SCORE) >= probability, np.where(np.array(TRUTH) == 1, 1, -odds), 0)
    found = net_benefit(COUNTS, probability).model
    assert found.value == pytest.approx(worth.mean())
    assert found.high - found.value == pytest.approx(1.959963984540054 * worth.std() / np.sqrt(n))
    assert found.value - found.low == pytest.approx(found.high - found.value)


def test_interval_at_a_known_prevalence_covers_the_truth():
    random, probability, n_pos, n_neg, prevalence = np.random.default_rng(7), 0.2, 120, 400, 0.1
    truth, covered = 0.7 * prevalence - 0.25 * 0.15 * (1 - prevalence), 0
    for tp, fp in zip(random.binomial(n_pos, 0.7, 1000), random.binomial(n_neg, 0.15, 1000), strict=True):
        y = np.repeat([True, False], [n_pos, n_neg])
        score = np.concatenate([np.arange(n_pos) < tp, np.arange(n_neg) < fp]) * 0.5
        found = net_benefit(score_counts(y, score), probability, prevalence=prevalence).model
        covered += found.low <= truth <= found.high
    assert 930 <= covered <= 970


@given(rows, st.sampled_from([None, 0.05, 0.5]))
def test_useful_probabilities_are_where_the_model_is_best(rows, prevalence):
    counts = score_counts(*map(np.array, zip(*rows, strict=True)))
    spans = useful_probabilities(counts, prevalence=prevalence)
    if not counts.n_pos or not counts.n_neg:
        assert spans == ()
        return
    for probability in np.arange(0.5, 200) / 200:
        found = net_benefit(counts, float(probability), prevalence=prevalence)
        more = found.model.value - max(found.every, 0.0)
        inside = any(low < probability < high for low, high in spans)
        assert abs(more) < 1e-9 or inside == (more > 0)


def test_shifted_probabilities_follow_bayes():
    """Rows drawn from two known densities: the posterior at another prior is known, too."""
    random = np.random.default_rng(1)
    is_true = random.random(2_000) < 0.4
    x = random.normal(is_true * 1.5, 1.0)
    like = np.exp(1.5 * x - 1.125)  # ratio of the two normal densities
    here, there = is_true.mean(), 0.02
    probability, wanted = (like * p / (like * p + 1 - p) for p in (here, there))
    counts = score_counts(is_true, probability)
    assert shift_probabilities(counts, there).score == pytest.approx(np.sort(wanted)[::-1])
    assert shift_probabilities(counts, here).score == pytest.approx(counts.score)


@pytest.mark.parametrize("probability", [0.0, 1.0, -0.2])
def test_probability_at_an_end_is_refused(probability):
    with pytest.raises(ValueError, match="between 0 and 1"):
        net_benefit(COUNTS, probability)
