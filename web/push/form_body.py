"""Parse a form with files while it comes: files go to the disk piece by piece, and everything has a limit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from data.limits import FILE_NAME_CHARS
from data.runs.load import Source
from web.limits import FIELD_BYTES, MAX_FIELDS
from web.middleware.refusals import Refusal, too_large

FILES = ("file", "labels")
"""The parts that are files, in the order in which they are read."""
_BOUNDARY = re.compile(rb"[\x20-\x7e]{1,70}")


class Body:
    """The parts of one body.

    folder : where the files are put, under names of ours; what they are called is only text.
    most_mb : the largest file.
    fields : (name, text) of every part that is no file, in order.
    """

    def __init__(self, content_type: str, folder: Path, most_mb: int) -> None:
        self.fields: list[tuple[str, str]] = []
        self._folder, self._most_mb = folder, most_mb
        self._files: dict[str, Source] = {}
        self._open: IO[bytes] | None = None
        self._header = self._value = b""
        self._disposition = b""
        self._name, self._text = "", b""
        self._n_bytes = self._n_fields = self._field_bytes = 0
        self._ended = False
        self._parser = self._made_parser(content_type)

    def _made_parser(self, content_type: str) -> MultipartParser:
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary", b"")
        if kind != b"multipart/form-data" or not _BOUNDARY.fullmatch(boundary):
            raise Refusal(
                400, "A form with a file was wanted (multipart/form-data), as curl -F file=@preds.csv sends it."
            )
        return MultipartParser(
            boundary,
            {
                "on_part_begin": self._on_part_begin,
                "on_part_data": self._on_part_data,
                "on_part_end": self._on_part_end,
                "on_header_field": self._on_header_field,
                "on_header_value": self._on_header_value,
                "on_header_end": self._on_header_end,
                "on_headers_finished": self._on_headers_finished,
                "on_end": self._on_end,
            },
        )

    def feed(self, data: bytes) -> None:
        """Take the next piece.

        Raises
        ------
        Refusal
            it is no form, or too much. OSError : the disk does not take it.
        """
        try:
            self._parser.write(data)
        except FormParserError:
            raise Refusal(400, "The form cannot be read: it is not put together as multipart/form-data is.") from None

    def sources(self) -> list[Source]:
        """Return the files that came, predictions first, once all is there.

        Raises
        ------
        Refusal
            the form has no end, or no file of predictions.
        """
        if not self._ended:
            raise Refusal(400, "The form has no end: part of it is missing, so nothing was kept; send it again.")
        if "file" not in self._files:
            raise Refusal(
                400, "There is no file: send the predictions as the part file, as curl -F file=@preds.csv does."
            )
        return [self._files[name] for name in FILES if name in self._files]

    def close(self) -> None:
        """Let go of a file that is still open."""
        if self._open:
            self._open.close()
            self._open = None

    def _on_part_begin(self) -> None:
        self._disposition, self._n_bytes, self._text = b"", 0, b""

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = self._value
        self._header = self._value = b""

    def _on_headers_finished(self) -> None:
        kind, options = parse_options_header(self._disposition.decode("latin-1"))
        if kind != b"form-data":
            raise Refusal(400, "A part of the form does not say its name (Content-Disposition: form-data; name=…).")
        self._name = _decode(options.get(b"name", b""))
        if self._name not in FILES:
            return
        if self._name in self._files:
            raise Refusal(400, f"There are two files called {self._name}; send one, and the labels as the part labels.")
        path = self._folder / f"upload-{len(self._files)}"
        self._files[self._name] = (path, file_name(_decode(options.get(b"filename", b""))))
        self._open = path.open("wb")

    def _on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._open is None:
            self._field_bytes += end - start
            self._text += data[start:end]
            if self._field_bytes > FIELD_BYTES:
                raise Refusal(
                    413, f"The fields of the form are larger than {FIELD_BYTES >> 20} MB together; send less."
                )
            return
        self._n_bytes += end - start
        if self._n_bytes > self._most_mb << 20:
            raise too_large(self._most_mb)
        self._open.write(data[start:end])

    def _on_part_end(self) -> None:
        if self._open:
            self.close()
            return
        self._n_fields += 1
        if self._n_fields > MAX_FIELDS:
            raise Refusal(400, f"The form has more than {MAX_FIELDS:,} fields; send fewer.")
        try:
            self.fields.append((self._name, self._text.decode()))
        except UnicodeDecodeError:
            raise Refusal(400, "A field of the form is not text in UTF-8; send it as such.") from None

    def _on_end(self) -> None:
        self._ended = True


def file_name(text: str) -> str:
    r"""Return the last part of a file's given name; it is only shown.

    >>> file_name("../../etc/preds.csv"), file_name("C:\\runs\\preds.csv"), file_name("")
    ('preds.csv', 'preds.csv', 'predictions')
    """
    return re.split(r"[/\\\0]", text)[-1][-FILE_NAME_CHARS:].strip(" .") or "predictions"


def _decode(text: bytes) -> str:
    return text.decode(errors="replace")
