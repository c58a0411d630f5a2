"""Choose one spelling for numbers and truth values that two columns write differently."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from data.labels.look_alikes import plain_form
from text.quoting import quote

_WHOLE = re.compile(r"(-?(?:0|[1-9]\d*))\.0+", re.ASCII)
_PLAIN_WHOLE = re.compile(r"0|[1-9]\d*", re.ASCII)
_TRUTH_VALUES = {"true": "1", "false": "0"}


def reconcile(words: Mapping[str, Sequence[str]]) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Map every vocabulary's spellings to one spelling where that cannot be wrong.

    The first vocabulary that knows a label decides how it is spelled, but `1` wins over `1.0` outside a label
    set. Where all labels already agree, or a vocabulary would lose a distinction, nothing is changed.

    >>> reconcile({"truth": ["1", "1.0"], "predictions": ["1"]})[1]
    []
    >>> reconcile({"truth": ["1.0"], "predictions": ["1"]})[0]["truth"]
    {'1.0': '1'}
    """
    spelling = {name: {value: value for value in values} for name, values in words.items()}
    first, *others = list(words)
    known = set(words[first])
    merged: dict[str, dict[str, str]] = {}
    forms = _find_canonical(words[first], words[first])
    base = {form: value for value, form in (forms or {}).items()}  # canonical form -> the spelling that wins
    for name in others:
        if forms is not None and set(words[name]) - known:
            merged[name] = _merge(words[name], base, spelling[name])
        known |= set(spelling[name].values())
    notes = [_merge_note(first, name, changed) for name, changed in merged.items() if changed]
    if first != "label list":
        _prefer_plain_numbers(spelling)
    return spelling, notes


def _merge(values: Sequence[str], base: dict[str, str], spelling: dict[str, str]) -> dict[str, str]:
    """Spell one vocabulary as the earlier ones do; returns what changed."""
    forms = _find_canonical(values, base.values())
    if forms is None:
        return {}
    changed = {v: base[f] for v, f in forms.items() if f in base and base[f] != v}
    if changed:
        taken = set(base.values())
        changed |= {v: f for v, f in forms.items() if f not in base and v not in taken and f != v}
    spelling |= changed
    for value, form in forms.items():
        base.setdefault(form, spelling[value])
    return changed


def _merge_note(first: str, name: str, changed: Mapping[str, str]) -> str:
    pairs = ", ".join(f"{quote(value)} with {quote(label)}" for value, label in list(changed.items())[:3])
    more = ", and so on" if len(changed) > 3 else ""
    return f"Labels reconciled, because the {first} and the {name} write the same labels differently: {pairs}{more}."


def _prefer_plain_numbers(spelling: dict[str, dict[str, str]]) -> None:
    """Call a label `1` everywhere where `1` and `1.0` became one, and its like (`0.0`) likewise."""
    pairs = {(value, label) for names in spelling.values() for value, label in names.items()}
    if not any(_WHOLE.fullmatch(label) and plain_form(label) == value for value, label in pairs):
        return
    labels = {label for _, label in pairs}
    plain = {label: plain_form(label) for label in labels if _WHOLE.fullmatch(label)}
    plain = {label: name for label, name in plain.items() if name not in labels}
    for names in spelling.values():
        names |= {value: plain[label] for value, label in names.items() if label in plain}


def _find_canonical(values: Iterable[str], against: Iterable[str]) -> dict[str, str] | None:
    """Map values to a form that ignores `.0` and the case of true/false; None if two values would become one.

    true/false become 1/0 only if both vocabularies are two-valued, so that nothing else can be meant. Zeros in front
    go, or come, only if one vocabulary is padded with them to one width and the other never is.
    """
    own, other = list(values), list(against)
    forms = {value: plain_form(value) for value in own}
    theirs = {plain_form(value) for value in other}
    if set(forms.values()) <= set(_TRUTH_VALUES) and theirs <= {"0", "1"} and theirs:
        forms = {value: _TRUTH_VALUES[form] for value, form in forms.items()}
    elif set(forms.values()) <= {"0", "1"} and theirs <= set(_TRUTH_VALUES) and theirs:
        back = {number: word for word, number in _TRUTH_VALUES.items()}
        forms = {value: back[form] for value, form in forms.items()}
    elif _find_width(forms.values()) and _is_plain(theirs):
        forms = {value: form.lstrip("0") or "0" for value, form in forms.items()}
    elif _is_plain(forms.values()) and (width := _find_width(theirs)):
        forms = {value: form.zfill(width) for value, form in forms.items()}
    return forms if len(set(forms.values())) == len(own) else None


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


def sort_labels(labels: Iterable[str]) -> list[str]:
    """Sort numbers by value, `LABEL_2` before `LABEL_10`, everything else as text.

    >>> sort_labels(["10", "9", "1"]), sort_labels(["b", "B", "a"])
    (['1', '9', '10'], ['B', 'a', 'b'])
    """
    texts = sorted(labels)
    numbers = [re.fullmatch(r"(\D*?)(-?\d+(?:\.\d+)?)(\D*)", text, re.ASCII) for text in texts]
    frames = {(m[1], m[3]) for m in numbers if m}
    if all(numbers) and len(frames) == 1:
        return [t for _, t in sorted(zip((float(m[2]) for m in numbers if m), texts, strict=True))]
    return texts
