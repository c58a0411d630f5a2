"""A person without a browser: the app's websocket, the runs it asks for, and what comes back."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import re
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.frames import CloseCode
from websockets.sync.client import ClientConnection, connect

from tests.ceiling import CEILING_SECONDS

WRONG = re.compile(rb"Something went wrong inside Blindspot|Traceback \(most recent call last\)")
RUN_SECONDS = 120
INTERRUPTED = ForwardMsg.ScriptFinishedStatus.FINISHED_EARLY_FOR_RERUN
_BOUNDARY = "blindspot-reliability"
_CHUNK = 1 << 20


class Answer(NamedTuple):
    """Hold what a run of a page sent: how long it took, all of it as bytes, and what went wrong (empty = nothing)."""

    seconds: float
    content: bytes
    wrong: str
    session: str = ""
    uploaders: tuple[str, ...] = ()

    def says(self, text: str) -> bool:
        """Return whether a text stands on the page (or in its data)."""
        return text.encode() in self.content


@dataclass
class Visitor:
    """One tab: `visit` opens a page in it, as a link in the menu would."""

    url: str
    open: contextlib.ExitStack
    socket: ClientConnection

    @classmethod
    def at(cls, url: str) -> Visitor:
        """A new session of the server at this address."""
        stack = contextlib.ExitStack()
        address = url.replace("http", "ws", 1) + "/_stcore/stream"
        return cls(url, stack, stack.enter_context(connect(address, max_size=None, open_timeout=CEILING_SECONDS)))

    def visit(self, page: str, query: str = "") -> Answer:
        """Have a page run; returns when it has."""
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        return self._run(message)

    def _run(self, message: BackMsg) -> Answer:
        """A script that starts another page ends early, and the other one comes after it."""
        start = perf_counter()
        self.socket.send(message.SerializeToString())
        parts, wrong, uploaders, session = [], "", [], ""
        while True:
            raw = _bytes(self.socket.recv(RUN_SECONDS))
            parts.append(raw)
            answer = ForwardMsg.FromString(raw)
            element = answer.delta.new_element
            session = answer.new_session.initialize.session_id or session
            if element.HasField("exception"):
                wrong = element.exception.message or "an exception"
            if element.HasField("file_uploader"):
                uploaders.append(element.file_uploader.id)
            if answer.WhichOneof("type") == "script_finished" and answer.script_finished != INTERRUPTED:
                break
        content = b"".join(parts)
        found = WRONG.search(content)
        told = wrong or (found[0].decode() if found else "")
        return Answer(perf_counter() - start, content, told, session, tuple(uploaders))

    def upload(self, page: Answer, file: Path) -> Answer:
        """Give a file to the first uploader of a page that was just visited, as the browser does it."""
        request = BackMsg()
        request.file_urls_request.file_names.append(file.name)
        request.file_urls_request.session_id = page.session
        self.socket.send(request.SerializeToString())
        while not (found := ForwardMsg.FromString(_bytes(self.socket.recv(RUN_SECONDS)))).HasField(
            "file_urls_response"
        ):
            pass
        (urls,) = found.file_urls_response.file_urls
        send_file(self.url, urls.upload_url, file)
        message = BackMsg()
        message.rerun_script.page_name = "open"
        state = message.rerun_script.widget_states.widgets.add()
        state.id = page.uploaders[0]
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = file.name, file.stat().st_size, urls.file_id
        info.file_urls.CopyFrom(urls)
        return self._run(message)

    def close(self) -> None:
        """Close the tab, with the code by which a browser does."""
        self.socket.close(CloseCode.GOING_AWAY)
        self.open.close()


def send_file(url: str, path: str, file: Path) -> None:
    """PUT a file as a form, in pieces, with the token against forged requests that the server gave out."""
    cookie = urllib.request.urlopen(f"{url}/_stcore/health", timeout=CEILING_SECONDS).headers.get("Set-Cookie", "")
    token = (re.search(r"_streamlit_xsrf=([^;]+)", cookie) or ["", ""])[1]
    head = (
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n'
        "Content-Type: text/csv\r\n\r\n"
    ).encode()
    tail = f"\r\n--{_BOUNDARY}--\r\n".encode()
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=RUN_SECONDS)
    headers = {
        "Content-Type": f"multipart/form-data; boundary={_BOUNDARY}",
        "Content-Length": str(len(head) + file.stat().st_size + len(tail)),
        "Cookie": f"_streamlit_xsrf={token}",
        "X-Xsrftoken": token,
    }
    with file.open("rb") as source, contextlib.closing(connection):
        pieces = itertools.chain([head], iter(lambda: source.read(_CHUNK), b""), [tail])
        connection.request("PUT", "/" + path.lstrip("/"), body=pieces, headers=headers)
        answer = connection.getresponse()
        if answer.status >= 300:
            raise OSError(f"the upload was answered with {answer.status}: {answer.read(300)!r}")


def _bytes(message: str | bytes) -> bytes:
    assert isinstance(message, bytes)
    return message
