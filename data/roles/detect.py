"""Find which column is the truth, prediction, raw answer, score, id. Names propose, values decide, and it says why."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from data.columns.column import Column
from data.columns.column_checks import (
    are_copies,
    are_recoded,
    check_column,
    measure_kappa,
    no_rows_error,
    same_column_error,
)
from data.columns.column_names import parse_name
from data.columns.known_tools import FAILED, Recognised, recognise
from data.columns.name_ranks import VAGUE, is_of_old, is_sure_id, names_confidence, rank, sort_by_role
from data.columns.plain_names import split_side
from data.columns.rater_columns import find_counterparts, find_raters, is_model
from data.columns.role_names import THRESHOLDS, fold
from data.columns.weight_columns import NOT_USED, USED, find_weights, warn_of_weights
from data.environment import raise_it, value
from data.errors import CommaUnclear, DataError, RolesNeeded
from data.evaluation import ColumnRole, Settings, default_threshold
from data.labels.cell_sets import SetEncoding
from data.labels.class_names import merge_named
from data.labels.encode import build_label_space, check_labels, list_labels
from data.labels.flag_columns import MultiHot, find_multi_hot, find_ones
from data.limits import time_limit
from data.roles.candidates import guess_roles, missing_role_error, turn_files
from data.roles.prediction import find_prediction, find_raw, warn_of_values
from data.roles.refusals import (
    CLEAR_KAPPA,
    refuse_copies,
    refuse_strangers,
    settle_rivals,
    warn_of_either_way,
    warn_of_equal_columns,
)
from data.roles.row_counts import choose_positive_of_counts, find_counts, find_counts_of_flags, find_matrix_cells
from data.roles.run_columns import ask_for_column, ask_for_part, ask_for_rows, find_groupings, take_named_parts
from data.roles.score_columns import (
    NO_SCORES_READ,
    find_scale,
    find_scores,
    take_unsure_scores,
)
from data.roles.score_warnings import warn_of_hard_scores
from data.roles.search import Given, Search, find_score_columns
from data.roles.set_columns import find_prediction_flags, find_sets, find_sets_beside_flags, with_sets
from data.roles.shared_roles import (
    find_shared,
    keep_one_of_shared,
    may_split,
    split_shared,
    warn_of_other_classes,
)
from data.roles.truth import find_truth
from text.quoting import list_items, quote

__all__ = ["Detected", "Given", "detect"]


@dataclass(frozen=True)
class Detected:
    """Settings for `data.building.build.build`, with a reason for every column, and sentences for the receipt."""

    settings: Settings
    roles: tuple[ColumnRole, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def detect(
    table: pa.Table,
    *,
    label_set: Sequence[str] | None = None,
    given: Given | Mapping[str, Any] | None = None,
    source: str | None = None,
    ask: bool = True,
) -> Detected:
    """Find the role of every column of a table.

    Parameters
    ----------
    table : columns as the readers make them; also one that `data.joining.join.join` made.
    label_set : the label space, if a person gave it.
    given : what the person has said (also as a mapping with the fields of `Given`).
    source : the tool that wrote the file of predictions, if its reader knows it.
    ask : whether to ask which of several evaluations in the file is meant; False = every row counts.

    Raises
    ------
    ChoiceNeeded
        ids repeat and a column tells the repetitions apart, or there are several columns of answers.
    RolesNeeded
        no usable columns, or truth and prediction that only their values show and that are copies; with a guess.
    DataError
        no rows; a named column that is not there;
        a truth of free text; truth and prediction the same column; it took longer than BLINDSPOT_SECONDS.

    >>> found = detect(pa.table({"y": ["a", "b"], "y_pred": ["a", "a"]}))
    >>> found.settings.truth, found.settings.pred, found.roles[1].why
    ('y', 'y_pred', 'by its name, the name of the truth in its own and labels of the truth')
    """
    if not isinstance(given, Given):
        given = Given(**(given or {}))
    wanted = given.with_blocks(table.column_names)
    _check_given(table, wanted)
    seconds = value("BLINDSPOT_SECONDS")
    too_long = DataError(
        f"Finding out what each column is took longer than {seconds:,} seconds and was stopped; choose the columns, "
        f"or {raise_it('BLINDSPOT_SECONDS')}."
    )
    with time_limit(seconds, too_long):
        return _detect(table, label_set, wanted, source, ask)


def _detect(table: pa.Table, label_set: Sequence[str] | None, wanted: Given, source: str | None, ask: bool) -> Detected:
    """Find the role of every column, as `detect`; a column that both files have has two roles only if it must."""
    columns = {name: Column(table, name) for name in table.column_names}
    turned = turn_files(columns)
    shared, counterparts = find_shared(columns), find_counterparts(columns)
    labels = None if label_set is None else tuple(label_set)
    search = Search(columns, wanted, labels, shared=shared, counterparts=counterparts, warnings=[*turned])
    split_shared(search)
    keep_one_of_shared(search)
    try:
        return _detect_roles(table, search, source, ask)
    except CommaUnclear as error:
        error.guess = guess_roles(search)
        raise
    except RolesNeeded:
        if not may_split(search):
            raise
    # one role each was not enough: begin anew, and let what both files have be truth and prediction
    search = Search(columns, wanted, labels, shared=shared, counterparts=counterparts, warnings=turned)
    split_shared(search)
    return _detect_roles(table, search, source, ask)


def _detect_roles(table: pa.Table, search: Search, source: str | None, ask: bool) -> Detected:
    """Find the role of every column that has none yet."""
    columns, wanted = search.columns, search.given
    without_role = {name: column for name, column in columns.items() if name not in search.roles}
    known = _recognise_tool(without_role, source, wanted.truth)
    raters = None if known else _find_raters(table, columns, wanted)
    if raters is not None:
        wanted = dataclasses.replace(wanted, truth=raters[0], pred=raters[1])
    search.known, search.given = known, wanted
    _set_apart(search, table)
    take_named_parts(search)
    _take_weights(search)
    if ask:
        _ask_for_column(search)
    hot = None if wanted.truth or wanted.pred or wanted.raw else find_multi_hot(search.open())
    if hot and wanted.task != "multilabel" and _are_no_labels(search, hot):
        hot = None
    settings = None
    if hot:
        if wanted.task == "single":
            raise flags_error([name for name, _ in hot.truth])
        settings = _multi_hot_settings(search, hot)
    elif any(column.is_flag for column in search.open()):
        settings = find_sets_beside_flags(search)
        if settings is not None:
            settings = _with_label_scores(search, settings)
    if settings is None:
        settings = _column_settings(search)
    if wanted.counts and settings.counts is None:  # scores or answers: building says what lacks
        _take_counts(search, columns[wanted.counts])
    settings = dataclasses.replace(
        settings,
        counts=settings.counts or wanted.counts or None,
        label_set=search.label_set,
        threshold=wanted.threshold,
        id=_find_id(search, wanted.id),
        run_parts=wanted.run_parts,
        cluster=wanted.cluster,
        task=wanted.task,
        weights=wanted.weights,
    )
    if ask:
        _ask_for_rows(search, settings)
    settle_rivals(search, settings)
    find_groupings(search)
    warn_of_either_way(search, settings)
    warn_of_equal_columns(search, *_list_truth_and_prediction(settings))
    warn_of_other_classes(search, settings)
    if raters is not None:
        _say_raters(search, *raters)
    roles = tuple(ColumnRole(name, *search.roles.get(name, ("other", "kept for the rows"))) for name in columns)
    search.warnings += warn_of_weights(table, settings, roles)
    return Detected(settings, roles, tuple(dict.fromkeys(search.notes)), tuple(search.warnings))


def _list_truth_and_prediction(settings: Settings) -> tuple[list[str], list[str]]:
    """Return the columns of the truth and those of the predictions."""
    truths = [name for name, _ in settings.truth_columns]
    preds = [name for name, _ in settings.pred_columns]
    if settings.truth:
        truths.append(settings.truth)
    if settings.pred:
        preds.append(settings.pred)
    return truths, preds


def _find_raters(table: pa.Table, columns: Mapping[str, Column], wanted: Given) -> tuple[str, str, int] | None:
    """Return a person and a model, or else two raters, and how many a file of ratings has; None for other files."""
    has_files = any(column.file for column in columns.values())  # labels in a file of their own are the truth
    if has_files or wanted.columns():
        return None
    if any(rank(name, "truth") is not None or rank(name, "prediction") is not None for name in columns):
        return None
    no_confidence = [column for column in columns.values() if not names_confidence(column.name)]
    if find_score_columns(no_confidence):
        return None  # scores are of a model, and no rater is one
    raters = find_raters(table)
    if raters is None or not raters.columns:
        return None
    people = [name for name in raters.columns if not is_model(name)] or list(raters.columns)
    others = [name for name in raters.columns if name != people[0] and not is_of_old(name)]
    if not others:
        return None
    judge = next((name for name in others if is_model(name)), others[0])
    return people[0], judge, len(raters.columns)


def _say_raters(search: Search, truth: str, pred: str, n_raters: int) -> None:
    """Give two raters their roles; a warning says where others could be either."""
    search.take(truth, "truth", "the first of several raters")
    search.take(pred, "prediction", "a rater that is compared with it")
    text = f"The file holds the ratings of several raters: {quote(pred)} is compared with {quote(truth)}."
    if n_raters == 2 and is_model(pred) and not is_model(truth):
        search.notes.append(f"{text} The page Agreement compares them, too.")
    else:
        every = "both" if n_raters == 2 else f"all {n_raters}"
        search.warnings.append(f"{text} Choose other columns, or compare {every} on the page Agreement.")


def _recognise_tool(columns: Mapping[str, Column], source: str | None, truth: str | None) -> Recognised | None:
    """Return the known format of the predictions file, with the names that its columns have after a join."""
    own_columns = {split_side(name)[0]: name for name, column in columns.items() if column.file != "labels"}
    recognised = recognise(own_columns, source, truth and split_side(truth)[0])
    if recognised is None:
        return None
    by_role = {role: tuple(own_columns[name] for name in names) for role, names in recognised.columns.items()}
    scores = tuple((own_columns[name], label) for name, label in recognised.scores)
    kept = {own_columns[name]: what for name, what in recognised.kept.items()}
    others = tuple(own_columns[name] for name in recognised.others)
    return dataclasses.replace(recognised, columns=by_role, scores=scores, kept=kept, others=others)


def _take_weights(search: Search) -> None:
    """Set columns of weights apart: they are neither a score nor a label; one counts where a person named it."""
    if search.given.weights:
        search.take(search.given.weights, USED, "named by you")
    for column in find_weights(search.open()):
        search.take(column.name, NOT_USED, "by its name")


def _ask_for_column(search: Search) -> None:
    """Ask which column to take where the known format gives several columns of answers the same role."""
    known, given = search.known, search.given
    if known is None or given.raw is not None or given.pred is not None or given.score_columns():
        return
    for role in ("pred", "raw"):
        names = [name for name in known.columns[role] if search.columns[name].distinct.values]
        if len(names) > 1 and known.alike(role):
            raise ask_for_column(known.tool, names)


def _ask_for_rows(search: Search, settings: Settings) -> None:
    columns = search.columns
    question = None if settings.id is None else ask_for_rows(columns.values(), columns[settings.id])
    if question is None and settings.truth is not None:
        question = ask_for_part(columns.values(), columns[settings.truth])
    if question is not None:
        raise question


def _check_given(table: pa.Table, given: Given) -> None:
    if not len(table):
        raise no_rows_error()
    others = (given.cluster, given.weights, *(name for _, name in given.run_parts))
    for name in (*given.columns(), *filter(None, others)):
        check_column(table, name)
    if given.truth is not None and given.truth in (given.pred, given.raw):
        raise same_column_error(given.truth)


def _set_apart(search: Search, table: pa.Table) -> None:
    """Exclude columns that are no candidates: those that a join added, and those that a known format uses otherwise."""
    for field in table.schema:
        if (field.metadata or {}).get(b"role") == b"found in":
            search.take(field.name, "join", "says which of the two files had the row")
    if search.known is None:
        return
    if search.known.needed:
        search.notes.append(
            f"The columns are those that {search.known.tool} writes ({list_items(search.known.needed)})."
        )
    if search.known.others and search.given.truth is None:
        targets = list_items([*search.known.columns["truth"], *search.known.others])
        search.warnings.append(
            f"Predictions of {targets} are in this file, and the first were taken. Choose another column of true "
            "labels (--truth) if that is wrong."
        )
    for name, what in search.known.kept.items():
        if name not in search.given.columns():
            search.take(name, "other", f"{search.known.why}: {what}")


def flags_error(names: Sequence[str]) -> DataError:
    """Return the refusal of one label a row where 0/1 columns hold several."""
    return DataError(
        f"The 0/1 columns {list_items(names, 3)} hold several labels per row. For one label per row, name the columns "
        "of the true and the predicted label."
    )


def _are_no_labels(search: Search, hot: MultiHot) -> bool:
    """Return whether 0/1 columns are of models, beside the flag that these predict, or one label written twice."""
    flags = [search.columns[name] for name, _ in hot.truth]
    is_named = any(reading.kind == "prediction" for name, _ in hot.pred for reading in parse_name(name))
    are_labels = is_named or any(rank(flag.name, "truth") is not None for flag in flags)  # ai beside ai_pred, true_ai
    if not are_labels and (hot.pred or any(is_model(flag.name) for flag in flags)):
        names = {name for name, _ in (*hot.truth, *hot.pred)}
        others = [column for column in search.open() if column.is_flag and column.name not in names]
        if any(_is_predicted(other, flags) for other in others):
            return True
    return _is_written_twice(flags)


def _is_predicted(column: Column, flags: Sequence[Column]) -> bool:
    """Return whether a 0/1 column is what models predict: by its name, or as one of them agrees with it."""
    is_named = rank(column.name, "truth") is not None
    return is_named or any(measure_kappa(column, flag) >= CLEAR_KAPPA for flag in flags)


def _is_written_twice(flags: Sequence[Column]) -> bool:
    """Return whether 0/1 columns are one label in two spellings: True beside 1 in every row."""
    return all(are_recoded(flags[0], other) and not are_copies(flags[0], other) for other in flags[1:])


def _multi_hot_settings(search: Search, hot: MultiHot) -> Settings:
    if search.given.no_scores:
        hot = hot._replace(scores=())
        search.warnings.append(NO_SCORES_READ)
    search.notes += hot.notes
    search.warnings += hot.warnings
    for pairs, role in ((hot.truth, "truth of"), (hot.pred, "prediction of"), (hot.scores, "score of")):
        search.take_pairs(pairs, role, hot.why)
    is_said = search.given.task == "multilabel"
    if not is_said and find_ones([search.columns[name] for name, _ in hot.truth]) is not None:
        search.warnings.append(
            "Every row has exactly one true label in the 0/1 columns. If a row can have only one, say so under Change "
            "on Open (--task single)."
        )
    lines = find_counts_of_flags(search)
    if lines is not None:
        _take_counts(search, lines)
    return Settings(
        counts=None if lines is None else lines.name,
        encoding="multi_hot",
        truth_columns=hot.truth,
        pred_columns=hot.pred,
        scores=hot.scores,
        scale=find_scale(search, hot.scores),
    )


def _column_settings(search: Search) -> Settings:
    cells = find_matrix_cells(search)
    if cells is not None:
        truth, predicted, counts = cells
        search.take(truth.name, "truth", "by its name")
        search.take(predicted.name, "prediction", "by its name")
        return _counted_settings(search, truth, predicted, counts)
    truth = find_truth(search)
    sets = find_sets(search, truth)
    _check_labels(truth, sets)
    labels = search.label_set or list_labels(truth.distinct.values, sets)
    pred = find_prediction(search, truth, labels, sets)
    warn_of_values(search, truth.name, pred)
    if pred:
        if search.by_values:
            refuse_copies(search, truth, search.columns[pred])
            refuse_strangers(search, truth, search.columns[pred])
        _check_labels(search.columns[pred], sets)
    raw = None if pred or sets else find_raw(search, truth, labels)
    if pred and not sets and not search.label_set:
        labels = _join_labels(search, labels, search.columns[pred])
    lines = find_counts(search, truth, search.columns[pred]) if pred else None  # each stands for many rows
    if pred and lines is not None and not sets:
        return _counted_settings(search, truth, search.columns[pred], lines)
    if lines is not None and len(search.columns) > 3 and search.given.counts is None:
        lines = None  # sets of labels occur once by chance
    if lines is not None:
        _take_counts(search, lines)
    scores, positive = find_scores(search, truth, labels, pred, many=sets is not None)
    if not pred:
        _warn_empty(search)
    flags = find_prediction_flags(search, labels) if sets and not pred else ()
    predicts = bool(pred or raw or scores or flags)
    if not predicts and sets is None:
        scores, positive = take_unsure_scores(search, truth, labels)
        predicts = bool(scores)
    if not predicts:
        raise missing_role_error("prediction", search)
    _say(search, pred or (flags[0][0] if flags else None), raw)
    settings = Settings(truth=truth.name, pred=pred, raw=raw, scores=scores, positive=positive)
    settings = dataclasses.replace(settings, scale=find_scale(search, scores))
    if sets is None:
        warn_of_hard_scores(search, scores)
        if not pred and len(scores) == 1:
            _warn_of_threshold(search, default_threshold(settings.scale))
        return settings
    settings = with_sets(search, settings, labels, sets, flags)
    return dataclasses.replace(settings, counts=None if lines is None else lines.name)


def _with_label_scores(search: Search, settings: Settings) -> Settings:
    """Return settings of 0/1 columns with the scores of their labels."""
    truth, labels = search.columns[settings.truth_columns[0][0]], [label for _, label in settings.truth_columns]
    scores, _ = find_scores(search, truth, labels, settings.pred, many=True)
    return dataclasses.replace(settings, scores=scores, scale=find_scale(search, scores))


def _counted_settings(search: Search, truth: Column, pred: Column, counts: Column) -> Settings:
    """Return settings of a file whose lines stand for many rows each: no scores, and the positive class by the rows."""
    _take_counts(search, counts)
    labels = search.label_set or _join_labels(search, truth.distinct.values, pred)
    positive = choose_positive_of_counts(search, truth, counts, labels)
    return Settings(truth=truth.name, pred=pred.name, positive=positive, counts=counts.name)


def _take_counts(search: Search, counts: Column) -> None:
    named = search.given.counts is not None
    why = "named by you" if named else "by its name; every pair of labels occurs once, as in a matrix"
    search.take(counts.name, "rows per line", why)


def _check_labels(column: Column, sets: SetEncoding | None) -> None:
    """Refuse what cannot be a label while its row is known."""
    if sets is None:
        check_labels(column.distinct, column.name)


def _join_labels(search: Search, labels: Sequence[str], column: Column) -> tuple[str, ...]:
    """Return the labels of truth and predictions, spelled as building will spell them; a failed parse is none."""
    values = [value for value in column.distinct.values if value not in FAILED]
    words = {"truth": labels, "predictions": values}
    merge = (*search.given.merge, *merge_named(search.given.class_names, words))
    return build_label_space(words, space=[*words], merge=merge, more_to_come=True).labels


def _warn_empty(search: Search) -> None:
    """Warn of a column that is named like a prediction and holds nothing."""
    for column in search.open():
        place = rank(column.name, "prediction")
        if place is not None and place < VAGUE and not column.sample.values and not column.distinct.values:
            search.warnings.append(f"{quote(column.name)} is empty in every row: no predictions were taken from it.")


def _warn_of_threshold(search: Search, cut: float) -> None:
    """Warn of a column that is named like a threshold and holds one number of the score's scale, not the cut."""
    if search.given.threshold is not None:
        return
    for column in search.open():
        if fold(column.name) not in THRESHOLDS or not column.is_number or len(column.distinct.values) != 1:
            continue
        number = float(column.numbers[0])
        is_of_scale = not math.isnan(cut) and (cut == 0 or 0 < number < 1)
        if is_of_scale and number != cut and not np.isnan(column.numbers).any():
            search.warnings.append(
                f"{quote(column.name)} is {number:g} in every row and was not used. If the score is cut there, choose "
                f"it as the threshold (--threshold {number:g})."
            )


def _say(search: Search, pred: str | None, raw: str | None) -> None:
    if raw:
        search.notes.append(
            f"The answers in {quote(raw)} are free text: a label is read from each. "
            "An answer without a label counts as wrong."
        )
    elif not pred:
        search.notes.append("There is no column of predictions, only scores.")


def _find_id(search: Search, given: str | None) -> str | None:
    if given is not None:
        return search.take(given, "id", "named by you")
    for name in search.proposed("id", sort_by_role([column.name for column in search.open()], "id")):
        column = search.columns[name]
        sure = is_sure_id(name)
        if column.sample.values and not column.is_continuous and (sure or column.mostly_differs):
            return search.take(name, "id", search.why(name, "id", "by its name"))
    keys = [column.name for column in search.open() if column.is_key]
    return search.take(keys[0], "id", "the two files were joined on it") if keys else None
