"""Put on every answer a strict content security policy and its companions; Secure on cookies, no-store on downloads.

Scripts, style sheets and fonts carry the few of them that count there: a first visit loads a hundred of these files.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from data import environment
from web.site import Site, this_site
from web.start_page import start_page

YEAR = 365 * 24 * 60 * 60  # seconds
Header: TypeAlias = tuple[bytes, bytes]
_POLICY = b"content-security-policy"
_PARTS = (b"application/javascript", b"text/javascript", b"text/css", b"font/", b"application/wasm")
"""Types of files that pages are made of, and that no browser runs or frames as a page."""
_OF_PARTS = (b"x-content-type-options", b"cross-origin-resource-policy", b"strict-transport-security")
_PART_POLICY = (_POLICY, b"default-src 'self' blob: 'wasm-unsafe-eval'")
"""The policy of a script counts for a worker that is made of it."""


def inline_script_hashes(html: str) -> list[str]:
    """Content-security-policy sources for the inline scripts of a page, so that no other inline script runs.

    >>> inline_script_hashes("<script src='a.js'></script><script>1</script>")
    ["'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"]
    """
    bodies = re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)
    digests = (base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() for body in bodies)
    return [f"'sha256-{digest}'" for digest in digests]


def content_security_policy(html: str, framed_by: Sequence[str] = ()) -> str:
    """Return the strictest policy under which everything Blindspot uses of Streamlit works; `html` is the page.

    framed_by : whose pages may show it in a frame; empty = nobody's.

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
        "frame-ancestors": " ".join(framed_by) or "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in sources.items())


def security_headers(site: Site) -> dict[str, str]:
    """Return the headers of every answer. Tokens of links stand in the address: no referrer, no search engine."""
    framed_by = environment.value("BLINDSPOT_FRAMED_BY")
    headers = {
        "Content-Security-Policy": content_security_policy(start_page(), framed_by),
        "X-Content-Type-Options": "nosniff",
        **({} if framed_by else {"X-Frame-Options": "DENY"}),
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
        "X-Robots-Tag": "noindex, nofollow",
    }
    # Without includeSubDomains: the other names of the domain are not ours to decide about.
    return headers | ({"Strict-Transport-Security": f"max-age={YEAR}"} if site.https else {})


def secure_cookie(cookie: bytes) -> bytes:
    """Return a Set-Cookie value that browsers send back over https only.

    Streamlit marks its cookies so only where it terminates TLS itself, which behind a proxy it never does.

    >>> secure_cookie(b"a=1; Path=/")
    b'a=1; Path=/; Secure'
    >>> secure_cookie(b"a=1; secure; Path=/")
    b'a=1; secure; Path=/'
    """
    attributes = [part.strip().lower() for part in cookie.split(b";")[1:]]
    return cookie if b"secure" in attributes else cookie + b"; Secure"


class SecurityHeaders:
    """ASGI middleware that puts the headers on every HTTP answer, Streamlit's own included."""

    def __init__(self, app: ASGIApp, site: Site | None = None) -> None:
        self.app = app
        self.site = site or this_site()
        headers = security_headers(self.site)
        self.headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        self.part_headers = [pair for pair in self.headers if pair[0] in _OF_PARTS] + [_PART_POLICY]
        self.names = {name for name, _ in self.headers} - {_POLICY}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and add the headers when the answer starts."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                message["headers"] = self._secure(message.get("headers", ()))
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _secure(self, answered: Iterable[Header]) -> list[Header]:
        """Return the headers of an answer with ours in place of its own."""
        headers = [(name.lower(), value) for name, value in answered if name.lower() not in self.names]
        named = {name for name, _ in headers}
        if b"content-disposition" in named:  # a download may hold rows
            headers = [pair for pair in headers if pair[0] != b"cache-control"]
            headers.append((b"cache-control", b"no-store"))
        if self.site.https and b"set-cookie" in named:
            headers = [(name, secure_cookie(value) if name == b"set-cookie" else value) for name, value in headers]
        is_part = any(name == b"content-type" and value.startswith(_PARTS) for name, value in headers)
        ours = self.part_headers if is_part else self.headers
        # a page without scripts has a stricter policy of its own
        return headers + [pair for pair in ours if pair[0] != _POLICY or _POLICY not in named]
