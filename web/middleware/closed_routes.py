"""Answer 404 on routes that Streamlit would serve to anybody and Blindspot does not use.

Below `/_stcore/` only what is listed is open: a new endpoint of a newer Streamlit is closed until somebody reads what
it does. Closed that way: metrics (how many people, how much memory); the script health check (it runs the app); the
agent API and its description; files of packaged components.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from web.middleware.refusals import refuse
from web.site import Site, this_site

OPEN = ("/_stcore/health", "/_stcore/host-config", "/_stcore/stream")
OPEN_BELOW = ("/_stcore/upload_file/",)
CLOSED_BELOW = ("/_stcore/", "/component/", "/app/static/")


def is_closed(path: str) -> bool:
    """Return whether a path, without the base path, is answered with 404.

    >>> is_closed("/_stcore/metrics"), is_closed("/_stcore/health"), is_closed("/confusion")
    (True, False, False)
    """
    if path in OPEN or path.startswith(OPEN_BELOW):
        return False
    return f"{path}/".startswith(CLOSED_BELOW)


class Closed:
    """ASGI middleware that answers 404 on closed routes."""

    def __init__(self, app: ASGIApp, site: Site | None = None) -> None:
        self.app = app
        self.base_path = (site or this_site()).base_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request pass, or answer it here."""
        path = scope.get("path", "")
        if scope["type"] in ("http", "websocket") and is_closed(path.removeprefix(self.base_path)):
            await refuse(scope, send, 404, "There is nothing here.")
            return
        await self.app(scope, receive, send)
