"""The largest gap of a file with several labels a row is that of one label, corrected for all labels."""

import math

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import norm

from data.building.build import build
from data.comparison.slice_columns import slices_by
from data.evaluation import Evaluation
from data.roles.detect import detect
from export.by_slice.worst_parts import find_worst_parts

LABELS = np.array(["rude", "spam", "threat"])


def make_sets(rng, n_lost: int) -> tuple[Evaluation, np.ndarray, np.ndarray, np.ndarray]:
    """Return 900 rows, of which so many of women lose their label threat; truth and prediction, (n, 3)."""
    sex = rng.choice(["f", "m"], 900)
    truth = rng.random((900, 3)) < 0.5
    predicted = truth.copy()
    predicted[np.flatnonzero(truth[:, 2] & (sex == "f"))[:n_lost], 2] = False
    table = pa.table({
        "labels": ["|".join(LABELS[row]) for row in truth], "predicted": ["|".join(LABELS[row]) for row in predicted],
        "sex": sex, "shift": rng.choice(["day", "night"], 900),
    })  # fmt: skip
    evaluation = build(table, detect(table, label_set=tuple(LABELS.tolist())).settings, name="d", content_sha256="0")
    return evaluation, truth, predicted, sex


def bound_share(part: int, whole: int, z: float) -> tuple[float, float, float]:
    """Return a share with Wilson's interval, by its formula."""
    p, middle = part / whole, part / whole + z**2 / (2 * whole)
    spread = z * math.sqrt(p * (1 - p) / whole + z**2 / (4 * whole**2))
    return p, (middle - spread) / (1 + z**2 / whole), (middle + spread) / (1 + z**2 / whole)


def search(evaluation: Evaluation):
    return find_worst_parts(evaluation, tuple(slices_by(evaluation.rows, name) for name in ("sex", "shift")))


def test_largest_gap_is_of_one_label(rng):
    evaluation, truth, predicted, sex = make_sets(rng, 80)
    gap = search(evaluation).gap
    assert gap is not None and (gap.rate, gap.label, gap.column) == ("tpr", "threat", "sex")
    women, men = (
        bound_share((truth & predicted)[sex == one, 2].sum(), truth[sex == one, 2].sum(), norm.ppf(0.975))
        for one in "fm"
    )
    assert (gap.lower, gap.value_lower, gap.higher, gap.value_higher) == ("f", women[0], "m", men[0])
    low = men[0] - women[0] - math.hypot(men[0] - men[1], women[2] - women[0])  # Newcombe's of two shares
    assert gap.low == pytest.approx(low) and (gap.n_labels, gap.n_compared) == (3, 3 * 2 * 3)


def test_gap_that_correction_explains_is_not_told(rng):
    """A gap is clear at 95 % for itself, and not among 18."""
    evaluation, truth, predicted, sex = make_sets(rng, 6)
    women, men = (
        bound_share((truth & predicted)[sex == one, 2].sum(), truth[sex == one, 2].sum(), norm.ppf(0.975))
        for one in "fm"
    )
    assert men[0] - women[0] > math.hypot(men[0] - men[1], women[2] - women[0])
    assert search(evaluation).gap is None
