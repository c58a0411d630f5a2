"""Hand a predictions file to the app: push it to a server, or show it with the server of this machine."""

from __future__ import annotations

import atexit
import html
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_started: list[subprocess.Popen[str]] = []


def push(
    path: str | os.PathLike[str],
    to: str,
    *,
    key: str | None = None,
    name: str = "",
    days: int | None = None,
    options: Sequence[str] = (),
) -> str:
    """Send a predictions file to a Blindspot server; returns the link.

    Parameters
    ----------
    to : the server, such as https://host/path.
    key : the API key; None = that of BLINDSPOT_KEY.
    name : what the link is called. days : how long it lasts; None = as the server has it.
    options : further words of `blindspot-eval push`, such as "--weights=w".

    Raises
    ------
    ValueError
        one sentence: about the file, the key, or what the server says.
    """
    words = ["push", os.fspath(path), "--to", to, "--name", name or Path(path).stem]
    words += [*([] if days is None else ["--days", str(days)]), *options]
    ran = subprocess.run(
        command_of(words), env=environment_of({"BLINDSPOT_KEY": key}), capture_output=True, text=True, check=False
    )
    if ran.returncode:
        raise ValueError(last_line(ran.stderr) or f"The push ended with exit code {ran.returncode}.")
    return ran.stdout.strip()


class Shown(NamedTuple):
    """A file in the app. In a notebook it is drawn as a link and, where the server allows it, as a frame below.

    why : why there is no frame; "" = there is one.
    """

    url: str
    why: str
    height: int

    def __str__(self) -> str:
        return self.url

    def _repr_html_(self) -> str:
        address = html.escape(self.url)
        link = f'<a href="{address}" target="_blank" rel="noopener">{address}</a>'
        frame = f'<iframe src="{address}" width="100%" height="{self.height}" style="border:0"></iframe>'
        return f"{link}<br>{html.escape(self.why) or frame}"


def show(path: str | os.PathLike[str], *, height: int = 800) -> Shown:
    """Show a predictions file, or a folder of epochs, in the app; starts the server of this machine if none runs.

    A server that is started here ends with this process. It needs the package's extra `app`.

    Parameters
    ----------
    height : of the frame in a notebook, in pixels.

    Raises
    ------
    ValueError
        one sentence: the file cannot be read, or the server does not start.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8") as complaints:  # a pipe that nobody reads would stop the server
        started = subprocess.Popen(
            command_of(["open", os.fspath(path), "--no-browser"]),
            env=environment_of({"BLINDSPOT_FRAMED_BY": _find_notebook()}),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints, text=True,
        )  # fmt: skip
        _started.append(started)
        assert started.stdout is not None
        url = started.stdout.readline().strip()
        if not url.startswith("http"):
            complaints.seek(0)
            raise ValueError(last_line(complaints.read()) or "The app did not start.")
    return Shown(url, explain_no_frame(url), height)


def _find_notebook() -> str | None:
    """Return the addresses of the Jupyter server that runs this notebook; None where it is not found.

    A frame is allowed to that server alone: any other program with a port of this machine could show one, too.
    """
    paths = sys.modules.get("jupyter_core.paths")  # a kernel has imported it
    if paths is None:
        return None
    try:
        text = Path(paths.jupyter_runtime_dir(), f"jpserver-{os.getppid()}.json").read_text(encoding="utf-8")
        port = int(json.loads(text)["port"])
    except (AttributeError, OSError, ValueError, KeyError, TypeError):
        return None
    return f"http://localhost:{port} http://127.0.0.1:{port}"


def last_line(text: str) -> str:
    r"""Return the sentence that a command ends with; a log may stand above it.

    >>> last_line("log\nThere is no such file.\n")
    'There is no such file.'
    """
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")


def command_of(words: Sequence[str]) -> list[str]:
    """Return how this package's command is run from here."""
    return [sys.executable, "-m", __package__ or "blindspot_eval", *words]


def environment_of(more: dict[str, str | None]) -> dict[str, str]:
    """Return the environment of a command: this one's, what is given where it has none, and where this package lies."""
    environment = {**{name: value for name, value in more.items() if value}, **os.environ}
    if more.get("BLINDSPOT_KEY"):
        environment["BLINDSPOT_KEY"] = str(more["BLINDSPOT_KEY"])
    paths = [str(Path(__file__).resolve().parents[1]), environment.get("PYTHONPATH", "")]
    return environment | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def explain_no_frame(url: str) -> str:
    """Return why no page of a server stands in a frame below a cell; "" where it may."""
    if "google.colab" in sys.modules or os.environ.get("KAGGLE_KERNEL_RUN_TYPE"):
        return "This notebook runs on another machine, whose address your browser cannot open: use report() instead."
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(url, timeout=10) as answer:
            allowed = "X-Frame-Options" not in answer.headers
    except OSError:
        return "The app does not answer any more: call show() again, or report()."
    return "" if allowed else "This server allows no frame in this notebook: open the link, or use report()."


@atexit.register
def _stop_servers() -> None:
    for server in _started:
        if server.poll() is None:
            server.terminate()  # it stops the server that it started; what a notebook starts may not hear Ctrl+C
