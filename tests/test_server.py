"""The door without a browser: what the middleware adds, what an error says, which port is taken."""

import asyncio
import base64
import gc
import hashlib
import logging
import re
import socket
import tomllib
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path

import pytest
import streamlit as st
from streamlit import config

import server

ROOT = Path(__file__).resolve().parents[1]


def run(coroutine):
    """Run a coroutine in a thread of its own: a browser test in the same process may hold this one's event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


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


def test_the_policy_allows_exactly_the_inline_scripts_of_streamlits_page():
    parser = InlineScripts()
    parser.feed((Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8"))
    digests = [base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() for body in parser.bodies]
    assert digests, "Streamlit's page has lost its inline script: the hash can go"
    assert re.findall(r"'sha256-([^']+)'", server.HEADERS["Content-Security-Policy"]) == digests


def answer_of(app, kind="http"):
    """The messages an ASGI application sends for one connection."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": f"{kind}.request"}

    run(app({"type": kind, "headers": [], "path": "/"}, receive, send))
    return sent


def test_the_middleware_wins_over_headers_the_app_set_itself():
    async def careless(_scope, _receive, send):
        headers = [(b"x-frame-options", b"ALLOWALL"), (b"content-type", b"text/html")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"hello"})

    start, body = answer_of(server.SecurityHeaders(careless))
    found = [(name.decode(), value.decode()) for name, value in start["headers"]]
    assert sorted(found) == sorted(
        [("content-type", "text/html"), *((k.lower(), v) for k, v in server.HEADERS.items())]
    )
    assert body == {"type": "http.response.body", "body": b"hello"}


def test_the_middleware_leaves_websockets_alone():
    async def socket(_scope, _receive, send):
        await send({"type": "websocket.accept", "headers": []})

    assert answer_of(server.SecurityHeaders(socket), "websocket") == [{"type": "websocket.accept", "headers": []}]


def test_a_script_error_is_shown_as_a_reference_and_logged_under_it(monkeypatch, caplog):
    shown = []
    monkeypatch.setattr(server.st, "error", lambda text, **_: shown.append(text))
    with caplog.at_level(logging.ERROR, logger="blindspot"):
        try:
            raise KeyError("private label")
        except KeyError as error:
            assert server.on_script_error(error) is True, "True keeps Streamlit from drawing its own error box"
    (sentence,) = shown
    reference = re.search(r"\*\*(\w{6})\*\*", sentence)[1]
    assert "private label" not in sentence and "KeyError" not in sentence
    assert f"Error reference {reference}: KeyError at {__file__}:" in caplog.text


def test_a_request_error_answers_500_with_headers_and_a_reference(caplog):
    with caplog.at_level(logging.ERROR, logger="blindspot"):
        response = run(server.on_request_error(None, RuntimeError("private")))
    assert response.status_code == 500
    assert response.headers["content-security-policy"] == server.HEADERS["Content-Security-Policy"]
    reference = re.search(r"reference (\w{6})\.", response.body.decode())[1]
    assert reference in caplog.text
    assert b"private" not in response.body


def test_references_do_not_repeat_or_look_alike():
    references = {server.new_reference() for _ in range(300)}
    assert len(references) == 300
    assert not set("".join(references)) & set("01OIL")


def test_start_up_is_taken_out_of_the_garbage_collectors_sight():
    async def started():
        async with server.lifespan(server.app):
            return gc.get_freeze_count()

    try:
        assert run(started()) > 10_000
    finally:
        gc.unfreeze()


@pytest.mark.parametrize(
    ("arguments", "environment", "wanted"),
    [([], {}, 8501), ([], {"PORT": "9000"}, 9000), ([], {"PORT": ""}, 8501), (["--port", "0"], {"PORT": "9000"}, 0)],
)
def test_the_port_is_the_one_asked_for(monkeypatch, arguments, environment, wanted):
    monkeypatch.delenv("PORT", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert server.parse_port(arguments) == wanted


@pytest.mark.parametrize("port", ["eighty", "-1", "65536"])
def test_a_port_that_cannot_be_is_refused(port, capsys):
    with pytest.raises(SystemExit):
        server.parse_port([f"--port={port}"])
    assert port in capsys.readouterr().err


def test_a_taken_port_is_refused_with_a_way_out():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(SystemExit, match=rf"Port {port} cannot be used .*PORT={port + 1} make run"):
            server.require_free(port)
    server.require_free(port)


def options(table, prefix=""):
    """(dotted name, value) of everything a TOML table sets."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from options(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def test_every_setting_is_one_that_this_streamlit_knows():
    settings = dict(options(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))))
    known = config._config_options_template
    assert [name for name in settings if name not in known] == []


def test_the_settings_that_privacy_and_speed_hang_on():
    settings = dict(options(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))))
    assert settings["browser.gatherUsageStats"] is False, "it calls a foreign host"
    assert settings["runner.postScriptGC"] is False, "a full collection after every run costs ten times the throughput"
    assert settings["server.address"] == server.ADDRESS == "127.0.0.1", "also under `streamlit run`"
    assert settings["client.showErrorDetails"] == "none"
    assert not any("http" in str(value) for value in settings.values()), "fonts and themes come from nowhere else"
