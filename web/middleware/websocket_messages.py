"""Check the messages of a browser over the websocket, and drop those that no page of ours sends.

Dropped are `load_git_info`, `clear_cache` and `set_run_on_save`. The first starts git in the project's folder, on the
loop that serves everybody: it tells the names of its branch and of changed files. The second empties what all people
share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, MutableSequence

from google.protobuf.message import DecodeError, Message as Fields
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from web.limits import CONTROL_ID_CHARS, MAX_CONTROLS, MAX_LIST_ITEMS, MESSAGE_BYTES

OPEN = ("rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request")
OPERATIONS = ("deferred_file",)
"""Of `backend_operation_request`: the file behind a download button; no table here is sent in pieces."""

_WIDGETS = "rerun_script.widget_states.widgets"
MOST_ITEMS = {
    _WIDGETS: MAX_CONTROLS,
    f"{_WIDGETS}.double_array_value.data": MAX_LIST_ITEMS,
    f"{_WIDGETS}.int_array_value.data": MAX_LIST_ITEMS,
    f"{_WIDGETS}.string_array_value.data": MAX_LIST_ITEMS,
    f"{_WIDGETS}.file_uploader_state_value.uploaded_file_info": MAX_LIST_ITEMS,
    f"{_WIDGETS}.chat_input_value.file_uploader_state.uploaded_file_info": MAX_LIST_ITEMS,
    "rerun_script.cached_message_hashes": MAX_LIST_ITEMS,
    "file_urls_request.file_names": MAX_LIST_ITEMS,
}
"""The most items of every list that a message of this Streamlit may hold, of all its controls together.

Two bytes an item become hundreds here: 1.9 million empty names of files stopped everybody for seconds.
"""

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
    kind: str | None = message.WhichOneof("type")
    run, operation = message.rerun_script, message.backend_operation_request
    if kind == "backend_operation_request" and operation.WhichOneof("payload") not in OPERATIONS:
        return "closed"
    ids = (run.fragment_id, run.page_script_hash, operation.request_id, operation.deferred_file.file_id)
    return kind if all(map(_is_id, ids)) and _holds_few_items(message) else None


def _holds_few_items(message: Fields) -> bool:
    """Return whether no list of a message is too long; a list that is not known here holds none."""
    counted: Counter[str] = Counter()
    for name, n_items in _count_items(message, ""):
        counted[name] += n_items
        if counted[name] > MOST_ITEMS.get(name, 0):
            return False
    return True


def _count_items(message: Fields, prefix: str) -> Iterator[tuple[str, int]]:
    """Yield the path and the length of every list, each before the lists that its items hold."""
    for field, value in message.ListFields():
        name = prefix + field.name
        is_list = isinstance(value, MutableSequence)
        if is_list:
            yield name, len(value)
        if field.message_type is not None:
            for part in value if is_list else (value,):
                yield from _count_items(part, f"{name}.")


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
                kind = message_kind(message.get("bytes") or b"")
                if kind in OPEN:
                    return message
                if kind is None:
                    return ENDED
            return message

        await self.app(scope, receive_open if scope["type"] == "websocket" else receive, send)
