"""Unpacking gzip and Zstandard with the expansion bounded while it is read, never afterwards."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Literal

import pyarrow as pa

from data.environment import raise_it
from data.errors import DataError
from data.process.limits import Limits, size_text

Packing = Literal["gzip", "zstd"]

NAMES: dict[Packing, str] = {"gzip": "gzip", "zstd": "Zstandard"}
_CHUNK = 1 << 20
_TRUNCATED = "Truncated"  # how Arrow begins to say that a frame has no end


class _CutOff(ValueError):
    """The packed bytes end before what they hold does."""


class _Damaged(ValueError):
    """The packed bytes are not what their first ones say."""


def unpack(packed: bytes, packing: Packing, limits: Limits) -> bytes:
    r"""Unpack gzip members or Zstandard frames (several, one after the other, too).

    Raises
    ------
    DataError
        As soon as it grows beyond `limits.expanded_bytes`; or it is cut off or damaged.

    >>> import gzip
    >>> unpack(gzip.compress(b"a\n") + gzip.compress(b"b\n"), "gzip", Limits())
    b'a\nb\n'
    """
    unpacked, what = bytearray(), f"this {NAMES[packing]} file"
    try:
        for part in _gunzip(packed) if packing == "gzip" else _unzstd(packed):
            unpacked += part
            if len(unpacked) > limits.expanded_bytes:
                raise DataError(
                    f"{what} expands to more than {size_text(limits.expanded_bytes)}, the limit (a third of the "
                    "memory for reading); "
                    f"{raise_it('BLINDSPOT_READING_MB')}."
                )
    except _CutOff:
        raise DataError(f"{what} is cut off: its end is missing; compress it again.") from None
    except _Damaged:
        raise DataError(f"{what} is damaged and cannot be unpacked; compress it again.") from None
    return bytes(unpacked)


def _gunzip(packed: bytes) -> Iterator[bytes]:
    rest = packed
    while rest.strip(b"\0"):
        member = zlib.decompressobj(wbits=31)
        yield from _inflated(member, rest)
        rest = member.unused_data


def _inflated(member: zlib._Decompress, rest: bytes) -> Iterator[bytes]:
    while not member.eof:
        try:
            part = member.decompress(rest, _CHUNK)
        except zlib.error:
            raise _Damaged from None
        rest = member.unconsumed_tail
        if not part and not rest and not member.eof:
            raise _CutOff
        yield part


def _unzstd(packed: bytes) -> Iterator[bytes]:
    with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
        try:
            while part := stream.read(_CHUNK):
                yield part
        except OSError as error:
            raise (_CutOff if str(error).startswith(_TRUNCATED) else _Damaged) from None
