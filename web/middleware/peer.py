"""Find out who is asking: only headers of known proxies are believed.

A header that names a person or an address is only a claim. It is removed from every request that does not come from a
proxy in BLINDSPOT_PROXIES. So whatever reads it later cannot be lied to, Streamlit's `st.user` included.
"""

from __future__ import annotations

import ipaddress

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from data import environment


def plain_address(text: str) -> str | None:
    """Return an address for comparing: without port, IPv4 never written as IPv6; None if it is none.

    >>> plain_address("::ffff:10.0.0.7"), plain_address("[::1]:80"), plain_address("10.0.0.7:80"), plain_address("x")
    ('10.0.0.7', '::1', '10.0.0.7', None)
    """
    text = text.strip()
    bare = text[1:].partition("]")[0] if text.startswith("[") else text
    bare = bare.partition(":")[0] if bare.count(":") == 1 else bare
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


def proxies() -> frozenset[str]:
    """Return the addresses in BLINDSPOT_PROXIES, as they are compared."""
    named = (plain_address(text) for text in environment.value("BLINDSPOT_PROXIES"))
    return frozenset(address for address in named if address)


def client_address(scope: Scope) -> str:
    """Return the address of the client: the peer's, or the one that the known proxies forward.

    Each proxy appends the address it was asked from, so the list is read from its end: the first that is no proxy of
    ours is the client. What stands before it was sent by the client and may be invented. Empty if nobody knows.
    """
    client = scope.get("client")
    address = plain_address(client[0]) or "" if client else ""
    trusted = proxies()
    chain = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
    for claimed in reversed(chain.split(",")):
        claimed_address = plain_address(claimed)
        if address not in trusted or claimed_address is None:
            break
        address = claimed_address
    return address


def is_claim(name: str, user_header: str) -> bool:
    """Return whether a header says who is asking.

    >>> is_claim("x-forwarded-for", ""), is_claim("x-user", "X-User"), is_claim("x-xsrftoken", "X-User")
    (True, True, False)
    """
    return name.startswith("x-forwarded-") or name in ("forwarded", "x-real-ip", user_header.lower())


class Peer:
    """ASGI middleware that removes claims of strangers and takes over the proxies': client address, scheme."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.user_header: str = environment.value("BLINDSPOT_USER_HEADER")
        self.proxies = proxies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on as what it is."""
        if scope["type"] in ("http", "websocket"):
            client = scope.get("client")
            trusted = client is not None and plain_address(client[0]) in self.proxies
            scope = self.with_claims(scope) if trusted else self.without_claims(scope)
        await self.app(scope, receive, send)

    def without_claims(self, scope: Scope) -> Scope:
        """Return the request of a stranger, who may say anything but not who it is."""
        kept = [
            (name, text) for name, text in scope["headers"] if not is_claim(name.decode("latin-1"), self.user_header)
        ]
        return {**scope, "headers": kept}

    def with_claims(self, scope: Scope) -> Scope:
        """Return the request of a proxy. Two names for one person are none: the proxy has let one of them through."""
        headers = MutableHeaders(raw=list(scope["headers"]))
        if self.user_header and len(headers.getlist(self.user_header)) > 1:
            del headers[self.user_header]
        scheme = {"http": "http", "websocket": "ws"}[scope["type"]]
        secure = headers.get("x-forwarded-proto", scope.get("scheme", scheme)) in ("https", "wss")
        client = (client_address(scope), 0)
        return {**scope, "headers": headers.raw, "scheme": scheme + "s" * secure, "client": client}
