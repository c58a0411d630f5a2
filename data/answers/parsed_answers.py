"""Turn free text answers into predicted codes, and say in the receipt what was read."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.answers.parsing import OUTCOMES, OUTSIDE, READ, Parsed, count_mentions, outcome_title, parse_answers
from data.answers.unread_answers import is_no_answer, marks_of_tools
from data.answers.vocabulary import ROOM
from data.columns.column import distinct
from data.columns.plain_names import free_name
from data.columns.table_metadata import READ_ALREADY, find_file_rows
from data.evaluation import MISSING, UNPARSEABLE, Answers, Evaluation
from data.parser.parser import STANDARD, Parser
from text.numbers import count, percent
from text.quoting import list_briefly, list_items, quote

ANSWERS = "answers as they were read"
"""The column that stands in for raw answers which were left out."""
_DISTINCT = b"distinct"
_SEPARATOR = ": "
_NO_LABEL = "unparseable"
_TRIED = 1_000  # different answers


# -- answers ----------------------------------------------------------------------------------------


def describe_readings(evaluation: Evaluation) -> pa.DictionaryArray:
    """Return outcome and label of every row's answer, null where it has none: dictionary<int32, string> (n,).

    >>> from data.building.build import build
    >>> from data.evaluation import Settings
    >>> table = pa.table({"y": ["ham", "spam", "ham"], "output": ["Ham.", "?", "eggs"]})
    >>> found = build(table, Settings(truth="y", raw="output"), name="demo", content_sha256="0")
    >>> describe_readings(found).to_pylist()
    ['normalised: ham', 'unparseable', 'outside the label space: eggs']
    """
    answers = evaluation.answers
    assert answers is not None
    names = (*evaluation.labels, "")
    pairs = zip(answers.outcomes.tolist(), answers.labels.tolist(), strict=True)
    cells = [OUTCOMES[kind] + (f"{_SEPARATOR}{names[code]}" if code >= 0 else "") for kind, code in pairs]
    place = {cell: i for i, cell in enumerate(sorted(set(cells)))}
    lookup = np.array([*(place[cell] for cell in cells), -1], dtype=np.int32)
    codes = lookup[answers.codes]
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(list(place), pa.string()))


def with_read_answers(table: pa.Table, column: str, evaluation: Evaluation) -> tuple[pa.Table, str]:
    """Return the table with what was read from answers in their place, and the name of that column.

    table : the rows of the evaluation, or all rows of its file: nothing stands in those that are not evaluated.
    """
    read = describe_readings(evaluation)
    if evaluation.row_numbers is not None and len(table) != len(read):
        place = np.full(len(table), -1, dtype=np.int64)
        numbers = find_file_rows(table)
        here = evaluation.row_numbers if numbers is None else np.searchsorted(numbers, evaluation.row_numbers)
        place[here] = np.arange(len(read))
        read = read.take(pa.array(place, mask=place < 0))
    name, before = free_name(ANSWERS, table.column_names, " (share)"), table.schema.field(column)
    about = {**READ_ALREADY, _DISTINCT: json.dumps(_count_distinct(evaluation)).encode()}
    field = pa.field(name, read.type, metadata={**(before.metadata or {}), **about})
    return table.set_column(table.column_names.index(column), field, read), name


def _place_in_space(kind: str, label: str, space: Collection[str]) -> tuple[str, str]:
    """Return outcome and label as the label space has it: a label that it lacks is one that the model made up."""
    if kind not in OUTCOMES:
        return _NO_LABEL, ""
    return (OUTSIDE, label) if kind in READ and label not in space else (kind, label)


def _count_distinct(evaluation: Evaluation) -> dict[str, int]:
    """Count the different answers of every outcome among the scored rows; no text at all counts as one."""
    answers = evaluation.answers
    assert answers is not None
    codes = np.unique(answers.codes[evaluation.scored])
    outcomes = np.append(answers.outcomes, OUTCOMES.index("empty"))[codes]
    return {OUTCOMES[kind]: int(n) for kind, n in zip(*np.unique(outcomes, return_counts=True), strict=True)}


def count_distinct_answers(evaluation: Evaluation) -> dict[str, int]:
    """Count different answers by outcome, of an evaluation whose answers were left out."""
    assert evaluation.answers is not None
    about = evaluation.rows.schema.field(evaluation.answers.column).metadata or {}
    counted: dict[str, int] = json.loads(about.get(_DISTINCT, b"{}"))
    return counted


def read_already(texts: pa.Array, labels: Sequence[str]) -> Parsed:
    """Return the outcomes of m distinct answers from the cells that `describe_readings` wrote.

    labels : the label space.

    >>> found = read_already(pa.array(["exact: ham", "empty", "outside the label space: eggs"]), ["ham", "spam"])
    >>> found.codes.tolist(), found.names(), found.outside
    ([0, -2, 2], ['exact', 'empty', 'outside the label space'], ('eggs',))
    """
    pairs = [text.partition(_SEPARATOR)[::2] for text in texts.to_pylist()]
    place = {label: code for code, label in enumerate(labels)}
    known = [_place_in_space(kind, label, place) for kind, label in pairs]
    outside = tuple(sorted({label for _, label in known if label} - set(place)))
    place |= {label: len(labels) + i for i, label in enumerate(outside)}
    codes = np.array([place[label] if label else UNPARSEABLE for _, label in known], dtype=np.int32)
    outcomes = np.array([OUTCOMES.index(kind) for kind, _ in known], dtype=np.int8)
    return Parsed(codes, outcomes, outside, np.full(len(known), -1, dtype=np.int16))


ENOUGH_MENTIONS = 20
"""Rows read by mention from which the share of one label says something."""
_MORE_THAN_TRUE, _DEVIATIONS = 0.2, 6.0
_EMPTY, _MENTIONED = OUTCOMES.index("empty"), OUTCOMES.index("mentioned")


class Answered(NamedTuple):
    """Answers, and the label that each names.

    answers : what the evaluation keeps. labels : the evaluation's labels, the made-up ones behind the others.
    y_pred : int32 (n,), codes into `labels`, or UNPARSEABLE.
    """

    answers: Answers
    labels: tuple[str, ...]
    y_pred: np.ndarray


def read_column(
    column: pa.ChunkedArray,
    name: str,
    parser: Parser | None,
    labels: tuple[str, ...],
    n_space: int,
    *,
    already: bool = False,
) -> Answered:
    """Read a column of answers.

    Parameters
    ----------
    labels : those known so far; the first `n_space` are the label space.
    already : whether the cells say what was read from answers that were left out (`data.answers.parsed_answers`).

    >>> column = pa.chunked_array([["Ham.", "spam", None, "eggs"]])
    >>> found = read_column(column, "output", None, ("ham", "spam"), 2)
    >>> found.y_pred.tolist(), found.labels
    ([0, 1, -2, 2], ('ham', 'spam', 'eggs'))
    """
    cells = distinct(column, keep_blank=True)
    texts = pa.array(cells.values, pa.string())
    parsed = read_already(texts, labels[:n_space]) if already else None
    return read_texts(texts, cells.codes, name, parser or STANDARD, labels, n_space, parsed=parsed)


def read_texts(
    texts: pa.Array,
    codes: np.ndarray,
    name: str,
    parser: Parser,
    labels: tuple[str, ...],
    n_space: int,
    *,
    parsed: Parsed | None = None,
) -> Answered:
    """Read answers that are encoded already: distinct `texts`, and int32 (n,) `codes` into them.

    parsed : what became of them, where that is known.
    """
    parsed = parse_answers(texts, labels[:n_space], parser) if parsed is None else parsed
    everything = (*labels, *sorted(set(parsed.outside) - set(labels)))
    place = {label: code for code, label in enumerate(everything)}
    target = np.array([*range(n_space), *(place[label] for label in parsed.outside), UNPARSEABLE], dtype=np.int32)
    mine = target[np.where(parsed.codes >= 0, parsed.codes, -1)]
    answers = Answers(name, texts, codes, parsed.outcomes, mine, parser)
    return Answered(answers, everything, np.append(mine, np.int32(UNPARSEABLE))[codes])


def count_rows_by_outcome(answers: Answers, scored: np.ndarray) -> dict[str, int]:
    """Count scored rows of every outcome that occurs, in the order of `OUTCOMES`; a cell without text is empty.

    >>> answers = Answers("a", pa.array(["x"]), np.array([0, -1]), np.array([11]), np.array([-2]), STANDARD)
    >>> count_rows_by_outcome(answers, np.array([True, True]))
    {'empty': 1, 'unparseable': 1}
    """
    return _add_up_outcomes(answers, _count_rows(answers, scored))


def _count_rows(answers: Answers, scored: np.ndarray) -> np.ndarray:
    """Count the scored rows without a text, then those of every distinct answer, int64 (1 + m,)."""
    return np.bincount(answers.codes[scored] - MISSING, minlength=1 + len(answers.outcomes))


def _add_up_outcomes(answers: Answers, rows: np.ndarray) -> dict[str, int]:
    outcomes = np.append(np.int8(_EMPTY), answers.outcomes)
    counts = np.bincount(outcomes, rows, minlength=len(OUTCOMES)).astype(np.int64).tolist()
    return {name: n for name, n in zip(OUTCOMES, counts, strict=True) if n}


def describe_answers(
    answers: Answers, labels: Sequence[str], n_space: int, y_true: np.ndarray, scored: np.ndarray
) -> tuple[list[str], list[str]]:
    """Return the sentences of the receipt about parsed answers: (notes, warnings)."""
    column, rows = quote(answers.column), _count_rows(answers, scored)
    counts = _add_up_outcomes(answers, rows)
    outcomes = ", ".join(f"{outcome_title(name)} {n:,}" for name, n in counts.items())
    notes = [
        f"The parser {quote(answers.parser.name)} read the answers in {column}; rows by outcome: {outcomes or 'none'}."
    ]
    if rows[0]:
        notes.append(f"{count(int(rows[0]), 'empty answer')} (null) in {column}: no label found.")
    outside = [labels[code] for code in np.unique(answers.labels[answers.labels >= n_space])]
    warnings = [
        *_warn_of_unknown_labels(answers.parser, labels[:n_space]),
        *_warn_of_echo(answers, labels, y_true, scored),
    ]
    if outside:
        warnings.insert(
            0, f"Some answers name labels that are not in the label list: {list_items(outside)}. They count as wrong."
        )
    if counts and not set(counts) & set(READ):
        if counts.get(OUTSIDE, 0) > sum(counts.values()) - counts.get(OUTSIDE, 0) - counts.get("empty", 0):
            warnings.append(
                f"No label predicted in {column} ({list_briefly(outside)}) occurs among the labels "
                f"({list_briefly(labels[:n_space])}), so every row counts as wrong. If that is not so, choose another "
                "column, or give the label list."
            )
            return notes, warnings
        example = next((text for text in answers.texts[:1000].to_pylist() if text.strip()), "")
        warnings.append(
            f"No label could be read from any answer in {column}, such as {quote(example)}. "
            + _advise_unread(answers.texts, labels[:n_space])
        )
        return notes, warnings
    return notes, warnings + _warn_of_recurring_answer(answers, labels[:n_space], rows[1:])


def _warn_of_recurring_answer(answers: Answers, space: Sequence[str], rows: np.ndarray) -> list[str]:
    """Warn of a short answer that recurs although no rule read it: it may name a label that is never true."""
    recurring = np.flatnonzero((answers.outcomes == OUTCOMES.index(_NO_LABEL)) & (rows > 1))
    longest, marks = max(map(len, space)) + ROOM, marks_of_tools(space)
    for place in recurring[np.argsort(-rows[recurring], kind="stable")].tolist():
        text = answers.texts[place].as_py().strip()
        if len(text) <= longest and not is_no_answer(text) and text not in marks:
            return [
                f"{rows[place]:,} rows of {quote(answers.column)} hold {quote(text)}, in which no label was read. "
                "If it names a label, add that to the label list (--label-set)."
            ]
    return []


def _advise_unread(texts: pa.Array, space: Sequence[str]) -> str:
    """Say what to do where no answer holds a label: by which rule one would be read, if most answers mention one."""
    tried = texts[:_TRIED]
    n_read = count_mentions(tried, space)
    if n_read > len(tried) / 2:
        return (
            f"{n_read:,} of {count(len(tried), 'different answer')} mention one label only. Add the rule 'The only "
            "label mentioned' on the page Parsing, or give a file of rules that ends with only_mentioned (--parser)."
        )
    if all(label.isdecimal() for label in space):
        return (
            f"The true labels are numbers ({list_items(space)}). If the answers hold words, say which number is which: "
            "Change → Names of classes, or --class-names."
        )
    return "Choose another parser on the page Parsing, or name one with --parser."


def _warn_of_unknown_labels(parser: Parser, space: Sequence[str]) -> list[str]:
    """Warn of labels that the parser's tables name and the label space lacks."""
    beyond = dict.fromkeys(label for rule in parser.rules for _, label in rule.pairs if label not in set(space))
    if not beyond:
        return []
    return [
        f"The parser names labels that are not in the label list: {list_items(beyond)}. Such answers count as wrong."
    ]


def _warn_of_echo(answers: Answers, labels: Sequence[str], y_true: np.ndarray, scored: np.ndarray) -> list[str]:
    """Warn where one label takes an improbable share of the rows that were read by mention."""
    by_mention = np.append(answers.outcomes == _MENTIONED, False)[answers.codes] & scored
    doubt = find_improbable_share(np.append(answers.labels, UNPARSEABLE)[answers.codes[by_mention]], y_true[scored])
    if doubt is None:
        return []
    label, share, true_share = doubt
    return [
        f"The parser read {int(by_mention.sum()):,} of {count(int(scored.sum()), 'row')} by mention, and "
        f"{quote(labels[label])} is {percent(share, 0)} of them but {percent(true_share, 0)} of the true labels. "
        "The answers may repeat the prompt, which names the labels: add a trim rule that leaves only the answer."
    ]


def find_improbable_share(read: np.ndarray, y_true: np.ndarray) -> tuple[int, float, float] | None:
    """Return the label that mention reads far more often than it is true: (code, share, share of the truth).

    At least 20 mentions, 20 points more, and six standard deviations more than so many draws from the truth give.

    >>> find_improbable_share(np.zeros(100, int), np.arange(100) % 4)
    (0, 1.0, 0.25)
    >>> find_improbable_share(np.arange(100) % 4, np.arange(100) % 4) is None
    True
    """
    n, truth = len(read), y_true[y_true >= 0]
    if n < ENOUGH_MENTIONS or not len(truth):
        return None
    counts = np.bincount(read[read >= 0])
    label = int(np.argmax(counts))
    share, true_share = counts[label] / n, float((truth == label).mean())
    spread = np.sqrt(max(true_share * (1 - true_share), 1 / len(truth)) / n)
    if share - true_share < max(_MORE_THAN_TRUE, _DEVIATIONS * spread):
        return None
    return label, float(share), true_share
