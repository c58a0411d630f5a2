"""Code that reads the scores, and does to them what was done: per cent, cutting, softmax, the other class's score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Column, written_numbers
from data.columns.scores import softmax
from data.evaluation import Evaluation
from export.code.literals import NotRepeatable, listing


class Step(NamedTuple):
    """A change of `scores`: its line of code ("" = none), and its result."""

    line: str
    scores: np.ndarray


_NUMBERS = "scores = np.array([[float(cell) if cell.strip() else np.nan for cell in frame[c]] for c in columns]).T"


def score_lines(evaluation: Evaluation) -> list[str]:
    """Lines that make `scores`, float (n, S), one column for each of the evaluation's score codes.

    Each candidate is tried on the file's own numbers: what does not give the evaluation's scores is not offered.
    """
    names = [column for column, _ in evaluation.settings.scores]
    wanted = evaluation.y_score
    if wanted is None or not names:
        raise NotRepeatable("There are no scores.")
    if evaluation.settings.scale == "confidence":
        raise NotRepeatable("The one score is that of whichever label was predicted; it was turned into a score of the "
                            "positive class.")  # fmt: skip
    raw = np.stack([_numbers(evaluation, name) for name in names], axis=1)
    for first in _scaled(raw):
        for second in _columns(evaluation, first.scores):
            if second.scores.shape == wanted.shape and np.array_equal(second.scores, wanted, equal_nan=True):
                read = [f"columns = {listing(names)}", _NUMBERS]
                return [*read, *(line for line in (first.line, second.line) if line)]
    raise NotRepeatable("The scores were brought together in a way that a few lines do not repeat.")


def _numbers(evaluation: Evaluation, name: str) -> np.ndarray:
    column = Column(evaluation.rows, name)
    if not pa.types.is_floating(column.array.type) and written_numbers(column.distinct.values) is not None:
        raise NotRepeatable("The scores are written with decimal commas or per cent signs: write plain numbers.")
    return column.numbers


def _scaled(raw: np.ndarray) -> list[Step]:
    found = [
        Step("", raw),
        Step("scores = scores / 100  # they are per cent", raw / 100),
        Step("scores = np.clip(scores, 0, 1)  # they leave 0 to 1 by rounding", np.clip(raw, 0, 1)),
    ]
    if raw.shape[1] > 1:
        with np.errstate(all="ignore"):
            line = (
                "scores = scores - scores.max(axis=1, keepdims=True)\nscores = np.exp(scores)\n"
                "scores = scores / scores.sum(axis=1, keepdims=True)  # softmax"
            )
            found.append(Step(line, softmax(raw)))
    return found


def _columns(evaluation: Evaluation, scores: np.ndarray) -> list[Step]:
    """One column stays in a binary task; the classes of the columns may come in another order elsewhere."""
    found = [Step("", scores)]
    if evaluation.task == "binary":
        found += [Step(f"scores = scores[:, [{i}]]", scores[:, [i]]) for i in range(scores.shape[1])]
        found.append(Step("scores = 1 - scores[:, [0]]  # of the other class", 1 - scores[:, [0]]))
        found.append(Step("scores = -scores[:, [0]]  # of the other class", -scores[:, [0]]))
    return found
