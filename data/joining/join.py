"""Join predictions and labels from two files on a key or by row order. What does not count is named, row by row."""

from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import find_first_rows
from data.columns.name_ranks import is_sure_id, names_rows, rank
from data.columns.plain_names import LABELS_SUFFIX, PREDICTIONS_SUFFIX, free_name
from data.columns.table_metadata import ALL, EQUAL, FOUND_IN, FOUND_IN_METADATA, with_left_out
from data.errors import DataError
from data.evaluation import JoinReport
from data.joining.join_report import hint_at_near_keys, report_on_key, report_on_row_order, with_repeats_of
from data.joining.key_columns import find_key, find_repeating_ids, match_column_names
from data.joining.key_matching import (
    FILES,
    Match,
    Pair,
    check_pairs,
    count_repeats,
    find_differing_repeats,
    find_repeated_rows,
    match,
    read_key,
    read_key_texts,
)
from data.joining.repeated_ids import nothing_left_error, settle_repeats
from data.joining.value_keys import allows_row_order, find_rival, has_unnamed_index, key_question, propose_key
from text.numbers import count
from text.quoting import list_briefly, quote


def join(
    predictions: pa.Table,
    labels: pa.Table,
    *,
    key: str | tuple[str, str] | None = None,
    repeated: str = EQUAL,
    files: tuple[str, str] = FILES,
) -> tuple[pa.Table, JoinReport]:
    """Put the labels beside the predictions.

    On `key`, else on columns that names and values show (`key_columns.find_key`), or values alone
    (`value_keys.propose_key`). Else by row order if the lengths agree. Every row of the predictions takes the row of
    the labels with its key. Rows that repeat a key are settled first (`repeated_ids.settle_repeats`); the table
    remembers which rows it lacks. It is an outer join: a row of only one file stays, with nothing on the other side,
    and the column "found in" says so. Columns of the same name get " (predictions)" and " (labels)".

    Parameters
    ----------
    key : columns as `key_matching.read_key` reads them ("id", "id,epoch", "image=file", "" for row order); or the
        pair of names of one column in the two files.
    repeated : one of `REPEATED`. With "all" every row of the predictions counts, and a row of labels that
        repeats another exactly counts once.
    files : the names of the two files, for the report.

    Raises
    ------
    DataError
        a key that values show but that is in doubt, which is asked about; lengths that differ without a key; a key
        that is not there, or that shares no value; repeated keys that leave nothing, or with "all" a key that several
        different rows of the labels have.

    >>> table, report = join(pa.table({"id": ["a", "b"], "p": [1, 0]}), pa.table({"id": ["b", "a"], "y": [0, 1]}))
    >>> table.column_names, table.column("y").to_pylist(), report.n_matched
    (['id', 'p', 'y'], [1, 0], 2)
    """
    if key is None:
        alone = min(predictions.num_columns, labels.num_columns) < 2  # nothing would be left beside the key
        matched = None if alone else _find_key(predictions, labels, repeated)
        return (
            _join_in_order(predictions, labels)
            if matched is None
            else _join_settled(predictions, labels, dataclasses.replace(matched, files=files), repeated)
        )
    names = predictions.column_names, labels.column_names
    pairs: tuple[Pair, ...] = read_key(key, *names) if isinstance(key, str) else (key,)
    if not pairs:
        return _join_in_order(predictions, labels, asked=True)
    check_pairs(predictions, labels, pairs)
    named = match(predictions, labels, pairs, respelled=True)
    _check_named(labels, named, repeated)
    return _join_settled(predictions, labels, dataclasses.replace(named, files=files), repeated)


def _find_key(predictions: pa.Table, labels: pa.Table, repeated: str) -> Match | None:
    """Return the key that names or values show; None = row order. Raise DataError to ask where it is in doubt."""
    matched, equal = find_key(predictions, labels), len(predictions) == len(labels)
    if matched is not None and not has_unnamed_index(matched):
        rival = find_rival(predictions, labels, matched)
        if rival is not None:
            raise key_question(rival, by_order=equal)
        return matched
    matched = _find_repeating_id(predictions, labels, repeated)
    proposal = None if matched is not None else propose_key(predictions, labels)
    if proposal is None or not proposal.doubt:
        return matched if proposal is None else proposal.match
    if equal and allows_row_order(proposal.match):
        return None
    raise key_question(proposal, by_order=equal)


def _find_repeating_id(predictions: pa.Table, labels: pa.Table, repeated: str) -> Match | None:
    """Return the id of both files that different labels rows repeat, if most ids stay or one row was chosen."""
    if repeated == ALL:
        return None
    repeating = (matched for matched in find_repeating_ids(predictions, labels) if not has_unnamed_index(matched))
    for matched in repeating:
        n_left_out = len(settle_repeats(predictions, labels, matched, repeated).left_out)
        if repeated != EQUAL or 2 * n_left_out <= matched.n_shared:
            return matched
    return None


def _join_settled(
    predictions: pa.Table, labels: pa.Table, matched: Match, repeated: str
) -> tuple[pa.Table, JoinReport]:
    """Join on a key once its repeated rows are settled."""
    settled = settle_repeats(predictions, labels, matched, repeated)
    if settled.stays:
        return _join_on_key(predictions, labels, matched)
    kept = predictions.filter(pa.array(settled.predictions)), labels.filter(pa.array(settled.labels))
    again = match(*kept, matched.pairs, respelled=matched.how == "spelling")
    if not again.n_shared:
        raise nothing_left_error(matched, settled.left_out)
    table, report = _join_on_key(*kept, dataclasses.replace(again, how=matched.how, files=matched.files))
    report = dataclasses.replace(with_repeats_of(report, matched, settled.notes), repeated=repeated)
    gone = np.flatnonzero(~settled.predictions)
    return with_left_out(table, settled.left_out, gone, repeated=repeated), report


def _check_named(labels: pa.Table, named: Match, repeated: str) -> None:
    """Refuse a key that brings nothing together, or that does not say which row of the labels is meant."""
    name = " / ".join(dict.fromkeys(quote(column) for pair in named.pairs for column in pair))
    if not named.n_shared:
        ours = [named.text("left", row) for row in range(min(2, len(named.left[0])))]
        theirs = [named.text("right", row) for row in range(min(2, len(named.right[0])))]
        raise DataError(
            f"The files share no value of the key {name}: the predictions have {list_briefly(ours)}, the labels "
            f"{list_briefly(theirs)}; choose another key.{hint_at_near_keys(named)}"
        )
    differing = find_differing_repeats(labels, named)
    if len(differing) and repeated == ALL:
        raise _not_unique_error(named, differing)


def _not_unique_error(named: Match, differing: np.ndarray) -> DataError:
    """Return the error for a key that several different rows of the labels have."""
    again, first = find_repeated_rows(named.right_codes)
    row = int(differing[0])
    times = int(named.right_counts[named.right_codes[row]])
    before = int(first[np.searchsorted(again, row)])
    n_more = count_repeats(named.right_counts) - 1
    more = f"; {count(n_more, 'more key')} repeat{'s' * (n_more == 1)}" if n_more else ""
    return DataError(
        f"The key {', '.join(quote(right_name) for _, right_name in named.pairs)} is not unique in the labels file: "
        f"{quote(named.text('right', row))} occurs {times:,} times, and rows {before + 1:,} and {row + 1:,} "
        f"differ{more}. Join on columns that name each row once, or count only the first or the last row of an id "
        "(--repeated). If each line is one label of several, call its column 'label'."
    )


def _join_on_key(predictions: pa.Table, labels: pa.Table, matched: Match) -> tuple[pa.Table, JoinReport]:
    codes = matched.right_codes
    first = find_first_rows(codes, len(matched.left_counts))
    place = first[matched.left_codes]
    only_labels = np.flatnonzero(
        (codes < 0) | ((first[codes] == np.arange(len(codes))) & ~np.append(matched.left_counts > 0, False)[codes])
    )
    report = report_on_key(matched, np.flatnonzero(place < 0), only_labels)
    return _assemble(predictions, labels, matched, pa.array(place, mask=place < 0), only_labels), report


def _assemble(
    predictions: pa.Table, labels: pa.Table, matched: Match, place: pa.Array, only_labels: np.ndarray
) -> pa.Table:
    """Put predictions in their order, each with its label row; then the label rows without a prediction."""
    n, more = len(predictions), len(only_labels)
    right = labels.take(pa.concat_arrays([place.cast(pa.int64()), pa.array(only_labels, pa.int64())]))
    left = predictions
    if more:
        left = predictions.take(pa.concat_arrays([pa.array(np.arange(n)), pa.nulls(more, pa.int64())]))
        for left_name, right_name in matched.pairs:
            keys = pc.coalesce(read_key_texts(left, left_name), read_key_texts(right, right_name))
            left = left.set_column(left.column_names.index(left_name), left_name, pa.chunked_array([keys]))
    # names of files differ by folder and ending, others by their spelling: both are kept
    same = [] if matched.how != "key" else list(dict.fromkeys(right_name for _, right_name in matched.pairs))
    table = _put_side_by_side(left, right.drop_columns(same), tuple(left_name for left_name, _ in matched.pairs))
    return _with_marks(table, np.asarray(place.is_null()), more) if more or place.null_count else table


def _with_marks(table: pa.Table, unmatched: np.ndarray, more: int) -> pa.Table:
    """Add the column that says which file had each row; the last `more` are of the labels only."""
    codes = np.concatenate([np.where(unmatched, 1, 0), np.full(more, 2)]).astype(np.int32)
    words = pa.array(["both files", "predictions only", "labels only"])
    name = FOUND_IN if FOUND_IN not in table.column_names else FOUND_IN + " (join)"
    column = pa.DictionaryArray.from_arrays(pa.array(codes), words)
    return table.append_column(pa.field(name, column.type, metadata=FOUND_IN_METADATA), column)


def _put_side_by_side(left: pa.Table, right: pa.Table, keys: tuple[str, ...] = ()) -> pa.Table:
    """Put all columns of both side by side; each field remembers its file, and whether the files met on it."""
    both = set(left.column_names) & set(right.column_names)
    fields: dict[str, pa.Field] = {}
    columns = []
    for table, suffix, file in ((left, PREDICTIONS_SUFFIX, b"predictions"), (right, LABELS_SUFFIX, b"labels")):
        for name, column in zip(table.column_names, table.columns, strict=True):
            unique = free_name(name + suffix if name in both else name, fields, suffix)
            mark = {b"key": b"join"} if name in keys and table is left else {}
            fields[unique] = pa.field(unique, column.type, metadata={b"file": file, **mark})
            columns.append(column)
    return pa.table(columns, schema=pa.schema(list(fields.values())))


def _join_in_order(predictions: pa.Table, labels: pa.Table, *, asked: bool = False) -> tuple[pa.Table, JoinReport]:
    n, m = len(predictions), len(labels)
    hint = "" if asked else _explain_missing_key(predictions, labels)
    if n != m:
        raise DataError(
            f"The predictions file has {count(n, 'row')} and the labels file {count(m, 'row')}, "
            + (
                "so they cannot be joined by row order. Name the column to join on (--join)."
                if asked
                else "and no column names the rows of both. Name the column to join on (--join), or "
                "give files of the same length in the same order." + hint
            )
        )
    differ = _describe_differing_ids(predictions, labels)
    if differ and not asked:
        raise DataError(
            f"The files cannot be joined by row order: {differ}; give both files the same ids, each once, or leave the "
            f"column out.{hint}"
        )
    ids = [name for table in (predictions, labels) for name in table.column_names if names_rows(name)]
    report = report_on_row_order(n, list(dict.fromkeys(ids)), differ, hint, asked=asked)
    return _put_side_by_side(predictions, labels), report


def _explain_missing_key(predictions: pa.Table, labels: pa.Table) -> str:
    """Say why the id of both files is not the key: repeated rows of labels, or a difference in spelling."""
    for pair in match_column_names(predictions, labels):
        if names_rows(pair[0]):
            matched = match(predictions, labels, [pair])
            if not matched.shares_half:
                hint = hint_at_near_keys(matched)
                if hint:
                    return hint
            elif count_repeats(matched.right_counts):
                row = int(find_repeated_rows(matched.right_codes)[0][0])
                return f" {quote(pair[1])} repeats in the labels: {quote(matched.text('right', row))}, for example."
    return ""


def _describe_differing_ids(predictions: pa.Table, labels: pa.Table) -> str:
    """Say where an id of both files differs in one row; empty if none does."""
    for left, right in match_column_names(predictions, labels):
        if not names_rows(left) or (rank(left, "id") is not None and not is_sure_id(left)):
            continue
        ours, theirs = read_key_texts(predictions, left), read_key_texts(labels, right)
        differ = np.flatnonzero(pc.fill_null(pc.not_equal(ours, theirs), False).to_numpy(zero_copy_only=False))
        if len(differ):
            row = int(differ[0])
            return (
                f"{quote(left)} of row {row + 1:,} is {quote(ours[row].as_py(), 24)} in the predictions and "
                f"{quote(theirs[row].as_py(), 24)} in the labels"
            )
    return ""
