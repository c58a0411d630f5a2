"""One request to a Blindspot server, with the standard library: no redirects, and one sentence for what fails."""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from data.errors import DataError

_MOST_BYTES = 16 << 20


class Answer(NamedTuple):
    """What came back: the status, the JSON object in it (None if it is none), and where it sends to, if it does."""

    status: int
    said: dict[str, Any] | None
    location: str = ""


class _Refusable:
    """A connection whose server may answer before it has read everything; what it says is read, then."""

    def request(self, *arguments: Any, **named: Any) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            super().request(*arguments, **named)  # type: ignore[misc]


class _Plain(_Refusable, http.client.HTTPConnection):
    pass


class _Secure(_Refusable, http.client.HTTPSConnection):
    pass


class _PlainHandler(urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Plain, request)


class _SecureHandler(urllib.request.HTTPSHandler):
    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Secure, request, context=ssl.create_default_context())


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to wherever it points."""

    def redirect_request(self, *_: Any) -> None:
        return None


def send(url: str, headers: Mapping[str, str], body: Iterable[bytes] | None = None, *, seconds: float) -> Answer:
    """Ask with GET, or send a body with POST.

    seconds : how long the server may say nothing.

    Raises
    ------
    DataError
        one sentence: the server cannot be reached, or is not whom it says it is.
    """
    request = urllib.request.Request(url, data=body, headers=dict(headers), method="GET" if body is None else "POST")
    try:
        with _opener(url).open(request, timeout=seconds) as response:
            return Answer(response.status, _object(response.read(_MOST_BYTES)))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, _object(_rest(error)), error.headers.get("Location", "")[:200])
    except (OSError, http.client.HTTPException) as error:
        raise DataError(_sentence(urlsplit(url).netloc, error, seconds)) from None


def _opener(url: str) -> urllib.request.OpenerDirector:
    """Through the proxy that the environment names, but for plain http, which is for this machine."""
    proxies = urllib.request.ProxyHandler({} if urlsplit(url).scheme == "http" else None)
    return urllib.request.build_opener(proxies, _PlainHandler, _SecureHandler, _NoRedirect)


def _rest(error: urllib.error.HTTPError) -> bytes:
    try:
        return error.read(_MOST_BYTES)
    except (OSError, http.client.HTTPException):
        return b""


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _sentence(host: str, error: BaseException, seconds: float) -> str:
    """What went wrong on the way, and what to look at."""
    why = getattr(error, "reason", None) or error
    if isinstance(why, ssl.SSLCertVerificationError):
        return (
            f"{host} shows a certificate that is not trusted here ({why.verify_message}); check the address, or have "
            "SSL_CERT_FILE name the certificate of whoever signed it."
        )
    if isinstance(why, ssl.SSLError):
        return f"{host} does not speak https there ({why.reason or 'TLS failed'}); check the address and its port."
    if isinstance(why, TimeoutError):
        return f"{host} said nothing for {seconds:,.0f} seconds; try again later, or look at the server."
    if isinstance(why, ConnectionRefusedError):
        return f"{host} cannot be reached: nothing listens there; check the address and whether the server runs."
    if isinstance(why, http.client.HTTPException | ConnectionError):
        return f"{host} ended the connection before it had answered; try again, or look at the server's log."
    return f"{host} cannot be reached ({getattr(why, 'strerror', None) or why}); check the address and the network."
