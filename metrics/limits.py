"""Numbers that bound what the metrics compute and tell; each says why it is so."""

from __future__ import annotations

import numpy as np

TOO_FEW = 10
"""A metric over fewer rows, in a slice or in the rest, is not tested."""
FEWEST_DECIDING = 5
"""A metric of several classes that fewer rows of a slice decide has no p; Fisher's test begins at as few. Fewer rows
of either outcome do not tell the share of a bin by weight.
"""
FEWEST_OF_SIDE = 30
"""With fewer rows of a class, or fewer others, its numbers that are no shares are grey; losses of two classes, too."""
FEWEST_POSITIVES_OF_AVERAGE_PRECISION = 100
"""With fewer, average precision is grey: its interval is too narrow (92.3 % with 40)."""
FEWEST_BY_WEIGHT = 50
"""Fewer rows by whose weights a number is decided make it grey: docs/statistics.md has what its interval holds."""
MAX_ROWS_OF_RESTS = 20_000_000
"""Rows of the rest of every slice together, which a number of scores passes over: about four seconds."""
MAX_OPTIMALLY_ORDERED_CLASSES = 300  # the optimal order of a tree's leaves takes cubic time; above, any order of them
MAX_SEPARATORS = 20  # of one line; a label with more of them has to be quoted
MAX_LABELS_IN_GROUPS = 100  # of several labels a row: those with the most true rows are compared between groups
MAX_PAIRED_COLUMNS = 25  # that are crossed with each other: 300 pairs
MAX_CROSS_VALIDATIONS = 20  # of one threshold
MAX_CROSS_VALIDATED_ROWS = 2_000_000  # of all repeats together: about half a second
MAX_REJECT_VALIDATED_ROWS = 1_000_000  # of all repeats together: about half a second
MAX_FULLY_DRAWN_ROWS = 20_000  # different rows of ratings; of more, fewer draws are made
MAX_COUNTED_FLIPS = 20_000  # whose chances are added up; of more, the normal distribution is taken


def few_by_weight(deciding: float | np.ndarray, rows: float | np.ndarray) -> np.ndarray:
    """Return whether few rows decide by their weights; rows that all weigh alike are judged as rows without weights.

    >>> few_by_weight(np.array([40.0, 40.0, 60.0]), np.array([400, 40, 400])).tolist()
    [True, False, False]
    """
    return np.asarray(deciding < np.minimum(FEWEST_BY_WEIGHT, 0.999_999_999 * rows))
