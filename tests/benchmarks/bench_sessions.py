"""Measure how many reruns a second twenty visitors get through the real server, with and without our settings.

The page behind the middleware is a slider and a number, so that what is measured is Streamlit and its settings:
`runner.postScriptGC = false` and the frozen start-up objects (see `.streamlit/config.toml` and `web/start.py`).
"""

import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from tests.benchmarks import subject
from tests.benchmarks.stopwatch import server_seconds
from tests.browser.driver import ROOT, Server, start_server

SESSIONS = 20
RERUNS = 20
PAGE = (
    "import pandas, plotly.graph_objects\nimport streamlit as st\nst.metric('value', st.slider('x', 0, 100, key='x'))\n"
)


class Load(NamedTuple):
    """Reruns a second, the median seconds that a visitor waits for one, and the server's processor seconds for one."""

    a_second: float
    wait: float
    cpu: float


def measure() -> dict[str, float]:
    """Time twenty visitors with our settings and with Streamlit's own."""
    start = f"{subject.SERVER_FOLDERS[0]}/start.py"
    default = {
        ".streamlit/config.toml": ("postScriptGC = false", "postScriptGC = true"),
        start: ("gc.freeze()", "pass"),
    }
    with _running({}) as server:
        ours = _load(server)
    with _running(default) as server:
        theirs = _load(server)
    return {
        "20 visitors: reruns a second": round(ours.a_second),
        "20 visitors: wait for a rerun, seconds": ours.wait,
        "20 visitors: processor for a rerun, seconds": ours.cpu,
        "20 visitors: reruns a second: times as many as with Streamlit's settings": ours.a_second / theirs.a_second,
        "20 visitors: processor for a rerun: times as long as with Streamlit's settings": ours.cpu / theirs.cpu,
    }


@contextmanager
def _running(changed: dict[str, tuple[str, str]]) -> Iterator[Server]:
    """The real configuration and server in front of `PAGE`; in some files one text is replaced."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".streamlit").mkdir()
        copied, *linked = subject.SERVER_FOLDERS
        shutil.copytree(ROOT / copied, folder / copied, ignore=shutil.ignore_patterns("__pycache__"))
        for rest in linked:
            (folder / rest).symlink_to(ROOT / rest)
        for file in {".streamlit/config.toml", "server.py", *changed}:
            text = (ROOT / file).read_text(encoding="utf-8")
            old, new = changed.get(file, ("", ""))
            assert old in text, f"{file} has no {old} any more: this benchmark would compare nothing"
            (folder / file).write_text(text.replace(old, new) if old else text, encoding="utf-8")
        (folder / "app.py").write_text(PAGE, encoding="utf-8")
        with start_server(folder, folder / "store") as server:
            yield server


def _load(server: Server) -> Load:
    """Rerun the page in all sessions at once, without a pause."""
    address = server.url.replace("http", "ws") + "/_stcore/stream"
    with ThreadPoolExecutor(SESSIONS) as pool:
        sockets = list(pool.map(lambda _: connect(address, max_size=None, ping_interval=None), range(SESSIONS)))
        list(pool.map(_rerun, sockets))  # the first run of each session imports and opens
        start, cpu = perf_counter(), server_seconds(server.process.pid)
        waits = [wait for waits in pool.map(_visit, sockets) for wait in waits]
        seconds, used = perf_counter() - start, server_seconds(server.process.pid) - cpu
        for socket in sockets:
            socket.close()
    return Load(len(waits) / seconds, median(waits), used / len(waits))


def _visit(socket: ClientConnection) -> list[float]:
    return [_rerun(socket) for _ in range(RERUNS)]


def _rerun(socket: ClientConnection) -> float:
    start = perf_counter()
    message = BackMsg()
    message.rerun_script.query_string = ""
    socket.send(message.SerializeToString())
    while ForwardMsg.FromString(socket.recv()).WhichOneof("type") != "script_finished":
        pass
    return perf_counter() - start
