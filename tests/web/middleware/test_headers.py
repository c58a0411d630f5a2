"""Test what every answer carries."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from data.environment import SettingError
from tests.web.asgi import converse, run, scope_of
from web.middleware.headers import SecurityHeaders, security_headers
from web.site import Site
from web.start_page import start_page

LAPTOP = Site()
SECURE = Site(url="https://blindspot.example.org")


class InlineScripts(HTMLParser):
    """Collects the bodies of scripts without a source."""

    def __init__(self) -> None:
        super().__init__()
        self.bodies: list[str] = []
        self.inside = False

    def handle_starttag(self, tag, attrs):
        self.inside = tag == "script" and "src" not in dict(attrs)

    def handle_data(self, data):
        if self.inside:
            self.bodies.append(data)

    def handle_endtag(self, tag):
        self.inside = False


def test_policy_allows_exactly_the_pages_scripts():
    parser = InlineScripts()
    parser.feed(start_page())
    digests = [base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() for body in parser.bodies]
    assert digests, "Streamlit's page has lost its inline script: the hash can go"
    assert re.findall(r"'sha256-([^']+)'", security_headers(LAPTOP)["Content-Security-Policy"]) == digests


def answering(headers, kind="http.response"):
    async def app(_scope, _receive, send):
        await send({"type": f"{kind}.start", "status": 200, "headers": headers})
        await send({"type": f"{kind}.body", "body": b"hello"})

    return app


@pytest.mark.parametrize("kind", ["http.response", "websocket.http.response"])
def test_middleware_wins_over_the_apps_headers(kind):
    careless = answering([(b"x-frame-options", b"ALLOWALL"), (b"content-type", b"text/html")], kind)
    start, body = run(converse(SecurityHeaders(careless, LAPTOP), scope_of()))
    found = [(name.decode(), value.decode()) for name, value in start["headers"]]
    wanted = [("content-type", "text/html"), *((k.lower(), v) for k, v in security_headers(LAPTOP).items())]
    assert sorted(found) == sorted(wanted)
    assert body == {"type": f"{kind}.body", "body": b"hello"}


@pytest.mark.parametrize("kind", ["application/javascript", "text/css; charset=utf-8", "font/woff2"])
def test_parts_of_pages_carry_few_headers(kind):
    start, _ = run(converse(SecurityHeaders(answering([(b"Content-Type", kind.encode())]), SECURE), scope_of()))
    assert [(name.decode(), value.decode()) for name, value in start["headers"]] == [
        ("content-type", kind),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
        ("strict-transport-security", "max-age=31536000"),
        ("content-security-policy", "default-src 'self' blob: 'wasm-unsafe-eval'"),
    ]


@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml", "application/xml", "application/json", "text/plain"])
def test_everything_else_carries_them_all(kind):
    start, _ = run(converse(SecurityHeaders(answering([(b"content-type", kind.encode())]), SECURE), scope_of()))
    assert {name.decode() for name, _ in start["headers"]} >= {name.lower() for name in security_headers(SECURE)}


def test_downloads_are_never_cached():
    sent = [(b"content-disposition", b"attachment; filename=rows.csv"), (b"cache-control", b"public")]
    for headers, wanted in ((sent, ["no-store"]), (sent[1:], ["public"])):
        start, _ = run(converse(SecurityHeaders(answering(headers), LAPTOP), scope_of()))
        assert [value.decode() for name, value in start["headers"] if name.lower() == b"cache-control"] == wanted


def test_the_middleware_leaves_an_open_websocket_alone():
    async def socket(_scope, _receive, send):
        await send({"type": "websocket.accept", "headers": []})

    sent = run(converse(SecurityHeaders(socket, LAPTOP), scope_of(kind="websocket")))
    assert sent == [{"type": "websocket.accept", "headers": []}]


def test_only_https_sites_send_strict_transport():
    assert "Strict-Transport-Security" not in security_headers(LAPTOP)
    assert "Strict-Transport-Security" not in security_headers(Site(url="http://blindspot.example.org"))
    assert security_headers(SECURE)["Strict-Transport-Security"] == "max-age=31536000"


def test_https_cookies_are_secure():
    app = answering([(b"set-cookie", b"a=1; Path=/"), (b"set-cookie", b"b=2; Secure; HttpOnly")])

    def cookies(site):
        start, _ = run(converse(SecurityHeaders(app, site), scope_of()))
        return [value for name, value in start["headers"] if name == b"set-cookie"]

    assert cookies(SECURE) == [b"a=1; Path=/; Secure", b"b=2; Secure; HttpOnly"]
    assert cookies(LAPTOP) == [b"a=1; Path=/", b"b=2; Secure; HttpOnly"], "over http no browser would send them back"


def test_named_pages_may_show_a_frame(monkeypatch):
    assert security_headers(LAPTOP)["X-Frame-Options"] == "DENY"
    monkeypatch.setenv("BLINDSPOT_FRAMED_BY", "http://localhost:* http://127.0.0.1:8888")
    headers = security_headers(LAPTOP)
    policy = headers["Content-Security-Policy"]
    assert "frame-ancestors http://localhost:* http://127.0.0.1:8888" in policy and "X-Frame-Options" not in headers
    monkeypatch.setenv("BLINDSPOT_FRAMED_BY", "*; script-src *")
    with pytest.raises(SettingError, match="addresses of pages"):
        security_headers(LAPTOP)
