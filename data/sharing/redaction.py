"""Redact a share: leave hidden columns out, or the rows altogether.

Either makes a new stored table, and everything that is told about it is told anew from that table: sentences about the
upload may name what was left out, so none is taken over. Some things are worth knowing.

- Rows of a share of counts only are sorted by what is left of them. So no row is known by its place, and the same
  rows in another order give the same table. Scores stay as they are, one a row.
- Which rows belong together stays, as numbers: intervals are made of it. Where their column is hidden, they count rows.
- The digest and the size that a receipt shows are those of the stored table: from the digest of an upload, whoever
  guesses what was left out could see that the guess is right.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from pathlib import Path

import pyarrow as pa

from data.answers.parsed_answers import with_read_answers
from data.columns.column_checks import check_column
from data.columns.counted_metadata import read_counted, with_counted
from data.columns.table_metadata import (
    are_read,
    find_mark_column,
    read_left_out,
    read_notes,
    read_rows_left_out,
    with_join,
    with_left_out,
    with_mark,
    with_notes,
)
from data.comparison.row_groups import clusters_in_use
from data.errors import DataError
from data.evaluation import Evaluation, FileFacts, JoinReport, Settings
from data.joining.join_report import anonymise_report
from data.parser.parser import Parser, Rule
from data.roles.run_columns import ALL_ROWS, select_run
from data.rows.row_scores import confidence_column
from data.runs.draft import Draft, Given
from data.sharing.plain_rows import encode_again, normalise_sets, number_clusters, sort_rows
from data.store import store
from text.numbers import count
from text.quoting import quote

CLUSTERS = "cluster"
"""The column that says by numbers which rows belong together, where the rows were left out."""
_BROUGHT_INTO_SHAPE = "Before columns were left out, the lines of the file were brought into one row each."


def redact_draft(
    draft: Draft,
    evaluation: Evaluation,
    table: pa.Table,
    join: JoinReport | None,
    *,
    hide: Sequence[str] = (),
    keep: Collection[str] | None = None,
    counts_only: bool = False,
) -> Draft:
    """Make a draft of the same evaluation without some columns, or without rows that could be told apart.

    Its numbers are those of the draft. Raw answers are replaced by what was read from them where they are hidden.

    Parameters
    ----------
    evaluation, table, join : what `data.runs.understanding.open_with_table` gives for the draft.
    hide : columns of the table as `data.runs.load.list_columns` names them.
    keep : the columns that may stay besides those that the numbers need; None = every column that is not hidden.
    counts_only : whether only what the numbers need is kept, in an order that says nothing.

    Raises
    ------
    DataError
        a column that is not there, or that the numbers need.
    """
    _check(table, draft.settings, hide, counts_only=counts_only)
    hide = _with_both_ends(table, [*hide, *_list_others(table, draft.settings, keep)])
    if counts_only:
        part, settings, notes = _keep_numbers(table, draft.settings, evaluation)
    else:
        part, settings = _drop_hidden_columns(table, draft.settings, evaluation, hide)
        notes = []
    n_hidden = len(set(table.column_names) - set(part.column_names))
    shape = read_notes(table)
    if shape and not draft.leaves_out and (n_hidden or counts_only):  # a share may say again what it says of its table
        shape = (_BROUGHT_INTO_SHAPE,)
    if settings.raw is None:  # the words of a parser may be taken from the answers
        settings = dataclasses.replace(settings, parser=None)
    part = encode_again(part).replace_schema_metadata(None)
    left = _join_left(join, part, counts_only=counts_only)
    described = with_join(with_notes(part, (*shape, *notes)), left)
    counted = read_counted(table)
    if counted is not None:
        if hide or counts_only or keep is not None:  # rows of the source would show the columns that were left out
            counted = dataclasses.replace(counted, source=None)
        described = with_counted(described, counted)
    if not counts_only:  # ids are values of the key: they stay where its columns do
        known_ids = left == join and (join is not None or not hide)
        described = with_left_out(described, read_left_out(table) if known_ids else (), read_rows_left_out(table))
    kept = dataclasses.replace(
        draft, given=Given(parser=settings.parser), settings=settings, question=None,
        n_hidden=draft.n_hidden + n_hidden, counts_only=draft.counts_only or counts_only,
    )  # fmt: skip
    return _store_draft(kept, with_mark(described, counts_only=kept.counts_only), _count_warnings(evaluation))


def _with_both_ends(table: pa.Table, hide: Sequence[str]) -> list[str]:
    """Return the columns to hide, with the other end of another model's scores in bins where one end is hidden."""
    counted = read_counted(table)
    if counted is None:
        return list(dict.fromkeys(hide))
    more: list[str] = []
    for score, upper in counted.more_scores.items():
        if upper and (score in hide or upper in hide):
            more += [name for name in (score, upper) if name in table.column_names]
    return list(dict.fromkeys([*hide, *more]))


def _list_needed(table: pa.Table, settings: Settings, *, counts_only: bool = False) -> set[str]:
    """Return the columns that cannot be hidden, because the numbers need them."""
    needed = _list_columns(table, _keep_needed_columns(settings))
    if settings.only not in (None, ALL_ROWS) and not counts_only:
        needed.add(settings.only[0])
    if not are_read(table, settings.raw):
        needed.discard(settings.raw or "")
    return needed


def list_hidden_by_counts(table: pa.Table, settings: Settings) -> list[str]:
    """Return the columns that a link of numbers only leaves out."""
    needed = _list_needed(table, settings, counts_only=True)
    return [name for name in table.column_names if name not in needed]


def _list_others(table: pa.Table, settings: Settings, keep: Collection[str] | None) -> list[str]:
    """Return the columns that are neither needed nor kept; none where all are kept."""
    if keep is None:
        return []
    stay = _list_needed(table, settings).union(keep)
    return [name for name in table.column_names if name not in stay]


def _check(table: pa.Table, settings: Settings, hide: Sequence[str], *, counts_only: bool) -> None:
    """Refuse to hide what is not there, and what the numbers need."""
    needed = _list_needed(table, settings, counts_only=counts_only)
    for name in hide:
        check_column(table, name)
        if name in needed:
            raise DataError(
                f"The column {quote(name)} cannot be left out, because every number is made of it. Take it off the "
                "list of columns to hide."
            )


def _keep_needed_columns(settings: Settings) -> Settings:
    """Return the settings without the columns that no number is made of."""
    hot = settings.encoding == "multi_hot"
    pred_hot = (settings.pred_encoding or settings.encoding) == "multi_hot"
    pred = None if pred_hot else settings.pred
    return dataclasses.replace(
        settings,
        id=None,
        truth=None if hot else settings.truth,
        pred=pred,
        raw=settings.raw if pred is None and settings.encoding == "single" else None,
        truth_columns=settings.truth_columns if hot else (),
        pred_columns=settings.pred_columns if pred_hot else (),
    )


def _list_columns(table: pa.Table, settings: Settings) -> set[str]:
    """Return the columns that settings name, but for those that choose rows; and which file had a row."""
    counted = read_counted(table)
    upper = counted.upper if counted is not None else None
    return {*settings.columns(), *filter(None, (find_mark_column(table), upper))}


def _keep_numbers(table: pa.Table, settings: Settings, evaluation: Evaluation) -> tuple[pa.Table, Settings, list[str]]:
    """Keep the rows that count, sorted, with what the numbers need; return settings and notes for them."""
    rows, _ = select_run(table, settings.only)
    notes = _describe_rows(settings.only, len(rows), len(table))
    settings = dataclasses.replace(
        _keep_needed_columns(settings), only=None, run_parts=(), confidence=confidence_column(evaluation)
    )
    needed = _list_columns(table, settings) | {settings.confidence}
    part = rows.select([name for name in rows.column_names if name in needed])
    if evaluation.y_score is None:
        part = _without_values(part, [name for name, _ in settings.scores])
    if settings.raw is not None:
        part, settings = _replace_answers(part, settings, evaluation)
    part, settings = _with_clusters(normalise_sets(part, settings), settings, evaluation)
    return sort_rows(part), settings, notes


def _with_clusters(table: pa.Table, settings: Settings, evaluation: Evaluation) -> tuple[pa.Table, Settings]:
    """Keep which rows belong together as numbers that say nothing else, since intervals need it."""
    clusters = clusters_in_use(evaluation)
    if clusters is None or len(clusters.codes) != len(table):
        return table, settings
    numbers = pa.array([str(number) for number in number_clusters(table, clusters.codes, clusters.n).tolist()])
    return table.append_column(CLUSTERS, numbers), dataclasses.replace(settings, cluster=CLUSTERS)


def _describe_rows(only: tuple[str, str] | None, n: int, n_all: int) -> list[str]:
    if only is None or tuple(only) == ALL_ROWS:
        return []
    return [f"Only {n:,} of {n_all:,} rows are evaluated, chosen by a column that was left out."]


def _without_values(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """Empty scores that no number is made of; their columns stay, because they name labels."""
    for name in names:
        place, field = table.column_names.index(name), table.schema.field(name)
        table = table.set_column(place, field.with_type(pa.float64()), pa.nulls(len(table), pa.float64()))
    return table


def _drop_hidden_columns(
    table: pa.Table, settings: Settings, evaluation: Evaluation, hide: Collection[str]
) -> tuple[pa.Table, Settings]:
    """Leave hidden columns out of a table; return settings that name none of them."""
    hides_answers = settings.raw is not None and settings.raw in hide
    replaces_answers = hides_answers and _keep_needed_columns(settings).raw is not None
    stay = [name for name in table.column_names if name not in hide or (replaces_answers and name == settings.raw)]
    part = table.select(stay)
    if replaces_answers:
        part, settings = _replace_answers(part, settings, evaluation)

    def unless_hidden(column: str | None) -> str | None:
        return None if column in hide else column

    settings = dataclasses.replace(
        settings,
        truth=unless_hidden(settings.truth),
        pred=unless_hidden(settings.pred),
        raw=unless_hidden(settings.raw),
        id=unless_hidden(settings.id),
        truth_columns=tuple(pair for pair in settings.truth_columns if pair[0] not in hide),
        pred_columns=tuple(pair for pair in settings.pred_columns if pair[0] not in hide),
        cluster=_keep_cluster(settings, evaluation, hide) if hide else settings.cluster,
        confidence=unless_hidden(confidence_column(evaluation)),
        run_parts=tuple((role, unless_hidden(column) or "") for role, column in settings.run_parts),
    )
    return part, settings


def _keep_cluster(settings: Settings, evaluation: Evaluation, hide: Collection[str]) -> str | None:
    """Return the column of the clusters in use, which a share does not find by names; "" where it is hidden."""
    clusters = clusters_in_use(evaluation)
    if clusters is None:
        return settings.cluster and ""
    return "" if clusters.column in hide else clusters.column


def _replace_answers(table: pa.Table, settings: Settings, evaluation: Evaluation) -> tuple[pa.Table, Settings]:
    """Replace the raw answers by what was read from them; a parser's own words may be taken from answers, too."""
    assert settings.raw is not None
    if are_read(table, settings.raw):
        return table, settings
    table, name = with_read_answers(table, settings.raw, evaluation)
    parser = None if settings.parser is None else Parser(settings.parser.name, (Rule("exact"),))
    return table, dataclasses.replace(settings, raw=name, parser=parser)


def _join_left(join: JoinReport | None, part: pa.Table, *, counts_only: bool) -> JoinReport | None:
    """Return how the files were joined: word for word where all columns of the key are there, or without any name."""
    if join is None or join.key is None or counts_only:
        return join and anonymise_report(join)
    names = {name for key in join.key for name in key.split(",")}
    return join if names <= set(part.column_names) else anonymise_report(join)


_NOT_SHOWN = "What may quote something left out is not shown: ask whoever shared this."


def _count_warnings(evaluation: Evaluation) -> tuple[str, ...]:
    """Say how many warnings there were, in place of them: each may quote anything. A share of a share repeats it."""
    accounts = {text for file in evaluation.receipt.files for text in file.list_repairs()}
    warnings = [text for text in evaluation.receipt.warnings if text not in accounts]
    counted = tuple(text for text in warnings if text.endswith(_NOT_SHOWN))
    if counted or not warnings:
        return counted
    return (f"Reading the file gave {count(len(warnings), 'warning')}. {_NOT_SHOWN}",)


def _store_draft(draft: Draft, table: pa.Table, warnings: tuple[str, ...]) -> Draft:
    """Store the draft's one table to last; its files' facts are those of the table.

    warnings : about the files, which the first of them gets.
    """
    with store.scratch() as folder, store.disk_errors():
        path = Path(folder) / "0.parquet"
        store.write_canonical(table, path)
        n_bytes, data_id = path.stat().st_size, store.put_table(path, lasting=True)
    first, *others = [_hide_file(file, n_bytes, data_id) for file in draft.files]
    files = (dataclasses.replace(first, warnings=warnings), *others)
    return dataclasses.replace(draft, files=files, data_ids=(data_id,))


def _hide_file(file: FileFacts, n_bytes: int, data_id: str) -> FileFacts:
    """Return the facts of a file without its words and columns; of corrected lines only their numbers stay."""
    corrected = tuple((line, "") for line, _ in file.corrected_lines)
    return dataclasses.replace(
        file, columns=(), n_bytes=n_bytes, sha256=data_id, notes=(), warnings=(), corrected_lines=corrected
    )
