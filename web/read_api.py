"""The reading API: the numbers of a run, and the rows that its link shows, for whoever has a key of the scope `read`.

Key and links are looked up before anything is said of a run, also before a copy is confirmed. Paths, parameters and
answers are those of `export/read_api`; here stands who may ask, and for how long an answer holds.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from data.errors import DataError
from data.runs.load import draft_of
from data.runs.understanding import open_draft
from data.samples import is_sample
from data.sharing.api_keys import Key
from data.sharing.linked_evaluation import open_linked
from data.store import access, links
from data.version import VERSION
from web.limits import KEPT_RUNS, RUNS_AT_ONCE
from web.middleware.refusals import Refusal
from web.push.api_requests import answers, in_thread, json_answer, require_key

if TYPE_CHECKING:
    from export.measurement import Measurement


class Run(NamedTuple):
    """A run that somebody may read. name : a sample's, or the id of its link. link : None = a sample."""

    name: str
    link: links.Link | None


async def read(request: Request) -> Response:
    """Answer one question about a run."""
    key = await require_key(request, "read")
    query = {name: request.query_params.getlist(name) for name in request.query_params}
    run = await in_thread(find_run, key, request.path_params["run"])
    others = [await in_thread(find_run, key, name) for name in query.get("with", ())]
    path = request.path_params.get("path", "")
    headers = {"Cache-Control": "private, no-cache", "ETag": _tag(run, others, path, query), "Vary": "Authorization"}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    work = functools.partial(_answer, f"/{path}" if path else "", run, others, query)
    content, kind = await run_sync(work, limiter=_computing())
    if kind == "text/html":
        headers["Content-Disposition"] = 'attachment; filename="report.html"'
    return Response(content, 200, headers, kind)


def find_run(key: Key, name: str) -> Run:
    """Return a run by a sample's name, a link's token, or the id of a link of the key's owner.

    Raises
    ------
    DataError
        LinkGone : it opens nothing. NotForYou : links open for others here.
    """
    if is_sample(name):
        return Run(name, None)
    access.check(key.person)
    try:
        link_id = links.id_of(name)
    except links.LinkGone:
        link_id = _require_owned(key, name)
    link = links.open_id(link_id)
    if link.kind != "share":
        raise links.LinkGone
    return Run(link_id, link)


def _require_owned(key: Key, link_id: str) -> str:
    """Return the id of a link that belongs to the key's owner; any other is told as gone."""
    try:
        links.require_owner(link_id, person=key.owner)
    except DataError:
        raise links.LinkGone from None
    return link_id


def _tag(run: Run, others: Sequence[Run], path: str, query: Mapping[str, Sequence[str]]) -> str:
    """Return the weak entity tag of an answer: what a link opens never changes, but for when it was asked."""
    asked = json.dumps([VERSION, run.name, [other.name for other in others], path, sorted(query.items())])
    return f'W/"{hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()[:32]}"'


def _answer(
    path: str, run: Run, others: Sequence[Run], query: Mapping[str, Sequence[str]]
) -> tuple[str | bytes, str]:  # fmt: skip
    """Return the answer of a path and its kind of content."""
    # what computes takes as long to import as the rest of the server
    from export.read_api.answers import to_json
    from export.read_api.endpoints import Asked, WrongParameter, check_query, list_endpoints

    endpoint = next((endpoint for endpoint in list_endpoints() if endpoint.path == path), None)
    if endpoint is None:
        raise Refusal(404, "There is no such endpoint; docs/api.md lists them.")
    try:
        check_query(endpoint, query)
        other = _measured(others[0].name, others[0]) if others else None
        answer = endpoint.answer(Asked(_measured(run.name, run), query, other))
    except WrongParameter as error:
        raise Refusal(400, str(error)) from None
    if endpoint.schema is None:
        return answer, "text/html"
    return json.dumps(to_json(answer), allow_nan=False), "application/json"


@st.cache_resource(max_entries=KEPT_RUNS, show_spinner=False)
def _measured(name: str, _run: Run) -> Measurement:
    """Return the numbers of a run, kept for its other answers until memory is wanted back."""
    from export.measurement import level_of, measure

    if _run.link is None:
        return measure(open_draft(draft_of(name)))
    view = _run.link.views[0].query if _run.link.views else None
    return measure(open_linked(_run.link, name), level_of(view))


@functools.lru_cache(maxsize=1)
def _computing() -> CapacityLimiter:
    return CapacityLimiter(RUNS_AT_ONCE)


async def describe(request: Request) -> Response:
    """Answer with the OpenAPI document, which is made of the endpoints and the registry of metrics."""
    await require_key(request, "read")
    return json_answer(await run_sync(_document, limiter=_computing()))


def _document() -> dict[str, Any]:
    from export.read_api.openapi import openapi

    return openapi()


ROUTES = [
    Route("/api/v1/openapi.json", answers(describe), methods=["GET"]),
    Route("/api/v1/runs/{run}", answers(read), methods=["GET"]),
    Route("/api/v1/runs/{run}/{path}", answers(read), methods=["GET"]),
]
