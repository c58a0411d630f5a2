"""Endpoints of our own beside Streamlit's: the API, downloads, and the way to Open.

They stand in front of Streamlit's routes and behind all middleware.
"""

from __future__ import annotations

from collections.abc import Iterable

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from data.errors import DataError
from data.rows import made_files
from web import read_api
from web.push import endpoints

NO_STORE = {"Cache-Control": "no-store"}


async def download(request: Request) -> Response:
    """Hand out a file to whoever has its address; 404 with one sentence where there is none."""
    try:
        made = await run_sync(made_files.find, request.path_params["token"])
    except DataError as error:
        return PlainTextResponse(f"{error}\n", 404, headers=NO_STORE)
    return FileResponse(made.path, filename=made.name, media_type="application/octet-stream", headers=NO_STORE)


async def go_to_open(request: Request) -> Response:
    """Redirect from the name of the page Open to its address, which has no path."""
    query = request.url.query
    return RedirectResponse(f"./?{query}" if query else "./", headers=NO_STORE)


ROUTES: list[Route] = [
    *read_api.ROUTES,
    *endpoints.ROUTES,
    Route("/download/{token}", download, methods=["GET"]),
    Route("/open", go_to_open, methods=["GET"]),
]


def routes_below(base_path: str, routes: Iterable[Route]) -> list[Route]:
    """Return the same routes below the base path, where everything is served.

    A Starlette `Mount` would not do: it answers 404 itself to whatever else lies below its path.

    >>> from starlette.routing import Route
    >>> [route.path for route in routes_below("/blindspot", [Route("/api/x", lambda request: None)])]
    ['/blindspot/api/x']
    """
    return [Route(f"{base_path}{route.path}", route.endpoint, methods=list(route.methods or ())) for route in routes]
