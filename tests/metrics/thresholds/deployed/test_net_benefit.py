"""Net benefit against the definition, row by row, and against numbers of the package dcurves 1.1.7."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

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
        assert (found.model, found.every) == pytest.approx((model, every), abs=1e-12)


def test_drawn_net_benefit_equals_dcurves():
    """Of 200 files of 2 to 500 rows, half of them with ties and with probabilities of 0 and 1."""
    dcurves = pytest.importorskip("dcurves", reason="dcurves is not installed (requirements-tools.txt)")
    random, thresholds = np.random.default_rng(3), np.array([0.01, 0.1, 0.3, 0.5, 0.93])
    for turn in range(200):
        n = int(random.choice([2, 5, 40, 500]))
        is_true = np.append(random.random(n - 2) < random.random(), [False, True])
        score = np.clip(0.6 * random.random(n) + 0.4 * is_true * random.random(), 0, 1).round(turn % 2 or 9)
        given = {} if turn % 3 else {"prevalence": float(random.choice([0.001, 0.1, 0.9]))}
        frame = pd.DataFrame({"y": is_true.astype(int), "s": score})
        table = dcurves.dca(data=frame, outcome="y", modelnames=["s"], thresholds=thresholds, **given)
        expected = table.pivot(index="threshold", columns="model", values="net_benefit")
        found = [net_benefit(score_counts(is_true, score), t, **given) for t in expected.index]
        assert np.array(found) == pytest.approx(expected[["s", "all"]].to_numpy(), abs=1e-12)


@given(rows, st.sampled_from([None, 0.05, 0.5]))
def test_useful_probabilities_are_where_the_model_is_best(rows, prevalence):
    counts = score_counts(*map(np.array, zip(*rows, strict=True)))
    spans = useful_probabilities(counts, prevalence=prevalence)
    if not counts.n_pos or not counts.n_neg:
        assert spans == ()
        return
    for probability in np.arange(0.5, 200) / 200:
        found = net_benefit(counts, float(probability), prevalence=prevalence)
        more = found.model - max(found.every, 0.0)
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
