"""Requests, messages and values that no browser sends, drawn from a seeded chance."""

import random
from urllib.parse import quote

from streamlit.proto.BackMsg_pb2 import BackMsg

from ui.view.pages import PAGES

BASES = (
    "/", "/overview", "/confusion", "/rows", "/open", "/links", "/no-such-page", "/index.html", "/favicon.png",
    "/_stcore/health", "/_stcore/host-config", "/_stcore/stream", "/_stcore/metrics", "/_stcore/message",
    "/_stcore/upload_file/a/b", "/_stcore/upload_file/", "/_stcore/script-health-check", "/_stcore/agent/interact",
    "/_stcore/bidi-components/x/y.js", "/healthz", "/media/", "/media/x.csv", "/component/", "/component/x/index.html",
    "/static/", "/static/js/", "/app/static/x", "/auth/login", "/auth/logout", "/oauth2callback", "/api/health",
    "/api/key", "/api/evaluations", "/api/evaluations/" + "0" * 64, "/api/", "/api/no-such",
)  # fmt: skip
ODD = (
    "..",
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/",
    "..%5c..%5c",
    "....//",
    "%00",
    "%",
    "%zz",
    "%c0%af",
    "%ff%fe",
    "%ed%a0%80",
    "//evil.example/",
    "file:///etc/passwd",
    "\\",
    "a" * 3000,
    "%0d%0aX: y",
    "\u202e",
    "{{7*7}}",
    "${7*7}",
    "<script>",
    "con",
    ".git/config",
    "server.py",
    ".streamlit/secrets.toml",
    "?",
    "#",
    "*",
    "%25%32%65",
    "~root",
    "$HOME",
    "'\"",
    ";",
    "|id",
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "X" * 200)
HEADERS = (
    "Host: evil.example",
    "Host: ",
    "Host: 127.0.0.1:99999",
    "Host: [::1",
    "Host: localhost\r\nHost: evil.example",
    "Origin: http://evil.example",
    "Origin: null",
    "Origin: \xff",
    "Cookie: _streamlit_xsrf=2|x|y|z",
    "Cookie: " + "a=b;" * 500,
    "X-Xsrftoken: 2|00|00|0",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Content-Length: x",
    "Content-Length: 3\r\nContent-Length: 5",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Content-Type: multipart/form-data",
    "Content-Type: multipart/form-data; boundary=" + "b" * 300,
    "Content-Type: application/json",
    "Content-Type: \x00",
    "Authorization: Bearer x",
    "Authorization: Bearer " + "\xff" * 50,
    "Authorization: Basic Og==",
    "X-Forwarded-For: 1.2.3.4",
    "X-Forwarded-Host: evil.example",
    "X-Forwarded-User: root",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 99",
    "Sec-WebSocket-Key: x",
    "Range: bytes=9-1",
    "Range: bytes=0-1,2-3,x",
    "If-None-Match: *",
    "If-Modified-Since: never",
    "Accept-Encoding: gzip;q=x",
    "Expect: 100-continue",
    "Accept: \x7f",
    "X-Long: " + "x" * 60_000,
    "X-\xff: y",
    "no colon",
    ": no name",
    " folded: x",
    "Last-Event-ID: \x01",
)
BODIES = (
    b"",
    b"\x00" * 64,
    b"{",
    b'{"a":' * 2000,
    b"[]",
    b'{"days": 1e400, "title": 7}',
    b"5\r\nhello\r\n0\r\n\r\n",
    b"ffffffffffffffff\r\nx",
    b"zz\r\n",
    b'--b\r\nContent-Disposition: form-data; name="file"; filename="../../x"\r\n\r\n1\r\n--b--',
    b"--" + b"b" * 300 + b"\r\n\r\n",
    bytes(range(256)) * 8,
)
VALUES = (
    "", "x", "-1", "0", "1e400", "-inf", "nan", "9" * 5000, "٣", "1_000", "0x10", "true", "a" * 7000, "<img src=x>",
    "../../etc/passwd", "\x00", "\ud800", "\u202e", "%s%n{0}", "' OR 1=1 --", "__class__", "[" * 900, "setosa", "5",
    ",".join(map(str, range(900))), "recall:1e400", "3:0.5,9999999999:nan", "r1-9999999999999999999", "1", "0.5",
    "recall:0.9",
)  # fmt: skip


def request(chance: random.Random, port: int) -> bytes:
    """One request, most of it as it should be and some of it not."""
    path = chance.choice(BASES)
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        path += chance.choice(("/", "", "?run=", "?x=")) + chance.choice(ODD)
    path = path if chance.random() < 0.3 else quote(path, safe="/%?=&#:")
    method = chance.choice(("GET", "GET", chance.choice(METHODS)))
    head = [] if chance.random() < 0.1 else [f"Host: 127.0.0.1:{port}"]
    head += chance.sample(HEADERS, chance.choice((0, 0, 0, 1, 1, 3)))
    body = chance.choice(BODIES) if chance.random() < 0.4 else b""
    if body and not any(line.startswith(("Content-Length", "Transfer")) for line in head):
        head.append(f"Content-Length: {len(body) + chance.choice((0, 0, 0, 7))}")
    version = chance.choice(("HTTP/1.1",) * 17 + ("HTTP/1.0", "HTTP/9.9", ""))
    lines = [f"{method} {path} {version}", *head, "Connection: close", "", ""]
    return "\r\n".join(lines).encode("utf-8", "replace") + body


def message(chance: random.Random) -> bytes:
    """A message of a page with something in it that no page sends; or no message at all."""
    kind = chance.randrange(6)
    if kind == 0:
        return chance.randbytes(chance.choice((0, 1, 40, 5_000)))
    sent = BackMsg()
    if kind == 1:
        name = chance.choice([field.name for field in BackMsg.DESCRIPTOR.fields])
        if isinstance(getattr(sent, name), bool):
            setattr(sent, name, True)
        else:
            getattr(sent, name).SetInParent()
    elif kind == 2:
        sent.file_urls_request.request_id = odd_text(chance)
        sent.file_urls_request.file_names.extend(odd_text(chance) for _ in range(3))
        sent.file_urls_request.session_id = odd_text(chance)
    elif kind == 3:
        sent.backend_operation_request.request_id = odd_text(chance)
        sent.backend_operation_request.deferred_file.file_id = odd_text(chance)
    else:
        state = sent.rerun_script
        state.query_string, state.page_name = odd_text(chance), chance.choice((*PAGES, odd_text(chance)))
        state.page_script_hash, state.fragment_id = chance.choice(("", odd_text(chance))), chance.choice(("", "x"))
        widget = state.widget_states.widgets.add()
        widget.id = chance.choice(("view.norm", "$$ID-0-share.button", odd_text(chance)))
        widget.json_value = odd_text(chance)
    data = sent.SerializeToString()
    if chance.random() < 0.2 and data:
        at = chance.randrange(len(data))
        data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
    return data


def odd_text(chance: random.Random) -> str:
    return chance.choice((*VALUES, *ODD)).encode("utf-8", "replace").decode()
