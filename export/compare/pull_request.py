"""The comparison as a comment below a pull request: what the gate says, the runs, and what got worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from data.comparison.aligned_runs import AlignedRuns
from data.errors import DataError
from data.rows.row_scores import order_by_confidence
from data.rows.row_table import build_rows_table
from data.version import VERSION
from export.compare.class_changes import find_class_changes
from export.compare.comparison_result import (
    Pair,
    columns_of_both,
    comparison_result,
    flips_tables,
    gate_table,
    metrics_table,
    runs_table,
    speak,
    spoken_labels,
    write_change,
)
from export.compare.comparison_text import pair_words
from export.interval_text import interval_cell
from export.result.kinds import Cell, Column, Count, Label, Name, Number, Result, RunName, Sentence, Table, Words
from metrics.comparison.comparison import Comparison
from metrics.comparison.gate import Verdict
from metrics.comparison.tiers import tiers
from text.intervals import name_interval
from text.numbers import count
from text.quoting import list_items, quote

_SHOWN_ROWS = 5


def pull_request_result(
    comparison: Comparison, aligned: AlignedRuns, warnings: Sequence[str], verdicts: Sequence[Verdict] = (),
    shown_column: str = "",
) -> Result:  # fmt: skip
    """Set every run against the first: the gate leads, then the runs, the classes that got worse and rows, if wanted.

    verdicts : of the gate. shown_column : the column by which broken rows are shown; "" = no rows.

    Raises
    ------
    DataError
        the rows have no column of that name.
    """
    pairs = [(0, b) for b in range(1, len(comparison.runs.names))]
    whole = comparison_result(comparison, aligned, warnings, pairs, rates=())
    tables = [gate_table(comparison, verdicts)] if verdicts else []
    tables.append(_runs(comparison))
    spoken = spoken_labels(aligned)
    for pair in pairs:
        if comparison.runs.preds:
            tables += _worse_classes(comparison, pair, spoken)
            tables += _broken_rows(comparison, aligned, pair, shown_column, spoken) if shown_column else []
    for pair in pairs:
        tables += [
            table._replace(folded=True) for table in (*flips_tables(comparison, pair), metrics_table(comparison, pair))
        ]
    headline, sentences = whole.headline, list(whole.sentences)
    failed = [verdict for verdict in verdicts if verdict.fails]
    if failed:
        sentences.insert(0, headline)
        headline = _describe_failure(failed)
    elif len(pairs) == 1:
        words = pair_words(comparison, *pairs[0])
        headline = words.headline
        sentences[:0] = [speak(words.rest, spoken)] if words.rest else []
    sentences.append((f"Blindspot {VERSION}",))
    return whole._replace(headline=headline, sentences=sentences, tables=tables)


def _describe_failure(failed: Sequence[Verdict]) -> Words:
    first, others = failed[0].condition.text, len(failed) - 1
    return "Gate fails: ", Name(first), f" and {count(others, 'more condition')}" if others else ""


def _runs(comparison: Comparison) -> Table:
    """List the runs in tiers, with their macro F1 and how many classes each never predicts."""
    table = runs_table(comparison, tiers(comparison, comparison.main_metric))
    columns, rows = [*table.columns], [[*row] for row in table.rows]
    models = [comparison.runs.names.index(row[0].name) for row in table.rows if isinstance(row[0], RunName)]
    if "macro_f1" in comparison.overall_names and comparison.main_metric != "macro_f1":
        columns.append(Column(Sentence("macro F1"), Number, name_interval(comparison.level)))
        for row, model in zip(rows, models, strict=True):
            value = comparison.interval("macro_f1", model)
            row.append(interval_cell(value)._replace(about=""))
    if comparison.runs.preds:
        true = [code for code in range(len(comparison.runs.labels)) if comparison.runs.support(code)]
        columns.append(Column(f"never predicted, of {len(true)}", Count))
        for row, model in zip(rows, models, strict=True):
            row.append(Count(sum(not _is_predicted(comparison, model, code) for code in true)))
    return table._replace(columns=columns, rows=rows)


def _is_predicted(comparison: Comparison, model: int, code: int) -> bool:
    pred = comparison.runs.preds[model]
    return bool((pred[:, code] if comparison.runs.many else pred == code).any())


def _worse_classes(comparison: Comparison, pair: Pair, spoken: Mapping[str, str]) -> list[Table]:
    """List the classes whose recall falls by more than chance; none where none falls at all."""
    changes = find_class_changes(comparison, *pair, "recall")
    lost = [change for change in changes if change.moved.value < 0]
    worse = [change for change in lost if change.is_clear_loss]
    if not lost:
        return []
    noun = "label" if comparison.runs.many else "class"
    rows = [write_change(change, spoken) for change in worse]
    after = RunName(comparison.runs.names[pair[1]])
    of_both = columns_of_both(comparison, pair, "difference in recall")
    columns = (Column(noun, Label), Column("true rows", Count), *of_both)
    title = (f"Recall falls by more than chance in {len(worse)} of {count(len(changes), noun)} of ", after)
    chance = len(lost) - len(worse)
    note = (f"It falls in {count(chance, f'more {noun}')}, which may be chance.",) if chance else ()
    return [Table("worse-classes", title, columns, rows, noun, in_order=True, note=note)]


def _broken_rows(
    comparison: Comparison, aligned: AlignedRuns, pair: Pair, text: str, spoken: Mapping[str, str]
) -> list[Table]:  # fmt: skip
    """Show five rows that only the first run has right: different classes first, of each the surest prediction."""
    evaluation, places = aligned.evaluations[pair[1]], aligned.places[pair[1]]
    if text not in evaluation.rows.column_names:
        raise DataError(
            f"{comparison.runs.names[pair[1]]} has no column {quote(text)} to show rows by; it has "
            f"{list_items(evaluation.rows.column_names)}."
        )
    broken = np.flatnonzero(comparison.runs.right(pair[0]) & ~comparison.runs.right(pair[1]))
    if not len(broken):
        return []
    weights = comparison.runs.weights
    n_broken = len(broken) if weights is None else int(weights[broken].sum())
    broken = broken[order_by_confidence(evaluation, places[broken])]
    true = comparison.runs.y_true[broken]
    _, first_of_each = np.unique(true, axis=0, return_index=True)
    later = np.setdiff1d(np.arange(len(broken)), first_of_each)
    chosen = broken[np.concatenate([np.sort(first_of_each), later])[:_SHOWN_ROWS]]
    lines = build_rows_table(evaluation, places[chosen])
    names = [text, "true label", "predicted label", *(["confidence"] if "confidence" in lines.column_names else [])]
    rows = [_row(line, spoken) for line in zip(*(lines[name].to_pylist() for name in names), strict=True)]
    columns = [Column(Name(text), Name), Column("true label", Label), Column("predicted label", Label)]
    columns += [Column("confidence", Number)] if len(names) > len(columns) else []
    after = RunName(comparison.runs.names[pair[1]])
    shown = str(len(chosen)) if weights is None else f"{count(len(chosen), 'line')} with some"
    title = (f"{shown} of {count(n_broken)} that ", after, " breaks, different classes first")
    return [Table("broken-rows", title, columns, rows, "row", in_order=True)]


def _row(line: Sequence[object], spoken: Mapping[str, str]) -> tuple[Cell, ...]:
    text, true, pred, *sure = line
    labels = (Label(spoken.get(str(label), str(label))) for label in (true, pred))
    return Name("" if text is None else str(text)), *labels, *(Number(float(str(value))) for value in sure)
