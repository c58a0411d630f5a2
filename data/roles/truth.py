"""Find the column of the true labels: the one that most speaks for, by its name and by what is predicted."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from data.columns.column import Column
from data.columns.column_checks import are_copies, free_text_error, measure_kappa
from data.columns.column_names import says_verdict
from data.columns.evidence import (
    LEAST_KAPPA,
    LEAST_OF_TRUTH,
    LEAST_OF_WEAK,
    Candidate,
    is_named,
    read_name,
)
from data.columns.name_ranks import VAGUE, name_strength, names_confidence, rank, sort_by_role
from data.columns.plain_labels import are_answers
from data.columns.plain_names import split_words
from data.columns.rater_columns import is_model, is_person
from data.columns.role_names import SECOND_WORDS, fold
from data.labels.cell_sets import find_set_encoding
from data.labels.encode import list_labels
from data.labels.flag_columns import find_flag_block
from data.limits import MAX_COMPARED_LABELS, MAX_TRIED_TRUTHS
from data.roles.candidates import (
    asks_question,
    drop_flags,
    find_scored,
    fits_predictions,
    free_text_question,
    measure_overlap,
    missing_role_error,
)
from data.roles.score_blocks import find_score_block
from data.roles.score_cuts import follows_score, is_separated, measure_area
from data.roles.search import Search, find_score_columns, is_label_like, list_predicted_names, propose_predictions
from data.roles.shared_roles import find_only_differing, is_same_in_both

_MOST_PREDICTED = 20  # columns with which a truth is compared
_PAIR = 50  # what comparing two columns takes besides, in labels
_LAST = 10_000  # behind every rank of a name


def find_truth(search: Search) -> Column:
    """Find the column of true labels: named by the person, else the one that most speaks for, else by its values."""
    if search.given.truth is not None:
        column = search.columns[search.given.truth]
        if search.given.task != "multilabel" and not is_label_like(column, search.label_set) and column.is_free:
            raise free_text_error(column)
        search.take(column.name, "truth", "named by you")
        return column
    columns = search.open()
    like = [column for column in columns if is_label_like(column, search.label_set)]
    candidates = weigh_truths(search, like)
    if not candidates or candidates[0].points < LEAST_OF_TRUTH:
        truth = _find_truth_by_values(search, columns, like)
        alike = [candidate for candidate in candidates if candidate.column is truth]
        search.weighed["truth"] = list(dict.fromkeys([*alike, *candidates])) if alike else []
        return truth
    search.weighed["truth"], best = candidates, candidates[0]
    search.take(best.name, "truth", search.why(best.name, "truth", best.reason))
    if not best.is_named or (best.evidence[0] == "weak name" and best.points < LEAST_OF_WEAK):
        search.by_values.add(best.name)
    return best.column


def weigh_truths(search: Search, like: Sequence[Column]) -> list[Candidate]:
    """Return the columns that may be the truth with what speaks for each, the best first."""
    like = [column for column in like if rank(column.name, "truth") is not None or not find_score_columns([column])]
    hints = _read_names(search, like)
    predicted, scores = _list_predicted(search, like), _list_single_scores(search)
    others = [column for column in like if column.file == "predictions"][:_MOST_PREDICTED]
    candidates: list[Candidate] = []
    answers = [] if predicted else [search.columns[name] for name in propose_predictions(search, like)]
    for name, of_name in hints.items():
        column = search.columns[name]
        fitting = predicted or [answer for answer in answers if _comes_before(name, answer.name)]
        of_labels = column.file == "labels" or is_same_in_both(search, column)
        partners = [*fitting, *others] if of_labels else fitting
        fit = _find_fit(search, column, partners, scores) if len(candidates) < MAX_TRIED_TRUTHS else []
        fit = [key for key in fit if predicted or key != "other labels"]
        in_file = ["labels file"] * (is_same_in_both(search, column) and "labels" in fit and is_named(of_name))
        candidates.append(Candidate(column, "truth", (*of_name, *in_file, *fit)))
    unnamed = [column for column in like if column.name not in hints and column not in predicted]
    candidates += _weigh_unnamed(search, unnamed, predicted, scores, alone=not hints)
    uncut = [candidate for candidate in candidates if "cut" not in candidate.evidence]
    if not any("agreement" in candidate.evidence for candidate in uncut):
        candidates = [candidate.without("cut") for candidate in candidates]
    if any("labels" in candidate.evidence for candidate in candidates):
        candidates = [candidate.without("answers") for candidate in candidates]
    return sorted(candidates, key=lambda candidate: -candidate.points)


def _comes_before(name: str, other: str) -> bool:
    """Return whether of two names that a truth may have this one says it more surely."""
    first, second = rank(name, "truth"), rank(other, "truth")
    return first is not None and second is not None and first < second


def _weigh_unnamed(
    search: Search, columns: Sequence[Column], predicted: Sequence[Column], scores: Sequence[Column], *, alone: bool
) -> list[Candidate]:
    """Return the columns whose names say nothing and whose values fit what is predicted, with what speaks for each.

    alone : whether no name says that another column may be the truth.
    """
    columns = [c for c in columns if rank(c.name, "id") is None and not says_verdict(c.name)]
    columns = [c for c in columns if c.repeats_labels or _names_scores(search, c)]
    candidates = []
    for column in columns[:MAX_TRIED_TRUTHS]:
        partners = [pred for pred in predicted if not are_copies(column, pred)]
        fit = _find_fit(search, column, partners, scores)
        only = ["only labels"] * (alone and columns == [column] and bool(fit))
        if only or not {"agreement", "class scores"}.isdisjoint(fit):
            in_file = ["labels file"] * (column.file == "labels")
            candidates.append(Candidate(column, "truth", (*in_file, *only, *fit)))
    return candidates


def _names_scores(search: Search, column: Column) -> bool:
    """Return whether each label has a column of scores that is named after it, in however few rows."""
    return 2 <= len(column.sample.values) < len(search.columns) and bool(_list_class_scores(search, column))


def _read_names(search: Search, like: Sequence[Column]) -> dict[str, list[str]]:
    """Return what speaks for columns as the truth by their names, or the file of labels; the best names first."""
    named_after, alone = _find_named_after(search, like), _find_only_labels(search, like)
    differing = find_only_differing(search, [column for column in like if column.file == "labels"])
    is_scored = bool(search.given.score_columns() or find_score_columns(search.open()))
    columns = {column.name: column for column in like}
    predicts = [
        name for name in columns if name_strength(name, "prediction") in ("sure name", "word") or is_model(name)
    ]
    hints = {}
    for name in dict.fromkeys([*search.proposed("truth", sort_by_role(columns, "truth")), *columns]):
        if name not in columns:
            continue
        column = columns[name]
        of_this = ["format"] if search.is_known(name, "truth") else read_name(name, "truth")
        of_this += [named_after[name]] if name in named_after else []
        of_this += ["said truth"] * (not is_scored and not predicts and rank(name, "truth") == VAGUE)
        of_this += ["counterpart"] * (name in search.counterparts)
        if {*of_this} <= {named_after.get(name)} and rank(name, "id") is None:
            second = ["second"] * bool(split_words(name) & SECOND_WORDS)
            asks = is_scored and not of_this and asks_question(column)
            of_this += ["person", *second] if is_person(name) else ["question"] * asks
        if column is alone or (is_named(of_this) and column.file == "labels"):
            of_this += ["labels file"]
        elif column in differing:
            of_this = ["both files"]
        if of_this:
            hints[name] = of_this
    return hints


def _find_fit(search: Search, column: Column, predicted: Sequence[Column], scores: Sequence[Column]) -> list[str]:
    """Return what the values of a column say of it as the truth of what is predicted in the file."""
    others = [other for other in predicted if other is not column]
    fit = [key] if (key := fits_predictions(search, column, others)) else []
    of_classes = _list_class_scores(search, column) if fit == ["labels"] else []
    fit += ["class scores"] * bool(of_classes)
    area = _judge_area(column, of_classes[:1] or scores)
    place = rank(column.name, "truth")
    decided = [other for other in others if _is_cut(other, scores)] if place is not None and place < VAGUE else []
    answers = any(_answer_alike(column, other) for other in decided)
    return list(dict.fromkeys([*fit, *area, *["agreement"] * _agrees(column, others), *["answers"] * answers]))


def _is_cut(column: Column, scores: Sequence[Column]) -> bool:
    """Return whether a threshold on every score makes a column, as it makes decisions; True without scores."""
    return all(score.is_finite and is_separated(score, column) for score in scores)


def _answer_alike(column: Column, other: Column) -> bool:
    """Return whether two columns answer no and yes, in whatever words: no or yes, and 0 or 1."""
    two = (column.sample.values, other.sample.values)
    return all(len(values) == 2 and are_answers(values) for values in two)


def _list_class_scores(search: Search, column: Column) -> list[Column]:
    """Return the columns of scores of which each label has one that is named after it; [] where one has none."""
    labels = list_labels(column.distinct.values, None)
    block = find_score_block(search.open(), labels) if len(labels) > 1 else None
    if block is None or block.is_numbered or not len(labels) <= len(block.pairs) <= 2 * len(labels):
        return []
    return [search.columns[name] for name, _ in block.pairs]


def _agrees(column: Column, predicted: Sequence[Column]) -> bool:
    return any(measure_kappa(column, pred) >= LEAST_KAPPA for pred in predicted)


def _judge_area(column: Column, scores: Sequence[Column]) -> list[str]:
    """Return whether the one score says something of the two values of a column, and whether it says all of them."""
    if len(column.sample.values) != 2 or len(scores) != 1:
        return []
    area, _ = measure_area(column, scores[0])
    return ["agreement"] * follows_score(column, scores[0]) + ["cut"] * (area in (0, 1))


def _list_predicted(search: Search, like: Sequence[Column]) -> list[Column]:
    """Return the columns of labels that a model predicted, by their names, or as a person named them."""
    if search.given.pred is not None:
        return [search.columns[search.given.pred]]
    proposed = propose_predictions(search, like)
    of_both = {name for name in proposed if read_name(name, "truth") and name not in search.counterparts}
    named = [name for name in proposed if search.is_known(name, "pred") or name not in of_both]
    models = [column.name for column in like if is_model(column.name)]
    return [search.columns[name] for name in dict.fromkeys([*named, *models])][:_MOST_PREDICTED]


def _list_single_scores(search: Search) -> list[Column]:
    """Return the columns named like a score, two at most; none where a person named the scores."""
    if search.given.score_columns():
        return []
    columns = [c for c in search.open() if c.holds_numbers and not names_confidence(c.name)]
    return find_score_columns(columns)[:2]


def _find_only_labels(search: Search, like: Sequence[Column]) -> Column | None:
    """Return the one column of a labels file that can hold labels, or whose labels the predictions have columns of."""
    like = [c for c in like if c.file == "labels" and rank(c.name, "id") is None]
    others = [c for c in search.open() if c.file == "predictions"]
    fitting = [c for c in like if _has_columns(c, others)] if len(like) > 1 else like
    return fitting[0] if len(fitting) == 1 else None


def _has_columns(column: Column, others: Sequence[Column]) -> bool:
    """Return whether other columns are named like the labels of a column, be it one label a cell or several."""
    labels = list_labels(column.distinct.values, find_set_encoding(column.sample.values))
    return len(labels) > 1 and bool(find_score_block(others, labels) or find_flag_block(others, labels))


def _find_truth_by_values(search: Search, columns: Sequence[Column], like: Sequence[Column]) -> Column:
    """Return a column that shares its values with a prediction, or with any other column."""
    like = [column for column in like if rank(column.name, "id") is None]
    of_labels = [column for column in like if column.file == "labels"]
    best = _find_best_match(of_labels, [c for c in like if c.file == "predictions"]) or _find_best_pair(search, like)
    if best is None:
        named = sort_by_role([column.name for column in columns], "truth")
        if named and search.columns[named[0]].is_free:
            raise free_text_question(free_text_error(search.columns[named[0]]), search)
        raise missing_role_error("truth", search)
    search.take(best.name, "truth", "by its values, which it shares with another column")
    search.by_values.add(best.name)
    return best


def _find_named_after(search: Search, like: Sequence[Column]) -> dict[str, str]:
    """Map a column such as `churned` to what is named after it: `predicted_churned`, with its labels, or a score."""
    columns = {fold(column.name): column for column in like}
    named: dict[str, str] = {}
    for pred in _list_predicted(search, like):
        truths = [columns[name] for name in list_predicted_names(search, pred) if name in columns]
        named |= {
            truth.name: "named prediction" for truth in truths if truth is not pred and _are_of_a_kind(truth, pred)
        }
    if search.given.pred is not None or search.given.raw is not None:
        return named
    two = [c for c in like if len(c.sample.values) <= 2 and rank(c.name, "prediction") is None]
    scored = [column.name for column in find_scored(search, two)]
    if len(scored) > 1 and any(map(is_model, scored)):  # each is a model's, and what they predict is another column
        scored = []
    return dict.fromkeys(scored, "named score") | named


def _are_of_a_kind(truth: Column, pred: Column) -> bool:
    """Return whether two columns share labels, or may: both hold numbers, or both words."""
    return truth.is_number == pred.is_number or measure_overlap(truth, pred) > 0


def _find_best_match(truths: Sequence[Column], predictions: Sequence[Column]) -> Column | None:
    """Return the column of the labels file that shares the most with a column of the predictions."""
    if len(truths) * sum(len(two.sample.values) + _PAIR for two in predictions) > MAX_COMPARED_LABELS:
        return None
    shares = {truth.name: max((measure_overlap(truth, two) for two in predictions), default=0.0) for truth in truths}
    best = max(truths, key=lambda column: shares[column.name], default=None)
    return best if best is not None and shares[best.name] > 0 else None


def _find_best_pair(search: Search, like: Sequence[Column]) -> Column | None:
    """Return the first of the two columns that share the most labels; the surest name of a prediction comes last."""
    like = sorted(like, key=_rank_prediction, reverse=True)
    given = search.given.pred
    named = [given] if given is not None else propose_predictions(search, like)
    like = like if named else drop_flags(like)
    partners = [search.columns[name] for name in named] or like
    if len(like) * sum(len(partner.sample.values) + _PAIR for partner in partners) > MAX_COMPARED_LABELS:
        return None
    pairs = itertools.product(like, partners) if named else itertools.combinations(like, 2)
    best, most = None, 0.0
    for first, partner in pairs:
        if first is partner or (is_same_in_both(search, first) and is_same_in_both(search, partner)):
            continue
        overlap = measure_overlap(first, partner)
        if overlap > most:
            best, most = first, overlap
    return best


def _rank_prediction(column: Column) -> int:
    place = rank(column.name, "prediction")
    return _LAST if place is None else place
