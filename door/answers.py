"""Saying no: one plain sentence with a status, to a request or to a websocket that is not open yet."""

from __future__ import annotations

from starlette.types import Scope, Send


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
