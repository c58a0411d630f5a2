"""Rows that cannot be read: asked about with their lines, left out with an account, and no other row with them."""

import csv
import io
import itertools
import random
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from data.bad_rows import FEWER, MORE, NOT_UTF8, NUL, QUOTE, TEXT_AFTER, BadRowsFound, read_error
from data.process.limits import Limits
from data.reading.csv.delimited import read_delimited
from data.reading.csv.row_scan import scan_rows
from data.reading.csv.strict_csv import Shape
from data.reading.options import ReadOptions
from tests.data.reading.csv.test_delimited import as_written, cells

LIMITS = Limits()
SKIP = ReadOptions(skip_bad_rows=True)
MARKS = {QUOTE, TEXT_AFTER}  # an open mark that another one on its line seems to close is followed by text


class Broken(NamedTuple):
    """A file with faults: its rows that can be read, and (line, kind) of every other."""

    content: str
    rows: list[list[str]]
    faults: list[tuple[int, str]]


def draw_broken(draw: random.Random) -> Broken:
    """Write a file row by row: kind × place × delimiter × quoting × line end × count of the faults."""
    delimiter, end = draw.choice(",;\t|"), draw.choice(["\n", "\r\n", "\r"])
    quoting: list[bool | str] = [False, True, "\n"]
    quoted = draw.choice(quoting)  # no cell, every cell, every cell and some with a line break
    n_rows = draw.randint(8, 30)
    places = {"first": 0, "middle": n_rows // 2, "last": n_rows - 1}
    first = places[draw.choice([*places])]
    faulty = {(first + i) % n_rows for i in range(draw.choice([1, 1, 2, 4]))}
    lines = [delimiter.join(["id", "answer", "score"])]
    rows, faults = [], []
    for row in range(n_rows):
        inner = f"te{end}xt {row}" if quoted == "\n" and draw.random() < 0.4 else f"text {row}"
        values = [f"r{row}", inner, f"0.{draw.randint(1, 999):03d}1"]
        line = sum(text.count(end) + 1 for text in lines) + 1
        if row not in faulty:
            rows.append(values)
            lines.append(delimiter.join(f'"{value}"' if quoted else value for value in values))
            continue
        kind = draw.choice([MORE, FEWER, QUOTE, TEXT_AFTER, NUL, NOT_UTF8])
        values[1] = f"text {row}"
        lines.append(delimiter.join(break_row(kind, values, bool(quoted), draw)))
        faults.append((line, kind))
    return Broken(end.join(lines) + draw.choice(["", end]), rows, faults)


def break_row(kind: str, values: list[str], quoted: bool, draw: random.Random) -> list[str]:
    place = draw.randrange(3)
    written = [f'"{value}"' if quoted else value for value in values]
    if kind == MORE:
        return [*written, "more"]
    if kind == FEWER:
        return written[:2]
    new = {
        QUOTE: f'"{values[place]}',
        TEXT_AFTER: f'"{values[place]}"x',
        NUL: f"{values[place]}\0",
        NOT_UTF8: f"{values[place]}\udcff",  # written as the byte 0xff
    }[kind]
    return [*written[:place], new, *written[place + 1 :]]


@pytest.mark.parametrize("seed", range(2))
def test_good_rows_of_broken_files_are_read(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(80):
        file = draw_broken(draw)
        with pytest.raises(BadRowsFound) as refusal:
            read_delimited(file.content.encode(errors="surrogateescape"), LIMITS)
        rows = refusal.value.rows
        assert rows.n_rows == len(file.rows) + len(file.faults), file
        read = read_delimited(file.content.encode(errors="surrogateescape"), LIMITS, options=SKIP)
        assert as_written(cells(read.table)) == as_written([list(row) for row in file.rows]), file
        assert [row.line for row in rows.examples] == [line for line, _ in file.faults], file
        for row, (_, kind) in zip(rows.examples, file.faults, strict=True):
            assert row.kind == kind or {row.kind, kind} <= MARKS, file
        assert read.left_out == rows.account
        assert read_error("x", refusal.value.details()).rows == rows  # type: ignore[attr-defined]


def test_no_row_is_made_of_a_broken_text() -> None:
    """A text of several lines lacks a mark, or has one too many: all of it goes, and no row beside it."""
    draw = random.Random(7)
    for _ in range(150):
        delimiter, end, width = draw.choice(",;\t|"), draw.choice(["\n", "\r\n", "\r"]), draw.choice([2, 3, 5])
        lines, rows, broken = (
            [delimiter.join(["text", "answer", "score", "label", "pred"][:width])],
            [],
            draw.randint(1, 5),
        )
        for row in range(8):
            n_lines = draw.choice([2, 3, 4]) if row == broken else draw.choice([1, 1, 2, 3])
            text = end.join(f"some words{draw.choice(['', delimiter + ' more'])} {row}.{i}" for i in range(n_lines))
            values = [text, f"v{row}", "0.5", "cat", "dog"][:width]
            faulty = draw.choice([f'"{text}', f'"{text}"x', f'"{text[:12]}"{text[12:]}"'])
            lines.append(delimiter.join([faulty if row == broken else f'"{text}"', *values[1:]]))
            rows += [values] if row != broken else []
        read = read_delimited(end.join(lines).encode(), LIMITS, options=SKIP)
        assert as_written(cells(read.table)) == as_written([list(row) for row in rows]), lines


@given(st.text(st.sampled_from('ab",\n\n" \r#\0'), max_size=40))
def test_scan_gives_every_byte_one_place(text: str) -> None:
    body, shape = text.encode(), Shape(["x", "y"], ",")
    scan = scan_rows(body, shape, LIMITS)
    if any(n > 5 for n in scan.n_faults.values()):
        return
    lines = [(place, min(e for e in (body.find(b"\n", place), body.find(b"\r", place), len(body)) if e >= 0))
             for place in (*scan.comments, *scan.blanks)]  # fmt: skip
    taken = sorted([*scan.kept, *((fault.start, fault.stop) for fault in scan.faults), *lines])
    assert sum(stop - start for start, stop in taken) >= len(body) - 2 * len(lines)
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(taken))
    kept = scan.join_kept(body).decode()
    records = [*csv.reader(io.StringIO(kept, newline=""), strict=True)]
    assert [len(record) for record in records] == [2] * scan.n_rows
