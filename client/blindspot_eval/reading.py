"""Read the numbers behind a share link from its server."""

from __future__ import annotations

import http.client
import json
import os
import re
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import parse_qs, urlsplit

_MOST_BYTES = 64 << 20
_SECONDS = 120
_HERE = ("127.0.0.1", "localhost", "::1")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key is for one server."""

    def redirect_request(self, *_: Any) -> None:
        return None


def numbers(link: str, *, key: str | None = None) -> dict[str, Any]:
    """Return every number behind a share link, as the exported JSON has it; None where one is undefined.

    Parameters
    ----------
    link : a share link, or the address of its static page. key : an API key of the scope read; None = BLINDSPOT_KEY.

    Raises
    ------
    ValueError
        one sentence: the address or the key is missing, or what the server says.
    """
    secret = key or os.environ.get("BLINDSPOT_KEY", "")
    if not secret:
        raise ValueError("Reading needs an API key of the scope read: give key=…, or set BLINDSPOT_KEY.")
    request = urllib.request.Request(find_endpoint(link), headers={"Authorization": f"Bearer {secret}"})
    try:
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=_SECONDS) as answer:
            read: dict[str, Any] = json.loads(answer.read(_MOST_BYTES))
    except urllib.error.HTTPError as error:
        raise ValueError(_read_refusal(error)) from None
    except OSError as error:  # of urllib, which holds why
        cause = getattr(error, "reason", error)
        why = getattr(cause, "strerror", None) or cause
        raise ValueError(f"This link's server cannot be reached ({why}); check the address and the network.") from None
    except (ValueError, http.client.HTTPException):
        raise ValueError("The server of this link did not answer with numbers; check that it is Blindspot's.") from None
    return read


def find_endpoint(link: str) -> str:
    """Return the address of the numbers behind a link.

    >>> find_endpoint("https://host/blindspot/overview?t=0.4&run=abc")
    'https://host/blindspot/api/v1/runs/abc/numbers'
    >>> find_endpoint("https://host/shared/abc")
    'https://host/api/v1/runs/abc/numbers'

    Raises
    ------
    ValueError
        it is no share link, or would send the key over plain http to another machine.
    """
    parts = urlsplit(link)
    before, _, last = parts.path.rpartition("/")
    token = parse_qs(parts.query).get("run", [""])[0]
    if not token and before.endswith("/shared"):
        before, token = before.removesuffix("/shared"), last
    if parts.scheme not in ("http", "https") or not parts.netloc or not re.fullmatch(r"[\w-]{1,80}", token, re.ASCII):
        raise ValueError("This is no share link: an address such as https://host/overview?run=TOKEN was wanted.")
    if parts.scheme == "http" and parts.hostname not in _HERE:
        raise ValueError("The key is not sent over plain http to another machine: use the https address.")
    return f"{parts.scheme}://{parts.netloc}{before}/api/v1/runs/{token}/numbers"


def _read_refusal(error: urllib.error.HTTPError) -> str:
    """Return the server's own sentence, if there is one."""
    try:
        message = json.loads(error.read(1 << 16))["error"]
    except (ValueError, KeyError, TypeError, OSError):
        return f"The server refuses to give the numbers (status {error.code})."
    return str(message)
