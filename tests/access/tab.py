"""A browser tab without a browser: one session of the server, logged in as whoever one likes."""

import contextlib
import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from tests.browser.driver import ROOT, wait_until_healthy
from tests.ceiling import CEILING_SECONDS
from tests.free_port import free_port
from tests.web.live import token

COOKIE_SECRET = "only-for-this-test-and-long-enough-to-sign-with"
SECRETS = """
[auth]
redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
cookie_secret = "{secret}"
client_id = "blindspot"
client_secret = "secret"
server_metadata_url = "http://127.0.0.1:9/.well-known/openid-configuration"
"""
RUN_SECONDS = 60
INTERRUPTED = ForwardMsg.FINISHED_EARLY_FOR_RERUN


class Shown(NamedTuple):
    """Hold what one run sent: its elements, the pieces of the page that run by themselves, and all of it as bytes."""

    elements: tuple[Element, ...]
    fragments: tuple[str, ...]
    content: bytes

    def texts(self) -> list[str]:
        """Every text, heading and Markdown, in the order in which they came."""
        found = []
        for one in self.elements:
            kind = one.WhichOneof("type")
            if kind in ("text", "markdown", "heading"):
                found.append(str(getattr(one, kind).body))
        return found

    def widgets(self, kind: str) -> list[str]:
        """The ids of all widgets of a kind, such as "button"."""
        return [str(getattr(one, kind).id) for one in self.elements if one.WhichOneof("type") == kind]

    def downloads(self) -> list[str]:
        """Return what has to be asked for each download button's file."""
        return [one.download_button.deferred_file_id for one in self.elements if one.HasField("download_button")]


class Tab:
    """One session; `visit` opens a page in it."""

    def __init__(self, url: str, stack: contextlib.ExitStack, person: str = "", groups: tuple[str, ...] = ()) -> None:
        self.session = ""
        xsrf = token(url)
        cookies = f"_streamlit_xsrf={xsrf}"
        if person:
            claims = {"origin": url, "is_logged_in": True, "sub": "subject", "email": person, "groups": list(groups)}
            signed = create_signed_value(COOKIE_SECRET, "_streamlit_user", json.dumps(claims)).decode()
            cookies += f"; _streamlit_user={signed}"
        address = url.replace("http", "ws", 1) + "/_stcore/stream"
        self.socket = stack.enter_context(
            connect(
                address, origin=Origin(url), subprotocols=[Subprotocol("streamlit"), Subprotocol(xsrf)],
                additional_headers={"Cookie": cookies}, max_size=None, open_timeout=CEILING_SECONDS, proxy=None,
            )
        )  # fmt: skip

    def visit(self, page: str, query: str = "", *, fragment: str = "") -> Shown:
        """Have a page run, or a fragment of the one that is open; returns when it has."""
        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.query_string = query
        message.rerun_script.fragment_id = fragment
        self.socket.send(message.SerializeToString())
        elements: list[Element] = []
        fragments: list[str] = []
        content = []
        while True:
            raw, answer = self._next()
            content.append(raw)
            if answer.WhichOneof("type") == "new_session":
                self.session = answer.new_session.initialize.session_id
                elements, fragments = [], []  # a script that leads to another page ends early; the other one counts
            if answer.WhichOneof("type") == "delta":
                elements.append(answer.delta.new_element)
                fragments += [answer.delta.fragment_id] if answer.delta.fragment_id else []
            if answer.WhichOneof("type") == "script_finished" and answer.script_finished != INTERRUPTED:
                return Shown(tuple(elements), tuple(dict.fromkeys(fragments)), b"".join(content))

    def file(self, deferred: str) -> tuple[str, str]:
        """The address of a download button's file, or why there is none."""
        message = BackMsg()
        message.backend_operation_request.request_id = deferred
        message.backend_operation_request.session_id = self.session
        message.backend_operation_request.deferred_file.file_id = deferred
        self.socket.send(message.SerializeToString())
        while True:
            _, answer = self._next()
            if answer.WhichOneof("type") == "backend_operation_response":
                found = answer.backend_operation_response
                return found.deferred_file.url, found.error_msg

    def _next(self) -> tuple[bytes, ForwardMsg]:
        raw = self.socket.recv(RUN_SECONDS)
        assert isinstance(raw, bytes)
        return raw, ForwardMsg.FromString(raw)


def fetch(url: str, path: str) -> tuple[int, bytes]:
    """Status and content of one GET, without a cookie."""
    with contextlib.closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=CEILING_SECONDS)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()


@contextlib.contextmanager
def server(folder: Path, store: Path, *, login: bool, **environment: str) -> Iterator[str]:
    """The real server, with a login whose cookies the tests can sign; yields its address."""
    port = free_port()
    home = folder / "home/.streamlit"
    home.mkdir(parents=True)
    if login:
        (home / "secrets.toml").write_text(SECRETS.format(port=port, secret=COOKIE_SECRET), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "server.py", "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "BLINDSPOT_STORE": str(store), "HOME": str(home.parent), **environment},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None and any("Press Ctrl+C" in line for line in process.stdout)
        wait_until_healthy(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate(timeout=CEILING_SECONDS)
