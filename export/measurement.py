"""Everything a report shows, counted once: the small tables, the numbers and the findings of one evaluation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from data.columns.table_metadata import name_engine
from data.comparison.row_groups import clusters_in_use
from data.comparison.slice_columns import cut_columns
from data.errors import DataError
from data.evaluation import Evaluation
from data.labels.class_names import names_in_sentences
from export.confidence import count_confidence
from export.intervals import LEVEL, metric_intervals
from export.summary import report
from metrics.catalogue.registry import REGISTRY
from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.macro_gap import MacroGap, macro_gap, macro_gap_of_labels
from metrics.finding import Finding, Label
from metrics.findings.findings import findings, tables_of
from metrics.findings.tables import Counters, arguments, count_confusions, count_labels, count_scores
from metrics.findings.worst_parts import NO_PARTS, WorstParts
from metrics.intervals.statistic import Interval
from metrics.multilabel.set_metrics import MultilabelCounts
from metrics.scores.binning import ErrorBounds, error_bounds
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.rule_in_force import ChosenThreshold


@dataclass(frozen=True, eq=False)
class Measured:
    """An evaluation with what follows from it; every part is computed when first asked for, and once.

    known_parts : what was found in slices and groups; None = not searched yet.
    """

    evaluation: Evaluation
    chosen: tuple[ChosenThreshold, ...] = ()
    level: float = LEVEL
    known_parts: WorstParts | None = None

    @cached_property
    def names(self) -> dict[str, str]:
        """Return the name of each label in a sentence."""
        return names_in_sentences(self.evaluation)

    def named(self, parts: Iterable[str | Label]) -> list[str | Label]:
        """Return the parts of a sentence with each label by its name."""
        return [Label(self.names.get(part.name, part.name)) if type(part) is Label else part for part in parts]

    @cached_property
    def named_findings(self) -> list[Finding]:
        """Return the findings as a person reads them: labels by their names."""
        return [replace(finding, parts=tuple(self.named(finding.parts))) for finding in self.findings]

    @property
    def many(self) -> bool:
        """Return whether a row has several labels."""
        return self.evaluation.task == "multilabel"

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """Return the numbers that the command line and the pages show, by name."""
        return report(self.evaluation, self._kept, self.chosen, self.worst_parts)

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """Return the interval of every metric, by the clusters that were found or chosen."""
        return metric_intervals(self, level=self.level, clusters=clusters_in_use(self.evaluation))

    @cached_property
    def confusion(self) -> ConfusionCounts:
        """Return the confusion counts of a single-label task."""
        return count_confusions(self.evaluation)

    @cached_property
    def labels(self) -> MultilabelCounts:
        """Return the label counts of a multi-label task."""
        return count_labels(self.evaluation)

    @cached_property
    def scores(self) -> dict[int, ScoreCounts]:
        """Return the score counts of every class that has a score, by label code."""
        found = {code: count_scores(self.evaluation, code) for code in self.evaluation.score_codes}
        return {code: counts for code, counts in found.items() if counts is not None}

    @cached_property
    def findings(self) -> list[Finding]:
        """Return what the accuracy hides, the most serious first."""
        return findings(tables_of(self.evaluation, self._kept, self.chosen, self.worst_parts))

    @cached_property
    def worst_parts(self) -> WorstParts:
        """Return the worst slices, and the largest gap between groups."""
        if self.known_parts is not None:
            return self.known_parts
        can_tell = self.evaluation.has_predictions and self.evaluation.n_scored
        ways = cut_columns(self.evaluation).ways if can_tell else ()
        if not ways:
            return NO_PARTS
        from export.by_slice.worst_parts import (
            find_worst_parts,  # it imports SciPy, which takes longer than a small file
        )

        return find_worst_parts(self.evaluation, ways, level=self.level)

    @cached_property
    def gap(self) -> MacroGap:
        """Explain why macro F1 differs from micro F1."""
        e = self.evaluation
        return macro_gap_of_labels(self.labels, e.n_space, e.listed) if self.many else macro_gap(self.confusion)

    @property
    def engine(self) -> str:
        """Return who counted the rows: "memory", or an engine."""
        return name_engine(self.evaluation.rows)

    @cached_property
    def score_error_bound(self) -> dict[str, float] | None:
        """Return how far each number of scores may lie from that of the exact scores; None without scores.

        0 where no scores were grouped into bins.
        """
        e = self.evaluation
        if e.y_score is None:
            return None
        if e.score_upper is None or e.weights is None:
            return dict.fromkeys(ErrorBounds._fields, 0.0)
        kept = e.scored
        arrays = (e.y_true == e.positive)[kept], e.y_score[kept, 0], e.score_upper[kept], e.weights[kept]
        return error_bounds(*arrays, from_logits=e.scale == "logit")._asdict()

    @property
    def _kept(self) -> Counters:
        return Counters(
            lambda _: self.confusion, lambda _: self.labels, lambda _, code: self.scores.get(code), count_confidence
        )

    def value(self, name: str, code: int) -> float:
        """Return a metric by its key, NaN where it is undefined; `code` is the label of a one-class metric.

        Raises
        ------
        KeyError
            the metric needs scores that the evaluation does not have, or is for other tasks.
        """
        metric = REGISTRY[self.evaluation.task, name]
        given = arguments(self.evaluation, metric, code, self._kept)
        if given is None:
            raise KeyError(name)
        by_position, by_name = given
        return float(metric.function(*by_position, **by_name))


def measure_evaluation(
    evaluation: Evaluation,
    chosen: tuple[ChosenThreshold, ...] = (),
    level: float = LEVEL,
    known_parts: WorstParts | None = None,
) -> Measured:
    """Return the evaluation, ready to be reported.

    chosen : the rules in force. level : of the intervals. known_parts : what was found in slices and groups.

    Raises
    ------
    DataError
        no row has both a truth and a prediction.
    """
    if not evaluation.n_scored:
        raise DataError(f"{evaluation.name}: no row has both a truth and a prediction, so there is nothing to score.")
    return Measured(evaluation, chosen, level, known_parts)
