"""Find the column of the true labels: the one that most speaks for, by its name and by what is predicted."""

from __future__ import annotations

from collections.abc import Sequence

from data.columns.column import Column
from data.columns.column_checks import free_text_error
from data.columns.column_names import names_confidence, parse_name, rank, sort_by_role
from data.columns.evidence import (
    LEAST_KAPPA,
    LEAST_OF_TRUTH,
    SURE_ERRORS,
    Candidate,
    is_named,
    read_name,
)
from data.columns.rater_columns import is_model, is_person
from data.columns.role_names import fold
from data.labels.cell_sets import find_set_encoding
from data.labels.encode import list_labels
from data.labels.flag_columns import find_flag_block
from data.limits import MAX_COMPARED_LABELS, MAX_TRIED_TRUTHS
from data.roles.candidates import (
    are_copies,
    asks_question,
    drop_flags,
    find_score_columns,
    find_scored,
    fits_predictions,
    free_text_question,
    measure_area,
    measure_kappa,
    measure_overlap,
    missing_role_error,
    warn_of_truth_by_values,
)
from data.roles.score_blocks import find_score_block
from data.roles.search import Search, is_label_like, propose_predictions
from data.roles.shared_roles import find_only_differing, is_same_in_both

_MOST_PREDICTED = 20  # columns with which a truth is compared
_PAIR = 50  # what comparing two columns takes besides, in labels


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
        return _find_truth_by_values(search, columns, like)
    best = candidates[0]
    search.weighed["truth"] = candidates
    search.take(best.name, "truth", search.why(best.name, "truth", best.reason))
    if not best.is_named:
        search.warnings.append(warn_of_truth_by_values(best.name))
        search.by_values.add(best.name)
    return best.column


def weigh_truths(search: Search, like: Sequence[Column]) -> list[Candidate]:
    """Return the columns that may be the truth with what speaks for each, the best first."""
    hints = _read_names(search, like)
    predicted, scores = _list_predicted(search, like), _list_single_scores(search)
    others = [column for column in like if column.file == "predictions"][:_MOST_PREDICTED]
    found: list[Candidate] = []
    for name, said in hints.items():
        column = search.columns[name]
        of_labels = column.file == "labels" or is_same_in_both(search, column)
        partners = [*predicted, *others] if of_labels else predicted
        fit = _find_fit(search, column, partners, scores) if len(found) < MAX_TRIED_TRUTHS else []
        in_file = ["labels file"] * (is_same_in_both(search, column) and "labels" in fit and is_named(said))
        found.append(Candidate(column, "truth", (*said, *in_file, *fit)))
    is_cut = any("cut" in candidate.evidence for candidate in found)
    for column in like:
        if column.name in hints or column in predicted or rank(column.name, "id") is not None:
            continue
        partners = [pred for pred in predicted if pred is not column and not are_copies(column, pred)]
        if _agrees(column, partners) or (is_cut and _judge_area(column, scores) == ["agreement"]):
            in_file = ["labels file"] * (column.file == "labels")
            found.append(Candidate(column, "truth", (*in_file, "labels", "agreement")))
    return sorted(found, key=lambda candidate: -candidate.points)


def _read_names(search: Search, like: Sequence[Column]) -> dict[str, list[str]]:
    """Return what speaks for columns as the truth by their names, or the file of labels; the best names first."""
    named_after, alone = _find_named_after(search, like), _find_only_labels(search, like)
    differing = find_only_differing(search, [column for column in like if column.file == "labels"])
    is_scored = bool(search.given.score_columns() or find_score_columns(search.open()))
    columns = {column.name: column for column in like}
    hints = {}
    for name in dict.fromkeys([*search.proposed("truth", sort_by_role(columns, "truth")), *columns]):
        if name not in columns:
            continue
        column = columns[name]
        said = ["format"] if search.is_known(name, "truth") else read_name(name, "truth")
        said += [named_after[name]] if name in named_after else []
        if not said and rank(name, "id") is None:
            said += ["person"] if is_person(name) else ["question"] * (is_scored and asks_question(column))
        if column is alone or (is_named(said) and column.file == "labels"):
            said += ["labels file"]
        elif column in differing:
            said = ["both files"]
        if said:
            hints[name] = said
    return hints


def _find_fit(search: Search, column: Column, predicted: Sequence[Column], scores: Sequence[Column]) -> list[str]:
    """Return what the values of a column say of it as the truth of what is predicted in the file."""
    others = [other for other in predicted if other is not column]
    fit = ["labels"] if fits_predictions(search, column, others) else []
    fit += ["class scores"] * (bool(fit) and _has_class_scores(search, column))
    return list(dict.fromkeys([*fit, *_judge_area(column, scores), *["agreement"] * _agrees(column, others)]))


def _has_class_scores(search: Search, column: Column) -> bool:
    """Return whether each of three labels or more has a column of scores that is named after it."""
    labels = list_labels(column.distinct.values, None)
    block = find_score_block(search.open(), labels) if len(labels) > 2 else None
    return block is not None and len(block.pairs) >= len(labels)


def _agrees(column: Column, predicted: Sequence[Column]) -> bool:
    return any(measure_kappa(column, pred) >= LEAST_KAPPA for pred in predicted)


def _judge_area(column: Column, scores: Sequence[Column]) -> list[str]:
    """Return whether the one score says something of the two values of a column, and whether it says all of them."""
    if len(column.sample.values) != 2 or len(scores) != 1:
        return []
    area, error = measure_area(column, scores[0])
    return ["agreement"] * (abs(area - 0.5) > SURE_ERRORS * error) + ["cut"] * (area in (0, 1))


def _list_predicted(search: Search, like: Sequence[Column]) -> list[Column]:
    """Return the columns of labels that a model predicted, by their names, or as a person named them."""
    if search.given.pred is not None:
        return [search.columns[search.given.pred]]
    proposed = propose_predictions(search, like)
    named = [name for name in proposed if search.is_known(name, "pred") or not read_name(name, "truth")]
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
    if best is None and search.given.pred is None:
        best = _find_truth_of_scores(search, columns, like)
        if best is not None:
            return best
    if best is None:
        named = sort_by_role([column.name for column in columns], "truth")
        if named and search.columns[named[0]].is_free:
            raise free_text_question(free_text_error(search.columns[named[0]]), search)
        raise missing_role_error("truth", search)
    search.take(best.name, "truth", "by its values, which it shares with another column")
    search.by_values.add(best.name)
    search.warnings.append(warn_of_truth_by_values(best.name))
    return best


def _find_named_after(search: Search, like: Sequence[Column]) -> dict[str, str]:
    """Map a column such as `churned` to what is named after it: `predicted_churned`, with its labels, or a score."""
    stems = {fold(column.name): column for column in like}
    named = {}
    for pred in _list_predicted(search, like):
        for reading in parse_name(pred.name):
            truth = stems.get(fold(reading.stem)) if reading.kind == "prediction" else None
            if truth is not None and truth is not pred and measure_overlap(truth, pred):
                named[truth.name] = "named prediction"
    if search.given.pred is not None or search.given.raw is not None:
        return named
    two = [c for c in like if len(c.sample.values) <= 2 and rank(c.name, "prediction") is None]
    return {column.name: "named score" for column in find_scored(search, two)} | named


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
    like = like if named else drop_flags(like)
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
