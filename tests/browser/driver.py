"""Starting the real server and driving it in a real Chromium; the fixtures of `conftest.py` stand on this."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, ViewportSize, WebError, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.ceiling import CEILING_SECONDS

ROOT = Path(__file__).resolve().parents[2]
LAPTOP: ViewportSize = {"width": 1280, "height": 900}
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Nothing leaves the machine, and a request that tries shows up as a failed one.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
# All tests share a tab: what its scripts do again and again is worth compiling well.
QUICK = ["--process-per-site", "--js-flags=--no-script-streaming"]
HARMLESS = (
    # Streamlit's Graphviz chart says on load that it draws on the main thread.
    "No script tag of type",
    # The driver's own script, which counts runs, is refused where a frame may run none.
    "Blocked script execution in 'about:srcdoc'",
)
expect.set_options(timeout=CEILING_SECONDS * 1000)
RERUN = BackMsg.DESCRIPTOR.fields_by_name["rerun_script"].number
FINISHED = ForwardMsg.DESCRIPTOR.fields_by_name["script_finished"].number
INTERRUPTED = ForwardMsg.FINISHED_EARLY_FOR_RERUN

# A quick run leaves no trace in the page: React draws its start and its end as one. So the messages are counted: each
# that asks the server for a run, and each in which it says that a run has ended. That answers all that were asked
# before. Both are found by walking the top level of the Protobuf message. And each script of a component is counted
# that was asked for and has not come: before it has, a key or a click on what it draws or listens to is lost.
COUNT_RUNS = f"""
window.asked = window.answered = window.scripts = 0;
const valueOf = (bytes, wanted) => {{
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
    if (tag >> 3 === wanted) return value;
    if (kind !== 0) at += value;
  }}
}};
window.WebSocket = class extends WebSocket {{
  constructor(...options) {{
    super(...options);
    this.addEventListener("message", event => {{
      const status = event.data instanceof ArrayBuffer && valueOf(new Uint8Array(event.data), {FINISHED});
      if (Number.isInteger(status) && status !== {INTERRUPTED}) window.answered = window.asked;
    }});
  }}
  send(message) {{
    if (message instanceof Uint8Array && valueOf(message, {RERUN}) !== undefined) window.asked += 1;
    super.send(message);
  }}
}};
const create = URL.createObjectURL;
URL.createObjectURL = source => {{
  if (source.type !== "text/javascript") return create.call(URL, source);
  window.scripts += 1;
  return create.call(URL, new Blob([source, "\\nwindow.scripts -= 1;"], {{ type: source.type }}));
}};
"""
# What an answer changes is drawn later: Streamlit waits 10 milliseconds for more, then React draws, then a component in
# the next frame. A timer set after that one fires after it, and a task in the background runs once nothing else is
# left: an order, not a guess of a duration. (No idle callback ever comes while a finger rests on the page.)
IDLE = """
async asked => {
  const later = () => new Promise(
    done => setTimeout(() => requestAnimationFrame(() => scheduler.postTask(done, { priority: "background" })), 15));
  const drawn = chart => !chart.checkVisibility() || chart.querySelector(".main-svg");
  const app = () => document.querySelector('[data-testid="stApp"]')?.dataset;
  const shown = () => !document.getElementById("splash") || "shown" in document.documentElement.dataset;
  const idle = () => shown() && app()?.testScriptState === "notRunning" && app().testConnectionState === "CONNECTED"
    && window.asked >= asked && window.answered === window.asked && window.scripts === 0
    && !document.querySelector('[data-stale="true"], [data-testid="stSkeleton"]')
    && [...document.querySelectorAll('[data-testid="stPlotlyChart"]')].every(drawn);
  for (let seen = 0; seen < 2; seen = idle() ? seen + 1 : 0) await later();
  return true;
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

    def wait_for_output(self, text: str) -> str:
        """Everything printed so far, once a text is among it: what a browser sees may come before what is read here."""
        ceiling = time.monotonic() + CEILING_SECONDS
        while text not in self.output():
            assert time.monotonic() < ceiling, f"not printed: {text}\n{self.output()}"
            time.sleep(0.01)
        return self.output()


def _read(process: subprocess.Popen[str], lines: list[str], ready: threading.Event) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        if "Blindspot is at" in line:
            ready.set()
    ready.set()


@contextlib.contextmanager
def start_server(folder: Path, store: Path, port: int | None = None) -> Iterator[Server]:
    """`python server.py` of a folder on a port (a free one) and a store of its own, stopped at the end."""
    environment = {**os.environ, "BLINDSPOT_STORE": str(store), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "server.py", "--port", str(port or 0)],
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
        ready.wait(CEILING_SECONDS)
        found = re.search(r"Blindspot is at (\S+)", "".join(lines))
        assert found, "the server did not start:\n" + "".join(lines)
        wait_until_healthy(found[1])
        yield Server(process, found[1], store, lines)
    finally:
        process.terminate()
        try:
            process.wait(CEILING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_healthy(url: str) -> None:
    """The socket is bound before Streamlit is up: a first connection waits in its queue for the answer."""
    with urllib.request.urlopen(f"{url}/_stcore/health", timeout=CEILING_SECONDS) as answer:
        assert answer.read() == b"ok"


def chromium_path() -> str | None:
    """The Chromium of the PATH, without its window if there is one: a quarter less work a page. None = Playwright's."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = (shutil.which(name) for name in names)
    return next((path for path in found if path), None)


def is_loopback(url: str) -> bool:
    """Return whether a request stays on this machine; blob: and data: are no requests to anybody."""
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
        if wanted and not any(known in message.text for known in HARMLESS):
            self.complaints.append(f"console {message.type}: {message.text}")


def new_visitor(browser: Browser, **options: Any) -> BrowserContext:
    """Another visitor with a profile of his own, at a laptop's size; whoever asks for him closes him."""
    visitor = browser.new_context(**{"viewport": LAPTOP, "reduced_motion": "reduce", **options})
    visitor.add_init_script(COUNT_RUNS)
    visitor.set_default_timeout(CEILING_SECONDS * 1000)
    return visitor


def forget(context: BrowserContext) -> None:
    """Leave nothing of a test in the visitor's profile but the first tab and the cached scripts.

    The process that draws all tabs keeps those that were closed until its garbage is collected: 20 MB each.
    """
    keeper, *opened = context.pages
    for page in opened:
        page.close()
    context.unroute_all()
    context.set_offline(False)
    context.clear_permissions()
    session = context.new_cdp_session(keeper)
    kinds = "all" if opened else "local_storage,indexeddb"  # the first tab goes on, and its uploads need its cookie
    session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": kinds})
    if opened:
        session.send("HeapProfiler.collectGarbage")
    session.detach()


def forget_history(page: Page) -> None:
    """Begin the history of a tab at the address that it shows: it holds 50 entries, and then counts no further one."""
    session = page.context.new_cdp_session(page)
    session.send("Page.resetNavigationHistory")
    session.detach()


def wait_until_idle(page: Page, asked: int = 1) -> None:
    """Wait until at least `asked` runs were asked for in this tab, all are over, and what they changed is drawn."""
    page.wait_for_function(IDLE, arg=asked)
    while page.evaluate("location.href") != page.url:  # news of the address take another way, and may be later
        pass


def visit(page: Page, url: str) -> None:
    """Open an address as a new session and wait until its first run has been drawn."""
    page.goto(url)
    wait_until_idle(page)


def show(page: Page, url: str) -> None:
    """Go to an address in the session of the tab, as Back does: a quarter of the work of a visit (0.6 s, not 2.5 s)."""
    if urlsplit(page.url)[:2] != urlsplit(url)[:2] or not page.get_by_test_id("stApp").count():
        return visit(page, url)
    with rerun(page):
        page.evaluate("url => { history.pushState({}, '', url); dispatchEvent(new PopStateEvent('popstate')) }", url)


@contextlib.contextmanager
def rerun(page: Page) -> Iterator[None]:
    """Wait for the end of the run, page or fragment, that what is done inside starts.

    Write it so::

        with rerun(page):
            page.get_by_role("button", name="Apply").click()
    """
    wait_until_idle(page)  # a run that is still under way would be taken for the one that is asked for now
    before: int = page.evaluate("window.asked")
    yield
    wait_until_idle(page, before + 1)
