"""Labels to codes: what counts as the same label, in which order, and what lies outside the label space.

Labels are text and compared exactly. Only spellings of one number or one truth value are brought together
(`1` and `1.0`, `True` and `true`, and `True` and `1` against 0/1), only *between* columns, and only if no column
loses a distinction by it. Everything else that looks alike is kept apart and pointed out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from data.columns import Distinct
from data.evaluation import MISSING, DataError
from data.wording import counted, listed, quoted

MAX_LABELS = 5_000
MAX_LABEL_CHARACTERS = 256

_WHOLE = re.compile(r"(-?(?:0|[1-9]\d*))\.0+", re.ASCII)
_LEADING_ZEROS = re.compile(r"^0+(?=\d+$)", re.ASCII)
_TRUTH_VALUES = {"true": "1", "false": "0"}


@dataclass(frozen=True)
class LabelSpace:
    """The labels of an evaluation and how every vocabulary spells them.

    Attributes
    ----------
    labels : K names; the first `n_space` are the label space, the rest occurred outside it.
    spelling : for every vocabulary given by name, its own spelling -> label.
    notes, warnings : what was merged, and what looks alike but was not.
    """

    labels: tuple[str, ...]
    n_space: int
    spelling: Mapping[str, Mapping[str, str]]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def codes(self, cells: Distinct, vocabulary: str) -> np.ndarray:
        """The rows of a column as label codes, int32 (n,), MISSING where the cell is empty."""
        place = {label: code for code, label in enumerate(self.labels)}
        spelled = self.spelling[vocabulary]
        lookup = [place[spelled[value]] for value in cells.values]
        codes: np.ndarray = np.array([*lookup, MISSING], dtype=np.int32)[cells.codes]
        return codes

    def merged(self, vocabulary: str) -> list[str]:
        """The notes on what `vocabulary` writes differently from the sources before it."""
        return [note for note in self.notes if f" and the {vocabulary} write " in note]

    def code(self, label: str, vocabulary: str) -> int | None:
        """The code of a label as `vocabulary` spells it, or exactly; None if it is no label."""
        name = self.spelling.get(vocabulary, {}).get(label, label)
        return self.labels.index(name) if name in self.labels else None


def label_space(
    vocabularies: Mapping[str, Iterable[str]], *, space: Sequence[str], label_set: Sequence[str] | None = None
) -> LabelSpace:
    """Bring vocabularies (truth, predictions, score names, ...) to one list of labels.

    Parameters
    ----------
    vocabularies : the distinct labels of every source, by the name of the source; the first is the truth.
    space : which of the sources make up the label space; ignored with a `label_set`.
    label_set : the label space as a person gave it; its order and spelling win.

    Raises
    ------
    DataError
        more than `MAX_LABELS` labels, or one of more than `MAX_LABEL_CHARACTERS` characters.

    >>> found = label_space({"truth": ["1", "0"], "predictions": ["1.0", "0.0"]}, space=["truth"])
    >>> found.labels, found.spelling["predictions"]["1.0"], len(found.notes)
    (('0', '1'), '1', 1)
    """
    words = {name: tuple(dict.fromkeys(values)) for name, values in vocabularies.items()}
    if label_set is not None:
        words = {"label set": tuple(dict.fromkeys(label_set)), **words}
    spelling, notes = reconcile(words)
    inside = label_order({spelling[name][v] for name in space for v in words[name]})
    if label_set is not None:
        inside = list(dict.fromkeys(spelling["label set"][v] for v in words["label set"]))
    everything = {label for names in spelling.values() for label in names.values()}
    labels = (*inside, *label_order(everything - set(inside)))
    _check_size(labels)
    return LabelSpace(labels, len(inside), spelling, tuple(notes), tuple(look_alikes(labels)))


def _check_size(labels: Sequence[str]) -> None:
    if len(labels) > MAX_LABELS:
        raise DataError(
            f"The file holds {counted(len(labels), 'different label')}, at most {MAX_LABELS:,} classes are shown: "
            "is one of the label columns an id or free text?"
        )


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
    forms = _canonical(words[first], words[first])
    base = {form: value for value, form in (forms or {}).items()}  # canonical form -> the spelling that wins
    for name in others:
        if forms is not None and set(words[name]) - known:
            merged[name] = _merge(words[name], base, spelling[name])
        known |= set(spelling[name].values())
    notes = [_merge_note(first, name, changed) for name, changed in merged.items() if changed]
    if first != "label set":
        _prefer_plain_numbers(spelling)
    return spelling, notes


def _merge(values: Sequence[str], base: dict[str, str], spelling: dict[str, str]) -> dict[str, str]:
    """Spell one vocabulary as the earlier ones do; returns what changed."""
    forms = _canonical(values, base.values())
    if forms is None:
        return {}
    changed = {v: base[f] for v, f in forms.items() if f in base and base[f] != v}
    if changed:
        changed |= {v: f for v, f in forms.items() if f not in base and v not in base.values() and f != v}
    spelling |= changed
    for value, form in forms.items():
        base.setdefault(form, spelling[value])
    return changed


def _merge_note(first: str, name: str, changed: Mapping[str, str]) -> str:
    pairs = ", ".join(f"{quoted(value)} with {quoted(label)}" for value, label in list(changed.items())[:3])
    more = ", and so on" if len(changed) > 3 else ""
    return f"Labels reconciled, because the {first} and the {name} write the same labels differently: {pairs}{more}."


def _prefer_plain_numbers(spelling: dict[str, dict[str, str]]) -> None:
    """Where `1` and `1.0` became one label, call it `1` everywhere, and its like (`0.0`) likewise."""
    pairs = {(value, label) for names in spelling.values() for value, label in names.items()}
    if not any(_WHOLE.fullmatch(label) and plain_form(label) == value for value, label in pairs):
        return
    labels = {label for _, label in pairs}
    plain = {label: plain_form(label) for label in labels if _WHOLE.fullmatch(label)}
    plain = {label: name for label, name in plain.items() if name not in labels}
    for names in spelling.values():
        names |= {value: plain[label] for value, label in names.items() if label in plain}


def _canonical(values: Iterable[str], against: Iterable[str]) -> dict[str, str] | None:
    """Value -> form that ignores `.0` and the case of true/false; None if two values would become one.

    true/false become 1/0 only if both vocabularies are two-valued, so that nothing else can be meant.
    """
    own, other = list(values), list(against)
    forms = {value: plain_form(value) for value in own}
    theirs = {plain_form(value) for value in other}
    if set(forms.values()) <= set(_TRUTH_VALUES) and theirs <= {"0", "1"} and theirs:
        forms = {value: _TRUTH_VALUES[form] for value, form in forms.items()}
    elif set(forms.values()) <= {"0", "1"} and theirs <= set(_TRUTH_VALUES) and theirs:
        back = {number: word for word, number in _TRUTH_VALUES.items()}
        forms = {value: back[form] for value, form in forms.items()}
    return forms if len(set(forms.values())) == len(own) else None


def plain_form(value: str) -> str:
    """A label without `.0` and without the case of true and false.

    >>> plain_form("1.0"), plain_form("TRUE"), plain_form("01.0")
    ('1', 'true', '01.0')
    """
    whole = _WHOLE.fullmatch(value)
    if whole:
        return "0" if whole[1] == "-0" else whole[1]
    return value.casefold() if value.casefold() in _TRUTH_VALUES else value


def label_order(labels: Iterable[str]) -> list[str]:
    """Numbers by value, `LABEL_2` before `LABEL_10`, everything else as sorted text.

    >>> label_order(["10", "9", "1"]), label_order(["b", "B", "a"])
    (['1', '9', '10'], ['B', 'a', 'b'])
    """
    texts = sorted(labels)
    numbers = [re.fullmatch(r"(\D*?)(-?\d+(?:\.\d+)?)(\D*)", text, re.ASCII) for text in texts]
    frames = {(m[1], m[3]) for m in numbers if m}
    if all(numbers) and len(frames) == 1:
        return [t for _, t in sorted(zip((float(m[2]) for m in numbers if m), texts, strict=True))]
    return texts


def look_alikes(labels: Sequence[str]) -> list[str]:
    """A warning for every kind of labels that a reader cannot, or can hardly, tell apart.

    >>> look_alikes(["Cat", "cat"])
    ["The labels 'Cat' and 'cat' differ only by upper and lower case: they are kept apart as different classes."]
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        groups[look(label)].append(label)
    pairs = [group for group in groups.values() if len(group) > 1]
    if not pairs:
        return []
    one, two = pairs[0][:2]
    more = f" So do {counted(len(pairs) - 1, 'more group')}." if len(pairs) > 1 else ""
    return [
        f"The labels {quoted(one)} and {quoted(two)} differ only by {_difference(one, two)}: "
        f"they are kept apart as different classes.{more}"
    ]


def _visible(label: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", label) if unicodedata.category(c) not in ("Cf", "Cc"))


def look(label: str) -> str:
    """A label without what a reader can hardly see: case, spaces, invisible characters, zeros in front."""
    text = plain_form(" ".join(_visible(label).split())).casefold()
    return _LEADING_ZEROS.sub("", text)


def _difference(one: str, two: str) -> str:
    if unicodedata.normalize("NFKC", one) == unicodedata.normalize("NFKC", two):
        return "how their accents or letters are composed in Unicode, and look the same"
    if _visible(one) == _visible(two):
        return "characters that cannot be seen, and look the same"
    if " ".join(one.split()) == " ".join(two.split()):
        return "spaces"
    if one.casefold() == two.casefold():
        return "upper and lower case"
    if all(text.isdecimal() for text in (one, two)):
        return "zeros in front"
    return "spaces, case, invisible characters or how a number is written"


def check_labels(cells: Distinct, column: str) -> None:
    """Refuse what cannot be a class name: overlong texts, and nested objects or lists.

    Raises
    ------
    DataError
        naming the column and the first such row.
    """
    for code, value in enumerate(cells.values):
        where = f"Column {quoted(column)}, row "
        if len(value) > MAX_LABEL_CHARACTERS:
            raise DataError(
                f"{where}{cells.first_row(code):,}: a label of {len(value):,} characters, at most "
                f"{MAX_LABEL_CHARACTERS} were wanted; is this a column of free text?"
            )
        if value.startswith(('{"', "{}", "[{")) and value.endswith(("}", "]")):
            raise DataError(
                f"{where}{cells.first_row(code):,}: a JSON object ({quoted(value)}) is not a label; "
                "give each label a plain text field."
            )


def outside_warning(space: LabelSpace, cells: Distinct, vocabulary: str, what: str) -> list[str]:
    """A sentence on labels of a column that lie outside the label space, or nothing."""
    known = set(space.labels[: space.n_space])
    outside = [value for value in cells.values if space.spelling[vocabulary][value] not in known]
    if not outside:
        return []
    rows = sum(int(cells.counts[cells.values.index(value)]) for value in outside)
    return [
        f"{counted(len(outside), 'label')} of the {what} ({listed(outside)}; {counted(rows, 'row')}) "
        f"{'is' if len(outside) == 1 else 'are'} outside the label space of {counted(space.n_space, 'label')}."
    ]
