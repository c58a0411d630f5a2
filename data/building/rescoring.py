"""Predict the same rows again, by other thresholds or another parser, without reading a file."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

import numpy as np

from data.answers.parsed_answers import Answered, describe_answers, read_texts
from data.building.build import CONTENT, build
from data.building.encoded_parts import no_threshold_error
from data.building.multi_label import encode_multi_label, predict_at_threshold as labels_at_threshold
from data.building.single_label_scores import predict_at_threshold
from data.columns.table_metadata import answers_left_out
from data.columns.verdicts import warn_of_verdict
from data.errors import DataError
from data.evaluation import MISSING, Answers, Evaluation, Receipt, Settings, fingerprint
from data.parser.parser import STANDARD, Parser


def with_threshold(evaluation: Evaluation, threshold: float) -> Evaluation:
    """Predict anew by `score >= threshold`, on the scale of `evaluation.y_score`.

    Binary: the positive class, or else the other. Multi-label: every label by its own score. A row without a score
    has no prediction. The fingerprint is that of the settings with this threshold.

    Raises
    ------
    DataError
        no scores, or a multi-class task.

    >>> import pyarrow as pa
    >>> table = pa.table({"y": ["0", "1"], "p": [0.2, 0.4]})
    >>> settings = Settings(truth="y", scores=(("p", "1"),), positive="1")
    >>> evaluation = build(table, settings, name="demo", content_sha256="0")
    >>> with_threshold(evaluation, 0.3).y_pred.tolist()
    [0, 1]
    """
    if evaluation.y_score is None or evaluation.task == "multiclass":
        raise no_threshold_error(evaluation.task, evaluation.y_score is not None)
    if evaluation.task == "binary":
        assert evaluation.positive is not None
        y_pred = predict_at_threshold(evaluation.y_score[:, 0], threshold, evaluation.positive)
        no_pred, no_truth = y_pred == MISSING, evaluation.y_true == MISSING
    else:
        y_pred, no_pred = labels_at_threshold(
            evaluation.y_score, evaluation.score_codes, threshold, len(evaluation.labels)
        )
        no_truth = find_unknown_truth(evaluation)
    settings = dataclasses.replace(evaluation.settings, threshold=float(threshold))
    content = _read_content(evaluation)
    return dataclasses.replace(
        evaluation, y_pred=y_pred, scored=~(no_truth | no_pred) & evaluation.has_weight,
        n_missing_pred=evaluation.count_rows(no_pred & (no_truth | evaluation.has_weight)),
        settings=settings, threshold=float(threshold), has_predictions=True, fingerprint=fingerprint(content, settings),
    )  # fmt: skip


def scores_alone(evaluation: Evaluation) -> Evaluation:
    """Return the same evaluation without predictions: scored is every row with a truth and a score.

    Raises
    ------
    DataError
        no scores, or a multi-class task.

    >>> import pyarrow as pa
    >>> table = pa.table({"y": ["0", "1"], "y_pred": ["1", "1"], "points": [2.0, 4.0]})
    >>> settings = Settings(truth="y", pred="y_pred", scores=(("points", "1"),), positive="1", scale="score")
    >>> evaluation = build(table, settings, name="demo", content_sha256="0")
    >>> scores_alone(evaluation).has_predictions, scores_alone(evaluation).y_pred.tolist()
    (False, [-1, -1])
    """
    cut = with_threshold(evaluation, 0.0)
    y_pred = np.zeros_like(cut.y_pred) if cut.task == "multilabel" else np.full_like(cut.y_pred, MISSING)
    made_of = f"{evaluation.fingerprint} without predictions"
    return dataclasses.replace(
        cut, y_pred=y_pred, threshold=None, has_predictions=False, settings=evaluation.settings,
        fingerprint=hashlib.sha256(made_of.encode()).hexdigest(),
    )  # fmt: skip


def with_label_thresholds(evaluation: Evaluation, thresholds: np.ndarray) -> Evaluation:
    """Predict every label of a multi-label evaluation anew by `score >= its own threshold`.

    A label without a score column is predicted nowhere, a row without any score has no prediction. Where all
    thresholds are the same, the result is that of `with_threshold`. `threshold` of the result is None otherwise: no
    single number says how it was made.

    Parameters
    ----------
    thresholds : float64 (S,), one a score column in the order of `score_codes`, on the scale of `y_score`.

    Raises
    ------
    DataError : no scores, or one label a row.
    ValueError : not one threshold for every score column, or NaN among them.

    >>> import pyarrow as pa
    >>> table = pa.table({"y": ["a;b", "b"], "p": [0.2, 0.4], "q": [0.2, 0.4]})
    >>> settings = Settings(truth="y", encoding="delimited", delimiter=";", scores=(("p", "a"), ("q", "b")))
    >>> evaluation = build(table, settings, name="demo", content_sha256="0")
    >>> with_label_thresholds(evaluation, np.array([0.1, 0.3])).y_pred.tolist()
    [[True, False], [True, True]]
    """
    if evaluation.y_score is None or evaluation.task != "multilabel":
        raise DataError("A threshold for each label needs a multi-label file, with a score for each label.")
    thresholds = np.asarray(thresholds, dtype=np.float64)
    if thresholds.shape != (len(evaluation.score_codes),) or np.isnan(thresholds).any():
        raise ValueError(f"{len(evaluation.score_codes)} thresholds were wanted, one a score column, not {thresholds}.")
    if len(set(thresholds.tolist())) == 1:
        return with_threshold(evaluation, float(thresholds[0]))
    y_pred, no_pred = labels_at_threshold(
        evaluation.y_score, evaluation.score_codes, thresholds, len(evaluation.labels)
    )
    settings = dataclasses.replace(evaluation.settings, threshold=None)
    made_of = f"{fingerprint(_read_content(evaluation), settings)} {thresholds.tolist()}"
    no_truth = find_unknown_truth(evaluation)
    return dataclasses.replace(
        evaluation, y_pred=y_pred, scored=~(no_truth | no_pred) & evaluation.has_weight,
        n_missing_pred=int((no_pred & (no_truth | evaluation.has_weight)).sum()),
        settings=settings, threshold=None, has_predictions=True,
        fingerprint=hashlib.sha256(made_of.encode()).hexdigest(),
    )  # fmt: skip


def with_parser(evaluation: Evaluation, parser: Parser | None) -> Evaluation:
    """Read the answers of an evaluation by another parser: what `build` gives with it in the settings.

    The distinct answers are read again and nothing else is, unless the label space changes: where the parser brings
    labels and no person gave any, or the one before had brought them.

    parser : None = the standard one.

    Raises
    ------
    DataError
        predictions that were not read from answers, a rule that cannot work, a label set without a true label.

    >>> import pyarrow as pa
    >>> from data.parser.parser import Rule
    >>> table = pa.table({"y": ["ham", "spam"], "output": ["It is ham.", "spam"]})
    >>> found = build(table, Settings(truth="y", raw="output"), name="demo", content_sha256="0")
    >>> other = with_parser(found, Parser("mine", (Rule("only_mentioned"),)))
    >>> found.n_unparsed, other.n_unparsed, other.answers.parser.name
    (1, 0, 'mine')
    """
    if evaluation.answers is None:
        raise DataError("The predictions are labels or scores of the file: there are no answers that a parser reads.")
    if answers_left_out(evaluation):
        raise DataError("Whoever shared this left the answers out, so no other parser can read them.")
    settings = dataclasses.replace(
        evaluation.settings, parser=parser, label_set=choose_label_set(evaluation.settings, parser)
    )
    depends = settings.merge or settings.threshold is not None or settings.scale == "confidence"
    if settings.label_set != evaluation.settings.label_set or depends:
        return _build_again(evaluation, settings)
    answered = _read_again(evaluation, evaluation.answers, parser or STANDARD)
    y_pred = answered.y_pred
    y_pred[evaluation.y_pred == MISSING] = MISSING
    return dataclasses.replace(
        evaluation, labels=answered.labels, y_pred=y_pred, answers=answered.answers, settings=settings,
        receipt=_replace_in_receipt(evaluation, answered), fingerprint=fingerprint(_read_content(evaluation), settings),
    )  # fmt: skip


def with_settings(evaluation: Evaluation, **changed: Any) -> Evaluation:
    """Return the same rows under other settings that name no other column, such as a label list or merged labels.

    Raises
    ------
    DataError
        the settings do not fit the rows.
    """
    return _build_again(evaluation, dataclasses.replace(evaluation.settings, **changed))


def choose_label_set(settings: Settings, parser: Parser | None) -> tuple[str, ...] | None:
    """Return the label set under another parser: a person's stays, one that the parser before brought goes with it."""
    brought = settings.parser.labels if settings.parser is not None else None
    chosen = None if settings.label_set == brought else settings.label_set
    return chosen or (parser.labels if parser is not None else None)


def _read_again(evaluation: Evaluation, answers: Answers, parser: Parser) -> Answered:
    """Return the answers under another parser, the labels that only the one before had found left out."""
    codes = [*evaluation.score_codes, evaluation.n_space - 1, int(evaluation.y_true.max(initial=-1))]
    kept, scored = 1 + max(codes), {label for _, label in evaluation.settings.scores}
    found_only_there = set(answers.labels.tolist())
    labels = tuple(
        label
        for code, label in enumerate(evaluation.labels)
        if code < kept or code not in found_only_there or label in scored
    )
    return read_texts(answers.texts, answers.codes, answers.column, parser, labels, evaluation.n_space)


def _replace_in_receipt(evaluation: Evaluation, answered: Answered) -> Receipt:
    """Return the receipt with what another parser has to say in place of what the one before had said."""
    e, receipt = evaluation, evaluation.receipt
    assert e.answers is not None
    before = describe_answers(e.answers, e.labels, e.n_space, e.y_true, e.scored)
    after = describe_answers(answered.answers, answered.labels, e.n_space, e.y_true, e.scored)
    for doubts, y_pred in ((before, e.y_pred), (after, answered.y_pred)):
        doubts[1].extend(warn_of_verdict(e.rows, e.settings, receipt.files, e.y_true, y_pred, e.scored))
    notes, warnings = (
        (*(text for text in texts if text not in old), *new)
        for texts, old, new in zip((receipt.notes, receipt.warnings), before, after, strict=True)
    )
    return dataclasses.replace(receipt, notes=notes, warnings=warnings)


def _build_again(evaluation: Evaluation, settings: Settings) -> Evaluation:
    """Build the evaluation again from its rows under other settings; notes about the file stay."""
    receipt, content = evaluation.receipt, _read_content(evaluation)
    before, after = (
        dataclasses.replace(settings_of_side, only=None) for settings_of_side in (evaluation.settings, settings)
    )
    plain = build(
        evaluation.rows, before, name=evaluation.name, content_sha256=content, files=receipt.files, join=receipt.join
    )
    rebuilt = build(
        evaluation.rows, after, name=evaluation.name, content_sha256=content,
        files=receipt.files, roles=receipt.roles, join=receipt.join,
        notes=[text for text in receipt.notes if text not in plain.receipt.notes],
        warnings=[text for text in receipt.warnings if text not in plain.receipt.warnings],
    )  # fmt: skip
    return dataclasses.replace(
        rebuilt, settings=settings, row_numbers=evaluation.row_numbers, fingerprint=fingerprint(content, settings)
    )


def _read_content(evaluation: Evaluation) -> str:
    return str((evaluation.rows.schema.metadata or {}).get(CONTENT, evaluation.fingerprint.encode()).decode())


def find_unknown_truth(evaluation: Evaluation) -> np.ndarray:
    """Return rows without a truth in a multi-label evaluation, whose arrays cannot say it."""
    if not evaluation.n_missing_truth:
        return np.zeros(evaluation.n_lines, dtype=bool)
    if not evaluation.n_missing_pred and evaluation.units is None:
        return ~evaluation.scored
    return encode_multi_label(evaluation.rows, evaluation.settings).no_truth
