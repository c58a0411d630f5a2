"""Let a session continue only in the browser that began it.

Streamlit gives a living session to whoever names its id. The id stands in the path of every upload, which proxies and
their logs see; the cookie of the browser does not.
"""

from __future__ import annotations

from collections import OrderedDict
from time import monotonic

from google.protobuf.message import DecodeError
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from web.limits import LEFT_SECONDS, MAX_SESSION_OWNERS

_PROTOCOLS = "sec-websocket-protocol"
_SESSION_PLACE = 2  # of the id among the protocols: Streamlit's own, the token, the session that continues

_GOING_AWAY = 1001  # the code by which a browser closes the websocket of a tab that is closed or reloaded

_OWNERS: OrderedDict[str, bytes | None] = OrderedDict()
_LEFT: dict[str, float] = {}


def cookie_token(headers: Headers) -> bytes | None:
    """Return the token in the cookie that a browser got with its first page; None where it has none."""
    token, _ = decode_xsrf_token_string(cookie_parser(headers.get("cookie", "")).get(XSRF_COOKIE_NAME, ""))
    return token or None


def is_foreign(session: str, headers: Headers) -> bool:
    """Return whether a session began in another browser than that of a request.

    One that a program began without a cookie is nobody's.
    """
    return _OWNERS.get(session) not in (None, cookie_token(headers))


def take_left_sessions() -> list[str]:
    """Return, once, the sessions whose tab was closed some seconds ago; lost connections are none of them."""
    left = [session for session, since in _LEFT.items() if monotonic() - since >= LEFT_SECONDS]
    for session in left:
        del _LEFT[session]
    return left


class SessionOwners:
    """ASGI middleware that keeps which browser began a session, and begins a new one for every other browser.

    It also keeps whose tab was closed: such a session is never continued, and need not wait.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a websocket on, without the id of a session that is not its browser's."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        token, session = cookie_token(Headers(scope=scope)), ""

        async def send_noting(message: Message) -> None:
            nonlocal session
            if not session and message["type"] == "websocket.send":
                session = _session_of(message.get("bytes") or b"")
                if session:
                    _note(session, token)
            await send(message)

        async def receive_noting() -> Message:
            message = await receive()
            if session and message["type"] == "websocket.disconnect" and message.get("code") == _GOING_AWAY:
                _LEFT[session] = monotonic()
            return message

        await self.app(_without_foreign_session(scope, token), receive_noting, send_noting)


def _without_foreign_session(scope: Scope, token: bytes | None) -> Scope:
    """Return the scope of a websocket that continues no session but one that its browser began."""
    scope = {**scope, "headers": list(scope["headers"])}
    headers = MutableHeaders(scope=scope)
    protocols = [part.strip() for part in headers.get(_PROTOCOLS, "").split(",")]
    session = protocols[_SESSION_PLACE] if len(protocols) > _SESSION_PLACE else ""
    if session and (token is None or _OWNERS.get(session) != token):
        kept = protocols[:_SESSION_PLACE]
        headers[_PROTOCOLS] = ", ".join(kept)
        scope["subprotocols"] = kept
    return scope


def _session_of(data: bytes) -> str:
    """Return the id of the session that a message to the browser begins; "" of any other."""
    try:
        message = ForwardMsg.FromString(data)
    except DecodeError:
        return ""
    session: str = message.new_session.initialize.session_id
    return session


def _note(session: str, token: bytes | None) -> None:
    """Keep who began a session; of too many, the one that was longest unused is forgotten."""
    _OWNERS.setdefault(session, token)
    _OWNERS.move_to_end(session)
    while len(_OWNERS) > MAX_SESSION_OWNERS:
        _OWNERS.popitem(last=False)
