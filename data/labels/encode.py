"""Encode labels: what counts as the same label, in which order, and what is not in the label list.

Labels are text and compared exactly. Only spellings of one number or one truth value are brought together: `1` and
`1.0`, `01` and `1`, `True` and `true`, and `True` and `1` against 0/1. That is done only *between* columns, and only
if no column loses a distinction by it. Everything else that looks alike is kept apart and pointed out, until a person
merges it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from data import environment
from data.columns.column import Distinct
from data.errors import DataError
from data.evaluation import MISSING
from data.labels.cell_sets import SetEncoding, read_members
from data.labels.label_merges import describe_merges, resolve_merges
from data.labels.label_order import rank_labels
from data.labels.spelling import reconcile, sort_labels, warn_of_look_alikes
from data.limits import LONG_LABEL_CHARS
from text.numbers import count, verb
from text.quoting import list_items, quote

_NO_VALUE = frozenset(["nan", "none", "null", "na", "n/a", "<na>", "nat", "#n/a", "nil", "missing", "?", "-", "--"])


@dataclass(frozen=True)
class LabelSpace:
    """The labels of an evaluation and how every vocabulary spells them.

    Attributes
    ----------
    labels : K names; the first `n_space` are the label space, the rest occurred outside it.
    spelling : for every vocabulary given by name, its own spelling -> label.
    notes, warnings : what was merged, and what looks alike but was not.
    merges : label -> the label that a person merged it into; also of labels that no vocabulary here holds.
    ranks : place of every label of the label space in the order that a person gave; () = none was given.
    """

    labels: tuple[str, ...]
    n_space: int
    spelling: Mapping[str, Mapping[str, str]]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    merges: Mapping[str, str] = field(default_factory=dict)
    ranks: tuple[int, ...] = ()

    @cached_property
    def place(self) -> dict[str, int]:
        """Return the code of every label."""
        return {label: code for code, label in enumerate(self.labels)}

    def codes(self, cells: Distinct, vocabulary: str) -> np.ndarray:
        """Return the rows of a column as label codes, int32 (n,), MISSING where the cell is empty."""
        spelled = self.spelling[vocabulary]
        return cells.spread((self.place[spelled[value]] for value in cells.values), MISSING, np.int32)

    def merged(self, vocabulary: str) -> list[str]:
        """Return the notes on what `vocabulary` writes differently from the sources before it."""
        return [note for note in self.notes if f" and the {vocabulary} write " in note]

    def code(self, label: str, vocabulary: str) -> int | None:
        """Return the code of a label as `vocabulary` spells it, or exactly; None if it is no label."""
        return self.place.get(self.spelling.get(vocabulary, {}).get(label, label))


def build_label_space(
    vocabularies: Mapping[str, Iterable[str]],
    *,
    space: Sequence[str],
    label_set: Sequence[str] | None = None,
    merge: Sequence[tuple[str, str]] = (),
    order: Sequence[str] = (),
    more_to_come: bool = False,
) -> LabelSpace:
    """Bring vocabularies (truth, predictions, score names, ...) to one list of labels.

    Parameters
    ----------
    vocabularies : the distinct labels of every source, by the name of the source; the first is the truth.
    space : which of the sources make up the label space; ignored with a `label_set`.
    label_set : the label space as a person gave it; its order and spelling win.
    merge : (label, label that it counts as) as a person ticked them.
    order : the labels from the lowest to the highest, where they have an order; the label space then stands in it.
    more_to_come : labels may be read from answers later, so that a merge may be of one that is not known here.

    Raises
    ------
    DataError
        more labels than BLINDSPOT_CLASSES, or one longer than BLINDSPOT_LABEL_CHARS; a merge of a label that
        is not there, in a circle, or into two labels; an order without a place for a label.

    >>> found = build_label_space({"truth": ["1", "0"], "predictions": ["1.0", "0.0"]}, space=["truth"])
    >>> found.labels, found.spelling["predictions"]["1.0"], len(found.notes)
    (('0', '1'), '1', 1)
    """
    words = {name: tuple(dict.fromkeys(values)) for name, values in vocabularies.items()}
    if label_set is not None:
        words = {"label list": tuple(dict.fromkeys(label_set)), **words}
    spelling, notes = reconcile(words)
    merges = resolve_merges(merge, spelling, strict=not more_to_come) if merge else {}
    if merges:
        spelling = {name: {v: merges.get(n, n) for v, n in names.items()} for name, names in spelling.items()}
        notes.append(describe_merges(merge))
    inside = sort_labels({spelling[name][v] for name in space for v in words[name]})
    if label_set is not None:
        inside = list(dict.fromkeys(spelling["label list"][v] for v in words["label list"]))
    known = {value: label for names in spelling.values() for value, label in names.items()}
    ranks = rank_labels(inside, order, known | merges) if order else {}
    inside.sort(key=lambda label: ranks.get(label, 0))
    everything = {label for names in spelling.values() for label in names.values()}
    labels = (*inside, *sort_labels(everything - set(inside)))
    _check_size(labels)
    warnings = tuple(warn_of_look_alikes(labels))
    places = tuple(ranks[label] for label in inside) if order else ()
    return LabelSpace(labels, len(inside), spelling, tuple(notes), warnings, merges, places)


def _check_size(labels: Sequence[str]) -> None:
    longest, most = max(map(len, labels), default=0), environment.value("BLINDSPOT_CLASSES")
    most_chars = environment.value("BLINDSPOT_LABEL_CHARS")
    if longest > most_chars:
        label = next(label for label in labels if len(label) == longest)
        raise DataError(
            f"The label {quote(label)} is {longest:,} characters long, at most {most_chars:,} are "
            f"taken: is one of the label columns free text? If not, {environment.raise_it('BLINDSPOT_LABEL_CHARS')}."
        )
    if len(labels) > most:
        raise DataError(
            f"The file holds {count(len(labels), 'different label')}, at most {most:,} classes "
            f"are shown. Is one of the label columns an id or free text? If not, "
            f"{environment.raise_it('BLINDSPOT_CLASSES')}."
        )


def warn_of_missing_words(cells: Distinct, column: str, other: Distinct) -> list[str]:
    """Warn of labels that are words or marks for a missing value and that the other side does not have.

    >>> import pyarrow as pa
    >>> from data.columns.column import distinct
    >>> pred, truth = (distinct(pa.chunked_array([values])) for values in (["a", "nan"], ["a", "b"]))
    >>> warn_of_missing_words(pred, "y_pred", truth)[0]
    "Column 'y_pred' holds 'nan' in 1 row, which counts as a label: if it means a missing value, leave the cell empty."
    """
    sentences = []
    words = {*cells.values, *other.values}
    known = {*other.values, *(["-", "--"] if words & {"+", "++"} else [])}  # beside + a - is a label
    for code, value in enumerate(cells.values):
        if value.casefold() in _NO_VALUE and value not in known and cells.counts[code]:
            n = int(cells.counts[code])
            cell = "leave the cell empty" if n == 1 else "leave these cells empty"
            sentences.append(
                f"Column {quote(column)} holds {quote(value)} in {count(n, 'row')}, which counts as a label: "
                f"if it means a missing value, {cell}."
            )
    return sentences


def check_labels(cells: Distinct, column: str) -> list[str]:
    """Refuse what cannot be a class name: overlong texts, and nested objects or lists.

    Returns
    -------
    list
        a warning on long labels, or nothing.

    Raises
    ------
    DataError
        naming the column and the first such row.
    """
    where, longest = f"Column {quote(column)}, row ", environment.value("BLINDSPOT_LABEL_CHARS")
    for code, value in enumerate(cells.values):
        if len(value) > longest:
            raise DataError(
                f"{where}{cells.first_row(code):,}: a label of {len(value):,} characters, at most "
                f"{longest:,} were wanted. Is this a column of free text? If not, "
                f"{environment.raise_it('BLINDSPOT_LABEL_CHARS')}."
            )
        if value.startswith(('{"', "{}", "[{")) and value.endswith(("}", "]")):
            raise DataError(
                f"{where}{cells.first_row(code):,}: a JSON object ({quote(value)}) is not a label; "
                "give each label a plain text field."
            )
    long = [code for code, value in enumerate(cells.values) if len(value) > LONG_LABEL_CHARS]
    if not long:
        return []
    first = int(np.argmax(np.isin(cells.codes, long))) + 1
    return [
        f"Column {quote(column)} holds {count(len(long), 'label')} of more than {LONG_LABEL_CHARS} characters "
        f"(first in row {first:,}), cut where they are shown. Is this a column of free text?"
    ]


def warn_of_outside_labels(
    space: LabelSpace, cells: Distinct, vocabulary: str, what: str, weights: np.ndarray | None = None
) -> list[str]:
    """Warn of labels of a column that lie outside the label space.

    weights : how many rows every line stands for; None = one.
    """
    known = set(space.labels[: space.n_space])
    outside = [code for code, value in enumerate(cells.values) if space.spelling[vocabulary][value] not in known]
    if not outside:
        return []
    rows = cells.rows(weights)
    return [
        f"{count(len(outside), 'label')} of the {what} ({list_items(cells.values[code] for code in outside)}; "
        f"{count(sum(int(rows[code]) for code in outside), 'row')}) {verb(len(outside), 'is')} not in "
        f"the list of {count(space.n_space, 'label')}."
    ]


def list_labels(cells: Sequence[str], sets: SetEncoding | None) -> tuple[str, ...]:
    """Return the labels that cells hold, in label order; `sets` : how a cell holds several, None for one."""
    if sets is None:
        return tuple(sort_labels(cells))
    return tuple(sort_labels({label for cell in cells for label in read_members(cell, sets) or ()}))
