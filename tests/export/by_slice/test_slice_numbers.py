"""Numbers of slices are scikit-learn's on the rows of the slice, and what a filter shows; differences are drawn."""

import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import false_discovery_control, norm
from sklearn import metrics

from data.building.build import build
from data.comparison.filter_conditions import filter_rows, keep_rows
from data.comparison.row_groups import clusters_in_use
from data.comparison.slice_columns import slices_by
from data.evaluation import Settings
from export import measurement
from export.by_slice import slice_numbers
from export.by_slice.slice_numbers import class_metrics, measure_slices, other_metrics, read_metric, sort_numbers
from export.measurement import measure
from export.numbers import list_intervals, values
from metrics.catalogue.metric import ON_PREDICTIONS
from metrics.catalogue.registry import REGISTRY

CLASSES = ("a", "b", "c", "d")


def binary(n=1500, *, weights=False, seed=1):
    rng = np.random.default_rng(seed)
    truth, region = rng.random(n) < 0.4, rng.choice(["eu", "us", "one"], n, p=[0.5, 0.4, 0.1])
    truth |= region == "one"
    score = np.round(np.clip(0.25 + 0.4 * truth + rng.normal(0, 0.25, n), 0.01, 0.99), 2)
    columns = {"y": np.where(truth, "yes", "no"), "s": score, "region": region, "w": rng.gamma(1.0, 1.0, n)}
    settings = Settings(truth="y", scores=(("s", "yes"),), positive="yes", weights="w" if weights else None)
    return build(pa.table({k: v.tolist() for k, v in columns.items()}), settings, name="t", content_sha256="0")


def multiclass(n=500, *, weights=False):
    rng = np.random.default_rng(2)
    truth, region = rng.integers(0, 4, n), rng.choice(["eu", "us"], n)
    scores = rng.dirichlet(np.ones(4), n) + 0.8 * np.eye(4)[truth] * (rng.random(n) < 0.6)[:, None]
    scores /= scores.sum(axis=1, keepdims=True)
    columns = {"y": [CLASSES[code] for code in truth], "region": region.tolist()}
    columns |= {f"p_{label}": scores[:, code].tolist() for code, label in enumerate(CLASSES)}
    columns |= {"w": rng.gamma(1.0, 1.0, n).tolist()}
    scored = tuple((f"p_{label}", label) for label in CLASSES)
    settings = Settings(truth="y", scores=scored, weights="w" if weights else None)
    return build(pa.table(columns), settings, name="t", content_sha256="0")


def found(evaluation, key, column="region"):
    measured = measure(evaluation)
    metric = read_metric(measured, key)
    return {one.conditions[0][1]: one for one in measure_slices(measured, slices_by(evaluation.rows, column), metric)}


def rows_of(evaluation, region):
    return np.array(evaluation.rows["region"].to_pylist()) == region


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize(
    ("key", "oracle"),
    [
        ("roc_auc", metrics.roc_auc_score),
        ("average_precision", metrics.average_precision_score),
        ("partial_auc", lambda y, s, **w: metrics.roc_auc_score(y, s, max_fpr=0.1, **w)),
        ("log_loss", metrics.log_loss),
        ("brier", metrics.brier_score_loss),
        ("mcc", lambda y, s, **w: metrics.matthews_corrcoef(y, s >= 0.5, **w)),
        ("specificity", lambda y, s, **w: metrics.recall_score(~y, s < 0.5, **w)),
    ],
)
def test_binary_numbers_equal_scikit_learn(key, oracle, weights):
    evaluation = binary(weights=weights)
    for region in ("eu", "us"):
        inside = rows_of(evaluation, region)
        w = {"sample_weight": np.array(evaluation.rows["w"])[inside]} if weights else {}
        expected = oracle(evaluation.y_true[inside] == evaluation.positive, evaluation.y_score[inside, 0], **w)
        one = found(evaluation, key)[region]
        assert one.number.value == pytest.approx(expected, abs=1e-9)
        assert one.number.low < one.number.value < one.number.high and one.n == inside.sum()
        assert (one.effective_n is not None) == weights


@pytest.mark.parametrize(
    ("key", "oracle"),
    [
        ("roc_auc_macro", lambda y, s: metrics.roc_auc_score(y, s, multi_class="ovr")),
        ("roc_auc_ovo", lambda y, s: metrics.roc_auc_score(y, s, multi_class="ovo")),
        ("top_2_accuracy", lambda y, s: metrics.top_k_accuracy_score(y, s, k=2)),
        ("log_loss", metrics.log_loss),
    ],
)
def test_multiclass_numbers_equal_scikit_learn(key, oracle):
    evaluation = multiclass()
    for region, one in found(evaluation, key).items():
        inside = rows_of(evaluation, region)
        assert one.number.value == pytest.approx(oracle(evaluation.y_true[inside], evaluation.y_score[inside]))


ONE_CLASS = {
    "recall": metrics.recall_score,
    "precision": metrics.precision_score,
    "f1": metrics.f1_score,
    "f2": lambda y, p, **w: metrics.fbeta_score(y, p, beta=2, **w),
    "f05": lambda y, p, **w: metrics.fbeta_score(y, p, beta=0.5, **w),
    "specificity": lambda y, p, **w: metrics.recall_score(~y, ~p, **w),
    "false_positive_rate": lambda y, p, **w: 1 - metrics.recall_score(~y, ~p, **w),
    "npv": lambda y, p, **w: metrics.precision_score(~y, ~p, **w),
    "youden_j": lambda y, p, **w: metrics.balanced_accuracy_score(y, p, adjusted=True, **w),
    "mcc": metrics.matthews_corrcoef,
    "g_mean": lambda y, p, **w: math.sqrt(metrics.recall_score(y, p, **w) * metrics.recall_score(~y, ~p, **w)),
    "jaccard": metrics.jaccard_score,
    "positive_likelihood_ratio": lambda y, p, **w: metrics.class_likelihood_ratios(y, p, **w)[0],
    "negative_likelihood_ratio": lambda y, p, **w: metrics.class_likelihood_ratios(y, p, **w)[1],
    "predicted_share": lambda y, p, sample_weight=None: np.average(p, weights=sample_weight),
}
AREAS = {
    "roc_auc": metrics.roc_auc_score,
    "average_precision": metrics.average_precision_score,
}


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("key", [*ONE_CLASS, *AREAS])
def test_numbers_of_one_class_equal_scikit_learn(key, weights):
    evaluation = multiclass(weights=weights)
    truth = evaluation.y_true == 1
    given = evaluation.y_score[:, 1] if key in AREAS else evaluation.y_pred == 1
    for region, one in found(evaluation, f"{key}[b]").items():
        inside = rows_of(evaluation, region)
        w = {"sample_weight": np.array(evaluation.rows["w"])[inside]} if weights else {}
        expected = (ONE_CLASS | AREAS)[key](truth[inside], given[inside], **w)
        assert one.number.value == pytest.approx(expected, abs=1e-9)
        assert one.number.low < one.number.value < one.number.high and one.n == inside.sum()


@pytest.mark.parametrize("evaluation", [binary(), multiclass()], ids=["two", "many"])
def test_every_sure_number_of_a_class_is_offered(evaluation):
    """Slices have the numbers of a class that the JSON has, and those of its score that have an interval there."""
    measured = measure(evaluation)
    of_class = values(measured)["per_class"][evaluation.labels[1]].keys() - {"support", "predicted"}
    with_interval = {name.partition("[")[0] for name in list_intervals(measured)}
    of_score = with_interval.intersection(measured.areas or measured.list_told("score counts"))
    assert set(class_metrics(measured)) == of_class | of_score
    assert {*ONE_CLASS, *AREAS} <= of_class | of_score


def test_unknown_numbers_of_a_class_are_refused():
    several, two = measure(multiclass()), measure(binary())
    assert read_metric(two, "npv[no]").code == 0 and read_metric(two, "roc_auc[yes]").code == 1
    assert read_metric(two, "roc_auc[no]") is None  # the file has no score for it
    for name in ("npv[e]", "npv[]", "npv", "log_loss[a]", "net_benefit[a]"):
        assert read_metric(several, name) is None, name


@pytest.mark.parametrize("evaluation", [binary(), binary(weights=True), multiclass()], ids=["rows", "weights", "many"])
def test_a_slice_has_what_its_filter_shows(evaluation):
    label = evaluation.labels[1]
    for name in (
        *other_metrics(measure(evaluation)),
        *(f"{key}[{label}]" for key in class_metrics(measure(evaluation))),
    ):
        key, code = (name, None) if name[-1] != "]" else (name.partition("[")[0], 1)
        for region, one in found(evaluation, name).items():
            alone = measure(filter_rows(evaluation, [("region", region)])).number(key, code)
            assert repr(one.number) == repr(alone), (name, region)


def test_one_class_leaves_a_slice_undefined():
    lines = sort_numbers(list(found(binary(), "roc_auc").values()), REGISTRY["binary", "roc_auc"])
    assert lines[-1].conditions == (("region", "one"),) and math.isnan(lines[-1].number.value)
    assert lines[-1].cell.why == "every row is positive"
    assert lines[0].number.value < lines[1].number.value


def test_the_worst_loss_stands_first():
    lines = sort_numbers(list(found(binary(), "log_loss").values()), REGISTRY["binary", "log_loss"])
    values = [one.number.value for one in lines]
    assert values == sorted(values, reverse=True)


def test_numbers_without_an_interval_are_not_offered():
    keys = set(other_metrics(measure(binary())))
    assert {"predicted_share", "roc_auc", "partial_auc", "brier_skill", "mcc", "specificity", "npv"} <= keys
    assert not keys & {"ece", "best_f1", "class_accuracy", "class_mcc", "net_benefit"}
    keys = set(other_metrics(measure(multiclass())))
    assert {"roc_auc_macro", "top_3_accuracy", "roc_auc_ovo", "log_loss", "cohen_kappa", "macro_npv"} <= keys


def test_each_number_has_a_name_of_its_own():
    for evaluation in (binary(), multiclass()):
        names = other_metrics(measure(evaluation))
        assert len(set(names.values())) == len(names)


@pytest.mark.parametrize("key", ["roc_auc", "log_loss", "mcc", "npv", "partial_auc"])
def test_difference_is_that_to_all_other_rows(key):
    """Its error is that of 400 draws with replacement, of the slice and of the rest by themselves."""
    evaluation, random = binary(600, seed=5), np.random.default_rng(0)
    one, inside = found(evaluation, key)["eu"], rows_of(evaluation, "eu")
    parts = [measure(keep_rows(evaluation, np.flatnonzero(side), ())) for side in (~inside, inside)]
    values = [part.value(key) for part in parts]
    assert one.difference.value == pytest.approx(values[1] - values[0])
    drawn = []
    for _ in range(400):
        sides = [random.choice(np.flatnonzero(side), side.sum()) for side in (~inside, inside)]
        rest, of_slice = (measure(keep_rows(evaluation, rows, ())).value(key) for rows in sides)
        drawn.append(of_slice - rest)
    assert one.difference.se == pytest.approx(np.std(drawn), rel=0.15)
    low, value, high = one.difference.low, one.difference.value, one.difference.high
    assert low < value < high and one.difference.p == pytest.approx(2 * norm.sf(abs(value) / np.std(drawn)), abs=0.1)


def test_p_is_corrected_over_the_slices():
    """The third slice is of one class."""
    lines = [one for one in found(binary(), "brier").values() if not one.difference.few_decide]
    assert len(lines) == 2 and [one.p_adjusted for one in lines] == pytest.approx(
        false_discovery_control([one.difference.p for one in lines])
    )


def random_slices(seed, *, n, share, slices):
    """Return a file whose column of slices says nothing of its rows."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < share
    score = 1 / (1 + np.exp(-(1.5 * truth - 0.75 + 0.8 * rng.normal(size=n))))
    columns = {"y": np.where(truth, "yes", "no"), "s": score, "region": rng.integers(0, slices, n).astype(str)}
    settings = Settings(truth="y", scores=(("s", "yes"),), positive="yes")
    return build(pa.table(columns), settings, name="t", content_sha256="0")


@pytest.mark.parametrize("key", ["roc_auc", "average_precision", "log_loss", "brier", "npv", "f1[yes]", "mcc"])
@pytest.mark.parametrize("made", [{"n": 1000, "share": 0.1, "slices": 20}, {"n": 3000, "share": 0.05, "slices": 10}])
def test_slices_alike_seldom_differ(key, made):
    """Of 40 files at most 5 have such a slice at 5 %: with a share of 5 % more have it in 1.4 % of tries."""
    files = [found(random_slices(seed, **made), key) for seed in range(40)]
    assert sum(any(one.p_adjusted < 0.05 for one in lines.values()) for lines in files) <= 5


@pytest.mark.parametrize("key", ["roc_auc", "average_precision", "f1[yes]", "mcc"])
def test_a_worse_slice_is_told(key):
    """In one slice of ten, with about 120 positives, the score says nothing of its 40 %."""
    evaluation = random_slices(1, n=3000, share=0.4, slices=10)
    score, inside = evaluation.y_score.copy(), rows_of(evaluation, "3")
    score[inside, 0] = np.random.default_rng(0).permutation(score[inside, 0])
    pred = np.where(score[:, 0] >= 0.5, evaluation.positive, 1 - evaluation.positive)
    lines = found(replace(evaluation, y_score=score, y_pred=pred), key)
    assert [place for place, one in lines.items() if one.p_adjusted < 0.001] == ["3"]


@pytest.mark.parametrize(
    ("key", "fewest", "why"),
    [
        ("roc_auc", 30, "too few rows decide it"), ("average_precision", 100, "too few rows decide it"),
        ("f1[yes]", 10, "too few to tell"),
    ],
)  # fmt: skip
def test_few_positives_have_no_p(key, fewest, why):
    """A slice whose number is grey for its positives is not tested."""
    evaluation = random_slices(2, n=1000, share=0.3, slices=2)
    positives = np.flatnonzero(evaluation.y_true == evaluation.positive)
    negatives = np.flatnonzero(evaluation.y_true != evaluation.positive)
    for n, is_tested in ((fewest - 1, False), (fewest, True)):
        inside = np.isin(np.arange(1000), [*positives[:n], *negatives[:50]])
        rows = evaluation.rows.append_column("small", pa.array(inside.astype(str)))
        one = found(replace(evaluation, rows=rows), key, "small")["True"]
        assert math.isnan(one.p_adjusted) != is_tested and not math.isnan(one.number.value)
        assert is_tested or one.difference_cells[0].why == why


def cut(task, case, *, weights):
    """Return a file whose slice "us" is left without scored rows, or of one class, or where all rows are "eu"."""
    rng, n = np.random.default_rng(4), 160
    classes = ["a", "b", "c"][: 2 if task == "binary" else 3]
    region = np.where(np.arange(n) % 2, "us", "eu") if case != "one slice" else np.full(n, "eu")
    is_true = rng.random((n, len(classes))) < 0.5
    if task != "multilabel":
        is_true = np.eye(len(classes), dtype=bool)[rng.integers(0, len(classes), n)]
    scores = is_true + rng.random(is_true.shape) + 0.1
    scores = scores / (2.2 if task == "multilabel" else scores.sum(axis=1, keepdims=True))
    is_pred = scores > 0.5 if task == "multilabel" else np.eye(len(classes), dtype=bool)[scores.argmax(axis=1)]
    truth, pred = ([";".join(np.array(classes)[line]) for line in lines] for lines in (is_true, is_pred))
    if case == "one class":
        truth = ["b" if at == "us" else label for at, label in zip(region, truth, strict=True)]
    if case == "no scored rows":
        pred = [None if at == "us" else label for at, label in zip(region, pred, strict=True)]
    w = np.where((region == "us") & (case == "no weight"), 0.0, rng.gamma(1.0, 1.0, n))
    columns = {"y": truth, "p": pred, "region": region, "w": w}
    columns |= {f"s_{label}": scores[:, code] for code, label in enumerate(classes)}
    scored = classes[1:] if task == "binary" else classes
    settings = Settings(
        truth="y", pred="p", scores=tuple((f"s_{label}", label) for label in scored), weights="w" if weights else None,
        positive="b" if task == "binary" else None, encoding="delimited" if task == "multilabel" else "single",
        delimiter=";" if task == "multilabel" else None,
    )  # fmt: skip
    return build(pa.table(columns), settings, name="t", content_sha256="0")


@pytest.mark.parametrize("task", ["binary", "multiclass", "multilabel"])
@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("no scored rows", "no scored rows"),
        ("no weight", "no scored rows"),
        ("one slice", "no other scored rows"),
        ("one class", ""),
    ],
)
def test_every_slice_is_listed(task, case, why):
    """By every number: where nothing is compared the slice says why."""
    for weights in (True,) if case == "no weight" else (False, True):
        evaluation = cut(task, case, weights=weights)
        measured, place = measure(evaluation), "eu" if case == "one slice" else "us"
        assert evaluation.task == task
        for name in (*other_metrics(measured), *(f"{key}[b]" for key in class_metrics(measured))):
            lines = found(evaluation, name)
            assert set(lines) == set(np.unique(evaluation.rows["region"])), name
            one = lines[place]
            assert math.isnan(one.p_adjusted) == math.isnan(one.difference.p) and one.cell.written, name
            if why and (task, case) != ("multilabel", "no scored rows"):  # an empty cell holds no labels there
                assert math.isnan(one.p_adjusted) and one.difference_cells[0].why == why, name
                assert (one.n, one.is_undefined) == (0, True) or case == "one slice", name


def test_scores_in_bins_are_not_compared():
    e = binary()
    binned = replace(e, score_upper=e.y_score[:, 0] + 0.005, weights=np.ones(e.n_lines, dtype=np.int64))
    lines = found(binned, "roc_auc")
    assert lines["eu"].difference.method == "scores are known in bins" and lines["eu"].bound > 0
    assert lines["one"].bound == 0 and lines["one"].cell.why == "every row is positive"
    nothing = replace(binned, scored=binned.scored & ~rows_of(binned, "us"))
    assert found(nothing, "roc_auc")["us"].difference.method == "no scored rows"


def test_clusters_in_both_sides_move_together():
    """Each document has a row on both sides, alike: the difference is surer than of independent rows."""
    evaluation = binary(600)
    half = np.arange(600) % 300
    e = replace(keep_rows(evaluation, half, ()), settings=replace(evaluation.settings, cluster="doc"))
    sides = np.where(np.arange(600) < 300, "first", "second")
    rows = e.rows.append_column("doc", pa.array(half)).append_column("side", pa.array(sides))
    for key in ("mcc", "log_loss", "roc_auc"):
        paired = replace(e, rows=rows)
        alone = replace(paired, settings=replace(e.settings, cluster="none"))
        together, apart = (found(one, key, "side")["first"].difference for one in (paired, alone))
        assert together.value == pytest.approx(apart.value, abs=1e-12) and together.se < 0.1 * apart.se, key


def test_too_many_rests_are_not_compared(monkeypatch):
    monkeypatch.setattr(slice_numbers, "MAX_ROWS_OF_RESTS", 1_000)
    one = found(binary(), "roc_auc")["eu"]
    assert math.isnan(one.p_adjusted) and one.difference_cells[0].why == "too many slices of so many rows"


def test_each_score_is_counted_once_a_side(monkeypatch):
    counted = []
    count = measurement.count_scores
    monkeypatch.setattr(measurement, "count_scores", lambda p, code: counted.append(p.n_lines) or count(p, code))
    evaluation = binary()
    measured = measure(evaluation)
    metric = read_metric(measured, "roc_auc")
    counted.clear()
    measure_slices(measured, slices_by(evaluation.rows, "region"), metric)
    assert sum(counted) <= 3 * evaluation.n_lines, "each of three slices, and its rest"


@pytest.mark.parametrize("clusters", ["region", "doc"])
def test_a_filter_to_one_cluster_has_no_interval(clusters):
    """As a slice that lies in one cluster: nothing tells how far other clusters would differ."""
    e = multiclass()
    docs = np.where(rows_of(e, "us"), "of us", np.arange(e.n_rows) // 4)
    e = replace(e, rows=e.rows.append_column("doc", pa.array(docs)), settings=replace(e.settings, cluster=clusters))
    part = filter_rows(e, (("region", "us"),))
    filtered = measure(part).number("cohen_kappa")
    of_slice = found(e, "cohen_kappa")["us"].number
    assert (filtered.method, filtered.clusters) == (of_slice.method, 1) == ("undefined: one cluster", 1)
    assert filtered.value == of_slice.value and math.isnan(filtered.low) and math.isnan(of_slice.low)
    assert "All rows are of one cluster" in clusters_in_use(part).warnings[0]


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("make", [binary, multiclass])
def test_rows_without_a_score_change_nothing(make, weights):
    """A slice of a number of scores is compared as if its rows without a score were not in the file."""
    whole = make(weights=weights)
    n_lines = np.arange(whole.n_lines)
    with_score = ~rows_of(whole, "us") | (n_lines % 5 == 0)
    without = replace(whole, y_score=np.where(with_score[:, None], whole.y_score, np.nan))
    left_out = keep_rows(whole, np.flatnonzero(with_score), ())
    measured = measure(without)
    keys = [key for key in other_metrics(measured) if REGISTRY[whole.task, key].eats not in ON_PREDICTIONS]
    assert len(keys) >= 5
    for key in keys:
        assert measured.number(key).n == measure(left_out).number(key).n, key
        lines, expected = found(without, key), found(left_out, key)
        for region, line in lines.items():
            assert line.number.n == expected[region].number.n, key
            assert line.difference.p == pytest.approx(expected[region].difference.p, rel=0.05, nan_ok=True), key
