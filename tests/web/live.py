"""Talking to a running server as a program does: plain HTTP, Streamlit's websocket, no browser."""

import contextlib
import http.client
import itertools
from collections.abc import Iterator
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.ceiling import CEILING_SECONDS

NUMBERS = itertools.count()


def ask(url: str, path: str, method: str = "GET", headers: dict[str, str] | None = None, body=None, chunked=False):
    """Status, headers and text of one answer on a connection of its own; a Host in `headers` replaces the true one."""
    with contextlib.closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=CEILING_SECONDS)) as connection:
        connection.request(method, urlsplit(url).path + path, body, headers or {}, encode_chunked=chunked)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()


def token(url: str) -> str:
    """The token that a page gets as a cookie."""
    cookie = ask(url, "/_stcore/health")[1]["set-cookie"]
    return cookie.partition(";")[0].partition("=")[2]


@contextlib.contextmanager
def session(url: str, origin: str | None = None) -> Iterator[str]:
    """An open tab; gives the name of its session."""
    parts = urlsplit(url)
    address = f"ws://{parts.netloc}{parts.path}/_stcore/stream"
    with connect(
        address, origin=Origin(origin) if origin else None, max_size=None, proxy=None, close_timeout=1
    ) as socket:
        message = BackMsg()
        message.rerun_script.query_string = ""
        socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(socket.recv(60))
            if answer.WhichOneof("type") == "new_session":
                yield answer.new_session.initialize.session_id
                return


def file_body(data: bytes) -> tuple[bytes, str]:
    """A multipart body with one file, and its Content-Type."""
    boundary = f"boundary{next(NUMBERS)}"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n'.encode()
    return head + data + f"\r\n--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def put(url: str, tab: str, name: str, data: bytes, xsrf: str, **headers: str):
    """Status and text of an upload's answer."""
    body, kind = file_body(data)
    more = {"Content-Type": kind, "Cookie": f"_streamlit_xsrf={xsrf}", "X-Xsrftoken": xsrf, **headers}
    status, _, text = ask(url, f"/_stcore/upload_file/{tab}/{name}", "PUT", more, body)
    return status, text
