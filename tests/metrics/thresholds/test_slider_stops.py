"""The scores that are drawn and stepped through: exact, few enough, and a line through them is the line through all."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from metrics.scores.curves import score_counts
from metrics.scores.score_histogram import score_span
from metrics.thresholds.roc_hull import upper_hull
from metrics.thresholds.slider_stops import ALL, AT_LEAST, AT_MOST, near, stops
from metrics.thresholds.threshold_metrics import ThresholdRates, rates

WIDTH = 720


def overlapping(n, random, spread=1.0):
    y_true = random.random(n) < 0.2
    return y_true, 1 / (1 + np.exp(-spread * random.normal(size=n) - 1.5 * y_true))


def rare(n, random):
    y_true = np.arange(n) % 2000 == 0
    return y_true, random.random(n) ** 4 + 0.3 * y_true


def outlying(n, random):
    y_true = random.random(n) < 0.4
    return y_true, random.standard_cauchy(n) + y_true


def waves(n, random):
    """Precision swings up and down over recall and score, in ever longer blocks of one class."""
    block = np.floor(np.log(np.arange(1, n + 1)) * 40).astype(int)
    return block % 2 == 0, np.linspace(1, 0, n)


def needle(n, random):
    """Nearly every score lies in one pixel, and the classes alternate there."""
    score = 0.5 + np.linspace(0, 1e-4, n)
    score[[0, -1]] = 0.0, 1.0
    return np.floor(np.sqrt(np.arange(n))).astype(int) % 2 == 0, score


def arc(n, random):
    """As many corners on the hull as whole numbers allow: every slope once."""
    sides = [(a, b) for a in range(1, 160) for b in range(1, 160) if np.gcd(a, b) == 1]
    sides.sort(key=lambda side: -side[1] / side[0])
    y_true = np.concatenate([[True] * b + [False] * a for a, b in sides])
    score = np.repeat(np.arange(len(sides))[::-1], [a + b for a, b in sides])
    return y_true, score.astype(float)


def infinite(n, random):
    y_true, score = overlapping(n, random)
    score[:50], score[50:90] = np.inf, -np.inf
    return y_true, score


def one_class(n, random):
    return np.ones(n, bool), random.random(n)


SHAPES = [overlapping, rare, outlying, waves, needle, arc, infinite, one_class]


@pytest.fixture(params=SHAPES, ids=lambda shape: shape.__name__)
def counts(request):
    return score_counts(*request.param(120_000, np.random.default_rng(3)))


def test_every_stop_has_its_exact_counts(counts):
    found = stops(counts)
    place = len(counts.score) - 1 - np.searchsorted(counts.score[::-1], found.score)
    assert (counts.score[place] == found.score).all() and (np.diff(found.score) < 0).all()
    assert (counts.tp[place] == found.tp).all() and (counts.fp[place] == found.fp).all()
    assert found.n_distinct == len(counts.score)
    assert found.score[0] == counts.score[0] and found.score[-1] == counts.score[-1]


def test_stops_are_enough_and_few_enough(counts):
    assert AT_LEAST <= len(stops(counts).score) <= AT_MOST
    assert 16 * len(stops(counts).score) < 150_000


def test_all_corners_of_the_hull_are_kept(counts):
    corners = upper_hull(np.append(0, counts.fp), np.append(0, counts.tp))
    hull = counts.score[corners[corners > 0] - 1]
    found = stops(counts).score
    if len(hull) <= AT_MOST // 2:
        assert np.isin(hull, found).all()
    else:
        assert np.isin(hull, found).sum() >= AT_MOST // 2 - 1


def to_piece(x, y, at_x, at_y, a):
    """From points to the pieces a of a drawn line."""
    dx, dy = at_x[a + 1] - at_x[a], at_y[a + 1] - at_y[a]
    squared = dx * dx + dy * dy
    along = np.clip(((x - at_x[a]) * dx + (y - at_y[a]) * dy) / np.where(squared, squared, 1.0), 0, 1)
    return np.hypot(x - at_x[a] - along * dx, y - at_y[a] - along * dy)


def distance(x, y, at_x, at_y, piece):
    """From points to a drawn line: to the piece each belongs to by rank, and to every piece where that is far."""
    away = to_piece(x, y, at_x, at_y, np.clip(piece, 0, len(at_x) - 2))
    for place in np.flatnonzero(away >= 1):
        away[place] = to_piece(x[place], y[place], at_x, at_y, np.arange(len(at_x) - 1)).min()
    return away


@pytest.mark.parametrize("shape", [overlapping, rare, outlying, waves, needle, infinite], ids=lambda f: f.__name__)
def test_line_through_stops_is_within_a_pixel(shape):
    counts = score_counts(*shape(30_000, np.random.default_rng(4)))
    found, table = stops(counts), rates(counts)
    assert len(found.score) < len(counts.score)
    drawn = ThresholdRates(found.score, found.tp, found.fp, counts.n_pos, counts.n_neg)
    low, high = score_span(counts.score)
    piece = np.searchsorted(-found.score, -counts.score, side="right") - 1

    def over_score(rates):
        return (np.clip(rates.threshold, low, high) - low) / (high - low)

    pictures = {"roc": (table.fpr, table.recall, drawn.fpr, drawn.recall)}
    pictures["pr"] = (table.recall, table.precision, drawn.recall, drawn.precision)
    for name in ("precision", "recall", "f1", "mcc"):
        pictures[name] = (over_score(table), np.nan_to_num(getattr(table, name)), over_score(drawn),
                          np.nan_to_num(getattr(drawn, name)))  # fmt: skip
    for name, (x, y, at_x, at_y) in pictures.items():
        away = distance(WIDTH * x, WIDTH * y, WIDTH * at_x, WIDTH * at_y, piece)
        assert away.max() < 1, (name, away.max())


def test_area_through_stops_equals_scikit_learn():
    y_true, y_score = overlapping(60_000, np.random.default_rng(5))
    found = stops(score_counts(y_true, y_score))
    fpr, tpr = (np.append(0, side) / side[-1] for side in (found.fp, found.tp))
    assert np.trapezoid(tpr, fpr) == pytest.approx(roc_auc_score(y_true, y_score), abs=1e-4)


def test_nothing_is_left_out_of_four_thousand_scores():
    counts = score_counts(np.arange(ALL) % 2 == 0, np.arange(ALL, dtype=float))
    assert stops(counts).score.tolist() == counts.score.tolist()


def test_deciding_score_of_a_threshold_is_a_stop():
    random = np.random.default_rng(6)
    y_true, y_score = overlapping(300_000, random)
    counts = score_counts(y_true, y_score)
    asked = random.random(40)
    found = stops(counts, must=(*asked.tolist(), np.inf, -np.inf, np.nan))
    deciding = [y_score[y_score >= threshold].min() for threshold in asked if (y_score >= threshold).any()]
    assert np.isin(deciding, found.score).all()


def test_a_million_scores_fit_into_the_payload():
    y_true, y_score = overlapping(1_000_000, np.random.default_rng(7))
    found = stops(score_counts(y_true, y_score), must=(0.5,))
    assert found.n_distinct == 1_000_000 and 16 * len(found.score) < 150_000


@pytest.mark.parametrize("threshold", [0.3, 0.31, 0.9, 1.0, 2.0, -1.0, np.inf])
def test_neighbours_of_a_threshold_are_by_rank(threshold):
    random = np.random.default_rng(8)
    y_score = random.random(5000).round(3)
    counts = score_counts(random.random(5000) < 0.5, y_score)
    found = near(counts, threshold, each_way=20)
    distinct = sorted(set(y_score.tolist()), reverse=True)
    deciding = max(0, sum(score >= threshold for score in distinct) - 1)
    assert found.score.tolist() == distinct[max(0, deciding - 20) : deciding + 21]
    first = len(distinct) - 1 - np.searchsorted(distinct[::-1], found.score[0])
    assert found.tp.tolist() == counts.tp[first : first + len(found.tp)].tolist()


def test_no_rows_have_no_stops():
    empty = score_counts(np.array([], bool), np.array([]))
    assert len(stops(empty).score) == len(near(empty, 0.5).score) == 0
