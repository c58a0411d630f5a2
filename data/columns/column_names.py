"""Read the name of a column as a label with an affix, such as the score of spam in p_spam."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from data.columns import role_names
from data.columns.plain_names import remove_accents, split_side
from data.columns.role_names import fold
from data.environment import value
from data.limits import AFFIX_CHARS, COMPARED_NAME_CHARS, check_time


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
_WORD_BEHIND_STEM = re.compile(rf"[._\- ](?:{_PREDICTION_AFFIX}|{_SCORE_SUFFIX})[)\]}}]*$", re.IGNORECASE)
"""The end of a name behind a prefix and a label: a word such as prediction, perhaps in brackets."""
_FRONT = "front"
_END = "end"
_LINE_BREAK = "\0"
"""Stands for a line break in a name while it is matched."""
_SEPARATORS = "._- "


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
    return _parse_name(name) if len(name) > COMPARED_NAME_CHARS else _keep_readings()(name)


@cache
def _keep_readings() -> Callable[[str], tuple[Reading, ...]]:
    """Keep the readings of as many names as two files may have."""
    return lru_cache(maxsize=2 * int(value("BLINDSPOT_COLUMNS")))(_parse_name)


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
    """Map (prefix, what stands behind) to (stem, name) of the names that are one of the stems between these.

    >>> group_by_prefix(["P(0)", "P(1)"], {"0", "1"}), group_by_prefix(["churn_no_PREDICTION"], {"no"})
    ({('P(', ')'): [('0', 'P(0)'), ('1', 'P(1)')]}, {('churn_', '_PREDICTION'): [('no', 'churn_no_PREDICTION')]})
    """
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    lengths = sorted({len(stem) for stem in stems if stem}, reverse=True)
    for name in names:
        base = split_side(name)[0]
        texts = (base.rstrip(")]}"), _WORD_BEHIND_STEM.sub("", base))  # the word may be part of a label, too
        for text in dict.fromkeys(texts):
            for start in (len(text) - length for length in lengths if length < len(text)):
                if text[start:] in stems:
                    groups.setdefault((text[:start], base[len(text) :]), []).append((text[start:], name))
    return groups


def says_verdict(name: str) -> bool:
    """Return whether a name is of what is said about a row, a split or an answer, and so of no label.

    >>> says_verdict("is_correct"), says_verdict("error"), says_verdict("error_type")
    (True, True, False)
    """
    return any(fold(reading.stem) in role_names.VERDICTS for reading in parse_name(name))


def says_score(affix: str) -> bool:
    """Return whether the affix of a label shows without doubt that the column holds its score."""
    plain = remove_accents(affix)
    return any(word in plain for word in ("score", "prob", "logit", *map(remove_accents, role_names.SCORE_AFFIXES)))
