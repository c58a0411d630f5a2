"""Define a row of the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
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
TASKS: dict[Eats, tuple[Task, ...]] = {
    "confusion counts": ("binary", "multiclass"),
    "confusion counts, one class": ("binary", "multiclass", "multilabel"),
    "score counts": ("binary", "multiclass", "multilabel"),
    "scores per class": ("multiclass", "multilabel"),
    "probabilities": ("binary", "multiclass"),
    "multi-label counts": ("multilabel",),
}
"""Tasks that have what a metric eats."""


@dataclass(frozen=True)
class Metric:
    r"""One metric, for the glossary, the chooser, and the tests that hold for all of them.

    name : the key in the registry.
    title : what a person reads.
    function : called with what the metric eats (see `Eats`) and its own options; returns a number, NaN = undefined.
    worked : called like `function`; LaTeX of the formula with these rows' numbers in it, ending in the value.
        It holds numbers only, never a label.
    formula : LaTeX.
    definition : what it is in one sentence: the first thing that the glossary says of it.
    scikit_learn : the expression that computes it with scikit-learn and the functions of
        `export/recompute/recompute.py`: `p` is the prepared file, `k` the code of a class, `o` its outcomes against
        the rest; `is_true`, `score` and `weight` are the rows with a score for it.
    when, pitfall : when to use it, and how it misleads.
    source : where it comes from.
    direction : which way is better; "zero" = neither.
    range : lowest and highest possible value.
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
    worked: Callable[..., str]
    formula: str
    when: str
    pitfall: str
    source: str
    eats: Eats
    _: KW_ONLY
    definition: str
    scikit_learn: str
    direction: Direction = "higher"
    range: tuple[float, float] = (0, 1)
    unit: Literal["", "rows", "labels", "nats", "cost"] = ""
    zero_division: bool = False

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Return what kinds of predictions it is for."""
        return TASKS[self.eats]
