"""Endpoints of our own beside Streamlit's. They stand in front of Streamlit's routes and behind the whole door."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.routing import Route

from door import downloads, push

ROUTES: list[Route] = [*push.ROUTES, *downloads.ROUTES]


def below(base_path: str, routes: Iterable[Route]) -> list[Route]:
    """The same routes below the base path, where everything is served.

    A Starlette `Mount` would not do: it answers 404 itself to whatever else lies below its path.

    >>> from starlette.routing import Route
    >>> [route.path for route in below("/blindspot", [Route("/api/x", lambda request: None)])]
    ['/blindspot/api/x']
    """
    return [Route(f"{base_path}{route.path}", route.endpoint, methods=list(route.methods or ())) for route in routes]
