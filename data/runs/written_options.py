"""Read options that are written as text, on a command line, in a form or in a file."""

from __future__ import annotations

import math

from data.errors import DataError
from data.evaluation import Evaluation, LabelsPerRow, Scale
from data.reading.options import DETECT, ReadOptions
from data.roles.run_columns import ALL_ROWS
from text.json_text import read_json
from text.quoting import quote

LABELS_PER_ROW: tuple[LabelsPerRow, ...] = ("single", "multilabel")
NO_WEIGHTS = "none"
"""The value of --weights where every row counts once."""
SCALES: tuple[Scale, ...] = ("probability", "logit", "score")


def require_finite(threshold: float) -> None:
    """Raise DataError if a threshold is not finite."""
    if not math.isfinite(threshold):
        raise DataError(f"The threshold {threshold} separates nothing; give a number, such as 0.5.")


def read_reading_options(
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    header_line: int | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
    *,
    skip_bad_rows: bool | None = False,
) -> tuple[ReadOptions, ...]:
    """Return the options for reading text files and workbooks; nothing, where nothing was said.

    Raises
    ------
    DataError
        an option has no such value, or there is to be no header and one in a line.
    """
    if header is False and header_line is not None:
        raise DataError("--no-header and --header-line contradict each other: give one of them.")
    line = header if header_line is None else header_line
    wanted = ReadOptions(encoding, delimiter, line, decimal, sheet, skip_bad_rows=bool(skip_bad_rows))
    return () if wanted == DETECT else (wanted,)


def read_weights_option(text: str | None) -> str | None:
    """Return the column of the weights of rows; "" = none are used, None = nobody said so.

    >>> read_weights_option("w"), read_weights_option("none"), read_weights_option(None)
    ('w', '', None)
    """
    return "" if text == NO_WEIGHTS else text


def read_row_choice(text: str) -> tuple[str, str]:
    """Return (column, value) of the rows that count.

    >>> read_row_choice("filter=strict-match"), read_row_choice("all")
    (('filter', 'strict-match'), ('', ''))
    """
    if text == "all":
        return ALL_ROWS
    column, equals, value = text.partition("=")
    if not column or not equals:
        raise DataError(f"--only {quote(text)} says no value; write filter=strict-match, or all for every row.")
    return column, value


def read_labels(text: str) -> tuple[str, ...]:
    """Read labels with commas between them, or a JSON list of them; no file is looked for."""
    return label_set_from_text(text if text.lstrip().startswith("[") else text.replace(",", "\n"))


def read_pairs(text: str) -> tuple[tuple[str, str], ...] | None:
    """Read the pairs of labels of a JSON object, or of a JSON list of lists; None where a text is neither.

    >>> read_pairs('{"Cat": "cat"}'), read_pairs('[["Cat", "cat"]]'), read_pairs("7")
    ((('Cat', 'cat'),), (('Cat', 'cat'),), None)
    """
    read = read_json(text)
    pairs = list(read.items()) if isinstance(read, dict) else read
    if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
        return None
    return tuple((first, other) for first, other in pairs)


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(label, str) for label in pair)


def read_small_file(content: bytes, name: str) -> str:
    """Read the text of a small file that a person writes, such as a label set; without a byte order mark.

    Raises
    ------
    DataError
        it is not UTF-8: nothing is replaced, as a changed label would be another label.

    >>> read_small_file(b"spam", "labels.txt")
    'spam'
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{quote(name)} is no text in UTF-8: save the file as UTF-8 and choose it again.") from None


def label_set_from_text(text: str) -> tuple[str, ...]:
    r"""Read labels from a JSON list or from lines; order kept.

    Raises
    ------
    DataError
        nothing in it, not a list of texts, or a label twice.

    >>> label_set_from_text('["spam", "ham"]'), label_set_from_text("spam\nham\n")
    (('spam', 'ham'), ('spam', 'ham'))
    """
    text = text.strip()
    if text.startswith("["):
        labels = read_json(text)
        if labels is None:
            raise DataError('The label list starts like JSON but is not; write ["a", "b"], or one label a line.')
        if not all(isinstance(label, str | int) and not isinstance(label, bool) for label in labels):
            raise DataError('The label list must be a JSON list of texts, such as ["a", "b"].')
        label_names = tuple(str(label) for label in labels)
    else:
        label_names = tuple(line.strip() for line in text.splitlines() if line.strip())
    if not label_names:
        raise DataError("The label list is empty; write one label a line, or a JSON list.")
    return _check_labels(label_names)


def _check_labels(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels, if each occurs once and is valid text."""
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise DataError(f"The label list names {quote(label)} twice; every label must stand there once.")
        if any("\ud800" <= character <= "\udfff" for character in label):
            raise DataError(f"The label {quote(label)} of the label list holds half a character; write it again.")
        seen.add(label)
    return labels


def read_each(text: str, evaluation: Evaluation) -> dict[int, float]:
    """Return thresholds by label code, from the text of a link.

    Raises
    ------
    ValueError : the end of a sentence about what is wrong with it.

    >>> from types import SimpleNamespace
    >>> read_each("0:0.4,2:-inf", SimpleNamespace(score_codes=(0, 1, 2)))
    {0: 0.4, 2: -inf}
    """
    thresholds: dict[int, float] = {}
    scored = frozenset(evaluation.score_codes)
    for part in text.split(",") if text else ():
        code, threshold = _pair(part)
        if code not in scored or code in thresholds:
            raise ValueError(
                f"label {code} {'stands there twice' if code in thresholds else 'has no score in this file'}"
            )
        thresholds[code] = threshold
    return thresholds


def _pair(part: str) -> tuple[int, float]:
    code, _, threshold = part.partition(":")
    try:
        pair = int(code), float(threshold)
    except ValueError:
        pair = -1, math.nan
    if math.isnan(pair[1]):
        raise ValueError(f'pairs such as "3:0.25" were wanted, not "{part[:40]}"')
    return pair
