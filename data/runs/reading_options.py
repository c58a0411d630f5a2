"""Every wish about how files are read, one row each: an option of the command line, and a field of a push."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from data.columns.table_metadata import ALL, EQUAL, FIRST, LAST, REPEATED
from data.environment import read_yes
from data.errors import DataError
from data.labels.class_names import read_class_names
from data.labels.label_tree import read_tree
from data.parser.parser import parser_from_text, to_text
from data.runs.draft import NO_SCORES, Given
from data.runs.written_options import (
    LABELS_PER_ROW,
    NO_WEIGHTS,
    SCALES,
    read_labels,
    read_pairs,
    read_reading_options,
    read_row_choice,
    read_weights_option,
    require_finite,
)
from text.json_text import read_json


def _unchanged(value: Any) -> Any:
    return value


def _write(value: Any) -> str | None:
    return None if value is None else str(value)


def _write_yes(value: object) -> str | None:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else None


def _one_of(*choices: str) -> Callable[[str], str]:
    """Return what reads one of some texts; ValueError where it is none."""
    return lambda text: choices[choices.index(text)]


def _write_list(values: Any) -> str | None:
    return json.dumps(values) if values else None


def _read_threshold(threshold: float) -> float:
    require_finite(threshold)
    return threshold


def _read_columns(text: str) -> tuple[str, ...]:
    """Read a JSON list, as a column's name may hold a comma, or names with commas between them; none = no scores."""
    if text == "none":
        return NO_SCORES
    names = read_json(text) if text.startswith("[") else None
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return tuple(names)
    return tuple(text.split(","))


def _write_columns(columns: tuple[str, ...]) -> str | None:
    return "none" if columns == NO_SCORES else _write_list(columns)


def _read_merged(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Read JSON pairs, as a label may hold an equals sign, or one pair with one between."""
    merged: list[tuple[str, str]] = []
    for text in texts:
        pairs = read_pairs(text)
        label, equals, other = text.partition("=")
        if pairs is None and not (label and equals and other):
            raise DataError(f"The field merge is {text[:40]!r}, but a pair of labels such as Cat=cat was wanted.")
        merged += ((label, other),) if pairs is None else pairs
    return tuple(merged)


def _write_row_choice(only: tuple[str, str] | None) -> str | None:
    if only is None:
        return None
    return "=".join(only) if only[0] else "all"


@dataclass(frozen=True)
class Option:
    """One wish about how files are read.

    name : on the command line, behind two dashes, and as a field of a push.
    field : of `Given`, or of `ReadOptions` where it is `of_reading`. value_of : returns the field.
    about : its line of the help. metavar : the value's name there.
    choices : the values that the help offers.
    parse : reads a plain value from a text, ValueError where it is none; `wanted` says then what it should be.
    read : returns the field from the plain value, or from all of them where it `repeats`; may raise DataError.
    write : returns the text that is read as the field; None = nothing was said.
    switch : an option without a value; in a push it is yes or no. With "on", one that nobody gave is False on the
        command line, and `write` has no text for it.
    """

    name: str
    field: str
    value_of: Callable[[Given], Any]
    about: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    parse: Callable[[str], Any] = str
    wanted: str = ""
    read: Callable[[Any], Any] = _unchanged
    write: Callable[[Any], str | None] = _write
    repeats: bool = False
    switch: Literal["", "on", "on or off"] = ""
    of_reading: bool = False

    @property
    def reads_text(self) -> bool:
        """Return whether its text is more than a name: an empty one says nothing."""
        return self.read is not _unchanged


def _choice(
    name: str, field: str, value_of: Callable[[Given], Any], about: str, choices: tuple[str, ...]
) -> Option:  # fmt: skip
    wanted = f"one of {', '.join(choices)}"
    return Option(name, field, value_of, about, choices=choices, parse=_one_of(*choices), wanted=wanted)


SKIP_BAD_ROWS = Option(
    "skip-bad-rows",
    "skip_bad_rows",
    lambda given: given.first_reading.skip_bad_rows,
    "leave out rows that cannot be read, such as those with too many values, and say how many and why",
    parse=read_yes,
    wanted="yes or no",
    write=lambda skips: "yes" if skips else None,
    switch="on",
    of_reading=True,
)
OPTIONS: tuple[Option, ...] = (
    Option(
        "join",
        "key",
        lambda given: given.key,
        "the id columns that both files share; a=b where their names differ; '' joins by row order (default: "
        "detected, else row order)",
        "COL,…",
    ),
    Option(
        "repeated",
        "repeated",
        lambda given: given.repeated,
        "which rows count where an id repeats (default: equal rows once, no ids whose rows differ)",
        choices=(FIRST, LAST, ALL),
        parse=_one_of(*REPEATED),
        wanted=", ".join(REPEATED[:-1]) + f" or {REPEATED[-1]}",
        write=lambda repeated: None if repeated == EQUAL else repeated,
    ),
    Option("truth", "truth", lambda given: given.truth, "column of the true labels", "COL"),
    Option("pred", "pred", lambda given: given.pred, "column of the predicted labels", "COL"),
    Option(
        "counts",
        "counts",
        lambda given: given.counts,
        "column that says how many rows each line stands for; '' = every line is one row",
        "COL",
    ),
    Option(
        "weights",
        "weights",
        lambda given: given.weights,
        "column of the weights of rows, numbers from 0, by which every number counts; none = no weights are used, "
        "so that no warning names such a column",
        "COL",
        read=read_weights_option,
        write=lambda weights: NO_WEIGHTS if weights == "" else weights,
    ),
    Option("raw", "raw", lambda given: given.raw, "column of raw answers to parse into labels", "COL"),
    Option(
        "parser",
        "parser",
        lambda given: given.parser,
        "a JSON file of rules that read labels from raw answers",
        "FILE",
        read=parser_from_text,
        write=lambda parser: to_text(parser) if parser else None,
    ),
    Option(
        "score",
        "scores",
        lambda given: given.scores,
        "column of the positive class's score",
        "COL",
        read=lambda column: (column,),
        write=lambda columns: None,  # scores writes it
    ),
    Option(
        "scores",
        "scores",
        lambda given: given.scores,
        "columns of the scores, one for each class; 'p_*' = all columns whose names begin with p_; none = read no "
        "scores",
        "COL,COL,…",
        read=_read_columns,
        write=_write_columns,
    ),
    Option("positive", "positive", lambda given: given.positive, "the positive class of a binary task", "LABEL"),
    Option(
        "label-set",
        "label_set",
        lambda given: given.label_set,
        "the label list: a file (JSON list, or one label on each line) or a,b,c",
        "FILE|a,b,c",
        read=read_labels,
        write=_write_list,
    ),
    Option(
        "order",
        "order",
        lambda given: given.order,
        "the labels from the lowest to the highest, such as low,medium,high: errors are then measured in steps",
        "FILE|a,b,c",
        read=read_labels,
        write=_write_list,
    ),
    Option(
        "separator",
        "separator",
        lambda given: given.separator,
        "what separates the groups of a label, such as / in animal/dog: errors within a group are then told apart",
        "TEXT",
    ),
    Option(
        "tree",
        "tree",
        lambda given: given.tree,
        'the groups of labels in place of a separator: CSV of label,parent, or JSON such as {"dog": "animal"}',
        "FILE",
        read=read_tree,
        write=_write_list,
    ),
    _choice(
        "task",
        "task",
        lambda given: given.task,
        "labels per row: single = one, so that a|b is one label; multilabel = several or none (default: detected)",
        LABELS_PER_ROW,
    ),
    Option(
        "merge",
        "merge",
        lambda given: given.merge,
        "merge two labels: Cat counts as cat; repeatable, or a JSON file of such pairs",
        "'Cat=cat'|FILE",
        read=_read_merged,
        write=_write_list,
        repeats=True,
    ),
    Option(
        "class-names",
        "class_names",
        lambda given: given.class_names,
        'names of the classes: a file with lines such as 2,cat, or JSON such as {"2": "cat"}',
        "FILE",
        read=read_class_names,
        write=lambda names: json.dumps(dict(names)) if names else None,
    ),
    _choice(
        "scale",
        "scale",
        lambda given: given.scale,
        "what the scores are: probability (or per cent), logit, or score (a scale of their own, such as 1 to 10)",
        SCALES,
    ),
    Option(
        "threshold",
        "threshold",
        lambda given: given.threshold,
        "predict score >= T instead of using the file's predictions",
        "T",
        parse=float,
        wanted="a number such as 0.5",
        read=_read_threshold,
    ),
    Option(
        "encoding",
        "encoding",
        lambda given: given.first_reading.encoding,
        "encoding of text files, such as Windows-1252 (default: detected)",
        "NAME",
        of_reading=True,
    ),
    Option(
        "delimiter",
        "delimiter",
        lambda given: given.first_reading.delimiter,
        "comma, semicolon, tab, bar or none (default: detected)",
        "NAME",
        write=lambda delimiter: "none" if delimiter == "" else delimiter,
        of_reading=True,
    ),
    Option(
        "header",
        "header",
        lambda given: given.first_reading.header,
        "say whether the first line of a text file holds the column names (default: detected)",
        parse=read_yes,
        wanted="yes or no",
        write=_write_yes,
        switch="on or off",
        of_reading=True,
    ),
    SKIP_BAD_ROWS,
    Option(
        "header-line",
        "header_line",
        lambda given: given.first_reading.header_line,
        "the line, or row of a sheet, with the column names; those above it are left out (default: detected)",
        "N",
        parse=int,
        wanted="the number of a line",
        of_reading=True,
    ),
    Option(
        "decimal",
        "decimal",
        lambda given: given.first_reading.decimal,
        "point or comma, in numbers (default: detected)",
        "NAME",
        of_reading=True,
    ),
    Option(
        "sheet",
        "sheet",
        lambda given: given.first_reading.sheet,
        "which sheet of a workbook to read (default: the first table)",
        "NAME",
        of_reading=True,
    ),
    Option(
        "only",
        "only",
        lambda given: given.only,
        "which rows to evaluate, if the file holds several evaluations; all = every row",
        "COL=VALUE",
        read=read_row_choice,
        write=_write_row_choice,
    ),
)


def given_of(values: Mapping[str, Any]) -> Given:
    """Return the wishes of a person; values : what `read` of each option returned, by the option's name.

    Raises
    ------
    DataError
        there is to be no header and one in a line, or a value of `ReadOptions` is unknown.

    >>> given_of({"truth": "label", "header": False}).reading
    (ReadOptions(encoding=None, delimiter=None, header=False, decimal=None, sheet=None, skip_bad_rows=False, \
corrections=()),)
    """
    of_columns: dict[str, Any] = {}
    of_text: dict[str, Any] = {}
    for option in OPTIONS:
        if option.name in values:
            fields = of_text if option.of_reading else of_columns
            fields[option.field] = values[option.name]
    return Given(**of_columns, reading=read_reading_options(**of_text))
