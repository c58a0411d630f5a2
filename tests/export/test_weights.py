"""Weights of rows: every number equals that of rows repeated as often, intervals know how much the rows tell."""

import dataclasses
import json
import math
import re

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import t
from sklearn import metrics

from charts.confusion import confusion_table
from charts.matrix import matrix_payload
from data.building.build import build
from data.evaluation import Settings
from data.runs import load
from data.runs.draft import Given
from export.class_result import class_result
from export.evaluation.calibration_result import calibration_result
from export.evaluation.confusion_result import matrix_takeaway, worst_result
from export.measurement import measure
from export.numbers import list_intervals, numbers, scored_numbers
from export.result.frame import to_frame
from export.tables import cell_table
from metrics.catalogue.registry import ROWS
from metrics.catalogue.worked_examples import number
from metrics.confusion.axis import Group
from metrics.confusion.matrix import arrange
from metrics.confusion.standouts import streaks
from metrics.findings.calibration import measure_calibration
from metrics.shares import critical_value, wilson
from tests.export.evaluations import made
from tests.export.recompute.test_prepared import sets
from tests.metrics.catalogue.test_registry import calculate

Z = critical_value(0.95)


def binary(n=40, *, seed=0, **more):
    rng = np.random.default_rng(seed)
    truth = rng.choice(["no", "yes"], n)
    columns = {
        "y": truth, "p": np.where(rng.random(n) < 0.7, truth, rng.choice(["no", "yes"], n)),
        "s": np.round(np.clip(0.3 * (truth == "yes") + 0.7 * rng.random(n), 0, 1), 1), "w": rng.gamma(1.0, 1.0, n),
    }  # fmt: skip
    return pa.table({name: pa.array(values.tolist()) for name, values in (columns | more).items()})


def evaluate(table, **settings):
    given = Settings(truth="y", pred="p", scores=(("s", "yes"),), positive="yes", **settings)
    return build(table, given, name="t", content_sha256="0")


def repeated(e, times):
    """Return the evaluation of the rows of another, each written as often as it counts."""
    settings = dataclasses.replace(e.settings, weights=None)
    rows = e.rows.take(pa.array(np.repeat(np.arange(e.n_lines), times)))
    return build(rows, settings, name="again", content_sha256="1")


@pytest.mark.parametrize("name", ["binary", "several classes", "sets"])
def test_weighted_number_is_that_of_repeated_rows(name):
    plain = {
        "binary": lambda: evaluate(binary()), "several classes": lambda: made(("a", "b", "c"), 50, scores=True),
        "sets": sets,
    }[name]()  # fmt: skip
    times = np.random.default_rng(2).integers(0, 4, plain.n_lines)
    given = plain.rows.drop_columns([name for name in plain.rows.column_names if name == "w"])
    rows = given.append_column("w", pa.array(times * 0.1))
    settings = dataclasses.replace(plain.settings, weights="w", label_set=plain.labels)
    weighted = measure(build(rows, settings, name="w", content_sha256="0"))
    again = measure(repeated(weighted.evaluation, times))
    told = [row for row in ROWS if plain.task in row.tasks and not row.counts_rows and row.key != "ece_by_chance"]
    for row in told:
        expected = again.value(row.key, 0)
        assert weighted.value(row.key, 0) == pytest.approx(expected, abs=1e-9, nan_ok=True) or expected is None, row.key
    assert len(told) >= 25


@pytest.mark.parametrize("name", ["binary", "several classes", "sets"])
def test_worked_formulas_hold_weights(name):
    """With whole weights they are those of rows repeated as often; with others they give the value."""
    plain = {
        "binary": lambda: evaluate(binary()), "several classes": lambda: made(("a", "b", "c"), 50, scores=True),
        "sets": sets,
    }[name]()  # fmt: skip
    random = np.random.default_rng(2)
    times, drawn = random.integers(1, 4, plain.n_lines), random.gamma(1.0, 1.0, plain.n_lines)
    whole, parts = (
        measure(build(plain.rows.append_column("times", pa.array(weights)), settings, name="w", content_sha256=sha))
        for weights, sha in ((times, "0"), (drawn, "1"))
        for settings in [dataclasses.replace(plain.settings, weights="times", label_set=plain.labels)]
    )
    again, n_calculated = measure(repeated(whole.evaluation, times)), 0
    for row in ROWS:
        if plain.task not in row.tasks or not row.fits_labels(plain.ranks, plain.paths):
            continue
        code = 1 if row.eats in ("confusion counts, one class", "score counts") else None
        shown, value = parts.worked(row.key, code), parts.value(row.key, code)
        if shown is None or row.unit == "p":
            continue
        if row.eats != "probabilities" and not row.counts_rows and row.key != "ece_by_chance":
            assert whole.worked(row.key, code) == again.worked(row.key, code), row.key
        assert shown.endswith(f" {number(value)}"), row.key
        formula = re.split(r" (?:=|\\approx) (?=[^=]+$)", re.sub(r"^.text.*quad ", "", shown))[0]
        if r"\dots" not in shown and not math.isnan(value):
            assert calculate(formula) == pytest.approx(value, abs=2e-3), (row.key, shown)
            n_calculated += 1
    assert n_calculated > 35


def test_scikit_learn_agrees_with_ties_and_zeros():
    table = binary(200, seed=3)
    weights = np.where(np.arange(200) % 5 == 0, 0.0, np.array(table["w"].to_pylist()))
    table = table.set_column(3, "w", pa.array(weights))
    found = measure(evaluate(table, weights="w"))
    truth, pred, score = (np.array(table[name].to_pylist()) for name in ("y", "p", "s"))
    given = {"sample_weight": weights}
    expected = {
        "accuracy": metrics.accuracy_score(truth, pred, **given),
        "macro_f1": metrics.f1_score(truth, pred, average="macro", **given),
        "mcc": metrics.matthews_corrcoef(truth, pred, **given),
        "cohen_kappa": metrics.cohen_kappa_score(truth, pred, **given),
        "roc_auc": metrics.roc_auc_score(truth == "yes", score, **given),
        "average_precision": metrics.average_precision_score(truth == "yes", score, **given),
        "log_loss": metrics.log_loss(truth == "yes", score, **given),
        "brier": metrics.brier_score_loss(truth == "yes", score, **given),
    }
    assert {key: found.value(key) for key in expected} == pytest.approx(expected, abs=1e-12)


def test_weighted_calibration_is_that_of_scikit_learn():
    table = binary(800, seed=6, s=np.random.default_rng(6).random(800))
    weights = np.where(np.arange(800) % 5 == 0, 0.0, np.array(table["w"].to_pylist()))
    found = measure(evaluate(table.set_column(3, "w", pa.array(weights)), weights="w"))
    truth, score = np.array(table["y"].to_pylist()) == "yes", np.array(table["s"].to_pylist())
    errors, bins = (to_frame(table) for table in calibration_result(found).tables)
    place = np.maximum(np.searchsorted(bins["lowest score"], score, side="right") - 1, 0)  # of weight 0: anywhere
    squares = np.bincount(place, weights**2, 10)
    n, mean, share, spread = (np.bincount(place, weights * each, 10) for each in (1, score, truth, score * (1 - score)))
    assert n.max() - n.min() < 2 * weights.max() and n.sum() == pytest.approx(weights.sum())
    np.testing.assert_allclose(bins["weight"], n)
    np.testing.assert_allclose(bins["weight positive"], share)
    np.testing.assert_allclose(bins["effective rows"], n**2 / squares)
    np.testing.assert_allclose(bins["rows"], np.bincount(place, weights > 0))
    np.testing.assert_allclose(bins["mean probability"], mean / n)
    ends = np.array([share_interval(truth[place == own], weights[place == own]) for own in range(10)])
    np.testing.assert_allclose(bins[["share positive low", "share positive high"]], ends)
    assert 0 < np.isnan(ends[:, 0]).sum() < 5
    gaps, chance = np.abs(mean - share) / n, np.sqrt(2 / np.pi * spread / n * squares / n**2)
    expected = {
        "ECE": np.average(gaps, weights=n), "MCE": gaps.max(),
        "Brier score": metrics.brier_score_loss(truth, score, sample_weight=weights),
        "Log loss": metrics.log_loss(truth, score, sample_weight=weights),
    }  # fmt: skip
    assert dict(zip(errors["error"], errors["value"], strict=True)) == pytest.approx(expected)
    assert found.value("ece") == pytest.approx(expected["ECE"]) and found.value("mce") == pytest.approx(gaps.max())
    assert found.value("ece_by_chance") == pytest.approx(np.average(chance, weights=n))
    finding = next(one for one in found.findings if one.code == "miscalibrated")
    assert finding.evidence == pytest.approx(
        {"expected_calibration_error": expected["ECE"], "by_chance": np.average(chance, weights=n)}
    )


def share_interval(is_true, weights):
    """Return Wilson's interval with the sandwich's rows and Satterthwaite's t; none where few rows decide a side."""
    is_true, weights = is_true[weights > 0], weights[weights > 0]
    share = np.average(is_true, weights=weights)
    deciding = (weights**2).sum() ** 2 / (weights**4).sum()
    if min(is_true.sum(), (~is_true).sum(), deciding * share, deciding * (1 - share)) < 5:
        return math.nan, math.nan
    terms = (weights / weights.sum() * (is_true - share)) ** 2
    rows = share * (1 - share) / terms.sum()
    spread = sum(len(side) * side.var(ddof=1) for side in (terms[is_true], terms[~is_true]))
    return tuple(wilson(share * rows, rows, t.ppf(0.975, terms.sum() ** 2 / spread)))


def test_weights_of_mean_one_widen_bins():
    """In each of four bins 40 rows weigh 40, half of them 0.1 and half of them 1.9."""
    weights, score = np.tile([0.1, 1.9], 80), np.repeat([0.1, 0.3, 0.7, 0.9], 40)
    truth = np.random.default_rng(0).random(160) < score
    table = pa.table({"y": np.where(truth, "yes", "no"), "s": score, "w": weights})
    given = Settings(truth="y", scores=(("s", "yes"),), positive="yes", weights="w")
    _, bins = (
        to_frame(one) for one in calibration_result(measure(build(table, given, name="t", content_sha256="0"))).tables
    )
    ends = [share_interval(truth[score == middle], weights[score == middle]) for middle in np.unique(score)]
    np.testing.assert_allclose(bins[["share positive low", "share positive high"]], ends)
    np.testing.assert_allclose(bins["effective rows"], 40**2 / (20 * 0.1**2 + 20 * 1.9**2))


def test_confidence_is_weighed_as_its_finding_says():
    """Sure rows are wrong and heavy: of the rows six in ten are right, of their weight three in eleven."""
    truth = ["a", "b", "c"] * 40
    right = np.arange(120) % 10 < 6
    pred = [label if is_right else "abca"["abc".index(label) + 1] for label, is_right in zip(truth, right, strict=True)]
    scores = {f"s_{label}": [0.8 if label == said else 0.1 for said in pred] for label in "abc"}
    table = pa.table({"y": truth, "p": pred, "w": np.where(right, 1.0, 4.0), **scores})
    given = Settings(truth="y", pred="p", weights="w", scores=tuple((f"s_{label}", label) for label in "abc"))
    found = measure(build(table, given, name="t", content_sha256="0"))
    share, few = 72 / (72 + 4 * 48), (72 + 4 * 48) ** 2 / (72 + 16 * 48)
    sure = measure_calibration(found.evaluation, found.kept).confidence
    assert (sure.mean, sure.right) == pytest.approx((0.8, share))
    assert (sure.low, sure.high) == pytest.approx(wilson(share * (few - 1), few - 1, Z))  # more than the sandwich
    finding = next(one for one in found.findings if one.code == "miscalibrated")
    assert finding.text.startswith(
        "Confidence is too high: 80.0 % on average, but 27.3 % of rows, by weight, are right"
    )


def test_equal_weights_give_the_plain_numbers():
    table = binary(w=np.full(40, 2.5))
    plain, weighted = (list_intervals(measure(evaluate(table, **more))) for more in ({}, {"weights": "w"}))
    for key, within in plain.items():
        assert weighted[key].value == pytest.approx(within.value, nan_ok=True)
        assert weighted[key].n == within.n
        assert math.isnan(within.low) or weighted[key].low == pytest.approx(within.low, abs=0.02), key
    assert weighted["accuracy"].effective_n == pytest.approx(40)


def test_unit_of_weights_changes_no_interval():
    table = binary()
    larger = table.set_column(3, "w", pa.array(np.array(table["w"].to_pylist()) * 1000))
    one, other = (list_intervals(measure(evaluate(t, weights="w"))) for t in (table, larger))
    for key, within in one.items():
        assert other[key].low == pytest.approx(within.low, nan_ok=True), key


@pytest.mark.parametrize("several", [False, True])
def test_fine_units_give_the_same_intervals(several):
    """Weights in 64ths, and the same but for a billionth, which need far finer units."""
    plain = made(("a", "b", "c"), 100, scores=True) if several else evaluate(binary(100))
    weights = np.random.default_rng(4).integers(1, 200, 100) / 64
    rows = plain.rows.drop_columns([name for name in plain.rows.column_names if name == "w"])
    settings = dataclasses.replace(plain.settings, weights="w")
    coarse, fine = (
        build(rows.append_column("w", pa.array(w)), settings, name="t", content_sha256="0")
        for w in (weights, weights + 1e-9 * np.arange(100) / 100)
    )
    assert fine.unit < 1e-6 * coarse.unit
    one, other = (list_intervals(measure(e)) for e in (coarse, fine))
    for key, within in one.items():
        assert other[key][1:4] == pytest.approx(within[1:4], rel=1e-5, nan_ok=True), key


def test_interval_of_a_share_by_hand():
    weights = np.array([1.0, 2.0, 0.5, 4.0, 1.0, 1.5, 3.0, 1.0, 2.0, 1.0])
    right = np.array([1, 1, 0, 1, 1, 0, 1, 1, 1, 0], dtype=bool)
    table = pa.table({"y": ["a"] * 5 + ["b"] * 5, "w": weights})
    pred = np.where(right, table["y"].to_pylist(), "c")
    given = Settings(truth="y", pred="p", weights="w")
    e = build(table.append_column("p", pa.array(pred)), given, name="t", content_sha256="0")
    total, share = weights.sum(), (weights * right).sum() / weights.sum()
    sandwich = (weights**2 * (right - share) ** 2).sum() / total**2
    few = total**2 / (weights**2).sum()
    variance = max(sandwich, share * (1 - share) / few) * few / (few - 1)
    effective = share * (1 - share) / variance
    found = measure(e).number("accuracy")
    assert found.effective_n == pytest.approx(few) and found.n == 10 and found.se == pytest.approx(math.sqrt(variance))
    assert (found.low, found.high) == pytest.approx(wilson(share * effective, effective, Z))


def test_interval_at_the_edge_counts_effective_rows():
    table = pa.table({"y": ["a", "b"] * 6, "p": ["a", "b"] * 6, "w": [1.0, 5.0, 2.0] * 4})
    found = measure(build(table, Settings(truth="y", pred="p", weights="w"), name="t", content_sha256="0"))
    few = 32**2 / (4 * (1 + 25 + 4))
    within = found.number("accuracy")
    assert (within.value, within.high) == (1.0, 1.0) and within.low == pytest.approx(wilson(few, few, Z).low)
    weights = np.array([1.0, 5.0, 2.0] * 4)[::2]
    few_a = weights.sum() ** 2 / (weights**2).sum()
    assert found.number("recall", 0).low == pytest.approx(wilson(few_a, few_a, Z).low)
    assert found.number("recall", 0).n == 6


def test_areas_at_the_edge_count_effective_rows():
    table = binary(30, s=np.where(np.array(binary(30)["y"].to_pylist()) == "yes", 0.9, 0.1))
    found = measure(evaluate(table, weights="w"))
    is_true = np.array(table["y"].to_pylist()) == "yes"
    weights = np.array(table["w"].to_pylist())
    sizes = [w.sum() ** 2 / (w**2).sum() for w in (weights[is_true], weights[~is_true])]
    assert found.number("roc_auc").low == pytest.approx(wilson(min(sizes), min(sizes), Z).low)
    assert found.number("average_precision").low == pytest.approx(wilson(sizes[0], sizes[0], Z).low)


def test_clusters_add_up_weights():
    table = binary(w=np.tile([0.5, 3.0], 20), g=np.arange(40) // 4)
    found = measure(evaluate(table, weights="w", cluster="g")).number("accuracy")
    weights, right = (np.array(table["w"].to_pylist()), np.array(table["y"].to_pylist()) == table["p"].to_pylist())
    share = (weights * right).sum() / weights.sum()
    sums = np.bincount(np.arange(40) // 4, weights * (right - share)) / weights.sum()
    assert found.se == pytest.approx(math.sqrt((sums**2).sum() * 10 / 9)) and found.clusters == 10


def test_rows_are_never_weights():
    table = binary(w=np.where(np.arange(40) % 4 == 0, 0.0, 0.3))
    e = evaluate(table, weights="w")
    found = scored_numbers(measure(e))
    assert found["n_rows"] == 40 and found["n_scored"] == 30
    assert found["weights"]["total"] == pytest.approx(9.0) and found["weights"]["effective_n"] == pytest.approx(30)
    assert "count every row once" in found["weights"]["not_weighted"]
    per_class = found["per_class"]["yes"]
    assert per_class["support"] == e.count_rows(e.scored & (e.y_true == e.positive))
    assert per_class["support_weight"] == pytest.approx(0.3 * per_class["support"])
    at = found["at_threshold"]
    assert at["tp"] + at["fp"] + at["fn"] + at["tn"] == 30 and isinstance(at["tp"], int)
    assert sum(map(sum, found["confusion_matrix"]["rows_true_cols_pred"])) == 30
    assert sum(map(sum, found["confusion_matrix"]["weights_true_cols_pred"])) == pytest.approx(9.0)
    table = class_result(measure(e))
    place = [column.title for column in table.columns].index("true rows")
    counts = [line[place].n for line in table.rows]
    assert sum(counts) == 30
    json.dumps(numbers(measure(e)))


def test_order_of_rows_changes_no_digit():
    table = binary(60, seed=5)
    shuffled = table.take(pa.array(np.random.default_rng(1).permutation(60)))
    one, other = (measure(evaluate(t, weights="w")) for t in (table, shuffled))
    keys = ("accuracy", "macro_f1", "mcc", "roc_auc", "cohen_kappa")
    assert [one.value(key) for key in keys] == [other.value(key) for key in keys]


def weighted_classes(n=60, *, whole=False):
    """Return rows of three classes, and their weights."""
    plain, rng = made(("a", "b", "c"), n), np.random.default_rng(8)
    weights = rng.integers(0, 4, n).astype(float) if whole else rng.gamma(1.0, 1.0, n)
    settings = dataclasses.replace(plain.settings, weights="w", label_set=plain.labels)
    return build(plain.rows.append_column("w", pa.array(weights)), settings, name="w", content_sha256="0"), weights


def test_weighted_matrix_is_that_of_scikit_learn():
    e, weights = weighted_classes()
    given = {"y_true": e.y_true, "y_pred": e.y_pred, "labels": [0, 1, 2], "sample_weight": weights}
    found = measure(e)
    block = arrange(found.weighted_confusion)
    assert block.weigh(block.rows) == pytest.approx(metrics.confusion_matrix(**given))
    for how, normalize in (("row", "true"), ("column", "pred"), ("all", "all")):
        assert block.shares(how) == pytest.approx(metrics.confusion_matrix(**given, normalize=normalize))
    rows = metrics.confusion_matrix(e.y_true, e.y_pred, labels=[0, 1, 2])
    assert (block.counted.rows == rows).all()
    for true, pred, n, weight, share in cell_table(found).itertuples(index=False):
        i, j = e.labels.index(true), e.labels.index(pred)
        assert n == rows[i, j]
        assert (weight, share) == pytest.approx((block.weigh(block.rows)[i, j], block.shares("row")[i, j]))
    first = worst_result(found).tables[0].rows[0]
    wrong = np.where(np.eye(3, dtype=bool), 0, metrics.confusion_matrix(**given))
    assert first[3].value == pytest.approx(wrong.max()) and first[2].n == rows.flat[wrong.argmax()]


def test_weighted_matrix_is_that_of_repeated_rows():
    e, times = weighted_classes(whole=True)
    counts, again = measure(e).weighted_confusion, measure(repeated(e, times.astype(int))).confusion
    for options in ({}, {"worst": 1}, {"order": "recall"}, {"groups": [Group("a or b", (0, 1), collapsed=True)]}):
        block, expected = arrange(counts, **options), arrange(again, **options)
        assert block.row_codes.tolist() == expected.row_codes.tolist()
        assert (block.weigh(block.rows) == expected.rows).all() and (block.weigh(block.right) == expected.right).all()
        assert block.counted.n == e.n_scored
        sent, plain = matrix_payload(block, e.labels), matrix_payload(expected, e.labels)
        assert sent["cells"]["weight"].tolist() == plain["cells"]["rows"].tolist() and sent["mixed"] == plain["mixed"]
    frame, plain = (confusion_table(arrange(one), e.labels, errors_only=True) for one in (counts, again))
    assert frame.drop(columns="rows").rename(columns={"sum_of_weights": "rows"}).to_dict() == plain.to_dict()


def test_title_of_the_matrix_speaks_of_weight():
    rows = pa.table({"y": ["a", "a", "b", "b"], "p": ["a", "b", "b", "a"], "w": [1.0, 3.0, 3.0, 1.0]})
    e = build(rows, Settings(truth="y", pred="p", weights="w"), name="t", content_sha256="0")
    assert matrix_takeaway(measure(e)) == "75.0 % of a, by weight, was predicted as b"


def test_streak_is_the_heaviest_of_enough_rows():
    truth = [c for c in "bcd" for _ in range(2)] + list("abcd")
    rows = pa.table({"y": truth, "p": ["a"] * 6 + list("abcd"), "w": [2.0] * 10})
    e = build(rows, Settings(truth="y", pred="p", weights="w"), name="t", content_sha256="0")
    counts = measure(e).weighted_confusion
    (streak,) = streaks(counts)
    assert (streak.code, streak.classes, counts.write(streak.rows)) == (0, 3, "12")
    few = dataclasses.replace(e, scored=e.scored & (np.arange(10) > 1))
    assert streaks(measure(few).weighted_confusion) == []


def test_exported_cells_are_weighed_once_when_opened_again(tmp_path, own_store, read_here):
    """A cell of three rows of weight 1.25: its sum of weights is no weight of each of its rows."""
    table = pa.table({"y": list("aaab"), "p": list("aabb"), "w": [1.25, 1.25, 1.25, 0.5]})
    weighted = build(table, Settings(truth="y", pred="p", weights="w"), name="t", content_sha256="0")
    cells = cell_table(measure(weighted))
    assert cells["sum of weights"].tolist() == [2.5, 1.25, 0.5] and cells["rows"].tolist() == [2, 1, 1]
    cells.to_csv(tmp_path / "cells.csv", index=False)
    again = load.read_evaluation([tmp_path / "cells.csv"], Given(counts="rows"))
    assert again.units is None and again.n_rows == 4
    assert "--weights" not in " ".join(again.receipt.warnings), "nor is it offered as one"


COUNTS = {"rows", "sure_rows", "support", "predicted", "classes", "labels", "outside", "n"}
"""Evidence that counts rows or labels, whatever the weights."""
WITH_INTERVALS = {"worst_slice", "worst_slice_recall", "group_gap", "miscalibrated"}
"""Findings whose evidence holds bounds, too: rows repeated tell less than they seem."""


def wrong_half(seed, k, *, right=0.5, order=False, listed=0, n=600):
    """Rows of k classes, of which the first two take in those predicted wrongly; and their weights.

    right : the share of rows of the other classes that are predicted right. listed : so many of the classes, of which
    the first one is written otherwise where it is predicted; 0 = no list.
    """
    rng = np.random.default_rng(seed)
    names = np.array([f"c{code}" for code in range(k)])
    truth = rng.choice(names, n, p=np.arange(k, 0, -1) / (k * (k + 1) / 2))
    is_right = rng.random(n) < np.where(np.isin(truth, names[:2]), 0.5, right)
    pred = np.where(is_right, truth, rng.choice(names[:2], n))
    times = np.where(truth == pred, rng.integers(1, 3, n), rng.integers(1, 6, n))
    if listed:
        pred = np.where(pred == "c0", "c-0", np.where(truth == "c2", "c1", pred))
        truth = np.where(truth == "c2", "c1", truth)
    table = pa.table({"y": truth.tolist(), "p": pred.tolist(), "w": times.tolist()})
    order = tuple(names.tolist()) if order else ()
    label_set = tuple(names[:listed].tolist()) or None
    return table, Settings(truth="y", pred="p", weights="w", order=order, label_set=label_set), times


def test_findings_of_light_rows_are_no_warnings():
    """Wrong rows of hardly any weight change no number: neither a class nor a label is told by them."""
    names = np.repeat(["a", "b", "c", "d"], 60)
    is_light = np.arange(240) % 3 == 0
    table = pa.table({"y": names.tolist(), "p": np.where(is_light, "a", names).tolist(),
                      "w": np.where(is_light, 0.01, 1.0).tolist()})  # fmt: skip
    e = build(table, Settings(truth="y", pred="p", weights="w"), name="t", content_sha256="0")
    assert "favourite" not in {finding.code for finding in measure(e).findings}
    once = build(table, Settings(truth="y", pred="p"), name="t", content_sha256="0")
    assert "favourite" in {finding.code for finding in measure(once).findings}


def wrong_sets(seed, n=400):
    """Rows of three labels of which one is often missed and one often invented; and their weights."""
    rng = np.random.default_rng(seed)
    truth = rng.random((n, 3)) < [0.5, 0.3, 0.2]
    missed, invented = rng.random((n, 3)) < [0.1, 0.7, 0.2], rng.random((n, 3)) < [0.1, 0.05, 0.6]
    sides = [[";".join(np.array(["art", "bees", "cats"])[row]) for row in side]
             for side in (truth, (truth & ~missed) | (~truth & invented))]  # fmt: skip
    times = rng.integers(1, 6, n)
    table = pa.table({"y": sides[0], "p": sides[1], "w": times.tolist()})
    labels = {"label_set": ("art", "bees", "cats"), "encoding": "delimited", "delimiter": ";"}
    return table, Settings(truth="y", pred="p", weights="w", **labels), times


def scored_backwards(seed, n=400):
    """Rows whose score ranks backwards; and their weights."""
    table = binary(n, seed=seed)
    scores, times = 1 - np.array(table["s"].to_pylist()), np.random.default_rng(seed).integers(1, 6, n)
    table = table.set_column(2, "s", pa.array(scores.tolist())).set_column(3, "w", pa.array(times.tolist()))
    return table, Settings(truth="y", pred="p", scores=(("s", "yes"),), positive="yes", weights="w"), times


@pytest.mark.parametrize(
    ("drawn", "codes"),
    [
        (wrong_half(0, 2), {"missed", "false_alarms", "no_better_than_majority"}),
        (wrong_half(1, 5, right=0.02), {"macro_far_below_micro"}),
        (wrong_half(2, 8), {"confusion", "favourite"}),
        (wrong_half(6, 5, right=0.0), {"never_predicted"}),
        (wrong_half(7, 3, listed=2), {"never_predicted", "outside_label_space"}),
        (wrong_half(5, 5, right=0.3, order=True), {"steps_off"}),
        (wrong_sets(3), {"label_missed", "label_false_alarms", "subset_far_below_per_label"}),
        (scored_backwards(4), {"missed", "reversed_score", "threshold_far_from_best", "confident_errors"}),
    ],
    ids=[
        "two classes",
        "five classes",
        "eight classes",
        "never predicted",
        "unlisted",
        "ordered",
        "several labels",
        "scores",
    ],
)
def test_rates_in_findings_equal_repeated_rows(drawn, codes):
    table, settings, times = drawn
    e = build(table, settings, name="t", content_sha256="0")
    once = build(table, dataclasses.replace(settings, weights=None), name="once", content_sha256="2")
    by_weight, by_repeats, by_row = (
        {(f.code, f.labels): f for f in measure(each).findings} for each in (e, repeated(e, times), once)
    )
    told = {key for key in by_weight.keys() & by_repeats.keys() if key[0] not in WITH_INTERVALS}
    assert codes <= {code for code, _ in told}
    for key in told:
        assert by_weight[key].severity == by_repeats[key].severity
        assert by_weight[key].weight == pytest.approx(by_repeats[key].weight), key
        rates = by_weight[key].evidence.keys() - COUNTS
        assert {name: by_weight[key].evidence[name] for name in rates} == pytest.approx(
            {name: by_repeats[key].evidence[name] for name in rates}, rel=1e-9, nan_ok=True
        )
        if key in by_row:
            numbers_of_rows = by_weight[key].evidence.keys() & COUNTS & by_row[key].evidence.keys()
            assert all(by_weight[key].evidence[name] == by_row[key].evidence[name] for name in numbers_of_rows)
