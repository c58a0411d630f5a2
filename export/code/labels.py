"""Code that makes `y_true` and `y_pred`: what counts as a label, which rows are scored, how predictions came about."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import distinct
from data.evaluation import UNPARSEABLE, Evaluation
from data.labels.cell_sets import SetEncoding, members
from export.code.literals import NotRepeatable, listing, literal, mapping


class Prepared(NamedTuple):
    """The columns that have to be read, and the lines that make the arrays out of `frame`."""

    columns: list[str]
    lines: list[str]


def unparsed_name(evaluation: Evaluation) -> str:
    """What an unparseable answer is called in the code: no label of the file."""
    name = "(unparseable)"
    while name in evaluation.labels:
        name += "*"
    return name


def single(evaluation: Evaluation, score_lines: list[str]) -> Prepared:
    """One label a row: `y_true`, `y_pred` (text, scored rows only), `scores` and `weight` where there are some."""
    s = evaluation.settings
    assert s.truth is not None
    columns = [s.truth, *(column for column, _ in s.scores if score_lines)]
    lines = [
        f"labels = {listing(evaluation.labels)}",
        f"space = labels[:{evaluation.n_space}]  # the label space; what follows occurred outside it",
        *_cells(evaluation, s.truth, "y_true", evaluation.y_true),
        *score_lines,
    ]
    if not evaluation.has_predictions:
        return Prepared(columns, [*lines, *_only_scored(evaluation)])
    by_score = evaluation.threshold is not None or (s.pred is None and s.raw is None)
    if by_score:
        lines += _predicted_by_score(evaluation)
    elif s.pred is not None:
        columns.append(s.pred)
        lines += _cells(evaluation, s.pred, "y_pred", evaluation.y_pred)
    else:
        raise _parsed(evaluation)
    weighted = evaluation.weights is not None
    lines.append('scored = (y_true != "") & (y_pred != "")  # an empty cell is missing, not wrong')
    if s.counts is not None and evaluation.weights is not None:
        columns.append(s.counts)
        lines += [*_weights(evaluation, s.counts), "scored &= weight > 0  # a line of no rows is no row"]
    lines += [
        f"n = {'weight[scored].sum()' if weighted else 'scored.sum()'}",
        f"assert n == {evaluation.n_scored}, 'this is another file'",
        "y_true, y_pred = y_true[scored], y_pred[scored]",
        *(["scores = scores[scored]"] if score_lines else []),
        *(["weight = weight[scored]"] if weighted else []),
        f"assert {{*y_true, *y_pred}} <= {{*labels, {literal(unparsed_name(evaluation))}}}, 'this is another file'",
    ]
    return Prepared(columns, lines)


def _only_scored(evaluation: Evaluation) -> list[str]:
    """The rows with a truth and a score, where nothing is predicted."""
    return [
        'scored = (y_true != "") & ~np.isnan(scores[:, 0])  # nothing is predicted: no threshold is given',
        f"assert scored.sum() == {evaluation.n_scored}, 'this is another file'",
        "y_true, scores = y_true[scored], scores[scored]",
        "assert {*y_true} <= {*labels}, 'this is another file'",
    ]


def _parsed(evaluation: Evaluation) -> NotRepeatable:
    parser = evaluation.answers.parser.to_json()["name"] if evaluation.answers is not None else ""
    return NotRepeatable(
        f"The labels were read from free text by the parser {literal(parser)}, which is more than a few lines of code: "
        "download the rows with their predicted labels, or score the file with cli.py."
    )


def _cells(evaluation: Evaluation, column: str, variable: str, codes: np.ndarray) -> list[str]:
    """The cells of a column as labels; spellings that count as another label are listed."""
    same = _respelled(evaluation, column, codes)
    cells = f"frame[{literal(column)}]"
    lines = [f"same = {mapping(same)}"] if same else []
    each = "same.get(cell, cell)" if same else "cell"
    return [*lines, f'{variable} = np.array([{each} if cell.strip() else "" for cell in {cells}], dtype=object)']


def _respelled(evaluation: Evaluation, column: str, codes: np.ndarray) -> dict[str, str]:
    cells = distinct(evaluation.rows.column(column))
    here = (cells.codes >= 0) & evaluation.scored
    pairs = np.unique(np.stack([cells.codes[here], codes[here]]), axis=1).T
    if len(np.unique(pairs[:, 0])) < len(pairs) or (codes[(cells.codes < 0) & evaluation.scored]).size:
        raise NotRepeatable("The same cell counts as another label in other rows, which a few lines do not repeat.")
    names = {UNPARSEABLE: unparsed_name(evaluation)}
    labels = {cells.values[a]: names.get(b) or evaluation.labels[b] for a, b in pairs.tolist()}
    return {cell: label for cell, label in labels.items() if cell != label}


def _predicted_by_score(evaluation: Evaluation) -> list[str]:
    scores, codes = evaluation.y_score, np.array(evaluation.score_codes)
    if scores is None:
        raise NotRepeatable("There are no scores to predict from.")
    known = ~np.isnan(scores).any(axis=1)
    if evaluation.threshold is not None and evaluation.positive is not None:
        positive, other = (literal(evaluation.labels[c]) for c in (evaluation.positive, 1 - evaluation.positive))
        at = np.where(scores[:, 0] >= evaluation.threshold, evaluation.positive, 1 - evaluation.positive)
        line = f"y_pred = np.where(scores[:, 0] >= {evaluation.threshold!r}, {positive}, {other}).astype(object)"
    else:
        at = codes[np.nan_to_num(scores, nan=-np.inf).argmax(axis=1)]
        names = listing(evaluation.labels[code] for code in evaluation.score_codes)
        line = f"y_pred = np.array({names}, dtype=object)[np.nan_to_num(scores, nan=-np.inf).argmax(axis=1)]"
    if not np.array_equal(at[known & evaluation.scored], evaluation.y_pred[known & evaluation.scored]):
        raise NotRepeatable("The predictions were made from the scores in a way that a few lines do not repeat.")
    return [line, 'y_pred[np.isnan(scores).any(axis=1)] = ""']


def _weights(evaluation: Evaluation, column: str) -> list[str]:
    texts = distinct(evaluation.rows.column(column)).values
    if not all(text.strip().isascii() and text.strip().isdigit() for text in texts):
        raise NotRepeatable("The numbers of rows are not written as plain whole numbers.")
    return [f"weight = np.array([int(cell) if cell.strip() else 0 for cell in frame[{literal(column)}]])"]


# -- several labels a row -----------------------------------------------------------------------------


def many(evaluation: Evaluation, score_lines: list[str]) -> Prepared:
    """Several labels a row: `y_true`, `y_pred`, bool (n, L), scored rows only, and `scores` where there are some."""
    s = evaluation.settings
    if len(evaluation.labels) < 2:
        raise NotRepeatable("With a single label scikit-learn takes several labels a row for a binary task.")
    if evaluation.receipt.join is None and not evaluation.scored.all():
        raise NotRepeatable("Rows without truth or prediction are left out in a way that a few lines do not repeat.")
    if evaluation.receipt.join is not None and (evaluation.n_missing_truth or evaluation.n_missing_pred):
        raise NotRepeatable("Rows of only one of the two files are left out: join the files first.")
    columns = [column for column, _ in s.scores if score_lines]
    lines = [f"labels = {listing(evaluation.labels)}"]
    if s.encoding == "multi_hot":
        columns += [column for column, _ in s.truth_columns]
        lines += _hot(evaluation, s.truth_columns, "y_true", evaluation.y_true)
    else:
        assert s.truth is not None
        columns.append(s.truth)
        lines += _sets(evaluation, s.truth, SetEncoding("json" if s.encoding == "json" else "delimited", s.delimiter),
                       "y_true", evaluation.y_true)  # fmt: skip
    lines += score_lines
    more, own = _many_predicted(evaluation)
    return Prepared([*columns, *more], [*lines, *own])


def _many_predicted(evaluation: Evaluation) -> tuple[list[str], list[str]]:
    s = evaluation.settings
    encoding, delimiter = (s.pred_encoding, s.pred_delimiter) if s.pred_encoding else (s.encoding, s.delimiter)
    has_own = bool(s.pred_columns) if encoding == "multi_hot" else s.pred is not None
    if not evaluation.has_predictions:
        return [], []
    if evaluation.threshold is not None:
        return [], _many_by_score(evaluation)
    if not has_own:
        raise NotRepeatable("Every label has a threshold of its own: no single line says how it was predicted.")
    if encoding == "multi_hot":
        return [c for c, _ in s.pred_columns], _hot(evaluation, s.pred_columns, "y_pred", evaluation.y_pred)
    assert s.pred is not None
    way = SetEncoding("json" if encoding == "json" else "delimited", delimiter)
    return [s.pred], _sets(evaluation, s.pred, way, "y_pred", evaluation.y_pred)


def _many_by_score(evaluation: Evaluation) -> list[str]:
    scores, codes = evaluation.y_score, list(evaluation.score_codes)
    if scores is None:
        raise NotRepeatable("There are no scores to predict from.")
    made = np.zeros_like(evaluation.y_pred)
    made[:, codes] = scores >= evaluation.threshold
    if not np.array_equal(made[evaluation.scored], evaluation.y_pred[evaluation.scored]):
        raise NotRepeatable("The predictions were made from the scores in a way that a few lines do not repeat.")
    return [
        f"y_pred = np.zeros((len(frame), {len(evaluation.labels)}), dtype=bool)",
        f"y_pred[:, {codes}] = scores >= {evaluation.threshold!r}",
    ]


def _hot(evaluation: Evaluation, pairs: tuple[tuple[str, str], ...], variable: str, sets: np.ndarray) -> list[str]:
    """0/1 columns, found again in the evaluation's own table: which column is which label."""
    codes = []
    for column, _ in pairs:
        cells = distinct(evaluation.rows.column(column))
        flags = np.append([value.casefold() in ("1", "1.0", "true") for value in cells.values], False)[cells.codes]
        same = [k for k in range(len(evaluation.labels)) if np.array_equal(sets[:, k], flags)]
        wanted = [k for k in same if k not in codes]
        if not wanted:
            raise NotRepeatable("The 0/1 columns were brought together in a way that a few lines do not repeat.")
        codes.append(wanted[0])
    if sets[:, [k for k in range(len(evaluation.labels)) if k not in codes]].any():
        raise NotRepeatable("The 0/1 columns were brought together in a way that a few lines do not repeat.")
    return [
        f"columns = {listing(column for column, _ in pairs)}",
        f"{variable} = np.zeros((len(frame), {len(evaluation.labels)}), dtype=bool)",
        f"{variable}[:, {codes}] = np.isin(frame[columns].apply(lambda c: c.str.lower()), ['1', '1.0', 'true'])",
    ]


def _sets(evaluation: Evaluation, column: str, way: SetEncoding, variable: str, sets: np.ndarray) -> list[str]:
    """Cells that hold several labels."""
    cells = distinct(evaluation.rows.column(column))
    lists = [members(value, way) or () for value in cells.values]
    if way.encoding == "json":
        lists, parse = _json_lists(evaluation, column, cells.values, lists)
    else:
        delimiter = way.delimiter or ","
        split = "cell.split()" if delimiter == " " else f"cell.split({literal(delimiter)})"
        parse = f"[part.strip() for part in {split} if part.strip()]"
    same = _respelled_sets(evaluation, cells.codes, lists, sets)
    each = "same.get(part, part)" if same else "part"
    lines = [f"same = {mapping(same)}"] if same else []
    return [
        *lines,
        f"{variable} = np.zeros((len(frame), {len(evaluation.labels)}), dtype=bool)",
        f"for row, cell in enumerate(frame[{literal(column)}]):",
        f"    for part in {parse}:",
        f"        {variable}[row, labels.index({each})] = True",
    ]


def _json_lists(
    evaluation: Evaluation, column: str, values: tuple[str, ...], lists: list[tuple[str, ...]]
) -> tuple[list[tuple[str, ...]], str]:
    import json

    if not pa.types.is_string(distinct_type(evaluation, column)):
        raise NotRepeatable("The lists of labels are no text in the file, which text readers may write in another way.")
    for value, wanted in zip(values, lists, strict=True):
        try:
            if json.loads(value) != list(wanted):
                raise ValueError
        except ValueError:
            raise NotRepeatable("The lists of labels are not plain JSON, which takes more than a few lines.") from None
    return lists, "(json.loads(cell) if cell.strip() else [])"


def distinct_type(evaluation: Evaluation, column: str) -> pa.DataType:
    """The type of a column's values."""
    found = evaluation.rows.column(column).type
    return found.value_type if pa.types.is_dictionary(found) else found


def _respelled_sets(
    evaluation: Evaluation, codes: np.ndarray, lists: list[tuple[str, ...]], sets: np.ndarray
) -> dict[str, str]:
    """Which parts count as a label of another spelling; refused where that cannot be told from the result."""
    place = {label: code for code, label in enumerate(evaluation.labels)}
    for row, cell in enumerate(codes.tolist()):
        made = {place[part] for part in lists[cell] if part in place} if cell >= 0 else set()
        if not evaluation.scored[row]:
            continue
        known = cell < 0 or all(part in place for part in lists[cell])
        if not known or made != set(np.flatnonzero(sets[row]).tolist()):
            raise NotRepeatable("Labels of several spellings count as one: write them alike in the file.")
    return {}
