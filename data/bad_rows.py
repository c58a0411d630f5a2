"""Rows of a file that cannot be read: the question to a person, and the account of those left out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from data.errors import DataError, FinalError
from text.numbers import count, verb

MORE, FEWER, QUOTE, TEXT_AFTER, NUL, NOT_UTF8, LONG, BLANK, JSON, OTHER_KIND, CLOSING = (
    "more values", "fewer values", "open quotation mark", "text after a quotation mark", "zero byte",
    "not UTF-8", "long cell", "blank line", "no JSON object", "other kind of value", "closing line",
)  # fmt: skip
KINDS = {
    MORE: ("has too many values", "have too many values"),
    FEWER: ("has too few values", "have too few values"),
    QUOTE: ("opens a quotation mark and never closes it", "open a quotation mark and never close it"),
    TEXT_AFTER: ("has text after a closing quotation mark", "have text after a closing quotation mark"),
    NUL: ("holds a zero byte (NUL)", "hold a zero byte (NUL)"),
    NOT_UTF8: ("is not UTF-8 text", "are not UTF-8 text"),
    LONG: ("has a cell that is too long", "have a cell that is too long"),
    BLANK: ("is blank", "are blank"),
    JSON: ("holds no JSON object that can be read", "hold no JSON object that can be read"),
    OTHER_KIND: (
        "has an object where most rows have a plain value, or the reverse",
        "have an object where most rows have a plain value, or the reverse",
    ),
    CLOSING: ("looks like a closing line, not a prediction", "look like closing lines, not predictions"),
}
"""The fault of one row, and of several, by its kind."""
EXAMPLES = 5
"""So many rows of each kind are named."""
LEFT_OUT_METADATA = b"blindspot_left_out"
"""Of a Parquet file that was packed from a CSV file: the account of the rows that were left out."""
_FOOTER_BYTES = 4096  # of that account


class BadRow(NamedTuple):
    """A row that cannot be read, as it stands in the file; long lines are cut.

    kind : one of `KINDS`. line : its first line, from 1. n_lines : it has so many. why : what is wrong with it.
    before, lines, after : the text of its neighbours and of itself. cells : as it splits; () where that says nothing.
    neighbour : the line beside it that splits as it should, and its cells. is_whole : nothing is cut of its one line.
    """

    kind: str
    line: int
    n_lines: int
    why: str
    before: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    neighbour: tuple[int, tuple[str, ...]] | None = None
    is_whole: bool = False


class BadRows(NamedTuple):
    """The rows of a file that cannot be read.

    n_rows : rows of the file, these included. kinds : (kind, rows), in the order of the file.
    examples : the first rows of each kind, in the order of the file. header : (line, text) of the header line.
    names : the columns. delimiter : what splits a line, as a word. file : which of the files that were read, from 0.
    """

    n_rows: int
    kinds: tuple[tuple[str, int], ...]
    examples: tuple[BadRow, ...]
    header: tuple[int, str] | None = None
    names: tuple[str, ...] = ()
    delimiter: str = ""
    file: int = 0

    @property
    def n_bad(self) -> int:
        """Count the rows that cannot be read."""
        return sum(n for _, n in self.kinds)

    @property
    def are_most(self) -> bool:
        """Return whether these are more than half of the rows: then the file is something else than it was read as."""
        return 2 * self.n_bad > self.n_rows

    def to_json(self) -> dict[str, Any]:
        """Return them for a draft, and for another process."""
        return {**self._asdict(), "examples": [row._asdict() for row in self.examples]}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> BadRows:
        """Read back what `to_json` wrote; TypeError or KeyError where it is something else."""
        examples = tuple(BadRow(**_fill(row)) for row in values["examples"])
        return cls(**{**_fill(values), "examples": examples})

    @property
    def account(self) -> LeftOutRows:
        """Return what is kept of them once they are left out: no text of the file."""
        lines = {kind: tuple(row.line for row in self.examples if row.kind == kind) for kind, _ in self.kinds}
        kinds = tuple(LeftOutKind(kind, n, lines[kind]) for kind, n in self.kinds)
        alone = self.n_bad == 1 and self.examples[0].kind in (MORE, FEWER)  # the reason counts, and quotes nothing
        return LeftOutRows(self.n_rows, kinds, self.examples[0].why if alone else "")


@dataclass(frozen=True)
class LeftOutKind:
    """Rows that were left out for one reason; first_lines : where the first of them begin."""

    kind: str
    n_rows: int
    first_lines: tuple[int, ...]


@dataclass(frozen=True)
class LeftOutRows:
    """The account of rows that were left out of a file, as they cannot be read.

    n_rows : rows of the file, these included. why : what is wrong with it, where it is one row.
    place : "line" or "row": what the numbers of the first are of.
    """

    n_rows: int
    kinds: tuple[LeftOutKind, ...]
    why: str = ""
    place: str = "line"

    @property
    def n_left_out(self) -> int:
        """Count the rows that were left out."""
        return sum(kind.n_rows for kind in self.kinds)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> LeftOutRows:
        """Read back what `dataclasses.asdict` wrote."""
        kinds = [LeftOutKind(kind["kind"], kind["n_rows"], tuple(kind["first_lines"])) for kind in values["kinds"]]
        return cls(values["n_rows"], tuple(kinds), values["why"], values.get("place", "line"))

    def to_footer(self) -> bytes:
        """Return the account for the footer of a Parquet file."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_footer(cls, content: bytes | None) -> LeftOutRows | None:
        """Read back what `to_footer` wrote; None where the footer holds anything else, as any file may."""
        try:
            values = json.loads((content or b"")[:_FOOTER_BYTES])
            account = cls(int(values["n_rows"]), tuple(map(_read_kind, values["kinds"])), place="row")
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        return account if 0 < account.n_left_out <= account.n_rows else None

    def sentences(self) -> list[str]:
        """Say which rows were left out and why, a sentence a kind.

        >>> LeftOutRows(300, (LeftOutKind(MORE, 1, (7,)),), "has 5 values, the header 4").sentences()
        ['1 of 300 rows was left out: line 7 has 5 values, the header 4.']
        >>> LeftOutRows(300, (LeftOutKind(MORE, 7, (2, 4, 6, 8, 9)),)).sentences()
        ['7 of 300 rows were left out: lines 2, 4, 6, 8, 9 and 2 more have too many values.']
        """
        left_out = zip(self.kinds, self.list_faults(), strict=True)
        rows = count(self.n_rows)
        return [f"{kind.n_rows:,} of {rows} {verb(kind.n_rows, 'was')} left out: {fault}." for kind, fault in left_out]

    def list_faults(self) -> list[str]:
        """Say which lines have which fault, a clause a kind."""
        return [self._describe_fault(kind) for kind in self.kinds]

    def _describe_fault(self, kind: LeftOutKind) -> str:
        n, lines = kind.n_rows, kind.first_lines
        for_single, several = KINDS[kind.kind]
        return f"{list_lines(lines, n, self.place)} {several if n > 1 else self.why or for_single}"


def _read_kind(values: Mapping[str, Any]) -> LeftOutKind:
    first = tuple(map(int, values["first_lines"][:EXAMPLES]))
    if values["kind"] not in KINDS or int(values["n_rows"]) < 1 or not first:
        raise ValueError
    return LeftOutKind(values["kind"], int(values["n_rows"]), first)


def list_lines(lines: Sequence[int], n: int, thing: str = "line") -> str:
    """Name lines, or rows, by the numbers of the first.

    >>> list_lines([7], 1), list_lines([2, 4], 3, "row")
    ('line 7', 'rows 2, 4 and 1 more')
    """
    shown = ", ".join(f"{line:,}" for line in lines[:EXAMPLES])
    more = n - min(n, EXAMPLES, len(lines))
    return f"{thing if n == 1 else thing + 's'} {shown}" + (f" and {more:,} more" if more else "")


def say_blank_inside(lines: Sequence[int], n: int, thing: str) -> str:
    """Warn of blank lines, or rows, that were skipped."""
    return f"{count(n, f'blank {thing}')} inside the file skipped: {list_lines(lines, n, thing)}."


def say_blank_cells(n_blank: int, first: int, thing: str) -> str:
    """Warn of blank lines, or rows, of a single column: each of them is a row."""
    return f"{count(n_blank, f'blank {thing}')} (first: row {first:,}) counted as empty: every {thing} is a row."


def say_blank_end(n_blank: int, thing: str) -> str:
    """Say how many blank lines, or rows, were skipped at the end."""
    return f"{count(n_blank, f'blank {thing}')} at the end skipped."


def say_most(n_bad: int, n_rows: int, check: str) -> str:
    """Say why bad rows may not be left out, and what to do; check : what is wrong where most rows are such."""
    return f"{n_bad:,} of {count(n_rows)} cannot be read. That is more than half, so none are left out: check {check}."


class BadRowsFound(DataError):
    """Rows that cannot be read; a person may leave them out."""

    def __init__(self, text: str, rows: BadRows) -> None:
        super().__init__(text)
        self.rows = rows

    def of_file(self, index: int) -> BadRowsFound:
        """Return the error with the place of its file among those that were read."""
        return BadRowsFound(str(self), self.rows._replace(file=index))

    def details(self) -> dict[str, Any]:
        return {"bad_rows": self.rows.to_json()}


def read_error(text: str, details: Mapping[str, Any]) -> DataError:
    """Return the error that another process raised; TypeError, KeyError or ValueError where its details are wrong."""
    if "bad_rows" not in details:
        return FinalError(text) if details.get("final") else DataError(text)
    return BadRowsFound(text, BadRows.from_json(details["bad_rows"]))


def _fill(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
