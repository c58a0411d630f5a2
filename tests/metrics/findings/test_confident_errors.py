"""Wrong rows with a high confidence, beside a count by hand and scipy's interval."""

import numpy as np
import pytest
from scipy.stats import binomtest

from metrics.findings.confident_errors import confident_findings
from metrics.scores.curves import score_counts


@pytest.mark.parametrize("wrong_share", [0.02, 0.05, 0.2])
def test_confident_errors_equal_a_slow_count(wrong_share):
    random = np.random.default_rng(11)
    sure = np.round(random.uniform(0.5, 1, 2_000), 2)
    right = random.random(2_000) >= wrong_share
    rows = [(bool(r), c) for r, c in zip(right, sure, strict=True) if c >= 0.9]
    wrong, allowed = sum(not r for r, _ in rows), sum(1 - c for _, c in rows) / len(rows)
    ends = binomtest(wrong, len(rows)).proportion_ci(0.95, method="wilson")
    found = list(confident_findings(score_counts(right, sure)))
    assert bool(found) == (ends.low > allowed)
    if found:
        assert found[0].evidence == pytest.approx(
            {"rows": wrong, "sure_rows": len(rows), "share": wrong / len(rows), "allowed": allowed}
        )
        assert found[0].text.startswith(f"{wrong} wrong rows have a confidence of 0.9 or more. So ")


def test_calibrated_or_missing_confidence_tells_nothing():
    nine_of_ten = np.arange(100) < 92
    assert not list(confident_findings(score_counts(nine_of_ten, np.full(100, 0.92))))
    assert not list(confident_findings(score_counts(nine_of_ten[:0], np.zeros(0))))
    assert not list(confident_findings(score_counts(~nine_of_ten, np.full(100, 0.8))))
    assert not list(confident_findings(score_counts(~nine_of_ten, np.full(100, 7.0))))


def test_no_wrong_row_is_no_finding():
    for n in range(1, 60):  # Wilson's lower end of 0 in n may be a rounding above 0
        assert not list(confident_findings(score_counts(np.ones(n, bool), np.ones(n))))
