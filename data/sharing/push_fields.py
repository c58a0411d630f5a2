"""Fields of the form that a push sends besides its files: written by the command line, read by the server.

Fields have the names of the command line's options, so that `curl -F truth=label` says what `--truth label` says. No
field names a file: what the command line takes from one is sent as its text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from data.columns.role_names import COUNTED_PARTS
from data.columns.table_metadata import EQUAL, REPEATED
from data.errors import DataError
from data.labels.class_names import read_class_names
from data.labels.label_tree import read_tree
from data.limits import MAX_TITLE_CHARS
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
from data.store import links
from text.json_text import read_json

REPEATABLE = ("hide", "merge")
FIELDS = (
    "name", "days", "hide", "counts-only", "truth", "pred", "counts", "raw", "score", "scores", "positive",
    "label-set", "threshold", "scale", "join", "repeated", "only", "merge", "class-names", "encoding", "delimiter",
    "header", "header-line", "decimal", "sheet", "skip-bad-rows", "parser", "cluster", *COUNTED_PARTS, "task",
    "weights", "order", "separator", "tree", "preview",
)  # fmt: skip
_MAY_BE_EMPTY = ("join", "counts", "cluster", *COUNTED_PARTS)
"""Fields whose empty text says something: row order; every line is one row; there is no such column."""
_NOT_SAID = ("", None)
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Wanted:
    """The wishes of a push: how the files are read, and the link that is made."""

    given: Given = field(default_factory=Given)
    title: str = ""
    days: int = links.DEFAULT_DAYS
    hide: tuple[str, ...] = ()
    counts_only: bool = False
    preview: bool = False


def to_fields(wanted: Wanted) -> list[tuple[str, str]]:
    """Return the fields that say it; what was not said is left out.

    >>> to_fields(Wanted(Given(truth="label"), "nightly"))
    [('name', 'nightly'), ('days', '30'), ('truth', 'label')]
    """
    given, how = wanted.given, wanted.given.reading[0] if wanted.given.reading else None
    stated = {
        "name": wanted.title,
        "days": wanted.days,
        "counts-only": "yes" if wanted.counts_only else None,
        "preview": "yes" if wanted.preview else None,
        "truth": given.truth,
        "pred": given.pred,
        "raw": given.raw,
        "scores": "none" if given.scores == NO_SCORES else json.dumps(given.scores) if given.scores else None,
        "positive": given.positive,
        "label-set": json.dumps(given.label_set) if given.label_set else None,
        "order": json.dumps(given.order) if given.order else None,
        "separator": given.separator or None,
        "tree": json.dumps(given.tree) if given.tree else None,
        "threshold": None if given.threshold is None else repr(given.threshold),
        "repeated": None if given.repeated == EQUAL else given.repeated,
        "scale": given.scale,
        "task": given.task,
        "weights": NO_WEIGHTS if given.weights == "" else given.weights,
        "only": None if given.only is None else "=".join(given.only) if given.only[0] else "all",
        "merge": json.dumps(given.merge) if given.merge else None,
        "class-names": json.dumps(dict(given.class_names)) if given.class_names else None,
        "encoding": how and how.encoding,
        "delimiter": how and ("none" if how.delimiter == "" else how.delimiter),
        "header": None if how is None or not isinstance(how.header, bool) else ("yes" if how.header else "no"),
        "header-line": how and how.header_line,
        "decimal": how and how.decimal,
        "sheet": how and how.sheet,
        "skip-bad-rows": "yes" if how and how.skip_bad_rows else None,
        "parser": to_text(given.parser) if given.parser else None,
    }
    fields = [(name, str(value)) for name, value in stated.items() if value not in _NOT_SAID]
    parts = (dict(given.run_parts).get(role) for role in COUNTED_PARTS)
    fields += [
        (name, value)
        for name, value in zip(_MAY_BE_EMPTY, (given.key, given.counts, given.cluster, *parts), strict=True)
        if value is not None
    ]
    return fields + [("hide", column) for column in wanted.hide]


def from_fields(fields: Sequence[tuple[str, str]]) -> Wanted:
    """Read back what `to_fields`, or a person with another client, wrote; an empty field says nothing.

    Raises
    ------
    DataError
        an unknown field, one that is there twice, or a value that cannot be used.

    Examples
    --------
    >>> from_fields([("name", "nightly"), ("scores", "a,b"), ("counts-only", "yes")]).given.scores
    ('a', 'b')
    """
    texts_by_name = _list_said(fields)
    first_texts = {name: texts[0] for name, texts in texts_by_name.items()}
    wanted = Wanted(
        given=_read_given(first_texts, texts_by_name.get("merge", [])),
        title=_read_title(first_texts.get("name", "")),
        days=_read(first_texts, "days", int, "a number of days") or links.DEFAULT_DAYS,
        hide=tuple(texts_by_name.get("hide", [])),
        counts_only=bool(_read(first_texts, "counts-only", _read_yes, "yes or no")),
        preview=bool(_read(first_texts, "preview", _read_yes, "yes or no")),
    )
    _require_text(wanted)
    if wanted.days not in links.DAYS:
        raise DataError(
            f"A link cannot be made for {wanted.days} days; days is one of {', '.join(map(str, links.DAYS))}."
        )
    return wanted


def _require_text(wanted: Wanted) -> None:
    """Refuse halves of characters, which JSON's escapes can write and nothing can keep."""
    try:
        json.dumps([wanted.given.to_json(), wanted.title, wanted.hide], ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise DataError(
            "A field holds half a character (a lone surrogate); write the label or the name anew."
        ) from None


def _list_said(fields: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    texts_by_name: dict[str, list[str]] = {}
    for name, text in fields:
        if name not in FIELDS:
            raise DataError(f"There is no field {name[:40]!r}; there are file, labels, {', '.join(FIELDS)}.")
        if name in texts_by_name and name not in REPEATABLE:
            raise DataError(f"The field {name} is there twice; once was wanted.")
        if text or name in _MAY_BE_EMPTY:
            texts_by_name.setdefault(name, []).append(text)
    return texts_by_name


def _read_given(one: Mapping[str, str], merge: Sequence[str]) -> Given:
    if "score" in one and "scores" in one:
        raise DataError("There are both a field score and a field scores; name the columns in one of them.")
    parser = parser_from_text(one["parser"]) if "parser" in one else None
    threshold = _read(one, "threshold", float, "a number such as 0.5")
    if threshold is not None:
        require_finite(threshold)
    header = _read(one, "header", _read_yes, "yes or no")
    skip = _read(one, "skip-bad-rows", _read_yes, "yes or no")
    return Given(
        truth=one.get("truth"),
        pred=one.get("pred"),
        counts=one.get("counts"),
        raw=one.get("raw"),
        scores=_read_columns(one["scores"]) if "scores" in one else (one["score"],) if "score" in one else (),
        positive=one.get("positive"),
        label_set=read_labels(one["label-set"]) if "label-set" in one else None,
        order=read_labels(one["order"]) if "order" in one else (),
        separator=one.get("separator", ""),
        tree=read_tree(one["tree"]) if "tree" in one else (),
        threshold=threshold,
        scale=_read(one, "scale", _one_of(*SCALES), f"one of {', '.join(SCALES)}"),
        task=_read(one, "task", _one_of(*LABELS_PER_ROW), f"one of {', '.join(LABELS_PER_ROW)}"),
        weights=read_weights_option(one.get("weights")),
        key=one.get("join"),
        repeated=_read(one, "repeated", _one_of(*REPEATED), ", ".join(REPEATED[:-1]) + f" or {REPEATED[-1]}") or EQUAL,
        parser=parser,
        only=read_row_choice(one["only"]) if "only" in one else None,
        merge=tuple(pair for text in merge for pair in _read_merged(text)),
        class_names=read_class_names(one["class-names"]) if "class-names" in one else (),
        reading=read_reading_options(
            one.get("encoding"),
            one.get("delimiter"),
            header,
            header_line=_read(one, "header-line", int, "the number of a line"),
            decimal=one.get("decimal"),
            sheet=one.get("sheet"),
            skip_bad_rows=skip,
        ),
        cluster=one.get("cluster"),
        run_parts=tuple((role, one[role]) for role in COUNTED_PARTS if role in one),
    )


def _read(one: Mapping[str, str], name: str, parse: Callable[[str], _Value], wanted: str) -> _Value | None:
    if name not in one:
        return None
    try:
        return parse(one[name])
    except ValueError:
        raise DataError(f"The field {name} is {one[name][:40]!r}, but {wanted} was wanted.") from None


def _read_yes(text: str) -> bool:
    if text.lower() not in ("yes", "no", "true", "false", "1", "0"):
        raise ValueError(text)
    return text.lower() in ("yes", "true", "1")


def _one_of(*choices: _Value) -> Callable[[str], _Value]:
    """Return what reads one of some texts; ValueError where it is none."""
    return lambda text: choices[choices.index(text)]


def _read_title(text: str) -> str:
    title = " ".join(text.split())
    if len(title) > MAX_TITLE_CHARS:
        raise DataError(f"The name has {len(title):,} characters; at most {MAX_TITLE_CHARS} were wanted.")
    return title


def _read_columns(text: str) -> tuple[str, ...]:
    """Read a JSON list, as a column's name may hold a comma, or names with commas between them; none = no scores."""
    if text == "none":
        return NO_SCORES
    names = read_json(text) if text.startswith("[") else None
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return tuple(names)
    return tuple(text.split(","))


def _read_merged(text: str) -> tuple[tuple[str, str], ...]:
    """Read JSON pairs, as a label may hold an equals sign, or one pair with one between."""
    pairs = read_pairs(text) if read_json(text) is not None else None
    label, equals, other = text.partition("=")
    if pairs is None and not (label and equals and other):
        raise DataError(f"The field merge is {text[:40]!r}, but a pair of labels such as Cat=cat was wanted.")
    return ((label, other),) if pairs is None else pairs
