"""Measure how often 95 % intervals hold the true value, over made-up files: make coverage FILES=2000.

Every file is drawn from a model whose true metrics are known from two million rows. The table is that of
docs/statistics.md; the suite runs a smaller version.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit

from metrics.comparison.comparison import Comparison
from metrics.comparison.runs import Runs
from metrics.intervals.joint_counts import Cells, Weighing, sliced_joint_counts
from metrics.intervals.statistic import interval, share_of_rows
from metrics.scores.curves import score_counts
from metrics.scores.reliability import Reliability, reliability, weigh_bins
from metrics.slices.slices import SliceCounts, search_slices

FILES, ROWS, CLUSTERS, POPULATION = 2_000, 500, 60, 2_000_000
BINS_SEED = 2911
LABELS = ("a", "b", "c")
CLASS_METRICS = ("accuracy", "f1[c]", "macro_f1", "cohen_kappa", "mcc", "mean_steps_off", "quadratic_kappa")
SCORE_METRICS = ("roc_auc", "average_precision")


class Coverage(NamedTuple):
    """Share of files whose interval holds the true value: of a model's metric, and of the difference of two."""

    metric: str
    clusters: bool
    value: float
    difference: float


def drawn(random: np.random.Generator, n: int, *, clusters: int | None) -> tuple[Runs, Runs]:
    """Return two models of three classes, and two scores of one positive class; rows of a cluster are alike."""
    group = None if clusters is None else np.sort(random.integers(0, clusters, n))
    shift = np.zeros(n) if group is None else random.normal(0, 1.0, clusters)[group]
    tilt = np.zeros(n) if group is None else random.normal(0, 0.7, clusters)[group]
    truth = np.digitize(random.random(n), [0.55, 0.85]) if group is None else _classes(random, tilt)
    hard, preds = random.normal(0, 1, n) + shift, []
    for skill in (1.2, 1.4):
        right = hard + random.logistic(size=n) < skill + 0.4 * (truth == 0)
        preds.append(np.where(right, truth, np.where(random.random(n) < 0.7, (truth + 1) % 3, (truth + 2) % 3)))
    is_true, shared = random.normal(0, 1, n) + tilt > 0.5, random.normal(0, 0.8, n) + 0.7 * shift
    scores = tuple((d * is_true + shared + random.normal(0, 0.7, n))[:, None] for d in (1.2, 1.5))
    dense = None if group is None else np.unique(group, return_inverse=True)[1]
    names = ("one", "two")
    return (
        Runs(names, LABELS, 3, "multiclass", truth, tuple(preds), cluster=dense, ranks=(0, 1, 2)),
        Runs(
            names, ("no", "yes"), 2, "binary", is_true.astype(int), (), scores, (1,), ("score",) * 2, 1, dense
        ),
    )  # fmt: skip


def _classes(random: np.random.Generator, tilt: np.ndarray) -> np.ndarray:
    places = random.logistic(size=len(tilt)) + tilt
    return np.asarray(np.digitize(places, [0.2, 1.7]))


def true_values(population: int, *, clustered: bool) -> dict[str, tuple[float, float]]:
    """Return the value of the first model and the difference of the two, of every metric, in so many rows."""
    clusters = population * CLUSTERS // ROWS if clustered else None
    made = drawn(np.random.default_rng(1), population, clusters=clusters)
    values_of_metric = {}
    for runs, names in zip(made, (CLASS_METRICS, SCORE_METRICS), strict=True):
        plain = Comparison(replace(runs, cluster=None))
        for name in names:
            values = [plain.interval(name, model).value for model in (0, 1)]
            values_of_metric[name] = (values[0], values[1] - values[0])
    return values_of_metric


def coverage(
    n_files: int = FILES, *, seed: int = 0, rows: int = ROWS, population: int = POPULATION
) -> Iterator[Coverage]:
    """Measure the coverage of every metric, with and without clusters."""
    for clustered in (False, True):
        truth = true_values(population, clustered=clustered)
        held = {name: np.zeros(2) for name in truth}
        random = np.random.default_rng(seed)
        for _ in range(n_files):
            made = drawn(random, rows, clusters=CLUSTERS if clustered else None)
            for runs, names in zip(made, (CLASS_METRICS, SCORE_METRICS), strict=True):
                compared = Comparison(runs)
                for name in names:
                    number, two = compared.interval(name, 0), compared.difference(name, 0, 1)
                    value, moved = truth[name]
                    held[name] += (number.low <= value <= number.high, two.low <= moved <= two.high)
        for name, count in held.items():
            yield Coverage(name, clustered, *(count / n_files))


class WeightedCoverage(NamedTuple):
    """Share of files with weighted rows whose intervals hold the true value: of a model's metric, of two models' gap.

    kind : "independent" of truth and prediction, "by class", or "harder rows weigh more". effective_rows : mean.
    held : by metric, the two shares.
    """

    kind: str
    rows: int
    effective_rows: float
    held: dict[str, tuple[float, float]]


def weighted_coverage(
    n_files: int = FILES, *, sizes: tuple[int, ...] = (200, 500, 2_000), population: int = POPULATION
) -> Iterator[WeightedCoverage]:
    """Measure the coverage where rows have weights whose logarithm is normal."""
    for kind in ("independent", "by class", "harder rows weigh more"):
        whole = Comparison(_weighted_runs(np.random.default_rng(1), population, kind))
        truth = {name: _value_and_difference(whole, name) for name in ("accuracy", "macro_f1")}
        for rows in sizes:
            random, effective = np.random.default_rng(0), 0.0
            held = {name: np.zeros(2) for name in truth}
            for _ in range(n_files):
                runs = _weighted_runs(random, rows, kind)
                compared = Comparison(runs)
                effective += compared.cells(0).effective_rows()
                for name, (value, moved) in truth.items():
                    number, two = compared.interval(name, 0), compared.difference(name, 0, 1)
                    held[name] += (number.low <= value <= number.high, two.low <= moved <= two.high)
            shares = {name: (count[0] / n_files, count[1] / n_files) for name, count in held.items()}
            yield WeightedCoverage(kind, rows, effective / n_files, shares)


def _value_and_difference(compared: Comparison, name: str) -> tuple[float, float]:
    first, second = (compared.interval(name, model).value for model in (0, 1))
    return first, second - first


def _weighted_runs(random: np.random.Generator, n: int, kind: str) -> Runs:
    """Return two models of three classes; the weights are in units of 2 ** -20."""
    truth, hard, preds = np.digitize(random.random(n), [0.55, 0.85]), random.normal(0, 1, n), []
    for skill in (1.6, 1.2):
        right = hard + random.logistic(size=n) < skill + 0.4 * (truth == 0)
        preds.append(np.where(right, truth, np.where(random.random(n) < 0.7, (truth + 1) % 3, (truth + 2) % 3)))
    spread = random.normal(0, 1, n)
    logarithm = {
        "independent": spread,
        "by class": np.log([1.0, 2.0, 5.0])[truth] + 0.2 * spread,
        "harder rows weigh more": 0.7 * spread + 0.5 * hard,
    }[kind]
    units = np.round(np.exp(logarithm) * 2**20).astype(np.int64)
    return Runs(("one", "two"), LABELS, 3, "multiclass", truth, tuple(preds), units=units)


class BinCoverage(NamedTuple):
    """Share of the bins of calibration whose interval holds the true share of positives, in files with weighted rows.

    setting : how its files are drawn. effective_rows : mean of its bins. told : share of bins with an interval.
    """

    setting: WeightedScores
    effective_rows: float
    told: float
    held: float


class WeightedScores(NamedTuple):
    """Say how files of calibrated scores with weighted rows are drawn.

    base : the share of positives, about. spread : standard deviation of the scores' logit. weights : the same of the
    weights' logarithm. positive : how many times as much a positive row weighs. harder : how much the distance of score
    and truth adds to that logarithm.
    """

    rows: int
    base: float
    spread: float
    weights: float
    positive: float
    harder: float


def draw_settings(n: int, sizes: tuple[int, ...], *, seed: int) -> list[WeightedScores]:
    """Return settings at random, so that none was there when a constant was chosen."""
    random, settings = np.random.default_rng(seed), []
    for place in range(n):
        base, positive = np.exp(random.uniform(np.log([0.05, 0.25]), np.log([0.5, 4.0])))
        spread, weights, harder = random.uniform([0.6, 0.0, 0.0], [2.0, 1.5, 2.0])
        settings.append(WeightedScores(sizes[place % len(sizes)], base, spread, weights, positive, harder))
    return settings


def bin_coverage(
    n_files: int = FILES, *, n_settings: int = 30, sizes: tuple[int, ...] = (500, 1_500, 5_000),
    population: int = POPULATION, seed: int = 0,
) -> Iterator[BinCoverage]:  # fmt: skip
    """Measure the coverage of bins of calibrated scores, in settings that are drawn at random."""
    for setting in draw_settings(n_settings, sizes, seed=seed):
        random, held, few = np.random.default_rng(seed), [], []
        score, is_true, units = _weighted_scores(random, population, setting)
        so_far = np.array([np.cumsum([0, *units]), np.cumsum([0, *(units * is_true)])])
        for _ in range(n_files):
            drawn_rows = np.sort(random.integers(0, population, setting.rows))
            bins = _weighted_bins(score[drawn_rows], is_true[drawn_rows], units[drawn_rows])
            first, last = (np.searchsorted(score, ends) for ends in (bins.score_low, bins.score_high))
            n, positive = so_far[:, last + 1] - so_far[:, first]
            low, high = bins.interval()
            held += ((low <= positive / n) & (positive / n <= high))[~np.isnan(low)].tolist()
            few += bins.effective_n.tolist()
        yield BinCoverage(setting, float(np.mean(few)), len(held) / len(few), float(np.mean(held)))


def _weighted_bins(score: np.ndarray, is_true: np.ndarray, units: np.ndarray) -> Reliability:
    bins = reliability(score_counts(is_true, score, units))
    return weigh_bins(bins, is_true, score, units.astype(np.float64) ** 2, np.ones(len(score), np.int64), 1.0)


def _weighted_scores(
    random: np.random.Generator, n: int, setting: WeightedScores
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return calibrated scores, ascending, what came true, and weights in units of 2 ** -10."""
    score = np.sort(expit(random.normal(logit(setting.base), setting.spread, n)))
    is_true = random.random(n) < score
    logarithm = random.normal(0, setting.weights, n) + setting.harder * np.abs(is_true - score)
    weights = np.exp(logarithm) * np.where(is_true, setting.positive, 1.0)
    return score, is_true, np.maximum(1, np.round(weights * 2**10)).astype(np.int64)


class FixedWeights(NamedTuple):
    """Coverage over files with the same weights, of which only who is right is drawn anew.

    heavier : how rows of more weight are right: 0 as often as others, -1 less often, 1 more often.
    told, bin_told : share of files whose interval is not grey, of the weighted share and of it as a bin of calibration.
    held, bin_held : share of these intervals that hold the weighted share; NaN where all are grey.
    """

    kind: str
    rows: int
    share: float
    heavier: int
    told: float
    held: float
    bin_told: float
    bin_held: float


def draw_weights(random: np.random.Generator, n: int) -> Iterator[tuple[str, np.ndarray]]:
    """Yield weights of rows that are more and more unequal, with their name."""
    yield "between 0.5 and 1.5", random.uniform(0.5, 1.5, n)
    for spread in (0.5, 1.0, 2.0):
        yield f"lognormal, {spread}", np.exp(random.normal(0, spread, n))
    for times in (10.0, 50.0):
        for heavy in (0.01, 0.02, 0.05):
            yield f"{heavy:.0%} weigh {times:.0f} times as much", np.where(np.arange(n) < heavy * n, times, 1.0)
    yield "1, 2 or 5 by class", np.array([1.0, 2.0, 5.0])[np.digitize(random.random(n), [0.7, 0.95])]
    yield "Pareto, 1.5", 1 + random.pareto(1.5, n)


def fixed_coverage(
    n_files: int, *, sizes: tuple[int, ...] = (100, 300, 1_000, 3_000, 10_000),
    shares: tuple[float, ...] = (0.5, 0.7, 0.9, 0.95, 0.98), seed: int = 0,
) -> Iterator[FixedWeights]:  # fmt: skip
    """Measure the coverage of a weighted share, and of it as a bin, with the weights that a file has."""
    random = np.random.default_rng(seed)
    for rows in sizes:
        for kind, weights in draw_weights(random, rows):
            units = np.round(weights * 2**10).astype(np.int64)
            logarithm = np.log(weights)
            far = np.clip((logarithm - logarithm.mean()) / logarithm.std(), -3, 3)
            cells = Cells(units, None, 0, 0, weighing=Weighing.of_units(units, np.ones(rows, np.int64)))
            for share in shares:
                for heavier in (0, -1, 1):
                    chance = expit(logit(share) + 0.6 * heavier * far)
                    true_share = float(chance @ units / units.sum())
                    held: list[bool] = []
                    bin_held: list[bool] = []
                    for _ in range(n_files):
                        is_right = random.random(rows) < chance
                        number = interval(share_of_rows(cells, is_right), cells)
                        if not number.too_few:
                            held.append(number.low <= true_share <= number.high)
                        of_bin = _weighted_bins(np.full(rows, 0.5), is_right, units)
                        if not of_bin.is_few[0]:
                            low, high = of_bin.interval()
                            bin_held.append(bool(low[0] <= true_share <= high[0]))
                    number_held, of_bins = (float(np.mean(each)) if each else np.nan for each in (held, bin_held))
                    told, bin_told = len(held) / n_files, len(bin_held) / n_files
                    yield FixedWeights(kind, rows, share, heavier, told, number_held, bin_told, of_bins)


def false_slices(n_files: int, *, columns: int = 100, rows: int = 1_000) -> float:
    """Return the share of files of random columns, four values each, in which some slice shows as worse at 5 %."""
    random, false = np.random.default_rng(0), 0
    for _ in range(n_files):
        truth = random.integers(0, 3, rows)
        pred = np.where(random.random(rows) < 0.8, truth, random.integers(0, 3, rows))
        ways = []
        for _column in range(columns):
            cells, slice_of = sliced_joint_counts(truth, pred, random.integers(0, 4, rows), n_labels=3)
            ways.append(SliceCounts(cells, slice_of, 4))
        slices = [part for of_way in search_slices(ways).slices for part in of_way]
        false += any(
            p < 0.05 and part.difference_to_rest[name].value < 0
            for part in slices
            for name, p in part.p_adjusted.items()
        )
    return false / n_files


def main() -> None:
    """Print the tables as Markdown."""
    n_files = int(sys.argv[1]) if len(sys.argv) > 1 else FILES
    print("| metric | rows | interval | difference of two models |\n|---|---|---|---|")
    for line in coverage(n_files):
        kind = f"{CLUSTERS} clusters" if line.clusters else "independent"
        print(f"| {line.metric} | {kind} | {line.value:.1%} | {line.difference:.1%} |".replace("%", " %"), flush=True)
    print("\n| weights | rows | effective rows | accuracy | of two models | macro F1 | of two models |")
    print("|---|---|---|---|---|---|---|")
    for of in weighted_coverage(n_files):
        shares = " | ".join(f"{share:.1%}" for pair in of.held.values() for share in pair).replace("%", " %")
        print(f"| {of.kind} | {of.rows:,} | {of.effective_rows:.0f} | {shares} |", flush=True)
    print("\n| rows | positive | effective rows of a bin | bins with an interval | these hold the share |")
    print("|---|---|---|---|---|")
    for bins in bin_coverage(n_files // 4, seed=BINS_SEED):
        amounts = f"{bins.effective_rows:.0f} | {bins.told:.0%} | {bins.held:.1%} |"
        print(f"| {bins.setting.rows:,} | {bins.setting.base:.0%} | {amounts}".replace("%", " %"), flush=True)
    print("\n| weights | rows | share | heavy rows right | not grey | coverage | bin not grey | coverage |")
    print("|---|---|---|---|---|---|---|---|")
    for fixed in fixed_coverage(n_files // 4, seed=BINS_SEED):
        right = ("as often", "more often", "less often")[fixed.heavier]
        number, of_bin = f"{fixed.told:.0%} | {fixed.held:.1%}", f"{fixed.bin_told:.0%} | {fixed.bin_held:.1%}"
        setting = f"{fixed.kind} | {fixed.rows:,} | {fixed.share:.0%} | {right}"
        print(f"| {setting} | {number} | {of_bin} |".replace("%", " %"), flush=True)
    share = false_slices(n_files // 10)
    print(f"\nFiles of 100 random columns with a false worse slice: {share:.1%} of {n_files // 10}")


if __name__ == "__main__":
    main()
