"""Rows with the same text, or nearly the same: groups of them, those with different truths first.

The same: equal without case, punctuation and spaces, over all rows. Nearly the same: see `data.rows.similar_texts`,
over as many texts as it says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import holds_text
from data.evaluation import MISSING, Evaluation
from data.rows.cells import take_cells
from data.rows.row_scores import has_truth
from data.rows.similar_texts import Report, group_alike

SIMILARITY = 0.9
"""The least cosine of two texts that are nearly the same: one letter in forty may be another, or so."""
_SAMPLE = 1_000


@dataclass(frozen=True, eq=False)
class NearDuplicates:
    """Groups of rows whose texts are the same or nearly so: g groups, m rows in them.

    Attributes
    ----------
    column : whose texts they are. similarity : the least cosine of two texts that are nearly the same.
    rows : int64 (m,), row positions, group after group, in file order within each.
    starts : int64 (g + 1,), where in `rows` each group begins, and m.
    differ : bool (g,), more than one truth among the rows that have one: these groups come first, the largest first.
    same : bool (g,), all texts are the same, not only nearly. In a group that is not, every text is nearly the same
        as some other, but not as every other.
    n_rows : rows with a text. n_texts : different texts among them. n_compared : how many of those, the first ones of
        the file, were compared for being nearly the same.
    """

    column: str
    similarity: float
    rows: np.ndarray
    starts: np.ndarray
    differ: np.ndarray
    same: np.ndarray
    n_rows: int
    n_texts: int
    n_compared: int

    def __len__(self) -> int:
        return len(self.differ)

    def group(self, place: int) -> np.ndarray:
        """Return the rows of one group, in file order."""
        return self.rows[self.starts[place] : self.starts[place + 1]]

    def group_of(self, row: int) -> int | None:
        """Return the group that a row is in; None = it has no twin."""
        places = np.flatnonzero(self.rows == row)
        return int(np.searchsorted(self.starts, places[0], side="right")) - 1 if len(places) else None


def find_text_columns(evaluation: Evaluation) -> list[str]:
    """Return columns of free text in which twins may be looked for, the longest texts first; raw answers last.

    Free text has letters in most cells, and two words on average or a script that may do without spaces. Columns of
    truth, prediction, id and scores are none.
    """
    settings = evaluation.settings
    taken = {settings.truth, settings.pred, settings.id, *(column for column, _ in settings.scores)}
    lengths = {name: _length(evaluation, name) for name in evaluation.rows.column_names if name not in taken}
    columns = [name for name, length in lengths.items() if length]
    return sorted(columns, key=lambda name: (name == settings.raw, -lengths[name]))


def _length(evaluation: Evaluation, name: str) -> float:
    """Return mean characters of a column of free text, from evenly spaced rows; 0 if it is none."""
    if not holds_text(evaluation.rows.schema.field(name).type):
        return 0.0
    n = evaluation.n_lines
    places = np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64)
    texts = [text for text in take_cells(evaluation.rows.column(name), places).to_pylist() if text]
    if 2 * sum(any(map(str.isalpha, text)) for text in texts) <= len(texts):
        return 0.0
    words = sum(len(text.split()) for text in texts) / len(texts)
    length = sum(map(len, texts)) / len(texts)
    own_script = sum(not text.isascii() for text in texts) > len(texts) / 2 and length >= 6
    return length if words >= 2 or own_script else 0.0


def find_near_duplicates(
    evaluation: Evaluation, column: str, *, similarity: float = SIMILARITY, report: Report = lambda share: None
) -> NearDuplicates:
    """Group rows whose texts in a column are the same or nearly so.

    Rows without a text, and texts without a letter or digit unless they are equal, have no twins.

    similarity : above 0, at most 1; 1 = only the same texts.
    report : told from time to time which share of the comparing is done, from 0, when it begins, to 1; a million rows
        take up to a minute. What it raises ends the search.

    Raises
    ------
    ValueError
        a similarity outside this range, or a column that is no text.
    """
    if not 0 < similarity <= 1:
        raise ValueError(f"a similarity above 0 and at most 1 was wanted, not {similarity}")
    report(0.0)
    codes, texts = _simplify_texts(evaluation.rows.column(column))
    parts, n_compared = np.arange(len(texts)), 0
    if similarity < 1 and len(texts) > 1:
        parts, n_compared = group_alike(texts, similarity, report)
    return _group_rows(evaluation, column, similarity, codes, parts, n_compared)


# -- the same ---------------------------------------------------------------------------------------


def _simplify_texts(column: pa.ChunkedArray) -> tuple[np.ndarray, pa.Array]:
    """Return every row's text, int64 (n,), MISSING = none; and every text once, without case and punctuation."""
    if not holds_text(column.type):
        raise ValueError(f"near-duplicates are searched for in texts, not in {column.type}")
    texts = column.cast(pa.large_string()).combine_chunks()
    lower = pc.utf8_lower(pc.utf8_normalize(texts, form="NFKC"))
    plain = pc.utf8_trim_whitespace(pc.replace_substring_regex(lower, r"[^\p{L}\p{M}\p{N}]+", " "))
    bare = pc.utf8_trim_whitespace(texts)
    plain = pc.if_else(pc.equal(plain, ""), bare, plain)  # "!!!" is not the same as "???"
    plain = pc.if_else(pc.equal(plain, ""), pa.scalar(None, pa.large_string()), plain)
    coded = pc.dictionary_encode(plain)
    return pc.fill_null(coded.indices, MISSING).to_numpy(zero_copy_only=False).astype(np.int64), coded.dictionary


# -- groups -----------------------------------------------------------------------------------------


def _group_rows(
    evaluation: Evaluation, column: str, similarity: float, codes: np.ndarray, parts: np.ndarray, n_compared: int
) -> NearDuplicates:
    """Return the groups of two rows or more, in the order of `NearDuplicates`.

    codes : int64 (n,), text of every row. parts : of every text, those that are alike have one number.
    """
    rows = np.flatnonzero(codes >= 0)
    n_rows, part = len(rows), parts[codes[rows]]
    sizes = np.bincount(part, minlength=1)
    is_group = sizes > 1
    sizes_of_groups = sizes[is_group]
    n_groups = len(sizes_of_groups)
    group_of_part = np.full(len(sizes), -1)
    group_of_part[is_group] = np.arange(n_groups)
    group = group_of_part[part]
    rows, group = rows[group >= 0], group[group >= 0]
    differ = _hold_several(group, _encode_truths(evaluation, rows), n_groups)
    same = ~_hold_several(group, codes[rows], n_groups)
    first_row = np.full(n_groups, evaluation.n_lines)
    np.minimum.at(first_row, group, rows)
    order = np.lexsort((first_row, -sizes_of_groups, ~differ))  # by the last of these first
    rank = np.empty(n_groups, dtype=np.int64)
    rank[order] = np.arange(n_groups)
    rows = rows[np.argsort(rank[group], kind="stable")]  # rows of a group stay in file order
    starts = np.concatenate([[0], np.cumsum(sizes_of_groups[order])]).astype(np.int64)
    n_texts = int(codes.max(initial=-1)) + 1
    return NearDuplicates(column, similarity, rows, starts, differ[order], same[order], n_rows, n_texts, n_compared)


def _hold_several(group: np.ndarray, values: np.ndarray, n_groups: int) -> np.ndarray:
    """Return whether groups have more than one value, MISSING not counted: bool (n_groups,)."""
    known = values != MISSING
    low, high = np.full(n_groups, np.iinfo(np.int64).max), np.full(n_groups, MISSING)
    np.minimum.at(low, group[known], values[known])
    np.maximum.at(high, group[known], values[known])
    return np.asarray(low < high)


def _encode_truths(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray:
    """Return the truth of every row as int64, of several labels one for each set; MISSING = none known."""
    if evaluation.task != "multilabel":
        return np.asarray(evaluation.y_true[rows], dtype=np.int64)
    packed = np.packbits(evaluation.y_true[rows], axis=1)
    sets = np.ascontiguousarray(packed).view(f"V{packed.shape[1]}").ravel()
    numbers = np.unique(sets, return_inverse=True)[1] if len(rows) else np.zeros(0, dtype=np.int64)
    return np.asarray(np.where(has_truth(evaluation, rows), numbers, MISSING))
