"""Starting the real server and driving it in a real Chromium; the fixtures of `conftest.py` stand on this."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Nothing leaves the machine, and a request that tries shows up as a failed one.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
# A page lives for seconds: compiling its scripts afresh, or well, costs more than it gains.
QUICK = ["--process-per-site", "--js-flags=--no-script-streaming --no-maglev --no-opt"]
HARMLESS = (
    # Streamlit's Graphviz chart says on load that it draws on the main thread.
    "No script tag of type",
)
PROBE = re.compile(r"^http://127\.0\.0\.1:\d+/[a-z]+/_stcore/(health|host-config)$")
FINISHED = ForwardMsg.DESCRIPTOR.fields_by_name["script_finished"].number
INTERRUPTED = ForwardMsg.FINISHED_EARLY_FOR_RERUN

# A quick run leaves no trace in the page: React draws its start and its end as one. So the messages are counted in
# which the server says that a run has ended, by walking the top level of each Protobuf message.
COUNT_RUNS = f"""
window.runs = 0;
const endOfRun = bytes => {{
  let at = 0;
  const varint = () => {{
    for (let value = 0, scale = 1; ; scale *= 128) {{
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }}
  }};
  while (at < bytes.length) {{
    const tag = varint(), kind = tag & 7, value = kind === 1 ? 8 : kind === 5 ? 4 : varint();
    if (tag >> 3 === {FINISHED}) return value !== {INTERRUPTED};
    if (kind !== 0) at += value;
  }}
  return false;
}};
window.WebSocket = class extends WebSocket {{
  constructor(...options) {{
    super(...options);
    this.addEventListener("message", event => {{
      if (event.data instanceof ArrayBuffer && endOfRun(new Uint8Array(event.data))) window.runs += 1;
    }});
  }}
}};
"""
# Three frames in a row, because what a message changes is drawn some milliseconds after it.
IDLE = """
runs => {
  const app = document.querySelector('[data-testid="stApp"]');
  const idle = app && app.dataset.testScriptState === "notRunning" && app.dataset.testConnectionState === "CONNECTED"
    && window.runs >= runs && !document.querySelector('[data-stale="true"], [data-testid="stSkeleton"]');
  window.idleFrames = idle ? (window.idleFrames || 0) + 1 : 0;
  return window.idleFrames >= 3;
}
"""


@dataclass
class Server:
    """A running server: its process, where it listens, its store and what it has printed."""

    process: subprocess.Popen[str]
    url: str
    store: Path
    lines: list[str] = field(default_factory=list)

    def output(self) -> str:
        """Everything printed so far, without the colours that a terminal library may give to tracebacks."""
        return re.sub(r"\x1b\[[\d;]*m", "", "".join(self.lines))


def _read(process: subprocess.Popen[str], lines: list[str], ready: threading.Event) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        if "Blindspot is at" in line:
            ready.set()
    ready.set()


@contextlib.contextmanager
def start_server(folder: Path, store: Path) -> Iterator[Server]:
    """`python server.py` of a folder on a free port and a store of its own, stopped at the end."""
    environment = {**os.environ, "BLINDSPOT_STORE": str(store), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "server.py", "--port", "0"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines: list[str] = []
    ready = threading.Event()
    threading.Thread(target=_read, args=(process, lines, ready), daemon=True).start()
    try:
        ready.wait(START_SECONDS)
        found = re.search(r"Blindspot is at (\S+)", "".join(lines))
        assert found, "the server did not start:\n" + "".join(lines)
        wait_until_healthy(found[1])
        yield Server(process, found[1], store, lines)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_healthy(url: str) -> None:
    """The socket is bound before Streamlit is up: a first connection waits in its queue for the answer."""
    with urllib.request.urlopen(f"{url}/_stcore/health", timeout=START_SECONDS) as answer:
        assert answer.read() == b"ok"


def chromium_path() -> str | None:
    """The Chromium of the PATH; None leaves the choice to Playwright."""
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return next((path for path in found if path), None)


def is_loopback(url: str) -> bool:
    """Whether a request stays on this machine; blob: and data: are no requests to anybody."""
    parts = urlsplit(url)
    return parts.scheme in ("blob", "data", "about") or parts.hostname in ("127.0.0.1", "localhost")


class Watch:
    """Collects what a visitor's browser complains about, and every request that leaves the machine."""

    def __init__(self, context: BrowserContext) -> None:
        self.complaints: list[str] = []
        self._context = context
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("weberror", self._error)

    def stop(self) -> None:
        """Listen no longer: the next test's complaints are not this one's."""
        for event, listener in (("request", self._request), ("console", self._console), ("weberror", self._error)):
            self._context.remove_listener(event, listener)

    def _error(self, error: WebError) -> None:
        self.complaints.append(f"uncaught: {error.error}")

    def _request(self, request: Request) -> None:
        if not is_loopback(request.url):
            self.complaints.append(f"external request: {request.url}")

    def _console(self, message: ConsoleMessage) -> None:
        # Chromium reports a violated content security policy as an error here.
        wanted = message.type == "error" or "Content Security Policy" in message.text
        # On a deep link Streamlit looks for its server below the page's address before it looks beside it.
        probe = PROBE.search(message.location.get("url", "")) is not None
        if wanted and not probe and not any(known in message.text for known in HARMLESS):
            self.complaints.append(f"console {message.type}: {message.text}")


def forget(context: BrowserContext) -> None:
    """Leave nothing of a test in the visitor's profile but the first tab and the cached scripts."""
    keeper, *opened = context.pages
    for page in opened:
        page.close()
    context.unroute_all()
    context.set_offline(False)
    context.clear_permissions()
    session = context.new_cdp_session(keeper)
    session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    session.detach()


def wait_until_idle(page: Page, runs: int = 1) -> None:
    """Wait until at least `runs` script runs have ended in this tab, none is under way and nothing is stale."""
    page.evaluate("window.idleFrames = 0")
    page.wait_for_function(IDLE, arg=runs)


def visit(page: Page, url: str) -> None:
    """Open an address as a new session and wait until its first run has been drawn."""
    page.goto(url)
    wait_until_idle(page)


@contextlib.contextmanager
def rerun(page: Page) -> Iterator[None]:
    """What is done inside makes the app run again: wait for the end of that run, page or fragment.

    Write it so::

        with rerun(page):
            page.get_by_role("button", name="Apply").click()
    """
    before: int = page.evaluate("window.runs")
    yield
    wait_until_idle(page, before + 1)
