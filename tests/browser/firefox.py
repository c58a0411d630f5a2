"""Drive Debian's Firefox over its own Marionette port: Playwright drives only a Firefox that it built itself.

A message is JSON behind its length and a colon. A command is `[0, number, name, parameters]`, its answer
`[1, number, error, result]`. The names of the commands are WebDriver's.
"""

import contextlib
import itertools
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.browser.driver import LAPTOP
from tests.ceiling import CEILING_SECONDS

FIREFOX = shutil.which("firefox-esr")
PREFERENCES = {
    "marionette.port": 0,  # a free one
    "ui.prefersReducedMotion": 1,
    # Nothing leaves the machine: but for its own addresses, Firefox asks a proxy that is not there.
    "network.proxy.type": 1,
    "network.proxy.socks": "127.0.0.1",
    "network.proxy.socks_port": 9,
}
# What every script may use: elements that are seen, also inside components, and where one is that moves no more.
FIND = """
const inside = root => [...root.querySelectorAll("*")].map(element => element.shadowRoot).filter(Boolean);
const below = (selector, root) => [
  ...root.querySelectorAll(selector),
  ...inside(root).flatMap(root => below(selector, root)),
];
const all = selector => below(selector, document).filter(element => element.checkVisibility());
const find = (selector, words) => all(selector).find(element => element.textContent.includes(words));
let last;
const place = (selector, words) => {
  const box = find(selector, words)?.getBoundingClientRect();
  const [before, now] = [last, JSON.stringify(box)];
  last = now;
  return box && before === now && [box.left, box.top];
};
"""


class Firefox:
    """A tab of a running Firefox."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=CEILING_SECONDS)
        self._answers = self._socket.makefile("rb")
        self._numbers = itertools.count(1)
        self._receive()  # which protocol Firefox speaks
        timeouts = dict.fromkeys(("script", "pageLoad"), CEILING_SECONDS * 1000)
        self.send("WebDriver:NewSession", timeouts=timeouts)

    def send(self, command: str, **parameters: object) -> Any:
        """Send a command and return the value of its answer."""
        message = json.dumps([0, next(self._numbers), command, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, _, error, result = self._receive()
        assert error is None, f"{command}: {error['message']}"
        return result.get("value")

    def _receive(self) -> Any:
        length = b"".join(iter(lambda: self._answers.read(1), b":"))
        return json.loads(self._answers.read(int(length)))

    def visit(self, url: str) -> None:
        """Open an address and wait until its page shows: a click before would meet the splash."""
        self.send("WebDriver:Navigate", url=url)
        self.wait_for("'shown' in document.documentElement.dataset")

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page, or what its promise becomes."""
        return self.send("WebDriver:ExecuteScript", script=f"{FIND} return {expression}", args=[])

    def wait_for(self, expression: str) -> Any:
        """Wait until a JavaScript expression is true in the page; return its value."""
        look = f"const look = () => {{ const value = {expression}; value ? done(value) : setTimeout(look, 50); }};"
        return self.evaluate(f"new Promise(done => {{ {look} look(); }})")

    def place(self, selector: str, words: str = "") -> tuple[float, float]:
        """Return where an element begins, once it has come and moves no more."""
        left, top = self.wait_for(f"place({json.dumps(selector)}, {json.dumps(words)})")
        return left, top

    def mouse(self, *actions: str | tuple[float, float]) -> None:
        """Move the mouse to places of the window; "Down" presses its button, "Up" releases it."""
        steps = [
            {"type": f"pointer{action}", "button": 0}
            if isinstance(action, str)
            else {"type": "pointerMove", "x": round(action[0]), "y": round(action[1]), "duration": 0}
            for action in actions
        ]
        self.send("WebDriver:PerformActions", actions=[{"type": "pointer", "id": "mouse", "actions": steps}])

    def click(self, selector: str, words: str = "", off: tuple[float, float] = (4, 4)) -> None:
        """Click an element, so far from its upper left corner."""
        left, top = self.place(selector, words)
        self.mouse((left + off[0], top + off[1]), "Down", "Up")


@contextlib.contextmanager
def start_firefox(profile: Path) -> Iterator[Firefox]:
    """Run Firefox without a window, with a profile of its own, ended at the end."""
    preferences = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (profile / "user.js").write_text("".join(preferences), encoding="utf-8")
    size = [f"--{name}={value}" for name, value in LAPTOP.items()]
    process = subprocess.Popen(
        [str(FIREFOX), "--marionette", "--headless", "--no-remote", "--profile", str(profile), *size],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Firefox(_port_of(process, profile))
    finally:
        process.terminate()
        process.wait(CEILING_SECONDS)


def _port_of(process: subprocess.Popen[bytes], profile: Path) -> int:
    """Wait until Firefox has written its port into its profile."""
    written = profile / "MarionetteActivePort"
    while not (written.exists() and written.read_text()):
        assert process.poll() is None, "Firefox did not start"
        time.sleep(0.05)
    return int(written.read_text())
