"""The middleware of a running server, over HTTP and the websocket."""

import contextlib
import http.client
import os
import socket
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.browser.driver import ROOT, start_server
from tests.web.live import ask, file_body, put, session, token
from web.limits import HEAD_BYTES

MB = 1024 * 1024
# Prints every name that the server's process looks up and every address it connects to.
WATCH = """
import sys
def hook(event, arguments):
    if event in ("socket.getaddrinfo", "socket.connect", "socket.gethostbyname", "socket.bind"):
        print("NETWORK", event, arguments[-1] if event.startswith("socket.co") else arguments, flush=True)
sys.addaudithook(hook)
"""


@contextlib.contextmanager
def started(folder, **environment):
    """A server with environment variables of its own, whose use of the network stands in its output."""
    (folder / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
    path = f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"PYTHONPATH": path, **environment}.items():
            patch.setenv(name, value)
        with start_server(ROOT, folder / "store") as running:
            yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A laptop's server with small limits."""
    limits = {"SESSION_FILES": "3", "SESSION_MB": "1", "UPLOAD_MB": "1", "BODY_SECONDS": "1", "UPLOADS_AT_ONCE": "2"}
    folder = tmp_path_factory.mktemp("live")
    with started(folder, **{f"BLINDSPOT_{name}": value for name, value in limits.items()}) as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server below a path, behind a proxy with TLS."""
    with started(tmp_path_factory.mktemp("site"), BLINDSPOT_URL="https://blindspot.example.org/app") as running:
        yield running


def test_a_large_frame_is_refused_before_it_comes(server):
    """62 MB are announced and not sent: the answer must not wait for them, nor hold what comes."""
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port), 60) as peer:
        peer.sendall(
            f"GET /_stcore/stream HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        answer = peer.makefile("rb")
        assert b" 101 " in answer.readline()
        while answer.readline() != b"\r\n":
            pass
        n_bytes = 62 * MB
        peer.sendall(bytes([0x82, 0x80 | 127]) + n_bytes.to_bytes(8) + bytes(4) + bytes(1_000))
        kind, length = answer.read(2)
        assert kind == 0x88 and int.from_bytes(answer.read(length)[:2]) == 1009, "closed: message too big"


def sent(server, n_chars):
    """Return what comes back for a run of a page whose query is that long."""
    address = f"ws://{urlsplit(server.url).netloc}/_stcore/stream"
    with connect(address, max_size=None, proxy=None, close_timeout=1) as tab:
        message = BackMsg()
        message.rerun_script.query_string = "q=" + "x" * n_chars
        tab.send(message.SerializeToString())
        return tab.recv(60)


HEADS = {
    "path": (b"GET /", b" HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    "header": (b"GET /_stcore/health HTTP/1.1\r\nHost: localhost\r\nX: ", b"\r\n\r\n"),
}


@pytest.mark.parametrize("begun, end", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize("more", [0, 1])
def test_a_head_may_take_so_many_bytes(server, begun, end, more):
    filled = HEAD_BYTES - len(begun) - len(end)
    with socket.create_connection(("127.0.0.1", urlsplit(server.url).port), 60) as peer:
        peer.sendall(begun + b"x" * filled + (b"x" * (len(end) + more) if more else end))
        assert (b" 400 " in peer.makefile("rb").readline()) == bool(more)


def test_a_frame_below_the_limit_goes_through(server):
    assert sent(server, 3_900_000)
    with pytest.raises(ConnectionClosed):
        sent(server, 4_100_000)


def test_no_path_of_the_server_is_told(server):
    address, told = f"ws://{urlsplit(server.url).netloc}/_stcore/stream", b""
    with connect(address, max_size=None, proxy=None, close_timeout=1) as tab:
        tab.send(BackMsg(rerun_script={"query_string": ""}).SerializeToString())
        while ForwardMsg.FromString(part := tab.recv(60)).WhichOneof("type") != "script_finished":
            told += part
    assert b"app.py" in told and str(ROOT).encode() not in told


def test_what_nobody_needs_is_not_there(server):
    for path in ("metrics", "script-health-check", "agent/interact", "agent/openapi.json", "agent/mcp"):
        assert ask(server.url, f"/_stcore/{path}")[0] == 404
    assert ask(server.url, "/_stcore/health")[::2] == (200, "ok")
    assert ask(server.url, "/_stcore/host-config")[0] == 200


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/host-config", "/media/x.csv", "/confusion"])
def test_another_name_is_refused_everywhere(server, path):
    status, headers, text = ask(server.url, path, headers={"Host": "rebound.example.com"})
    assert status == 421 and "BLINDSPOT_URL" in text
    assert "set-cookie" not in headers and headers["x-frame-options"] == "DENY"


def test_foreign_websocket_is_refused(server):
    with pytest.raises(InvalidStatus) as refused, session(server.url, "http://evil.example.com"):
        pass
    assert refused.value.response.status_code == 403
    with session(server.url, server.url) as own, session(server.url) as program:
        assert own and program and own != program
    assert "NETWORK socket.bind" in server.output(), "the watch is on"
    assert "NETWORK socket.getaddrinfo" not in server.output()
    assert "NETWORK socket.connect" not in server.output()


def test_tab_holds_a_limited_number_of_files(server):
    xsrf = token(server.url)
    with session(server.url) as tab:
        for name in "abc":
            assert put(server.url, tab, name, b"1,2", xsrf) == (204, "")
        status, text = put(server.url, tab, "d", b"1,2", xsrf)
        assert status == 429 and "BLINDSPOT_SESSION_FILES" in text
        assert put(server.url, tab, "c", b"1,2,3", xsrf)[0] == 204
        more = {"Cookie": f"_streamlit_xsrf={xsrf}", "X-Xsrftoken": xsrf}
        assert ask(server.url, f"/_stcore/upload_file/{tab}/a", "DELETE")[0] == 403
        assert ask(server.url, f"/_stcore/upload_file/{tab}/a", "DELETE", more)[0] == 204
        assert put(server.url, tab, "d", b"1,2", xsrf)[0] == 204
        with session(server.url) as other:
            assert put(server.url, other, "d", b"1,2", xsrf)[0] == 204


def test_a_tab_may_hold_so_many_bytes(server):
    xsrf, data = token(server.url), b"x" * (MB - 1_000)
    with session(server.url) as tab:
        assert [put(server.url, tab, name, data, xsrf)[0] for name in "ab"] == [204, 204], (
            "a limit and what is around it"
        )
        status, text = put(server.url, tab, "c", data, xsrf)
        assert status == 413 and "BLINDSPOT_SESSION_MB" in text
        status, text = put(server.url, tab, "c", b"x" * (MB * 3 // 2), xsrf)
        assert status == 413 and "BLINDSPOT_UPLOAD_MB" in text


def test_chunked_body_is_counted(server):
    xsrf = token(server.url)
    body, kind = file_body(b"x" * (2 * MB + 8_000))  # more would be cut off, perhaps while it is sent
    more = {
        "Content-Type": kind,
        "Cookie": f"_streamlit_xsrf={xsrf}",
        "X-Xsrftoken": xsrf,
        "Transfer-Encoding": "chunked",
    }
    with session(server.url) as tab:
        pieces = (body[start : start + 65_536] for start in range(0, len(body), 65_536))
        status, _, text = ask(server.url, f"/_stcore/upload_file/{tab}/a", "PUT", more, pieces, chunked=True)
    assert status == 413 and "BLINDSPOT_UPLOAD_MB" in text


def test_foreign_upload_is_refused(server):
    xsrf = token(server.url)
    with session(server.url) as tab:
        assert put(server.url, tab, "a", b"1", xsrf, Origin="http://evil.example.com")[0] == 403
        assert put(server.url, tab, "a", b"1", xsrf, Origin=server.url)[0] == 204
        assert put(server.url, tab, "a", b"1", xsrf, **{"X-Xsrftoken": "2|00000000|61|0"})[0] == 403
    assert put(server.url, "no-such-session", "a", b"1", xsrf)[0] == 400


def test_stalled_body_is_ended(server):
    xsrf = token(server.url)
    with session(server.url) as tab, socket.create_connection(("127.0.0.1", urlsplit(server.url).port), 60) as peer:
        peer.sendall(
            f"PUT /_stcore/upload_file/{tab}/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
            f"Content-Type: multipart/form-data; boundary=b\r\n"
            f"Cookie: _streamlit_xsrf={xsrf}\r\nX-Xsrftoken: {xsrf}\r\n\r\n".encode()
        )
        answer = http.client.HTTPResponse(peer)
        answer.begin()
        assert answer.status == 408 and b"BLINDSPOT_BODY_SECONDS" in answer.read()
        assert peer.recv(1) == b"", "the server has closed the connection"


def test_base_path_holds_everything(site):
    assert site.url.endswith("/app")
    assert ask(site.url, "/_stcore/health")[::2] == (200, "ok")
    assert ask(site.url, "/_stcore/metrics")[0] == 404
    outside = site.url.removesuffix("/app")
    assert ask(outside, "/_stcore/metrics")[0] == 404
    assert ask(outside, "/overview")[0] == 404
    with session(site.url, "https://blindspot.example.org") as tab:
        assert put(site.url, tab, "a", b"1,2", token(site.url))[0] == 204
        assert put(site.url, tab, "a", b"1,2", "")[0] == 403


def test_a_site_with_tls_keeps_browsers_to_it(site):
    for host in ("blindspot.example.org", "127.0.0.1"):
        _, headers, _ = ask(site.url, "/_stcore/health", headers={"Host": host})
        assert headers["strict-transport-security"].startswith("max-age=")
        assert [cookie.endswith("; Secure") for cookie in headers.get_all("set-cookie")] == [True]
    assert ask(site.url, "/", headers={"Host": "other.example.org"})[0] == 421


def test_site_page_may_open_the_websocket(site):
    with session(site.url, "https://blindspot.example.org") as tab:
        assert tab
    with pytest.raises(InvalidStatus), session(site.url, "https://other.example.org"):
        pass
    assert "NETWORK socket.getaddrinfo" not in site.output() and "NETWORK socket.connect" not in site.output()


def test_proxy_scheme_is_used_for_redirects(site):
    outside, host = site.url.removesuffix("/app"), {"Host": "blindspot.example.org"}
    assert ask(outside, "/app", headers=host)[1]["location"] == "http://blindspot.example.org/app/"
    told = ask(outside, "/app", headers=host | {"X-Forwarded-Proto": "https"})[1]
    assert told["location"] == "https://blindspot.example.org/app/"


def trickling(server, tab, xsrf):
    """A connection on which an upload has begun that brings nothing more."""
    peer = socket.create_connection(("127.0.0.1", urlsplit(server.url).port), 60)
    peer.sendall(
        f"PUT /_stcore/upload_file/{tab}/slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
        f"Content-Type: multipart/form-data; boundary=b\r\n"
        f"Cookie: _streamlit_xsrf={xsrf}\r\nX-Xsrftoken: {xsrf}\r\n\r\n--b\r\n".encode()
    )
    return peer


def test_eight_uploads_that_trickle_block_nobody(tmp_path):
    with started(tmp_path) as server, contextlib.ExitStack() as stack:
        xsrf = token(server.url)
        for _ in range(8):
            tab = stack.enter_context(session(server.url))
            stack.enter_context(trickling(server, tab, xsrf))
        other = stack.enter_context(session(server.url))
        answers = []
        while not answers or answers[-1] == 503:  # until the first of them has had its three seconds
            answers.append(put(server.url, other, "mine", b"1,2", xsrf)[0])
        assert answers[-1] == 204
