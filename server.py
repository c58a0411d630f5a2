"""The hardened door: `app.py` behind security headers, with error references instead of tracebacks.

`python server.py` starts it on 127.0.0.1:8501 (`--port` or the environment variable PORT change the
port, 0 takes a free one). What else there is to set stands in `.streamlit/config.toml`.
"""

from __future__ import annotations

import argparse
import base64
import gc
import hashlib
import logging
import os
import re
import secrets
import socket
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager

HERE = Path(__file__).resolve().parent
ADDRESS = "127.0.0.1"  # predictions are private: opening the door to a network is a decision that is not made yet
REFERENCE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # nothing that is misread over the phone
log = logging.getLogger("blindspot")


def inline_script_hashes(html: str) -> list[str]:
    """Content-security-policy sources for the inline scripts of a page, so that no other inline script runs.

    >>> inline_script_hashes("<script src='a.js'></script><script>1</script>")
    ["'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"]
    """
    bodies = re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)
    digests = (base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() for body in bodies)
    return [f"'sha256-{digest}'" for digest in digests]


def content_security_policy(html: str) -> str:
    """The strictest policy under which everything Blindspot uses of Streamlit works; `html` is Streamlit's page.

    `blob:` carries the scripts of our own components, `wasm-unsafe-eval` Streamlit's Graphviz, and inline
    *styles* are how Streamlit and Plotly style everything. There is no `unsafe-eval` and no foreign host.
    """
    sources = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "blob:", "'wasm-unsafe-eval'", *inline_script_hashes(html)]),
        "worker-src": "'self' blob:",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in sources.items())


def security_headers() -> dict[str, str]:
    """What every answer carries. Run ids stand in the address, hence no referrer to anybody."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    return {
        "Content-Security-Policy": content_security_policy(page),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    }


HEADERS = security_headers()


class SecurityHeaders:
    """ASGI middleware that puts `HEADERS` on every HTTP answer, Streamlit's own included."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and add the headers when the answer starts."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, send_with_headers)


def new_reference() -> str:
    """Six random letters and digits by which a person's report is found in the log."""
    return "".join(secrets.choice(REFERENCE_ALPHABET) for _ in range(6))


def where_raised(error: BaseException) -> str:
    """File and line of the innermost frame, for the log line that carries the reference.

    >>> where_raised(ValueError("never raised"))
    'unknown place'
    """
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "unknown place"


def on_script_error(error: Exception) -> bool:
    """Show one sentence with a reference in place of the traceback, and log the reference.

    Streamlit has logged the traceback just before, in the same thread.
    """
    reference = new_reference()
    log.error("Error reference %s: %s at %s", reference, type(error).__name__, where_raised(error))
    st.error(
        f"Something went wrong inside Blindspot: please reload the page, and if it happens again, "
        f"report the reference **{reference}**.",
        icon=":material/error:",
    )
    return True


async def on_request_error(_request: Request, error: Exception) -> PlainTextResponse:
    """Answer a failed HTTP request with one sentence; the headers are added here, outside the middleware's reach."""
    reference = new_reference()
    log.error("Error reference %s: %s at %s", reference, type(error).__name__, where_raised(error))
    sentence = f"Something went wrong inside Blindspot. If it happens again, report the reference {reference}.\n"
    return PlainTextResponse(sentence, status_code=500, headers=HEADERS)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Move what start-up created out of the garbage collector's sight, then say where the app is.

    A full collection holds the interpreter lock while it walks every module's objects; see
    `runner.postScriptGC` in the configuration.
    """
    # A folder named pages/ makes Streamlit expect its old kind of pages until app.py has run once: the first deep link
    # after a start would be greeted with "Page not found".
    PagesManager.uses_pages_directory = False
    gc.collect()
    gc.freeze()
    if app.state.get("announce"):
        print(f"Blindspot is at http://{ADDRESS}:{config.get_option('server.port')}")
        print("Press Ctrl+C to stop it.", flush=True)
    yield


app = st.App(
    HERE / "app.py",
    middleware=[Middleware(SecurityHeaders)],
    lifespan=lifespan,
    on_script_error=on_script_error,
    exception_handlers={Exception: on_request_error},
)


def parse_port(arguments: list[str] | None = None) -> int:
    """The port asked for: `--port`, else PORT, else 8501.

    >>> parse_port(["--port", "9000"])
    9000
    """
    parser = argparse.ArgumentParser(description="Start Blindspot on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=os.environ.get("PORT") or "8501", help="0 takes a free port")
    port: int = parser.parse_args(arguments).port
    if not 0 <= port <= 65535:
        parser.error(f"the port must lie between 0 and 65535, not at {port}")
    return port


def require_free(port: int) -> None:
    """End with a sentence that helps if another program has the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does: a port just left is free
        try:
            probe.bind((ADDRESS, port))
        except OSError as error:
            raise SystemExit(
                f"Port {port} cannot be used ({error.strerror}). Try another: PORT={port + 1} make run"
            ) from None


def main() -> None:
    """Serve until interrupted."""
    port = parse_port()
    require_free(port)
    app.state["announce"] = True
    app.run(config={"server.address": ADDRESS, "server.port": port, "logger.hideWelcomeMessage": True})


if __name__ == "__main__":
    main()
