"""Options as text, from a command line or a form's field, to the values they stand for."""

from __future__ import annotations

import json
import math

from data.columns.run_columns import ALL_ROWS
from data.errors import DataError
from data.evaluation import Scale
from data.reading.options import DETECT, ReadOptions
from data.runs.corrections import label_set_from_text

SCALES: tuple[Scale, ...] = ("probability", "logit", "score")


def require_finite(threshold: float) -> None:
    """DataError if nothing lies on both sides of a threshold."""
    if not math.isfinite(threshold):
        raise DataError(f"The threshold {threshold} separates nothing; give a number, such as 0.5.")


def reading(encoding: str | None, delimiter: str | None, header: bool | None) -> tuple[ReadOptions, ...]:
    """How the person wants text files to be read; nothing, where nothing was said."""
    wanted = ReadOptions(encoding, delimiter, header)
    return () if wanted == DETECT else (wanted,)


def only(text: str) -> tuple[str, str]:
    """(column, value) of the rows that count.

    >>> only("filter=strict-match"), only("all")
    (('filter', 'strict-match'), ('', ''))
    """
    if text == "all":
        return ALL_ROWS
    column, equals, value = text.partition("=")
    if not column or not equals:
        raise DataError(f"--only {text!r} says no value; write filter=strict-match, or all for every row.")
    return column, value


def listed_labels(text: str) -> tuple[str, ...]:
    """Labels with commas between them, or a JSON list of them; no file is looked for."""
    return label_set_from_text(text if text.lstrip().startswith("[") else text.replace(",", "\n"))


def json_pairs(text: str) -> tuple[tuple[str, str], ...] | None:
    """The pairs of labels that a JSON object, or a JSON list of lists, holds; None where it holds others.

    ValueError or RecursionError where the text is not JSON.

    >>> json_pairs('{"Cat": "cat"}'), json_pairs('[["Cat", "cat"]]'), json_pairs("7")
    ((('Cat', 'cat'),), (('Cat', 'cat'),), None)
    """
    read = json.loads(text)
    pairs = list(read.items()) if isinstance(read, dict) else read
    if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
        return None
    return tuple((one, other) for one, other in pairs)


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(label, str) for label in pair)
