"""Find the truth and the predictions (hard labels, or raw answers) among the columns."""

from __future__ import annotations

from collections.abc import Sequence

from data.answers.parsing import OUTSIDE, parse_answers
from data.columns.column import Column
from data.columns.column_checks import free_text_error
from data.columns.column_names import WEAK, is_weak_raw, parse_name, rank, sort_by_role
from data.columns.role_names import fold
from data.labels.cell_sets import SetEncoding, find_set_encoding, find_similar_encoding, read_members
from data.labels.encode import build_label_space, list_labels
from data.labels.flag_columns import find_flag_block
from data.limits import MAX_COMPARED_LABELS, MAX_TRIED_TRUTHS
from data.roles.candidates import (
    find_only_question,
    find_score_of,
    find_truth_of_score,
    fits_predictions,
    free_text_question,
    measure_overlap,
    missing_role_error,
    names_labels,
    warn_of_truth_by_values,
)
from data.roles.score_blocks import find_score_block
from data.roles.search import Search, is_label_like, propose_predictions
from data.roles.shared_roles import find_namesake, find_only_differing, is_same_in_both
from text.quoting import quote

_PAIR = 50  # what comparing two columns takes besides, in labels


def find_truth(search: Search) -> Column:
    """Find the column of true labels: named by the person, else by its name, else by its values."""
    if search.given.truth is not None:
        column = search.columns[search.given.truth]
        if search.given.task != "multilabel" and not is_label_like(column, search.label_set) and column.is_free:
            raise free_text_error(column)
        search.take(column.name, "truth", "named by you")
        return column
    columns = search.open()
    names = search.proposed("truth", sort_by_role([c.name for c in columns], "truth"))
    named = [search.columns[name] for name in names]
    usable = [column for column in named if is_label_like(column, search.label_set) and _is_meant(search, column)]
    of_labels = [column for column in usable if column.file == "labels"]
    if search.shared:
        of_labels = _find_truth_of_two_files(search, columns, usable) or of_labels
    for column in of_labels or _only_labels(search, columns) or usable:
        where = ", in the labels file" if column.file == "labels" else ""
        otherwise = "by its name" if column in named else "the only column of labels that fits"
        why = search.why(column.name, "truth", otherwise)
        search.take(column.name, "truth", why + where)
        return column
    return _find_truth_by_values(search, columns, named)


def _find_truth_of_two_files(search: Search, columns: Sequence[Column], named: Sequence[Column]) -> list[Column]:
    """Return the column that fits what is predicted, of two files that share columns: an ordinary one fits nothing.

    named : the columns that are named like a truth.
    """
    fitting = [column for column in named if column.file != "predictions" and _meets_predictions(search, column)]
    if fitting:
        return sorted(fitting, key=lambda column: column.file != "labels")
    like = [c for c in columns if c.file == "labels" and is_label_like(c, search.label_set)]
    return find_only_differing(search, like) or _only_labels(search, columns)


def _meets_predictions(search: Search, column: Column) -> bool:
    """Return whether something predicted fits a column, whatever its name."""
    others = [c for c in search.open() if c.file == "predictions" and is_label_like(c, search.label_set)]
    return fits_predictions(search, column) or any(measure_overlap(column, other) > 0 for other in others)


def _only_labels(search: Search, columns: Sequence[Column]) -> list[Column]:
    """Return the one column of a labels file that can hold labels, or whose labels the predictions have columns of."""
    like = [c for c in columns if c.file == "labels" and rank(c.name, "id") is None]
    like = [c for c in like if is_label_like(c, search.label_set)]
    others = [c for c in columns if c.file == "predictions"]
    fitting = [c for c in like if _has_columns(c, others)] if len(like) > 1 else like
    return fitting if len(fitting) == 1 else []


def _has_columns(column: Column, others: Sequence[Column]) -> bool:
    """Return whether other columns are named like the labels of a column, be it one label a cell or several."""
    labels = list_labels(column.distinct.values, find_set_encoding(column.sample.values))
    return len(labels) > 1 and bool(find_score_block(others, labels) or find_flag_block(others, labels))


def _find_truth_by_values(search: Search, columns: Sequence[Column], named: Sequence[Column]) -> Column:
    """Return a column that shares its values with a prediction, or with any other column."""
    like = [c for c in columns if rank(c.name, "id") is None and is_label_like(c, search.label_set)]
    of_labels = [column for column in like if column.file == "labels"]
    best = _find_named_in_prediction(search, like) or find_truth_of_score(search, like)
    if best is not None:
        return best
    best = _find_best_match(of_labels, [c for c in like if c.file == "predictions"]) or _find_best_pair(search, like)
    if best is None and search.given.pred is None:
        best = _find_truth_of_scores(search, columns, like) or find_only_question(search, like)
        if best is not None:
            return best
    if best is None:
        if named and named[0].is_free:
            raise free_text_question(free_text_error(named[0]), search)
        raise missing_role_error("truth", search)
    search.take(best.name, "truth", "by its values, which it shares with another column")
    search.by_values.add(best.name)
    search.warnings.append(warn_of_truth_by_values(best.name))
    return best


def _is_meant(search: Search, column: Column) -> bool:
    """Return whether a column named like a truth is one: where its name is a feature's as often, its values decide."""
    weak = (rank(column.name, "truth") or 0) >= WEAK and column.file != "labels"
    return not weak or search.is_known(column.name, "truth") or fits_predictions(search, column)


def _find_named_in_prediction(search: Search, like: Sequence[Column]) -> Column | None:
    """Return the column `churned` where there is a `predicted_churned` with the same labels."""
    stems = {fold(column.name): column for column in like}
    given = search.given.pred
    for name in [given] if given is not None else propose_predictions(search, like):
        for reading in parse_name(name):
            truth = stems.get(fold(reading.stem)) if reading.kind == "prediction" else None
            if truth is not None and truth.name != name and measure_overlap(truth, search.columns[name]):
                search.take(truth.name, "truth", f"{quote(name)} is named as its prediction")
                return truth
    return None


def _find_truth_of_scores(search: Search, columns: Sequence[Column], like: Sequence[Column]) -> Column | None:
    """Return the only column whose labels have a column of scores each."""
    scores = [column for column in columns if column.is_continuous]
    labels = {c.name: list_labels(c.distinct.values, None) for c in like if 2 <= len(c.sample.values) <= len(scores)}
    if len(labels) > MAX_TRIED_TRUTHS:
        return None
    fitting = [
        search.columns[name]
        for name, of in labels.items()
        if (block := find_score_block(scores, of)) is not None and len(block.pairs) >= len(of)
    ]
    if len(scores) < 2 or len(fitting) != 1:
        return None
    name = search.take(fitting[0].name, "truth", "the only column whose labels have a column of scores each")
    search.warnings.append(warn_of_truth_by_values(name))
    return fitting[0]


def _find_best_match(truths: Sequence[Column], predictions: Sequence[Column]) -> Column | None:
    """Return the column of the labels file that shares the most with a column of the predictions."""
    if len(truths) * sum(len(two.sample.values) + _PAIR for two in predictions) > MAX_COMPARED_LABELS:
        return None
    shares = {one.name: max((measure_overlap(one, two) for two in predictions), default=0.0) for one in truths}
    best = max(truths, key=lambda column: shares[column.name], default=None)
    return best if best is not None and shares[best.name] > 0 else None


def _find_best_pair(search: Search, like: Sequence[Column]) -> Column | None:
    given = search.given.pred
    named = [given] if given is not None else propose_predictions(search, like)
    like = like if named else _drop_flags(like)
    partners = [search.columns[name] for name in named] or like
    if len(like) * sum(len(two.sample.values) + _PAIR for two in partners) > MAX_COMPARED_LABELS:
        return None
    pairs = [
        (measure_overlap(one, two), one)
        for place, one in enumerate(like)
        for two in (partners if named else like[place + 1 :])
        if one is not two and not (is_same_in_both(search, one) and is_same_in_both(search, two))
    ]
    best = max(pairs, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] > 0 else None


def _drop_flags(columns: Sequence[Column], most: int = 2) -> list[Column]:
    """Return the columns without those of 0 and 1, if these are so many that any two of them would do."""
    flags = [column for column in columns if column.is_flag]
    return [column for column in columns if column not in flags] if len(flags) > most else list(columns)


# -- predictions ------------------------------------------------------------------------------------


def find_prediction(search: Search, truth: Column, labels: Sequence[str], sets: SetEncoding | None) -> str | None:
    """Find the column of predicted labels; None if there are raw answers or scores instead, or nothing."""
    given = search.given
    if given.pred is not None:
        return search.take(given.pred, "prediction", "named by you")
    if given.raw is not None or _parses_all(search):
        return None
    columns = _list_predictable(search, truth)
    namesake = find_namesake(search, truth.name)
    proposed = propose_predictions(search, columns)
    of_block = _list_scores(columns, labels) if sets is None else set()
    names = dict.fromkeys([*(name for name in proposed if name not in of_block), *_open_names(search, namesake)])
    named = [search.columns[name] for name in names]
    hard = [c for c in named if reads_as(c, labels, sets, text=search.is_known(c.name, "raw")) == "hard"]
    shared = [column for column in hard if sets or _shares_labels(column, labels)]
    hard = [column for column in hard if column in shared or not is_same_in_both(search, column)]
    if hard:
        name = (shared or hard)[0].name
        why = "by its name" + (" and the labels it shares with the truth" if shared else "")
        return search.take(name, "prediction", search.why(name, "pred", why))
    raw = _find_raw_column(search, labels)
    if given.score_columns() or _has_scores(columns, labels) or (raw and not is_same_in_both(search, raw)):
        return None
    if find_score_of(search, truth) is not None:
        return None
    return _find_prediction_by_values(search, truth, columns)


def _list_predictable(search: Search, truth: Column) -> list[Column]:
    """Return the columns that may hold predictions: of two files, those of the labels only where no other will do."""
    columns = search.open()
    others = [column for column in columns if column.file != "labels"]
    return others if truth.file == "labels" and any(column.file for column in others) else columns


def _open_names(search: Search, name: str | None) -> list[str]:
    return [column.name for column in search.open() if column.name == name]


def _list_scores(columns: Sequence[Column], labels: Sequence[str]) -> set[str]:
    """Return the columns of a score per class: pred_0 and pred_1 of 0 and 1 are no predictions of two classes."""
    block = find_score_block(columns, labels)
    return {name for name, _ in block.pairs} if block is not None and len(block.pairs) > 1 else set()


def _parses_all(search: Search) -> bool:
    """Return whether the known format has answers only: those that are bare labels are parsed, too."""
    return search.known is not None and search.known.parsed


def _shares_labels(column: Column, labels: Sequence[str]) -> bool:
    space = build_label_space({"truth": labels, "predictions": column.sample.values[:4000]}, space=["truth"])
    return bool(set(space.spelling["predictions"].values()) & set(labels))


def _has_scores(columns: Sequence[Column], labels: Sequence[str]) -> bool:
    numeric = [column for column in columns if column.is_number or column.is_written_number]
    named = any(rank(column.name, "score") is not None for column in numeric)
    return named or find_score_block(columns, labels) is not None


def _find_prediction_by_values(search: Search, truth: Column, columns: Sequence[Column]) -> str | None:
    like = [c for c in columns if rank(c.name, "id") is None and not c.is_continuous and not c.is_free]
    like = [column for column in like if not _is_named_score(column)]
    how_far = {column.name: measure_overlap(truth, column) for column in _drop_flags(like, most=1)}
    best = max(how_far, key=lambda name: how_far[name], default=None)
    if best is None or not how_far[best]:
        return None
    _warn_by_values(search, truth.name, best)
    search.by_values.add(best)
    return search.take(best, "prediction", "by its values, which it shares with the truth")


def _is_named_score(column: Column) -> bool:
    """Tell whether numbers of more than two values are named like a score, such as `decile_score` from 1 to 10."""
    affixes = [reading.affix for reading in parse_name(column.name) if reading.kind == "score"]
    named = any(word in affix for affix in affixes for word in ("score", "prob", "logit"))
    return named and column.is_number and len(column.sample.values) > 2


def _warn_by_values(search: Search, truth: str, pred: str) -> None:
    """Warn that the prediction was found by its values only; one sentence for both where the truth was, too."""
    if warn_of_truth_by_values(truth) in search.warnings:
        search.warnings.remove(warn_of_truth_by_values(truth))
        search.warnings.append(
            f"Truth and prediction were found by their values only: {quote(truth)} was taken as the truth, "
            f"{quote(pred)}, which shares its labels, as the prediction. Check which is which, and choose other "
            "columns if it is wrong."
        )
        return
    search.warnings.append(
        f"The prediction was found by its values only: {quote(pred)} shares its labels with {quote(truth)}. "
        "Check it, and choose another column if it is wrong."
    )


def reads_as(column: Column, labels: Sequence[str], sets: SetEncoding | None, *, text: bool = False) -> str:
    """Return what a column of predictions holds: "hard" labels, "raw" text, or "no" labels (scores, or nothing).

    text : whether it is known to be for texts, whatever its name.
    """
    values = column.sample.values
    if not values or column.is_continuous:
        return "no"
    if sets is not None:
        sets, space = find_similar_encoding(values, labels, sets), set(labels)
        return "hard" if any(space.intersection(read_members(cell, sets) or ()) for cell in values) else "no"
    known = set(labels)
    strange = [value for value in values if value not in known] if len(values) < 50_000 else list(values)
    if not strange or column.is_number:
        return "hard"
    if column.is_written_number and len(strange) == len(values):
        return "no"
    long = sum(len(value) > 80 or len(value.split()) > 6 for value in strange)
    if column.is_free or long > len(strange) / 3:
        return "raw"
    text = text or rank(column.name, "raw") is not None
    return "raw" if text and _needs_parsing(strange, labels, len(values)) else "hard"


def _needs_parsing(strange: Sequence[str], labels: Sequence[str], n_values: int) -> bool:
    """Return whether answers are labels with something around them, or sentences, or mostly no labels."""
    outcomes = parse_answers(strange[:1000], labels, keep=False).names()
    made_up = (OUTSIDE, "truncated")  # a label that begins like another one may be just that
    return any(outcome not in made_up for outcome in outcomes) or len(strange) > n_values / 2


def find_raw(search: Search, labels: Sequence[str]) -> str | None:
    """Find the column of free text answers, or None."""
    if search.given.raw is not None:
        return search.take(search.given.raw, "raw answer", "named by you")
    column = _find_raw_column(search, labels)
    if column is None:
        return None
    why = "by its name and its texts, which are not labels but may name one"
    return search.take(column.name, "raw answer", search.why(column.name, "raw", why))


def _find_raw_column(search: Search, labels: Sequence[str]) -> Column | None:
    names = [column.name for column in search.open()]
    likely = search.proposed("raw", dict.fromkeys([*sort_by_role(names, "raw"), *sort_by_role(names, "prediction")]))
    known = {name for name in likely if search.is_known(name, "raw")}
    return next(
        (
            search.columns[name]
            for name in likely
            if (name in known and _parses_all(search))
            or (
                reads_as(search.columns[name], labels, None, text=name in known) == "raw"
                and (name in known or not is_weak_raw(name) or names_labels(search.columns[name], labels))
            )
        ),
        None,
    )
