"""Test what is let through to a session, by the names that this Streamlit knows."""

import pytest
from google.protobuf.descriptor import FieldDescriptor
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.web.asgi import run
from web.limits import CONTROL_ID_CHARS, MAX_CONTROLS, MAX_LIST_ITEMS, MESSAGE_BYTES
from web.middleware.websocket_messages import (
    ENDED,
    MOST_ITEMS,
    OPEN,
    OPERATIONS,
    Messages,
    message_kind,
)

NAMES = [field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]


def message(name: str) -> bytes:
    found = BackMsg()
    if isinstance(getattr(found, name), bool):
        setattr(found, name, True)
    elif name == "backend_operation_request":
        found.backend_operation_request.deferred_file.file_id = "ab" * 16
    else:
        getattr(found, name).SetInParent()
    return found.SerializeToString()


def arrived(*sent: dict, kind: str = "websocket") -> list[dict]:
    """Return what the app behind the middleware receives until it is told that the connection has ended."""
    coming, found = iter([*sent, {"type": "websocket.disconnect", "code": 1000}]), []

    async def receive():
        return next(coming)

    async def send(message):
        raise AssertionError("nothing is sent here")

    async def app(scope, receive, send):
        while (got := await receive())["type"] != "websocket.disconnect":
            found.append(got)
        found.append(got)

    run(Messages(app)({"type": kind}, receive, send))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_only_what_pages_send_arrives(name):
    sent = {"type": "websocket.receive", "bytes": message(name)}
    assert arrived(sent)[:-1] == ([sent] if name in OPEN else [])


def test_every_name_is_one_that_this_streamlit_knows():
    assert set(OPEN) < set(NAMES) and "load_git_info" in NAMES and "clear_cache" in NAMES


@pytest.mark.parametrize("sent", [{"bytes": b"\xff\xff"}, {"bytes": b""}, {"text": "{}"}, {"bytes": None, "text": "x"}])
def test_what_is_no_message_ends_the_connection(sent):
    after = {"type": "websocket.receive", "bytes": message("stop_script")}
    assert arrived({"type": "websocket.receive", **sent}, after) == [ENDED]


def test_other_requests_are_left_alone():
    body = {"type": "http.request", "bytes": b"junk"}
    assert arrived(body, kind="http")[0] == body


def rerun(**values):
    return BackMsg(rerun_script=values)


def download(request, file):
    found = BackMsg()
    found.backend_operation_request.request_id = request
    found.backend_operation_request.deferred_file.file_id = file
    return found


def list_paths(kind, above=()):
    """Yield the path of every list of a message, by its descriptor."""
    for field in kind.fields:
        path = (*above, field)
        if field.is_repeated:
            yield path
        if field.message_type is not None and field.message_type not in [each.message_type for each in above]:
            yield from list_paths(field.message_type, path)


EMPTY = {FieldDescriptor.TYPE_STRING: "", FieldDescriptor.TYPE_BYTES: b""}
LISTS = {".".join(field.name for field in path): path for path in list_paths(BackMsg.DESCRIPTOR)}


def with_list(path, n):
    """A message with n items of one list."""
    found = holder = BackMsg()
    for field in path[:-1]:
        holder = getattr(holder, field.name)
        holder = holder.add() if field.is_repeated else holder
    items = getattr(holder, path[-1].name)
    if path[-1].message_type is not None:
        for _ in range(n):
            items.add()
    else:
        items.extend([EMPTY.get(path[-1].type, 0)] * n)
    return found


def test_message_is_measured_before_parsing(monkeypatch):
    large = rerun(query_string="x" * MESSAGE_BYTES).SerializeToString()
    monkeypatch.setattr("web.middleware.websocket_messages.BackMsg", None)  # else it would be asked to
    assert message_kind(large) is None


def test_every_list_of_this_streamlit_has_a_limit():
    assert set(LISTS) == set(MOST_ITEMS), "a new field of BackMsg needs its row in MOST_ITEMS"
    assert MOST_ITEMS["rerun_script.widget_states.widgets"] == MAX_CONTROLS


@pytest.mark.parametrize("name", LISTS)
def test_items_of_every_list_are_counted(name):
    path = LISTS[name]
    assert message_kind(with_list(path, MOST_ITEMS[name]).SerializeToString()) == path[0].name
    assert message_kind(with_list(path, MOST_ITEMS[name] + 1).SerializeToString()) is None


def test_items_of_all_controls_are_counted_together():
    found = BackMsg()
    for _ in range(2):
        found.rerun_script.widget_states.widgets.add().int_array_value.data.extend([1] * (MAX_LIST_ITEMS // 2))
    assert message_kind(found.SerializeToString()) == "rerun_script"
    found.rerun_script.widget_states.widgets.add().int_array_value.data.append(1)
    assert message_kind(found.SerializeToString()) is None


def test_list_that_is_not_known_ends_the_connection(monkeypatch):
    monkeypatch.delitem(MOST_ITEMS, "file_urls_request.file_names")
    assert message_kind(with_list(LISTS["file_urls_request.file_names"], 1).SerializeToString()) is None


FORGED = "a\n2026-01-01 Error reference 1234"
IDS = {
    "fragment": lambda text: rerun(fragment_id=text),
    "page": lambda text: rerun(page_script_hash=text),
    "request": lambda text: download(text, "a"),
    "file": lambda text: download("a", text),
}


@pytest.mark.parametrize("which", IDS)
@pytest.mark.parametrize("text", [FORGED, "\x1b[31m", "a" * (CONTROL_ID_CHARS + 1)], ids=["line", "colour", "long"])
def test_log_lines_cannot_be_forged(which, text):
    assert message_kind(IDS[which]("ab-12").SerializeToString()) in OPEN
    assert message_kind(IDS[which](text).SerializeToString()) is None


def test_of_the_operations_only_downloads_are_open():
    request = BackMsg.DESCRIPTOR.fields_by_name["backend_operation_request"].message_type
    payloads = [field.name for field in request.oneofs_by_name["payload"].fields]
    assert set(OPERATIONS) < set(payloads) and "install_skills" in payloads
    for name in payloads:
        found = BackMsg()
        getattr(found.backend_operation_request, name).SetInParent()
        sent = {"type": "websocket.receive", "bytes": found.SerializeToString()}
        assert arrived(sent)[:-1] == ([sent] if name in OPERATIONS else []), name
