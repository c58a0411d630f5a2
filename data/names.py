"""What the name of a column suggests. Names only propose; the values decide.

The names are those that other tools write: scikit-learn, yardstick and parsnip, mlr3, Evidently, MLflow,
PyCaret, H2O, KNIME, lm-evaluation-harness, Inspect, Phoenix and others.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import NamedTuple, TypeVar

from data.environment import value
from data.time_limit import check_time

PREDICTIONS_SUFFIX = " (predictions)"
LABELS_SUFFIX = " (labels)"
_KEPT_CHARS = 250
"""Of longer names nothing is kept, and none is compared letter by letter: they are rare and cost memory and time."""


def _words(text: str) -> list[str]:
    return text.split()


TRUTH = _words(
    """
    ytrue truelabel truelabels truth groundtruth groundtruthlabel truthlabel trueclass target targets targetlabel
    gold goldlabel actual actuals actuallabel actualclass true expected expectedlabel reference referenceoutput
    givenlabel obs y label labels labelids class category answer
    """
)
PREDICTION = _words(
    """
    ypred predictedlabel predictedlabels predictionlabel predlabel predictedclass predclass prediction
    predictions predicted pred preds yhat predict outputlabel estimate picked observed answer output outputs
    response label class
    """
)
RAW = _words(
    """
    rawoutput rawanswer rawresponse rawprediction raw completion completions modeloutput modelresponse
    modelanswer llmoutput llmresponse llmanswer llm generation generatedtext generated output outputs response
    responses resps answer
    """
)
SCORE = _words(
    """
    yscore yprob yproba score scores prob proba probability predictionproba predictionprobas predictionscore
    predictionprob predictedprobability predictedproba predictedprob predictedscore predproba predprob predscore
    pprob p logit logits margin decisionfunction rawscore confidence conf
    """
)
COUNT = frozenset(_words("count counts n npredictions frequency freq nrows rowcount numberofrows occurrences"))
ID = _words(
    """
    id ids idx index row rowid rowids rowindex docid sampleid exampleid recordid itemid questionid inst# uuid
    guid key file filename path name
    """
)

_SCORE_PREFIX = (
    r"prediction[._\- ]?(?:scores?|probas?|probability)|predicted?[._\- ]?(?:scores?|proba?s?|probability)"
    r"|predict_proba"
    r"|y[._\- ]?(?:score|proba?)|\.?pred|predictions?|predicted|probability|probabilities|proba?s?|scores?|logits?"
    r"|confidence|conf|raw|p|percent|pct"
)
_TRUTH_AFFIX = r"y[._\- ]?true|truth|true|targets?|actual|gold|gt|expected|labels?"
_FRONT = "front"
_END = "end"
_READINGS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (kind, side, re.compile(pattern, re.IGNORECASE))
    for kind, side, pattern in (
        ("score", _FRONT, r"(?P<affix>p ?\(.[^=]*=)(?P<stem>.+)\)"),
        ("truth", _FRONT, rf"(?P<affix>(?:{_TRUTH_AFFIX}|ground[._\- ]?truth)[._\- ]+)(?P<stem>.+)"),
        ("truth", _END, rf"(?P<stem>.+)(?P<affix>[._\- ](?:{_TRUTH_AFFIX}))"),
        (
            "prediction",
            _FRONT,
            r"(?P<affix>(?:y[._\- ]?pred|y[._\- ]?hat|\.?pred|predictions?|predicted)[._\- ]+)(?P<stem>.+)",
        ),
        (
            "prediction",
            _END,
            r"(?P<stem>.+)(?P<affix>[._\- ](?:y[._\- ]?pred|y[._\- ]?hat|pred|predictions?|predicted))",
        ),
        ("score", _FRONT, rf"(?P<affix>(?:{_SCORE_PREFIX})[._\- ]+)(?P<stem>.+)"),
        ("score", _FRONT, r"(?P<affix>(?:prob|proba|p|score|logit))(?P<stem>\d+)"),
        (
            "score",
            _END,
            r"(?P<stem>.+)(?P<affix>[._\- ](?:scores?|proba?s?|probability|logits?|p|pct|percent|confidence))",
        ),
    )
)
"""(kind, side of the affix, pattern). Each takes time linear in the name, as long as that is one line."""
_AFFIX_CHARS = 32
"""More than an affix at the end of a name can have."""
_SEPARATORS = "._- "
_T = TypeVar("_T")


class Reading(NamedTuple):
    """One way to read a name: `affix` says what kind of column it is, `stem` which label."""

    kind: str  # "truth", "prediction", "score" or "plain"
    stem: str
    affix: str


@cache
def _kept(work: Callable[[str], _T]) -> Callable[[str], _T]:
    """The same work, done once for each name of two files with as many columns as one may have."""
    return lru_cache(maxsize=2 * int(value("BLINDSPOT_COLUMNS")))(work)


def readings(name: str) -> tuple[Reading, ...]:
    """Return all ways to read a column name as a label with an affix; the whole name last.

    Raises
    ------
    DataError
        the time for finding the roles of columns is over.

    >>> readings("proba_spam")[0]
    Reading(kind='score', stem='spam', affix='proba_|')
    """
    check_time()
    return _readings(name) if len(name) > _KEPT_CHARS else _kept(_readings)(name)


def _readings(name: str) -> tuple[Reading, ...]:
    base, side = split_side(name)
    found = []
    for kind, place, pattern in _READINGS if "\n" not in base else ():
        if place == _FRONT and (match := pattern.fullmatch(base)):
            found += [Reading(kind, stem, affix + "|" + side) for affix, stem in _from_front(match)]
        elif place == _END and (match := pattern.fullmatch(base[-_AFFIX_CHARS:])):
            found.append(Reading(kind, base[: -len(match["affix"])], "|" + match["affix"].casefold() + side))
    whole = {"": "plain", PREDICTIONS_SUFFIX: "prediction", LABELS_SUFFIX: "truth"}[side]
    return (*found, Reading(whole, base, "|" + side))


def _from_front(match: re.Match[str]) -> list[tuple[str, str]]:
    """(affix, stem) with one separator between them, and with all of them: `p_-1` is of -1, or of 1."""
    affix, stem = match["affix"].casefold(), match["stem"]
    more = max(len(affix) - len(affix.rstrip(_SEPARATORS)) - 1, 0)
    both = [(affix[: len(affix) - more], affix[len(affix) - more :] + stem), (affix, stem)]
    return both if more else both[1:]


def split_side(name: str) -> tuple[str, str]:
    """A name without the suffix that a join gave it, and that suffix.

    >>> split_side("other (labels)")
    ('other', ' (labels)')
    """
    for side in (PREDICTIONS_SUFFIX, LABELS_SUFFIX):
        if name.endswith(side):
            return name.removesuffix(side), side
    return name, ""


def fold(name: str) -> str:
    """A name as it is compared: case-folded, without `_`, `-`, `.` and spaces.

    >>> fold("Y_True") == fold("y.true") == "ytrue"
    True
    """
    return re.sub(r"[_\-.\s]+", "", name).casefold()


_RANKS = {
    role: {name: rank for rank, name in reversed(list(enumerate(names)))}
    for role, names in {"truth": TRUTH, "prediction": PREDICTION, "raw": RAW, "score": SCORE, "id": ID}.items()
}
_WORDS = {
    "truth": {"true", "truth", "gold", "actual", "expected", "target"},
    "prediction": {"pred", "predicted", "prediction", "preds"},
}
VAGUE = 50
"""The rank of a name that only has a fitting word in it."""
_NO_LABEL_WORDS = {
    "score",
    "scores",
    "prob",
    "probs",
    "proba",
    "probability",
    "logit",
    "logits",
    "confidence",
    "id",
    "text",
    "p",
}


def rank(name: str, role: str) -> int | None:
    """Return how well a name fits a role (0 = best), or None. A word like "pred" inside a longer name fits, too.

    >>> rank("y_true", "truth"), rank("model_pred", "prediction") is not None, rank("age", "truth")
    (0, True, None)
    """
    return _rank(name, role) if len(name) > _KEPT_CHARS else _kept(_ranks)(name)[role]


def _ranks(name: str) -> dict[str, int | None]:
    """Return the rank of a name for every role."""
    return {role: _rank(name, role) for role in _RANKS}


def _rank(name: str, role: str) -> int | None:
    base, side = split_side(name)
    if {LABELS_SUFFIX: "truth", PREDICTIONS_SUFFIX: "prediction"}.get(side) == role and rank(base, "id") is None:
        return _RANKS[role].get(fold(base), 60)
    if side and {LABELS_SUFFIX: "prediction", PREDICTIONS_SUFFIX: "truth"}[side] == role:
        return None
    exact = _RANKS[role].get(fold(base))
    if exact is not None:
        return exact
    if not any(word in base.casefold() for word in _WORDS.get(role, ())):
        return None
    words = {word.casefold() for word in re.split(r"[_\-.\s]+|(?<=[a-z])(?=[A-Z])", base)}
    fits = bool(words & _WORDS[role]) and not words & _NO_LABEL_WORDS
    return VAGUE if fits else None


def ranked(names: Iterable[str], role: str) -> list[str]:
    """The names that fit a role, best first, in file order among equals."""
    fitting = [(place, name) for name in names if (place := rank(name, role)) is not None]
    return [name for _, name in sorted(fitting, key=lambda pair: pair[0])]


def near_miss(wanted: str, names: Iterable[str]) -> str | None:
    """Return the column that was probably meant by `wanted`, if any; none with a very long name.

    >>> near_miss("y_true", ["id", "Y_True"])
    'Y_True'
    """
    if len(wanted) > _KEPT_CHARS:
        return None
    folded = {fold(name): name for name in names if len(name) <= _KEPT_CHARS}
    close = difflib.get_close_matches(fold(wanted), list(folded), n=1, cutoff=0.75)
    return folded[close[0]] if close else None
