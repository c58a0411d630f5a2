"""Report on a join: matched rows, rows left over, and repeated keys, as numbers, examples and sentences."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.evaluation import JoinReport
from data.joining.key_matching import Match, count_repeats, find_repeated_rows
from text.numbers import count
from text.quoting import list_items, quote

_EXAMPLES = 5
_NAMED = 3
_FORMS: tuple[tuple[str, tuple[tuple[str, str], ...], bool], ...] = (
    ("case", (), True),
    ("spaces", ((r"\s+", ""),), False),
    ("a .0 at the end", ((r"\.0+$", ""),), False),
    ("zeros in front", ((r"^0+([0-9])", r"\1"),), False),
)
"""(what is ignored, patterns that are replaced, whether letters are made small)."""


def report_on_key(found: Match, only_predictions: np.ndarray, only_labels: np.ndarray) -> JoinReport:
    """Return the report of a join on a key.

    Parameters
    ----------
    only_predictions, only_labels : rows of either file without a partner, int64.
    """
    left_again, right_again = count_repeats(found.left_counts), count_repeats(found.right_counts)
    rows = {"left": only_predictions, "right": only_labels}
    lost = {side: tuple(found.text(side, int(row)) for row in rows[side][:_EXAMPLES]) for side in rows}  # type: ignore[arg-type]
    matched = len(found.left_codes) - len(only_predictions)
    text = f"The two files were joined on {_name_key(found)}: {count(matched, 'row')} matched"
    for side, sides in (("left", ("predictions", "label")), ("right", ("labels", "prediction"))):
        if len(rows[side]):
            n = count(len(rows[side]), "row")
            text += f"; {n} of the {sides[0]} ({list_items(lost[side][:_NAMED])}) without a {sides[1]}"
    key = tuple(",".join(pair[place] for pair in found.pairs) for place in (0, 1))
    return JoinReport(
        found.how, (key[0], key[1]), matched, len(only_predictions), len(only_labels), lost["left"], lost["right"],
        text + ".", left_again, right_again, _list_repeated(found, "left"), _list_repeated(found, "right"),
        tuple(filter(None, (_describe_name_match(found), *_describe_repeats(found), hint_at_near_keys(found).strip()))),
    )  # fmt: skip


def with_repeats_of(report: JoinReport, found: Match, said: Sequence[str]) -> JoinReport:
    """Return the report of a join with the repeats of before, and what was done to settle them."""
    return dataclasses.replace(
        report,
        n_repeated_predictions=count_repeats(found.left_counts),
        n_repeated_labels=count_repeats(found.right_counts),
        examples_repeated_predictions=_list_repeated(found, "left"),
        examples_repeated_labels=_list_repeated(found, "right"),
        warnings=(*said, *report.warnings),
    )


def _name_key(found: Match) -> str:
    return " and ".join(quote(a) if a == b else f"{quote(a)} = {quote(b)}" for a, b in found.pairs)


def _list_repeated(found: Match, side: Literal["left", "right"], *, quoted: bool = False) -> tuple[str, ...]:
    """Return the first keys that occur more than once, each with how often."""
    codes, counts = (found.left_codes, found.left_counts) if side == "left" else (found.right_codes, found.right_counts)
    again, _ = find_repeated_rows(codes)
    _, places = np.unique(codes[again], return_index=True)
    rows = again[np.sort(places)[:_EXAMPLES]]
    keys = [(found.text(side, int(row)), counts[codes[row]]) for row in rows]
    return tuple(f"{quote(key) if quoted else key} ({n:,} times)" for key, n in keys)


def _describe_name_match(found: Match) -> str:
    """Say that names of files were compared, with an example of two that met."""
    if found.how != "file stem":
        return ""
    first = int(np.argmax(np.isin(found.left_codes, found.right_codes) & (found.left_codes >= 0)))
    return (
        f"{_name_key(found)} hardly share a value, so names of files were compared without folder and ending. "
        f"Both files have {quote(found.text('left', first))}; check that these are the same rows."
    )


def _describe_repeats(found: Match) -> list[str]:
    """Say how keys that occur more than once were treated, on either side."""
    said = []
    if n := count_repeats(found.left_counts):
        said.append(
            f"{_say_occurrences(n, 'predictions')} ({_quote_first_two(found, 'left')}): each of these rows takes the "
            "label of its id and is counted by itself; nothing is averaged."
        )
    if n := count_repeats(found.right_counts):
        extra = len(find_repeated_rows(found.right_codes)[0])
        said.append(
            f"{_say_occurrences(n, 'labels')} ({_quote_first_two(found, 'right')}) with the same cells: "
            f"the {count(extra, 'repeated row')} {'is' if extra == 1 else 'are'} counted once."
        )
    return said


def _quote_first_two(found: Match, side: Literal["left", "right"]) -> str:
    return ", ".join(_list_repeated(found, side, quoted=True)[:2])


def _say_occurrences(n: int, what: str) -> str:
    return f"{count(n, 'id')} of the {what} {'occurs' if n == 1 else 'occur'} more than once"


def anonymise_report(report: JoinReport) -> JoinReport:
    """Tell the report in numbers alone: no name of a column and no value of one.

    >>> anonymise_report(JoinReport("key", ("id", "id"), 8, 0, 0, text="… joined on 'id' …")).text
    'The two files were joined on columns that were left out: 8 rows matched.'
    """
    way = "names of files" if report.how == "file stem" else "columns"
    text = f"The two files were joined on {way} that were left out: {count(report.n_matched, 'row')} matched"
    for n, whose, what in (
        (report.n_only_predictions, "predictions", "label"),
        (report.n_only_labels, "labels", "prediction"),
    ):
        text += f"; {count(n, 'row')} of the {whose} without a {what}" if n else ""
    if report.how == "row order":
        text = f"The two files were joined by row order ({count(report.n_matched, 'row')} each)"
    repeated = ((report.n_repeated_predictions, "predictions"), (report.n_repeated_labels, "labels"))
    return JoinReport(
        report.how, None, report.n_matched, report.n_only_predictions, report.n_only_labels, text=text + ".",
        n_repeated_predictions=report.n_repeated_predictions, n_repeated_labels=report.n_repeated_labels,
        repeated=report.repeated,
        warnings=tuple(f"{_say_occurrences(n, what)}." for n, what in repeated if n),
    )  # fmt: skip


# -- keys that nearly match -------------------------------------------------------------------------


def hint_at_near_keys(found: Match) -> str:
    """Say how many more rows would match if case, spaces, a `.0` or zeros in front were ignored.

    >>> from data.joining.key_matching import match
    >>> hint_at_near_keys(match(pa.table({"id": ["A1", "b2"]}), pa.table({"id": ["a1", "b2"]}), [("id", "id")]))
    " 1 more row of the predictions would match if case were ignored ('A1' and 'a1')."
    """
    ours = np.flatnonzero(~np.isin(found.left_codes, found.right_codes[found.right_codes >= 0]))
    theirs = np.flatnonzero(~np.isin(found.right_codes, found.left_codes[found.left_codes >= 0]))
    if not len(ours) or not len(theirs):
        return ""
    everything = (" or ".join([name for name, _, _ in _FORMS]), sum((p for _, p, _ in _FORMS), ()), True)
    results = [
        (name, *_count_more_matches(found, ours, theirs, patterns, small))
        for name, patterns, small in (*_FORMS, everything)
    ]
    best = max(results, key=lambda item: item[1])
    if not best[1]:
        return ""
    name, n, left, right = next(item for item in results if item[1] == best[1])
    return (
        f" {count(n, 'more row')} of the predictions would match if {name} were ignored "
        f"({quote(found.text('left', left), 24)} and {quote(found.text('right', right), 24)})."
    )


def _count_more_matches(
    found: Match, ours: np.ndarray, theirs: np.ndarray, patterns: Sequence[tuple[str, str]], small: bool
) -> tuple[int, int, int]:
    """Count the rows of `ours` that meet exactly one key of `theirs` in another form; return a pair that does, too."""
    left = _reform_keys(found.left, ours, patterns, small)
    right = _reform_keys(found.right, theirs, patterns, small)
    place = pc.index_in(left, value_set=right).to_numpy(zero_copy_only=False)
    met = np.flatnonzero(~np.isnan(place.astype(float)))
    if not len(met):
        return 0, 0, 0
    return len(met), int(ours[met[0]]), int(theirs[int(place[met[0]])])


def _reform_keys(
    parts: Sequence[pa.Array], rows: np.ndarray, patterns: Sequence[tuple[str, str]], small: bool
) -> pa.Array:
    formed = []
    for part in parts:
        values = part.take(pa.array(rows))
        for pattern, text in patterns:
            values = pc.replace_substring_regex(values, pattern, text)
        formed.append(pc.utf8_lower(values) if small else values)
    return formed[0] if len(formed) == 1 else pc.binary_join_element_wise(*formed, "\x1f")


# -- row order --------------------------------------------------------------------------------------


def report_on_row_order(n: int, ids: Sequence[str], differ: str, hint: str, *, asked: bool) -> JoinReport:
    """Return the report of two files put side by side.

    Parameters
    ----------
    ids : columns of either file whose name is that of an id.
    differ : where the ids of the two files disagree, if the order was asked for nevertheless.
    hint : what kept an id from being the key, as a sentence.
    """
    text = f"The two files were joined by row order ({count(n, 'row')} each)."
    if asked:
        text = re.sub(r"\.$", ", as you chose.", text)
    elif ids:
        text += f" What looks like an id ({list_items(ids)}) is not unique and shared: check the order.{hint}"
    warnings = (f"By row order, {differ}: are these the same rows?",) if differ else ()
    return JoinReport("row order", None, n, 0, 0, text=text, warnings=warnings)
