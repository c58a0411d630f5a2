"""Build an `Evaluation` from a table and its settings: encode labels once, check scores, count what is left out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.answers.parsed_answers import describe_answers, read_column
from data.building.encoded_parts import Parts
from data.building.multi_label import encode_multi_label
from data.building.single_label import encode_labels
from data.building.single_label_scores import add_scores, predict_from_scores
from data.columns.column import Column
from data.columns.column_checks import check_column, check_truth, no_rows_error, same_column_error
from data.columns.column_memory import check_memory
from data.columns.count_columns import warn_of_counts as counts_warning
from data.columns.counted_metadata import Counted, read_counted, with_upper_scores
from data.columns.encoding import encode
from data.columns.table_metadata import (
    are_read,
    find_numbers_in_file,
    find_unmatched_rows,
    read_left_out,
    without_row_numbers,
)
from data.columns.verdicts import warn_of_verdict
from data.columns.weight_columns import (
    NOT_USED,
    USED,
    check_weights,
    count_units,
    find_weights,
    read_weights,
    warn_of_weights,
)
from data.errors import DataError
from data.evaluation import (
    MISSING,
    ColumnRole,
    Evaluation,
    FileFacts,
    JoinReport,
    LeftOut,
    Receipt,
    Settings,
    fingerprint,
)
from data.joining.repeated_ids import describe_left_out
from data.labels.class_names import describe_unused_names, name_classes
from data.labels.encode import LabelSpace
from data.labels.label_merges import remove_merged
from data.labels.label_tree import list_paths
from data.parser.parser import Parser
from data.roles.run_columns import note_on_rows, select_run
from text.numbers import count, count_marked, verb, write_threshold
from text.quoting import quote

CONTENT = b"content sha256"
"""Metadata key for the content that an evaluation's rows are of: with the settings it makes the fingerprint."""


def build(
    table: pa.Table,
    settings: Settings,
    *,
    name: str,
    content_sha256: str,
    files: Sequence[FileFacts] = (),
    roles: Sequence[ColumnRole] = (),
    notes: Sequence[str] = (),
    warnings: Sequence[str] = (),
    join: JoinReport | None = None,
) -> Evaluation:
    """Turn a table into an `Evaluation`.

    Parameters
    ----------
    table, settings : as `data.roles.detect.detect` found them, or as a person corrected them.
    content_sha256 : the digest of the content and its names; with the settings it makes the fingerprint.
    files, roles, notes, warnings, join : for the receipt. Without `roles`, they are told from the settings.

    Raises
    ------
    DataError
        a column that is not there; truth and prediction the same column; a truth of free text; no label in common; a
        score that is no number or no probability; a positive class that is no label; a threshold without scores.

    >>> table = pa.table({"y": ["a", "b", "b"], "y_pred": ["a", "b", "a"]})
    >>> evaluation = build(table, Settings(truth="y", pred="y_pred"), name="demo", content_sha256="0")
    >>> evaluation.task, evaluation.labels, evaluation.y_true.tolist(), evaluation.y_pred.tolist()
    ('binary', ('a', 'b'), [0, 1, 1], [0, 1, 0])
    """
    whole = table
    table, row_numbers = select_run(without_row_numbers(whole), settings.only)
    left_out = read_left_out(table)
    _check(table, settings)
    check_memory(table, n_scores=len(settings.scores))
    parts = _encode(table, settings)
    _warn_missing(parts, settings, join, read_counted(table))
    scored = ~(parts.no_truth | parts.no_pred)
    if settings.weights:
        scored &= _add_weights(parts, table, settings.weights)
    answer_notes, doubts = list[str](), list[str]()
    if parts.answers is not None:
        answer_notes, doubts = describe_answers(parts.answers, parts.labels, parts.n_space, parts.y_true, scored)
    roles = tuple(roles) or describe_roles(table, settings)
    all_notes = (
        *note_on_rows(settings.only, len(table), len(whole)), *notes, *parts.notes, *_join_texts(join, bad=False),
        *(describe_unused_names(parts.labels, settings.class_names) if settings.class_names else ()), *answer_notes,
    )  # fmt: skip
    all_warnings = dict.fromkeys([
        *warnings, *_list_warnings(parts, table, settings, files, join, left_out),
        *warn_of_weights(table, settings, roles), *doubts,
    ])  # fmt: skip
    receipt = Receipt(tuple(files), roles, all_notes, tuple(all_warnings), join, left_out)
    labels = _name_labels(parts, settings)
    content = {**(table.schema.metadata or {}), CONTENT: content_sha256.encode()}
    return Evaluation(
        name=name, task=parts.task, labels=labels, n_space=parts.n_space,
        y_true=parts.y_true, y_pred=parts.y_pred, scored=scored,
        n_missing_truth=parts.count_rows(parts.no_truth), n_missing_pred=parts.count_rows(parts.no_pred),
        units=parts.units, unit=parts.unit,
        rows=table.replace_schema_metadata(content), fingerprint=fingerprint(content_sha256, settings),
        settings=settings, receipt=receipt, y_score=parts.y_score, score_codes=parts.score_codes,
        scale=parts.scale, positive=parts.positive, threshold=parts.threshold, has_predictions=parts.has_predictions,
        weights=parts.weights, row_numbers=find_numbers_in_file(whole, row_numbers), answers=parts.answers,
        score_upper=parts.score_upper, named=parts.named, ranks=parts.ranks,
        paths=list_paths(labels, settings),
    )  # fmt: skip


def _add_weights(parts: Parts, table: pa.Table, column: str) -> np.ndarray:
    """Read the weights of rows; return the lines of a weight above 0, bool (n,). Without a truth none is needed."""
    weights = np.nan_to_num(read_weights(table, column, ~parts.no_truth))
    rows = np.ones(len(weights), np.int64) if parts.weights is None else parts.weights
    parts.units, parts.unit = count_units(weights, rows)
    without = (weights == 0) & ~parts.no_truth
    if without.any():
        parts.no_pred &= ~without  # such a row is told once
        n = parts.count_rows(without)
        parts.notes.append(f"{count(n)} of weight 0 in {quote(column)} {verb(n, 'does')} not count.")
    return np.asarray(weights > 0)


def _list_warnings(
    parts: Parts,
    table: pa.Table,
    settings: Settings,
    files: Sequence[FileFacts],
    join: JoinReport | None,
    left_out: Sequence[LeftOut],
) -> Iterator[str]:
    """Yield the warnings of building, beside those of the readers and of the answers."""
    if left_out:
        yield describe_left_out(left_out)
    yield from _join_texts(join, bad=True)
    yield from _warn_of_counted(parts, settings, table)
    yield from parts.warnings
    yield from _warn_of_replaced_predictions(settings)
    scored = ~(parts.no_truth | parts.no_pred)
    yield from warn_of_verdict(table, settings, files, parts.y_true, parts.y_pred, scored)
    yield from _warn_of_repeated_ids(table, settings, join)


def _encode(table: pa.Table, settings: Settings) -> Parts:
    """Encode labels and scores; scores in bins twice, with the smallest and with the largest score of every line."""
    if settings.encoding != "single":
        if settings.order:
            raise DataError("An order is one of labels of which a row has one; here a row may have several.")
        if settings.separator or settings.tree:
            raise DataError("Groups are read from labels of which a row has one; here a row may have several.")
        return encode_multi_label(table, settings)
    parts = _encode_single_label(table, settings)
    counted = read_counted(table)
    if counted is None or parts.y_score is None:
        return parts
    column = settings.scores[0][0]
    upper = counted.find_upper(column)
    if upper is None:
        return parts
    upper_scores = _encode_single_label(with_upper_scores(table, column, upper), settings).y_score
    assert upper_scores is not None
    # the score of the other class turns the ends of a bin round
    parts.score_upper = np.maximum(parts.y_score, upper_scores)[:, 0]
    parts.y_score = np.minimum(parts.y_score, upper_scores)
    return parts


def _encode_single_label(table: pa.Table, settings: Settings) -> Parts:
    """Encode labels, then answers, then scores, which may predict."""
    parts, space, truth = encode_labels(table, settings)
    if settings.pred is None and settings.raw is not None:
        parts.labels = name_classes(parts.labels, settings.class_names)  # answers hold the names
        _read_answers(parts, table, settings.raw, settings.parser)
        _merge_answers(parts, space, settings)
    add_scores(parts, table, settings, space, truth)
    predict_from_scores(parts, settings, is_predicted=settings.pred is not None or settings.raw is not None)
    parts.no_truth = parts.y_true == MISSING
    parts.no_pred = parts.y_pred == MISSING
    if not parts.has_predictions and parts.y_score is not None:
        parts.no_pred = np.isnan(parts.y_score[:, 0])
    return parts


def _read_answers(parts: Parts, table: pa.Table, raw: str, parser: Parser | None) -> None:
    """Read the raw answers into `parts.y_pred`; made-up labels go behind the labels."""
    parts.answers, parts.labels, parts.y_pred = read_column(
        table.column(raw), raw, parser, parts.labels, parts.n_space, already=are_read(table, raw)
    )
    _, no_prediction = find_unmatched_rows(table)
    if no_prediction is not None:
        parts.y_pred[no_prediction] = MISSING


def _merge_answers(parts: Parts, space: LabelSpace, settings: Settings) -> None:
    """Count labels that were only read from answers as those into which a person merged them."""
    if space.merges and parts.answers is not None:
        names = dict(settings.class_names)
        merges = {label: names.get(into, into) for label, into in space.merges.items()}
        parts.labels, codes = remove_merged(parts.labels, parts.n_space, merges)

        def merge(labels: np.ndarray) -> np.ndarray:
            return np.where(labels >= 0, codes[np.maximum(labels, 0)], labels)

        parts.y_pred = merge(parts.y_pred)
        parts.answers = dataclasses.replace(parts.answers, labels=merge(parts.answers.labels))


def _name_labels(parts: Parts, settings: Settings) -> tuple[str, ...]:
    """Return the labels by the names that a person gave them."""
    if parts.answers is not None:
        return parts.labels  # they were named before the answers were read
    return name_classes(parts.labels, settings.class_names)


def _warn_of_counted(parts: Parts, settings: Settings, table: pa.Table) -> list[str]:
    """Warn of a file of counts, unless an engine made it of rows."""
    if parts.weights is None or settings.counts is None or read_counted(table) is not None:
        return []
    return [counts_warning(settings.counts, parts.weights)]


def _check(table: pa.Table, settings: Settings) -> None:
    if not len(table):
        raise no_rows_error()
    check_weights(settings, counted=read_counted(table) is not None)
    for name in settings.columns():
        check_column(table, name)
    if settings.encoding == "multi_hot":
        if not settings.truth_columns:
            raise DataError("No true label is chosen: choose the 0/1 column of every label.")
        _check_confidence(settings)
        return
    if settings.truth is None:
        raise DataError("No true label is chosen: choose the column that holds the true labels.")
    if settings.truth in (settings.pred, settings.pred or settings.raw):
        raise same_column_error(settings.truth)
    _check_confidence(settings)
    if settings.counts is None:  # the lines of a matrix may be hardly more than its classes
        check_truth(table, settings)


def _check_confidence(settings: Settings) -> None:
    predicted = settings.pred is not None or settings.raw is not None
    if settings.scale == "confidence" and settings.scores and (len(settings.scores) > 1 or not predicted):
        raise DataError(
            "A confidence is one column beside predicted labels, the score of whichever was predicted. Choose "
            "probabilities instead, or the column of the predicted labels."
        )


def _warn_missing(parts: Parts, settings: Settings, join: JoinReport | None, counted: Counted | None) -> None:
    """Warn of the rows without a truth, and of those without a prediction, unless the join says it."""
    # a prediction by the highest score is of no column, so none of the file is empty
    is_by_score = counted is not None and counted.highest is not None
    pred = None if is_by_score else settings.pred or settings.raw
    n_only_predictions, n_only_labels = (join.n_only_predictions, join.n_only_labels) if join else (0, 0)
    sides = (
        (parts.no_truth, "true label", settings.truth, n_only_predictions),
        (parts.no_pred, "predicted label", pred, n_only_labels),
    )
    for missing, what, column, n_reported in sides:
        if missing.sum() != n_reported:
            where = f"{quote(column)} is empty or missing there" if column else "a cell is empty or missing there"
            without = count_marked(missing)
            if parts.weights is not None:
                without = f"{count(int(missing.sum()), 'line')} ({count(parts.count_rows(missing), 'row')}) have"
            parts.warnings.append(f"{without} no {what}: {where}; counted, but not scored.")


def _join_texts(join: JoinReport | None, *, bad: bool) -> tuple[str, ...]:
    """Return the join report, among the warnings if a person should look at it."""
    if join is None or not join.text:
        return ()
    is_doubtful = bool(join.n_only_predictions or join.n_only_labels or "check the order" in join.text)
    text = (join.text,) if is_doubtful == bad else ()
    return (*text, *join.warnings) if bad else text


def _warn_of_replaced_predictions(settings: Settings) -> list[str]:
    """Warn that a threshold makes the predictions although the file has some of its own."""
    named = (settings.pred, settings.raw, *(column for column, _ in settings.pred_columns))
    columns = [column for column in named if column is not None]
    if settings.threshold is None or not columns:
        return []
    return [
        f"The predictions are score ≥ {write_threshold(settings.threshold)}, as you chose; those of the file in "
        f"{quote(columns[0])} are not used."
    ]


def _warn_of_repeated_ids(table: pa.Table, settings: Settings, join: JoinReport | None) -> list[str]:
    """Warn of an id that occurs twice; epochs and repetitions are never averaged silently."""
    reported = join is not None and join.key is not None and settings.id in join.key
    if settings.id is None or reported:  # the join itself says which of its keys repeat
        return []
    if (table.schema.field(settings.id).metadata or {}).get(b"key") == b"join":  # so it does for one key of several
        return []
    return _describe_repeats(settings.id, table.column(settings.id))


def _describe_repeats(name: str, column: pa.ChunkedArray) -> list[str]:
    """Say how many ids repeat, and where the first of these does; nothing where none does."""
    if _is_increasing(column):
        return []
    ids = encode(column)
    if len(ids.dictionary) + ids.null_count == len(ids):
        return []
    codes = ids.indices.fill_null(MISSING).to_numpy()
    counts = np.bincount(codes[codes != MISSING], minlength=len(ids.dictionary))
    repeated = counts > 1
    if not repeated.any():
        return []
    first_row = int(np.argmax(np.append(repeated, False)[codes]))
    code = int(codes[first_row])
    second_row = int(np.flatnonzero(codes == code)[1])
    return [
        f"{quote(name)} holds {count(int(repeated.sum()), 'repeated id')}: {quote(ids.dictionary[code].as_py())} "
        f"occurs {counts[code]:,} times (again in row {second_row + 1:,}); each of these rows counts in every metric."
    ]


def _is_increasing(column: pa.ChunkedArray) -> bool:
    """Return whether every text is longer, or as long and later in the alphabet, than the one before: none repeats.

    >>> [_is_increasing(pa.chunked_array([ids])) for ids in (["9", "10", "11"], ["9", "10", "10"], ["a", None])]
    [True, False, False]
    """
    if not pa.types.is_string(column.type) or column.null_count:
        return False
    before, after = column[:-1], column[1:]
    lengths = pc.binary_length(before), pc.binary_length(after)
    later = pc.and_(pc.equal(*lengths), pc.less(before, after))
    return bool(pc.all(pc.or_(pc.less(*lengths), later)).as_py())


def describe_roles(table: pa.Table, settings: Settings, why: str = "chosen") -> tuple[ColumnRole, ...]:
    """Return the role of every column as the settings have it."""
    roles = {column: role for role, column in (*settings.run_parts, ("cluster", settings.cluster)) if column}
    for column, label in settings.scores:
        roles[column] = "confidence" if settings.scale == "confidence" else f"score of {label}"
    for pairs, role in ((settings.truth_columns, "truth of"), (settings.pred_columns, "prediction of")):
        roles |= {column: f"{role} {label}" for column, label in pairs}
    raw = settings.raw if settings.pred is None else None
    named = (
        (settings.truth, "truth"), (settings.pred, "prediction"), (raw, "raw answer"), (settings.id, "id"),
        (settings.counts, "rows per line"), (settings.confidence, "confidence"), (settings.weights or None, USED),
    )  # fmt: skip
    roles |= {column: role for column, role in named if column is not None}
    others = (Column(table, name) for name in table.column_names if name not in roles)
    roles |= {column.name: NOT_USED for column in find_weights(others)}
    return tuple(
        ColumnRole(name, roles.get(name, "other"), why if name in roles else "kept for the rows")
        for name in table.column_names
    )
