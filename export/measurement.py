"""Turn an evaluation into numbers: its small tables, every number with its interval, and the findings, each once."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np

from data.columns.counted_metadata import name_engine
from data.columns.weight_columns import count_rows_once, replace_rows_by_units
from data.comparison.row_groups import Clusters, clusters_in_use
from data.comparison.sliceable_columns import cut_columns
from data.errors import DataError
from data.evaluation import Evaluation
from data.labels.class_names import names_in_sentences
from export.calibration_counts import bin_scores, count_weighted
from export.cells import joint_cells, score_cells
from export.confidence import count_confidence
from export.number_intervals import NumberIntervals
from metrics.catalogue.metric import ON_PREDICTIONS, Eats, Metric, one_class_only, why_undefined
from metrics.catalogue.registry import (
    REGISTRY,
    ROWS,
    class_formulas,
    formulas_of_each,
    metric_of_class,
    with_influence,
)
from metrics.confusion.average_numbers import ZERO, is_filled
from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.macro_gap import MacroGap, macro_gap, macro_gap_of_labels
from metrics.confusion.worst_confusions import class_lists
from metrics.finding import Finding, Label
from metrics.findings.calibration import find_worst_calibrated
from metrics.findings.findings import findings, tables_of
from metrics.findings.tables import Counters, arguments, count_label_swaps, count_scored, count_scores
from metrics.findings.worst_parts import NO_PARTS, WorstParts
from metrics.intervals.joint_counts import Cells
from metrics.intervals.statistic import Interval, Statistic
from metrics.multilabel.set_metrics import MultilabelCounts
from metrics.multilabel.swaps import Swaps
from metrics.scores.binning import BOUNDED, error_bounds
from metrics.scores.curves import ScoreCounts
from metrics.scores.ranking import Ranking, ranking
from metrics.thresholds.rule_in_force import ChosenThreshold

LEVEL = 0.95
Made = TypeVar("Made")
COUNTERS = Counters(confidence=count_confidence, weighted=count_weighted, reliability=bin_scores)


@dataclass(frozen=True, eq=False)
class Measurement:
    """The numbers of an evaluation, and what else follows from it; every part is made when first asked for, and once.

    level : of the intervals. clusters_of : says which rows belong together. rule : the thresholds that a rule chose.
    known_parts : what was found in slices and groups; None = not searched yet. count : who counts the tables.
    most_scores : where there are more, means over classes have no interval.
    """

    evaluation: Evaluation
    level: float = LEVEL
    clusters_of: Callable[[Evaluation], Clusters | None] = clusters_in_use
    rule: tuple[ChosenThreshold, ...] = ()
    known_parts: WorstParts | None = None
    count: Counters = COUNTERS
    most_scores: float = math.inf
    _made: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def by_weight(self) -> Measurement:
        """Return the measurement whose counts are units of weight, for values alone; itself where rows have none."""
        if self.evaluation.units is None:
            return self
        return replace(self, evaluation=replace_rows_by_units(self.evaluation))

    @cached_property
    def by_row(self) -> Measurement:
        """Return the measurement in which every row counts once; itself where rows have no weights."""
        return self if self.evaluation.units is None else replace(self, evaluation=count_rows_once(self.evaluation))

    def number(self, key: str, code: int | None = None) -> Interval:
        """Return a number with its interval and unit, and why it is undefined.

        key : its name in the JSON. code : the class of a number of one class; None = the positive class.
        """
        return self._once(self._number, key, code)

    def value(self, key: str, code: int | None = None, **options: Any) -> float | None:
        """Return a number alone, NaN where it is undefined; None where the evaluation lacks what it is computed from.

        options : of the metric's function.
        """
        counted = self._counts_for(self._row(key, code))
        return counted._once(counted._value, key, code, *options.items())

    def _counts_for(self, row: Metric) -> Measurement:
        """Return the measurement that a number is of: by row or by weight; the bins of calibration know the weights."""
        return self if row.counts_rows or row.eats == "calibration" else self.by_weight

    def worked(self, key: str, code: int | None = None) -> str | None:
        """Return a number's formula with these rows' numbers, by their weights where they have some, as LaTeX.

        None where the evaluation lacks what it is computed from.
        """
        row, unit = self._row(key, code), self.evaluation.unit
        counted = self._counts_for(row)
        is_by_row = counted is self
        counters = self.kept if is_by_row else counted._in_weights(unit)
        given = arguments(counted.evaluation, row, self._code(code), counters)
        if given is None:
            return None
        by_position, by_name = given
        if not is_by_row and by_name.get("weights") is not None:
            by_name["weights"] = by_name["weights"] * unit
        return row.worked(*by_position, **by_name)

    def _in_weights(self, unit: float) -> Counters:
        """Return who counts the tables whose counts are units, as weights."""

        def scores(_: Any, code: int) -> ScoreCounts | None:
            counts = self.scores_of(code)
            return None if counts is None else counts.in_weights(unit)

        return self.kept._replace(
            confusions=lambda _: self.confusion.in_weights(unit),
            labels=lambda _: self.labels.in_weights(unit),
            scores=scores,
            ranking=lambda _: self.ranking._replace(n_pos=self.ranking.n_pos * unit),
        )

    def _defined(self, key: str) -> float:
        value = self.value(key)
        return math.nan if value is None else value

    def why_undefined(self, key: str, code: int | None = None) -> str:
        """Return why the scores, or their scale, leave an undefined number so; "" where that is not the reason."""
        row = self._row(key, code)
        reason = why_undefined(self.evaluation, row.eats)
        if reason or row.eats != "score counts":
            return reason
        scores = self.scores_of(self._code(code))
        return "" if scores is None else one_class_only(scores)

    def at_threshold(self, code: int, threshold: float, below: float = math.inf) -> Mapping[str, Interval]:
        """Return every rate of one class at a threshold of its score, with its interval; {} where there is no
        threshold.

        below : rows with so high a score are not predicted as the class; inf = none.
        """
        if math.isnan(threshold):
            return {}
        return self._once(self._intervals.at_threshold, code, threshold, below)

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
    def overall(self) -> dict[str, float]:
        """Return every number over all classes that has an interval, by key; then those that count 0/0 as 0."""
        eats: Eats = "multi-label counts" if self.many else "confusion counts"
        rows = with_influence(eats, self.evaluation.ranks, self.evaluation.paths)
        filled = [key + ZERO for key, row in rows.items() if row.zero_division]
        return {key: self._defined(key) for key in (*rows, *filled)}

    @cached_property
    def headlines(self) -> list[tuple[str, str]]:
        """Return (key, title) of the numbers to read first; below an undefined one scikit-learn's, if it has one."""
        placed = []
        for row in ROWS:
            if row.headline is not None and self._is_told(row):
                placed.append((row.headline.place, row.key, row.headline.title or row.head))
        titles = []
        for _, key, title in sorted(placed):
            titles.append((key, title))
            if is_filled(self.overall, key):
                titles.append((key + ZERO, f"{title}, zero_division=0"))
        return titles

    def list_told(self, *eats: Eats) -> list[str]:
        """Return the keys of the metrics of some kinds of input that make sense here."""
        return [row.key for row in ROWS if row.eats in eats and self._is_told(row)]

    def _is_told(self, row: Metric) -> bool:
        """Return whether a number of the registry makes sense here."""
        e = self.evaluation
        if e.task not in row.tasks or not row.fits_labels(e.ranks, e.paths):
            return False
        if row.eats == "confusion counts, one class":
            return e.positive is not None and e.has_predictions
        if row.eats == "score counts":
            return self.positive_scores is not None
        if row.eats in ("scores per class", "class scores"):
            return self.ranks_classes and len(e.score_codes) >= row.min_classes
        return row.eats not in ("probabilities", "calibration") or e.y_score is not None

    @property
    def positive_scores(self) -> ScoreCounts | None:
        """Return the score counts of the positive class; None without any."""
        positive = self.evaluation.positive
        return None if positive is None else self.scores_of(positive)

    @property
    def ranks_classes(self) -> bool:
        """Return whether there are scores of every class, and none of a positive one."""
        return self.evaluation.y_score is not None and self.positive_scores is None

    @cached_property
    def ranking(self) -> Ranking:
        """Return how well the scores tell every class that has some from the rest, without intervals."""
        return self.count.ranking(self.evaluation)

    @cached_property
    def areas(self) -> dict[str, dict[int, float]]:
        """Return the areas under the curves of every class by key and code; {} where a positive class has them."""
        if not self.ranks_classes:
            return {}
        ranks = self.by_weight.ranking
        codes = self.evaluation.score_codes
        return {
            "roc_auc": dict(zip(codes, ranks.auc.tolist(), strict=True)),
            "average_precision": dict(zip(codes, ranks.average_precision.tolist(), strict=True)),
        }

    @cached_property
    def class_columns(self) -> dict[str, np.ndarray]:
        """Return the numbers of every class by their keys in tables of classes, then its true and predicted rows."""
        e, formulas = self.evaluation, class_formulas(self.evaluation.task)
        if not e.has_predictions:
            nothing = np.full(len(e.labels), math.nan)
            return {**dict.fromkeys(formulas, nothing), "support": _true_rows(e), "predicted": nothing}
        columns = {key: formula.value(self.by_weight.classes) for key, formula in formulas.items()}
        return {**columns, "support": self.classes.support, "predicted": self.classes.predicted}

    @cached_property
    def columns_of_each(self) -> dict[str, np.ndarray]:
        """Return the numbers of every class that no table of classes has, by their keys in the JSON."""
        return {key: formula.value(self.by_weight.classes) for key, formula in formulas_of_each().items()}

    @cached_property
    def class_lists(self) -> dict[str, list[str]]:
        """Return the labels never predicted, not in the data, never true, and not in the label list."""
        e, columns = self.evaluation, self.class_columns
        lists = class_lists(columns["support"], np.nan_to_num(columns["predicted"]), e.listed, e.n_space)
        if not e.has_predictions:
            lists |= dict.fromkeys(("never_predicted", "never_true"), np.zeros(0, dtype=np.int64))
        return {name: [e.labels[code] for code in codes.tolist()] for name, codes in lists.items()}

    @cached_property
    def confusion(self) -> ConfusionCounts:
        """Return the confusion counts of a single-label task."""
        return self.count.confusions(self.evaluation)

    @cached_property
    def weighted_confusion(self) -> ConfusionCounts:
        """Return the confusion counts in units of weight, with those of rows; the latter alone where rows have none."""
        if self.evaluation.units is None:
            return self.confusion
        return replace(self.by_weight.confusion, counted=self.confusion, unit=self.evaluation.unit)

    @cached_property
    def weighted_labels(self) -> MultilabelCounts:
        """Return the label counts in units of weight, with those of rows; the latter alone where rows have none."""
        return self.labels if self.evaluation.units is None else replace(self.by_weight.labels, counted=self.labels)

    @cached_property
    def labels(self) -> MultilabelCounts:
        """Return the label counts of a multi-label task."""
        return self.count.labels(self.evaluation)

    @cached_property
    def label_swaps(self) -> Swaps:
        """Return which labels of a multi-label task were missed where others were predicted."""
        return count_label_swaps(self.evaluation)

    @property
    def classes(self) -> ConfusionCounts | MultilabelCounts:
        """Return the counts that the numbers of every class, or label, follow from."""
        return self.labels if self.many else self.confusion

    def scores_of(self, code: int) -> ScoreCounts | None:
        """Return the score counts of one class; None where it has no score."""
        return self.count.scores(self.evaluation, code)

    def weighted_scores(self, code: int | None) -> ScoreCounts | None:
        """Return the score counts of one class in units of weight; those of rows where rows have none.

        code : None = the confidence in the predictions against their being right.
        """
        if code is None:
            return self._once(self._weighted_confidence)
        counts = self.by_weight.scores_of(code)
        if counts is None or self.evaluation.units is None:
            return counts
        return counts._replace(unit=self.evaluation.unit)

    def _weighted_confidence(self) -> ScoreCounts | None:
        if self.evaluation.units is None:
            return self.count.confidence(self.evaluation)
        return self.count.weighted(self.evaluation, None)

    @property
    def scores(self) -> dict[int, ScoreCounts]:
        """Return the score counts of every class that has a score, by label code."""
        every = {code: self.scores_of(code) for code in self.evaluation.score_codes}
        return {code: counts for code, counts in every.items() if counts is not None}

    @cached_property
    def clusters(self) -> Clusters | None:
        """Return which rows belong together; None where every row stands for itself."""
        return self.clusters_of(self.evaluation)

    @cached_property
    def findings(self) -> list[Finding]:
        """Return what the accuracy hides, the most serious first."""
        if self.evaluation.units is None:
            return findings(tables_of(self.evaluation, self.kept, self.rule, self.worst_parts))
        weighted = self.kept._replace(
            confusions=lambda _: self.weighted_confusion,
            labels=lambda _: self.weighted_labels,
            label_cells=lambda evaluation: joint_cells(evaluation, None),
            scores=lambda _, code: self.weighted_scores(code),
        )
        shrinkage = score_cells(self.evaluation, None).shrinkage
        return findings(tables_of(self.evaluation, weighted, self.rule, self.worst_parts, shrinkage))

    @cached_property
    def worst_parts(self) -> WorstParts:
        """Return the worst slices, the largest gap between groups, and the label whose scores are furthest off."""
        if self.known_parts is not None:
            return self.known_parts
        if not (self.evaluation.has_predictions and self.evaluation.n_scored):
            return NO_PARTS
        columns, parts = cut_columns(self.evaluation), NO_PARTS
        if columns.ways:
            from export.by_slice.worst_parts import (
                find_worst_parts,  # it imports SciPy, which takes longer than a small file
            )

            parts = find_worst_parts(self.evaluation, columns.ways, level=self.level)
        calibration = find_worst_calibrated(self.evaluation, self.kept)
        return parts._replace(calibration=calibration, not_searched=columns.why_derived)

    @cached_property
    def gap(self) -> MacroGap:
        """Explain why macro F1 differs from micro F1."""
        e, counted = self.evaluation, self.by_weight
        if self.many:
            return macro_gap_of_labels(counted.labels, e.n_space, e.listed)
        return macro_gap(counted.confusion)

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
        losses = {key: row.function for key, row in with_influence("probabilities").items()}
        if e.score_upper is None or e.weights is None:
            return dict.fromkeys((*BOUNDED, *losses), 0.0)
        kept = e.scored
        arrays = (e.y_true == e.positive)[kept], e.y_score[kept, 0], e.score_upper[kept], e.weights[kept]
        return error_bounds(*arrays, from_logits=e.scale == "logit", losses=losses)

    @property
    def kept(self) -> Counters:
        """Return who counts the tables, with those that are counted here."""
        return self.count._replace(
            confusions=lambda _: self.confusion,
            labels=lambda _: self.labels,
            ranking=lambda _: self.ranking,
            weighted=lambda _, code: self.weighted_scores(code),
        )

    def follow(self, make: Callable[[Measurement], Made]) -> Made:
        """Return what a function makes of the measurement, made when it is first asked for."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Made = self._made[make]
        return made

    def _once(self, make: Callable[..., Made], *asked: Any) -> Made:
        """Return what a function gives, made when it is first asked for."""
        key = (make.__name__, *asked)
        if key not in self._made:
            self._made[key] = make(*asked)
        made: Made = self._made[key]
        return made

    def _row(self, key: str, code: int | None) -> Metric:
        name, task = key.removesuffix(ZERO), self.evaluation.task
        return REGISTRY[task, name] if code is None else metric_of_class(task, name)

    def _code(self, code: int | None) -> int:
        return code if code is not None else self.evaluation.positive or 0

    def _value(self, key: str, code: int | None, *options: tuple[str, Any]) -> float | None:
        row = self._row(key, code)
        if not self.evaluation.has_predictions and row.eats in ON_PREDICTIONS:
            return self._most_frequent if row.key == "baseline_accuracy" else math.nan
        if row.eats == "calibration" and self.evaluation.score_upper is not None:
            return None  # of scores in bins, the page gives it with its error bound
        given = arguments(self.evaluation, row, self._code(code), self.kept)
        if given is None:
            return None
        by_position, by_name = given
        zero = {"zero_division": 0.0} if key.endswith(ZERO) else {}
        return float(row.function(*by_position, **by_name, **zero, **dict(options)))

    @cached_property
    def _intervals(self) -> NumberIntervals:
        return NumberIntervals(weakref.proxy(self))  # no cycle: the arrays are freed once nobody holds the measurement

    def _number(self, key: str, code: int | None) -> Interval:
        row = self._row(key, code)
        value = self.value(key, code)
        why_undefined = ""
        if value is None or math.isnan(value):
            value = math.nan
            why_undefined = self.why_undefined(key, code) or row.undefined
        if row.influence is None:
            interval = self._intervals.without_bounds(row.no_interval)
        else:
            interval = self._intervals.of(row, key, self._code(code))
        return interval._replace(value=value, unit=row.unit, why_undefined=why_undefined)

    def statistic(self, key: str, code: int | None = None) -> tuple[Statistic, Cells]:
        """Return a number that has an interval with its influence, and the cells that it is over."""
        return self._intervals.statistic(self._row(key, code), self._code(code))

    @property
    def _most_frequent(self) -> float:
        """Return the share of the most frequent class: what always predicting it would score."""
        support = self.class_columns["support"]
        return float(support.max() / count_scored(self.evaluation)) if support.any() else math.nan


def measure(
    evaluation: Evaluation,
    level: float = LEVEL,
    clusters_of: Callable[[Evaluation], Clusters | None] = clusters_in_use,
    rule: tuple[ChosenThreshold, ...] = (),
    known_parts: WorstParts | None = None,
) -> Measurement:
    """Return the numbers of an evaluation; arguments as in `Measurement`.

    Raises
    ------
    DataError
        no row has both a true and a predicted label.
    """
    if not evaluation.n_scored:
        raise DataError(
            f"{evaluation.name}: no row has both a true and a predicted label, so there is nothing to score."
        )
    scores = cache(count_scores)
    count = COUNTERS._replace(
        scores=scores, ranking=lambda p: ranking((scores(p, code) for code in p.score_codes), level=None)
    )
    return Measurement(evaluation, level, clusters_of, rule, known_parts, count)


def _true_rows(evaluation: Evaluation) -> np.ndarray:
    """Count the true rows of every label, int64 (K,)."""
    y_true = evaluation.y_true[evaluation.scored]
    weights = None if evaluation.weights is None else evaluation.weights[evaluation.scored]
    if y_true.ndim == 1:
        return np.bincount(y_true, weights, len(evaluation.labels)).astype(np.int64)
    rows: np.ndarray = y_true.sum(axis=0) if weights is None else weights @ y_true
    return rows.astype(np.int64)


def level_of(view: Mapping[str, Any] | None) -> float:
    """Return the level that a view's parameters name; 95 % where they name none.

    >>> level_of({"ci": "0.9"}), level_of({}), level_of({"ci": "x"})
    (0.9, 0.95, 0.95)
    """
    try:
        level = float((view or {}).get("ci", LEVEL))
    except (TypeError, ValueError):
        return LEVEL
    return level if 0 < level < 1 else LEVEL
