"""Read the shares of classes that a person gives."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from data.errors import DataError
from data.labels.number_rows import read_rows
from text.name_lists import read_names
from text.quoting import list_items

ESTIMATE = "estimate"
"""The word for shares that are estimated from scores."""
_CLOSE, _MOST = 1e-3, 1e12


def read_priors(text: str | None, labels: Sequence[str]) -> np.ndarray | None:
    """Return the share of every class of the label space, float64 (K,); None where none is given, or to estimate.

    Raises
    ------
    DataError
        a class is missing, repeated or unknown, or the shares are no numbers that sum to 1.

    >>> read_priors("b=0.25,a=0.75", ["a", "b"]).tolist()
    [0.75, 0.25]
    >>> read_priors('"cat, big"=0.25,dog=0.75', ["cat, big", "dog"]).tolist()
    [0.25, 0.75]
    """
    if text in (None, "", ESTIMATE):
        return None
    pairs = [part.rpartition("=") for part in read_names(str(text), is_typed=True)]
    names = [name.strip() for name, _, _ in pairs]
    if sorted(names) != sorted(labels):
        wrong = [name for name in labels if names.count(name) != 1] or [name for name in names if name not in labels]
        every = "".join(labels)
        advice = 'Write a name with a comma in quotation marks: "a, b"=0.3.' if "," in every else ""
        advice = "Write each quotation mark of a name twice, the name in quotation marks." if '"' in every else advice
        names_wanted = "The shares must name every class once, as a=0.3,b=0.7; this differs"
        raise DataError(f"{names_wanted}: {list_items(wrong)}. {advice}".rstrip())
    shares = np.array([_read_share(pairs[names.index(label)][2]) for label in labels])
    if not (shares >= 0).all() or abs(shares.sum() - 1) > _CLOSE:
        raise DataError("The shares of the classes must be numbers from 0 that sum to 1, such as a=0.3,b=0.7.")
    return np.asarray(shares / shares.sum())


def _read_share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def read_parts(text: str) -> np.ndarray:
    """Return the parts of classes that `write_rows` wrote, float64 (1 or 2, K): in use, and in training.

    Raises
    ------
    ValueError
        it is none.
    """
    parts = read_rows(text)
    if len(parts) > 2 or not ((parts >= 0) & (parts <= _MOST)).all() or not parts.sum(axis=1).all():
        raise ValueError("a number from 0 for each class was wanted, such as 0.2,0.3,0.5")
    return parts
