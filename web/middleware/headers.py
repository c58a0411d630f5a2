"""Put on every answer a strict content security policy and its companions; Secure on cookies, no-store on downloads."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from data import environment
from web.site import Site, this_site
from web.start_page import start_page

YEAR = 365 * 24 * 60 * 60  # seconds


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


def secure_cookie(cookie: str) -> str:
    """Return a Set-Cookie value that browsers send back over https only.

    Streamlit marks its cookies so only where it terminates TLS itself, which behind a proxy it never does.

    >>> secure_cookie("a=1; Path=/")
    'a=1; Path=/; Secure'
    >>> secure_cookie("a=1; secure; Path=/")
    'a=1; secure; Path=/'
    """
    attributes = [part.strip().lower() for part in cookie.split(";")[1:]]
    return cookie if "secure" in attributes else f"{cookie}; Secure"


class SecurityHeaders:
    """ASGI middleware that puts the headers on every HTTP answer, Streamlit's own included."""

    def __init__(self, app: ASGIApp, site: Site | None = None) -> None:
        self.app = app
        self.site = site or this_site()
        self.headers = security_headers(self.site)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and add the headers when the answer starts."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                policy = headers.get("content-security-policy", self.headers["Content-Security-Policy"])
                headers.update(
                    {**self.headers, "Content-Security-Policy": policy}
                )  # a page without scripts has a stricter
                if "content-disposition" in headers:  # a download may hold rows
                    headers["cache-control"] = "no-store"
                self._secure_cookies(headers)
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _secure_cookies(self, headers: MutableHeaders) -> None:
        cookies = headers.getlist("set-cookie") if self.site.https else []
        if cookies:
            del headers["set-cookie"]
        for cookie in cookies:
            headers.append("set-cookie", secure_cookie(cookie))
