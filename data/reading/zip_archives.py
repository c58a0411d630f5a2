"""Zip archives of strangers: every member's size is known, bounded and true before a byte of it is used."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from data.errors import DataError
from data.limits import MAX_ZIP_MEMBERS
from data.process.limits import Limits, format_size
from data.reading.formats import PackedError, unzstd

_CHUNK = 1 << 20
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_ENCRYPTED = 1
_ZSTD = (93, 20)

Parts = Generator[bytes, None, None]


class Zipped:
    """A zip archive that is opened for reading.

    Python's own reader knows no Zstandard before 3.14, and stops quietly at the size that a member is said to have;
    another program that reads the archive may not. So members are unpacked here, to their true end.

    Parameters
    ----------
    what : how messages call such a file, "an Excel workbook (.xlsx)".

    Raises
    ------
    DataError
        It is damaged, encrypted, or its members are said to be larger than the limits allow.
    """

    def __init__(self, path: Path, limits: Limits, what: str) -> None:
        self._what = what
        self._file: BinaryIO = path.open("rb")
        try:
            with zipfile.ZipFile(self._file) as archive:
                infos = archive.infolist()
            self._members = {info.filename: info for info in infos}
            self.n_replaced = len(infos) - len(self._members)  # of one name the last counts, as for other programs
            self._check(limits)
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, struct.error) as error:
            self._file.close()
            raise error if isinstance(error, DataError) else self.damaged() from None

    def __enter__(self) -> Zipped:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()

    def damaged(self, why: str = "") -> DataError:
        """Return the error for an archive that is not what it should be."""
        return DataError(f"it is damaged or not {self._what}{': ' + why if why else ''}; write it again.")

    def _check(self, limits: Limits) -> None:
        infos = self._members.values()
        if len(infos) > MAX_ZIP_MEMBERS:
            raise DataError(f"it is an archive of {len(infos):,} files; the limit is {MAX_ZIP_MEMBERS:,}.")
        if any(info.flag_bits & _ENCRYPTED for info in infos):
            raise DataError("it is protected by a password; save it without one.")
        n_bytes = sum(info.file_size for info in infos)
        if n_bytes > limits.expanded_bytes:
            raise DataError(f"it expands to {format_size(n_bytes)}; the limit is {format_size(limits.expanded_bytes)}.")

    @property
    def names(self) -> list[str]:
        """Return the members, in the order of the archive."""
        return list(self._members)

    def size(self, name: str) -> int:
        """Return the bytes of a member, unpacked, as the archive says."""
        return self._members[name].file_size

    def read(self, name: str) -> bytes:
        """Return a member, whole."""
        return b"".join(self.parts(name))

    def parts(self, name: str) -> Iterator[bytes]:
        """Yield a member, unpacked piece by piece; a size or a sum other than the archive's is an error.

        Raises
        ------
        DataError
            The member is damaged, or packed in a way that is not opened.
        """
        info = self._members[name]
        n_bytes = check = 0
        with closing(self._unpack(info)) as parts:
            for part in parts:
                n_bytes += len(part)
                check = zlib.crc32(part, check)
                if n_bytes > info.file_size:
                    raise self.damaged("a part is larger than it says")
                yield part
        if n_bytes != info.file_size or check != info.CRC:
            raise self.damaged("a part is not as it was written")

    def _unpack(self, info: zipfile.ZipInfo) -> Parts:
        packed = self._read_packed(info)
        if info.compress_type == zipfile.ZIP_STORED:
            return packed
        if info.compress_type == zipfile.ZIP_DEFLATED:
            return _inflate(packed, self.damaged)
        if info.compress_type in _ZSTD:
            return self._unzstd(b"".join(packed))
        raise DataError(
            f"a part of it is packed in a way (number {info.compress_type}) that is not opened; zip it again."
        )

    def _unzstd(self, packed: bytes) -> Parts:
        try:
            yield from unzstd(packed)
        except PackedError:
            raise self.damaged() from None

    def _read_packed(self, info: zipfile.ZipInfo) -> Parts:
        """Return a member's bytes as they lie in the file: two numbers before them say where they begin."""
        if info.header_offset < 0:
            raise self.damaged()
        self._file.seek(info.header_offset)
        header = self._file.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or not header.startswith(b"PK\x03\x04"):
            raise self.damaged()
        _, n_name, n_extra = _LOCAL_HEADER.unpack(header)
        place, left = info.header_offset + _LOCAL_HEADER.size + n_name + n_extra, info.compress_size
        while left:
            self._file.seek(place)
            part = self._file.read(min(_CHUNK, left))
            if not part:
                raise self.damaged("its end is missing")
            place, left = place + len(part), left - len(part)
            yield part


def _inflate(packed: Iterator[bytes], damaged: Callable[[], DataError]) -> Parts:
    member = zlib.decompressobj(wbits=-15)
    try:
        for part in packed:
            rest = part
            while rest and not member.eof:
                yield member.decompress(rest, _CHUNK)
                rest = member.unconsumed_tail
        yield member.flush()
    except zlib.error:
        raise damaged() from None
