"""Test what is let through to a session, by the names that this Streamlit knows."""

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.web.asgi import run
from web.limits import CONTROL_ID_CHARS, MAX_CONTROLS, MESSAGE_BYTES
from web.middleware.websocket_messages import (
    ENDED,
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


def with_controls(n):
    found = BackMsg()
    for _ in range(n):
        found.rerun_script.widget_states.widgets.add()
    return found


def test_message_is_measured_before_parsing(monkeypatch):
    large = rerun(query_string="x" * MESSAGE_BYTES).SerializeToString()
    monkeypatch.setattr("web.middleware.websocket_messages.BackMsg", None)  # else it would be asked to
    assert message_kind(large) is None


@pytest.mark.parametrize(("n", "found"), [(MAX_CONTROLS, "rerun_script"), (MAX_CONTROLS + 1, None)])
def test_controls_are_counted(n, found):
    assert message_kind(with_controls(n).SerializeToString()) == found


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
