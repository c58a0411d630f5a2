"""What a browser may ask of a session over the websocket; Streamlit would do more for anybody who knows the names.

Closed that way: `load_git_info` (starts git in the project's folder, on the loop that serves everybody, and tells the
names of its branch and of changed files), `clear_cache` (empties what all people share), `set_run_on_save`.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

OPEN = ("rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request")


ENDED: Message = {"type": "websocket.disconnect", "code": 1002}


def kind(data: bytes) -> str | None:
    """What a message asks for; None where it is no message.

    >>> kind(BackMsg(stop_script=True).SerializeToString()), kind(b"junk")
    ('stop_script', None)
    """
    try:
        found: str | None = BackMsg.FromString(data).WhichOneof("type")
    except DecodeError:
        return None
    return found


class Messages:
    """ASGI middleware that drops what is closed, and ends a websocket that brings what is no message.

    Streamlit would write a traceback into the log for each of the latter.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on but what is closed."""

        async def receive_open() -> Message:
            while (message := await receive())["type"] == "websocket.receive":
                found = kind(message.get("bytes") or b"")
                if found in OPEN:
                    return message
                if found is None:
                    return ENDED
            return message

        await self.app(scope, receive_open if scope["type"] == "websocket" else receive, send)
