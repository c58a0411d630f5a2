"""Read what options name in files of their own: a parser, labels, their names, their tree and merges."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.errors import DataError, name_file_in_error
from data.labels.class_names import Names, read_class_names
from data.labels.label_tree import Tree, read_tree
from data.limits import MAX_PARSER_BYTES
from data.parser.parser import Parser, parser_from_text
from data.runs.written_options import label_set_from_text, read_labels, read_pairs

READ_FILES = (
    "file", "labels", "parser", "label_set", "order", "tree", "merge", "class_names", "costs", "against", "compare",
    "prompt", "shots", "prices", "rubric",
)  # fmt: skip
"""The options that name a file to read; what others say, such as a column, may be called like a file."""


def refuse_to_overwrite(options: argparse.Namespace) -> None:
    """Raise DataError where the file to write is one of those that are read: it would be lost."""
    output = options.output
    if not os.path.isfile(output):
        return
    for option in READ_FILES:
        value = getattr(options, option, None)
        for name in value if isinstance(value, list) else [value]:
            if isinstance(name, str) and os.path.isfile(name) and os.path.samefile(name, output):
                raise DataError(f"-o {output}: this file is read, and would be lost; name another one to write.")


def parser_file(name: str) -> Parser:
    """Return the parser of a JSON file; an error names the file."""
    path = Path(name)
    with _naming_file(path, "the parser could not be read; a JSON file in UTF-8 was wanted."):
        if not path.exists():
            raise DataError(f"{path.name}: there is no such file; name the JSON file of the parser.")
        if path.stat().st_size > MAX_PARSER_BYTES:
            raise DataError(
                f"The parser is larger than {MAX_PARSER_BYTES >> 10} kB: write fewer rules, aliases or labels."
            )
        return parser_from_text(path.read_bytes().decode("utf-8-sig"), path.name)


@contextmanager
def _naming_file(path: Path, unreadable: str) -> Iterator[None]:
    """Put a file's name in front of what is wrong with it; `unreadable` : the sentence where it cannot be read."""
    try:
        yield
    except DataError as error:
        raise name_file_in_error(path.name, error) from None
    except (OSError, ValueError):
        raise DataError(f"{path.name}: {unreadable}") from None


def label_set(text: str) -> tuple[str, ...]:
    """Return labels from a file (a JSON list, or one a line), or from a comma-separated or JSON list.

    >>> label_set("spam, ham"), label_set('["spam", "ham"]')
    (('spam', 'ham'), ('spam', 'ham'))
    """
    path = Path(text)
    if not os.path.isfile(text):  # unlike Path's, it takes a list longer than a file name may be
        if path.suffix in (".json", ".txt") and "," not in text:
            raise DataError(f"{path.name}: there is no such file; name the file of the label list, or list the labels.")
        return read_labels(text)
    with _naming_file(path, "the label list could not be read; a JSON list or one label a line, in UTF-8, was wanted."):
        return label_set_from_text(path.read_text(encoding="utf-8-sig"))


def class_names(name: str) -> Names:
    """Read the names of classes from a file."""
    path = Path(name)
    with _naming_file(path, "the names of classes could not be read; a text file in UTF-8 was wanted."):
        return read_class_names(path.read_text(encoding="utf-8-sig"))


def label_tree(name: str) -> Tree:
    """Read the tree of labels from a file."""
    path = Path(name)
    with _naming_file(path, "the tree of labels could not be read; a text file in UTF-8 was wanted."):
        return read_tree(path.read_text(encoding="utf-8-sig"))


def merged_labels(text: str, *, drop: bool = False) -> tuple[tuple[str, str], ...]:
    """Return pairs (label, label that it counts as): one that is written with a =, or those of a JSON file.

    drop : whether a label may count as "", that is as none.

    >>> merged_labels("Cat=cat")
    (('Cat', 'cat'),)
    """
    path = Path(text)
    if os.path.isfile(text):
        try:
            pairs = read_pairs(path.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError):
            pairs = None
        if pairs is None:
            raise DataError(f'{path.name}: pairs of labels in JSON were wanted, such as {{"Cat": "cat"}}; write it so.')
        return pairs
    label, equals, other = text.partition("=")
    if not equals or not label or not (other or drop):
        raise DataError(
            f"--merge {text!r} is no pair of labels; write 'Cat=cat' (Cat counts as cat), or name a JSON file of pairs."
        )
    return ((label, other),)
