"""Endpoints of our own."""

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from tests.web.asgi import ask, converse, run, scope_of
from web.routes import ROUTES, routes_below


def test_route_answers_below_the_base_path():
    async def own(_request):
        return PlainTextResponse("own")

    async def streamlits(_request):
        return PlainTextResponse("streamlit")

    everything = Route("/{path:path}", streamlits, methods=["GET", "PUT"])
    app = Starlette(routes=[*routes_below("/blindspot", [Route("/api/x", own, methods=["PUT"])]), everything])
    http = {"query_string": b"", "scheme": "http", "server": ("127.0.0.1", 1), "root_path": ""}
    assert ask(app, scope_of("/blindspot/api/x", "PUT", **http)) == (200, "own")
    assert ask(app, scope_of("/blindspot/api/y", "PUT", **http)) == (200, "streamlit")
    assert ask(app, scope_of("/api/x", "PUT", **http)) == (200, "streamlit")


def test_no_route_hides_one_of_streamlit():
    reserved = ("/_stcore", "/media", "/component", "/static", "/auth", "/oauth2callback")
    assert [route.path for route in ROUTES if route.path.startswith(reserved)] == []


def test_open_leads_to_the_first_page():
    http = {"scheme": "http", "server": ("127.0.0.1", 1), "root_path": "", "headers": [("host", "127.0.0.1")]}
    app = Starlette(routes=routes_below("/blindspot", ROUTES))
    for query, to in ((b"", "./"), (b"run=digits&t=0.3", "./?run=digits&t=0.3")):
        first, *_ = run(converse(app, scope_of("/blindspot/open", query_string=query, **http)))
        assert (first["status"], dict(first["headers"])[b"location"].decode()) == (307, to)
