"""A table and its settings to an `Evaluation`: labels encoded once, scores checked, everything left out counted."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from data.evaluation import (
    MISSING,
    ColumnRole,
    DataError,
    Evaluation,
    FileFacts,
    JoinReport,
    Receipt,
    Settings,
    fingerprint,
)
from data.multi_label import at_threshold as labels_at_threshold
from data.multi_label import multi_label
from data.search import check_column, check_truth, no_rows, same_column
from data.single_label import Parts, at_threshold, no_threshold, single_label
from data.wording import counted, quoted, rows_and_first

_CONTENT = b"content sha256"


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
    table, settings : as `data.roles.detect` found them, or as a person corrected them.
    content_sha256 : the digest of the content; with the settings it makes the fingerprint.
    files, roles, notes, warnings, join : for the receipt. Without `roles`, they are told from the settings.

    Raises
    ------
    DataError
        a column that is not there, truth and prediction the same column, a truth of free text, no label in common,
        a score that is no number or no probability, a positive class that is no label, a threshold without scores.

    >>> table = pa.table({"y": ["a", "b", "b"], "y_pred": ["a", "b", "a"]})
    >>> evaluation = build(table, Settings(truth="y", pred="y_pred"), name="demo", content_sha256="0")
    >>> evaluation.task, evaluation.labels, evaluation.y_true.tolist(), evaluation.y_pred.tolist()
    ('binary', ('a', 'b'), [0, 1, 1], [0, 1, 0])
    """
    _check(table, settings)
    parts = multi_label(table, settings) if settings.encoding != "single" else single_label(table, settings)
    _warn_missing(parts, settings)
    receipt = Receipt(
        tuple(files),
        tuple(roles) or describe(table, settings),
        (*notes, *parts.notes, *_join_texts(join, bad=False)),
        tuple(
            dict.fromkeys(
                (
                    *warnings,
                    *_join_texts(join, bad=True),
                    *parts.warnings,
                    *_replaced_predictions(settings),
                    *_repeated_ids(table, settings),
                )
            )
        ),
        join,
    )
    content = {**(table.schema.metadata or {}), _CONTENT: content_sha256.encode()}
    return Evaluation(
        name=name, task=parts.task, labels=parts.labels, n_space=parts.n_space,
        y_true=parts.y_true, y_pred=parts.y_pred, scored=~(parts.no_truth | parts.no_pred),
        n_missing_truth=int(parts.no_truth.sum()), n_missing_pred=int(parts.no_pred.sum()),
        rows=table.replace_schema_metadata(content), fingerprint=fingerprint(content_sha256, settings),
        settings=settings, receipt=receipt, y_score=parts.y_score, score_codes=parts.score_codes,
        scale=parts.scale, positive=parts.positive, threshold=parts.threshold,
    )  # fmt: skip


def with_threshold(evaluation: Evaluation, threshold: float) -> Evaluation:
    """The same evaluation with predictions made by `score >= threshold`, on the scale of `evaluation.y_score`.

    Binary: the positive class, or else the other. Multi-label: every label by its own score. A row without a score
    has no prediction. The fingerprint is that of the settings with this threshold.

    Raises
    ------
    DataError
        no scores, or a multi-class task.

    >>> table = pa.table({"y": ["0", "1"], "p": [0.2, 0.4]})
    >>> settings = Settings(truth="y", scores=(("p", "1"),), positive="1")
    >>> evaluation = build(table, settings, name="demo", content_sha256="0")
    >>> with_threshold(evaluation, 0.3).y_pred.tolist()
    [0, 1]
    """
    if evaluation.y_score is None or evaluation.task == "multiclass":
        raise no_threshold(evaluation.task, evaluation.y_score is not None)
    if evaluation.task == "binary":
        assert evaluation.positive is not None
        y_pred = at_threshold(evaluation.y_score[:, 0], threshold, evaluation.positive)
        no_pred, no_truth = y_pred == MISSING, evaluation.y_true == MISSING
    else:
        y_pred, no_pred = labels_at_threshold(
            evaluation.y_score, evaluation.score_codes, threshold, len(evaluation.labels)
        )
        no_truth = _unknown_truth(evaluation)
    settings = dataclasses.replace(evaluation.settings, threshold=float(threshold))
    content = (evaluation.rows.schema.metadata or {}).get(_CONTENT, evaluation.fingerprint.encode()).decode()
    return dataclasses.replace(
        evaluation, y_pred=y_pred, scored=~(no_truth | no_pred), n_missing_pred=int(no_pred.sum()),
        settings=settings, threshold=float(threshold), fingerprint=fingerprint(content, settings),
    )  # fmt: skip


def _unknown_truth(evaluation: Evaluation) -> np.ndarray:
    """Rows without a truth in a multi-label evaluation, whose arrays cannot say it."""
    if not evaluation.n_missing_truth:
        return np.zeros(evaluation.n_rows, dtype=bool)
    if not evaluation.n_missing_pred:
        return ~evaluation.scored
    return multi_label(evaluation.rows, evaluation.settings).no_truth


def _check(table: pa.Table, settings: Settings) -> None:
    if not len(table):
        raise no_rows()
    pairs = (*settings.truth_columns, *settings.pred_columns, *settings.scores)
    for name in (settings.truth, settings.pred, settings.raw, settings.id, *(column for column, _ in pairs)):
        if name is not None:
            check_column(table, name)
    if settings.encoding == "multi_hot":
        if not settings.truth_columns:
            raise DataError("No truth is chosen: choose the 0/1 column of every label.")
        return
    if settings.truth is None:
        raise DataError("No truth is chosen: choose the column that holds the true labels.")
    if settings.truth in (settings.pred, settings.pred or settings.raw):
        raise same_column(settings.truth)
    check_truth(table, settings)


def _warn_missing(parts: Parts, settings: Settings) -> None:
    """One sentence for the rows without a truth, one for those without a prediction."""
    pred = settings.pred or settings.raw
    for missing, what, column in ((parts.no_truth, "truth", settings.truth), (parts.no_pred, "prediction", pred)):
        if missing.any():
            where = f"{quoted(column)} is empty or missing there" if column else "a cell is empty or missing there"
            parts.warnings.append(f"{rows_and_first(missing)} no {what}: {where}; counted, but not scored.")


def _join_texts(join: JoinReport | None, *, bad: bool) -> tuple[str, ...]:
    """The join report, among the warnings if a person should look at it."""
    if join is None or not join.text:
        return ()
    doubtful = bool(join.n_only_predictions or join.n_only_labels or "check the order" in join.text)
    return (join.text,) if doubtful == bad else ()


def _replaced_predictions(settings: Settings) -> list[str]:
    """That a threshold makes the predictions although the file has some of its own."""
    columns = [c for c in (settings.pred, settings.raw, *(c for c, _ in settings.pred_columns)) if c is not None]
    if settings.threshold is None or not columns:
        return []
    return [
        f"The predictions are score >= {settings.threshold:g}, as asked; those of the file in {quoted(columns[0])} "
        "are not used."
    ]


def _repeated_ids(table: pa.Table, settings: Settings) -> list[str]:
    """A warning that names an id that occurs twice; epochs and repetitions are never averaged silently."""
    if settings.id is None:
        return []
    column = table.column(settings.id)
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    array = encoded.unify_dictionaries().combine_chunks()
    if len(array.dictionary) + array.null_count == len(array):
        return []
    codes = array.indices.fill_null(MISSING).to_numpy()
    counts = np.bincount(codes + 1, minlength=1)[1:]
    repeated = counts > 1
    if not repeated.any():
        return []
    code = int(codes[np.argmax(np.append(repeated, False)[codes])])
    value, again = array.dictionary[code].as_py(), int(np.flatnonzero(codes == code)[1]) + 1
    return [
        f"{quoted(settings.id)} holds {counted(int(repeated.sum()), 'repeated id')}: {quoted(value)} occurs "
        f"{counts[code]:,} times (again in row {again:,}); every row is counted by itself."
    ]


def describe(table: pa.Table, settings: Settings, why: str = "chosen") -> tuple[ColumnRole, ...]:
    """The role of every column as the settings have it."""
    roles: dict[str, str] = {}
    for column, label in settings.scores:
        roles[column] = f"score of {label}"
    for pairs, role in ((settings.truth_columns, "truth of"), (settings.pred_columns, "prediction of")):
        roles |= {column: f"{role} {label}" for column, label in pairs}
    raw = settings.raw if settings.pred is None else None
    named = ((settings.truth, "truth"), (settings.pred, "prediction"), (raw, "raw answer"), (settings.id, "id"))
    roles |= {column: role for column, role in named if column is not None}
    return tuple(
        ColumnRole(name, roles.get(name, "other"), why if name in roles else "kept for the rows")
        for name in table.column_names
    )
