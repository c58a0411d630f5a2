"""Choose the positive class of two, and say why."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence


def _words(text: str) -> list[str]:
    return text.split()


_POSITIVE = set(
    _words(
        """
    1 1.0 true yes y t positive pos + +1 present case spam toxic fraud fraudulent malignant malware attack
    anomaly anomalous abnormal defect defective churn churned sick diseased disease event relevant hate offensive
    phishing unsafe harmful fail failure failed duplicate clickbait sarcastic
    ja wahr positiv oui vrai sí si verdadero positivo sim verdadeiro
    """
    )
)
_NEGATIVE = set(
    _words(
        """
    0 0.0 -1 -1.0 false no n f negative neg - absent control ham benign normal legit legitimate genuine healthy
    clean safe harmless none background irrelevant other ok okay good pass passed
    nein falsch negativ non faux falso negativo não nao
    """
    )
)
RARE_SHARE = 1 / 3
_OPPOSITES = (
    ("0", "1"), ("0.0", "1.0"), ("-1", "1"), ("-1", "+1"), ("-1.0", "1.0"), ("false", "true"), ("False", "True"),
    ("FALSE", "TRUE"), ("no", "yes"), ("No", "Yes"), ("n", "y"), ("N", "Y"), ("negative", "positive"),
    ("Negative", "Positive"), ("neg", "pos"), ("absent", "present"), ("ham", "spam"), ("benign", "malignant"),
    ("nein", "ja"), ("Nein", "Ja"), ("non", "oui"), ("não", "sim"),
)  # fmt: skip
"""(negative, positive) names of two classes that always go together."""


def choose_by_convention(labels: Sequence[str]) -> str | None:
    """Choose the positive of two labels whose names leave no doubt: 1 of 0/1, yes of no/yes, x of not x.

    >>> [choose_by_convention(pair) for pair in (["0", "1"], ["ham", "spam"], ["toxic", "non-toxic"])]
    ['1', 'spam', 'toxic']
    >>> [choose_by_convention(pair) for pair in (["nein", "ja"], ["Sí", "No"], ["não", "sim"], ["faux", "vrai"])]
    ['ja', 'Sí', 'sim', 'vrai']
    >>> choose_by_convention(["Class1", "Class2"]) is None
    True
    """
    if len(labels) != 2:
        return None
    words = [label.strip().casefold() for label in labels]
    for pair in ((0, 1), (1, 0)):
        positive, negative = (words[i] for i in pair)
        if re.fullmatch(rf"(?:not|non|no)[ _\-]*{re.escape(positive)}", negative):
            return labels[pair[0]]
    for pair in ((0, 1), (1, 0)):
        positive, negative = (words[i] for i in pair)
        number = (
            re.fullmatch(r"\d+(?:\.0)?", negative)
            and positive.removesuffix(".0") == "1"
            and negative.removesuffix(".0") != "0"
        )
        if not number and (
            (positive in _POSITIVE and negative not in _POSITIVE)
            or (negative in _NEGATIVE and positive not in _NEGATIVE)
        ):
            return labels[pair[0]]
    for pair in ((0, 1), (1, 0)):
        positive, negative = (words[i] for i in pair)
        if len(positive) > 3 and negative in (f"in{positive}", f"un{positive}", f"dis{positive}", f"ir{positive}"):
            return labels[pair[0]]
    return None


def name_other_class(label: str) -> str:
    """Return the class that goes with the only one of a file: the other of two names, or "not" and the name.

    >>> name_other_class("0"), name_other_class("Yes"), name_other_class("cat"), name_other_class("not cat")
    ('1', 'No', 'not cat', 'cat')
    """
    for negative, positive in _OPPOSITES:
        if label in (negative, positive):
            return positive if label == negative else negative
    return label.removeprefix("not ") if label.startswith("not ") and label != "not " else f"not {label}"


def choose_positive(
    labels: Sequence[str], rows: Mapping[str, int], score_labels: Sequence[str] = ()
) -> tuple[str, str]:
    """Choose the positive one of two classes; return the reason as half a sentence, too.

    In this order: what the names say; the class with at most a third of the true rows; the class whose score
    column comes first; the first in label order (as yardstick does).

    Parameters
    ----------
    labels : the two labels in label order.
    rows : true rows of every label.
    score_labels : labels that have a score column, in file order.

    >>> choose_positive(["a", "b"], {"a": 990, "b": 10})
    ('b', 'the rarer class, 1.0 % of the true rows')
    """
    named = choose_by_convention(labels)
    if named is not None:
        return named, "by its name"
    total = sum(rows.get(label, 0) for label in labels)
    rare = min(labels, key=lambda label: rows.get(label, 0))
    if total and 0 < rows.get(rare, 0) <= RARE_SHARE * total:
        return rare, f"the rarer class, {100 * rows[rare] / total:.1f} % of the true rows"
    for label in score_labels:
        if label in labels:
            return label, "the class whose score column comes first"
    return labels[0], "the first of the two in label order"
