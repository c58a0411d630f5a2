"""The numbers of a true reading, computed the slow and obvious way."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from tests.ordinary_files.drawn import Cell, Reading


def predict(reading: Reading) -> list[Cell]:
    """Return the prediction of every row: the file's, or the class of the highest score."""
    if reading.pred is not None:
        return list(reading.pred)
    classes = list(reading.scores)
    return [max(classes, key=lambda label: reading.scores[label][row]) for row in range(len(reading.truth))]


def count_cells(reading: Reading) -> Counter[tuple[Cell, Cell]]:
    """Count the rows of every pair of true and predicted label."""
    return Counter(zip(reading.truth, predict(reading), strict=True))


def measure_accuracy(reading: Reading) -> float:
    """Return the share of rows whose prediction is the truth; of sets, that are the same set."""
    pairs = list(zip(reading.truth, predict(reading), strict=True))
    return sum(true == predicted for true, predicted in pairs) / len(pairs)


def count_by_label(reading: Reading) -> dict[str, tuple[int, int]]:
    """Map every label of rows of sets to the number of rows that have it, and that are predicted to have it."""
    predicted = predict(reading)
    labels = {label for cell in (*reading.truth, *predicted) for label in cell}
    return {
        label: (sum(label in cell for cell in reading.truth), sum(label in cell for cell in predicted))
        for label in labels
    }


def measure_roc_auc(truth: Sequence[Cell], scores: Mapping[str, Sequence[float]], positive: str) -> float | None:
    """Return the share of pairs (a row of the positive class, another row) that the score ranks rightly; ties half.

    Two scores rank by how far the positive class's is above the other: so do probabilities, and the softmax of logits.
    """
    of_positive = scores.get(positive, [0.0] * len(truth))
    others = next((scores[label] for label in scores if label != positive), [0.0] * len(truth))
    values = [round(one - other, 9) for one, other in zip(of_positive, others, strict=True)]
    above = [value for value, label in zip(values, truth, strict=True) if label == positive]
    below = [value for value, label in zip(values, truth, strict=True) if label != positive]
    if not above or not below:
        return None
    return sum((a > b) + (a == b) / 2 for a in above for b in below) / (len(above) * len(below))


_LEAST = 2.220446049250313e-16


def measure_log_loss(reading: Reading) -> float | None:
    """Return the mean of -log(probability of the true label); None where a true label has no probability."""
    total = 0.0
    for row, true in enumerate(reading.truth):
        share = _find_share(reading, str(true), row)
        if share is None:
            return None
        total -= math.log(min(max(share, _LEAST), 1 - _LEAST))
    return total / len(reading.truth)


def _find_share(reading: Reading, true: str, row: int) -> float | None:
    if true in reading.scores:
        return reading.scores[true][row]
    if len(reading.scores) == 1:
        [of_positive] = reading.scores.values()
        return 1 - of_positive[row]
    return None
