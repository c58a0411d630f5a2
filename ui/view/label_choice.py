"""The `each` of the view: labels of a multi-label evaluation that have a threshold of their own, as text and back."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from data.evaluation import Evaluation


def read_each(text: str, evaluation: Evaluation) -> dict[int, float]:
    """Thresholds by label code, from the text of a link.

    Raises
    ------
    ValueError : the end of a sentence about what is wrong with it.

    >>> from types import SimpleNamespace
    >>> read_each("0:0.4,2:-inf", SimpleNamespace(score_codes=(0, 1, 2)))
    {0: 0.4, 2: -inf}
    """
    found: dict[int, float] = {}
    scored = frozenset(evaluation.score_codes)
    for part in text.split(",") if text else ():
        code, threshold = _pair(part)
        if code not in scored or code in found:
            raise ValueError(f"label {code} {'stands there twice' if code in found else 'has no score in this file'}")
        found[code] = threshold
    return found


def _pair(part: str) -> tuple[int, float]:
    code, _, threshold = part.partition(":")
    try:
        pair = int(code), float(threshold)
    except ValueError:
        pair = -1, math.nan
    if math.isnan(pair[1]):
        raise ValueError(f'pairs such as "3:0.25" were wanted, not "{part[:40]}"')
    return pair


def write_each(thresholds: Mapping[int, float]) -> str:
    """The text that `read_each` reads.

    >>> write_each({0: 0.4, 2: 1.0})
    '0:0.4,2:1.0'
    """
    return ",".join(f"{code}:{float(threshold)!r}" for code, threshold in thresholds.items())


def every_threshold(evaluation: Evaluation, each: Mapping[int, float], for_others: float) -> np.ndarray:
    """The threshold of every score column, float64 (S,): the label's own, or that of all others."""
    return np.array([each.get(code, for_others) for code in evaluation.score_codes], dtype=np.float64)
