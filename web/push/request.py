"""Send one request to a Blindspot server: files piece by piece, no redirects, and one sentence for what fails."""

from __future__ import annotations

import base64
import contextlib
import http.client
import os
import secrets
import ssl
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from stat import S_ISREG
from typing import Any, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from data.errors import DataError
from text.json_text import read_json
from web.limits import ANSWER_BYTES

_PIECE = 1 << 18


class Answer(NamedTuple):
    """Hold an answer: its status, its JSON object (None if it has none), and the address it redirects to."""

    status: int
    content: dict[str, Any] | None
    location: str = ""


class Form:
    """Hold a multipart form of fields and files; iterating reads it from the disk, once, never whole in memory.

    report : called with the bytes sent so far.

    >>> form = Form([("name", "nightly")], [])
    >>> sum(map(len, form)) == form.n_bytes
    True
    """

    def __init__(self, fields: Sequence[tuple[str, str]], files: Sequence[tuple[str, Path]]) -> None:
        self.report: Callable[[int], None] = lambda sent: None
        mark = secrets.token_hex(16)
        head = f"--{mark}\r\nContent-Disposition: form-data; name="
        self._parts: list[tuple[bytes, Path | None, int]] = [
            (f'{head}"{name}"\r\n\r\n{text}'.encode(errors="replace"), None, 0) for name, text in fields
        ]
        for name, path in files:
            kind = f'"{name}"; filename="{_escape(path.name)}"\r\nContent-Type: application/octet-stream\r\n\r\n'
            self._parts.append(((head + kind).encode(errors="replace"), path, measure_file(path)))
        self._end = f"--{mark}--\r\n".encode()
        self.n_bytes = sum(len(start) + size + 2 for start, _, size in self._parts) + len(self._end)
        self.headers = {"Content-Type": f"multipart/form-data; boundary={mark}", "Content-Length": str(self.n_bytes)}

    def __iter__(self) -> Iterator[bytes]:
        sent = 0
        for piece in self._pieces():
            yield piece
            sent += len(piece)
            self.report(sent)

    def _pieces(self) -> Iterator[bytes]:
        for start, path, size in self._parts:
            yield start
            if path is not None:
                yield from _read(path, size)
            yield b"\r\n"
        yield self._end


def send(url: str, headers: Mapping[str, str], body: Iterable[bytes] | None = None, *, seconds: float) -> Answer:
    """Ask with GET, or send a body with POST; a redirect is not followed, for it would carry the key along.

    seconds : how long the server may say nothing.

    Raises
    ------
    DataError
        one sentence: the server cannot be reached, or is not whom it says it is.
    """
    to = urlsplit(url)
    try:
        with contextlib.closing(_connection(to, seconds)) as connection:
            connection.connect()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may answer before it has read all
                connection.request("GET" if body is None else "POST", to.path, body, dict(headers))
            answer = connection.getresponse()
            return Answer(answer.status, _object(answer.read(ANSWER_BYTES)), answer.getheader("Location", "")[:200])
    except (OSError, http.client.HTTPException) as error:
        raise DataError(_sentence(to.netloc, error, seconds)) from None


def _connection(to: SplitResult, seconds: float) -> http.client.HTTPConnection:
    """Return a connection, for https through the proxy that the environment names; plain http is for this machine."""
    host = to.hostname or ""
    if to.scheme == "http":
        return http.client.HTTPConnection(host, to.port, timeout=seconds)
    named = "" if urllib.request.proxy_bypass(to.netloc) else urllib.request.getproxies().get("https", "")
    context = ssl.create_default_context()
    if not named:
        return http.client.HTTPSConnection(host, to.port, timeout=seconds, context=context)
    proxy = urlsplit(named if "://" in named else f"http://{named}")
    through = http.client.HTTPSConnection(proxy.hostname or "", proxy.port or 80, timeout=seconds, context=context)
    given = unquote(proxy.netloc.rpartition("@")[0])
    code = base64.b64encode(given.encode()).decode()
    through.set_tunnel(host, to.port, {"Proxy-Authorization": f"Basic {code}"} if given else {})
    return through


def _read(path: Path, size: int) -> Iterator[bytes]:
    """Read as many bytes as were announced: a file may be written to while it is sent."""
    with path.open("rb") as file:
        while size:
            piece = file.read(min(_PIECE, size))
            if not piece:
                raise DataError(f"{path.name} became shorter while it was sent; push it once it is written.")
            size -= len(piece)
            yield piece


def measure_file(path: Path) -> int:
    """Return how many bytes a file has that can be read.

    Raises
    ------
    DataError
        there is no such file, it is no ordinary one, or it cannot be read.
    """
    try:
        facts = path.stat()
    except OSError as error:
        why = "there is no such file" if isinstance(error, FileNotFoundError) else "it cannot be read"
        raise DataError(f"{path.name}: {why}.") from None
    if not S_ISREG(facts.st_mode):
        raise DataError(f"{path.name}: this is no ordinary file; write what it gives to one and push that.")
    if not os.access(path, os.R_OK):
        raise DataError(f"{path.name}: it cannot be read.")
    return facts.st_size


def _escape(name: str) -> str:
    r"""Write a file's name so that it can stand in double quotes.

    >>> _escape('a"b.csv')
    'a%22b.csv'
    """
    return "".join(f"%{ord(letter):02X}" if letter == '"' or ord(letter) < 32 else letter for letter in name)


def _object(text: bytes) -> dict[str, Any] | None:
    parsed = read_json(text)
    return parsed if isinstance(parsed, dict) else None


def _sentence(host: str, error: OSError | http.client.HTTPException, seconds: float) -> str:
    """Say what went wrong on the way, and what to look at."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"{host} shows a certificate that is not trusted here ({error.verify_message}); check the address, or have "
            "SSL_CERT_FILE name the certificate of whoever signed it."
        )
    if isinstance(error, ssl.SSLError):
        return f"{host} does not speak https there ({error.reason or 'TLS failed'}); check the address and its port."
    if isinstance(error, TimeoutError):
        return f"{host} said nothing for {seconds:,.0f} seconds; try again later, or look at the server."
    if isinstance(error, ConnectionRefusedError):
        return f"{host} cannot be reached: nothing listens there; check the address and whether the server runs."
    if isinstance(error, http.client.HTTPException | ConnectionError):
        return f"{host} ended the connection before it had answered; try again, or look at the server's log."
    return f"{host} cannot be reached ({error.strerror or error}); check the address and the network."
