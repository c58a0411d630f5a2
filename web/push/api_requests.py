"""Share what all endpoints for programs do: keys instead of cookies, JSON instead of pages, threads for the disk."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

import anyio
from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from data import environment
from data.errors import DataError, NotNow
from data.sharing import api_keys, quota
from data.store import access, links
from web.limits import DRAIN_SECONDS
from web.middleware.refusals import Refusal

Endpoint = Callable[[Request], Awaitable[Response]]
_P = ParamSpec("_P")
_T = TypeVar("_T")
_STATUS: tuple[tuple[type[DataError], int, int], ...] = (
    (quota.TooMany, 429, 600),
    (api_keys.KeyRefused, 401, 0),
    (links.LinkGone, 404, 0),
    (access.NotForYou, 403, 0),
    (NotNow, 503, 60),
    (DataError, 422, 0),
)
"""(error, status, seconds after which it is worth another try); the first that fits holds."""


async def in_thread(work: Callable[_P, _T], *given: _P.args, **named: _P.kwargs) -> _T:
    """Run what waits for the disk, or for the reader, beside the event loop."""
    return await to_thread.run_sync(functools.partial(work, *given, **named), limiter=_threads())


@functools.lru_cache(maxsize=1)
def _threads() -> CapacityLimiter:
    """Return the limit of our own threads: those that Streamlit uses must not all wait for a reader."""
    return CapacityLimiter(2 * environment.value("BLINDSPOT_UPLOADS_AT_ONCE") + 8)


def answers(endpoint: Endpoint) -> Endpoint:
    """Return an endpoint whose refusals become JSON with one sentence: {"error": "…"}."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refusal as refusal:
            return _refuse(request, refusal)
        except DataError as error:
            status, seconds = next((status, seconds) for kind, status, seconds in _STATUS if isinstance(error, kind))
            return _refuse(request, Refusal(status, str(error), retry_after=seconds))
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it

    return answer


def _refuse(request: Request, refusal: Refusal) -> Response:
    headers = {} if has_ended(request) else {"Connection": "close"}
    if refusal.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if refusal.retry_after:
        headers["Retry-After"] = str(refusal.retry_after)
    kind = Response if has_ended(request) else _EarlyResponse
    return _as_json({"error": refusal.sentence}, refusal.status, headers, kind)


def json_answer(content: Any, status: int = 200) -> Response:
    """Return JSON that no proxy and no browser keeps; in ASCII, which no label can break."""
    return _as_json(content, status, {}, Response)


def _as_json(content: Any, status: int, headers: dict[str, str], kind: type[Response]) -> Response:
    text = json.dumps(content, allow_nan=False)
    return kind(text, status, {"Cache-Control": "no-store", **headers}, "application/json")


class _EarlyResponse(Response):
    """Answer before the body has come: sent at once, then the body is read past for some seconds.

    A connection that is closed under a client that still sends is lost to it, and the answer with it.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": bytes(self.body), "more_body": True})
        with anyio.move_on_after(DRAIN_SECONDS):
            while (await receive()).get("more_body", False):
                pass
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def has_ended(request: Request) -> bool:
    """Return whether all of the body is here; to ask for more would wait until the client goes away."""
    bare = request.headers.get("content-length", "0") == "0" and "transfer-encoding" not in request.headers
    return bare or getattr(request.state, "body_ended", False)


async def require_key(request: Request, scope: str | None = None) -> api_keys.Key:
    """Return the key that a request brings, if it is for what the request wants.

    Raises
    ------
    Refusal
        there is none, or it is for something else.
    api_keys.KeyRefused
        it is unknown, ended or revoked.
    """
    sent = request.headers.getlist("authorization")
    kind, _, secret = sent[0].partition(" ") if len(sent) == 1 else ("", "", "")
    if kind.lower() != "bearer":
        raise Refusal(401, "This needs a key: send it as the header Authorization: Bearer blindspot_….")
    key = await in_thread(api_keys.find, secret.strip())
    if scope is not None and scope not in key.scopes:
        raise Refusal(403, f"The key {key.name!r} is not for this ({scope}); make one that is.")
    return key
