"""Find the predictions among the columns: hard labels, or raw answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from data.answers.parsing import OUTSIDE, READ, count_mentions, parse_answers
from data.answers.unread_answers import is_no_answer
from data.columns.column import FEWEST_JUDGED, Column
from data.columns.column_checks import measure_kappa
from data.columns.column_names import parse_name
from data.columns.evidence import (
    CONFIDENCE_ONLY,
    LEAST_KAPPA,
    NO_OTHER,
    OTHER_PREDICTED,
    Candidate,
    read_name,
)
from data.columns.name_ranks import is_of_old, is_weak_raw, name_strength, names_confidence, rank, sort_by_role
from data.columns.plain_labels import are_answers, share_labels
from data.columns.rater_columns import is_model, is_person
from data.columns.role_names import fold
from data.labels.cell_sets import SetEncoding, find_similar_encoding, read_members
from data.labels.encode import build_label_space
from data.limits import COLUMN_SAMPLE_ROWS
from data.roles.candidates import (
    drop_flags,
    find_scored,
    measure_overlap,
    names_labels,
)
from data.roles.followers import choose_followers
from data.roles.score_blocks import find_score_block, find_unsure_block
from data.roles.score_cuts import follows_score
from data.roles.search import Search, find_score_columns, list_predicted_names, propose_predictions
from data.roles.shared_roles import find_namesake, is_same_in_both
from text.quoting import quote


def find_prediction(search: Search, truth: Column, labels: Sequence[str], sets: SetEncoding | None) -> str | None:
    """Find the column of predicted labels; None if there are raw answers or scores instead, or nothing."""
    given = search.given
    if given.pred is not None:
        return search.take(given.pred, "prediction", "named by you")
    if given.raw is not None or _parses_all(search):
        return None
    candidates = weigh_predictions(search, truth, labels, sets)
    others = _weigh_others(search, truth, labels)
    if not candidates or candidates[0].points < others:
        return None
    best = candidates[0]
    search.weighed["prediction"] = candidates
    if not best.is_named:
        search.by_values.add(best.name)
    return search.take(best.name, "prediction", search.why(best.name, "pred", best.reason))


def weigh_predictions(
    search: Search, truth: Column, labels: Sequence[str], sets: SetEncoding | None
) -> list[Candidate]:
    """Return the columns that may hold predicted labels with what speaks for each, the best first."""
    columns = _list_predictable(search, truth)
    named = _list_named(search, truth, columns, labels, sets)
    weighed = [_weigh_named(search, truth, search.columns[name], labels, sets) for name in named]
    candidates = [candidate for candidate in weighed if candidate is not None]
    others = [column for column in columns if column.name not in named]
    if all(candidate.is_doubted for candidate in candidates):
        followers = [] if sets is not None else choose_followers(search, truth, others, labels)
        candidates += _weigh_by_values(truth, others, followers)
    elif all(candidate.is_doubted or "model" in candidate.evidence for candidate in candidates):
        classes = {label for column in (truth, *(c.column for c in candidates)) for label in column.sample.values}
        affixes = {affix for candidate in candidates for affix in _list_affixes(candidate.name)}
        others_by_values = _weigh_by_values(truth, others, [])
        candidates += [
            other
            for other in others_by_values
            if _is_like_model(truth, other, classes) or (not other.is_doubted and affixes & _list_affixes(other.name))
        ]
    return sorted(candidates, key=lambda candidate: -candidate.points)


def _list_named(
    search: Search, truth: Column, columns: Sequence[Column], labels: Sequence[str], sets: SetEncoding | None
) -> list[str]:
    """Return the names that propose a prediction: as such, as the truth of the other file, or as a model."""
    proposed = propose_predictions(search, columns)
    namesake = find_namesake(search, truth.name)
    namesakes = [column.name for column in search.open() if column.name == namesake]
    models = [column.name for column in columns if is_model(column.name)]
    scores = set() if sets is not None else _list_scores(columns, labels)
    return [name for name in dict.fromkeys([*proposed, *namesakes, *models]) if name not in scores]


def _weigh_named(
    search: Search, truth: Column, column: Column, labels: Sequence[str], sets: SetEncoding | None
) -> Candidate | None:
    """Return a column that its name proposes, with what speaks for it; None where too little does."""
    if reads_as(column, labels, sets, text=search.is_known(column.name, "raw")) != "hard":
        return None
    hints = ["format"] if search.is_known(column.name, "pred") else read_name(column.name, "prediction")
    if fold(truth.name) in list_predicted_names(search, column):
        hints.append("counterpart")
    if column.name == find_namesake(search, truth.name):
        hints.append("namesake")
    fit = ["labels"] if sets or _shares_labels(column, labels) else []
    if measure_kappa(truth, column) >= LEAST_KAPPA:
        fit.append("agreement")
    if not fit and (not hints or is_same_in_both(search, column)):
        return None
    if not hints:  # it is called as a model is, which says nothing of a role
        hints = ["model", "old"] if is_of_old(column.name) else ["model"]
    return Candidate(column, "prediction", (*hints, *fit, *_doubt(column)))


def _list_affixes(name: str) -> set[str]:
    """Return what may stand beside a model in a name, such as _label in gpt4_label."""
    return {reading.affix for reading in parse_name(name) if reading.kind != "plain"}


def _is_like_model(truth: Column, other: Candidate, classes: set[str]) -> bool:
    """Return whether a column without a name may be another model's: it agrees with the truth, or shares its classes.

    The agreement of few rows says nothing; then words other than yes and no, and three classes or more, are told from
    a feature of two values.
    classes : of the truth and of what is predicted.
    """
    kappa = measure_kappa(truth, other.column)
    are_told = len(classes) > 2 or not (truth.is_number or are_answers(classes))
    return not other.is_doubted and (kappa >= LEAST_KAPPA or (kappa != kappa and are_told))


def _doubt(column: Column) -> list[str]:
    return ["person"] * is_person(column.name) + ["labels file"] * (column.file == "labels")


def _weigh_others(search: Search, truth: Column, labels: Sequence[str]) -> int:
    """Return the points of scores or answers that may take the place of predicted labels; 0 without."""
    raw, _ = _find_raw_column(search, truth, labels)
    scored = search.given.score_columns() or find_scored(search, [truth]) or (raw and not is_same_in_both(search, raw))
    columns = _list_predictable(search, truth)
    sure = [column for column in columns if not names_confidence(column.name)]
    is_judged = len(truth.distinct.codes) >= FEWEST_JUDGED  # a score of fewer rows is 0 and 1 alone by chance
    varied = [column for column in sure if not is_judged or _varies_as_scores(column, truth)]
    is_scored = _has_scores(varied, labels) or find_score_block(sure, labels) is not None
    if scored or is_scored or (len(labels) == 2 and find_score_columns(varied)):
        return OTHER_PREDICTED
    return CONFIDENCE_ONLY if _has_scores(columns, labels) else NO_OTHER


def _varies_as_scores(column: Column, truth: Column) -> bool:
    """Return whether a column holds numbers, not the same one in all rows; 0 and 1 alone only if the truth follows."""
    if not column.holds_numbers or (column.is_flag and not follows_score(truth, column)):
        return False
    return not column.is_finite or column.range[0] < column.range[1]


def _list_predictable(search: Search, truth: Column) -> list[Column]:
    """Return the columns that may hold predictions: of two files, those of the labels only where no other will do."""
    columns = search.open()
    others = [column for column in columns if column.file != "labels"]
    return others if truth.file == "labels" and any(column.file for column in others) else columns


def _list_scores(columns: Sequence[Column], labels: Sequence[str]) -> set[str]:
    """Return the columns of a score per class: pred_0 and pred_1 of 0 and 1 are no predictions of two classes."""
    block = find_score_block(columns, labels)
    return {name for name, _ in block.pairs} if block is not None and len(block.pairs) > 1 else set()


def _parses_all(search: Search) -> bool:
    """Return whether the known format has answers only: those that are bare labels are parsed, too."""
    return search.known is not None and search.known.parsed


def _shares_labels(column: Column, labels: Sequence[str]) -> bool:
    space = build_label_space({"truth": labels, "predictions": column.sample.values[:4000]}, space=["truth"])
    predicted, true = (set(space.spelling[of].values()) for of in ("predictions", "truth"))
    return not predicted.isdisjoint(true)


def _has_scores(columns: Sequence[Column], labels: Sequence[str]) -> bool:
    numeric = [column for column in columns if column.holds_numbers]
    named = any(rank(column.name, "score") is not None for column in numeric)
    return named or find_score_block(columns, labels) is not None


def _weigh_by_values(truth: Column, columns: Sequence[Column], followers: Sequence[Column]) -> list[Candidate]:
    """Return the columns that share the labels of the truth, those that agree with it most often first.

    followers : those of them that follow from the scores.
    """
    like = [c for c in columns if rank(c.name, "id") is None and not c.is_continuous and not c.is_free]
    like = [column for column in like if column in followers or not _is_named_score(column)]
    people = [column for column in like if is_person(column.name)]
    others = [column for column in like if column not in people and column not in followers]
    overlaps = [
        (measure_overlap(truth, column), column) for column in (*drop_flags(others, most=1), *followers, *people)
    ]
    candidates = []
    for overlap, column in sorted(overlaps, key=lambda pair: -pair[0]):
        if not overlap and column not in followers:
            continue
        fit = ["labels"]
        kappa = measure_kappa(truth, column)
        if kappa >= LEAST_KAPPA or kappa != kappa:  # NaN: too few rows say nothing against it
            fit.append("agreement")
        if column in followers and not find_score_columns([column]):
            fit.append("of the scores")
        elif column in followers and "agreement" in fit:
            fit.append("hard score")
        candidates.append(Candidate(column, "prediction", (*fit, *_doubt(column))))
    return candidates


def _is_named_score(column: Column) -> bool:
    """Tell whether numbers are named like a score or a confidence, such as `decile_score` from 1 to 10."""
    affixes = [reading.affix for reading in parse_name(column.name) if reading.kind == "score"]
    named = any(word in affix for affix in affixes for word in ("score", "prob", "logit", "confidence"))
    return (named or rank(column.name, "score") is not None) and column.holds_numbers


def warn_of_values(search: Search, truth: str, pred: str | None) -> None:
    """Warn that the truth, the prediction or both were found by their values only."""
    if pred is not None and {truth, pred} <= search.by_values:
        search.warnings.append(
            f"Truth and prediction were found by their values only: {quote(truth)} was taken as the truth, "
            f"{quote(pred)}, which shares its labels, as the prediction. Check which is which, and choose other "
            "columns if it is wrong."
        )
    elif truth in search.by_values:
        beside = f", for the predictions in {quote(pred)}" if pred else ""
        search.warnings.append(
            f"The truth was found by its values only: {quote(truth)}{beside}. Check it, and choose another column if "
            "it is wrong."
        )
    elif pred in search.by_values:
        weighed = [candidate for candidate in search.weighed["prediction"] if candidate.name == pred]
        evidence = {key for candidate in weighed for key in candidate.evidence}
        if "hard score" in evidence:
            shown = f"holds labels of {quote(truth)} and no scores"
        elif "of the scores" in evidence:
            shown = "follows from the scores"
        else:
            shown = f"shares its labels with {quote(truth)}"
        search.warnings.append(
            f"The prediction was found by its values only: {quote(pred)} {shown}. Check it, and choose another column "
            "if it is wrong."
        )


def reads_as(column: Column, labels: Sequence[str], sets: SetEncoding | None, *, text: bool = False) -> str:
    """Return what a column of predictions holds: "hard" labels, "raw" text, or "no" labels (scores, or nothing).

    text : whether it is known to be for texts, whatever its name.
    """
    values = column.sample.values
    if not values or column.is_continuous:
        return "no"
    if sets is not None:
        sets = find_similar_encoding(values, labels, sets)
        members = {label for cell in values for label in read_members(cell, sets) or ()}
        shared = members.intersection(labels or members)  # without a true label in the file, any label will do
        return "hard" if shared else "no"
    strange = _list_strange(values, labels)
    if not strange or column.is_number:
        return "hard"
    if column.is_written_number and len(strange) == len(values):
        return "no"
    long = sum(len(value) > 80 or len(value.split()) > 6 for value in strange)
    if column.is_free or long > len(strange) / 3:
        return "raw"
    text = text or rank(column.name, "raw") is not None
    return "raw" if text and _needs_parsing(strange, labels, len(values)) else "hard"


def _list_strange(values: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Return the values that are no label by themselves."""
    spelled, known = share_labels(values, labels) if len(values) < 50_000 else (list(values), {})
    return [value for value, label in zip(values, spelled, strict=True) if label not in known]


def _needs_parsing(strange: Sequence[str], labels: Sequence[str], n_values: int) -> bool:
    """Return whether answers are labels with something around them, or sentences, or mostly no labels."""
    outcomes = parse_answers(strange[:1000], labels, keep=False).names()
    made_up = (OUTSIDE, "truncated")  # a label that begins like another one may be just that
    return any(outcome not in made_up for outcome in outcomes) or len(strange) > n_values / 2


def find_raw(search: Search, truth: Column, labels: Sequence[str]) -> str | None:
    """Find the column of free text answers, or None."""
    if search.given.raw is not None:
        return search.take(search.given.raw, "raw answer", "named by you")
    column, unread = _find_raw_column(search, truth, labels)
    if unread:
        search.warnings.append(
            f"No label could be read from the texts in {quote(unread[0])}, and the file has scores, so the texts were "
            "not used. If they are the answers, choose them (--raw)."
        )
    if column is None:
        return None
    _warn_of_words(search, truth, column, labels)
    why = "by its name and its texts, which are not labels but may name one"
    return search.take(column.name, "raw answer", search.why(column.name, "raw", why))


def _warn_of_words(search: Search, truth: Column, column: Column, labels: Sequence[str]) -> None:
    """Warn of answers that may be classes of no true row: words as the labels are, from which no label is read."""
    if search.is_known(column.name, "raw") or rank(column.name, "prediction") is None:
        return
    answers = _list_strange(column.sample.values, labels)[:1000]
    words = [answer for answer in answers if not is_no_answer(answer)]
    are_words = all(re.sub(r"[_-]", "", word).isalnum() for word in (*words, *labels))
    if are_words and set(parse_answers(words, labels, keep=False).names()) == {"unparseable"}:
        search.warnings.append(
            f"Some answers in {quote(column.name)} are words that are no labels of {quote(truth.name)}, such as "
            f"{quote(words[0])}: they count as answers without a label. If such words are classes, choose "
            f"{quote(column.name)} as the prediction (--pred)."
        )


def _find_raw_column(search: Search, truth: Column, labels: Sequence[str]) -> tuple[Column | None, list[str]]:
    """Return the column of answers; and the columns before it that are named so, but hold no label beside scores."""
    names = [column.name for column in search.open()]
    likely = search.proposed("raw", dict.fromkeys([*sort_by_role(names, "raw"), *sort_by_role(names, "prediction")]))
    known = {name for name in likely if search.is_known(name, "raw")}
    sure = [column for column in search.open() if not names_confidence(column.name)]
    is_scored = bool(likely) and bool(search.given.score_columns() or _has_scores(sure, labels))
    unread: list[str] = []
    for name in likely:
        column = search.columns[name]
        if name in known and _parses_all(search):
            return column, unread
        weak = is_weak_raw(name) or (is_scored and column.mostly_differs)
        if reads_as(column, labels, None, text=name in known) != "raw":
            continue
        if name in known or names_labels(column, labels):
            return column, unread
        general = name_strength(name, "prediction") == "general name"
        texts = not weak and general and column.mostly_differs
        if texts and _is_scored(search, truth, sure, labels) and _names_none(column, labels):
            unread.append(name)
        elif not weak:
            return column, unread
    return None, unread


def _is_scored(search: Search, truth: Column, columns: Sequence[Column], labels: Sequence[str]) -> bool:
    """Return whether numbers take the place of answers: scores of one of two labels, or of every label, that say it."""
    if search.given.parser is not None:
        return False
    numeric = [column for column in columns if column.file != "labels" and column.holds_numbers]
    fractions = [column.name for column in numeric if column.is_continuous or column.is_written_number]
    names = [column.name for column in find_score_columns(numeric)] or sort_by_role(fractions, "prediction")
    if len(labels) != 2 or not names:
        names = [name for name, label in find_unsure_block(numeric, labels) if label in truth.sample.values[1:2]]
    return bool(names) and all(follows_score(truth, search.columns[name]) for name in names)


def _names_none(column: Column, labels: Sequence[str]) -> bool:
    """Return whether no label can be read from any text of a column, and most do not mention one."""
    values = column.sample.values
    texts = values[:: len(values) // COLUMN_SAMPLE_ROWS + 1]
    outcomes = parse_answers(texts, labels, keep=False).names()
    return set(READ).isdisjoint(outcomes) and 2 * count_mentions(texts, labels) <= len(texts)
