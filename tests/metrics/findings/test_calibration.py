"""Bad calibration is found where a bin is clearly off, by more than twice what chance explains."""

from types import SimpleNamespace

import numpy as np
import pytest

from metrics.findings.calibration import calibration_findings, measure_calibration
from metrics.findings.tables import FROM_ROWS
from metrics.scores.curves import score_counts


def measured(scores, confidence=None, **about):
    given = {"task": "binary", "scale": "probability", "positive": 1, **about}
    return measure_calibration(SimpleNamespace(**given), scores, confidence, FROM_ROWS.reliability)


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
    assert finding.text.startswith("Confidence is too high: 0.849 on average, but 60.5 % of rows are right. The scores")
    assert finding.evidence["mean_confidence"] > finding.evidence["share"]


def test_scores_that_are_no_probabilities_have_no_calibration(rng):
    scores = drawn(rng, 400, 0.1)
    points = score_counts(np.arange(400) % 2 == 0, np.arange(400.0))
    assert measured(scores) is not None
    assert measured(scores, scale="score") is None and measured(None) is None
    assert measured(points, scale="logit") is None and measured(points) is None
    assert measured(scores, scores, task="multilabel") is None
