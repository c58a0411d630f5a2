"""Test which names are answered, and from which pages the server may be asked."""

import pytest
from streamlit import config, net_util
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from tests.web.asgi import Inner, ask, scope_of
from web.middleware.hosts import Hosts
from web.site import Site
from web.start import streamlit_options

LAPTOP = Site()
SITE = Site("0.0.0.0", "https://blindspot.example.org/app")
PASSES = {"http": 204, "websocket": "open"}


def answer(site, headers, method="GET", kind="http"):
    inner = Inner()
    status, text = ask(Hosts(inner, site), scope_of(method=method, headers=headers, kind=kind))
    assert bool(inner.scopes) == (status in PASSES.values()), "what is refused does not reach the app"
    return status, text


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("site", "host"),
    [
        (LAPTOP, "localhost:8501"),
        (LAPTOP, "127.0.0.1:8501"),
        (LAPTOP, "[::1]:8501"),
        (LAPTOP, "LOCALHOST"),
        (LAPTOP, "localhost."),
        (SITE, "blindspot.example.org"),
        (SITE, "Blindspot.Example.org:443"),
        (SITE, "127.0.0.1:8501"),
        (Site("10.0.0.7"), "10.0.0.7:8501"),
    ],
)
def test_its_own_names_are_answered(site, host, kind):
    assert answer(site, [("host", host)], kind=kind)[0] == PASSES[kind]


@pytest.mark.parametrize(
    "hosts",
    [
        ["evil.example.com"],
        ["evil.example.com:8501"],
        ["0.0.0.0:8501"],
        ["127.0.0.1.evil.example.com"],
        ["blindspot.example.org.evil.example.com"],
        ["evil.example.com@127.0.0.1"],
        ["127.0.0.1/x"],
        ["127.0.0.1:80:80"],
        ["127.0.0.1:x"],
        ["[::2]:8501"],
        ["localhost\x00"],
        [""],
        ["localhost", "evil.example.com"],
        ["localhost", "localhost"],
    ],
)
@pytest.mark.parametrize("site", [LAPTOP, SITE], ids=["laptop", "site"])
def test_other_names_are_refused_whatever_is_asked(site, hosts):
    headers = [("host", host) for host in hosts]
    status, text = answer(site, headers)
    assert status == 421
    assert "BLINDSPOT_URL" in text and text.count("\n") == 1
    assert "evil" not in text
    assert answer(site, headers, kind="websocket")[0] == "closed"


def test_no_host_at_all_is_refused():
    scope = scope_of()
    scope["headers"] = []
    assert ask(Hosts(Inner(), LAPTOP), scope)[0] == 421


OURS = [
    (LAPTOP, "127.0.0.1:8501", "http://127.0.0.1:8501"),
    (LAPTOP, "localhost:8501", "http://localhost:8501"),
    (SITE, "blindspot.example.org", "https://blindspot.example.org"),
    (SITE, "127.0.0.1:8501", "https://blindspot.example.org"),  # a proxy that passes its own name on
    (SITE, "blindspot.example.org:8501", "https://blindspot.example.org"),  # one that gets the port wrong
]
FOREIGN = [
    (LAPTOP, "127.0.0.1:8501", "http://evil.example.com"),
    (LAPTOP, "127.0.0.1:8501", "http://127.0.0.1:9000"),  # another program of this machine
    (LAPTOP, "127.0.0.1:8501", "http://localhost:8501"),
    (LAPTOP, "127.0.0.1:8501", "null"),
    (LAPTOP, "127.0.0.1:8501", ""),
    (LAPTOP, "127.0.0.1:8501", "file://"),
    (LAPTOP, "127.0.0.1:8501", "http://127.0.0.1:8501.evil.example.com"),
    (LAPTOP, "127.0.0.1:8501", "http://evil.example.com/127.0.0.1:8501"),
    (SITE, "blindspot.example.org", "http://evil.example.com"),
    (SITE, "blindspot.example.org", "https://blindspot.example.org:8443"),
    (SITE, "blindspot.example.org", "https://blindspot.example.org/app"),
]


@pytest.mark.parametrize(("site", "host", "origin"), OURS)
def test_pages_of_ours_may_ask_for_anything(site, host, origin):
    headers = [("host", host), ("origin", origin)]
    assert answer(site, headers, kind="websocket")[0] == "open"
    assert answer(site, headers, method="PUT")[0] == 204


@pytest.mark.parametrize(("site", "host", "origin"), FOREIGN)
def test_foreign_pages_may_not_change_anything(site, host, origin):
    headers = [("host", host), ("origin", origin)]
    assert answer(site, headers, kind="websocket")[0] == "closed"
    for method in ("PUT", "POST", "DELETE", "PATCH", "MOVE"):
        status, text = answer(site, headers, method=method)
        assert status == 403 and "another site" in text
    assert answer(site, headers)[0] == 204, "reading is for the browser to forbid: it shows them no answer"


def test_two_origins_are_none_of_ours():
    twice = [("host", "127.0.0.1:8501"), ("origin", "http://127.0.0.1:8501"), ("origin", "http://127.0.0.1:8501")]
    assert answer(LAPTOP, twice, kind="websocket")[0] == "closed"


def test_a_program_without_an_origin_may_ask():
    assert answer(LAPTOP, [("host", "127.0.0.1:8501")], kind="websocket")[0] == "open"
    assert answer(LAPTOP, [("host", "127.0.0.1:8501")], method="PUT")[0] == 204


@pytest.fixture
def no_look_up(monkeypatch):
    """Fails the test where Streamlit looks up the machine's own address, outside or inside."""

    def look_up():
        raise AssertionError("Streamlit looks up the machine's address")

    monkeypatch.setattr(net_util, "get_external_ip", look_up)
    monkeypatch.setattr(net_util, "get_internal_ip", look_up)


@pytest.mark.parametrize(("site", "host", "origin"), OURS)
def test_accepted_hosts_pass_streamlits_check(no_look_up, site, host, origin):
    before = {name: config.get_option(name) for name in streamlit_options(site, 8501)}
    try:
        for name, value in streamlit_options(site, 8501).items():
            config.set_option(name, value)
        assert _is_origin_allowed(origin, host)
        with pytest.raises(AssertionError, match="looks up"):
            _is_origin_allowed("http://evil.example.com", host)  # so a foreign one must never get that far
    finally:
        for name, value in before.items():
            config.set_option(name, value)


def test_websocket_refusal_says_the_sentence():
    scope = scope_of(kind="websocket", headers=[("host", "evil.example.com")])
    scope["extensions"] = {"websocket.http.response": {}}
    status, text = ask(Hosts(Inner(), LAPTOP), scope)
    assert status == 421 and "BLINDSPOT_URL" in text
