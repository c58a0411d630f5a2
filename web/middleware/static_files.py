"""Serve Streamlit's page as we altered it, and its scripts and styles compressed: each once, then from memory.

Streamlit sends its bundle as it is, 3 MB for a first visit. Whoever asks for a part of a file (Range), or takes no
compression, is answered by Streamlit.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Callable, Collection
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import brotli
from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.web.server.starlette.starlette_routes import _ensure_xsrf_cookie

from web.site import Site, this_site
from web.start_page import LATIN_FONT, STATIC, latin_font_path, start_page
from web.unknown_page import unknown_page

SUFFIXES = frozenset({".css", ".js", ".json", ".svg", ".wasm"})
"""Endings of files that compression makes smaller; fonts and pictures are compressed already."""
FOREVER = "public, immutable, max-age=31536000"
"""A file's name holds its digest."""
PASSED = ("/media/", "/_stcore/", "/api/")
"""Paths that never answer with Streamlit's page: those who ask for them may name the copy that they have."""
_CONDITIONS = (b"if-none-match", b"if-modified-since", b"if-range", b"range")

ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda content: bytes(brotli.compress(content, quality=9)),
    "gzip": lambda content: gzip.compress(content, 9, mtime=0),
}
"""Content codings, the smallest first."""


def choose_encoding(accepted: str) -> str:
    """Return the coding to send, of those that a browser takes; "" where it takes none of ours.

    >>> choose_encoding("gzip, deflate, br"), choose_encoding("br;q=0, gzip;q=0.5"), choose_encoding("identity")
    ('br', 'gzip', '')
    """
    taken = {}
    for part in accepted.lower().split(","):
        name, _, quality = part.partition(";")
        taken[name.strip()] = quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return next((name for name in ENCODERS if taken.get(name)), "")


class Compressed(NamedTuple):
    """Hold a compressed file, and the entity tag of this coding of it."""

    content: bytes
    tag: str


@lru_cache(maxsize=1024)
def compressed_file(path: Path, encoding: str) -> Compressed:
    """Return a file of Streamlit's bundle, compressed; some 400 files, 7 MB in all."""
    facts = path.stat()
    tag = f'"{facts.st_mtime_ns:x}-{facts.st_size:x}-{encoding}"'
    return Compressed(ENCODERS[encoding](path.read_bytes()), tag)


@lru_cache(maxsize=8)
def compressed_page(encoding: str, *, of_open: bool) -> Compressed:
    """Return the start page, compressed unless the coding is ""; another page has another entity tag."""
    content = start_page(of_open=of_open).encode()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}-{encoding}"'
    return Compressed(ENCODERS[encoding](content) if encoding else content, tag)


class StaticFiles:
    """ASGI middleware: compressed files and the altered page in front of Streamlit's own."""

    def __init__(self, app: ASGIApp, site: Site | None = None, *, pages: Collection[str] = ()) -> None:
        """Wrap an app; `pages` : the names of its pages, () = every address is one."""
        self.app = app
        self.base_path = (site or this_site()).base_path
        # Browsers ask for /favicon.ico by themselves, and complain of a 404.
        self.paths = {"", "/", "/favicon.ico", *(f"/{name}" for name in pages)} if pages else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a file or for the page, or let it pass."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        path = str(scope["path"]).removeprefix(self.base_path)
        if path == f"/{latin_font_path()}":
            font = Compressed(LATIN_FONT.read_bytes(), f'"{latin_font_path()}"')
            await answer_compressed(scope, font, "", "font/woff2", FOREVER)(scope, receive, send)
        elif path.startswith("/static/"):
            await self._file(path, scope, receive, send)
        elif path.startswith(PASSED):
            await self.app(scope, receive, send)
        else:
            await self._page(path, scope, receive, send)

    async def _file(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a compressed file where there is one to compress."""
        headers = Headers(scope=scope)
        encoding = choose_encoding(headers.get("accept-encoding", ""))
        file = _find_file(path)
        if file is None or not encoding or "range" in headers:
            await self.app(scope, receive, send)
            return
        compressed = await run_sync(compressed_file, file, encoding)
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        response = answer_compressed(scope, compressed, encoding, kind, FOREVER)
        await response(scope, receive, send)

    async def _page(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Send our page in place of Streamlit's, which answers every address that is none of its routes."""
        whole = [(name, value) for name, value in scope["headers"] if name not in _CONDITIONS]
        replaced: Message | None = None

        async def replace(message: Message) -> None:
            nonlocal replaced
            if message["type"] == "http.response.start" and _is_page(message):
                replaced = message
            if replaced is None:
                await send(message)

        # Streamlit would compare the browser's copy, and cut ranges, by its own page.
        await self.app({**scope, "headers": whole}, receive, replace)
        if replaced is not None and self.paths is not None and path not in self.paths:
            unknown = Response(unknown_page(self.base_path), 404, {"cache-control": "no-cache"}, "text/html")
            await unknown(scope, receive, send)
        elif replaced is not None:
            encoding = choose_encoding(Headers(scope=scope).get("accept-encoding", ""))
            page = await run_sync(partial(compressed_page, encoding, of_open=path in ("", "/")))
            response = answer_compressed(scope, page, encoding, "text/html; charset=utf-8", "private, no-cache")
            for cookie in Headers(raw=replaced["headers"]).getlist("set-cookie"):
                response.headers.append("set-cookie", cookie)
            _ensure_xsrf_cookie(Request(scope), response)  # the websocket, which opens at once, is asked for it
            await response(scope, receive, send)


def _find_file(path: str) -> Path | None:
    """Return the file of the bundle at a path; None where there is none to compress."""
    try:
        file = (STATIC / path.removeprefix("/")).resolve()
        known = file.suffix in SUFFIXES and file.is_relative_to(STATIC.resolve()) and file.is_file()
    except (OSError, ValueError):  # too long a name, or a character that no name has
        return None
    return file if known else None


def _is_page(start: Message) -> bool:
    """Return whether an answer is Streamlit's page: no other route outside /media/ sends HTML."""
    return start["status"] == 200 and Headers(raw=start["headers"]).get("content-type", "").startswith("text/html")


def answer_compressed(scope: Scope, compressed: Compressed, encoding: str, kind: str, caching: str) -> Response:
    """Return a whole answer, without a body for HEAD and for a browser that has it."""
    headers = {"content-type": kind, "cache-control": caching, "etag": compressed.tag, "vary": "Accept-Encoding"}
    if encoding:
        headers["content-encoding"] = encoding
    if compressed.tag in Headers(scope=scope).get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    response = Response(compressed.content, headers=headers)
    if scope["method"] == "HEAD":
        response.body = b""
    return response
