"""What is let through to a session, by the names that this Streamlit knows."""

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from door.messages import ENDED, OPEN, Messages
from tests.door.asgi import run

NAMES = [field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]


def message(name: str) -> bytes:
    found = BackMsg()
    if isinstance(getattr(found, name), bool):
        setattr(found, name, True)
    else:
        getattr(found, name).SetInParent()
    return found.SerializeToString()


def arrived(*sent: dict, kind: str = "websocket") -> list[dict]:
    """What the app behind the door receives until it is told that the connection has ended."""
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
