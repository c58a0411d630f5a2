"""The upload guard: how many files, how many bytes, how many at once, and for how long.

Streamlit's upload route asks for a live session and a token that anybody can make up. It holds every file in memory
and waits for a body as long as it takes. One sentence and a status answer what is too much.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

from data.environment import raise_it
from data.limits import FILE_NAME_CHARS
from web.middleware.refusals import Refusal, refuse, too_large
from web.middleware.session_owners import cookie_token, is_foreign
from web.site import Site, this_site
from web.uploads import usage
from web.uploads.places import Places, Upload

TOKEN_BYTES = 16  # as Streamlit makes them; it would take a single byte


def token_matches(headers: Headers) -> bool:
    """Return whether cookie and header carry the same token. The two may be masked differently.

    >>> token = "2|00000000|" + "ab" * 16 + "|1700000000"
    >>> token_matches(Headers({"cookie": f"_streamlit_xsrf={token}", "x-xsrftoken": token}))
    True
    >>> token_matches(Headers({"x-xsrftoken": token}))
    False
    """
    given, _ = decode_xsrf_token_string(headers.get("x-xsrftoken", ""))
    return given is not None and given == cookie_token(headers) and len(given) == TOKEN_BYTES


_PIECE_BYTES = 1 << 20
log = logging.getLogger("blindspot")
ROUTE = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/(?P<file>[^/]+)")


_NAME_BYTES = 4 * FILE_NAME_CHARS
"""Of the ending of a file's name: the parser takes 4,224 bytes of a header, and the browser sends the name twice."""


def shorten_names(start: bytes) -> bytes:
    r"""Return the start of a form with the endings of names that are longer than any file system allows.

    >>> len(shorten_names(b'name="' + b"x" * 3000 + b'.csv"\r\n\r\n' + b"y" * 3000))
    4031
    """
    header, gap, body = start.partition(b"\r\n\r\n")
    if not gap:
        return start
    parts = header.split(b'"')
    for place, part in enumerate(parts):
        if len(part) > _NAME_BYTES:
            parts[place] = part[-_NAME_BYTES:].decode(errors="ignore").encode()  # no half of a character
    return b'"'.join(parts) + gap + body


def declared_length(headers: Headers) -> int:
    """Content-Length, or 0 without one: what comes is counted anyway."""
    text = headers.get("content-length", "")
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text) else 0


class UploadGuard:
    """ASGI middleware in front of Streamlit's upload route; everything else passes.

    limits, stored, may_upload, memory, now : what is allowed, the bytes of a session's files, whether it may have any,
    the bytes of the process, and the clock.
    """

    def __init__(
        self,
        app: ASGIApp,
        site: Site | None = None,
        limits: usage.Limits | None = None,
        stored: Callable[[str], dict[str, int]] = usage.stored_bytes,
        may_upload: Callable[[str], bool] = usage.may_upload,
        memory: Callable[[], int] = usage.resident_bytes,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self.base_path = (site or this_site()).base_path
        self.limits = limits or usage.limits()
        self.stored, self.may_upload, self.memory, self.now = stored, may_upload, memory, now
        self.places = Places(now)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request pass under watch, or answer it here."""
        route = ROUTE.fullmatch(scope["path"].removeprefix(self.base_path)) if scope["type"] == "http" else None
        if route is None or scope["method"] not in ("PUT", "DELETE"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        peer = scope["client"][0] if scope.get("client") else ""
        upload = Upload(route["session"], peer, self.now(), route["file"], declared_length(headers))
        try:
            if not token_matches(headers):
                raise Refusal(403, "This upload does not come from an open page of Blindspot: reload the page.")
            if is_foreign(upload.who, headers):
                raise Refusal(403, "This upload is for a page of another browser: reload the page.")
            if not self.may_upload(upload.who):
                raise Refusal(403, "Log in first: files are taken from members only.")
            if scope["method"] == "PUT":
                await self.take(upload, scope, receive, send)
            else:
                await self.app(scope, receive, send)
        except ClientDisconnect:  # nobody waits for an answer; a traceback of it would fill the log
            log.warning("An upload was broken off")
        except Refusal as refused:
            log.warning("Upload refused with %s: %s", refused.status, refused.sentence)  # the browser shows the number
            ended = await self.drain(upload, receive)
            await refuse(scope, send, refused.status, refused.sentence, close=not ended)

    async def take(self, upload: Upload, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an upload on while it keeps to the limits."""
        self.require_memory()
        self.require_room(upload)
        with self.places.place(upload, self.limits):
            try:
                await self.app(scope, self.watched(upload, receive), send)
            finally:
                usage.forget_ended(upload.who)

    def watched(self, upload: Upload, receive: Receive) -> Receive:
        """Return a `receive` that counts the bytes and ends an upload that is too large or too slow."""
        in_time = self.places.watched(upload, receive, self.limits)

        async def receive_watched() -> Message:
            message = await in_time()
            self.require_room(upload)
            return message

        async def receive_piece() -> Message:
            """Gather the small messages of a server: Starlette hands each to another thread, to be written."""
            message = await receive_watched()
            piece = [message.get("body", b"")]
            size = len(piece[0])
            while message.get("more_body", False) and size < _PIECE_BYTES:
                message = await receive_watched()
                piece.append(message.get("body", b""))
                size += len(piece[-1])
            if message["type"] != "http.request":  # whoever sent it is gone
                return message
            body = b"".join(piece)
            is_first = upload.received == size
            return {**message, "body": shorten_names(body) if is_first else body}

        return receive_piece

    def require_memory(self) -> None:
        """Refuse while the server's memory is short."""
        if self.memory() > self.limits.memory_mb * usage.MB:
            raise Refusal(
                503,
                f"The server already uses {self.limits.memory_mb:,} MB of memory and takes no further file until some "
                f"of it is free again; {raise_it('BLINDSPOT_MEMORY_MB')}.",
            )

    def require_room(self, upload: Upload) -> None:
        """Refuse a body that is too large, and a file for which the session has no room."""
        most, limits = self.limits.upload_mb * usage.MB, self.limits
        if upload.declared > most or upload.received > most + usage.FRAMING:
            raise too_large(limits.upload_mb)
        files, size = self.held(upload)
        if files > limits.session_files:
            raise Refusal(
                429,
                f"One tab may hold at most {limits.session_files:,} files at a time: remove one, or reload the page; "
                f"{raise_it('BLINDSPOT_SESSION_FILES')}.",
            )
        if size > limits.session_mb * usage.MB + usage.FRAMING:
            raise Refusal(
                413,
                f"One tab may hold at most {limits.session_mb:,} MB of files at a time: remove one, or reload the "
                f"page; {raise_it('BLINDSPOT_SESSION_MB')}.",
            )

    def held(self, upload: Upload) -> tuple[int, int]:
        """Return files and bytes of the upload's session once all that is on its way has arrived.

        A file that comes again takes the place of the one of its name.
        """
        coming = {*(other for other in self.places.taken if other.who == upload.who), upload}
        names = {other.file for other in coming}
        kept = [size for file, size in self.stored(upload.who).items() if file not in names]
        return len(kept) + len(names), sum(kept) + sum(other.size for other in coming)

    async def drain(self, upload: Upload, receive: Receive) -> bool:
        """Read past the rest of a refused body, so that the browser gets to the answer; whether that came to its end.

        A browser reads no answer before it has sent everything, and one that is cut off shows a lost connection. What
        does not end in time, or is much larger than any file may be, is cut off.
        """
        most = 2 * self.limits.upload_mb * usage.MB
        in_time = self.places.watched(upload, receive, self.limits)
        with suppress(Refusal):
            while not upload.complete and upload.size <= most:
                await in_time()
        return upload.complete
