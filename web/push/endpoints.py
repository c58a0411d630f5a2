"""The endpoints for programs: send a file, get a link; with a key, and never with a visitor's cookies.

What a body brings goes to the disk as it comes, and is read by the child process that reads uploads; both happen in
threads of their own, so whoever looks at a page meanwhile does not wait.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive

from data import environment
from data.environment import raise_it
from data.runs.load import Source
from data.sharing import pushed, quota
from data.sharing.push_fields import Wanted, from_fields
from data.store import links, store
from data.store.link import live_path
from data.version import VERSION
from text.numbers import write_moment
from web.middleware.refusals import Refusal, too_large
from web.push.api_requests import answers, in_thread, json_answer, require_key
from web.push.form_body import Body
from web.site import this_site
from web.uploads import usage
from web.uploads.guard import declared_length
from web.uploads.places import Places, Upload

_PIECE = 1 << 20  # what is gathered before it is handed to the disk
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_places = Places()
"""Pushes under way; only ever touched on the event loop."""


async def health(_request: Request) -> Response:
    """Say that the server is up, and which version it is."""
    return json_answer({"status": "ok", "version": VERSION})


async def about_key(request: Request) -> Response:
    """Say what a key may do, so that a program can ask before it sends a large file."""
    key = await require_key(request)
    return json_answer(
        {
            "name": key.name, "scopes": list(key.scopes), "ends": write_moment(key.ends),
            "most_mb": environment.value("BLINDSPOT_UPLOAD_MB"), "days": list(links.DAYS),
        }
    )  # fmt: skip


async def evaluations(request: Request) -> Response:
    """POST: a file becomes a link. GET: the links that were made with this key."""
    if request.method == "POST":
        return await _push(request)
    key = await require_key(request, "manage")
    listed = await in_thread(pushed.list_links, key)
    return json_answer({"evaluations": [_listed(link_id, link) for link_id, link in listed]})


async def one_evaluation(request: Request) -> Response:
    """PATCH: a link ends `days` from now. DELETE: it is taken back."""
    key = await require_key(request, "manage")
    link_id = request.path_params["link_id"]
    if request.method == "DELETE":
        await in_thread(pushed.revoke, key, link_id)
        return json_answer({"id": link_id, "revoked": True})
    days = request.query_params.get("days", "")
    if not re.fullmatch(r"[0-9]{1,4}", days):
        raise Refusal(400, "The query days=30 was wanted: for how many days from now the link is to last.")
    return json_answer({"id": link_id, "ends": write_moment(await in_thread(pushed.extend, key, link_id, int(days)))})


def _listed(link_id: str, link: links.Link) -> dict[str, Any]:
    return {
        "id": link_id, "name": link.title, "made": write_moment(link.made), "ends": write_moment(link.ends),
        "headline": dict(link.headline),
    }  # fmt: skip


async def _push(request: Request) -> Response:
    key = await require_key(request, "push")
    limits = usage.limits()
    peer = request.client.host if request.client else ""
    upload = Upload(key.id, peer, _places.now(), declared=declared_length(request.headers))
    with _places.place(upload, limits):
        _require_room(request)
        quota.take(key.owner)
        with ExitStack() as stack:
            folder = await in_thread(stack.enter_context, store.scratch())
            try:
                sources, fields = await _receive(request, folder, _places.watched(upload, request.receive, limits))
                wanted = from_fields(fields)
                made = await in_thread(pushed.push, sources, wanted, key)
            finally:
                with anyio.CancelScope(shield=True):
                    await in_thread(stack.close)
    return json_answer(_describe_link(request, made, wanted), 201)


def _require_room(request: Request) -> None:
    """Refuse a body whose declared size is too large, and any body while the server's memory is full."""
    most, memory = environment.value("BLINDSPOT_UPLOAD_MB"), environment.value("BLINDSPOT_MEMORY_MB")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length[:18]) > _most_bytes(most):
        raise too_large(most)
    if usage.resident_bytes() > memory << 20:
        hint = raise_it("BLINDSPOT_MEMORY_MB")
        raise Refusal(
            503, f"The server uses {memory:,} MB of memory already; try again later, or {hint}.", retry_after=300
        )


def _most_bytes(most_mb: int) -> int:
    """Of a whole body: two files, and what is around them."""
    return (2 * most_mb + 4) << 20


async def _receive(request: Request, folder: Path, receive: Receive) -> tuple[list[Source], list[tuple[str, str]]]:
    """Return the files, on the disk, and the fields of a body. `receive` : as `web.uploads.places` watches it."""
    most = environment.value("BLINDSPOT_UPLOAD_MB")
    body, n_bytes = Body(request.headers.get("content-type", ""), folder, most), 0
    try:
        async for piece in _pieces(request, receive):
            await in_thread(body.feed, piece)
            n_bytes += len(piece)
            if n_bytes > _most_bytes(most):  # bytes between and after the parts are not kept, but are received
                raise too_large(most)
        return body.sources(), body.fields
    except OSError as error:
        raise Refusal(
            503, f"The server cannot keep the file at the moment ({error.strerror}); try again later."
        ) from None
    finally:
        body.close()


async def _pieces(request: Request, receive: Receive) -> AsyncIterator[bytes]:
    """Give the body in pieces of about a megabyte."""
    gathered, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        gathered += message.get("body", b"")
        more = message.get("more_body", False)
        if len(gathered) >= _PIECE:
            yield bytes(gathered)
            gathered.clear()
    request.state.body_ended = True
    yield bytes(gathered)


def _describe_link(request: Request, made: pushed.Pushed, wanted: Wanted) -> dict[str, Any]:
    """Return the answer to a program that made a link; only it gets the token and the owner key."""
    site = this_site()
    base = site.url or f"{request.url.scheme}://{request.url.netloc}"
    token = made.shared.token
    return {
        "link": f"{base}/{live_path(token, made.shared.views)}",
        "page": f"{base}/shared/{token}" if environment.value("BLINDSPOT_LINKS_FOR") == "anyone" else None,
        "id": links.id_of(token),
        "token": token,
        "owner_key": made.shared.owner_key,
        "ends": write_moment(made.shared.ends),
        "name": wanted.title,
        "file": made.draft.name,
        "rows": made.n_rows,
        "warnings": list(made.warnings),
        "problem": made.draft.problem or None,
    }


async def unknown_endpoint(request: Request) -> Response:
    """Answer unknown endpoints with a sentence in JSON instead of Streamlit's page."""
    known = [
        route for route in ROUTES[:-1] if route.path_regex.match(request.url.path.removeprefix(this_site().base_path))
    ]
    if not known:
        raise Refusal(404, "There is no such endpoint; docs/deployment.md lists them.")
    raise Refusal(405, f"This endpoint answers {' and '.join(sorted((known[0].methods or set()) - {'HEAD'}))} only.")


ROUTES = [
    Route("/api/health", answers(health), methods=["GET"]),
    Route("/api/key", answers(about_key), methods=["GET"]),
    Route("/api/evaluations", answers(evaluations), methods=["GET", "POST"]),
    Route("/api/evaluations/{link_id}", answers(one_evaluation), methods=["PATCH", "DELETE"]),
    Route("/api/{rest:path}", answers(unknown_endpoint), methods=list(_METHODS)),
]
