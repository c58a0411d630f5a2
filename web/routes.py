"""Endpoints of our own beside Streamlit's. They stand in front of Streamlit's routes and behind all middleware."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.routing import Route

from web.middleware import downloads
from web.push import endpoints

ROUTES: list[Route] = [*endpoints.ROUTES, *downloads.ROUTES]


def below(base_path: str, routes: Iterable[Route]) -> list[Route]:
    """The same routes below the base path, where everything is served.

    A Starlette `Mount` would not do: it answers 404 itself to whatever else lies below its path.

    >>> from starlette.routing import Route
    >>> [route.path for route in below("/blindspot", [Route("/api/x", lambda request: None)])]
    ['/blindspot/api/x']
    """
    return [Route(f"{base_path}{route.path}", route.endpoint, methods=list(route.methods or ())) for route in routes]
