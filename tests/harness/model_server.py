"""A small OpenAI-compatible server: latency, errors and rate limits as a test wants them, and a list of what came."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Reply(NamedTuple):
    """Hold what the server sends: a text with status 200, or an error with its code.

    body : sent as it is, in place of a completion. endless : a byte now and then, and no end.
    """

    text: str | None = ""
    status: int = 200
    code: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    finish: str = "stop"
    seconds: float = 0.0
    body: bytes | None = None
    endless: bool = False


Behaviour = Callable[[str, int], Reply]
"""(prompt, how often it was asked before) to what the server does."""


class ModelServer(ThreadingHTTPServer):
    """Serve chat completions on a free port of this machine.

    asked : how often every prompt came. keys : the Authorization headers. sent : bodies of the requests.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, behave: Behaviour, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.behave, self.asked, self.keys = behave, Counter[str](), set[str]()
        self.sent: list[dict[str, Any]] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """Return the address that a model's name ends with."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that are killed leave their connections."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["messages"][-1]["content"]
        with self.server.lock:
            before = self.server.asked[prompt]
            self.server.asked[prompt] += 1
            self.server.keys.add(self.headers.get("Authorization", ""))
            self.server.sent.append(body)
        reply = self.server.behave(prompt, before)
        time.sleep(reply.seconds)
        self._send(reply, body)

    def _send(self, reply: Reply, body: dict[str, Any]) -> None:
        said: dict[str, Any] = {"error": {"message": reply.text, "code": reply.code, "param": None, "type": "x"}}
        if reply.status == 200:
            said = _completion(reply, body)
        content = json.dumps(said).encode() if reply.body is None else reply.body
        self.send_response(reply.status)
        for name, value in (
            ("Content-Type", "application/json"),
            ("Content-Length", str(10**9 if reply.endless else len(content))),
            *reply.headers,
        ):
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):  # the client may hang up before the end
            while reply.endless:
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.05)
            self.wfile.write(content)
            self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def _completion(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
    prompt = body["messages"][-1]["content"]
    message = {"role": "assistant", "content": reply.text}
    n_input, n_output = len(prompt.split()), len((reply.text or "").split())
    return {
        "id": "x", "object": "chat.completion", "created": 0, "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        "usage": {"prompt_tokens": n_input, "completion_tokens": n_output, "total_tokens": n_input + n_output},
    }  # fmt: skip


@contextmanager
def serving(behave: Behaviour, port: int = 0) -> Iterator[ModelServer]:
    """Run a server in a thread."""
    server = ModelServer(behave, port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
