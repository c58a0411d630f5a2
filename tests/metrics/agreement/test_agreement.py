"""Coefficients are the published ones, and those of scikit-learn; intervals allow for units."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import cohen_kappa_score

from metrics.agreement.agreement import Agreement
from metrics.agreement.coefficients import alpha, coefficients, marginal_homogeneity
from metrics.agreement.ratings import MISSING, TIE, Ratings, majority

# Krippendorff 2011, Computing Krippendorff's alpha-reliability, section C; also Gwet's example of four raters
REPORTED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ]
).T - 1  # fmt: skip
NUMBERS = np.arange(1.0, 6.0)


def ratings(codes, q=None, values=None, ordered=False):
    codes = np.asarray(codes)
    q = int(codes.max()) + 1 if q is None else q
    return Ratings(tuple("abcdefgh"[: codes.shape[1]]), tuple(map(str, range(q))), codes, values, ordered)


def once(found):
    return coefficients(found, np.ones(len(found.codes), dtype=int))


def test_coefficients_are_those_published():
    """Alphas of Krippendorff 2011; the others of Gwet's irrCAC on the same ratings."""
    found = once(ratings(REPORTED, values=NUMBERS))
    assert found.alpha_nominal == pytest.approx(0.743, abs=5e-4)
    assert found.alpha_ordinal == pytest.approx(0.815, abs=5e-4)
    assert found.alpha_interval == pytest.approx(0.849, abs=5e-4)
    assert found.percent_agreement == pytest.approx(0.81818, abs=5e-6)
    assert found.fleiss_kappa == pytest.approx(0.76117, abs=5e-6)
    assert found.gwet_ac1 == pytest.approx(0.77544, abs=5e-6)
    assert found.brennan_prediger == pytest.approx(0.77273, abs=5e-6)


def test_fleiss_kappa_is_that_of_1971():
    """The example of ten subjects, 14 raters and five categories, kappa 0.210."""
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1], [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    codes = np.array([np.repeat(np.arange(5), row) for row in counts])
    names = tuple(f"r{place}" for place in range(14))
    found = once(Ratings(names, tuple("12345"), codes))
    assert found.fleiss_kappa == pytest.approx(0.210, abs=5e-4)
    assert found.percent_agreement == pytest.approx(0.378, abs=5e-4)


def two_raters(seed=0, n=200, q=4):
    random = np.random.default_rng(seed)
    one = random.integers(0, q, n)
    return np.column_stack([one, np.where(random.random(n) < 0.7, one, random.integers(0, q, n))])


def test_cohens_kappa_is_scikit_learns():
    codes = two_raters()
    assert once(ratings(codes)).cohen_kappa == pytest.approx(cohen_kappa_score(*codes.T))


@pytest.mark.parametrize("name", ["linear", "quadratic"])
def test_weighted_kappa_is_scikit_learns(name):
    """Of all raters, of every two, over missing ratings, and with a step that no rater gives."""
    codes = np.column_stack([two_raters(), two_raters(1)[:, 1]])
    codes[::7, 0], codes[codes == 2] = MISSING, 4
    given = [codes[(codes[:, [a, b]] >= 0).all(axis=1)][:, [a, b]] for a, b in ((0, 1), (0, 2), (1, 2))]
    wanted = [cohen_kappa_score(*pair.T, labels=range(5), weights=name) for pair in given]
    found = Agreement(ratings(codes, ordered=True))
    assert found.coefficients[f"{name}_kappa"].value == pytest.approx(np.mean(wanted))
    assert "mean over pairs" in found.coefficients[f"{name}_kappa"].method
    pairs = [pair.linear_kappa if name == "linear" else pair.quadratic_kappa for pair in found.pairs]
    assert [pair.value for pair in pairs] == pytest.approx(wanted)
    assert all(pair.low < pair.value < pair.high for pair in pairs)
    without = Agreement(ratings(two_raters())).pairs[0].linear_kappa
    assert math.isnan(without.value) and without.method == "undefined: the categories have no order"


def test_kappa_of_three_raters_averages_pairs():
    codes = np.column_stack([two_raters(), two_raters(1)[:, 1]])
    pairs = [cohen_kappa_score(codes[:, a], codes[:, b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    found = Agreement(ratings(codes))
    assert found.coefficients["cohen_kappa"].value == pytest.approx(np.mean(pairs))
    assert "mean over pairs" in found.coefficients["cohen_kappa"].method
    assert [pair.cohen_kappa.value for pair in found.pairs] == pytest.approx(pairs)


def test_scotts_pi_is_fleiss_kappa_of_two():
    found = once(ratings(two_raters()))
    assert found.scott_pi == pytest.approx(found.fleiss_kappa)


def slow_alpha(codes, distance):
    """Krippendorff's alpha by its definition over all pairs of values."""
    units = [[value for value in row if value != MISSING] for row in codes]
    units = [row for row in units if len(row) >= 2]
    values = [value for row in units for value in row]
    observed = sum(distance(a, b) / (len(row) - 1) for row in units for i, a in enumerate(row)
                   for j, b in enumerate(row) if i != j)  # fmt: skip
    expected = sum(distance(a, b) for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
    return 1 - (len(values) - 1) * observed / expected


def test_alpha_is_its_definition_over_all_pairs():
    random = np.random.default_rng(0)
    codes = random.integers(-1, 4, (30, 3))
    counts, weights = ratings(codes, q=4).counts, np.ones(30, int)
    values = np.array([1.0, 2.0, 5.0, 7.0])
    assert alpha(counts, weights) == pytest.approx(slow_alpha(codes, lambda a, b: a != b))
    wanted = slow_alpha(codes, lambda a, b: (values[a] - values[b]) ** 2)
    assert alpha(counts, weights, values) == pytest.approx(wanted)


def test_weights_are_units_written_again():
    codes, weights = two_raters(n=40), np.arange(40) % 4
    again = ratings(np.repeat(codes, weights, axis=0), values=np.arange(4.0))
    assert coefficients(ratings(codes, values=np.arange(4.0)), weights) == pytest.approx(once(again))


def test_distinct_rows_change_nothing():
    found, times = ratings(two_raters(), ordered=True).distinct()
    assert coefficients(found, times)[:10] == pytest.approx(once(ratings(two_raters(), ordered=True))[:10])
    assert times.sum() == 200 and len(times) < 20


def test_categories_without_order_have_no_ordinal_alpha():
    found = once(ratings(two_raters()))
    assert math.isnan(found.alpha_ordinal) and math.isnan(found.alpha_interval)
    assert not math.isnan(once(ratings(two_raters(), ordered=True)).alpha_ordinal)


def test_intervals_hold_the_value_and_name_methods():
    for name, one in Agreement(ratings(two_raters(), values=np.arange(4.0))).coefficients.items():
        method = "Wilson" if name == "percent_agreement" else "bootstrap over units, 1,000 draws, seed 0"
        assert one.low < one.value < one.high and one.method.startswith(method)


def test_agreement_of_two_has_one_interval():
    agreement = Agreement(ratings(two_raters()))
    share, (pair,), (ceiling, _) = agreement.coefficients["percent_agreement"], agreement.pairs, agreement.ceiling
    agree, n = int((two_raters()[:, 0] == two_raters()[:, 1]).sum()), len(two_raters())
    low, high = binomtest(agree, n).proportion_ci(method="wilson")
    assert (share.value, share.low, share.high) == pytest.approx((agree / n, low, high))
    assert share[:3] == pair.percent_agreement[:3] == ceiling.agreement[:3]


def test_full_agreement_keeps_a_width():
    codes = np.repeat(np.arange(12)[:, None] % 3, 3, axis=1)
    for one in Agreement(ratings(codes)).coefficients.values():
        assert math.isnan(one.value) or (one.value == 1 and 0.7 < one.low < 0.8 and one.high == 1)


def test_one_category_leaves_kappa_undefined():
    found = Agreement(ratings(np.zeros((10, 2), int), q=1)).coefficients
    assert math.isnan(found["cohen_kappa"].value) and math.isnan(found["gwet_ac1"].value)
    assert found["percent_agreement"].value == 1
    assert found["cohen_kappa"].method.endswith("all ratings are of one category")
    assert found["alpha_ordinal"].method == "undefined: the categories have no order"
    assert found["alpha_interval"].method == "undefined: the categories are no numbers"


def test_raters_without_common_units_have_no_agreement():
    found = ratings([[0, MISSING], [MISSING, 1]], q=2)
    assert not found.overlap()
    assert all(math.isnan(value) for value in once(found))


def test_majorities_keep_ties_apart():
    counts = np.array([[2, 1, 0], [1, 1, 1], [0, 0, 0], [0, 3, 3]])
    assert majority(counts).tolist() == [0, TIE, MISSING, TIE]
    found = Agreement(ratings([[0, 0, 1], [0, 1, 2], [1, 1, 1], [2, MISSING, MISSING]], q=3)).truth
    assert found == (2, 1, 1)
    of_people = Agreement(ratings([[0, 0, 1], [0, 1, 2], [1, 1, 0], [2, MISSING, 2]], q=3), models=(2,)).truth
    assert of_people == (2, 1, 2)


def test_the_mean_of_the_ceiling_allows_for_units():
    """Its error is that of the bootstrap over units, which draws all ratings of a unit at once."""
    random = np.random.default_rng(5)
    truth = random.integers(0, 3, 400)
    codes = np.where(random.random((400, 4)) < 0.75, truth[:, None], random.integers(0, 3, (400, 4)))
    found = Agreement(ratings(codes)).ceiling_mean
    drawn = [Agreement(ratings(codes[random.integers(0, 400, 400)], q=3)).ceiling for _ in range(150)]
    means = [np.mean([one.agreement.value for one in each]) for each in drawn]
    assert found.value == pytest.approx(np.mean([one.agreement.value for one in Agreement(ratings(codes)).ceiling]))
    assert (found.high - found.low) / 3.92 == pytest.approx(np.std(means), rel=0.2)


def test_ceiling_compares_each_with_the_others_majority():
    """Raters a, b, c are people, d is the judge, who saw three units."""
    codes = [[0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 1], [0, 1, 1, MISSING]]
    found = Agreement(ratings(codes), judge=3).ceiling
    assert [one.n for one in found] == [1, 1, 3, 3]  # a against b and c: they tie in the second and third unit
    assert [one.ties for one in found] == [2, 2, 0, 0]
    assert found[2].agreement.value == pytest.approx(1 / 3) and found[3].agreement.value == pytest.approx(2 / 3)


def test_stricter_raters_are_found():
    """Two categories: McNemar's mid-p. Three: Stuart–Maxwell, worked by hand with its 2 × 2 matrix."""
    one, two = np.array([0] * 8 + [1] * 3), np.array([0] * 1 + [1] * 7 + [0] + [1] * 2)
    from metrics.comparison.flips import mcnemar

    found = marginal_homogeneity(one, two, np.ones(11, int), 2)
    assert found.p == mcnemar(7, 1).mid_p
    table = np.array([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    rows, columns = np.nonzero(table)
    found = marginal_homogeneity(rows, columns, table[rows, columns], 3)
    moved = (table.sum(axis=1) - table.sum(axis=0))[:2]
    spread = -(table + table.T)[:2, :2].astype(float)
    np.fill_diagonal(spread, (table.sum(axis=0) + table.sum(axis=1) - 2 * np.diag(table))[:2])
    assert found.statistic == pytest.approx(moved @ np.linalg.inv(spread) @ moved)
    assert found.df == 2 and found.p < 0.05


def test_prevalence_that_parts_kappa_from_ac1_is_found():
    codes = np.zeros((100, 2), int)
    codes[:3, 0], codes[3:6, 1] = 1, 1
    found = Agreement(ratings(codes)).prevalence_gap()
    assert found["agreement"] == pytest.approx(0.94) and found["kappa"] < 0.05 and found["ac1"] > 0.9
    assert Agreement(ratings(two_raters())).prevalence_gap() is None


def test_the_most_contested_units_come_first():
    found = Agreement(ratings([[0, 0, 0], [0, 1, 2], [0, 0, 1], [1, MISSING, MISSING]], q=3))
    assert found.contested.tolist() == [1, 2]
