"""Slices of rows with weights have scikit-learn's values, and their tests count effective rows."""

import dataclasses
import math

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import norm
from sklearn import metrics

from data.building.build import build
from data.comparison.row_groups import clusters_in_use
from data.comparison.slice_columns import slices_by
from data.evaluation import Settings
from export.by_slice.group_result import find_groups
from export.by_slice.groups import compare_rates
from export.by_slice.slice_results import find_slices_by
from export.by_slice.slice_search import search_metrics, search_slices_of
from export.by_slice.slices import find_slices
from export.by_slice.worst_parts import find_worst_parts
from export.measurement import measure
from metrics.findings.worst_parts import part_findings
from tests.export.recompute.test_prepared import sets


def table(n=400, *, seed=0, whole=False):
    rng = np.random.default_rng(seed)
    truth, region = rng.choice(["no", "yes"], n), rng.choice(["eu", "us", "asia"], n, p=[0.5, 0.4, 0.1])
    pred = np.where(rng.random(n) < np.where(region == "us", 0.6, 0.85), truth, "no")
    weight = rng.integers(0, 4, n) * 0.5 if whole else rng.gamma(1.0, 1.0, n)
    columns = {"y": truth, "p": pred, "region": region, "shift": rng.choice(["day", "night"], n), "w": weight}
    return pa.table({name: pa.array(values.tolist()) for name, values in columns.items()})


def evaluate(rows, **more):
    given = {"truth": "y", "pred": "p", "positive": "yes", "weights": "w"} | more
    return build(rows, Settings(**given), name="t", content_sha256="0")


def slices_of(evaluation, column="region"):
    (found,) = find_slices(evaluation, [column]).searched.slices
    return found


def test_search_takes_no_other_number_for_accuracy():
    table = pa.table({"y": ["a", "b"], "p": ["a", "a"], "part": ["x", "y"]})
    e = build(table, Settings(truth="y", pred="p"), name="n", content_sha256="c")
    with pytest.raises(KeyError, match="specificity"):
        search_slices_of(e, (slices_by(e.rows, "part"),), "specificity", 0)


def test_values_are_those_of_scikit_learn():
    rows = table()
    truth, pred, region, weights = (np.array(rows[name].to_pylist()) for name in ("y", "p", "region", "w"))
    for place, value in enumerate(slices_by(rows, "region").values):
        one = slices_of(evaluate(rows))[place]
        inside = region == value[0]
        sides = [(truth[side], pred[side], {"sample_weight": weights[side]}) for side in (inside, ~inside)]
        expected = {
            "accuracy": lambda y, p, w: metrics.accuracy_score(y, p, **w),
            "macro_f1": lambda y, p, w: metrics.f1_score(y, p, average="macro", **w),
            "recall": lambda y, p, w: metrics.recall_score(y, p, pos_label="yes", **w),
            "precision": lambda y, p, w: metrics.precision_score(y, p, pos_label="yes", **w),
        }
        for name, score in expected.items():
            here, rest = (score(*side) for side in sides)
            assert one.metrics[name].value == pytest.approx(here, abs=1e-12), name
            assert one.difference_to_rest[name].value == pytest.approx(here - rest, abs=1e-12), name
        assert one.n == inside.sum()
        assert one.effective_n == pytest.approx(weights[inside].sum() ** 2 / (weights[inside] ** 2).sum())


@pytest.mark.parametrize("several", [False, True])
def test_weighted_slice_is_that_of_repeated_rows(several):
    if several:
        plain = sets()
        rows = plain.rows.append_column("region", pa.array(["eu", "us"] * (plain.n_lines // 2)))
        times = np.random.default_rng(1).integers(0, 4, plain.n_lines)
        settings = dataclasses.replace(plain.settings, label_set=plain.labels)
    else:
        rows = table(1500, whole=True)
        times = (2 * np.array(rows.column("w").to_pylist())).astype(int)
        times[:20] = 1  # values stand in the order of the file
        rows, settings = rows.drop_columns(["w"]), Settings(truth="y", pred="p", positive="yes")
    half = rows.append_column("half", pa.array(times * 0.5))
    weighted = build(half, dataclasses.replace(settings, weights="half"), name="t", content_sha256="0")
    again = build(rows.take(pa.array(np.repeat(np.arange(len(rows)), times))), settings, name="t", content_sha256="1")
    for one, repeated in zip(slices_of(weighted), slices_of(again), strict=True):
        assert one.n < repeated.n
        for name, value in one.metrics.items():
            assert value.value == pytest.approx(repeated.metrics[name].value, nan_ok=True), name
            moved, other = one.difference_to_rest[name], repeated.difference_to_rest[name]
            assert moved.value == pytest.approx(other.value, nan_ok=True), name
    columns = [name for name in ("region", "shift") if name in rows.column_names]
    a, b = (
        search_slices_of(e, tuple(slices_by(e.rows, name) for name in columns), next(iter(search_metrics(e))), 0)
        for e in (weighted, again)
    )
    for table_, other_table in zip(a.search.tables, b.search.tables, strict=True):
        assert table_.value == pytest.approx(other_table.value, nan_ok=True)


def test_p_is_of_effective_rows_by_hand():
    rows = table(2000)
    region, weights = (np.array(rows[name].to_pylist()) for name in ("region", "w"))
    right = np.array(rows["y"].to_pylist()) == np.array(rows["p"].to_pylist())
    shares, counts = [], []
    for side in (region == "us", region != "us"):
        w, hit = weights[side], right[side]
        share, few = (w * hit).sum() / w.sum(), w.sum() ** 2 / (w**2).sum()
        variance = max((w**2 * (hit - share) ** 2).sum() / w.sum() ** 2, share * (1 - share) / few) * few / (few - 1)
        shares.append(share)
        counts.append(share * (1 - share) / variance)
    pooled = np.dot(shares, counts) / sum(counts)
    z = abs(shares[0] - shares[1]) / math.sqrt(pooled * (1 - pooled) * (1 / counts[0] + 1 / counts[1]))
    found = next(one for one in slices_of(evaluate(rows)) if one.n == (region == "us").sum())
    moved = found.difference_to_rest["accuracy"]
    assert moved.p == pytest.approx(2 * norm.sf(z)) and "effective rows" in moved.method


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("metric", ["accuracy", "recall", "f1"])
def test_search_has_the_numbers_of_single_slices(metric, clustered):
    """A search of all columns agrees with each slice compared alone, at the edges, too."""
    rows = table(whole=True)
    rows = rows.append_column("patient", pa.array((np.arange(len(rows)) % 40).astype(str)))
    e = evaluate(rows, cluster="patient" if clustered else "")
    clusters = clusters_in_use(e)
    assert (clusters is not None) == clustered
    found = search_slices_of(e, (slices_by(rows, "region"),), metric, e.labels.index("yes"), clusters=clusters)
    (table_,) = found.search.tables
    (slices,) = find_slices(e, ["region"], clusters=clusters).searched.slices
    for one in slices:
        at, own, moved = one.place, one.metrics[metric], one.difference_to_rest[metric]
        assert [column[at] for column in (table_.value, *table_.bounds)] == pytest.approx([*own[:3]])
        if not math.isnan(moved.value):
            between = [column[at] for column in (table_.difference, *table_.difference_bounds)]
            assert between == pytest.approx([moved.value, moved.low, moved.high])
        assert (table_.n[at], table_.effective_of(at)) == (one.n, pytest.approx(one.effective_n))
        if metric != "f1":
            assert table_.p[at] == pytest.approx(moved.p, nan_ok=True)


@pytest.mark.parametrize("several", [False, True])
def test_rates_of_groups_are_weighted(several):
    """Of several labels a row, whether a row has the label is one of two classes."""
    rows = table(4000)
    region, weights = (np.array(rows[name].to_pylist()) for name in ("region", "w"))
    is_true, is_pred = (np.array(rows[name].to_pylist()) == "yes" for name in ("y", "p"))
    if several:
        lists = {name: np.where(side, "yes|a", "a") for name, side in (("y", is_true), ("p", is_pred))}
        rows = pa.table(lists | {"region": region, "w": weights})
    e = evaluate(rows, **({"encoding": "delimited", "delimiter": "|", "positive": None} if several else {}))
    found = compare_rates(e, slices_by(rows, "region"), e.labels.index("yes"))
    for group in found.rates:
        inside = region == found.way.values[group.place][0]
        expected = {"tpr": (is_pred, is_true), "fpr": (is_pred, ~is_true), "ppv": (is_true, is_pred)}
        for rate, (part, whole) in expected.items():
            w, chosen = weights[inside & whole], part[inside & whole]
            assert group.rates[rate].value == pytest.approx(np.average(chosen, weights=w)), rate
            assert group.rates[rate].n == len(w)
            assert group.rates[rate].effective_n == pytest.approx(w.sum() ** 2 / (w**2).sum())
        assert group.n == inside.sum()
    gap = found.gaps["tpr"]
    low, high = (found.rates[place].rates["tpr"].value for place in (gap.lower, gap.higher))
    assert gap.difference == pytest.approx(high - low) and gap.low < gap.difference < gap.high


def scored(rows, seed=3):
    is_true, rng = np.array(rows["y"].to_pylist()) == "yes", np.random.default_rng(seed)
    score = np.round(np.clip(rng.normal(0.35 + 0.3 * is_true, 0.2), 0, 1), 2)
    return rows.append_column("s", pa.array(score)), is_true, score


def test_scores_of_groups_are_weighted():
    rows, is_true, score = scored(table())
    region, weights = (np.array(rows[name].to_pylist()) for name in ("region", "w"))
    weights[::7] = 0
    rows = rows.set_column(rows.column_names.index("w"), "w", pa.array(weights))
    found = find_groups(evaluate(rows, scores=(("s", "yes"),)), "region")
    for group in found.numbers["fairness"]["groups"]:
        inside = (region == group["group"]["region"]) & (weights > 0)
        w, off = weights[inside], (score - is_true)[inside]
        mean, few = np.average(off, weights=w), w.sum() ** 2 / (w**2).sum()
        sandwich = (w**2 * (off - mean) ** 2).sum() / w.sum() ** 2
        kish = np.average((off - mean) ** 2, weights=w) / few
        reach = norm.ppf(0.975) * math.sqrt(max(sandwich, kish) * few / (few - 1))
        bias = group["calibration"]
        assert [bias[key] for key in ("value", "low", "high")] == pytest.approx([mean, mean - reach, mean + reach])
        given = {"sample_weight": w}
        f1 = {at: metrics.f1_score(is_true[inside], (score >= at)[inside], **given) for at in np.unique(score[inside])}
        best = group["best_threshold"]
        assert best["f1"] == pytest.approx(max(f1.values())) == pytest.approx(f1[best["threshold"]])
        assert best["f1_in_use"] == pytest.approx(metrics.f1_score(is_true[inside], (score >= 0.5)[inside], **given))
    words = " ".join("".join(map(str, note)) for note in found.notes)
    assert "wrong rows weigh" in words and "Weighted by " in words and "once" not in words


def test_equal_rates_cost_what_repeated_rows_do():
    rows, is_true, score = scored(table(1000, whole=True))
    times = (2 * np.array(rows["w"].to_pylist())).astype(int)
    given = {"scores": (("s", "yes"),)}
    weighted = find_groups(evaluate(rows, **given), "region").numbers["fairness"]["equalised"]
    again = rows.take(pa.array(np.repeat(np.arange(len(rows)), times)))
    repeats = find_groups(evaluate(again, weights=None, **given), "region").numbers["fairness"]["equalised"]
    assert len(weighted) == 2
    for equal, repeat in zip(weighted, repeats, strict=True):
        assert equal["thresholds"] == repeat["thresholds"] and equal["target"] == pytest.approx(repeat["target"])
        for key in ("n", "wrong_now", "wrong_then"):
            assert equal[key] == repeat[key] / 2
    assert weighted[0]["wrong_now"] == np.average((score >= 0.5) != is_true, weights=times) * times.sum() / 2


def test_heavy_rows_are_too_few_for_equal_rates():
    """Nine positive rows of a group are too few, whatever they weigh."""
    n = 60
    rows = pa.table({
        "y": ["yes" if i < 9 or 30 <= i < 45 else "no" for i in range(n)], "p": ["yes"] * n,
        "region": ["eu"] * 30 + ["us"] * 30, "s": np.linspace(0, 1, n), "w": np.full(n, 100.0),
    })  # fmt: skip
    found = find_groups(evaluate(rows, scores=(("s", "yes"),)), "region").numbers["fairness"]
    assert [equal["rate"] for equal in found["equalised"]] == ["selection_rate"]


def test_few_heavy_rows_are_no_finding():
    """A slice of 20 rows, of which one wrong row has nearly all weight, is no surer than that row."""
    n = 400
    wrong, inside = np.arange(n) % 20 == 0, np.arange(n) < 20
    weight = np.where(wrong & inside, 1000.0, 1.0)
    columns = {"y": ["a"] * n, "p": np.where(wrong, "b", "a").tolist(), "part": np.where(inside, "x", "z").tolist()}
    e = evaluate(pa.table(columns | {"w": weight}), positive=None)
    (x, _) = slices_of(e, "part")
    assert x.metrics["accuracy"].value < 0.05 and x.effective_n < 1.1 and x.n == 20
    assert math.isnan(x.difference_to_rest["accuracy"].p)
    found = search_slices_of(e, (slices_by(e.rows, "part"),), "accuracy", 0)
    assert np.isnan(found.search.tables[0].p).all()


def test_table_and_json_say_effective_rows():
    result = find_slices_by(measure(evaluate(table())), ["region"])
    (slices,) = result.tables
    assert [column.title for column in slices.columns][1:3] == ["rows", "effective rows"]
    assert all(len(row) == len(slices.columns) for row in slices.rows)
    assert result.notes[-1][0] == "Weighted " and "not_weighted" not in result.numbers
    one = result.numbers["slices"][0]
    assert one["effective_n"] < one["n"] and one["metrics"]["recall"]["effective_n"] < one["metrics"]["recall"]["n"]
    plain = find_slices_by(measure(evaluate(table(), weights="")), ["region"])
    assert "effective rows" not in [column.title for column in plain.tables[0].columns]
    assert "effective_n" not in plain.numbers["slices"][0]


def test_findings_on_parts_rank_by_weight():
    """The worst slice and group hold few rows and most of the weight; the rank is their share of the weight."""
    rng, n = np.random.default_rng(5), 2000
    truth, part = rng.choice(["no", "yes"], n), np.where(np.arange(n) < 160, "few", "many")
    pred = np.where((part == "few") & (rng.random(n) < 0.5), "no", truth)
    weight = np.where(part == "few", 30.0, 1.0) * rng.uniform(0.8, 1.2, n)
    e = evaluate(pa.table({"y": truth, "p": pred, "part": part, "w": weight}))
    parts = find_worst_parts(e, (slices_by(e.rows, "part"),))
    expected = weight[part == "few"].sum() / weight.sum()
    found = {finding.code: finding for finding in part_findings(parts)}
    assert set(found) == {"worst_slice", "group_gap"} and expected > 0.5
    for finding in found.values():
        assert finding.weight == pytest.approx(expected) and finding.severity == "serious"
        assert finding.conditions == (("part", "few"),) and finding.evidence["n"] == 160
