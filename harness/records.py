"""The file of finished answers: appended and synced, so that a run that ended anywhere can go on.

The first line says what was asked of whom (the identity); every further line is one finished answer under its key, the
hash of the identity and the prompt. A line that was cut by a crash is left out and its question asked again.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from data.errors import DataError
from harness.answers import Answer, clean_answer
from text.quoting import list_items

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two runs from writing to one file
    fcntl = None  # type: ignore[assignment]

FORMAT = 1
_HEADER = "blindspot_records"
_KEY_CHARS = 32


class KeyMaker:
    """Make the keys of many prompts; the identity is hashed once."""

    def __init__(self, identity: Mapping[str, Any]) -> None:
        self._start = hashlib.sha256(_canonical(identity) + b"\n")

    def __call__(self, prompt: str) -> str:
        """Return the key of one prompt."""
        digest = self._start.copy()
        digest.update(prompt.encode(errors="surrogatepass"))
        return digest.hexdigest()[:_KEY_CHARS]


class Records:
    """Hold the answers of one run, on the disk and in memory.

    Attributes
    ----------
    answers : the finished answers by key; those that may be asked again are among them.
    row_keys : the key of the prompt that a row became, by the hash of the row: it need not become one again.
    n_torn : lines that a crash had cut or damaged: they were left out, and their questions are asked again.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        """Open or begin a file of records.

        Raises
        ------
        DataError
            it is of a run with another identity, another run is writing to it, or it cannot be written.
        """
        self.path, self.n_torn = path, 0
        self.answers, self.row_keys = dict[str, Answer](), dict[str, str]()
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise unwritable_error(path, error) from None
        try:
            self._lock()
            self._read(identity)
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Records:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        os.close(self._file)

    def append(self, answers: Iterable[tuple[str, Answer]], rows: Mapping[str, str] | None = None) -> None:
        """Write finished answers, and return once the disk has them.

        rows : the hash of a row that became the prompt, by the prompt's key.

        Raises
        ------
        DataError
            the disk is full or gone; what was written before stays.
        """
        finished = [(key, clean_answer(answer)) for key, answer in answers]
        row_of = {key: {"row": rows[key]} if rows and key in rows else {} for key, _ in finished}
        lines = [json.dumps({"key": key, **row_of[key], **answer.to_json()}) for key, answer in finished]
        self._write("".join(line + "\n" for line in lines).encode())
        for key, answer in finished:
            self._keep(key, answer)

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DataError(
                f"{self.path.name}: another run is writing to this file; wait for it, or name another -o."
            ) from None

    def _read(self, identity: Mapping[str, Any]) -> None:
        with open(self._file, "rb", closefd=False) as file:
            content = file.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._file, whole)
            self.n_torn += 1
        lines, header = content[:whole].splitlines(), _canonical({_HEADER: FORMAT, **identity})
        if len(lines) == 1 and lines[0] != header and _is_header(lines[0]):
            os.ftruncate(self._file, 0)  # nothing was answered: a mistyped address or key binds nobody
            lines = []
        if not lines:
            self._write(header + b"\n")
            return
        _check_header(self.path, lines[0], identity)
        for values in _objects(lines[1:]):
            try:
                key = values.pop("key")
                if (row := values.pop("row", None)) is not None:
                    self.row_keys[row] = key
                self._keep(key, clean_answer(Answer.from_json(values)))
            except (TypeError, KeyError, AttributeError):
                self.n_torn += 1

    def _keep(self, key: str, answer: Answer) -> None:
        if answer.is_final or key not in self.answers or not self.answers[key].is_final:
            self.answers[key] = answer

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)
        except OSError as error:
            raise unwritable_error(self.path, error) from None


def _objects(lines: list[bytes]) -> list[Any]:
    """Return what lines of JSON hold, all read at once; None for each that is none."""
    try:
        objects: list[Any] = json.loads(b"[" + b",".join(lines) + b"]")
    except ValueError:
        objects = []
    if len(objects) == len(lines):
        return objects
    return [_object(line) for line in lines]


def _object(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _is_header(line: bytes) -> bool:
    """Return whether a line begins records of a run."""
    header = _object(line)
    return isinstance(header, dict) and header.get(_HEADER) == FORMAT


def _check_header(path: Path, line: bytes, identity: Mapping[str, Any]) -> None:
    """Raise DataError where a file holds something else, or was begun with something else."""
    if not _is_header(line):
        raise DataError(f"{path.name}: this file holds no records of a run; move it away, or name another -o.")
    recorded, wanted = json.loads(line), json.loads(_canonical(identity))
    del recorded[_HEADER]
    changed = [name for name in {**recorded, **wanted} if recorded.get(name) != wanted.get(name)]
    if changed:
        raise DataError(
            f"{path.name} is of a run that differs in {list_items(changed, quoted=False)}: name another -o, or remove "
            "that file to ask everything again."
        )


def unwritable_error(path: Path, error: OSError) -> DataError:
    """Return the error of a file that cannot be written: a full disk has another way out than a forbidden place."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DataError(f"{path.name}: the disk is full; make room, then run the same command again to continue.")
    return DataError(f"{path.name}: it cannot be written ({error.strerror or error}); name another -o.")


def _canonical(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, sort_keys=True, separators=(",", ":")).encode()
