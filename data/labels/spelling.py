"""Choose one spelling of a number that columns write differently; find and explain labels that look alike.

Labels look alike, and are never merged here, if they differ only in one of these: case, spaces, underscores or
hyphens between words, how letters are composed in Unicode, characters without ink; umlauts; zeros in front, how a
number is written, or letters of another alphabet.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from data.columns.plain_labels import WHOLE, find_shared_forms, plain_form
from text.numbers import count, verb
from text.quoting import quote

_LETTERS = {
    # Latin letter or sign: what is drawn like it. The Cyrillic and Greek letters, dashes and quotation marks that
    # Unicode Technical Standard #39 (confusables) maps to it; full-width letters are compatibility forms of their own.
    "A": "ΑАᎪ", "B": "ΒВ", "C": "СϹ", "E": "ΕЕ", "G": "Ԍ", "H": "ΗН", "I": "ΙІӀ", "J": "ЈͿ", "K": "ΚК",
    "M": "ΜМ", "N": "Ν", "O": "ΟО", "P": "ΡР", "Q": "Ԛ", "S": "Ѕ", "T": "ΤТ", "W": "Ԝ", "X": "ΧХ", "Y": "ΥУҮ",
    "Z": "Ζ", "a": "αа", "c": "сϲ", "d": "ԁ", "e": "е", "h": "һ", "i": "ιі", "j": "јϳ", "l": "ӏ", "o": "οоσ",
    "p": "ρр", "q": "ԛ", "r": "г", "s": "ѕ", "u": "υ", "v": "νѵ", "w": "ԝ", "x": "х", "y": "уγү",
    "-": "\u2010\u2011\u2012\u2013\u2212", "'": "\u2018\u2019\u201b\u02bc\u2032", '"': "\u201c\u201d\u201f",
}  # fmt: skip
_DRAWN_ALIKE = str.maketrans({other: letter for letter, others in _LETTERS.items() for other in others})
# Unicode's default-ignorable characters that are not of category Cf, and letters that have no ink
_NO_INK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_LEADING_ZEROS = re.compile(r"^(?=\d++$)0+(?=\d)", re.ASCII)
_SPACE = re.compile(r"(?<!\d) | (?!\d)")  # "1 2" and "12" are two numbers, "ice cream" and "icecream" one word
_JOINT = re.compile(r"(?<=[^\W\d_]{2})[_-](?=[^\W\d_]{2})")  # not of "A-B" and "AB", which are codes
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
_CONTEXT = 24  # characters kept around what differs in a long label
_COMPARED = 200  # characters of what differs for which reasons are tried together


def _with_ink(text: str) -> str:
    return "".join(
        c
        for c in text
        if c.isspace() or not (unicodedata.category(c) in ("Cf", "Cc") or c in _NO_INK or 0xFE00 <= ord(c) <= 0xFE0F)
    )


def _compose(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _read_as_utf8(text: str) -> str:
    try:
        return text.encode("cp1252").decode()
    except UnicodeError:
        return text


def _spell_umlauts(text: str) -> str:
    return text.translate(_UMLAUTS)


def _compatible(text: str) -> str:
    # not of spaces: NFKC makes a no-break space a space, and that difference is named as what it is
    return "".join(c if c.isspace() else unicodedata.normalize("NFKC", c) for c in text)


def _one_alphabet(text: str) -> str:
    return text.translate(_DRAWN_ALIKE)


def _part_words(text: str) -> str:
    return _JOINT.sub(" ", text)


def _without_spaces(text: str) -> str:
    return _SPACE.sub("", " ".join(text.split()))


def _without_zeros(text: str) -> str:
    return _LEADING_ZEROS.sub("", text)


_DIFFERENCES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("characters that cannot be seen", _with_ink),
    ("how letters are composed in Unicode", _compose),
    ("UTF-8 that was read as Windows-1252", _read_as_utf8),
    ("umlauts that are written as two letters", _spell_umlauts),
    ("letters or signs that are drawn alike", _one_alphabet),
    ("forms of the same letters, such as full-width ones", _compatible),
    ("underscores or hyphens between words", _part_words),
    ("spaces", _without_spaces),
    ("upper and lower case", str.casefold),
    ("how a number is written", plain_form),
    ("zeros in front", _without_zeros),
)
"""Differences of two labels, each with the function that removes it; in the order in which they are applied."""

_EVERY = [step for _, step in _DIFFERENCES]
_SHARED = [step for step in _EVERY if step is not _one_alphabet]
_PLAIN = [_part_words, _without_spaces, plain_form, _without_zeros, str.casefold]  # all that matters for ASCII


def keys(label: str) -> tuple[str, str]:
    """Return a label without what can hardly be seen; and the same with the letters of other alphabets as Latin ones.

    Two labels look alike if they share one of the two: beside Latin letters a Cyrillic word must still be found
    to differ from itself in capitals, whose letters are drawn like other Latin ones.

    >>> keys("Caf\u00e9 ") == keys("cafe\u0301"), keys("\u0421OM")[1], keys("007")[0]
    (True, 'com', '7')
    """
    if label.isascii() and label.isprintable():
        plain = _find_change(label, _PLAIN)
        return plain, plain
    return _find_change(label, _SHARED), _find_change(label, _EVERY)


def _find_change(text: str, steps: Iterable[Callable[[str], str]]) -> str:
    for step in steps:
        text = step(text)
    return text


def any_alike(some: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether a label of the one looks like a label of the other.

    >>> any_alike(["Cat"], ["dog", "cat "]), any_alike(["cat"], ["dog"])
    (True, False)
    """
    return bool({key for label in some for key in keys(label)} & {key for label in others for key in keys(label)})


def group_look_alikes(labels: Sequence[str]) -> list[tuple[str, ...]]:
    """Group the labels that look alike, two or more together, in the order given.

    >>> group_look_alikes(["cat", "dog", "Cat", "cat "])
    [('cat', 'Cat', 'cat ')]
    """
    home: dict[str, str] = {}  # key -> a key of the same group; followed to its end, the one that names the group

    def last(key: str) -> str:
        while home[key] != key:
            home[key] = home[home[key]]
            key = home[key]
        return key

    alike: dict[str, list[str]] = defaultdict(list)
    label_keys = [keys(label) for label in labels]
    for label_key, other in label_keys:
        home.setdefault(label_key, label_key)
        home[last(home.setdefault(other, other))] = last(label_key)
    for label, (key, _) in zip(labels, label_keys, strict=True):
        alike[last(key)].append(label)
    return [tuple(group) for group in alike.values() if len(group) > 1]


def describe_difference(first: str, second: str) -> str:
    """Describe the difference of two labels that look alike, in as few words as explain it.

    Of labels in which much differs (more than `_COMPARED` characters), only one reason at a time is tried.

    >>> describe_difference("Cat", "cat"), describe_difference("Cat", "cat ")
    ('upper and lower case', 'spaces and upper and lower case')
    """
    first, second = _cut_around(first, second)
    together = len(_DIFFERENCES) if max(len(first), len(second)) <= _COMPARED else 1
    tried: list[tuple[tuple[str, ...], int, str, str]] = [((), 0, first, second)]
    for _ in range(together):  # every choice of n reasons starts from the texts that n - 1 reasons left
        further = []
        for names, start, left, right in tried:
            for place, (name, step) in enumerate(_DIFFERENCES[start:], start + 1):
                after = step(left), step(right)
                if after[0] == after[1]:
                    return " and ".join((*names, name))
                if after != (left, right):  # a reason that changes neither explains nothing
                    further.append(((*names, name), place, *after))
        tried = further
    return "more than can be named"


def _cut_around(first: str, second: str) -> tuple[str, str]:
    """Return what differs in two long labels, with some of what is shared around it."""
    if max(len(first), len(second)) <= _COMPARED:
        return first, second
    start, end = _count_in_common(first, second)
    cut = slice(max(0, start - _CONTEXT), -max(0, end - _CONTEXT) or None)
    return first[cut], second[cut]


def _count_in_common(first: str, second: str) -> tuple[int, int]:
    """Count the characters that two labels share at their beginning, and then at their end."""
    start = next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    most = min(len(first), len(second)) - start
    return start, next((i for i in range(most) if first[-1 - i] != second[-1 - i]), most)


def warn_of_look_alikes(labels: Sequence[str]) -> list[str]:
    """Warn that there are labels which look alike.

    >>> warn_of_look_alikes(["Cat", "cat"])[0]
    "The labels 'Cat' and 'cat' differ only by upper and lower case: they stay different classes until you merge them."
    """
    groups = group_look_alikes(labels)
    if not groups:
        return []
    label, other_label = groups[0][:2]
    n = len(groups) - 1
    more = f" {count(n, 'more group')} of labels {verb(n, 'looks')} alike, too." if n else ""
    difference = describe_difference(label, other_label)
    first, second = spell_out_pair(label, other_label)
    same = ", and look the same" if _looks_the_same(label, other_label) else ""
    return [
        f"The labels {quote(first, 80)} and {quote(second, 80)} differ only by {difference}{same}: "
        f"they stay different classes until you merge them.{more}"
    ]


def _looks_the_same(first: str, second: str) -> bool:
    """Return whether no reader can tell them apart: another alphabet, another composition, or no ink at all."""
    seen = [
        _find_change(text, (_with_ink, _compose, _one_alphabet)).rstrip().replace("\u00a0", " ")
        for text in (first, second)
    ]
    return seen[0] == seen[1]


def spell_out_pair(first: str, second: str) -> tuple[str, str]:
    r"""Return two labels, cut to what differs, with every character there that is not plain ASCII spelled out.

    >>> print(*spell_out_pair("Caf\u00e9", "Cafe\u0301"))
    Caf\u00e9 Cafe\u0301
    """
    start, end = _count_in_common(first, second)
    return _cut_context(first, start, end), _cut_context(second, start, end)


def _cut_context(text: str, start: int, end: int) -> str:
    """Return what differs, `text` from `start` to `end` characters before its end, and some of what is shared."""
    stop = len(text) - end
    head = text[:start] if start <= _CONTEXT else "…" + text[start - _CONTEXT : start]
    tail = text[stop:] if end <= _CONTEXT else text[stop : stop + _CONTEXT] + "…"
    return head + "".join(map(_spell_out, text[start:stop])) + tail


def _spell_out(character: str) -> str:
    code = ord(character)
    return character if " " <= character <= "~" else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


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
    forms = find_shared_forms(words[first], words[first])
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
    forms = find_shared_forms(values, base.values())
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
    """Call a label `1` everywhere where `1` and `1.0` or `+1` became one, and its like (`0.0`) likewise."""
    pairs = {(value, label) for names in spelling.values() for value, label in names.items()}
    respelled = [(value, label) for value, label in pairs if value != label]
    if not any(WHOLE.fullmatch(label) and plain_form(label) == value for value, label in respelled):
        return
    labels = {label for _, label in pairs}
    plain = {label: plain_form(label) for label in labels if WHOLE.fullmatch(label)}
    plain = {label: name for label, name in plain.items() if name not in labels}
    for names in spelling.values():
        names |= {value: plain[label] for value, label in names.items() if label in plain}


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
