"""Match names with labels that are spelled a little differently: case, `_`, accents, one letter."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from data.columns.plain_labels import plain_form
from data.columns.role_names import fold
from data.limits import COMPARED_NAME_CHARS, MAX_UNMATCHED_NAMES
from text.quoting import quote

_T = TypeVar("_T")
_LONG_ENOUGH = 5  # letters of a word in which one may be wrong


def _reduce_to_letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _without_accents(text: str) -> str:
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _reduce_to_letters(text)


_N_FORMS = 5


def _write_forms(text: str) -> tuple[str, ...]:
    """Return the forms of a name in which it is compared, from the most exact on."""
    return text, plain_form(text), fold(text), _reduce_to_letters(text), _without_accents(text)


_keep_forms = lru_cache(maxsize=20_000)(_write_forms)
"""Names of columns are matched with the labels of each truth that is tried. Of a long name nothing is kept."""


def match_names(names: Iterable[str], labels: Iterable[str]) -> dict[str, str]:
    """Map labels to names, each of both at most once, in any order.

    First what is equal, then what is equal without `.0`, without case and `_`, with nothing but its letters and digits,
    without accents; what two labels or two names have in common then says nothing. Last, where half of the labels are
    found already, one letter of a word of five or more may differ. Only one name and one label may do so.

    >>> match_names(["music", "Child_Speech", "percusive sound"], ["child speech", "music", "percussive sound"])
    {'music': 'music', 'child speech': 'Child_Speech', 'percussive sound': 'percusive sound'}
    """
    open_names, open_labels = list(dict.fromkeys(names)), list(dict.fromkeys(labels))
    n_labels, matched = len(open_labels), dict[str, str]()
    forms = {
        text: (_write_forms if len(text) > COMPARED_NAME_CHARS else _keep_forms)(text)
        for text in (*open_names, *open_labels)
    }
    for place in range(_N_FORMS):
        matched |= _match_equal(open_names, open_labels, {text: of_text[place] for text, of_text in forms.items()})
        taken = set(matched.values())
        open_names = [name for name in open_names if name not in taken]
        open_labels = [label for label in open_labels if label not in matched]
    if 2 * len(matched) >= n_labels and max(len(open_names), len(open_labels)) <= MAX_UNMATCHED_NAMES:
        matched |= _match_one_letter_off(open_names, open_labels)
    return matched


def match_labels(stems: Mapping[str, _T], labels: Iterable[str]) -> dict[str, _T]:
    """Map labels to what names stand for, such as columns, as `match_names` matches names.

    >>> match_labels({"Ham": 1, "spam": 2}, ["ham", "spam"]) == {"ham": 1, "spam": 2}
    True
    """
    return {label: stems[name] for label, name in match_names(stems, labels).items()}


def are_words(labels: Sequence[str]) -> bool:
    """Return whether names that end in all of these labels cannot do so by chance."""
    return len(labels) > 2 and all(len(label) > 2 and not label.isdigit() for label in labels)


def _match_equal(names: Sequence[str], labels: Sequence[str], form: Mapping[str, str]) -> dict[str, str]:
    formed: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for place, texts in enumerate((labels, names)):
        for text in texts:
            formed[form[text]][place].append(text)
    return {
        same_names[0]: two[0] for key, (same_names, two) in formed.items() if key and len(same_names) == len(two) == 1
    }


def _match_one_letter_off(names: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    in_words = {text: [_without_accents(word) for word in _split_words(text)] for text in (*labels, *names)}
    near = [
        (label, name) for label in labels for name in names if _differ_by_one_letter(in_words[label], in_words[name])
    ]
    times = [Counter(texts) for texts in zip(*near, strict=True)]
    return {label: name for label, name in near if times[0][label] == times[1][name] == 1}


def _differ_by_one_letter(left: Sequence[str], right: Sequence[str]) -> bool:
    """Return whether one of the same words differs by one letter: never a digit, nor its last letter."""
    if len(left) != len(right):
        return False
    differing = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1:
        return False
    a, b = sorted(differing[0], key=len)
    if len(a) < _LONG_ENOUGH or not (a + b).isalpha():
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) == len(b):
        swapped = a[start + 2 :] == b[start + 2 :] and a[start : start + 2] == b[start : start + 2][::-1]
        return swapped or (a[start + 1 :] == b[start + 1 :] and start < len(a) - 1)
    return len(b) == len(a) + 1 and a[start:] == b[start + 1 :]


def _split_words(text: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+|(?<=[a-z])(?=[A-Z])", text) if word]


def note_spellings(what: str, pairs: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Note for a receipt the labels whose column writes them otherwise; warn of unsure ones.

    Parameters
    ----------
    what : of what columns, such as "score". pairs : label -> how the name of its column spells it.

    >>> note_spellings("score", {"music": "music", "child speech": "Child_Speech"})[0]
    ("Matched although spelled differently: the score columns 'Child_Speech' = 'child speech'.",)
    """
    differing = {label: name for label, name in pairs.items() if plain_form(label) != plain_form(name)}
    unsure = {label: name for label, name in differing.items() if _reduce_to_letters(label) != _reduce_to_letters(name)}
    sure = {label: name for label, name in differing.items() if label not in unsure}
    notes = (f"Matched although spelled differently: the {what} columns {_list_pairs(sure)}.",) if sure else ()
    warnings = (
        (f"Matched although accents or a letter differ: the {what} columns {_list_pairs(unsure)}; check them.",)
        if unsure
        else ()
    )
    return notes, warnings


def _list_pairs(pairs: Mapping[str, str], limit: int = 10) -> str:
    shown = [f"{quote(name)} = {quote(label)}" for label, name in list(pairs.items())[:limit]]
    more = len(pairs) - limit
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")
