"""Rank how well the name of a column fits a role, by `data.columns.role_names`, and find the name that was meant.

Names only propose; values decide.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache

from data.columns import role_names
from data.columns.plain_names import remove_accents, split_side, split_words
from data.columns.role_names import fold
from data.environment import value
from data.limits import COMPARED_NAME_CHARS
from text.quoting import list_items, quote


def _without_affixes(name: str) -> str:
    """Return a name as roles are looked up: folded, without accents and without a sign of per cent at the end.

    >>> _without_affixes("Wahrscheinlichkeit (%)"), _without_affixes("Prédiction")
    ('wahrscheinlichkeit', 'prediction')
    """
    return remove_accents(re.sub(r"[(\[]?(in)?%[)\]]?$", "", fold(name)))


def _list_places(names: Iterable[str]) -> dict[str, int]:
    return {_without_affixes(name): place for place, name in reversed(list(enumerate(names)))}


_RANKS = {
    "truth": _list_places(role_names.TRUTH),
    "prediction": _list_places(role_names.PREDICTION),
    "raw": _list_places(role_names.RAW),
    "score": _list_places(role_names.SCORE),
    "id": _list_places(role_names.ID),
}
_WORDS = {
    "truth": {remove_accents(word) for word in role_names.TRUTH_WORDS},
    "prediction": {remove_accents(word) for word in role_names.PREDICTION_WORDS},
}
_NO_LABEL_WORDS = {remove_accents(word) for word in role_names.NO_LABEL_WORDS}
VAGUE = 500
"""The rank of a name that only has a fitting word in it."""
WEAK = VAGUE + 20
"""From this rank on a name is a feature's as often as the role's: the values must fit what is predicted."""
_WEAK_RANKS = {"truth": {name: WEAK + place for name, place in _list_places(role_names.WEAK_TRUTH).items()}}
_CONFIDENCE = {_without_affixes(name) for name in role_names.CONFIDENCE}
_COUNT = {_without_affixes(name) for name in role_names.COUNT}
_WEAK_RAW = {_without_affixes(name) for name in role_names.WEAK_RAW}


def rank(name: str, role: str) -> int | None:
    """Return how well a name fits a role (0 = best), or None. A word like "pred" inside a longer name fits, too.

    >>> rank("y_true", "truth"), rank("model_pred", "prediction") is not None, rank("age", "truth")
    (0, True, None)
    """
    return _rank(name, role) if len(name) > COMPARED_NAME_CHARS else _keep_ranks()(name)[role]


@cache
def _keep_ranks() -> Callable[[str], dict[str, int | None]]:
    """Keep the ranks of as many names as two files may have."""
    return lru_cache(maxsize=2 * int(value("BLINDSPOT_COLUMNS")))(_ranks)


def _ranks(name: str) -> dict[str, int | None]:
    """Return the rank of a name for every role."""
    return {role: _rank(name, role) for role in _RANKS}


def _rank(name: str, role: str) -> int | None:
    base = split_side(name)[0]
    plain = _without_affixes(base)
    if role == "id" and base.strip().casefold() in role_names.NUMBER_SIGNS:
        return len(role_names.ID)
    exact = _RANKS[role].get(plain)
    if exact is not None:
        return exact
    return VAGUE if _has_word(base, role) else _WEAK_RANKS.get(role, {}).get(plain)


def _has_word(base: str, role: str) -> bool:
    """Return whether a word of a longer name fits the role, and none says that the column holds no labels."""
    base = remove_accents(base)
    if not any(word in base.casefold() for word in _WORDS.get(role, ())):
        return False
    words = split_words(base)
    return bool(words & _WORDS[role]) and not words & _NO_LABEL_WORDS


_SURE_IDS = role_names.ID.index("key")
_SURE = {"truth": len(role_names.SURE_TRUTH), "prediction": len(role_names.SURE_PREDICTION)}


def name_strength(name: str, role: str) -> str | None:
    """Return how surely a name is that of the truth, or the prediction; None where it is not.

    "sure name" is hardly anything else's, "general name" another role's, too; "word": a longer name has a fitting word;
    "weak name": it is a feature's as often.

    >>> [name_strength(name, "truth") for name in ("y_true", "label", "gold_intent", "outcome", "age")]
    ['sure name', 'general name', 'word', 'weak name', None]
    """
    place = rank(name, role)
    if place is None or place >= WEAK:
        return None if place is None else "weak name"
    if place >= VAGUE or (role == "truth" and fold(split_side(name)[0]) in role_names.BY_HAND):
        return "word"
    return "sure name" if place < _SURE[role] else "general name"


def is_of_old(name: str) -> bool:
    """Return whether a name says that another column took the place of this one.

    >>> is_of_old("old_prediction"), is_of_old("prediction")
    (True, False)
    """
    return bool(split_words(name) & role_names.OLD_WORDS)


def names_counts(name: str) -> bool:
    """Return whether a name is that of counts: of how many rows each line stands for.

    >>> names_counts("COUNT(*)"), names_counts("Sum of count"), names_counts("country")
    (True, True, False)
    """
    plain = _without_sum(name)
    return plain in _COUNT or is_vague_count(name) or bool(role_names.COUNT_PHRASE.fullmatch(plain))


def is_vague_count(name: str) -> bool:
    """Return whether a name is that of counts only where the lines are the cells of a matrix.

    >>> is_vague_count("n"), is_vague_count("sum(n)"), is_vague_count("count")
    (True, True, False)
    """
    return _without_sum(name) in role_names.COUNT_OF_CELLS | role_names.COUNT_OF_MANY_CELLS


def _without_sum(name: str) -> str:
    """Return a folded name without accents; of the name of a sum that of its parts."""
    plain = remove_accents(fold(split_side(name)[0]))
    parts = role_names.SUM_OF.fullmatch(plain)
    return parts["name"] if parts else plain


def is_weak_raw(name: str) -> bool:
    """Return whether a name of raw answers is a feature's as often."""
    return _without_affixes(split_side(name)[0]) in _WEAK_RAW


def names_confidence(name: str) -> bool:
    """Return whether a name is that of the score of whichever label was predicted.

    >>> names_confidence("max_prob"), names_confidence("confidence_spam")
    (True, False)
    """
    return _without_affixes(split_side(name)[0]) in _CONFIDENCE


def sort_by_role(names: Iterable[str], role: str) -> list[str]:
    """Return the names that fit a role, best first, in file order among equals."""
    fitting = [(place, name) for name in names if (place := rank(name, role)) is not None]
    return [name for _, name in sorted(fitting, key=lambda pair: pair[0])]


def is_sure_id(name: str) -> bool:
    """Return whether a name is that of an id, and hardly anything else's: a file or a case may stand in many rows.

    >>> is_sure_id("Fall-Nr."), is_sure_id("case")
    (True, False)
    """
    place = rank(name, "id")
    return place is not None and place < _SURE_IDS


def may_name_rows(name: str) -> bool:
    """Return whether a name is none of labels, predictions, answers or scores, which are no ids.

    >>> may_name_rows("Fall-Nr."), may_name_rows("y_true")
    (True, False)
    """
    return all(rank(name, role) is None for role in ("truth", "prediction", "raw", "score"))


def names_rows(name: str) -> bool:
    """Return whether a name is that of an id: a usual one, or anything that ends in id.

    >>> names_rows("filename"), names_rows("patient_id"), names_rows("valid")
    (True, True, False)
    """
    return rank(name, "id") is not None or bool(re.search(r"[_\-.\s](id|uuid|key)$|[a-z]I[dD]$", name, re.ASCII))


def near_miss(wanted: str, names: Iterable[str]) -> str | None:
    """Return the column that was probably meant by `wanted`, if any; none with a very long name.

    >>> near_miss("y_true", ["id", "Y_True"])
    'Y_True'
    """
    if len(wanted) > COMPARED_NAME_CHARS:
        return None
    folded = {fold(name): name for name in names if len(name) <= COMPARED_NAME_CHARS}
    close = difflib.get_close_matches(fold(wanted), list(folded), n=1, cutoff=0.75)
    return folded[close[0]] if close else None


def list_columns(names: Sequence[str], wanted: str) -> str:
    """List the first columns of a file as the end of a sentence, and say which was probably meant by `wanted`.

    >>> list_columns(["id", "Y_True"], "y_true")
    "'id', 'Y_True'. Did you mean 'Y_True'?"
    """
    near = near_miss(wanted, names)
    hint = f" Did you mean {quote(near)}?" if near else ""
    return f"{list_items(names, 6, 24)}.{hint}"
