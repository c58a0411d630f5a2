"""Roles that the name of a column suggests, from `data.columns.role_names`. Names only propose; the values decide."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable
from functools import cache, lru_cache
from typing import NamedTuple, TypeVar

from data.columns import role_names
from data.columns.role_names import ID as ID, fold
from data.environment import value
from data.limits import AFFIX_CHARS, COMPARED_NAME_CHARS, check_time

PREDICTIONS_SUFFIX = " (predictions)"
LABELS_SUFFIX = " (labels)"


def remove_accents(text: str) -> str:
    """Return a text without the accents of its letters.

    >>> remove_accents("prédiction"), remove_accents("größe")
    ('prediction', 'große')
    """
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def free_name(name: str, taken: Container[str], more: str = "_") -> str:
    """Return the name of a column that no other has: with `more` behind it, as often as it is taken.

    >>> free_name("rows", ["rows", "rows_"]), free_name("note", {"note": 0}, " (file)")
    ('rows__', 'note (file)')
    """
    while name in taken:
        name += more
    return name


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of any of the words, with or without accents."""
    return "|".join(
        dict.fromkeys(form for word in words for form in (re.escape(word), re.escape(remove_accents(word))))
    )


_SCORE_PREFIX = (
    r"prediction[._\- ]?(?:scores?|probas?|probability)|predicted?[._\- ]?(?:scores?|proba?s?|probability)"
    r"|predict_proba|cats"  # spaCy calls the scores of labels so
    r"|y[._\- ]?(?:score|proba?)|\.?pred|predictions?|predicted|probability|probabilities|proba?s?|scores?|logits?"
    r"|confidence|conf|raw|p|percent|pct|margins?|decision(?:[._\- ]?(?:function|value))?"
    rf"|{_any_of(role_names.SCORE_AFFIXES)}"
)
_SCORE_SUFFIX = rf"scores?|proba?s?|probability|logits?|p|pct|percent|confidence|{_any_of(role_names.SCORE_AFFIXES)}"
_TRUTH_AFFIX = (
    rf"y[._\- ]?(?:true|test)|truth|true|targets?|actual|gold|gt|expected|labels?|{_any_of(role_names.TRUTH_AFFIXES)}"
)
_PREDICTION_AFFIX = rf"y[._\- ]?pred|y[._\- ]?hat|pred|predictions?|predicted|{_any_of(role_names.PREDICTION_AFFIXES)}"
_QUESTION_AFFIX = _any_of(role_names.QUESTIONS)
_FRONT = "front"
_END = "end"
_LINE_BREAK = "\0"
"""Stands for a line break in a name while it is matched."""
_SEPARATORS = "._- "
_T = TypeVar("_T")


class Reading(NamedTuple):
    """One way to read a name: `affix` says what kind of column it is, `stem` which label."""

    kind: str  # "truth", "prediction", "score", "question" (is_fraud) or "plain"
    stem: str
    affix: str


@cache
def _compile_readings() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Return (kind, side of the affix, pattern). Each takes time linear in the name, as long as that is one line."""
    patterns = (
        ("score", _FRONT, r"(?P<affix>p ?\(.[^=]*=)(?P<stem>.+)\)"),
        ("truth", _FRONT, rf"(?P<affix>(?:{_TRUTH_AFFIX}|ground[._\- ]?truth)[._\- ]+)(?P<stem>.+)"),
        ("truth", _END, rf"(?P<stem>.+)(?P<affix>[._\- ](?:{_TRUTH_AFFIX}))"),
        ("prediction", _FRONT, rf"(?P<affix>(?:\.?pred|{_PREDICTION_AFFIX})[._\- ]+)(?P<stem>.+)"),
        ("prediction", _END, rf"(?P<stem>.+)(?P<affix>[._\- ](?:{_PREDICTION_AFFIX}))"),
        ("score", _FRONT, rf"(?P<affix>(?:{_SCORE_PREFIX})[._\- ]+)(?P<stem>.+)"),
        ("score", _FRONT, r"(?P<affix>(?:prob|proba|p|score|logit))(?P<stem>\d+)"),
        ("score", _END, rf"(?P<stem>.+)(?P<affix>[._\- ](?:{_SCORE_SUFFIX}))"),
        ("question", _FRONT, rf"(?P<affix>(?:{_QUESTION_AFFIX})[._\- ]+)(?P<stem>.+)"),
    )
    return tuple((kind, side, re.compile(pattern, re.IGNORECASE)) for kind, side, pattern in patterns)


@cache
def _keep_results(work: Callable[[str], _T]) -> Callable[[str], _T]:
    """Keep the results of a function by column name, for as many names as two files may have."""
    return lru_cache(maxsize=2 * int(value("BLINDSPOT_COLUMNS")))(work)


def parse_name(name: str) -> tuple[Reading, ...]:
    """Return all ways to read a column name as a label with an affix; the whole name last.

    Raises
    ------
    DataError
        the time for finding the roles of columns is over.

    >>> parse_name("proba_spam")[0]
    Reading(kind='score', stem='spam', affix='proba_|')
    """
    check_time()
    return _parse_name(name) if len(name) > COMPARED_NAME_CHARS else _keep_results(_parse_name)(name)


def _parse_name(name: str) -> tuple[Reading, ...]:
    base, side = split_side(name)
    readings = []
    line = base.replace("\n", _LINE_BREAK)
    for kind, place, pattern in _compile_readings():
        if place == _FRONT and (match := pattern.fullmatch(line)):
            split = [(part[0], part[1].replace(_LINE_BREAK, "\n")) for part in _split_from_front(match)]
            readings += [Reading(kind, stem, affix + "|" + side) for affix, stem in split]
        elif place == _END and (match := pattern.fullmatch(line[-AFFIX_CHARS:])):
            readings.append(Reading(kind, base[: -len(match["affix"])], "|" + match["affix"].casefold() + side))
    return (*readings, Reading("plain", base, "|" + side))


def _split_from_front(match: re.Match[str]) -> list[tuple[str, str]]:
    """Return (affix, stem) with one separator between them, and with all of them: `p_-1` is of -1, or of 1."""
    affix, stem = match["affix"].casefold(), match["stem"]
    more = max(len(affix) - len(affix.rstrip(_SEPARATORS)) - 1, 0)
    both = [(affix[: len(affix) - more], affix[len(affix) - more :] + stem), (affix, stem)]
    return both if more else both[1:]


def split_side(name: str) -> tuple[str, str]:
    """Return a name without the suffix that a join gave it, and that suffix, which says nothing of a role.

    >>> split_side("other (labels)")
    ('other', ' (labels)')
    """
    for side in (PREDICTIONS_SUFFIX, LABELS_SUFFIX):
        if name.endswith(side):
            return name.removesuffix(side), side
    return name, ""


def group_by_affix(names: Iterable[str], *, of_truth: bool = False) -> dict[str, list[tuple[str, str]]]:
    """Map prefixes and suffixes ("|" = none) to (label, name) of the names that have them.

    of_truth : also those that say that a column is a truth.

    >>> group_by_affix(["p_cat", "p_dog"])["p_|"]
    [('cat', 'p_cat'), ('dog', 'p_dog')]
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        for reading in parse_name(name):
            if of_truth or reading.kind not in ("truth", "question"):
                groups.setdefault(reading.affix, []).append((reading.stem, name))
    return groups


def group_by_prefix(names: Iterable[str], stems: set[str]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Map (prefix, brackets) to (stem, name) of the names that are one of the stems between these.

    >>> group_by_prefix(["P(0)", "P(1)"], {"0", "1"})
    {('P(', ')'): [('0', 'P(0)'), ('1', 'P(1)')]}
    """
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    lengths = sorted({len(stem) for stem in stems if stem}, reverse=True)
    for name in names:
        base = split_side(name)[0]
        text = base.rstrip(")]}")
        for start in (len(text) - length for length in lengths if length < len(text)):
            if text[start:] in stems:
                groups.setdefault((text[:start], base[len(text) :]), []).append((text[start:], name))
    return groups


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
    return _rank(name, role) if len(name) > COMPARED_NAME_CHARS else _keep_results(_ranks)(name)[role]


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


def split_words(name: str) -> set[str]:
    """Return the words of a name.

    >>> sorted(split_words("majorityVote_2"))
    ['2', 'majority', 'vote']
    """
    base = split_side(name)[0]
    return {word.casefold() for word in re.split(r"[_\-.\s]+|(?<=[a-z])(?=[A-Z])", base)}


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


def says_verdict(name: str) -> bool:
    """Return whether a name is of what is said about a row, a split or an answer, and so of no label.

    >>> says_verdict("is_correct"), says_verdict("error"), says_verdict("error_type")
    (True, True, False)
    """
    return any(fold(reading.stem) in role_names.VERDICTS for reading in parse_name(name))


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


def says_score(affix: str) -> bool:
    """Return whether the affix of a label shows without doubt that the column holds its score."""
    plain = remove_accents(affix)
    return any(word in plain for word in ("score", "prob", "logit", *map(remove_accents, role_names.SCORE_AFFIXES)))


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
