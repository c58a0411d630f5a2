"""What the name of a column suggests. Names only propose; the values decide.

The names are those that other tools write: scikit-learn, yardstick and parsnip, mlr3, Evidently, MLflow,
PyCaret, H2O, KNIME, lm-evaluation-harness, Inspect, Phoenix and others.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

PREDICTIONS_SUFFIX = " (predictions)"
LABELS_SUFFIX = " (labels)"


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
_READINGS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("score", r"(?P<affix>p ?\(.+?=)(?P<stem>.+)\)"),
        (
            "truth",
            rf"(?P<affix>(?:{_TRUTH_AFFIX}|ground[._\- ]?truth)[._\- ]+)(?P<stem>.+)",
        ),
        ("truth", rf"(?P<stem>.+)(?P<affix>[._\- ]+(?:{_TRUTH_AFFIX}))"),
        ("prediction", r"(?P<affix>(?:y[._\- ]?pred|y[._\- ]?hat|\.?pred|predictions?|predicted)[._\- ]+)(?P<stem>.+)"),
        ("prediction", r"(?P<stem>.+)(?P<affix>[._\- ]+(?:y[._\- ]?pred|y[._\- ]?hat|pred|predictions?|predicted))"),
        ("score", rf"(?P<affix>(?:{_SCORE_PREFIX})[._\- ]+)(?P<stem>.+)"),
        ("score", r"(?P<affix>(?:prob|proba|p|score|logit))(?P<stem>\d+)"),
        ("score", r"(?P<stem>.+)(?P<affix>[._\- ]+(?:scores?|proba?s?|probability|logits?|p|pct|percent|confidence))"),
    )
)
_SEPARATORS = "._- "


class Reading(NamedTuple):
    """One way to read a name: `affix` says what kind of column it is, `stem` which label."""

    kind: str  # "truth", "prediction", "score" or "plain"
    stem: str
    affix: str


@lru_cache(maxsize=4096)
def readings(name: str) -> tuple[Reading, ...]:
    """All ways to read a column name as a label with an affix; the whole name last.

    >>> readings("proba_spam")[0]
    Reading(kind='score', stem='spam', affix='proba_|')
    """
    base, side = split_side(name)
    found = []
    for kind, pattern in _READINGS:
        match = pattern.fullmatch(base)
        if match and match.start("affix") == 0:
            found += [Reading(kind, stem, affix + "|" + side) for affix, stem in _from_front(match)]
        elif match:
            found.append(Reading(kind, match["stem"], "|" + match["affix"].casefold() + side))
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


@lru_cache(maxsize=32_768)
def rank(name: str, role: str) -> int | None:
    """How well a name fits a role (0 = best), or None. A word like "pred" inside a longer name fits, too.

    >>> rank("y_true", "truth"), rank("model_pred", "prediction") is not None, rank("age", "truth")
    (0, True, None)
    """
    base, side = split_side(name)
    if {LABELS_SUFFIX: "truth", PREDICTIONS_SUFFIX: "prediction"}.get(side) == role and rank(base, "id") is None:
        return _RANKS[role].get(fold(base), 60)
    if side and {LABELS_SUFFIX: "prediction", PREDICTIONS_SUFFIX: "truth"}[side] == role:
        return None
    exact = _RANKS[role].get(fold(base))
    if exact is not None:
        return exact
    words = set(re.split(r"[_\-.\s]+|(?<=[a-z])(?=[A-Z])", base))
    words = {word.casefold() for word in words}
    fits = bool(words & _WORDS.get(role, set())) and not words & _NO_LABEL_WORDS
    return VAGUE if fits else None


def ranked(names: Iterable[str], role: str) -> list[str]:
    """The names that fit a role, best first, in file order among equals."""
    fitting = [(place, name) for name in names if (place := rank(name, role)) is not None]
    return [name for _, name in sorted(fitting, key=lambda pair: pair[0])]


def near_miss(wanted: str, names: Iterable[str]) -> str | None:
    """The column that was probably meant by `wanted`, if any.

    >>> near_miss("y_true", ["id", "Y_True"])
    'Y_True'
    """
    folded = {fold(name): name for name in names}
    close = difflib.get_close_matches(fold(wanted), list(folded), n=1, cutoff=0.75)
    return folded[close[0]] if close else None
