"""Find the scores: one a class, one for the positive class, or only a confidence; and which class is positive."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from data.columns.column import Column, sums_to
from data.columns.column_checks import are_recoded
from data.columns.column_names import parse_name, says_score
from data.columns.name_ranks import VAGUE, names_confidence, rank, sort_by_role
from data.columns.plain_labels import share_labels
from data.columns.score_scale import choose_scale, says_probability, warn_of_number_formats
from data.errors import DataError
from data.evaluation import Scale
from data.labels.name_matching import match_labels, match_names
from data.labels.positive_class import name_other_class
from data.labels.spelling import sort_labels
from data.roles.positive_label import find_positive, warn_unused_positive
from data.roles.score_blocks import (
    find_given_block,
    find_score_block,
    find_unsure_block,
    list_parts,
    names_label,
    names_score,
    repeats_truth,
)
from data.roles.score_cuts import (
    NEARLY_ALL,
    SURE_ERRORS,
    follow_truth,
    is_separated,
    measure_area,
    measure_best_cut,
)
from data.roles.score_warnings import (
    note_others,
    warn_backwards,
    warn_of_no_threshold,
    warn_of_one_side,
    warn_of_other_model,
    warn_of_unnamed,
    warn_of_unused,
)
from data.roles.search import Pairs, Search, find_score_columns, reduce_stem
from text.numbers import count
from text.quoting import list_briefly, list_items, quote

_FIGURES = re.compile(r"\W*+\d|\s*+\{\D*+\d", re.ASCII)
NO_SCORES_READ = "Scores were not read, as you chose. Choose score columns to read them."


def find_scores(
    search: Search, truth: Column, labels: Sequence[str], pred: str | None, *, many: bool
) -> tuple[Pairs, str | None]:
    """Find the scores as (column, label) pairs, and the positive class if the task is binary.

    Parameters
    ----------
    labels : the label space as far as it is known.
    many : several labels a row.
    """
    reads = not search.given.no_scores
    pairs = _find_pairs(search, truth, labels, many=many)
    if search.label_set is None:
        labels = sort_labels({*labels, *(label for _, label in pairs)})
    if pred is not None and not many:
        if reads and not pairs:
            warn_of_unused(search, _find_unsure(search, labels), truth, search.columns[pred])
        warn_of_other_model(search, pairs, labels, search.columns[pred])
    if reads:
        _warn_unreadable(search, labels)
    if many:
        warn_unused_positive(search, "a row can have several labels")
        return pairs, None
    if len(labels) == 1 and pred is None and search.given.raw is None and search.label_set is None:
        labels, pairs = _two_classes(search, truth, labels[0], pairs)
    if len(labels) == 2:
        return _find_binary_scores(search, truth, labels, pred, pairs)
    if reads and not pairs:
        _keep_confidence(search)
    warn_unused_positive(search, f"the file has {count(len(labels), 'class')}")
    return pairs, None


def _find_pairs(search: Search, truth: Column, labels: Sequence[str], *, many: bool) -> Pairs:
    """Return the columns of scores that name their labels: the person's, those of a known format, or others."""
    if search.given.no_scores:
        search.warnings.append(NO_SCORES_READ)
        return ()
    if search.given.score_columns():
        return _take_given_pairs(search, labels)
    return _take_known_pairs(search, labels) or _find_named_pairs(search, truth, labels, many=many)


def _find_binary_scores(
    search: Search, truth: Column, labels: Sequence[str], pred: str | None, pairs: Pairs
) -> tuple[Pairs, str]:
    """Find the score of a binary task where none names its label, and the positive class."""
    single = confidence = None
    if not pairs and not search.given.no_scores:
        single = _find_single_score(search, pred, labels)
        if single is None and pred is not None:
            confidence = _find_confidence(search, search.columns[pred])
    positive, why = find_positive(search, truth, labels, pairs, single)
    search.notes.append(f"The positive class is {quote(positive)}: {why}.")
    if confidence is not None:
        return ((confidence, positive),), positive
    if single is not None:
        pairs = ((single, positive),)
        is_named = single in _list_candidates(search)
        why = "by its name and its values" if is_named else "by its values"
        search.take(single, f"score of {positive}", "named by you" if single in search.given.score_columns() else why)
        if pred is None and search.given.raw is None:
            warn_of_one_side(search, truth, search.columns[single], positive)
            if not is_named:
                warn_of_unnamed(search, single)
    if pairs:
        note_others(search, pairs, _list_candidates(search))
    if len(pairs) == 1:
        warn_backwards(search, truth, *pairs[0])
        if pred is not None:
            warn_of_no_threshold(search, search.columns[pairs[0][0]], search.columns[pred])
    return pairs, positive


def take_unsure_scores(search: Search, truth: Column, labels: Sequence[str]) -> tuple[Pairs, str | None]:
    """Take columns that are named after all labels as their scores where nothing else may be predicted, and warn.

    Labels of digits may be numbers of something else: there the highest must agree with the truth.
    """
    pairs = _find_unsure(search, labels)
    if len(pairs) < 2 or (labels[0].isdigit() and not follow_truth(search.columns, pairs, truth)):
        return (), None
    search.take_pairs(pairs, "score of", "named after the label, and nothing else is predicted")
    search.warnings.append(
        f"{list_items([name for name, _ in pairs], 4, 24)} were taken as scores by their names and values only. Choose "
        "the predictions (--pred) or the scores (--scores) if that is wrong."
    )
    if len(labels) != 2:
        return pairs, None
    positive, why = find_positive(search, truth, labels, pairs, None)
    search.notes.append(f"The positive class is {quote(positive)}: {why}.")
    return pairs, positive


def _find_unsure(search: Search, labels: Sequence[str]) -> Pairs:
    """Return columns of numbers that are named after all labels, and nothing else says that they are scores."""
    if search.given.score_columns():
        return ()
    columns = [c for c in search.open() if c.file != "labels" and c.holds_numbers and c.is_finite]
    return find_unsure_block(columns, labels)


def _two_classes(search: Search, truth: Column, label: str, pairs: Pairs) -> tuple[list[str], Pairs]:
    """Return both classes of a task whose truth holds one only, and their scores; unchanged where nothing is scored.

    The other one is what a person calls positive, the usual name beside this one, or what a score is named after.
    """
    single = None if pairs else _find_single_score(search, None, [label])
    if not pairs and single is None:
        return [label], pairs
    other = name_other_class(label)
    if single is not None and other == f"not {label}":
        other = _name_scored_class(single, other)
    if search.given.positive not in (None, label):
        other = str(search.given.positive)
    search.warnings.append(
        f"Every true label is {quote(label)}. The other class was taken to be {quote(other)}: name the positive class "
        "or give the label list if it is another."
    )
    labels = sort_labels({label, other})
    if pairs or search.given.score_columns():
        return labels, pairs
    return labels, _find_named_pairs(search, truth, labels, many=False)


def _name_scored_class(score: str, otherwise: str) -> str:
    """Return the class that a score is named after, else the other name."""
    if rank(score, "score") is not None:  # y_score is no score of a class y
        return otherwise
    readings = [reading for reading in parse_name(score) if reading.kind == "score"]
    stems = [reading.stem for reading in readings if says_score(reading.affix) or reading.affix.startswith("p_")]
    return stems[0] if stems else otherwise


def _take_given_pairs(search: Search, labels: Sequence[str]) -> Pairs:
    """Return the score columns that the person named, with the labels said or found in their names."""
    given = [item for item in search.given.scores or () if not isinstance(item, str)]
    pairs: Pairs = tuple((str(column), str(label)) for column, label in given)
    names = search.given.score_columns()
    if not pairs:
        block = find_given_block([search.columns[name] for name in names], labels)
        if block:
            pairs = block.pairs
            search.warnings += block.warnings
        elif len(names) > 1:
            raise _unmatched_error(search, names, labels)
    search.take_pairs(pairs, "score of", "named by you")
    return pairs


def _unmatched_error(search: Search, names: Sequence[str], labels: Sequence[str]) -> DataError:
    """Return the error for score columns that a person named, with those of which no label is known."""
    block = find_score_block([search.columns[name] for name in names], labels)
    matched = {name for name, _ in block.pairs} if block else set()
    without = [name for name in names if name not in matched]
    return DataError(
        f"The score columns {list_briefly(without)} name no label of {list_briefly(labels)}. Name each after its label "
        "(such as p_spam), or choose the label of each."
    )


def _take_known_pairs(search: Search, labels: Sequence[str]) -> Pairs:
    """Return the scores that a known format names after their labels, also labels that occur nowhere else."""
    if search.known is None or not search.known.scores:
        return ()
    free = {column.name: column for column in search.open() if column.holds_numbers}
    columns = {stem: free[name] for name, stem in search.known.scores if name in free}
    matched = match_labels(columns, labels)
    if not matched:
        return ()
    stems = {column.name: stem for stem, column in columns.items()}
    pairs = tuple((stems | {column.name: label for label, column in matched.items()}).items())
    search.take_pairs(pairs, "score of", search.known.why)
    return pairs


def _find_named_pairs(search: Search, truth: Column, labels: Sequence[str], *, many: bool) -> Pairs:
    columns = [c for c in search.open() if rank(c.name, "id") is None and c.file != "labels"]
    block = find_score_block(columns, labels, flags=not many)
    if block is None:
        return ()
    if not many and {name for name, _ in block.pairs} <= _list_scores_of_models(search, labels):
        return ()
    if not many and repeats_truth([(search.columns[name], label) for name, label in block.pairs], truth):
        names = list_items(name for name, _ in block.pairs)
        search.warnings.append(f"{names} repeat the true labels in every row: check that they are the model's.")
        if not all(names_score(name, label) for name, label in block.pairs):
            return ()
    search.warnings += block.warnings
    search.notes += block.notes
    search.take_pairs(block.pairs, "score of", block.why)
    scored = {label for _, label in block.pairs}
    without = [label for label in labels if label not in scored]
    if without and len(labels) > 2 and not many:
        search.warnings.append(f"{count(len(without), 'label')} without a score column: {list_items(without)}.")
    return block.pairs


def _list_scores_of_models(search: Search, labels: Sequence[str]) -> set[str]:
    """Return score_1 and score_2 beside pred_1 and pred_2, which hold labels: the numbers are of models.

    They may be of classes where all numbers are labels, or the scores, or the predictions, of a row add up to 1.
    """
    predicted, scores = dict[str, Column](), dict[str, Column]()
    for column in search.columns.values():
        stems = {reading.kind: reading.stem for reading in parse_name(column.name)}
        if "prediction" in stems and _shares_labels(column, labels):
            predicted[stems["prediction"]] = column
        elif "score" in stems and column.is_number_like:
            scores[stems["score"]] = column
    scores = {stem: column for stem, column in scores.items() if stem in predicted}
    numeric = [column for column in predicted.values() if column.is_number]
    of_labels = len(match_names([*scores], labels)) == len(scores)
    if len(scores) < 2 or of_labels or sums_to([*scores.values()], 1) or sums_to(numeric, 1):
        return set()
    return {column.name for column in scores.values()}


def _shares_labels(column: Column, labels: Sequence[str]) -> bool:
    """Return whether a column holds a label, in some spelling; of 0 and 1, whether these are the two labels."""
    if column.is_continuous or column.is_free:
        return False
    values, place = share_labels(column.sample.values, labels)
    if column.is_flag:
        return len(labels) == 2 and place.keys() >= set(values)
    return not place.keys().isdisjoint(values)


# -- one score --------------------------------------------------------------------------------------


def _find_single_score(search: Search, pred: str | None, labels: Sequence[str]) -> str | None:
    """Return the score column of a binary task whose name does not say of which class."""
    given = search.given.score_columns()
    if given:
        return given[0]
    others = set(list_parts(search.open()))  # scores of classes that are no label of this column
    if pred is not None:
        others.update(_list_confidences(search, search.columns[pred]), _list_codes(search, search.columns[pred]))
    is_beside = pred is None and len(_find_unsure(search, labels)) > 1
    if is_beside:
        others |= {column.name for column in search.open() if names_confidence(column.name)}  # of the highest of these
    of_models = _list_scores_of_models(search, labels)
    names = [name for name in _list_candidates(search) if name not in others]
    names = [name for name in names if name in of_models or not names_label(name, labels)]
    if names and pred is not None:
        names = _drop_strangers(search, names, search.columns[pred])
        # first those that make the predictions, and of these first those of the model that predicts
        names = sorted(names, key=lambda name: not _is_of_model(name, pred))
        names = sorted(names, key=lambda name: not _makes(search.columns[name], search.columns[pred]))
    if names or is_beside:
        return names[0] if names else None
    columns = [column for column in search.open() if column.name not in others]
    fractions = [c for c in columns if (c.is_continuous or c.is_written_number) and c.is_in_unit_range]
    if pred is not None:  # a column of fractions may be anything, unless a threshold makes the predictions
        separating = [column for column in fractions if is_separated(column, search.columns[pred])]
        is_sure = len(separating) == 1 and (len(fractions) == 1 or _has_half_between(separating[0]))
        fractions = separating if is_sure else []
    return fractions[0].name if len(fractions) == 1 else None


def _drop_strangers(search: Search, names: Sequence[str], pred: Column) -> list[str]:
    """Return the names without numbers that no name calls a score and that say nothing of predictions; warn of them.

    A column called forecast or output may hold a number of anything.
    """
    scores = {column.name for column in find_score_columns([search.columns[name] for name in names])}
    strangers = [name for name in names if name not in scores and _says_nothing(search.columns[name], pred)]
    if strangers:
        search.warnings.append(
            f"{quote(strangers[0])} was not used: it says nothing of {quote(pred.name)}. If it is the score, "
            "choose it (--score)."
        )
    return [name for name in names if name not in strangers]


def _says_nothing(score: Column, pred: Column) -> bool:
    """Return whether predictions of two labels neither follow from a threshold on numbers, nor go with them.

    A person may have corrected predictions, or each row may have a threshold of its own. Of few rows nobody can tell.
    """
    if not score.is_finite or len(pred.distinct.values) != 2:
        return False
    area, error = measure_area(pred, score)
    return abs(area - 0.5) <= SURE_ERRORS * error and measure_best_cut(score, pred) < NEARLY_ALL


def _is_of_model(score: str, pred: str) -> bool:
    """Return whether a score and a prediction are named after one model: gpt4_score beside gpt4 or gpt4_label."""
    models = {reduce_stem(reading.stem) for reading in parse_name(pred)}
    return any(reading.kind == "score" and reduce_stem(reading.stem) in models for reading in parse_name(score))


def _makes(score: Column, pred: Column) -> bool:
    """Return whether a threshold on a score makes a prediction of two labels; of one, any does."""
    return len(pred.distinct.values) == 2 and score.is_finite and is_separated(score, pred)


def _list_codes(search: Search, pred: Column) -> list[str]:
    """Return columns that hold predicted labels as 0 and 1, unless they are named a score of something."""
    if len(pred.distinct.values) == 1:  # any column of one number would
        return []
    names = [name for name in _list_candidates(search) if rank(name, "score") is None]
    return [name for name in names if are_recoded(pred, search.columns[name])]


def _has_half_between(column: Column) -> bool:
    """Return whether numbers lie on both sides of 0.5."""
    return column.range[0] < 0.5 <= column.range[1]


def _find_confidence(search: Search, pred: Column) -> str | None:
    """Find the first column of scores of the predicted label, which gives the score of either of two labels."""
    names = [] if search.given.score_columns() else _list_confidences(search, pred)
    if not names:
        return None
    search.take(
        names[0], "confidence", search.why(names[0], "confidence", "the score of whichever label was predicted")
    )
    return names[0]


def _list_confidences(search: Search, pred: Column) -> list[str]:
    """Return columns of scores of the predicted label: the known format says so, or their values do."""
    known = [name for name in search.proposed("confidence", ()) if search.columns[name].holds_numbers]
    known = [name for name in known if not _is_of_one_class(search.columns[name], pred)]
    by_values = [name for name in _list_candidates(search) if _is_confidence(search.columns[name], pred)]
    return list(dict.fromkeys([*known, *by_values]))


def _list_candidates(search: Search) -> list[str]:
    """Return columns of numbers named like a score, best name first; last those that name a confidence."""
    columns = [column for column in search.open() if rank(column.name, "id") is None and column.is_number_like]
    names = [column.name for column in columns]
    affixed = [column.name for column in columns if _has_score_affix(column)]
    # a column named like predictions holds scores where its numbers are fractions
    exact = [name for name in sort_by_role(names, "prediction") if (rank(name, "prediction") or 0) < VAGUE]
    predictions = [name for name in exact if search.columns[name].is_continuous]
    return sorted(dict.fromkeys([*sort_by_role(names, "score"), *affixed, *predictions]), key=names_confidence)


def _has_score_affix(column: Column) -> bool:
    """Return whether a name has a score's prefix or suffix; a vaguer one (p_, pred_) only with values in 0 to 1.

    Only 0 and 1 below a vaguer one are labels, such as pred_svm beside pred_forest.
    """
    affixes = [reading.affix for reading in parse_name(column.name) if reading.kind == "score"]
    return any(map(says_score, affixes)) or (bool(affixes) and not column.is_flag and column.is_in_unit_range)


def _is_confidence(score: Column, pred: Column) -> bool:
    """Return whether it scores the predicted label: 0.5 or more for both, and no threshold separates them."""
    low, high = score.range  # refuses a cell that is no number
    if not score.holds_numbers or len(pred.distinct.values) != 2:
        return False
    whole = 100 if high > 1 and (names_confidence(score.name) or says_probability(score.name)) else 1
    return whole / 2 <= low <= high <= whole and not is_separated(score, pred)


def _is_of_one_class(score: Column, pred: Column) -> bool:
    """Return whether values contradict a confidence: they leave 0 to 1, or a threshold makes the labels."""
    if not score.is_in_unit_range:
        return True
    return len(pred.distinct.values) == 2 and score.range[0] < 0.5 and is_separated(score, pred)


def _keep_confidence(search: Search) -> None:
    """Keep the one score in a task of several classes: it says how sure the model was of what it predicted."""
    ranking = sort_by_role([c.name for c in search.open() if c.holds_numbers], "score")
    named = [name for name in search.proposed("confidence", ranking) if search.columns[name].is_number_like]
    search.warnings += warn_of_number_formats(search.columns[name] for name in named)
    for name in search.given.score_columns() or named:
        search.take(name, "confidence", search.why(name, "confidence", "one score in a task of several classes"))
        search.notes.append(
            f"{quote(name)} is one score, but there are several classes: it is kept as the confidence in the "
            "prediction."
        )


def _warn_unreadable(search: Search, labels: Sequence[str]) -> None:
    """Warn of a column that is named like a score or after a label, but written in a way that is not read."""
    texts = {column.name: column for column in search.open() if not column.is_number}
    named = [*sort_by_role(texts, "score"), *filter(says_probability, texts)]
    with_figures = [name for name in named if texts[name].is_number_like or _begin_with_figures(texts[name])]
    of_classes = [name for name, column in texts.items() if column.is_number_like and names_label(name, labels)]
    for name in dict.fromkeys([*with_figures, *of_classes]):
        try:
            _ = search.columns[name].numbers
        except DataError as error:
            search.warnings.append(f"{quote(name)} was not used. {error}")


def _begin_with_figures(column: Column) -> bool:
    """Return whether most values begin with a figure, or hold one in braces: `0.9 (high)` or `{"cat": 0.9}`."""
    values = column.sample.values
    return 2 * sum(bool(_FIGURES.match(value)) for value in values) > len(values)


_TAKEN = {"probability": "probabilities", "logit": "logits", "score": "scores on a scale of their own"}


def find_scale(search: Search, pairs: Pairs) -> Scale | Literal["confidence"]:
    """Find the scale of the scores by names and values; say why, and warn where these disagree.

    A person's word comes first.
    """
    if not pairs:
        return "probability"
    if search.given.scale is not None:
        return search.given.scale
    if len(pairs) == 1 and search.roles[pairs[0][0]][0] == "confidence":
        return "confidence"
    scale, why, doubt = choose_scale([search.columns[name] for name, _ in pairs])
    taken = "per cent" if why.startswith("per cent") else _TAKEN[scale]
    if scale != "probability":
        search.notes.append(f"The scores are taken as {taken}, because {why}.")
    if doubt:
        search.warnings.append(f"{doubt}: taken as {taken}. Choose the scale if that is wrong.")
    return scale
