"""Two times are compared by slow counts of their rows, weighted or not, with one or several labels a row."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binomtest, chi2, chi2_contingency, false_discovery_control

from data.building.build import build
from data.comparison.slice_columns import slices_by
from data.comparison.stacked_runs import stack_runs
from data.evaluation import Settings
from export.by_slice.drift import compare_files, compare_times, split_at
from export.by_slice.drift_result import files_result, find_drift


def made(several=False):
    rng = np.random.default_rng(7)
    n = 900
    day = rng.integers(0, 60, n)
    late = day >= 40
    truth = np.where(rng.random(n) < np.where(late, 0.6, 0.3), "b", "a")
    pred = np.where(rng.random(n) < 0.2, "a", truth)
    columns = {
        "y": truth, "p": pred, "s": np.round(rng.random(n), 3), "day": np.datetime64("2026-01-01") + day,
        "channel": rng.choice(["x", "y"], n), "branch": np.where(late, "new", rng.choice(["old", "new"], n)),
    }  # fmt: skip
    table = pa.table({k: [*map(str, v)] if k != "s" else v for k, v in columns.items()})
    settings = Settings(truth="y", pred="p", scores=() if several else (("s", "b"),), positive=None if several else "b")
    if several:
        settings = Settings(truth="y", pred="p", encoding="delimited", delimiter=";")
    return build(table, settings, name="d", content_sha256="0"), truth, pred, columns


def test_two_times_are_compared():
    evaluation, truth, pred, columns = made()
    time = slices_by(evaluation.rows, "day")
    since = next(at for at, (value,) in enumerate(time.values) if value >= "2026-02-09")
    others = [slices_by(evaluation.rows, name) for name in ("channel", "branch")]
    found = compare_times(evaluation, time, since, others)
    late = time.codes >= since
    assert found.n == ((~late).sum(), late.sum()) and found.code == evaluation.positive
    assert (found.base_rate.before, found.base_rate.after) == (
        (truth[~late] == "b").mean(),
        (truth[late] == "b").mean(),
    )
    by_name = {one.column or one.what: one for one in found.moved}
    for name, values in (
        ("truth", truth),
        ("prediction", pred),
        ("channel", columns["channel"]),
        ("branch", columns["branch"]),
    ):
        table = [[(values[side] == value).sum() for value in np.unique(values)] for side in (~late, late)]
        assert by_name[name].shift.p == pytest.approx(chi2_contingency(table, correction=False).pvalue)
    assert by_name["branch"].value == "old" or by_name["branch"].value == "new"
    of_five_bins = (1 / found.n[0] + 1 / found.n[1]) * chi2.ppf(0.95, 4)
    assert by_name["score"].shift.by_chance == pytest.approx(of_five_bins) and by_name["score"].p_adjusted > 0.01
    p = [one.shift.p for one in found.moved]
    assert [one.p_adjusted for one in found.moved] == pytest.approx(false_discovery_control(p))
    right = truth == pred
    assert (found.change.before, found.change.after) == pytest.approx((right[~late].mean(), right[late].mean()))
    assert found.change.mix.value + found.change.rest.value == pytest.approx(right[late].mean() - right[~late].mean())


def test_multi_label_files_have_no_mix_of_classes():
    evaluation, *_ = made(several=True)
    time = slices_by(evaluation.rows, "day")
    found = compare_times(evaluation, time, 1, [])
    assert found.change is None and {one.what for one in found.moved} == {"truth", "prediction"}
    assert found.base_rate.before + found.base_rate.after > 0


def test_two_files_are_compared_as_two_times():
    evaluation, *_, columns = made()
    late = np.array([value >= "2026-02-09" for value in map(str, columns["day"])])
    before, after = (
        build(evaluation.rows.filter(pa.array(rows)), evaluation.settings, name=name, content_sha256=name)
        for name, rows in (("old", ~late), ("new", late))
    )
    both, found = compare_files(before, after)
    time = slices_by(evaluation.rows, "day")
    since = next(at for at, (value,) in enumerate(time.values) if value >= "2026-02-09")
    expected = compare_times(evaluation, time, since, [slices_by(evaluation.rows, "channel")])
    assert found.n == expected.n and found.base_rate == expected.base_rate and found.change == expected.change
    shifts = [{one.column or one.what: one.shift for one in drift.moved} for drift in (found, expected)]
    for name in ("truth", "prediction", "score", "channel"):
        assert (shifts[0][name].psi, shifts[0][name].p) == pytest.approx((shifts[1][name].psi, shifts[1][name].p))
    assert both.n_lines == 900 and both.labels[both.positive] == "b"


def test_unknown_shifts_say_why():
    n = 8
    table = pa.table({
        "y": list("abab") * 2, "p": ["a"] * n, "id": list("ppqqrrss"),
        "day": [f"2026-01-{1 + i:02d}" for i in range(n)],
    })  # fmt: skip
    evaluation = build(table, Settings(truth="y", pred="p"), name="d", content_sha256="0")
    found = find_drift(evaluation, "day", "2026-01-05")
    lines = {line[0] if isinstance(line[0], str) else line[0].name: line for line in found.tables[0].rows}
    few = ("too few rows to tell",) * 3
    assert {name: tuple(cell.written.whole for cell in line[1:4]) for name, line in lines.items()} == {
        "True label": few, "Predicted label": ("one value",) * 3, "id": few
    }  # fmt: skip


def test_bins_of_scores_keep_their_ends():
    evaluation, *_ = made()
    binned = dataclasses.replace(evaluation, score_upper=evaluation.y_score[:, 0] + 0.5)
    for runs in ((evaluation, binned), (binned, evaluation), (binned, binned)):
        found = stack_runs(*runs)[0]
        ends = [run.y_score[:, 0] if run.score_upper is None else run.score_upper for run in runs]
        assert found.score_upper.tolist() == np.concatenate(ends).tolist() and len(found.y_score) == 1800
    assert stack_runs(evaluation, evaluation)[0].score_upper is None


def test_the_class_that_moved_most_is_corrected():
    """Its interval is at the level split over the classes, its p multiplied by their number."""
    rng = np.random.default_rng(0)
    truth, late = rng.choice(["a", "b", "c", "d"], 600), np.arange(600) >= 300
    days = np.where(late, "2026-02-01", "2026-01-01")
    table = pa.table({"y": truth.tolist(), "p": truth.tolist(), "day": days.tolist()})
    evaluation = build(table, Settings(truth="y", pred="p"), name="d", content_sha256="1")
    base = compare_times(evaluation, slices_by(evaluation.rows, "day"), 1, []).base_rate
    rows = {name: [(truth[side] == name).sum() for side in (~late, late)] for name in "abcd"}
    of_most = max(rows.values(), key=lambda pair: abs(pair[1] - pair[0]))
    p = chi2_contingency([of_most, [300 - n for n in of_most]], correction=False).pvalue
    ends = [binomtest(n, 300).proportion_ci(1 - 0.05 / 4, method="wilson") for n in of_most]
    low = (of_most[1] - of_most[0]) / 300 - np.hypot(of_most[1] / 300 - ends[1][0], ends[0][1] - of_most[0] / 300)
    assert (base.p, base.low, base.chosen_of) == pytest.approx((min(1, 4 * p), low, 4))


def weighted(evaluation, weights):
    settings = dataclasses.replace(evaluation.settings, weights="w")
    rows = evaluation.rows.append_column("w", pa.array(weights))
    return build(rows, settings, name="w", content_sha256="1")


def test_weighted_times_are_those_of_repeated_rows():
    evaluation, truth, pred, columns = made()
    times = np.random.default_rng(2).integers(0, 4, 900)
    again = evaluation.rows.take(pa.array(np.repeat(np.arange(900), times)))
    repeats = build(again, evaluation.settings, name="r", content_sha256="2")
    found, expected = (
        compare_times(e, split_at(e, "day", "2026-02-09"), 1, [slices_by(e.rows, "channel")])
        for e in (weighted(evaluation, times * 0.5), repeats)
    )
    late = np.array([value >= "2026-02-09" for value in map(str, columns["day"])])
    assert found.n == ((~late & (times > 0)).sum(), (late & (times > 0)).sum())
    assert found.base_rate[:3] == pytest.approx(expected.base_rate[:3])
    assert found.change[:2] == pytest.approx(expected.change[:2])
    for part, whole in zip(found.change[2:], expected.change[2:], strict=True):
        assert part.value == pytest.approx(whole.value) and part.low < whole.low < whole.high < part.high
    w, right = times[late] * 0.5, (truth == pred)[late]
    after, few = found.accuracy[1], w.sum() ** 2 / (w**2).sum()
    assert after.value == pytest.approx(np.average(right, weights=w)) and after.effective_n == pytest.approx(few)
    shifts = [{move.column or move.what: move.shift for move in drift.moved} for drift in (found, expected)]
    for name in ("truth", "prediction", "channel"):
        sides = [(shift.before, shift.after) for shift in (of[name] for of in shifts)]
        assert sides[0] == pytest.approx(sides[1]) and shifts[0][name].p > shifts[1][name].p


def test_file_without_weights_counts_each_row_once():
    evaluation, truth, *_ = made()
    weights = np.random.default_rng(3).gamma(1.0, 1.0, 900)
    new = weighted(evaluation, weights)
    for before, after in ((evaluation, new), (new, evaluation)):
        both, found = compare_files(before, after)
        plain, by_weight = (truth == "b").mean(), np.average(truth == "b", weights=weights)
        sides = {evaluation.name: plain, new.name: by_weight}
        assert (found.base_rate.before, found.base_rate.after) == pytest.approx((sides[before.name], sides[after.name]))
        told = files_result(both, found, before.name, after.name).notes
        notes = ["".join(getattr(part, "name", part) for part in note) for note in told]
        assert notes[0] == "d has no weights in use: each of its rows counts once."
        assert notes[1].startswith("Weighted by w: weight ") and found.n == (900, 900)
