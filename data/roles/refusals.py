"""Ask, or warn, where the columns of truth and prediction are copies, or have nothing in common."""

from __future__ import annotations

from collections.abc import Sequence

from data.columns.column import FEWEST_JUDGED, Column
from data.columns.column_checks import are_copies, are_recoded, measure_kappa
from data.columns.evidence import ASKED_BELOW, LEAST_KAPPA, WARNED_BELOW, WEIGHTS, Candidate
from data.columns.name_ranks import name_strength, rank
from data.columns.plain_labels import share_labels
from data.columns.rater_columns import is_person
from data.errors import Guess, RolesNeeded
from data.evaluation import Settings
from data.roles.candidates import (
    guess_roles,
    is_second_name,
    measure_agreement,
)
from data.roles.search import Search, is_label_like
from text.numbers import count, percent
from text.quoting import list_items, quote

CLEAR_KAPPA = 0.5


_WORDS = {"truth": "the true labels", "prediction": "the predictions"}
_COMPARED = " The page Agreement compares people, Compare compares models."


def settle_rivals(search: Search, settings: Settings) -> None:
    """Say which column was the next best for a role, and how near it came: in its reason, a warning or a question.

    Raises
    ------
    RolesNeeded
        as much speaks for another column, and they are no people or models of a kind.
    """
    for role, candidates in search.weighed.items():
        if not candidates:
            continue
        best, *others = [candidate for candidate in candidates if _is_free(search, candidate)]
        rivals = [rival for rival in others if not _repeats(best, rival)]
        if "old" in best.evidence:
            search.warnings.append(
                f"{quote(best.name)} was taken as {_WORDS[role]}, but by its name another column took its place. "
                "Choose that, if there is one."
            )
        if not rivals:
            continue
        _, why = search.roles[best.name]
        search.take(best.name, role, f"{why}; the next is {quote(rivals[0].name)}, {rivals[0].reason}")
        near = [rival for rival in rivals if _is_near(best, rival)]
        if not near:
            continue
        names = list_items([rival.name for rival in near], 4, 24)
        are_many = _are_of_a_kind(best, near[0])
        if best.points - near[0].points < ASKED_BELOW and not are_many:
            raise RolesNeeded(
                f"{quote(best.name)} and {names} could each be {_WORDS[role]}: as much speaks for either. "
                "Choose the column.",
                _guess_from(settings),
            )
        search.warnings.append(
            f"{quote(best.name)} was taken as {_WORDS[role]}; {names} could be, too. Choose another column if that is "
            f"wrong.{_COMPARED * are_many}"
        )


def _repeats(best: Candidate, rival: Candidate) -> bool:
    """Return whether a column says the same in other words: of labels that both could mean, the same ones."""
    if not are_recoded(best.column, rival.column):
        return False
    filled = best.column.sample_codes >= 0
    return "labels" not in rival.evidence or measure_agreement(best.column, rival.column, filled) == 1


def _is_free(search: Search, candidate: Candidate) -> bool:
    """Return whether a column has the role that it is a candidate for, or none."""
    return search.roles.get(candidate.name, (candidate.role, ""))[0] in (candidate.role, "other")


def _is_near(best: Candidate, rival: Candidate) -> bool:
    """Return whether a column could have the role just as well, or but for what says how good a model is.

    A better model agrees more with the truth, and a perfect score cuts it in two: neither says what is meant.
    """
    if best.points - rival.points < WARNED_BELOW:
        return True
    if best.role == "prediction":
        speaks = {*rival.evidence} - {"agreement"}
        is_another = rival.is_named and "labels" in speaks and "old" not in speaks
        if "model" in best.evidence and not rival.is_named:
            return True  # a column of labels that is no known model's may be that of one
        return best.is_named and (is_another or {*best.evidence} - {"agreement"} == speaks)
    is_named_so = rival.is_named and "labels" in rival.evidence
    if is_named_so and best.without("agreement").points - rival.points < WARNED_BELOW:
        return True
    if {"person", "consensus", "question"} & {*best.evidence}:
        return rival.is_named or ("agreement" in rival.evidence and not is_person(rival.name))
    return "cut" in rival.evidence and best.points + WEIGHTS["truth"]["cut"].points <= rival.points


def _are_of_a_kind(best: Candidate, rival: Candidate) -> bool:
    """Return whether both are people, or both are predictions by their names: files of several raters, or models."""
    if best.role == "prediction" and best.is_named and rival.is_named:
        return True
    return is_person(best.name) and is_person(rival.name)


def _guess_from(settings: Settings) -> Guess:
    score = settings.scores[0][0] if len(settings.scores) == 1 else None
    return Guess(settings.truth, settings.pred, settings.raw, score)


def warn_of_either_way(search: Search, settings: Settings) -> None:
    """Warn where truth and prediction could be exchanged: each is named so that it may be either, as label and class.

    What a known tool writes, a person named, or stands in a file of labels, is settled.
    """
    truth, pred = settings.truth, settings.pred
    if truth is None or pred is None or search.known or search.given.truth or search.given.pred:
        return
    if search.columns[truth].file:
        return
    names = {name_strength(name, role) for name in (truth, pred) for role in ("truth", "prediction")}
    if names == {"general name"}:
        search.warnings.append(
            f"{quote(truth)} was taken as {_WORDS['truth']} and {quote(pred)} as {_WORDS['prediction']}; by their "
            "names it could be the other way round. Swap them if that is wrong (--truth, --pred)."
        )


def warn_of_equal_columns(search: Search, truths: Sequence[str], predictions: Sequence[str]) -> None:
    """Warn where truth and prediction hold the same in every row: a perfect model, or a copy of one column.

    Two columns of one file have 20 rows at least: of fewer, a model is often right in each.
    """
    shared = {both.labels: both.predictions for both in search.shared if both.same}
    pairs = [(name, shared[name]) for name in truths if shared.get(name) in predictions]
    if len(truths) == len(predictions) == 1 and _are_long_copies(search, truths[0], predictions[0]):
        pairs = [(truths[0], predictions[0])]
    if not pairs:
        return
    names = list_items(name for pair in pairs for name in pair)
    what = "The prediction holds" if len(pairs) == 1 else "These predictions hold"
    search.warnings.append(
        f"{what} the same as the truth in every row: {names}. Choose other columns (--truth, --pred), unless the model "
        "is perfect."
    )


def _are_long_copies(search: Search, first: str, second: str) -> bool:
    columns = search.columns[first], search.columns[second]
    return len(columns[0].array) >= FEWEST_JUDGED and are_copies(*columns)


def refuse_copies(search: Search, truth: Column, pred: Column) -> None:
    """Ask which column is which where names do not tell, and one column is a copy of the other.

    Raises
    ------
    RolesNeeded
        at least one of the two was found by its values, and comparing them says nothing about a model.
    """
    two_files = truth.file == "labels" and pred.file == "predictions"
    if two_files or not search.by_values & {truth.name, pred.name}:
        return
    twice = is_second_name(truth.name, pred.name)
    if not twice and not are_copies(truth, pred):
        return
    held = "is a second column of the name" if twice else "holds the same as"
    candidates = [c.name for c in search.columns.values() if is_label_like(c, search.label_set) or c.is_number_like]
    raise RolesNeeded(
        f"{quote(pred.name)} {held} {quote(truth.name)}, and nothing says which columns are the true labels and the "
        f"predictions. Choose them; candidates are {list_items(candidates, 6, 24)}.",
        guess_roles(search, (truth, pred)),
    )


def refuse_strangers(search: Search, truth: Column, pred: Column) -> None:
    """Ask which column is which where only values were left to tell, and the two hardly agree.

    They agree hardly more than by chance (Cohen's kappa below 0.2, or 0.1 where a name told one of them); or no name
    told either, they share less than half of their labels, and kappa is below 0.5. A prediction that follows from the
    scores is one, however weak the model.

    Raises
    ------
    RolesNeeded
        with the two columns as the guess: a model may be that bad, and then one click says so.
    """
    named = {truth.name} if rank(truth.name.rpartition(".")[2], "truth") is not None else set()  # instance.label
    told = (search.by_values & {truth.name, pred.name}) - named
    of_scores = any("of the scores" in c.evidence for c in search.weighed.get("prediction", ()) if c.name == pred.name)
    if not told or of_scores or len(truth.sample_codes) < FEWEST_JUDGED:
        return
    filled = (truth.sample_codes >= 0) & (pred.sample_codes >= 0)
    n_filled = int(filled.sum())
    kappa, (shared, either) = measure_kappa(truth, pred) if n_filled else 0.0, _count_shared(truth, pred)
    by_chance = kappa < (LEAST_KAPPA if len(told) == 2 else LEAST_KAPPA / 2)
    if not by_chance and not (len(told) == 2 and 2 * shared < either and kappa < CLEAR_KAPPA):
        return
    if not n_filled:
        seen = "are never both filled in one row, so no agreement can be known"
    elif by_chance:
        rows = "the rows" if n_filled == len(filled) else f"the {count(n_filled)} that have both"
        seen = f"agree in {percent(measure_agreement(truth, pred, filled))} of {rows}, hardly more than by chance"
    else:
        seen = f"share only {shared:,} of {count(either, 'label')}"
    missing = " or ".join(
        what for column, what in ((truth, "the true labels"), (pred, "the predictions")) if column.name in told
    )
    raise RolesNeeded(
        f"No column is named like {missing}. {quote(truth.name)} and {quote(pred.name)} are most alike, but they "
        f"{seen}. Choose the columns.",
        Guess(truth.name, pred.name, None, None),
    )


def _count_shared(first: Column, second: Column) -> tuple[int, int]:
    """Count the labels that both columns have, and those that either has."""
    values, place = share_labels(first.sample.values, second.sample.values)
    return len(place.keys() & values), len(place.keys() | values)
