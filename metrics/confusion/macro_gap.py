"""Explain the gap between micro and macro F1: one analysis, and the one sentence that every place shows of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.confusion import averages
from metrics.confusion.class_order import lowest_f1_first
from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.worst_confusions import mark_never_true
from metrics.finding import Label, list_labels
from metrics.multilabel.set_metrics import MultilabelCounts
from metrics.outcomes import F1
from text.numbers import count, number, percent, verb

FAR = 0.1
"""Beyond this difference macro F1 is far from micro F1."""
RARE = 0.5
"""A class with fewer than this share of the true rows of an average class is rare."""
_NOTHING, _LEAST = 1e-9, 0.0005
"""Less is rounding; a smaller share is not told."""
_NUMBERS = (
    "micro_f1", "macro_f1_space", "gap", "from_absent", "from_never_true", "from_never_predicted", "from_other",
    "max_macro_f1", "n_absent", "n_never_true", "n_never_predicted",
)  # fmt: skip


@dataclass(frozen=True)
class MacroGap:
    """Macro F1 over the label space against micro F1, and the parts that add up to their difference.

    from_absent : how much of the gap goes when listed classes without true rows are left out: the sample's doing.
    from_never_true : how much more goes without predicted labels that no list names and no row has: the model's.
    from_never_predicted : how much more goes without the classes that are never predicted.
    from_other : the rest: the classes that are true and predicted (negative: they do better than micro F1).
    max_macro_f1 : what a perfect model would reach here: classes with true rows over these and the listed ones.
    absent, never_true, never_predicted : the labels of each part, those with the most rows first.
    weak : true and predicted classes whose F1 is below micro F1, the weakest first, with that F1; `n_rare` of them
        are rare.
    n_zero : classes with true rows, or never true labels, whose F1 is 0.
    beyond : whether labels that are not in the label list have rows.
    """

    micro_f1: float
    macro_f1_space: float
    gap: float
    from_absent: float
    from_never_true: float
    from_never_predicted: float
    from_other: float
    max_macro_f1: float
    n_space: int
    absent: tuple[str, ...]
    never_true: tuple[str, ...]
    never_predicted: tuple[str, ...]
    weak: tuple[tuple[str, float], ...]
    n_rare: int
    n_zero: int
    beyond: bool
    noun: str

    @property
    def n_absent(self) -> int:
        """Count the listed classes without true rows."""
        return len(self.absent)

    @property
    def n_never_true(self) -> int:
        """Count the predicted labels of the label space that no list names and no row has."""
        return len(self.never_true)

    @property
    def n_never_predicted(self) -> int:
        """Return classes of the label space with true rows and no prediction."""
        return len(self.never_predicted)

    @property
    def is_far(self) -> bool:
        """Return whether macro F1 is far below micro F1."""
        return self.gap > FAR

    def shares(self) -> dict[str, float]:
        """Return the share of the gap that each part makes, 0..1, together 1; nothing where macro F1 is not below
        micro F1.

        Where the true and predicted classes do better than micro F1 they make up for other parts: for these that
        much less is counted, so that no share is above all.

        >>> from metrics.confusion.counts import confusion_counts_from_matrix
        >>> gap = macro_gap(confusion_counts_from_matrix([[8, 0, 0], [2, 0, 0], [0, 0, 0]], ("a", "b", "c")))
        >>> {name: round(share, 3) for name, share in gap.shares().items()}
        {'absent': 0.294, 'never_true': 0.0, 'never_predicted': 0.706, 'other': 0.0}
        """
        if not self.gap > _NOTHING:
            return {}
        names = ("absent", "never_true", "never_predicted", "other")
        parts = [self.from_absent, self.from_never_true, self.from_never_predicted, self.from_other]
        for place in range(len(parts) - 1, 0, -1):
            if parts[place] < 0:
                parts[place - 1] += parts[place]
                parts[place] = 0.0
        return {name: max(0.0, part) / self.gap for name, part in zip(names, parts, strict=True)}

    def told_shares(self) -> dict[str, float]:
        """Return the shares that the sentence tells: those that are more than rounding."""
        return {name: share for name, share in self.shares().items() if share >= _LEAST}

    def parts(self) -> tuple[str | Label, ...]:
        """Return the sentence, label names apart from our words: two figures, and where their difference comes from."""
        if np.isnan(self.gap):
            return ("Macro F1 and micro F1 are undefined: no row is scored.",)
        return (self._figures(), *self._reason())

    def text(self, quote: Callable[[str], str] = lambda name: f"'{name}'") -> str:
        """Return the sentence, every label name passed through `quote`."""
        return "".join(quote(part.name) if isinstance(part, Label) else part for part in self.parts())

    def without_rows(self) -> str:
        """Count the classes that are easily taken for never predicted ones, as a sentence.

        >>> from metrics.confusion.counts import confusion_counts_from_matrix
        >>> macro_gap(confusion_counts_from_matrix([[8, 0], [0, 0]], ("a", "b"))).without_rows()
        'Not the same: 1 listed class without true rows.'
        """
        others = [f"{self._count_listed} without true rows"] if self.absent else []
        others += [f"{count(self.n_never_true, 'predicted label')} never true"] if self.never_true else []
        return f"Not the same: {', '.join(others)}." if others else "Every class occurs at least once in your data."

    def numbers(self) -> dict[str, float]:
        """Return the figures, and how many labels each part is about, by name."""
        return {name: getattr(self, name) for name in _NUMBERS}

    def to_json(self) -> dict[str, Any]:
        """Return the figures, the share of each part, and the sentence."""
        return {**self.numbers(), "shares": self.shares(), "text": self.text()}

    def _figures(self) -> str:
        many = f"all {count(self.n_space, self.noun)}"
        which = {1: f"the only {self.noun}", 2: f"both {self._plural}"}.get(self.n_space, many)
        far = "near" if abs(self.gap) <= FAR else "far below" if self.gap > 0 else "far above"
        return f"Macro F1 over {which} is {number(self.macro_f1_space)}, {far} micro F1 {number(self.micro_f1)}."

    @property
    def _plural(self) -> str:
        return count(2, self.noun)[2:]

    def _reason(self) -> Iterator[str | Label]:
        if self.is_far:
            yield from self._sources()
        elif self.gap < -FAR and self.beyond:
            yield " Micro F1 also counts the rows of labels that are not in the label list."
        elif self.gap < -FAR:
            yield f" {self._plural.capitalize()} with more rows, true or predicted, do worse than the mean."
        else:
            if self.n_zero:
                yield f" Yet {count(self.n_zero, self.noun)} {verb(self.n_zero, 'has')} an F1 of 0."
            if self.absent:
                yield f" {self._count_listed} without true rows {verb(self.n_absent, 'counts')} as 0."

    def _sources(self) -> Iterator[str | Label]:
        """Yield a sentence for every part of the gap, with its share, the largest first."""
        told = sorted(self.told_shares().items(), key=lambda part: -part[1])
        for place, (name, share) in enumerate(told):
            yield from (f" {self._say_share(place, share, len(told))} is ", *self._source(name, len(told)), ".")
        if self.from_other < -_NOTHING:
            single = self.n_space - self.n_absent - self.n_never_true - self.n_never_predicted == 1
            does = f"{self.noun} does better" if single else f"{self._plural} do better on average"
            yield f" The other {does} than micro F1."
        if self.absent:
            yield f" A perfect model could reach {number(self.max_macro_f1)}."

    def _say_share(self, place: int, share: float, n_parts: int) -> str:
        """Say how much of the gap a part is, parts being in the order of their shares."""
        if share > 1 - _NOTHING:
            return "All of the gap"
        if n_parts == 1:
            return "Nearly all of the gap"
        if share > 0.5:
            return "More than half of the gap"
        return "The rest" if (place, n_parts) == (1, 2) else f"{percent(share)} of the gap"

    def _source(self, name: str, n_parts: int) -> tuple[str | Label, ...]:
        """Return the classes of a part of the gap: one by its name, several counted and listed."""
        if name == "other":
            return self._weak(n_parts)
        single, many, named = {
            "absent": (f"the listed {self.noun} ", f"{self._count_listed} without true rows", self.absent),
            "never_true": (
                "the predicted label ", f"{count(self.n_never_true, 'predicted label')} that are never true",
                self.never_true,
            ),
            "never_predicted": (
                f"the {self.noun} ", f"{count(self.n_never_predicted, self.noun)} that are never predicted",
                self.never_predicted,
            ),
        }[name]  # fmt: skip
        if len(named) == 1:
            return single, Label(named[0]), f", which {_STATES[name]}"
        return f"{many} (", *list_labels(named), ")"

    def _weak(self, n_parts: int) -> tuple[str | Label, ...]:
        """Return the true and predicted classes whose F1 is below micro F1."""
        if not self.weak:
            return ("right rows of labels that are not in the label list",)
        name, f1 = self.weak[0]
        weakest = (Label(name), f" (F1 {number(f1)})")
        rare = "rare " if self.n_rare == len(self.weak) else ""
        if len(self.weak) == 1:
            return f"the {rare}{self.noun} ", *weakest
        other = "" if n_parts == 1 else "other "
        some = f", {self.n_rare:,} of them rare" if self.n_rare and not rare else ""
        classes = count(len(self.weak), f"{other}{rare}{self.noun}")
        return f"{classes} with an F1 below micro F1{some}. The weakest is ", *weakest

    @property
    def _count_listed(self) -> str:
        return count(self.n_absent, f"listed {self.noun}")


_STATES = {
    "absent": "has no true rows", "never_true": "is never true", "never_predicted": "is never predicted",
}  # fmt: skip


def macro_gap(counts: ConfusionCounts) -> MacroGap:
    """Explain why macro F1 over the label space differs from micro F1, one label a row.

    Only listed classes without true rows are the sample's doing (`ConfusionCounts.listed`): a predicted label that
    no list names and that is true in no row was misspelt or invented. Where no class remains to average over,
    leaving classes out changes nothing (that part is 0). All NaN without rows or label space.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> gap = macro_gap(confusion_counts_from_matrix([[8, 0, 0], [2, 0, 0], [0, 0, 0]], ("a", "b", "c")))
    >>> round(gap.from_absent, 3), round(gap.from_never_predicted, 3), round(gap.max_macro_f1, 3)
    (0.148, 0.444, 0.667)
    """
    f1 = averages.rates_over(counts, F1, "space")
    return _explain(
        counts.labels, f1, averages.micro(counts, F1), counts.support, counts.predicted,
        mark_never_true(counts.support, counts.predicted, counts.listed, counts.n_space), "class",
    )  # fmt: skip


def macro_gap_of_labels(
    counts: MultilabelCounts, n_space: int | None = None, listed: tuple[int, ...] | None = None
) -> MacroGap:
    """Explain why macro F1 over the labels differs from micro F1, several labels a row.

    n_space, listed : as `ConfusionCounts` has them.

    >>> from metrics.multilabel.set_metrics import multilabel_counts
    >>> truth = np.array([[1, 0], [1, 0], [1, 1]], dtype=bool)
    >>> counts = multilabel_counts(truth, np.array([[1, 0], [1, 0], [1, 0]], dtype=bool), ("a", "b"))
    >>> macro_gap_of_labels(counts).never_predicted
    ('b',)
    """
    n_space = len(counts.labels) if n_space is None else n_space
    f1 = F1.value(counts)[:n_space]
    f1 = np.nan_to_num(f1, nan=0.0) if counts.n else f1
    return _explain(
        counts.labels, f1, averages.micro(counts, F1), counts.support, counts.predicted,
        mark_never_true(counts.support, counts.predicted, listed, n_space), "label",
    )  # fmt: skip


def mark_rare(support: np.ndarray) -> np.ndarray:
    """Mark classes with fewer than half the true rows of an average class, bool (K,); those without rows are none.

    >>> mark_rare(np.array([90, 10, 0])).tolist()
    [False, True, False]
    """
    is_true = support > 0
    average = support[is_true].mean() if is_true.any() else 0.0
    marked: np.ndarray = is_true & (support < RARE * average)
    return marked


def _explain(
    labels: tuple[str, ...], f1: np.ndarray, micro: float, support: np.ndarray, predicted: np.ndarray,
    never_true: np.ndarray, noun: str,
) -> MacroGap:  # fmt: skip
    """Return the analysis of per-class F1 (n_space,), undefined ones counted as 0; rows and `never_true` are (K,)."""
    n = len(f1)
    is_true, is_predicted, is_never_true = support[:n] > 0, predicted[:n] > 0, never_true[:n]
    is_absent = ~is_true & ~is_never_true
    # macro F1 over fewer and fewer classes: each step is one part of the gap
    over_space = _mean_or(f1, np.nan)
    without_absent = _mean_or(f1[~is_absent], over_space)
    over_true = _mean_or(f1[is_true], without_absent)
    over_predicted = _mean_or(f1[is_true & is_predicted], over_true)
    n_listed = n - int(is_never_true.sum())
    weak = np.flatnonzero(is_true & is_predicted & (f1 < micro))
    weak = weak[lowest_f1_first(f1[weak], support[weak])]

    def named(chosen: np.ndarray, by: np.ndarray) -> tuple[str, ...]:
        codes = np.flatnonzero(chosen)
        return tuple(labels[code] for code in codes[np.argsort(-by[codes], kind="stable")])

    return MacroGap(
        micro_f1=micro,
        macro_f1_space=over_space,
        gap=micro - over_space,
        from_absent=without_absent - over_space,
        from_never_true=over_true - without_absent,
        from_never_predicted=over_predicted - over_true,
        from_other=micro - over_predicted,
        max_macro_f1=float(is_true.sum() / n_listed) if support.any() and n_listed else np.nan,
        n_space=n,
        absent=named(is_absent, predicted),
        never_true=named(is_never_true, predicted),
        never_predicted=named(is_true & ~is_predicted, support),
        weak=tuple((labels[code], value) for code, value in zip(weak.tolist(), f1[weak].tolist(), strict=True)),
        n_rare=int(mark_rare(support[:n])[weak].sum()),
        n_zero=int((~is_absent & (f1 == 0)).sum()),
        beyond=bool((support[n:] + predicted[n:]).any()),
        noun=noun,
    )


def _mean_or(values: np.ndarray, otherwise: float) -> float:
    return float(values.mean()) if len(values) else float(otherwise)
