"""Test what Streamlit would answer to anybody."""

import pytest
from starlette.routing import Mount
from streamlit.web.server.starlette import starlette_app

from tests.web.asgi import Inner, ask, scope_of
from web.middleware.closed_routes import Closed, is_closed
from web.site import Site

SUB_PATH = Site(url="https://example.org/blindspot")
OPEN = {"/_stcore/health", "/_stcore/host-config", "/_stcore/stream", "/_stcore/upload_file/{session_id}/{file_id}"}


@pytest.mark.parametrize("base", ["", "/blindspot"])
@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/metrics",
        "/_stcore/metrics/",
        "/_stcore/script-health-check",
        "/_stcore/agent/interact",
        "/_stcore/agent/openapi.json",
        "/_stcore/agent/mcp",
        "/_stcore/bidi-components/x/y.js",
        "/_stcore/something-new",
        "/_stcore",
        "/component/x/index.html",
        "/app/static/x.html",
    ],
)
def test_it_is_not_there(base, path):
    inner = Inner()
    assert ask(Closed(inner, Site(url=f"https://example.org{base}")), scope_of(base + path)) == (
        404,
        "There is nothing here.\n",
    )
    assert ask(Closed(inner, SUB_PATH), scope_of(base + path, kind="websocket"))[0] == "closed"
    assert inner.scopes == []


@pytest.mark.parametrize("path", ["/", "/confusion", "/static/js/x.js", "/media/x.csv", "/oauth2callback", "/api/x"])
def test_what_the_app_needs_is_open(path):
    for site, asked in ((Site(), path), (SUB_PATH, f"/blindspot{path}")):
        assert ask(Closed(Inner(), site), scope_of(asked))[0] == 204


def test_only_listed_streamlit_routes_are_open(monkeypatch):
    class Anything:
        def __getattr__(self, name):
            return Anything()

    monkeypatch.setattr(starlette_app, "create_component_routes", lambda *_: [])
    routes = starlette_app.create_streamlit_routes(Anything())
    paths = {route.path for route in routes if not isinstance(route, Mount)}
    assert paths >= OPEN, "Streamlit has moved what the app needs"
    assert {path for path in paths if path.startswith("/_stcore") and not is_closed(path)} == OPEN
