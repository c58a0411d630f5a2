"""Write a label as another column may: numbers without a point, a plus or zeros in front, true and false as 1 and 0."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

WHOLE = re.compile(r"([+-]?(?:0|[1-9]\d*))(?:\.0+)?", re.ASCII)
_PLAIN_WHOLE = re.compile(r"0|[1-9]\d*", re.ASCII)
_TRUTH_VALUES = {"true": "1", "false": "0"}

_ANSWERS = tuple(
    frozenset(pair.split())
    for pair in (
        "0 1", "false true", "no yes", "n y", "f t", "negative positive", "neg pos", "nein ja", "falsch wahr",
        "negativ positiv", "non oui", "faux vrai", "no sí", "no si", "falso verdadero", "não sim", "nee ja",
    )
)  # fmt: skip
"""Pairs of labels that answer no and yes."""


def plain_form(value: str) -> str:
    """Return a label without `.0`, a plus sign and the case of true and false.

    >>> plain_form("1.0"), plain_form("+1"), plain_form("TRUE"), plain_form("01.0")
    ('1', '1', 'true', '01.0')
    """
    whole = WHOLE.fullmatch(value)
    if whole:
        return "0" if whole[1] == "-0" else whole[1].removeprefix("+")
    return value.casefold() if value.casefold() in ("true", "false") else value


def share_labels(values: Sequence[str], others: Sequence[str]) -> tuple[list[str], dict[str, int]]:
    """Return the labels of one column as another column may write them, and the places of the other's labels.

    >>> share_labels(["0", "1"], ["True", "False"])
    (['false', 'true'], {'true': 0, 'false': 1})
    """
    place = {other: code for code, other in enumerate(others)}
    if place.keys() >= set(values):
        return list(values), place
    forms, of_others = find_shared_forms(values, others), find_shared_forms(others, others)
    shared = place if of_others is None else {of_others[other]: code for other, code in place.items()}
    return list(values if forms is None else forms.values()), shared


def are_answers(values: Iterable[str]) -> bool:
    """Return whether two labels answer no and yes.

    >>> are_answers(["Yes", "No"]), are_answers(["0.0", "1.0"]), are_answers(["ham", "spam"])
    (True, True, False)
    """
    return frozenset(plain_form(value.strip()).casefold() for value in values) in _ANSWERS


def find_shared_forms(values: Iterable[str], against: Iterable[str]) -> dict[str, str] | None:
    """Map values to a form that ignores `.0`, `+` and the case of true/false; None if two values would become one.

    true/false become 1/0 only if both vocabularies are two-valued, so that nothing else can be meant. Zeros in front
    go, or come, only if one vocabulary is padded with them to one width and the other never is.
    """
    spellings = list(values)
    forms = {value: plain_form(value) for value in spellings}
    theirs = {plain_form(value) for value in against}
    if set(forms.values()) <= set(_TRUTH_VALUES) and theirs <= {"0", "1"} and theirs:
        forms = {value: _TRUTH_VALUES[form] for value, form in forms.items()}
    elif set(forms.values()) <= {"0", "1"} and theirs <= set(_TRUTH_VALUES) and theirs:
        back = {number: word for word, number in _TRUTH_VALUES.items()}
        forms = {value: back[form] for value, form in forms.items()}
    elif _find_width(forms.values()) and _is_plain(theirs):
        forms = {value: form.lstrip("0") or "0" for value, form in forms.items()}
    elif _is_plain(forms.values()) and (width := _find_width(theirs)):
        forms = {value: form.zfill(width) for value, form in forms.items()}
    return forms if len(set(forms.values())) == len(spellings) else None


def _find_width(forms: Collection[str]) -> int:
    """Return the width to which whole numbers are padded with zeros; 0 where they are not, or anything else is there.

    >>> _find_width(["01", "10"]), _find_width(["1", "10"]), _find_width(["01", "010"])
    (2, 0, 0)
    """
    widths = {len(form) for form in forms}
    padded = len(widths) == 1 and all(form.isascii() and form.isdigit() for form in forms)
    return widths.pop() if padded and any(len(form) > 1 and form[0] == "0" for form in forms) else 0


def _is_plain(forms: Collection[str]) -> bool:
    """Return whether all are whole numbers without zeros in front."""
    return bool(forms) and all(_PLAIN_WHOLE.fullmatch(form) for form in forms)
