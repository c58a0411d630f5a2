"""The hardened server: `app.py` behind the middleware of `web/`.

`python server.py` starts it on 127.0.0.1:8501 (`--port` or the environment variable PORT change the port, 0 takes a
free one). What else there is to set stands in `docs/deployment.md`.
"""

from __future__ import annotations

import signal

# Ctrl+C while the modules below are imported would print a traceback. A program in the background ignores it.
if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.types import ASGIApp

# pyarrow asks once, while it is loaded. Its own allocator keeps some 30 MB that it never returns; that of the C library
# does return them, and is as fast.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

from data import environment
from data.process.heap import share_heaps
from web.link_pages import LinkPages
from web.middleware.closed_routes import Closed
from web.middleware.errors import on_request_error, on_script_error
from web.middleware.headers import SecurityHeaders, security_headers
from web.middleware.hosts import Hosts
from web.middleware.login_return import BackAfterLogin
from web.middleware.peer import Peer
from web.middleware.session_owners import SessionOwners
from web.middleware.static_files import StaticFiles
from web.middleware.websocket_messages import Messages
from web.routes import ROUTES, routes_below
from web.site import this_site
from web.start import (
    ignore_packaged_components,
    lifespan,
    require_free,
    require_login,
    require_login_for_links,
    require_usable_places,
    require_usable_secrets,
    set_transport,
    silence_configuration,
    streamlit_options,
)
from web.uploads.guard import UploadGuard

HERE = Path(__file__).resolve().parent
PAGES = tuple(script.stem for script in (HERE / "pages").glob("*/*.py"))
"""The names of the pages, each of which is its address."""
# From the outside in: every answer has the headers, and whoever comes by a wrong name learns nothing else.
DOOR: list[Callable[..., ASGIApp]] = [
    SecurityHeaders, Hosts, LinkPages, Peer, Closed, StaticFiles, UploadGuard, SessionOwners, Messages, BackAfterLogin,
]  # fmt: skip
PAGE_MODULES = ("ui.frame.loaded", "ui.frame.frame")
"""Modules that every page imports, half of the time of the first visit: imported while nobody waits."""
_OPTIONS: dict[Callable[..., ASGIApp], dict[str, Any]] = {StaticFiles: {"pages": PAGES}}


def compose() -> st.App:
    """Return the app behind its middleware, as the environment variables want it."""
    site = this_site()
    return st.App(
        HERE / "app.py",
        routes=routes_below(site.base_path, ROUTES),
        middleware=[Middleware(part, **_OPTIONS.get(part, {})) for part in DOOR],
        lifespan=lifespan,
        on_script_error=on_script_error,
        exception_handlers={Exception: on_request_error(security_headers(site))},
    )


def parse_port(arguments: list[str] | None = None) -> int:
    """Return the port asked for: `--port`, else PORT, else 8501.

    >>> parse_port(["--port", "9000"])
    9000
    """
    parser = argparse.ArgumentParser(description="Start Blindspot; docs/deployment.md lists the environment variables.")
    parser.add_argument("--port", type=int, default=environment.value("PORT"), help="0 takes a free port")
    port: int = parser.parse_args(arguments).port
    if not 0 <= port <= 65535:
        parser.error(f"the port must lie between 0 and 65535, not at {port}")
    return port


def main() -> None:
    """Serve until interrupted."""
    try:
        environment.check()
        port, site = parse_port(), this_site()
        require_usable_secrets()
        require_usable_places()
        require_login(site)
        require_login_for_links()
        require_free(site, port)
    except environment.SettingError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None
    # Else uvicorn believes whoever asks from this machine about the address it is asked for; Peer knows the proxies.
    os.environ["FORWARDED_ALLOW_IPS"] = ""
    silence_configuration()
    set_transport()
    ignore_packaged_components()
    share_heaps()
    app = compose()
    app.state["announce"] = True
    app.state["imports"] = PAGE_MODULES
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # uvicorn has shut down by then, and raises it for whoever called
        app.run(config=streamlit_options(site, port))


if __name__ == "__main__":
    main()
