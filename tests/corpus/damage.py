"""One whole file, damaged in many places: read in the child process, so that a crash there is seen as one.

`read_cut`, `read_flipped` and `read_flipped_inside` stand where the child calls its reader; the table they give has
a row for every damaged copy and says what became of it.
"""

import io
import random
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.evaluation import FileFacts
from data.process.limits import Limits
from tests.corpus.case import Case
from tests.corpus.outcome import complaints, outcome_here

CUTS = 60
FLIPS = 100


def read_cut(path: str, name: str, **_: Any) -> tuple[pa.Table, FileFacts]:
    """Copies that end at one of `CUTS` places, spread over the file, the last byte and the first ones among them."""

    def copies(content: bytes) -> Iterator[tuple[str, bytes]]:
        n = len(content)
        for length in sorted({*(round(1 + (n - 2) * i / (CUTS - 4)) for i in range(CUTS - 3)), 2, 4, n - 1}):
            yield f"the first {length} of {n} bytes", content[:length]

    return _table(Path(path).read_bytes(), name, copies)


def read_flipped(path: str, name: str, **_: Any) -> tuple[pa.Table, FileFacts]:
    """`FLIPS` copies with one to eight bytes changed at random; the seed is the copy's number."""

    def copies(content: bytes) -> Iterator[tuple[str, bytes]]:
        for seed in range(FLIPS):
            yield f"seed {seed}", _changed(content, random.Random(seed))

    return _table(Path(path).read_bytes(), name, copies)


def read_flipped_inside(path: str, name: str, **_: Any) -> tuple[pa.Table, FileFacts]:
    """`FLIPS` copies of a zip archive with bytes of one member changed, and its sums right again."""

    def copies(content: bytes) -> Iterator[tuple[str, bytes]]:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {member: archive.read(member) for member in archive.namelist()}
        for seed in range(FLIPS):
            chance = random.Random(seed)
            member = chance.choice(list(members))
            damaged = members | {member: _changed(members[member], chance)}
            yield f"seed {seed}, in {member}", _zipped(damaged)

    return _table(Path(path).read_bytes(), name, copies)


def _changed(content: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    return bytes(damaged)


def _zipped(members: dict[str, bytes]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return sink.getvalue()


def _table(
    content: bytes, name: str, copies: Callable[[bytes], Iterator[tuple[str, bytes]]]
) -> tuple[pa.Table, FileFacts]:
    columns: dict[str, list[Any]] = {"damage": [], "n": [], "accuracy": [], "refusal": [], "unfit": []}
    with tempfile.TemporaryDirectory() as folder:
        for damage, damaged in copies(content):
            case = Case("damage", damage, name, damaged, None, None, (), ())
            found = outcome_here(case, Path(folder))
            unfit = complaints(case, found) if found.refusal else []
            told = (damage, str(found.n or 0), str(found.accuracy or 0.0), found.refusal, "; ".join(unfit))
            for column, value in zip(columns.values(), told, strict=True):
                column.append(value)
    table = pa.table({key: pa.array(values, pa.string()) for key, values in columns.items()})
    return table, FileFacts(name, "damage", table.num_rows, tuple(columns), len(content), "")


def bounds() -> Limits:
    """Return what the child that reads all the copies may use."""
    return Limits(memory_bytes=2 << 30)
