"""Define a row of the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, NamedTuple

from metrics.intervals.statistic import Statistic
from metrics.outcomes import Formula

Eats = Literal[
    "confusion counts",  # (counts)
    "confusion counts, one class",  # (counts, code); multi-label counts do as well
    "score counts",  # (score_counts of the positive class)
    "scores per class",  # (ranking of every class)
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


AS_LOSS: dict[Eats, str] = {
    "confusion counts": "No: it counts labels. A small change of a score changes no label, so training has no slope.",
    "confusion counts, one class": "No: it counts labels, which a small change of a score does not change.",
    "multi-label counts": "No: it counts labels, which a small change of a score does not change.",
    "score counts": "No: it depends on the order of the scores alone, which changes in jumps.",
    "scores per class": "No: it depends on the order of the scores alone, which changes in jumps.",
    "probabilities": "Yes: it changes smoothly with every probability, and the true probabilities make it lowest.",
}
"""The answer to “can a model be trained on it?” for each kind of metric, with the reason."""


class Headline(NamedTuple):
    """The place and the title of a metric among the numbers that terminal and report list first."""

    place: int
    title: str


@dataclass(frozen=True)
class Metric:
    r"""One metric, for the glossary, the chooser, and the tests that hold for all of them.

    key : its name in the JSON; with a task it is found by it.
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
    influence : gives the metric with the change by one more row of each cell, where bounds are asked for. It takes
        "confusion counts", "multi-label counts": (joint counts, place of the model), `zero` with a `zero_division`;
        "confusion counts, one class": (joint counts of the class against the rest, place of the model);
        "score counts": (is_true, score, score counts);
        "scores per class": (areas of every class by their keys, true rows of every class);
        "probabilities": (both losses of the rows).
    no_interval : why there is no interval, half a sentence. A row has an influence or this reason.
    aliases : other names, which links and older files hold.
    undefined : why it is undefined where it is; "" = no words of its own.
    of_outcomes : of one class, the formula on its four counts that gives it.
    class_tables : tasks whose tables of classes have it; there its key is `class_key`, if it has one.
    instead : what can be trained on in its place, a sentence; "" = nothing of its own.
    needs_order : whether it is told only where the labels have an order.
    of_each : the name of a number of one class in `per_class` of the JSON, where no table of classes has it.
    headline : None = terminal and report do not list it among the first numbers.

    >>> from metrics.catalogue.registry import REGISTRY
    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> counts = confusion_counts_from_matrix([[227, 31], [50, 192]], ("Class1", "Class2"))
    >>> print(REGISTRY["binary", "accuracy"].worked(counts))
    \frac{419}{500} = 0.838
    """

    key: str
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
    influence: Callable[..., Statistic] | None = None
    no_interval: str = ""
    aliases: tuple[str, ...] = ()
    undefined: str = ""
    of_outcomes: Formula | None = None
    class_tables: tuple[Task, ...] = ()
    class_key: str = ""
    of_each: str = ""
    instead: str = ""
    needs_order: bool = False
    headline: Headline | None = None

    def __post_init__(self) -> None:
        if (self.influence is None) == (not self.no_interval):
            raise TypeError(f"{self.key} needs an influence, or the reason why it has no interval; and not both.")

    def statistic(self, *given: Any, **options: Any) -> Statistic:
        """Return the metric with its influence, from what `influence` takes."""
        assert self.influence is not None, self.no_interval
        return self.influence(*given, **options)

    @property
    def as_loss(self) -> str:
        """Say whether a model can be trained on it, and what takes its place."""
        reason = "No: it describes, and no direction is better." if self.direction == "zero" else AS_LOSS[self.eats]
        return f"{reason} {self.instead}".strip()

    @property
    def counts_rows(self) -> bool:
        """Return whether it is a number of rows, which their weights do not change."""
        return self.unit == "rows"

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Return what kinds of predictions it is for."""
        return TASKS[self.eats]
