"""Measure how many reruns a second twenty visitors get through the real server, with and without our settings.

The page behind the middleware is a slider and a number, so that what is measured is Streamlit and its settings:
`runner.postScriptGC = false` and the frozen start-up objects (see `.streamlit/config.toml` and `web/start.py`).
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from tests.browser.driver import ROOT, start_server

SESSIONS = 20
RERUNS = 20
PAGE = (
    "import pandas, plotly.graph_objects\nimport streamlit as st\nst.metric('value', st.slider('x', 0, 100, key='x'))\n"
)


def measure() -> dict[str, float]:
    """Reruns a second (higher is better), the median wait for one, and the gain over Streamlit's default."""
    with _running() as url:
        ours, wait = _load(url)
    with _running(settings=("postScriptGC = false", "postScriptGC = true"), start=("gc.freeze()", "pass")) as url:
        default, _ = _load(url)
    return {
        "sessions": SESSIONS,
        "reruns a second": round(ours),
        "rerun_s": wait,
        "gain_over_the_default_ratio": ours / default,
    }


@contextmanager
def _running(*, settings: tuple[str, str] = ("", ""), start: tuple[str, str] = ("", "")) -> Iterator[str]:
    """The real configuration and server in front of `PAGE`, each with one text replaced."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".streamlit").mkdir()
        shutil.copytree(ROOT / "web", folder / "web", ignore=shutil.ignore_patterns("__pycache__"))
        for rest in ("data", "text"):
            (folder / rest).symlink_to(ROOT / rest)
        for file, (old, new) in (
            (".streamlit/config.toml", settings),
            ("web/start.py", start),
            ("server.py", ("", "")),
        ):
            text = (ROOT / file).read_text(encoding="utf-8")
            assert old in text, f"{file} has no {old} any more: this benchmark would compare nothing"
            (folder / file).write_text(text.replace(old, new) if old else text, encoding="utf-8")
        (folder / "app.py").write_text(PAGE, encoding="utf-8")
        with start_server(folder, folder / "store") as server:
            yield server.url


def _load(url: str) -> tuple[float, float]:
    """Reruns a second and the median seconds of one, all sessions at it without a pause."""
    address = url.replace("http", "ws") + "/_stcore/stream"
    with ThreadPoolExecutor(SESSIONS) as pool:
        sockets = list(pool.map(lambda _: connect(address, max_size=None), range(SESSIONS)))
        list(pool.map(_rerun, sockets))  # the first run of each session imports and opens
        start = perf_counter()
        waits = [wait for waits in pool.map(_visit, sockets) for wait in waits]
        seconds = perf_counter() - start
        for socket in sockets:
            socket.close()
    return len(waits) / seconds, median(waits)


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
