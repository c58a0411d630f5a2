"""Define a row of the registry, and say why its number is undefined where scores are on a scale of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from metrics.catalogue.worked_examples import result
from metrics.intervals.statistic import Statistic
from metrics.outcomes import Formula
from metrics.scores.curves import ScoreCounts
from metrics.scores.probabilities import SUM_TOLERANCE
from text.numbers import LEAST_P, number, p_value, percent

Eats = Literal[
    "confusion counts",  # (counts)
    "confusion counts, one class",  # (the four counts of the class against the rest)
    "score counts",  # (score_counts of the positive class)
    "scores per class",  # (ranking of every class)
    "class scores",  # (y_true, y_score of every class), by name score_codes and weights
    "calibration",  # (score_counts of the positive class, or of each prediction's confidence), from_logits, bin_scores
    "probabilities",  # (y_true, y_score), and the options of `read_probabilities`; it moves one way with each score
    "multi-label counts",  # (counts)
]
Direction = Literal["higher", "lower", "zero"]
Task = Literal["binary", "multiclass", "multilabel"]
TASKS: dict[Eats, tuple[Task, ...]] = {
    "confusion counts": ("binary", "multiclass"),
    "confusion counts, one class": ("binary", "multiclass", "multilabel"),
    "score counts": ("binary", "multiclass", "multilabel"),
    "scores per class": ("multiclass", "multilabel"),
    "class scores": ("multiclass", "multilabel"),
    "calibration": ("binary", "multiclass"),
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
    "class scores": "No: it depends on the order of the scores alone, which changes in jumps.",
    "calibration": "Yes: it moves with every score. But a constant share makes it lowest: add a proper loss.",
    "probabilities": "Yes: it changes smoothly with every probability, and the true probabilities make it lowest.",
}
"""The answer to “can a model be trained on it?” for each kind of metric, with the reason."""


class Headline(NamedTuple):
    """The place of a metric among the numbers that terminal and report list first; title : "" = its name."""

    place: int
    title: str = ""


_REST = re.compile(r" \(|, | over | of one class")
"""Begins the part of a title that a sentence does without."""
_PEOPLE = ("Brier", "Cohen's", "Hamming", "Jaccard", "Matthews", "Youden's")
"""First words of titles that keep their capital."""


@dataclass(frozen=True, eq=False)
class Metric:
    r"""One metric, for the glossary, the chooser, and the tests that hold for all of them.

    key : its name in the JSON; with a task it is found by it.
    title : what a person reads.
    short : its name inside a sentence, where that is not the beginning of the title (see `name`).
    function : called with what the metric eats (see `Eats`) and its own options; returns a number, NaN = undefined.
    steps : called like `function`; LaTeX of the formula with these rows' numbers in it, without the value.
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
    unit : "" for a plain number, "share" for one that is written as per cent, or what it counts; "p" for a p value.
    zero_division : whether `function` has scikit-learn's option of that name, for averages that hold undefined values.
    influence : gives the metric with the change by one more row of each cell, where bounds are asked for. It takes
        "confusion counts", "multi-label counts": (joint counts, place of the model), `zero` with a `zero_division`;
        "confusion counts, one class": (joint counts of the class against the rest, place of the model);
        "score counts": (is_true, score, score counts);
        "scores per class": (areas of every class by their keys, true rows of every class);
        "class scores": (cells of the scored rows, y_true, y_score, score_codes);
        "probabilities": (`Probabilities` of the scored rows).
    no_interval : why there is no interval, half a sentence. A row has an influence or this reason.
    aliases : other names, which links and older files hold.
    undefined : why it is undefined where it is; "" = no words of its own.
    of_outcomes : of one class, the formula on its four counts that gives it.
    class_key : its name in `per_class` of the JSON, and in tables of classes; "" = they do not have it.
    class_tables : tasks whose tables of classes have it; without any the JSON alone has it, in every task.
    instead : what can be trained on in its place, a sentence; "" = nothing of its own.
    needs_order, needs_groups : whether it is told only where the labels have an order, or groups.
    only : the tasks that it is for, where these are fewer than its input has; () = all of these.
    min_classes : how many classes with scores it takes.
    headline : None = terminal and report do not list it among the first numbers.
    not_compared : why two runs have no difference of it, sentences; "" = they have one, or no reason of its own.

    >>> from metrics.catalogue.registry import REGISTRY
    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> counts = confusion_counts_from_matrix([[227, 31], [50, 192]], ("Class1", "Class2"))
    >>> print(REGISTRY["binary", "accuracy"].worked(counts))
    \frac{419}{500} = 0.838
    """

    key: str
    title: str
    function: Callable[..., float]
    steps: Callable[..., str]
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
    unit: Literal["", "share", "rows", "labels", "nats", "cost", "p"] = ""
    zero_division: bool = False
    influence: Callable[..., Statistic] | None = None
    no_interval: str = ""
    aliases: tuple[str, ...] = ()
    undefined: str = ""
    of_outcomes: Formula | None = None
    class_key: str = ""
    class_tables: tuple[Task, ...] = ()
    instead: str = ""
    needs_order: bool = False
    needs_groups: bool = False
    only: tuple[Task, ...] = ()
    min_classes: int = 0
    headline: Headline | None = None
    short: str = ""
    not_compared: str = ""

    def __post_init__(self) -> None:
        if (self.influence is None) == (not self.no_interval):
            raise TypeError(f"{self.key} needs an influence, or the reason why it has no interval; and not both.")
        if self.class_tables and not self.class_key:
            raise TypeError(f"{self.key} is in tables of classes, so it needs a class_key, its name in them.")

    def worked(self, *given: Any, **options: Any) -> str:
        """Return LaTeX of the formula with these rows' numbers in it, ending in the value; called like `function`."""
        steps, value = self.steps(*given, **options), self.function(*given, **options)
        return f"{steps} < {LEAST_P}" if self.unit == "p" and value < LEAST_P else result(steps, value)

    def statistic(self, *given: Any, **options: Any) -> Statistic:
        """Return the metric with its influence, from what `influence` takes."""
        assert self.influence is not None, self.no_interval
        return self.influence(*given, **options)

    @property
    def name(self) -> str:
        """Return its name inside a sentence: the title up to a bracket, a comma, “over” or “of one class”.

        >>> from metrics.catalogue.registry import REGISTRY
        >>> [REGISTRY["multiclass", key].name for key in ("recall", "macro_f1", "brier", "roc_auc_macro", "g_mean")]
        ['recall', 'macro F1', 'Brier score', 'macro ROC AUC', 'G-mean']
        """
        name = self.short or _REST.split(self.title, maxsplit=1)[0]
        is_word = name[1:2].islower() and name.split()[0] not in _PEOPLE
        return name[0].lower() + name[1:] if is_word else name

    @property
    def head(self) -> str:
        """Return its name where a line or a column begins with it."""
        return self.name[0].upper() + self.name[1:]

    def write(self, value: float) -> str:
        """Write a value by its unit.

        >>> from metrics.catalogue.registry import REGISTRY
        >>> keys = "accuracy_above_baseline_p", "accuracy", "mcc", "support"
        >>> [REGISTRY["binary", key].write(value) for key, value in zip(keys, (1e-9, 0.5719, 0.5, 1200), strict=True)]
        ['< 0.001', '57.2 %', '0.500', '1,200']
        """
        if self.unit == "p":
            return p_value(value, "")
        if self.unit == "rows":
            return f"{value:,.0f}"
        return percent(value) if self.unit == "share" else number(value)

    @property
    def as_loss(self) -> str:
        """Say whether a model can be trained on it, and what takes its place."""
        reason = "No: it describes, and no direction is better." if self.direction == "zero" else AS_LOSS[self.eats]
        return f"{reason} {self.instead}".strip()

    def fits_labels(self, ranks: Sequence[object], paths: Sequence[object]) -> bool:
        """Return whether labels have the order, or the groups, that it needs; both as in `ConfusionCounts`."""
        return bool((ranks or not self.needs_order) and (paths or not self.needs_groups))

    @property
    def counts_rows(self) -> bool:
        """Return whether it counts rows, or tests their number, which their weights do not change."""
        return self.unit in ("rows", "p")

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Return what kinds of predictions it is for."""
        return self.only or TASKS[self.eats]


OWN_SCALE = "the scores are on a scale of their own, no probabilities"
NO_SUM = "the scores of the classes do not add up to 1 in every row"
ON_PREDICTIONS: tuple[Eats, ...] = ("confusion counts", "confusion counts, one class", "multi-label counts")
NO_THRESHOLD = "the scores are on a scale of their own, and no threshold is given"


class Scaled(Protocol):
    """Name what of an evaluation decides it."""

    @property
    def scale(self) -> str: ...
    @property
    def has_predictions(self) -> bool: ...
    @property
    def task(self) -> str: ...
    @property
    def y_score(self) -> np.ndarray | None: ...


def why_undefined(p: Scaled, eats: Eats) -> str:
    """Return the reason as half a sentence, "" where nothing speaks against the number.

    eats : what the metric is computed from.

    >>> from types import SimpleNamespace
    >>> why_undefined(SimpleNamespace(scale="score", has_predictions=True), "probabilities")
    'the scores are on a scale of their own, no probabilities'
    """
    if eats == "calibration":
        return OWN_SCALE if p.scale == "score" else ""
    if eats == "probabilities":
        return OWN_SCALE if p.scale == "score" else NO_SUM if _miss_a_sum(p) else ""
    return NO_THRESHOLD if eats in ON_PREDICTIONS and not p.has_predictions else ""


def _miss_a_sum(p: Scaled) -> bool:
    """Return whether the probabilities of several classes do not add up to 1 in a row."""
    if p.task != "multiclass" or p.y_score is None or p.scale != "probability":
        return False
    sums = p.y_score.sum(axis=1)
    return bool((np.abs(sums[~np.isnan(sums)] - 1) > SUM_TOLERANCE).any())


def one_class_only(scores: ScoreCounts) -> str:
    """Return why an undefined number of scores is so where every row is of one class; "" with both classes."""
    if not scores.n_pos:
        return "no row is positive"
    return "" if scores.n_neg else "every row is positive"
