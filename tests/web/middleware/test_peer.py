"""Test which peer may name the person who asks."""

import json

import pytest
from starlette.datastructures import Headers

from tests.web.asgi import Inner, ask, scope_of
from web.middleware.peer import Peer, client_address
from web.site import Site
from web.start import streamlit_options

PROXY, STRANGER = ("10.0.0.7", 4_000), ("203.0.113.9", 5_000)


@pytest.fixture(autouse=True)
def behind_a_proxy(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_PROXIES", "10.0.0.7, 10.0.0.8,::1")
    monkeypatch.setenv("BLINDSPOT_USER_HEADER", "X-Forwarded-User")


def arrived(headers, client, kind="http", **more):
    """The scope that gets past."""
    inner = Inner()
    ask(Peer(inner), scope_of(headers=headers, client=client, kind=kind, **more))
    return inner.scopes[0]


CLAIMS = [
    ("host", "localhost"),
    ("x-forwarded-user", "ada@example.org"),
    ("x-forwarded-for", "198.51.100.1"),
    ("x-forwarded-proto", "https"),
    ("x-forwarded-host", "evil.example.com"),
    ("forwarded", "for=198.51.100.1"),
    ("x-real-ip", "198.51.100.1"),
    ("x-xsrftoken", "kept"),
]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("client", [STRANGER, ("127.0.0.1", 1), None, ("testclient", 1)])
def test_a_stranger_cannot_say_who_it_is(client, kind):
    scope = arrived(CLAIMS, client, kind)
    assert Headers(scope=scope).keys() == ["host", "x-xsrftoken"]
    assert scope["client"] == client and "scheme" not in scope


def test_user_header_is_removed_in_any_spelling(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_USER_HEADER", "Remote-User")
    assert "remote-user" not in Headers(scope=arrived([("host", "localhost"), ("REMOTE-USER", "ada")], STRANGER))
    assert "remote-user" not in Headers(scope=arrived([("host", "localhost"), ("remote-user", "ada")], STRANGER))


@pytest.mark.parametrize(("kind", "scheme"), [("http", "https"), ("websocket", "wss")])
@pytest.mark.parametrize("client", [PROXY, ("::ffff:10.0.0.7", 1), ("::1", 1)])
def test_a_proxy_is_believed(client, kind, scheme):
    scope = arrived(CLAIMS, client, kind)
    assert Headers(scope=scope)["x-forwarded-user"] == "ada@example.org"
    assert scope["client"] == ("198.51.100.1", 0)
    assert scope["scheme"] == scheme


def test_a_proxy_that_names_two_people_names_nobody():
    both = [("host", "localhost"), ("x-forwarded-user", "ada"), ("x-forwarded-user", "eve")]
    assert "x-forwarded-user" not in Headers(scope=arrived(both, PROXY))


@pytest.mark.parametrize(
    ("peer", "forwarded", "wanted"),
    [
        (STRANGER, [], "203.0.113.9"),
        (STRANGER, ["198.51.100.1"], "203.0.113.9"),
        (PROXY, [], "10.0.0.7"),
        (PROXY, ["198.51.100.1"], "198.51.100.1"),
        (PROXY, ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),
        (PROXY, ["6.6.6.6, 198.51.100.1, 10.0.0.8"], "198.51.100.1"),
        (PROXY, ["6.6.6.6", "198.51.100.1"], "198.51.100.1"),
        (PROXY, ["6.6.6.6, 10.0.0.7, 198.51.100.1"], "198.51.100.1"),
        (PROXY, ["6.6.6.6, rubbish"], "10.0.0.7"),
        (PROXY, ["6.6.6.6, rubbish, 10.0.0.8"], "10.0.0.8"),
        (PROXY, ["[2001:db8::1]:443"], "2001:db8::1"),
        (PROXY, [""], "10.0.0.7"),
        (None, ["198.51.100.1"], ""),
    ],
)
def test_client_is_the_last_untrusted_address(peer, forwarded, wanted):
    scope = scope_of(headers=[("host", "localhost"), *(("x-forwarded-for", text) for text in forwarded)], client=peer)
    assert client_address(scope) == wanted
    if peer:
        assert client_address(arrived(scope_headers(scope), peer)) == wanted, "and still so behind the middleware"


def scope_headers(scope):
    return [(name.decode(), text.decode()) for name, text in scope["headers"]]


@pytest.mark.parametrize(("header", "wanted"), [("X-User", {"X-User": "email"}), ("", {})])
def test_streamlit_gets_the_named_header_only(monkeypatch, header, wanted):
    monkeypatch.setenv("BLINDSPOT_USER_HEADER", header)
    assert json.loads(streamlit_options(Site(), 1)["server.trustedUserHeaders"]) == wanted
