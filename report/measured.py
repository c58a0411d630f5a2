"""Everything a report shows, counted once: the small tables, the numbers and the findings of one evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from data.evaluation import DataError, Evaluation
from metrics.counts import ConfusionCounts
from metrics.curves import ScoreCounts
from metrics.finding import Finding
from metrics.findings import Tables, findings
from metrics.multilabel import MultilabelCounts
from metrics.registry import REGISTRY
from metrics.report import report
from metrics.tables import count_confusions, count_labels, count_scores


@dataclass(frozen=True, eq=False)
class Measured:
    """An evaluation with what follows from it; every part is computed when first asked for, and once."""

    evaluation: Evaluation

    @property
    def many(self) -> bool:
        """Whether a row has several labels."""
        return self.evaluation.task == "multilabel"

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """What the command line and the pages show, by name."""
        return report(self.evaluation)

    @cached_property
    def confusion(self) -> ConfusionCounts:
        """The confusion counts of a single-label task."""
        return count_confusions(self.evaluation)

    @cached_property
    def labels(self) -> MultilabelCounts:
        """The label counts of a multi-label task."""
        return count_labels(self.evaluation)

    @cached_property
    def scores(self) -> dict[int, ScoreCounts]:
        """The score counts of every class that has a score, by label code."""
        found = {code: count_scores(self.evaluation, code) for code in self.evaluation.score_codes}
        return {code: counts for code, counts in found.items() if counts is not None}

    @cached_property
    def findings(self) -> list[Finding]:
        """What the accuracy hides, the most serious first."""
        e = self.evaluation
        binary = e.positive is not None and e.y_score is not None
        return findings(
            Tables(
                n_rows=e.n_rows,
                n_space=e.n_space,
                confusion=None if self.many else self.confusion,
                multilabel=self.labels if self.many else None,
                scores=self.scores.get(e.positive) if binary and e.positive is not None else None,
                n_missing_truth=e.n_missing_truth,
                n_missing_pred=e.n_missing_pred,
                positive=e.positive,
                threshold=e.default_threshold if e.threshold is None else e.threshold,
            )
        )

    def value(self, name: str, code: int) -> float:
        """One metric of the registry, NaN where it is undefined; `code` is the label of a one-class metric.

        Raises
        ------
        KeyError
            the metric needs scores that the evaluation does not have.
        """
        e, metric = self.evaluation, REGISTRY[name]
        counts = self.labels if self.many else self.confusion
        if metric.eats in ("confusion counts", "multi-label counts"):
            return float(metric.function(counts))
        if metric.eats == "confusion counts, one class":
            return float(metric.function(counts, code))
        if metric.eats == "score counts":
            return float(metric.function(self.scores[code]))
        if e.y_score is None:
            raise KeyError(name)
        true, score = e.y_true[e.scored], e.y_score[e.scored]
        if metric.eats == "scores per class":
            return float(metric.function(true, score, e.score_codes))
        if e.positive is not None:
            return float(metric.function(true == e.positive, score[:, 0], from_logits=e.scale == "logit"))
        return float(metric.function(true, score, score_codes=e.score_codes))


def measured(evaluation: Evaluation) -> Measured:
    """The evaluation, ready to be reported.

    Raises
    ------
    DataError
        no row has both a truth and a prediction.
    """
    if not evaluation.n_scored:
        raise DataError(f"{evaluation.name}: no row has both a truth and a prediction, so there is nothing to score.")
    return Measured(evaluation)
