"""Say which settings runs must share before their numbers are compared.

A run keeps what was said for it. What was said for the first run alone holds for the others, too. Where two runs are
told different things, their numbers say nothing about the models: nothing is ranked until a person chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from data.columns.table_metadata import answers_left_out
from data.comparison.label_union import union_of
from data.errors import DataError
from data.evaluation import CHOICES, Evaluation
from data.parser.parser import STANDARD, Parser

OF_ITS_FILE = frozenset({
    "truth", "pred", "raw", "id", "encoding", "delimiter", "pred_encoding", "pred_delimiter", "truth_columns",
    "pred_columns", "scores", "scale", "confidence", "counts", "only", "run_parts", "cluster", "label_space",
    "task", "weights",
})  # fmt: skip
"""Settings that say how one file is written. Rows, their weights and clusters are those of the joined rows, and the
label space is that of all runs. Runs of different tasks are not joined."""
_NOUNS = {
    "label_set": "label list", "merge": "merged labels", "positive": "positive class", "threshold": "threshold rule",
    "order": "order of the labels", "separator": "separator of groups", "tree": "tree of labels",
}  # fmt: skip
"""Nouns of settings whose fields are named otherwise."""
_NAMES_ONLY = "class_names"
"""The choice that changes no number: labels are compared by the names that they are shown by."""


class Difference(NamedTuple):
    """A setting that runs do not share.

    setting : the name of the `Settings` field. words : what to say of the runs.
    """

    setting: str
    words: str

    @property
    def noun(self) -> str:
        """Return what the setting is called."""
        return name_setting(self.setting)

    @property
    def option(self) -> str:
        """Return its option of the command line."""
        return f"--{self.setting.replace('_', '-')}"


def name_setting(setting: str) -> str:
    """Return what a setting is called.

    >>> name_setting("order"), name_setting("class_names")
    ('order of the labels', 'class names')
    """
    return _NOUNS.get(setting, setting.replace("_", " "))


THRESHOLDS = Difference("threshold", "have different threshold rules")


class DifferentSettings(DataError):
    """Runs that are read or decided by different settings: nothing about them can be ranked."""

    def __init__(self, differences: Sequence[Difference], names: Sequence[str]) -> None:
        self.differences, self.names = tuple(differences), tuple(names)
        super().__init__(" ".join(map(self._describe, self.differences)))

    def _describe(self, difference: Difference) -> str:
        who = " and ".join(self.names) if len(self.names) == 2 else f"{len(self.names)} runs"
        return (
            f"No ranking: {who} {difference.words}. Use one for all: give {difference.option}, or choose it on the "
            "page Compare."
        )


def find_differences(evaluations: Sequence[Evaluation], *, thresholds: bool = True) -> tuple[Difference, ...]:
    """Return the settings that runs must share and do not.

    thresholds : whether every run predicts by its own threshold; False = they were made equal in another way.
    """
    named: list[tuple[Callable[[Sequence[Evaluation]], bool], Difference]] = [
        (_parsers_differ, Difference("parser", "are read by different parsers")),
        (_label_lists_differ, Difference("label_set", "are read by different label lists")),
        (merges_differ, Difference("merge", "have different merged labels")),
        (_orders_differ, Difference("order", "have their labels in different orders")),
        (_trees_differ, Difference("tree", "read groups of labels by different trees")),
        (positives_differ, Difference("positive", "have different positive classes")),
    ]
    with_rule = {difference.setting for _, difference in named} | OF_ITS_FILE | {_NAMES_ONLY}
    named += [_require_same(name) for name in CHOICES if name not in with_rule]
    if thresholds:
        named.append((_thresholds_differ, THRESHOLDS))
    return tuple(difference for differ, difference in named if differ(evaluations))


def check_shared(evaluations: Sequence[Evaluation], names: Sequence[str], *, thresholds: bool = True) -> None:
    """Raise `DifferentSettings` where runs do not share what makes their numbers comparable."""
    differences = find_differences(evaluations, thresholds=thresholds)
    if differences:
        raise DifferentSettings(differences, names)


def rules_of(evaluation: Evaluation) -> Parser | None:
    """Return the parser that read the answers of a run; None where its predictions are labels or scores."""
    if evaluation.answers is None or answers_left_out(evaluation):
        return None
    return evaluation.settings.parser or STANDARD


def _parsers_differ(evaluations: Sequence[Evaluation]) -> bool:
    parsers = filter(None, map(rules_of, evaluations))
    return len({parser.rules for parser in parsers}) > 1


def _label_lists_differ(evaluations: Sequence[Evaluation]) -> bool:
    """Return whether two lists were given, or labels were read without the list that another run has."""
    lists = {frozenset(e.settings.label_set) for e in evaluations if e.settings.label_set is not None}
    if len(lists) != 1:
        return len(lists) > 1
    (label_list,) = lists
    return any(not fits_list(e, label_list) for e in evaluations if e.settings.label_set is None)


def fits_list(evaluation: Evaluation, label_list: frozenset[str]) -> bool:
    """Return whether a run without a label list would be read the same with one."""
    names = dict(evaluation.settings.class_names)
    listed = {names.get(label, label) for label in label_list}
    return rules_of(evaluation) is None and set(evaluation.labels) <= listed


def merges_differ(evaluations: Sequence[Evaluation]) -> bool:
    """Return whether a merge of one run would change a label of another."""
    merges = [dict(e.settings.merge) for e in evaluations]
    every = {written: label for merge in merges for written, label in merge.items()}
    for evaluation, merge in zip(evaluations, merges, strict=True):
        missing = [written for written, label in every.items() if merge.get(written) != label]
        written_labels = {label for label, _ in evaluation.settings.class_names}.union(evaluation.labels, merge)
        if written_labels.intersection(missing):
            return True
    return False


def _orders_differ(evaluations: Sequence[Evaluation]) -> bool:
    """Return whether labels have other places, or none, in a run."""
    orders = [dict(zip(e.labels, e.ranks, strict=False)) for e in evaluations]
    places = {label: place for order in orders for label, place in order.items()}
    some = any(orders) and not all(orders)
    return some or any(places[label] != place for order in orders for label, place in order.items())


def _require_same(name: str) -> tuple[Callable[[Sequence[Evaluation]], bool], Difference]:
    """Return the rule of a choice that has none of its own: it must be the same for all."""

    def choices_differ(evaluations: Sequence[Evaluation]) -> bool:
        return len({e.settings.choices()[name] for e in evaluations}) > 1

    return choices_differ, Difference(name, f"have a different {name_setting(name)}")


def _trees_differ(evaluations: Sequence[Evaluation]) -> bool:
    return len({frozenset(e.settings.tree) for e in evaluations}) > 1


def positives_differ(evaluations: Sequence[Evaluation]) -> bool:
    """Return whether two classes are the positive one."""
    if len(union_of(evaluations).labels) > 2:  # no class is the positive one then
        return False
    return len({positive_label(e) for e in evaluations if e.positive is not None}) > 1


def positive_label(evaluation: Evaluation) -> str | None:
    """Return the label of the positive class; None where there is none."""
    return None if evaluation.positive is None else evaluation.labels[evaluation.positive]


def _thresholds_differ(evaluations: Sequence[Evaluation]) -> bool:
    """Return whether a threshold was chosen for one run, and another run with scores predicts without."""
    scored = [e for e in evaluations if e.y_score is not None and e.task in ("binary", "multilabel")]
    return len({e.settings.threshold is None for e in scored}) > 1
