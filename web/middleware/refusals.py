"""Refuse a request, or a websocket that is not open yet, with a status and one plain sentence."""

from __future__ import annotations

from starlette.types import Scope, Send

from data.environment import raise_it


class Refusal(Exception):
    """Refuse a request: a status, one sentence, and after how many seconds it is worth another try."""

    def __init__(self, status: int, sentence: str, *, retry_after: int = 0) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.retry_after = status, sentence, retry_after


def too_large(most_mb: int) -> Refusal:
    """Answer a file that is larger than one may be."""
    return Refusal(413, f"A file may have at most {most_mb:,} MB; {raise_it('BLINDSPOT_UPLOAD_MB')}.")


def too_slow(most_seconds: int) -> Refusal:
    """Answer a file that takes too long."""
    return Refusal(408, f"An upload may take at most {most_seconds:,} seconds; {raise_it('BLINDSPOT_BODY_SECONDS')}.")


async def refuse(scope: Scope, send: Send, status: int, sentence: str, *, close: bool = False) -> None:
    """Answer with `status` and `sentence` as plain text; `close` ends the connection with it.

    A websocket gets the same as the answer to its handshake where the server can send one, else it is closed.
    """
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        kind = "websocket.http.response"
    body = f"{sentence}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    if close:
        headers.append((b"connection", b"close"))
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
