"""A form with files as it is sent: read from the disk while it goes out, never whole in memory."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from stat import S_ISREG
from types import TracebackType
from typing import IO

from data.errors import DataError

_PIECE = 1 << 18


class Form:
    """multipart/form-data of fields and files; iterating sends it, once.

    told : called with the bytes sent so far, if anybody wants to know.

    >>> with Form([("name", "nightly")], []) as form:
    ...     sum(map(len, form)) == form.n_bytes
    True
    """

    def __init__(self, fields: Sequence[tuple[str, str]], files: Sequence[tuple[str, Path]]) -> None:
        self.told: Callable[[int], None] | None = None
        self._boundary = secrets.token_hex(16)
        self._fields = b"".join(self._field(name, text) for name, text in fields)
        self._end = f"--{self._boundary}--\r\n".encode()
        self._stack = ExitStack()
        self._files = [self._opened(name, path) for name, path in files]

    @property
    def n_bytes(self) -> int:
        """How long all of it is."""
        return len(self._fields) + sum(len(head) + size + 2 for head, _, size, _ in self._files) + len(self._end)

    @property
    def headers(self) -> dict[str, str]:
        """What the request says about it."""
        return {
            "Content-Type": f"multipart/form-data; boundary={self._boundary}",
            "Content-Length": str(self.n_bytes),
        }

    def __enter__(self) -> Form:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def __iter__(self) -> Iterator[bytes]:
        sent = 0
        for piece in self._pieces():
            yield piece
            sent += len(piece)
            if self.told:
                self.told(sent)

    def _pieces(self) -> Iterator[bytes]:
        yield self._fields
        for head, file, size, name in self._files:
            yield head
            yield from _exactly(file, size, name)
            yield b"\r\n"
        yield self._end

    def _field(self, name: str, text: str) -> bytes:
        head = f'--{self._boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
        return head.encode() + text.encode(errors="replace") + b"\r\n"

    def _opened(self, name: str, path: Path) -> tuple[bytes, IO[bytes], int, str]:
        try:
            file = self._stack.enter_context(path.open("rb"))
        except OSError as error:
            self._stack.close()
            why = "there is no such file" if isinstance(error, FileNotFoundError) else "it cannot be read"
            raise DataError(f"{path.name}: {why}.") from None
        facts = os.fstat(file.fileno())
        if not S_ISREG(facts.st_mode):
            self._stack.close()
            raise DataError(f"{path.name}: this is no ordinary file; write what it gives to one and push that.")
        head = (
            f'--{self._boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{_quoted(path.name)}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        return head.encode(errors="replace"), file, facts.st_size, path.name


def _exactly(file: IO[bytes], size: int, name: str) -> Iterator[bytes]:
    """As many bytes as were announced: a file may be written to while it is sent."""
    left = size
    while left:
        piece = file.read(min(_PIECE, left))
        if not piece:
            raise DataError(f"{name} became shorter while it was sent; push it once it is written.")
        left -= len(piece)
        yield piece


def _quoted(name: str) -> str:
    r"""A file's name inside quotes.

    >>> _quoted('a"b.csv')
    'a%22b.csv'
    """
    return "".join(f"%{ord(letter):02X}" if letter == '"' or ord(letter) < 32 else letter for letter in name)
