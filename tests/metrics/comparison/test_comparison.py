"""Differences of every metric agree with the bootstrap of rows; DeLong agrees with the definition over all pairs."""

import dataclasses
import math
import re

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import binomtest
from sklearn import metrics as sk

from metrics.catalogue.registry import with_influence
from metrics.comparison.comparison import Comparison
from metrics.comparison.differences import two_sided_p
from metrics.comparison.gate import judge, read_condition
from metrics.comparison.runs import Runs, constant_models
from metrics.comparison.tiers import best_looks_better_by, tiers
from metrics.shares import critical_value, paired_difference
from tests.metrics.intervals.made import sets, two_models

LABELS = ("a", "b", "c", "d")


def runs_of(truth, *preds, labels=LABELS, **more):
    names = tuple(f"m{place}" for place in range(len(preds)))
    return Runs(names, labels, len(labels), "multiclass", truth, preds, **more)


def compared(seed=0, n=600, **more):
    return Comparison(runs_of(*two_models(seed, n, 4), **more))


def test_differences_are_b_less_a():
    found = compared()
    for name in found.names:
        moved = found.difference(name, 0, 1)
        a, b = (found.interval(name, model).value for model in (0, 1))
        assert moved.value == pytest.approx(b - a, nan_ok=True)
        back = found.difference(name, 1, 0)
        assert (back.low, back.high) == pytest.approx((-moved.high, -moved.low), nan_ok=True), name
        assert back.p == pytest.approx(moved.p, nan_ok=True)


def test_difference_errors_are_those_of_the_bootstrap():
    truth, a, b = two_models(1, 500, 4)
    found, random = Comparison(runs_of(truth, a, b)), np.random.default_rng(0)
    names = [name for name in found.names if not math.isnan(found.difference(name, 0, 1).value)]
    drawn: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(250):
        rows = random.integers(0, 500, 500)
        again = Comparison(runs_of(truth[rows], a[rows], b[rows]))
        for name in names:
            values = [again._statistic(name, (0, 1), place)[0].value for place in (0, 1)]
            drawn[name].append(values[1] - values[0])
    for name in names:
        assert found.difference(name, 0, 1).se == pytest.approx(np.nanstd(drawn[name]), rel=0.18), name


@pytest.mark.parametrize(("of_a", "of_b", "few"), [(5, 400, False), (400, 5, False), (3, 4, True), (0, 400, False)])
@pytest.mark.parametrize("name", ["macro_f1", "mcc", "cohen_kappa", "balanced_accuracy"])
def test_few_errors_beside_many_are_judged(name, of_a, of_b, few):
    """One number is grey, since few rows decide it; the difference is not where many rows decide that."""
    truth = np.arange(1200) % 3
    a, b = (np.where(np.arange(1200) < errors, (truth + 1) % 3, truth) for errors in (of_a, of_b))
    compared = Comparison(runs_of(truth, a, b, labels=("a", "b", "c")))
    moved = compared.difference(name, 0, 1)
    assert moved.few_decide == math.isnan(moved.p) == few
    assert compared.interval(name, 0).few_decide == (of_a in (3, 5))
    verdict = judge(read_condition(f"{name} worse", compared), compared, 0, 1)
    assert (verdict.is_undefined, verdict.fails) == (few, not few and of_b > of_a)


def test_rates_of_the_positive_class_are_compared():
    """Against scikit-learn, and the bootstrap of 400 rows by formulas that scikit-learn confirms."""
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 400)
    preds = [np.where(random.random(400) < right, truth, 1 - truth) for right in (0.8, 0.85)]
    found = Comparison(Runs(("one", "two"), ("no", "yes"), 2, "binary", truth, tuple(preds), positive=1))
    oracles = {
        "specificity": lambda y, p: sk.recall_score(y, p, pos_label=0),
        "npv": lambda y, p: sk.precision_score(y, p, pos_label=0),
        "f2": lambda y, p: sk.fbeta_score(y, p, beta=2),
        "jaccard": sk.jaccard_score,
        "youden_j": lambda y, p: sk.balanced_accuracy_score(y, p, adjusted=True),
        "false_positive_rate": lambda y, p: 1 - sk.recall_score(y, p, pos_label=0),
        "g_mean": lambda y, p: math.sqrt(sk.recall_score(y, p) * sk.recall_score(y, p, pos_label=0)),
        "negative_likelihood_ratio": lambda y, p: sk.class_likelihood_ratios(y, p)[1],
    }
    formulas = {
        "specificity": lambda tp, fp, fn, tn: tn / (tn + fp),
        "npv": lambda tp, fp, fn, tn: tn / (tn + fn),
        "f2": lambda tp, fp, fn, tn: 5 * tp / (5 * tp + 4 * fn + fp),
        "jaccard": lambda tp, fp, fn, tn: tp / (tp + fn + fp),
        "youden_j": lambda tp, fp, fn, tn: tp / (tp + fn) - fp / (tn + fp),
        "false_positive_rate": lambda tp, fp, fn, tn: fp / (tn + fp),
        "g_mean": lambda tp, fp, fn, tn: np.sqrt(tp / (tp + fn) * tn / (tn + fp)),
        "negative_likelihood_ratio": lambda tp, fp, fn, tn: (fn / (tp + fn)) / (tn / (tn + fp)),
    }
    draws = random.integers(0, 400, (200, 400))
    counts = [[(truth == y)[draws] & (pred == p)[draws] for y, p in ((1, 1), (0, 1), (1, 0), (0, 0))] for pred in preds]
    cells = np.sum(counts, axis=-1)  # of each model: tp, fp, fn, tn of every draw
    for name, oracle in oracles.items():
        moved = found.difference(name, 0, 1)
        assert moved.value == pytest.approx(oracle(truth, preds[1]) - oracle(truth, preds[0])), name
        a, b = (formulas[name](*of_model) for of_model in cells)
        assert b[0] == pytest.approx(oracle(truth[draws[0]], preds[1][draws[0]])), name
        assert moved.se == pytest.approx(np.std(b - a), rel=0.18), name
    assert set(oracles) <= set(found.names) and found.names.count("mcc") == 1
    assert "predicted_share" not in found.names and not found.has("predicted_share[yes]")
    assert read_condition("specificity[no] worse", found).metric == "specificity[no]"


@pytest.mark.parametrize("probability", [0.1, 0.5, 0.8])
def test_net_benefit_differs_as_the_expected_cost(probability):
    """The glossary says so: its difference is that of the costs 1 and the odds, with the other sign."""
    truth, odds, benefits = np.random.default_rng(4).integers(0, 2, 300), probability / (1 - probability), []
    preds = tuple(np.where(np.random.default_rng(seed).random(300) < 0.8, truth, 1 - truth) for seed in (0, 1))
    for pred in preds:
        benefits.append(((truth & pred).sum() - odds * ((1 - truth) & pred).sum()) / 300)
    costs = np.array([[0.0, odds], [1.0, 0.0]])
    runs = Runs(("one", "two"), ("no", "yes"), 2, "binary", truth, preds, positive=1)
    moved = Comparison(dataclasses.replace(runs, costs=costs)).difference("expected_cost", 0, 1)
    assert benefits[1] - benefits[0] == pytest.approx(-moved.value)
    with pytest.raises(ValueError, match=r"not compared by net benefit.*compare the expected cost"):
        read_condition("net_benefit worse", Comparison(runs))
    with pytest.raises(ValueError, match=r"not compared by expected cost.*--costs"):
        read_condition("expected_cost worse", Comparison(runs))
    with pytest.raises(ValueError, match="neither better nor worse"):
        read_condition("predicted_share[yes] worse", Comparison(runs))


def test_means_of_areas_equal_scikit_learn():
    random = np.random.default_rng(5)
    truth = random.choice(4, 300, p=[0.4, 0.3, 0.2, 0.1])
    scores = [softmax(random.normal(0, 1, (300, 4)) + skill * np.eye(4)[truth], axis=1) for skill in (1.0, 1.5)]
    preds = tuple(score.argmax(axis=1) for score in scores)
    scales = {"scores": tuple(scores), "score_codes": (0, 1, 2, 3), "scales": ("probability",) * 2}
    found = Comparison(runs_of(truth, *preds, **scales))
    for average in ("macro", "weighted"):
        areas = [sk.roc_auc_score(truth, score, multi_class="ovr", average=average) for score in scores]
        assert found.difference(f"roc_auc_{average}", 0, 1).value == pytest.approx(areas[1] - areas[0])


def test_ratio_without_bounds_is_not_compared():
    truth = np.array([0, 0, 0, 1, 1, 1])
    runs = Runs(("one", "two"), ("no", "yes"), 2, "binary", truth, (truth, np.array([0, 1, 0, 1, 1, 0])), positive=1)
    assert math.isnan(Comparison(runs).difference("positive_likelihood_ratio", 0, 1).low)


def test_accuracy_takes_newcombes_paired_interval():
    found = compared()
    flips = found.flips(0, 1)
    moved = found.difference("accuracy", 0, 1)
    wanted = paired_difference(flips.both_right, flips.broken, flips.fixed, flips.both_wrong, critical_value(0.95))
    assert (moved.low, moved.high) == pytest.approx(wanted)
    assert moved.p == found.mcnemar(0, 1).mid_p
    assert flips.n == 600


def test_clusters_of_single_rows_change_little():
    plain, apart = compared(), compared(cluster=np.arange(600))
    for name in ("accuracy", "macro_f1", "cohen_kappa", "recall[b]"):
        one, two = plain.difference(name, 0, 1), apart.difference(name, 0, 1)
        assert two.se == pytest.approx(one.se, rel=0.01)
        assert (two.low, two.high) == pytest.approx((one.low, one.high), abs=0.003)


def test_rows_written_twice_tell_nothing_new():
    truth, a, b = two_models(0, 300, 4)
    once = Comparison(runs_of(truth, a, b, cluster=np.arange(300)))
    twice = Comparison(runs_of(*(np.tile(x, 2) for x in (truth, a, b)), cluster=np.tile(np.arange(300), 2)))
    for name in once.overall_names:
        assert twice.difference(name, 0, 1)[:5] == pytest.approx(once.difference(name, 0, 1)[:5]), name


def test_equal_models_never_differ():
    truth, a, _ = two_models(0, 300, 4)
    found = Comparison(runs_of(truth, a, a.copy()))
    for name in found.overall_names:
        moved = found.difference(name, 0, 1)
        assert moved.value == 0 and moved.p == 1 and moved.low <= 0 <= moved.high
        assert moved.high - moved.low < 0.03


def test_perfect_models_keep_a_width():
    truth = np.arange(40) % 4
    worse = truth.copy()
    worse[0] = 1
    found = Comparison(runs_of(truth, truth, worse))
    for name in found.overall_names:
        moved = found.difference(name, 0, 1)
        assert -1 <= moved.low < moved.value < 0 < moved.high or moved.low < moved.high, name


def test_label_sets_are_compared():
    truth, a = sets(0, 200, 3)
    b = truth ^ (np.random.default_rng(1).random(truth.shape) < 0.1)
    found = Comparison(Runs(("a", "b"), ("x", "y", "z"), 3, "multilabel", truth, (a, b)))
    random, drawn = np.random.default_rng(0), []
    for _ in range(300):
        rows = random.integers(0, 200, 200)
        own = Runs(("a", "b"), ("x", "y", "z"), 3, "multilabel", truth[rows], (a[rows], b[rows]))
        values = [Comparison(own)._statistic("macro_f1", (0, 1), place)[0].value for place in (0, 1)]
        drawn.append(values[1] - values[0])
    assert found.difference("macro_f1", 0, 1).se == pytest.approx(np.std(drawn), rel=0.12)
    assert found.difference("subset_accuracy", 0, 1).p == found.mcnemar(0, 1).mid_p
    assert found.main_metric == "subset_accuracy" and "accuracy[y]" in found.names


def binary(seed=0, n=120):
    random = np.random.default_rng(seed)
    truth = (random.random(n) < 0.4).astype(int)
    shared = random.normal(size=n)
    scores = [np.round(truth * d + 0.7 * shared + 0.7 * random.normal(size=n), 1)[:, None] for d in (0.8, 1.2)]
    preds = tuple((score[:, 0] > 0.5).astype(int) for score in scores)
    return Runs(
        ("a", "b"), ("no", "yes"), 2, "binary", truth, preds, tuple(scores), (1,), ("logit", "logit"), positive=1
    )  # fmt: skip


def slow_delong(truth, one, two):
    """DeLong's variance of a difference, over all pairs of a positive and a negative."""
    kernel = [
        (s[truth == 1][:, None] > s[truth == 0]) + 0.5 * (s[truth == 1][:, None] == s[truth == 0]) for s in (one, two)
    ]
    moved = kernel[1] - kernel[0]
    by_positive, by_negative = moved.mean(axis=1), moved.mean(axis=0)
    variance = by_positive.var(ddof=1) / len(by_positive) + by_negative.var(ddof=1) / len(by_negative)
    return kernel[0].mean(), kernel[1].mean(), variance**0.5


def test_delong_is_the_definition_over_all_pairs():
    runs = binary()
    found = Comparison(runs).delong(0, 1)
    a, b, se = slow_delong(runs.y_true, runs.scores[0][:, 0], runs.scores[1][:, 0])
    assert (found.auc_a, found.auc_b, found.z) == pytest.approx((a, b, (b - a) / se))
    assert Comparison(runs).difference("roc_auc", 0, 1).se == pytest.approx(se)


def test_error_bounds_agree_with_p():
    exact = binary(n=1500)
    seen = set()
    for width in (0.004, 0.02, 0.1, 0.5, 2.0):
        lows = tuple(np.floor(score / width) * width for score in exact.scores)
        runs = dataclasses.replace(exact, scores=lows, score_highs=tuple(low[:, 0] + width for low in lows))
        found = Comparison(runs)
        for name in ("roc_auc", "average_precision", "log_loss", "brier"):
            own, bound = found.difference(name, 0, 1), sum(found.scores.error_bound(name, model) for model in (0, 1))
            assert own.p == two_sided_p(max(0.0, abs(own.value) - bound), own.se), name
            assert name == "log_loss" or -1 <= own.low <= own.high <= 1
        test, area = found.delong(0, 1), found.difference("roc_auc", 0, 1)
        assert (test.low, test.high, test.p) == (area.low, area.high, area.p) and "wider" in area.method
        assert abs(test.low) == 1 or (test.p < 0.05) == area.found
        seen.add((len(tiers(found, "roc_auc").tiers), area.found))
    assert seen == {(1, False), (2, True)}


def test_weights_of_one_change_no_last_bit():
    runs = binary()
    weighted = dataclasses.replace(runs, weights=np.ones(runs.n, np.int64))
    moved = Comparison(runs).scores.worths(1).worth - Comparison(runs).scores.worths(0).worth
    variance = 0.0
    for side in (runs.y_true == 1, runs.y_true == 0):
        variance += float(np.var(moved[side], ddof=1)) / side.sum()
    assert Comparison(runs).delong(0, 1).se == math.sqrt(variance)
    assert Comparison(weighted).delong(0, 1) == pytest.approx(Comparison(runs).delong(0, 1))


def test_score_differences_are_those_of_the_bootstrap():
    runs, random = binary(n=400), np.random.default_rng(0)
    found = Comparison(runs)
    drawn: dict[str, list[float]] = {name: [] for name in found.scores.names}
    for _ in range(300):
        rows = random.integers(0, 400, 400)
        again = Runs(
            runs.names, runs.labels, 2, "binary", runs.y_true[rows], (), tuple(s[rows] for s in runs.scores), (1,),
            runs.scales, positive=1,
        )  # fmt: skip
        for name in drawn:
            a, b = (Comparison(again).scores.statistic(name, model).value for model in (0, 1))
            drawn[name].append(b - a)
    for name, values in drawn.items():
        assert found.difference(name, 0, 1).se == pytest.approx(np.std(values), rel=0.15), name


def test_rows_without_a_score_are_left_out():
    runs = binary()
    runs.scores[0][:20] = np.nan
    found = Comparison(runs)
    kept = runs.y_true[20:], runs.scores[0][20:, 0], runs.scores[1][20:, 0]
    assert found.scores.cells.n == found.runs.n - 20
    assert found.delong(0, 1).auc_b == pytest.approx(slow_delong(*kept)[1])


def test_without_predictions_scores_are_compared():
    runs = binary()
    only = Runs(runs.names, runs.labels, 2, "binary", runs.y_true, (), runs.scores, (1,), ("score",) * 2, positive=1)
    found = Comparison(only)
    assert found.names == tuple(with_influence("score counts", task="binary")) and found.main_metric == "roc_auc"
    assert found.flips(0, 1) is None and found.mcnemar(0, 1) is None and found.cochran_q is None


def test_scores_of_every_class_are_compared():
    """The differences are those of scikit-learn's values; their errors those of leaving each row out in turn."""
    random = np.random.default_rng(6)
    truth = random.integers(0, 4, 120)
    scores = tuple(softmax(random.normal(size=(120, 4)) + d * np.eye(4)[truth], axis=1) for d in (1.0, 1.5))
    names = ("roc_auc_micro", "roc_auc_ovo", "top_2_accuracy", "top_3_accuracy")

    def compared(rows):
        of_rows = tuple(score[rows] for score in scores)
        given = truth[rows], (), of_rows, (0, 1, 2, 3), ("probability",) * 2
        return Comparison(Runs(("a", "b"), ("w", "x", "y", "z"), 4, "multiclass", *given))

    found = compared(np.arange(120))
    assert set(names) <= set(found.scores.names) and "top_5_accuracy" not in found.scores.names
    one, other = (sk.roc_auc_score(truth, score, multi_class="ovo") for score in scores)
    assert found.difference("roc_auc_ovo", 0, 1).value == pytest.approx(other - one)
    one, other = (sk.top_k_accuracy_score(truth, score, k=2) for score in scores)
    assert found.difference("top_2_accuracy", 0, 1).value == pytest.approx(other - one)
    without = [compared(np.delete(np.arange(120), row)) for row in range(120)]
    for name in names:
        values = [each.scores.statistic(name, 1).value - each.scores.statistic(name, 0).value for each in without]
        assert found.difference(name, 0, 1).se == pytest.approx(np.std(values) * 119 / 120**0.5, rel=0.03)


def several(seed=0, n=1500, right=(0.7, 0.71, 0.8, 0.81)):
    random = np.random.default_rng(seed)
    truth, wrong = random.integers(0, 4, n), random.integers(1, 4, n)
    hard = random.random(n)
    return runs_of(
        truth, *(np.where(hard + random.normal(0, 0.1, n) < share, truth, (truth + wrong) % 4) for share in right)
    )


def test_first_tier_is_not_worse_than_the_best():
    found = tiers(Comparison(several()), "accuracy")
    assert [set(tier) for tier in found.tiers] == [{2, 3}, {0, 1}]
    assert found.undefined == ()


def test_tiers_stay_when_a_worse_model_leaves():
    runs = several()
    fewer = runs_of(runs.y_true, *runs.preds[1:])
    assert [len(tier) for tier in tiers(Comparison(fewer), "accuracy").tiers] == [2, 1]


def test_equal_models_are_rarely_in_two_tiers():
    random = np.random.default_rng(0)

    def equal_models():
        truth = random.integers(0, 4, 150)
        return runs_of(truth, *(np.where(random.random(150) < 0.8, truth, (truth + 1) % 4) for _ in range(8)))

    split = [len(tiers(Comparison(equal_models()), "accuracy").tiers) > 1 for _ in range(60)]
    assert sum(split) <= 0.05 * len(split)


def test_best_of_equals_looks_better():
    random = np.random.default_rng(3)
    truth = random.integers(0, 4, 400)
    preds = [np.where(random.random(400) < 0.7, truth, (truth + 1) % 4) for _ in range(6)]
    found = Comparison(runs_of(truth, *preds))
    excess = best_looks_better_by(found, "accuracy")
    assert 0.005 < excess < 2 * found.interval("accuracy", 0).se
    assert best_looks_better_by(Comparison(runs_of(truth, truth, preds[0])), "accuracy") < 1e-6


def test_a_gate_fails_where_the_interval_says_so():
    truth, a, b = two_models(0, 2000, 4)
    found = Comparison(runs_of(truth, b, a))
    assert judge(read_condition("macro_f1 worse", found), found, 0, 1).fails
    assert not judge(read_condition("macro_f1 worse", found), found, 1, 0).fails
    assert not judge(read_condition("accuracy < -0.2", found), found, 0, 1).fails
    assert judge(read_condition(" accuracy <= -0.01 ", found), found, 0, 1).fails
    assert not judge(read_condition("accuracy worse", found), found, 0, 0).fails


@pytest.mark.parametrize(
    ("text", "words"),
    [("macro_f3 worse", "Did you mean 'macro_f"), ("accuracy", "is no condition"), ("recall[z] < -0.1", "no metric"),
     ("accuracy < -0.1.2", "is no condition")],
)  # fmt: skip
def test_conditions_that_cannot_be_read_are_named(text, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        read_condition(text, compared())


def test_losses_are_worse_when_higher():
    runs = binary(n=2000)
    found = Comparison(runs)
    moved = found.difference("log_loss", 0, 1)
    assert found.is_better("log_loss", moved) == (moved.high < 0)
    assert not (found.is_better("log_loss", moved) and found.is_worse("log_loss", moved))


def test_a_model_of_one_class_is_named():
    truth, a, _ = two_models(0, 100, 4)
    assert constant_models(runs_of(truth, a, np.full(100, 2))) == [("m1", "c")]


def test_right_by_one_is_the_share_of_either():
    truth, a, b = two_models(0, 100, 4)
    found, right = Comparison(runs_of(truth, a, b)), (a == truth) | (b == truth)
    for share, rows in ((found.right_by_one(), right), (found.agreement(0, 1), a == b)):
        ends = binomtest(int(rows.sum()), len(rows)).proportion_ci(method="wilson")
        assert (share.value, share.low, share.high) == pytest.approx((rows.mean(), *ends))


def test_small_classes_make_macro_differences_unsure():
    """Two classes of four rows go from never to always found: the delta method alone would be sure of it."""
    truth = np.array([0] * 100 + [1] * 100 + [2] * 4 + [3] * 4)
    a = np.where(truth >= 2, 0, truth)
    a[:20], a[100:120] = 1, 0
    b = np.where(truth >= 2, truth, a)
    moved = Comparison(runs_of(truth, a, b)).difference("balanced_accuracy", 0, 1)
    assert moved.value == pytest.approx(0.5) and moved.se > 0.05
    assert moved.low < 0.4 and moved.p < 0.001


def test_a_constant_model_has_a_narrow_kappa():
    truth = np.array([1] * 100 + [0] * 9_900)
    found = Comparison(Runs(("m",), ("no", "yes"), 2, "binary", truth, (np.zeros(10_000, int),), positive=1))
    kappa, mcc = (found.interval(name, 0) for name in ("cohen_kappa", "mcc"))
    assert np.isnan([mcc.value, mcc.low, mcc.high]).all()  # 0/0
    assert kappa.value == 0 and -0.01 < kappa.low < 0 < kappa.high < 0.1


def test_a_gate_without_interval_is_undefined():
    truth, a, b = two_models(0, 2000, 4)
    found = Comparison(runs_of(truth, b, a, cluster=np.zeros(2000, dtype=np.int64)))
    worse, margin = (judge(read_condition(text, found), found, 0, 1) for text in ("accuracy worse", "accuracy < -0.01"))
    assert worse.is_undefined and not worse.fails
    assert margin.fails and not margin.is_undefined
