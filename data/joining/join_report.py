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
from data.joining.key_matching import FILES, Match, count_repeats, find_repeated_rows
from data.joining.near_keys import SPELLINGS, Spelling, respell
from text.numbers import count, verb
from text.quoting import list_items, quote

_EXAMPLES = 5
_NAMED = 3


def report_on_key(match: Match, only_predictions: np.ndarray, only_labels: np.ndarray) -> JoinReport:
    """Return the report of a join on a key.

    Parameters
    ----------
    only_predictions, only_labels : rows of either file without a partner, int64.
    """
    left_ids = tuple(match.text("left", int(row)) for row in only_predictions[:_EXAMPLES])
    right_ids = tuple(match.text("right", int(row)) for row in only_labels[:_EXAMPLES])
    matched = len(match.left_codes) - len(only_predictions)
    left_file, right_file = match.files
    only = [(len(only_predictions), left_file, left_ids), (len(only_labels), right_file, right_ids)]
    left_key, right_key = (",".join(names) for names in zip(*match.pairs, strict=True))
    warnings = (_describe_form(match), *_describe_repeats(match), hint_at_near_keys(match).strip())
    return JoinReport(
        match.how, (left_key, right_key), matched, len(only_predictions), len(only_labels), left_ids, right_ids,
        _write_account(f"on {_name_key(match)}", matched, only),
        count_repeats(match.left_counts), count_repeats(match.right_counts),
        _list_repeated(match, "left"), _list_repeated(match, "right"), tuple(filter(None, warnings)),
        files=match.files,
    )  # fmt: skip


def _write_account(key: str, matched: int, only: Sequence[tuple[int, str, Sequence[str]]]) -> str:
    """Write how many rows matched, and how many only one file has.

    only : (rows, name of the file, ids of some of them) of either file.

    >>> _write_account("on 'id'", 2, [(1, "a.csv", ["q7"]), (0, "b.csv", [])])
    "Joined on 'id': 2 rows matched, 1 only in a.csv ('q7'), 0 only in b.csv."
    """
    text = f"Joined {key}: {count(matched, 'row')} matched"
    for n, file, examples in only:
        text += f", {n:,} only in {file}" + (f" ({list_items(examples[:_NAMED])})" if examples else "")
    return text + "."


def with_repeats_of(report: JoinReport, matched: Match, sentences: Sequence[str]) -> JoinReport:
    """Return the report of a join with the repeats of before, and what was done to settle them."""
    return dataclasses.replace(
        report,
        n_repeated_predictions=count_repeats(matched.left_counts),
        n_repeated_labels=count_repeats(matched.right_counts),
        examples_repeated_predictions=_list_repeated(matched, "left"),
        examples_repeated_labels=_list_repeated(matched, "right"),
        warnings=(*sentences, *report.warnings),
    )


def _name_key(matched: Match) -> str:
    return " and ".join(quote(a) if a == b else f"{quote(a)} = {quote(b)}" for a, b in matched.pairs)


def _list_repeated(matched: Match, side: Literal["left", "right"], *, quoted: bool = False) -> tuple[str, ...]:
    """Return the first keys that occur more than once, each with how often."""
    codes, counts = (
        (matched.left_codes, matched.left_counts) if side == "left" else (matched.right_codes, matched.right_counts)
    )
    again, _ = find_repeated_rows(codes)
    _, places = np.unique(codes[again], return_index=True)
    rows = again[np.sort(places)[:_EXAMPLES]]
    keys = [(matched.text(side, int(row)), counts[codes[row]]) for row in rows]
    return tuple(f"{quote(key) if quoted else key} ({n:,} times)" for key, n in keys)


def _describe_form(matched: Match) -> str:
    """Say in which other form the values were compared, with an example of two that met."""
    if matched.how == "key":
        return ""
    form = "names of files were compared without folder and ending"
    if matched.how == "spelling":
        form = f"differences in {matched.ignored} were ignored"
    first = int(np.argmax(np.isin(matched.left_codes, matched.right_codes) & (matched.left_codes >= 0)))
    return (
        f"{_name_key(matched)} hardly share a value, so {form}. "
        f"Both files have {quote(matched.text('left', first))}; check that these are the same rows."
    )


def _describe_repeats(matched: Match) -> list[str]:
    """Say how keys that occur more than once were treated, on either side."""
    sentences = []
    if n := count_repeats(matched.left_counts):
        sentences.append(
            f"{_say_occurrences(n, 'predictions')} ({_quote_first_two(matched, 'left')}): each of these rows takes the "
            "label of its id and is counted by itself; nothing is averaged."
        )
    if n := count_repeats(matched.right_counts):
        extra = len(find_repeated_rows(matched.right_codes)[0])
        sentences.append(
            f"{_say_occurrences(n, 'labels')} ({_quote_first_two(matched, 'right')}) with the same cells: "
            f"the {count(extra, 'repeated row')} {verb(extra, 'is')} counted once."
        )
    return sentences


def _quote_first_two(matched: Match, side: Literal["left", "right"]) -> str:
    return ", ".join(_list_repeated(matched, side, quoted=True)[:2])


def _say_occurrences(n: int, what: str) -> str:
    return f"{count(n, 'id')} of the {what} {verb(n, 'occurs')} more than once"


def anonymise_report(report: JoinReport) -> JoinReport:
    """Tell the report in numbers alone: no name of a column and no value of one.

    >>> anonymise_report(JoinReport("key", ("id", "id"), 8, 0, 0, text="… joined on 'id' …")).text
    'Joined on columns that were left out: 8 rows matched, 0 only in the predictions, 0 only in the labels.'
    """
    way = "names of files" if report.how == "file stem" else "columns"
    only = ((report.n_only_predictions, FILES[0], ()), (report.n_only_labels, FILES[1], ()))
    text = _write_account(f"on {way} that were left out", report.n_matched, only)
    if report.how == "row order":
        text = _write_row_order(report.n_matched)
    repeated = ((report.n_repeated_predictions, "predictions"), (report.n_repeated_labels, "labels"))
    return JoinReport(
        report.how, None, report.n_matched, report.n_only_predictions, report.n_only_labels, text=text,
        n_repeated_predictions=report.n_repeated_predictions, n_repeated_labels=report.n_repeated_labels,
        repeated=report.repeated,
        warnings=tuple(f"{_say_occurrences(n, what)}." for n, what in repeated if n),
    )  # fmt: skip


# -- keys that nearly match -------------------------------------------------------------------------


def hint_at_near_keys(matched: Match) -> str:
    """Say how many more rows would match if case, spaces, a `.0` or zeros in front were ignored.

    >>> from data.joining.key_matching import match
    >>> hint_at_near_keys(match(pa.table({"id": ["A1", "b2"]}), pa.table({"id": ["a1", "b2"]}), [("id", "id")]))
    " 1 more row of the predictions would match if case were ignored ('A1' and 'a1')."
    """
    ours = np.flatnonzero(~np.isin(matched.left_codes, matched.right_codes[matched.right_codes >= 0]))
    theirs = np.flatnonzero(~np.isin(matched.right_codes, matched.left_codes[matched.left_codes >= 0]))
    if not len(ours) or not len(theirs):
        return ""
    if _count_from_0_and_1(matched, ours, theirs):
        return " One file counts its rows from 0, the other from 1: so each row may be joined with its neighbour."
    results = [(spelling.name, *_count_more_matches(matched, ours, theirs, spelling)) for spelling in SPELLINGS]
    name, n, left, right = max(results, key=lambda result: result[1])  # of equal ones the first
    if not n:
        return ""
    return (
        f" {count(n, 'more row')} of the predictions would match if {name} were ignored "
        f"({quote(matched.text('left', left), 24)} and {quote(matched.text('right', right), 24)})."
    )


def _count_from_0_and_1(matched: Match, ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Return whether the only keys that do not match are 0 in the one file and the number of rows in the other."""
    keys = {matched.text("left", int(ours[0])), matched.text("right", int(theirs[0]))}
    return len(ours) == len(theirs) == 1 and keys == {"0", str(len(matched.left_codes))}


def _count_more_matches(
    matched: Match, ours: np.ndarray, theirs: np.ndarray, spelling: Spelling
) -> tuple[int, int, int]:
    """Count the rows of `ours` that meet exactly one key of `theirs` in another form; return a pair that does, too."""
    left = _respell_keys(matched.left, ours, spelling)
    right = _respell_keys(matched.right, theirs, spelling)
    place = pc.index_in(left, value_set=right).to_numpy(zero_copy_only=False)
    met = np.flatnonzero(~np.isnan(place.astype(float)))
    if not len(met):
        return 0, 0, 0
    return len(met), int(ours[met[0]]), int(theirs[int(place[met[0]])])


def _respell_keys(parts: Sequence[pa.Array], rows: np.ndarray, spelling: Spelling) -> pa.Array:
    formed = [respell(part.take(pa.array(rows)), spelling) for part in parts]
    return formed[0] if len(formed) == 1 else pc.binary_join_element_wise(*formed, "\x1f")


# -- row order --------------------------------------------------------------------------------------


def _write_row_order(n: int) -> str:
    return f"Joined by row order: {count(n, 'row')} of each file."


def report_on_row_order(n: int, ids: Sequence[str], differ: str, hint: str, *, asked: bool) -> JoinReport:
    """Return the report of two files put side by side.

    Parameters
    ----------
    ids : columns of either file whose name is that of an id.
    differ : where the ids of the two files disagree, if the order was asked for nevertheless.
    hint : what kept an id from being the key, as a sentence.
    """
    text = _write_row_order(n)
    if asked:
        text = re.sub(r"\.$", ", as you chose.", text)
    elif ids:
        text += f" What looks like an id ({list_items(ids)}) is not unique and shared: check the order.{hint}"
    warnings = (f"By row order, {differ}: are these the same rows?",) if differ else ()
    return JoinReport("row order", None, n, 0, 0, text=text, warnings=warnings)
