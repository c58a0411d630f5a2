"""Bad calibration is found where a bin is clearly off, by more than twice what chance explains."""

from types import SimpleNamespace

import numpy as np
import pytest

from metrics.findings.calibration import (
    calibration_findings,
    find_worst_calibrated,
    label_calibration_finding,
    measure_calibration,
)
from metrics.findings.tables import FROM_ROWS
from metrics.scores.curves import score_counts


def measured(scores, confidence=None, **about):
    given = {"task": "binary", "scale": "probability", "positive": 1, "has_predictions": True, **about}
    count = FROM_ROWS._replace(weighted=lambda p, code: confidence if code is None else scores)
    return measure_calibration(SimpleNamespace(**given), count)


def drawn(rng, n: int, off: float):
    """Scores that are `off` above the share that is positive."""
    share = rng.random(n) * 0.8
    return score_counts(rng.random(n) < share, share + off)


def test_expected_error_beyond_chance_is_a_finding(rng):
    (finding,) = calibration_findings(measured(drawn(rng, 4000, 0.12)))
    assert (finding.code, finding.severity) == ("miscalibrated", "warning")
    error, chance = (finding.evidence[name] for name in ("expected_calibration_error", "by_chance"))
    assert error == pytest.approx(0.12, abs=0.02) and chance == pytest.approx(0.017, abs=0.003)
    assert finding.text == f"The scores are off by {error:.3f} on average; chance alone would explain {chance:.3f}."


@pytest.mark.parametrize(("n", "off"), [(4000, 0.0), (60, 0.05), (4000, 0.01)])
def test_chance_and_trifles_are_no_finding(rng, n, off):
    assert not list(calibration_findings(measured(drawn(rng, n, off))))


def test_confidence_says_its_direction(rng):
    sure = score_counts(rng.random(2000) < 0.6, np.full(2000, 0.8) + rng.random(2000) / 10)
    (finding,) = calibration_findings(measured(None, sure, task="multiclass", positive=None))
    assert finding.text.startswith(
        "Confidence is too high: 84.9 % on average, but 60.5 % of rows are right. The scores"
    )
    assert finding.evidence["mean_confidence"] > finding.evidence["share"]


def test_scores_that_are_no_probabilities_have_no_calibration(rng):
    scores = drawn(rng, 400, 0.1)
    points = score_counts(np.arange(400) % 2 == 0, np.arange(400.0))
    assert measured(scores) is not None
    assert measured(scores, scale="score") is None and measured(None) is None
    assert measured(points, scale="logit") is None and measured(points) is None
    assert measured(scores, scores, task="multilabel") is None


def worst_label(scores: dict[str, np.ndarray], truth: dict[str, np.ndarray], scale: str = "probability"):
    """Return the worst calibrated of labels whose counts are handed over."""
    counts = dict(enumerate(score_counts(truth[name], scores[name]) for name in scores))
    p = SimpleNamespace(task="multilabel", scale=scale, labels=tuple(scores), score_codes=tuple(counts))
    return find_worst_calibrated(p, FROM_ROWS._replace(weighted=lambda p, code: counts[code or 0]))


def ten_bins_by_hand(score: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """Return the calibration error, and that of perfect scores, over ten bins of equally many rows, by the rows."""
    bins = np.array_split(np.argsort(score, kind="stable"), 10)
    off = sum(len(rows) * abs(score[rows].mean() - truth[rows].mean()) for rows in bins) / len(score)
    spread = (np.sqrt((score[rows] * (1 - score[rows])).sum()) for rows in bins)
    return off, sum(np.sqrt(2 / np.pi) * one for one in spread) / len(score)


def test_worst_calibrated_label_is_one_finding(rng):
    share = {name: rng.random(2000) * 0.8 for name in ("fair", "worst", "bad")}
    truth = {name: rng.random(2000) < values for name, values in share.items()}
    scores = {name: share[name] + off for name, off in (("fair", 0.0), ("worst", 0.15), ("bad", 0.08))}
    found = worst_label(scores, truth)
    error, chance = ten_bins_by_hand(scores["worst"], truth["worst"])
    assert found == ("worst", pytest.approx(error), pytest.approx(chance), 2, 3)
    finding = label_calibration_finding(found)
    assert finding.text == (
        f"The scores of 'worst' are off by {error:.3f} on average; chance alone would explain {chance:.3f}. "
        "This is clear after Bonferroni over 3 labels. The scores of 1 other label are off, too."
    )
    assert (finding.code, finding.severity, finding.labels) == ("miscalibrated", "warning", ("worst",))


def test_bin_is_clear_after_correction_for_all_labels():
    """61 of 100 rows at 0.45: outside Wilson's interval at 99 % (0.481 to 0.725), inside that at 99.98 %."""
    score, truth = np.repeat([0.0, 0.45], 100), np.arange(200) >= 139
    assert worst_label({"a": score}, {"a": truth}) is not None
    scores = {f"l{i}": score for i in range(50)}
    exact = {name: np.arange(200) >= 155 for name in scores}
    assert worst_label(scores, exact | {"l7": truth}) is None


def test_labels_without_probabilities_have_no_calibration(rng):
    share = rng.random(900)
    truth = {"a": rng.random(900) < share / 2}
    assert worst_label({"a": share}, truth) is not None
    assert worst_label({"a": share}, truth, "score") is None and worst_label({"a": 20 * share}, truth) is None
