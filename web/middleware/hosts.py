"""Check the host name that a request came by, and the page that it came from.

Without the first, a page of any website could have its own name point to this machine and read what is here (DNS
rebinding). Without the second, any website could open the websocket with a visitor's cookies. Streamlit has a check
of the origin, too. On a foreign one it asks a host on the internet for the machine's own address first. So ours comes
before it and is stricter: the port counts.
"""

from __future__ import annotations

import re

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from web.middleware.refusals import refuse
from web.site import Site, this_site

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
HOST = re.compile(r"(?P<name>[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")


def host_name(host: str) -> str | None:
    """Return the name in a Host header, in small letters and without its port; None if it is no host.

    >>> host_name("Example.org:8501"), host_name("[::1]:8501"), host_name("a@b")
    ('example.org', '::1', None)
    """
    match = HOST.fullmatch(host)
    return match["name"].strip("[]").lower().removesuffix(".") if match else None


class Hosts:
    """ASGI middleware that refuses a Host that is not ours and an Origin that is not ours.

    No Origin at all is let through: every browser sends one with a websocket's handshake and with an unsafe request.
    What comes without is no page but a program, which carries no visitor's cookies.
    """

    def __init__(self, app: ASGIApp, site: Site | None = None) -> None:
        self.app = app
        self.site = site or this_site()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request pass, or answer it here."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            if not self.is_ours(headers):
                await refuse(scope, send, 421, self.sentence())
                return
            unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
            if unsafe and not self.is_from_ours(headers):
                await refuse(scope, send, 403, "This request comes from a page of another site, which may not make it.")
                return
        await self.app(scope, receive, send)

    def is_ours(self, headers: Headers) -> bool:
        """Return whether the one Host header names this server."""
        hosts = headers.getlist("host")
        return len(hosts) == 1 and host_name(hosts[0]) in self.site.hosts

    def is_from_ours(self, headers: Headers) -> bool:
        """Return whether the Origin, if there is one, is the address people use or the very host that is asked."""
        origins = headers.getlist("origin")
        if not origins:
            return True
        same = {f"http://{headers['host']}", f"https://{headers['host']}", self.site.origin}
        return len(origins) == 1 and origins[0] in same - {""}

    def sentence(self) -> str:
        """Say that the server does not answer to this host name, and what to do."""
        known = self.site.host or "this machine's own names"
        return (
            f"This server does not answer to that name, only to {known}. "
            "Whoever runs it can set BLINDSPOT_URL to the address that people use."
        )
