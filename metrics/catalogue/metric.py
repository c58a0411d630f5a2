"""Define a row of the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Eats = Literal[
    "confusion counts",  # (counts)
    "confusion counts, one class",  # (counts, code); multi-label counts do as well
    "score counts",  # (score_counts of the positive class)
    "scores per class",  # (y_true codes, y_score (n, S), score_codes); several labels a row: y_true bool (n, K)
    "probabilities",  # (y_true, y_score), and the options of `probabilities.log_loss`
    "multi-label counts",  # (counts)
]
Direction = Literal["higher", "lower", "zero"]
Task = Literal["binary", "multiclass", "multilabel"]
ONE_LABEL: tuple[Task, ...] = ("binary", "multiclass")


@dataclass(frozen=True)
class Metric:
    r"""One metric, for the glossary, the chooser, and the tests that hold for all of them.

    name : the key in the registry.
    title : what a person reads.
    function : called with what the metric eats (see `Eats`) and its own options; returns a number, NaN = undefined.
    formula : LaTeX.
    direction : which way is better; "zero" = neither.
    range : lowest and highest possible value.
    when, pitfall : when to use it, and how it misleads.
    source : where it comes from.
    tasks : what kinds of predictions it is for.
    worked : called like `function`; LaTeX of the formula with these rows' numbers in it, ending in the value.
        It holds numbers only, never a label.
    unit : "" for a plain number or share, or what it counts.
    zero_division : whether `function` has scikit-learn's option of that name, for averages that hold undefined values.

    >>> from metrics.catalogue.registry import REGISTRY
    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> counts = confusion_counts_from_matrix([[227, 31], [50, 192]], ("Class1", "Class2"))
    >>> print(REGISTRY["accuracy"].worked(counts))
    \frac{419}{500} = 0.838
    """

    name: str
    title: str
    function: Callable[..., float]
    formula: str
    direction: Direction
    range: tuple[float, float]
    eats: Eats
    when: str
    pitfall: str
    source: str
    tasks: tuple[Task, ...]
    worked: Callable[..., str]
    unit: Literal["", "rows", "labels", "nats", "cost"] = ""
    zero_division: bool = False
