"""Test that the id of a session alone continues no session, and takes no files."""

import pytest
from starlette.datastructures import Headers
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.web.asgi import run
from web.limits import LEFT_SECONDS
from web.middleware import session_owners
from web.middleware.session_owners import SessionOwners, is_foreign, take_left_sessions

ANN, EVE = (f"2|00000000|{byte * 16}|1700000000" for byte in ("ab", "cd"))
MASKED_ANN = "2|ffffffff|" + "54" * 16 + "|1700000000"  # the same token, masked otherwise


@pytest.fixture(autouse=True)
def _no_owners(monkeypatch):
    session_owners._OWNERS.clear()


def headers(cookie: str | None, session: str | None = None) -> list[tuple[bytes, bytes]]:
    pairs = [("sec-websocket-protocol", ", ".join(["streamlit", "token", *([session] if session else [])]))]
    pairs += [("cookie", f"_streamlit_xsrf={cookie}")] if cookie else []
    return [(name.encode(), value.encode()) for name, value in pairs]


def connect(cookie: str | None, session: str | None = None, begins: str = "new", code: int = 1006) -> str:
    """Return the protocols that reach Streamlit, which begins or continues a session; it ends with a code."""
    arrived = []

    async def app(scope, receive, send):
        arrived.append(Headers(scope=scope)["sec-websocket-protocol"])
        message = ForwardMsg()
        message.new_session.initialize.session_id = begins
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "bytes": message.SerializeToString()})
        await receive()

    async def receive():
        return {"type": "websocket.disconnect", "code": code}

    async def send(message):
        """Take it."""

    scope = {"type": "websocket", "headers": headers(cookie, session)}
    run(SessionOwners(app)(scope, receive, send))
    return arrived[0]


@pytest.mark.parametrize(
    ("cookie", "continues"), [(ANN, True), (MASKED_ANN, True), (EVE, False), (None, False), ("junk", False)]
)
def test_session_continues_in_its_browser_only(cookie, continues):
    connect(ANN, begins="tab")
    assert connect(cookie, "tab") == ("streamlit, token, tab" if continues else "streamlit, token")
    assert is_foreign("tab", Headers(raw=headers(cookie))) is not continues


def test_session_that_nobody_began_is_not_continued():
    assert connect(ANN, "tab") == "streamlit, token"
    connect(None, begins="program")
    assert connect(None, "program") == "streamlit, token" and not is_foreign("program", Headers(raw=headers(ANN)))


def test_owner_stays_whoever_names_the_session():
    connect(ANN, begins="tab")
    connect(EVE, "tab", begins="tab")
    assert connect(ANN, "tab").endswith("tab")


def test_session_of_a_closed_tab_has_left(monkeypatch):
    """A browser says 1001 where a tab is closed or reloaded; a lost connection has another code."""
    now = [100.0]
    monkeypatch.setattr(session_owners, "monotonic", lambda: now[0])
    for name, code in (("closed", 1001), ("lost", 1006), ("ended by a program", 1000)):
        connect(ANN, begins=name, code=code)
    now[0] += LEFT_SECONDS - 1
    assert take_left_sessions() == []
    now[0] += 1
    assert [take_left_sessions(), take_left_sessions()] == [["closed"], []]


def test_oldest_owner_is_forgotten(monkeypatch):
    monkeypatch.setattr(session_owners, "MAX_SESSION_OWNERS", 2)
    for name in ("a", "b", "c"):
        connect(ANN, begins=name)
    assert [is_foreign(name, Headers(raw=headers(EVE))) for name in ("a", "b", "c")] == [False, True, True]
