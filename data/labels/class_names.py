"""Give classes names: labels that are numbers or codes read as words everywhere, the file stays as it is."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from data.columns.role_names import TRUTH, fold
from data.errors import DataError
from data.evaluation import Evaluation
from text.json_text import read_json
from text.numbers import count
from text.quoting import cut, list_items, quote

Names = tuple[tuple[str, str], ...]
"""Pairs of a label as the file writes it and the name that it is shown by."""

_NUMBER, _ANSWER = r"-?[0-9]{1,9}", "(?i:true|false|yes|no)"
_COLUMN_CHARS = 24


def read_class_names(text: str) -> Names:
    r"""Read names from a JSON object, or from lines such as `2,cat` or `2=cat`.

    Raises
    ------
    DataError
        a line without a name, a label or a name twice, or nothing at all.

    >>> read_class_names('{"0": "cat", "1": "dog"}'), read_class_names("0,cat\n1,dog\n")
    ((('0', 'cat'), ('1', 'dog')), (('0', 'cat'), ('1', 'dog')))
    """
    pairs = _from_json(text) if text.lstrip().startswith(("{", "[")) else _from_lines(text)
    if not pairs:
        raise DataError("There are no names of classes; write one a line, such as 2,cat.")
    for what, values in (("label", [label for label, _ in pairs]), ("name", [name for _, name in pairs])):
        twice = [value for value, n in Counter(values).items() if n > 1]
        if twice:
            raise DataError(
                f"The names of classes hold the {what} {list_items(twice)} twice; each must stand there once."
            )
    return pairs


def _from_json(text: str) -> Names:
    read = read_json(text)
    pairs = list(read.items()) if isinstance(read, dict) else list(enumerate(read or ()))
    if not all(isinstance(name, str) and name.strip() for _, name in pairs) or read is None:
        raise DataError('The names of classes are no JSON object of texts, such as {"2": "cat"}; write them so.')
    return tuple((str(label), name.strip()) for label, name in pairs)


def _from_lines(text: str) -> Names:
    pairs = []
    for line in filter(str.strip, text.splitlines()):
        sign = next((sign for sign in ("\t", "=", ",", ";", ":") if sign in line), ",")
        cells = next(csv.reader(io.StringIO(line), delimiter=sign), [])
        if len(cells) != 2 or not all(cell.strip() for cell in cells):
            raise DataError(f"The line {quote(line)} names no class; write the label and its name, such as 2,cat.")
        pairs.append((cells[0].strip(), cells[1].strip()))
    return tuple(pairs)


def name_classes(labels: Sequence[str], names: Names) -> tuple[str, ...]:
    """Return the labels, each by its name where it has one.

    Raises
    ------
    DataError
        two classes would be called the same.

    >>> name_classes(("0", "1"), (("0", "cat"),))
    ('cat', '1')
    """
    by_label: Mapping[str, str] = dict(names)
    named = tuple(by_label.get(label, label) for label in labels)
    twice = [name for name, n in Counter(named).items() if n > 1]
    if twice:
        raise DataError(f"Two classes would be called {list_items(twice)}; give each class a name of its own.")
    return named


def merge_named(names: Names, vocabularies: Mapping[str, Iterable[str]]) -> Names:
    """Return the merges that names make: a name that another column writes as its label is the same class.

    >>> merge_named((("0", "no"), ("1", "yes")), {"truth": ("0", "1"), "predictions": ("no", "yes")})
    (('0', 'no'), ('1', 'yes'))
    >>> merge_named((("a", "b"), ("b", "a")), {"truth": ("a", "b"), "predictions": ("a", "b")})
    ()
    """
    words = [frozenset(labels) for labels in vocabularies.values()] if names else []
    merged = []
    for label, name in names:
        with_label = [column for column in words if label in column]
        with_name = [column for column in words if name in column]
        if with_label and with_name and not any(name in column for column in with_label):
            merged.append((label, name))
    return tuple(merged)


def describe_unused_names(labels: Sequence[str], names: Names) -> list[str]:
    """Say in one sentence which named labels the file does not have; nothing where it has all.

    >>> describe_unused_names(("0",), (("0", "cat"), ("1", "dog")))
    ["Names were given to 1 label that the file does not have: '1'."]
    """
    unused = [label for label, name in names if label not in labels and name not in labels]
    if not unused:
        return []
    return [f"Names were given to {count(len(unused), 'label')} that the file does not have: {list_items(unused)}."]


def label_of(name: str, names: Names) -> str:
    """Return the label that the file writes for a name.

    >>> label_of("cat", (("0", "cat"),)), label_of("1", (("0", "cat"),))
    ('0', '1')
    """
    return {shown: label for label, shown in names}.get(name, name)


def is_number(label: str) -> bool:
    """Return whether a label is a number, which says nothing about its class.

    >>> is_number("-1"), is_number("2.5"), is_number("cat")
    (True, False, False)
    """
    return re.fullmatch(_NUMBER, label) is not None


def names_in_sentences(evaluation: Evaluation) -> dict[str, str]:
    """Return the name of each label in a sentence, on pages, in the report and on the terminal; JSON keeps labels."""
    column = None if evaluation.task == "multilabel" else evaluation.settings.truth
    return dict(zip(evaluation.labels, name_in_sentences(evaluation.labels, column), strict=True))


def name_in_sentences(labels: Sequence[str], column: str | None) -> tuple[str, ...]:
    """Return labels as sentences name them: a number or a yes says nothing without the column of the true labels.

    column : None where the labels are of several columns. A column that is only named after its role adds nothing.
        Where a name is taken by another label, all stay as they are.

    >>> name_in_sentences(("1", "0", "2.5"), "is_fraud"), name_in_sentences(("yes", "no"), "sick")
    (('is_fraud = 1', 'is_fraud = 0', '2.5'), ('sick = yes', 'sick = no'))
    >>> name_in_sentences(("2", "cat"), "y_true"), name_in_sentences(("2", "class 2"), None)
    (('class 2', 'cat'), ('2', 'class 2'))
    """
    says = column is not None and fold(column) not in TRUTH
    lead = f"{cut(column or '', _COLUMN_CHARS)} = " if says else "class "
    unclear = re.compile(f"{_NUMBER}|{_ANSWER}" if says else _NUMBER)
    named = tuple(f"{lead}{label}" if unclear.fullmatch(label) else label for label in labels)
    return named if len(set(named)) == len(set(labels)) else tuple(labels)
