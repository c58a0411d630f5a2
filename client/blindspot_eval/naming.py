"""Name labels: of places in a label list, of an estimator's classes, or as a person wrote them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .arrays import check_labels, plain_values

Names = list[str | None]


class Classes(NamedTuple):
    """Hold the classes of an estimator: the values that it predicts, and the name of each."""

    values: tuple[Any, ...]
    names: tuple[str, ...]

    @property
    def renamed(self) -> bool:
        """Return whether the names are other ones than the values."""
        return self.names != tuple(map(str, self.values))


def name_classes(values: Sequence[Any], labels: Sequence[str] | None) -> tuple[tuple[str, ...], Classes]:
    """Return the label list, and the classes by name; `labels` renames the classes, or lists them among others.

    Raises
    ------
    ValueError
        labels and classes differ in number, or in their order alone: that could rename them, or list them.

    >>> name_classes([-1, 1], ["neg", "pos"])[1].names, name_classes(["a", "c"], ["a", "b", "c"])[1].names
    (('neg', 'pos'), ('a', 'c'))
    """
    names_given = tuple(str(value) for value in values)
    names = check_labels(names_given if labels is None else labels)
    refuse_other_order(names, names_given, "classes of the estimator")
    if len(names) == len(names_given):
        return names, Classes(tuple(values), names)
    if not set(names_given) <= set(names):
        raise ValueError(
            f"There are {len(names)} labels for {len(names_given)} classes of the estimator: {_some(names_given)}."
        )
    return names, Classes(tuple(values), names_given)


def refuse_other_order(labels: Sequence[str], data_labels: Sequence[str], what: str) -> None:
    """Raise ValueError where `labels` are the names that the data has, in another order."""
    if list(labels) != list(data_labels) and sorted(labels) == sorted(data_labels):
        raise ValueError(f"The labels are the {what} in another order; their order is {_some(data_labels)}.")


def names_of_sets(table: np.ndarray, labels: Sequence[str]) -> Names:
    """Return label sets of 0 and 1, a column a label, as JSON lists.

    >>> names_of_sets(np.array([[1, 1], [0, 1]]), ["a", "b"])
    ['["a", "b"]', '["b"]']
    """
    if table.shape[1] != len(labels) or not np.isin(table, (0, 1)).all():
        raise ValueError(f"Label sets must be 0 or 1 in {len(labels)} columns, a label each; these are {table.shape}.")
    return [json.dumps([labels[code] for code in np.flatnonzero(row).tolist()], ensure_ascii=False) for row in table]


def names_of_places(places: np.ndarray, labels: Sequence[str]) -> Names:
    """Return the labels at these places of the list, None below 0; of sets of 0 and 1, their labels.

    >>> names_of_places(np.array([1, -1]), ["2", "1"])
    ['1', None]
    """
    if places.ndim == 2:
        return names_of_sets(places, labels)
    return [labels[code] if code >= 0 else None for code in places.tolist()]


def names_of_classes(values: np.ndarray, classes: Classes, labels: Sequence[str]) -> Names:
    """Return the names of class values; 1, 1.0, True and "1" are the same class.

    The truth may have labels already, and classes that the estimator does not know.

    Raises
    ------
    ValueError
        no value is a class or a label, or one is neither and the classes were renamed: then its name is not known.

    >>> names_of_classes(np.array([1.0, -1.0]), Classes((-1, 1), ("neg", "pos")), ["neg", "pos"])
    ['pos', 'neg']
    """
    by_value = dict(zip(classes.values, classes.names, strict=True))
    by_text = dict(zip(map(str, classes.values), classes.names, strict=True))
    plain = plain_values(values)
    names = [None if value is None else by_value.get(value, by_text.get(str(value))) for value in plain]
    texts = [None if value is None else str(value) for value in plain]
    unknown = [text for text, name in zip(texts, names, strict=True) if text is not None and name is None]
    if unknown and all(text is None or text in labels for text in texts):
        return texts
    if unknown and (classes.renamed or not any(names)):
        raise ValueError(f"A label is {unknown[0]}, but the classes of the estimator are {_some(classes.values)}.")
    return [text if name is None else name for text, name in zip(texts, names, strict=True)]


def names_of_given(values: np.ndarray, labels: Sequence[str], others: np.ndarray | None = None) -> Names:
    """Return the labels that a person gives as names, or as places in the label list; -100 is none.

    others : labels that are written the same way, such as the predictions beside the truth.

    Raises
    ------
    ValueError
        a whole number is neither a place nor a name, or all of them could be both; or no text is a label.

    >>> names_of_given(np.array([1, -100]), ["ham", "spam"]), names_of_given(np.array([3, 5]), ["3", "5"])
    (['spam', None], ['3', '5'])
    """
    plain = plain_values(values)
    both = plain + ([] if others is None else plain_values(others))
    if all(isinstance(value, bool) for value in both if value is not None) and {"True", "False"} <= set(labels):
        return [None if value is None else str(value) for value in plain]
    words = {str(value) for value in plain if value is not None and not isinstance(value, int)}
    if words and not words & set(labels):
        raise ValueError(f"No label is in the label list: {_some(sorted(words))} are not among {_some(labels)}.")
    numbers = {int(value) for value in both if isinstance(value, int)}
    names = {number: str(number) for number in numbers}
    if _are_places(numbers, labels):
        names = {number: labels[number] for number in numbers}
    named: Names = []
    for value in plain:
        if isinstance(value, int):
            named.append(names[value])
        else:
            named.append(None if value is None else str(value))
    return named


def names_in(*arrays: np.ndarray) -> tuple[str, ...]:
    """Return the different labels of arrays: numbers by size, then words.

    >>> names_in(np.array([10, 9, -100])), names_in(np.array(["b", None, "a"], dtype=object))
    (('9', '10'), ('a', 'b'))
    """
    distinct = {value for values in arrays for value in plain_values(values) if value is not None}
    return tuple(str(value) for value in sorted(distinct, key=lambda value: (isinstance(value, str), value)))


def _are_places(whole: set[int], labels: Sequence[str]) -> bool:
    """Return whether whole numbers are places in the label list; else they are names in it."""
    named = all(str(place) in labels for place in whole)
    other = [place for place in sorted(whole) if not 0 <= place < len(labels)]
    if named and (other or all(labels[place] == str(place) for place in whole)):
        return False
    if named:
        raise ValueError(f"Labels such as {min(whole)} can be names or places in the list: write the names as text.")
    if other:
        raise ValueError(f"The label {other[-1]} is neither a name nor a place from 0 in the list {_some(labels)}.")
    return True


def _some(names: Sequence[Any]) -> str:
    return ", ".join(str(name) for name in names[:6]) + (", …" if len(names) > 6 else "")
