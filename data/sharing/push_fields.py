"""Fields of the form that a push sends besides its files: written by the command line, read by the server.

Fields have the names of the command line's options, so that `curl -F truth=label` says what `--truth label` says. No
field names a file: what the command line takes from one is sent as its text.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from data.columns.role_names import COUNTED_PARTS
from data.environment import read_yes
from data.errors import DataError
from data.limits import MAX_TITLE_CHARS
from data.runs.draft import Given
from data.runs.reading_options import OPTIONS, given_of
from data.store import links

REPEATABLE = ("hide", *(option.name for option in OPTIONS if option.repeats))
FIELDS = (
    "name", "days", "hide", "counts-only", *(option.name for option in OPTIONS), "cluster", *COUNTED_PARTS, "preview",
)  # fmt: skip
_MAY_BE_EMPTY = ("join", "counts", "cluster", *COUNTED_PARTS)
"""Fields whose empty text says something: row order; every line is one row; there is no such column."""
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
    given = wanted.given
    written: list[tuple[str, str | None]] = [("name", wanted.title or None), ("days", str(wanted.days))]
    written.append(("counts-only", "yes" if wanted.counts_only else None))
    written.append(("preview", "yes" if wanted.preview else None))
    for option in OPTIONS:
        written.append((option.name, option.write(option.value_of(given))))
    written.append(("cluster", given.cluster))
    written += [(role, dict(given.run_parts).get(role)) for role in COUNTED_PARTS]
    written += [("hide", column) for column in wanted.hide]
    return [(name, text) for name, text in written if text is not None and (text or name in _MAY_BE_EMPTY)]


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
        given=_read_given(texts_by_name),
        title=_read_title(first_texts.get("name", "")),
        days=_read(first_texts, "days", int, "a number of days") or links.DEFAULT_DAYS,
        hide=tuple(texts_by_name.get("hide", [])),
        counts_only=bool(_read(first_texts, "counts-only", read_yes, "yes or no")),
        preview=bool(_read(first_texts, "preview", read_yes, "yes or no")),
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


def _read_given(texts_by_name: Mapping[str, Sequence[str]]) -> Given:
    if "score" in texts_by_name and "scores" in texts_by_name:
        raise DataError("There are both a field score and a field scores; name the columns in one of them.")
    first_texts = {name: texts[0] for name, texts in texts_by_name.items()}
    values = {}
    for option in OPTIONS:
        if option.repeats:
            values[option.name] = option.read(texts_by_name.get(option.name, ()))
        elif option.name in first_texts:
            values[option.name] = option.read(_read(first_texts, option.name, option.parse, option.wanted))
    parts = tuple((role, first_texts[role]) for role in COUNTED_PARTS if role in first_texts)
    return dataclasses.replace(given_of(values), cluster=first_texts.get("cluster"), run_parts=parts)


def _read(fields: Mapping[str, str], name: str, parse: Callable[[str], _Value], wanted: str) -> _Value | None:
    if name not in fields:
        return None
    try:
        return parse(fields[name])
    except ValueError:
        raise DataError(f"The field {name} is {fields[name][:40]!r}, but {wanted} was wanted.") from None


def _read_title(text: str) -> str:
    title = " ".join(text.split())
    if len(title) > MAX_TITLE_CHARS:
        raise DataError(f"The name has {len(title):,} characters; at most {MAX_TITLE_CHARS} were wanted.")
    return title
