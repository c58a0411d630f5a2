"""Check the messages of a browser over the websocket, and drop those that no page of ours sends.

Dropped are `load_git_info`, `clear_cache` and `set_run_on_save`. The first starts git in the project's folder, on the
loop that serves everybody: it tells the names of its branch and of changed files. The second empties what all people
share.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from web.limits import CONTROL_ID_CHARS, MAX_CONTROLS, MESSAGE_BYTES

OPEN = ("rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request")
OPERATIONS = ("deferred_file",)
"""Of `backend_operation_request`: the file behind a download button; no table here is sent in pieces."""

ENDED: Message = {"type": "websocket.disconnect", "code": 1002}


def message_kind(data: bytes) -> str | None:
    """Return the kind of a message; None where no page of ours sends it.

    >>> message_kind(BackMsg(stop_script=True).SerializeToString()), message_kind(b"junk")
    ('stop_script', None)
    >>> message_kind(b"x" * (MESSAGE_BYTES + 1)) is None
    True
    """
    if len(data) > MESSAGE_BYTES:
        return None
    try:
        message = BackMsg.FromString(data)
    except DecodeError:
        return None
    found: str | None = message.WhichOneof("type")
    run, operation = message.rerun_script, message.backend_operation_request
    if found == "backend_operation_request" and operation.WhichOneof("payload") not in OPERATIONS:
        return "closed"
    ids = (run.fragment_id, run.page_script_hash, operation.request_id, operation.deferred_file.file_id)
    if len(run.widget_states.widgets) > MAX_CONTROLS or not all(map(_is_id, ids)):
        return None
    return found


def _is_id(text: str) -> bool:
    """Return whether Streamlit may write a text into its log: short, without line ends and colours."""
    return len(text) <= CONTROL_ID_CHARS and text.isprintable()


class Messages:
    """ASGI middleware that drops closed messages, and ends a websocket that sends unknown ones.

    Streamlit would write a traceback, or what the message says, into the log for each of the latter.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on all messages but the closed ones."""

        async def receive_open() -> Message:
            while (message := await receive())["type"] == "websocket.receive":
                found = message_kind(message.get("bytes") or b"")
                if found in OPEN:
                    return message
                if found is None:
                    return ENDED
            return message

        await self.app(scope, receive_open if scope["type"] == "websocket" else receive, send)
