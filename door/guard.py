"""The upload guard: how many files, how many bytes, how many at once, and for how long.

Streamlit's upload route asks for a live session and a token that anybody can make up, holds every file in memory and
waits for a body as long as it takes. One sentence and a status answer what is too much.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from data.environment import raise_it
from door import uploads
from door.answers import Refusal, refuse, too_large, too_slow
from door.site import Site, here
from door.xsrf import token_matches

log = logging.getLogger("blindspot")
ROUTE = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/(?P<file>[^/]+)")


@dataclass(eq=False)
class Upload:
    """One upload on its way: whose, which file, what it says it weighs, until when it may last, what has come."""

    session: str
    file: str
    declared: int
    ends: float
    received: int = 0
    complete: bool = False

    @property
    def size(self) -> int:
        return max(self.declared, self.received)


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
        limits: uploads.Limits | None = None,
        stored: Callable[[str], dict[str, int]] = uploads.stored,
        may_upload: Callable[[str], bool] = uploads.may_upload,
        memory: Callable[[], int] = uploads.resident_bytes,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self.base_path = (site or here()).base_path
        self.limits = limits or uploads.limits()
        self.stored, self.may_upload, self.memory, self.now = stored, may_upload, memory, now
        self.under_way: list[Upload] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request pass under watch, or answer it here."""
        found = ROUTE.fullmatch(scope["path"].removeprefix(self.base_path)) if scope["type"] == "http" else None
        if found is None or scope["method"] not in ("PUT", "DELETE"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        ends = self.now() + self.limits.body_seconds
        upload = Upload(found["session"], found["file"], declared_length(headers), ends)
        try:
            if not token_matches(headers):
                raise Refusal(403, "This upload does not come from an open page of Blindspot: reload the page.")
            if not self.may_upload(upload.session):
                raise Refusal(403, "Log in first: files are taken from members only.")
            if scope["method"] == "PUT":
                await self.take(upload, scope, receive, send)
            else:
                await self.app(scope, receive, send)
        except Refusal as refused:
            log.warning("Upload refused with %s: %s", refused.status, refused.sentence)  # the browser shows the number
            ended = await self.drain(upload, receive)
            await refuse(scope, send, refused.status, refused.sentence, close=not ended)

    async def take(self, upload: Upload, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an upload on while it keeps to the limits."""
        self.require_capacity()
        self.require_room(upload)
        self.under_way.append(upload)
        try:
            await self.app(scope, self.watched(upload, receive), send)
        finally:
            self.under_way.remove(upload)
            uploads.forget_ended(upload.session)

    def watched(self, upload: Upload, receive: Receive) -> Receive:
        """`receive` that counts what comes and ends what is too much or takes too long."""

        async def receive_watched() -> Message:
            try:
                message = await asyncio.wait_for(receive(), max(upload.ends - self.now(), 0))
            except TimeoutError:
                raise too_slow(self.limits.body_seconds) from None
            upload.received += len(message.get("body", b""))
            upload.complete = not message.get("more_body", False)
            self.require_room(upload)
            return message

        return receive_watched

    def require_capacity(self) -> None:
        """Refuse while the server has enough to do."""
        if self.memory() > self.limits.memory_mb * uploads.MB:
            raise Refusal(
                503,
                f"The server already uses {self.limits.memory_mb:,} MB of memory and takes no further file until some "
                f"of it is free again; {raise_it('BLINDSPOT_MEMORY_MB')}.",
            )
        if len(self.under_way) >= self.limits.uploads_at_once:
            raise Refusal(
                503,
                f"{self.limits.uploads_at_once:,} uploads are on their way already: try again in a moment; "
                f"{raise_it('BLINDSPOT_UPLOADS_AT_ONCE')}.",
            )

    def require_room(self, upload: Upload) -> None:
        """Refuse a body that is too large, and a file for which the session has no room."""
        most, limits = self.limits.upload_mb * uploads.MB, self.limits
        if upload.declared > most or upload.received > most + uploads.FRAMING:
            raise too_large(limits.upload_mb)
        files, size = self.held(upload)
        if files > limits.session_files:
            raise Refusal(
                429,
                f"One tab may hold at most {limits.session_files:,} files at a time: remove one, or reload the page; "
                f"{raise_it('BLINDSPOT_SESSION_FILES')}.",
            )
        if size > limits.session_mb * uploads.MB + uploads.FRAMING:
            raise Refusal(
                413,
                f"One tab may hold at most {limits.session_mb:,} MB of files at a time: remove one, or reload the "
                f"page; {raise_it('BLINDSPOT_SESSION_MB')}.",
            )

    def held(self, upload: Upload) -> tuple[int, int]:
        """Files and bytes of the upload's session once all that is on its way has arrived.

        A file that comes again takes the place of the one of its name.
        """
        coming = {*(other for other in self.under_way if other.session == upload.session), upload}
        names = {other.file for other in coming}
        kept = [size for file, size in self.stored(upload.session).items() if file not in names]
        return len(kept) + len(names), sum(kept) + sum(other.size for other in coming)

    async def drain(self, upload: Upload, receive: Receive) -> bool:
        """Read past the rest of a refused body, so that the browser gets to the answer; whether that came to its end.

        A browser reads no answer before it has sent everything, and one that is cut off shows a lost connection. What
        does not end in time, or is much larger than any file may be, is cut off.
        """
        most = 2 * self.limits.upload_mb * uploads.MB
        try:
            while not upload.complete and upload.size <= most:
                message = await asyncio.wait_for(receive(), max(upload.ends - self.now(), 0))
                upload.received += len(message.get("body", b""))
                upload.complete = not message.get("more_body", False)
        except TimeoutError:
            pass
        return upload.complete
