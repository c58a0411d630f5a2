"""Reading the numbers behind a link: one request with the key, to the server of the link alone."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

import blindspot_eval
from blindspot_eval.reading import find_endpoint


class _Server(BaseHTTPRequestHandler):
    """Answers the run "good" with numbers, "moved" with a redirect, others with a refusal; notes who asks."""

    asked: list[tuple[str, str | None]]

    def do_GET(self):
        type(self).asked.append((self.path, self.headers["Authorization"]))
        run = self.path.split("/")[-2]
        said = {"numbers": {"accuracy": None}} if run == "good" else {"error": "This link opens nothing."}
        self.send_response({"good": 200, "moved": 302}.get(run, 404))
        self.send_header("Location", "/api/v1/runs/good/numbers")
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

    def log_message(self, format, *args):
        pass


@pytest.fixture
def server():
    """The address of a server, and the requests that it got."""
    handler = type("Noting", (_Server,), {"asked": []})
    with HTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}", handler.asked
        running.shutdown()


@pytest.mark.parametrize("path", ["/overview?t=0.5&run=good", "/?run=good", "/shared/good"])
def test_numbers_come_from_the_server_of_the_link(server, path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_KEY", "blindspot_x")
    assert blindspot_eval.numbers(server[0] + path) == {"numbers": {"accuracy": None}}
    assert server[1] == [("/api/v1/runs/good/numbers", "Bearer blindspot_x")]


def test_refusal_is_the_sentence_of_the_server(server):
    with pytest.raises(ValueError, match=r"^This link opens nothing\.$"):
        blindspot_eval.numbers(f"{server[0]}/?run=gone", key="blindspot_x")


def test_redirect_is_not_followed_with_the_key(server):
    with pytest.raises(ValueError):
        blindspot_eval.numbers(f"{server[0]}/?run=moved", key="blindspot_x")
    assert len(server[1]) == 1


def test_unreachable_server_is_told_with_why():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ValueError, match=r"server cannot be reached \(Connection refused\); check the address"):
        blindspot_eval.numbers(f"http://127.0.0.1:{port}/?run=good", key="blindspot_x")


def test_without_a_key_nothing_is_asked(server, monkeypatch):
    monkeypatch.delenv("BLINDSPOT_KEY", raising=False)
    with pytest.raises(ValueError, match="BLINDSPOT_KEY"):
        blindspot_eval.numbers(f"{server[0]}/?run=good")
    assert server[1] == []


@pytest.mark.parametrize(
    "link",
    ["", "good", "file:///etc/passwd?run=good", "https://host/overview", "https://host/?run=../../x",
     "http://host/?run=good"],
)  # fmt: skip
def test_what_is_no_safe_link_is_refused(link):
    with pytest.raises(ValueError):
        find_endpoint(link)
