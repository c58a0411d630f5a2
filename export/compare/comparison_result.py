"""The result of a comparison: who is better, the runs in tiers, the gate, and what changed from one run to another."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from data.comparison.aligned_runs import AlignedRuns
from data.labels.class_names import name_in_sentences
from export.compare.class_changes import ClassChange, find_class_changes
from export.compare.comparison import to_json
from export.compare.comparison_text import describe_area, leader_words, pair_words, shown_names
from export.interval_text import bounds_of, difference_cell, interval_cell, value_cell
from export.pictures.curves import pr_picture, roc_picture
from export.pictures.svg import Canvas
from export.result.kinds import (
    Cell,
    Column,
    Count,
    Difference as Moved,
    Label,
    Name,
    Number,
    P,
    Result,
    RunName,
    Sentence,
    Share,
    Table,
    Unknown,
    Verdict as Judged,
    Words,
)
from metrics.comparison.comparison import Comparison
from metrics.comparison.differences import Difference
from metrics.comparison.gate import Verdict
from metrics.comparison.tiers import Tiers, tiers
from metrics.scores.curves import NamedScores
from text.intervals import name_interval
from text.numbers import UNDEFINED, count

Pair = tuple[int, int]
RATES = {"recall": "Recall", "f1": "F1", "precision": "Precision"}
"""Rates whose change of every class is shown, with their names."""
_UNKNOWN = Judged(UNDEFINED, False)


def comparison_result(
    comparison: Comparison,
    aligned: AlignedRuns,
    warnings: Sequence[str],
    pairs: Sequence[Pair],
    *,
    metric: str = "",
    verdicts: Sequence[Verdict] = (),
    rates: Sequence[str] = ("recall", "f1"),
) -> Result:
    """Say what a comparison found; `pairs` are those of which the sentences are.

    metric : what sorts the runs; "" = the main one. rates : of every class, which are listed.
    Tables say what changed in the first of the pairs.
    """
    metric = metric or comparison.main_metric
    ranking = tiers(comparison, metric)
    leader = leader_words(comparison, ranking)
    spoken = spoken_labels(aligned)
    sentences = [leader] if leader and len(pairs) > 1 else []
    sentences += [speak(pair_words(comparison, *pair).whole, spoken) for pair in pairs]
    tables = [gate_table(comparison, verdicts)] if verdicts else []
    tables.append(runs_table(comparison, ranking))
    for pair in pairs[:1]:
        tables += [*flips_tables(comparison, pair), metrics_table(comparison, pair)]
        tables += [_classes(comparison, pair, rate, spoken) for rate in rates if comparison.runs.preds]
    return Result(
        "comparison", (f"{count(len(comparison.runs.names), 'run')} on the same rows",),
        [*sentences[1:], describe_joined(aligned)], tables, [(Sentence(text),) for text in warnings],
        {"comparison": to_json(comparison, aligned, warnings, metric, pairs)}, sentences[0],
    )  # fmt: skip


def spoken_labels(aligned: AlignedRuns) -> dict[str, str]:
    """Return how sentences and tables name each label: `class 1` for 1, as the page does."""
    first, labels = aligned.evaluations[0], aligned.labels.labels
    column = None if first.task == "multilabel" else first.settings.truth
    return dict(zip(labels, name_in_sentences(labels, column), strict=True))


def speak(words: Words, spoken: Mapping[str, str]) -> Words:
    """Return a sentence with every label as sentences name it."""
    return tuple(Label(spoken[part.name]) if type(part) is Label else part for part in words)


def describe_joined(aligned: AlignedRuns) -> Words:
    """Say how rows were joined, and which are not compared."""
    rows = aligned.rows
    words: list[str | Label] = [f"{count(rows.joined)} joined by ", Sentence(aligned.how)]
    for run, n in rows.only_in.items():
        words += [f" · {n:,} only in ", RunName(run)] if n else []
    if rows.truth_differs:
        words.append(f" · {count(rows.truth_differs)} with differing true labels left out")
    for run, n in rows.without_prediction.items():
        words += [f" · {count(n)} left out that have no prediction of ", RunName(run)] if n else []
    return tuple(words)


def _run(comparison: Comparison, model: int) -> RunName:
    return RunName(comparison.runs.names[model])


def gate_table(comparison: Comparison, verdicts: Sequence[Verdict]) -> Table:
    """List the conditions of a gate and what became of each."""
    columns = (
        Column("condition", Name), Column("from", Name), Column("to", Name), Column("difference", Moved),
        Column("result", Judged),
    )  # fmt: skip
    return Table(
        "gate", "Gate", columns, [_condition(comparison, verdict) for verdict in verdicts], "condition", in_order=True
    )


def _condition(comparison: Comparison, verdict: Verdict) -> tuple[Cell, ...]:
    runs = Name(verdict.condition.text), _run(comparison, verdict.a), _run(comparison, verdict.b)
    moved = verdict.difference
    if math.isnan(moved.value):
        return *runs, Unknown(moved.method), _UNKNOWN
    difference = write_difference(moved, is_share=comparison.is_share(verdict.condition.metric))
    if verdict.is_undefined:
        return *runs, difference, _UNKNOWN
    return *runs, difference, Judged("fails" if verdict.fails else "passes", verdict.fails)


def write_difference(moved: Difference, *, is_share: bool = False) -> Cell:
    """Return the cell of a difference."""
    return Unknown(UNDEFINED) if math.isnan(moved.value) else difference_cell(moved, is_share=is_share)


def runs_table(comparison: Comparison, ranking: Tiers) -> Table:
    """List the runs in tiers by a metric, the best first."""
    best, is_share = ranking.tiers[0][0] if ranking.tiers else 0, comparison.is_share(ranking.metric)
    name, level = comparison.name_metric(ranking.metric), name_interval(comparison.level)
    columns = (
        Column("run", Name), Column("tier", Count), Column(Sentence(name), Number, level),
        Column("difference to the best", Moved),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for place, tier in enumerate((*ranking.tiers, ranking.undefined)):
        for model in tier:
            value = comparison.interval(ranking.metric, model)
            if math.isnan(value.value):
                rows.append(
                    (_run(comparison, model), "", Unknown(f"{name} is undefined on these rows.", UNDEFINED), "")
                )
                continue
            moved: Cell = "best"
            if model != best:
                moved = write_difference(comparison.difference(ranking.metric, best, model), is_share=is_share)
            about = f"{bounds_of(value)}, {value.method}"
            value_cell = interval_cell(value)._replace(about=about)
            rows.append((_run(comparison, model), Count(place + 1), value_cell, moved))
    title = ("Runs by ", Sentence(name), "; those of tier 1 are not clearly worse than the best")
    return Table("compared-runs", title, columns, rows, "run", in_order=True)


def flips_tables(comparison: Comparison, pair: Pair) -> list[Table]:
    """Return the rows by who has them right; none where a run predicts nothing."""
    flips = comparison.flips(*pair)
    if flips is None:
        return []
    kinds = {
        "both right": flips.both_right,
        "fixed: wrong in A, right in B": flips.fixed,
        "broken: right in A, wrong in B": flips.broken,
        "wrong in both, the same prediction": flips.wrong_alike,
        "wrong in both, different predictions": flips.both_wrong - flips.wrong_alike,
    }
    rows = [(kind, Count(n), Share(n / max(1, flips.n))) for kind, n in kinds.items()]
    columns = (Column("rows", str), Column("count", Count), Column("share", Share))
    note: Words = ("A is ", _run(comparison, pair[0]), ", B is ", _run(comparison, pair[1]), ".")
    return [Table("compared-flips", "Rows by who has them right", columns, rows, "kind", in_order=True, note=note)]


def columns_of_both(comparison: Comparison, pair: Pair, difference: str = "difference") -> tuple[Column, ...]:
    """Return the columns of a number in both runs, its difference and p."""
    runs = (Column(_run(comparison, model), Number) for model in pair)
    return *runs, Column(difference, Moved, name_interval(comparison.level)), Column("p", P)


def metrics_table(comparison: Comparison, pair: Pair) -> Table:
    """List the metrics of both runs of a pair."""
    rows = []
    for metric in shown_names(comparison):
        moved, numbers = comparison.difference(metric, *pair), (comparison.interval(metric, model) for model in pair)
        values = map(value_cell, numbers)
        cell = write_difference(moved, is_share=comparison.is_share(metric))
        rows.append((comparison.name_metric(metric), *values, cell, write_p(moved, moved.p)))
    columns = (Column("metric", str), *columns_of_both(comparison, pair))
    return Table("compared-metrics", "Metrics of A and B", columns, rows, "metric")


def write_p(moved: Difference, p: float) -> Cell:
    """Return the cell of a p; empty where the difference is undefined, or few rows decide it."""
    return Unknown("") if math.isnan(moved.value) or moved.few_decide else P(p)


def _classes(comparison: Comparison, pair: Pair, rate: str, spoken: Mapping[str, str]) -> Table:
    noun = "label" if comparison.runs.many else "class"
    changes = find_class_changes(comparison, *pair, rate)
    columns = (Column(noun, Label), Column("true rows", Count), *columns_of_both(comparison, pair))
    return Table(
        f"compared-{rate}", f"{RATES[rate]} of {count(len(changes), noun)}", columns,
        [write_change(change, spoken) for change in changes], noun,
        note=("The worst loss first; p is corrected over all of them (Benjamini–Hochberg).",), folded=True,
    )  # fmt: skip


def write_change(change: ClassChange, spoken: Mapping[str, str]) -> tuple[Cell, ...]:
    """Return the line of a class: its true rows, its rate in both runs, the difference and p."""
    cells = Label(spoken[change.label]), Count(change.support), value_cell(change.a), value_cell(change.b)
    return *cells, write_difference(change.moved), write_p(change.moved, change.p)


def draw_compared_curves(
    comparison: Comparison, pair: Pair, curves: Sequence[NamedScores], label: str | None
) -> Mapping[str, Canvas]:
    """Draw the curves of a pair whose runs both have scores of one class.

    label : the class of the curves; None = the positive class.
    """
    roc, precision_recall = (describe_area(comparison, pair, area, label) for area in ("roc_auc", "average_precision"))
    return {"compared-roc": roc_picture(curves, roc), "compared-pr": pr_picture(curves, precision_recall)}
