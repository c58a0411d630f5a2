"""The page and the bundle arrive small, whole and as they are; what is not ours to answer passes."""

import gzip
import hashlib
import re

import brotli
import pytest
from starlette.datastructures import Headers

from tests.web.asgi import Inner, converse, run, scope_of
from web import start_page as module
from web.middleware.static_files import FOREVER, StaticFiles, choose_encoding
from web.site import Site
from web.start_page import LATIN_FONT, STATIC, PageChanged, latin_font_path, start_page

DECODERS = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}
SCRIPT = next((STATIC / "static" / "js").glob("protobuf.*.js"))
FONT_OF_1_67 = "5f16566f7a40d39b339ad26be151fa5a1ab1f0c2574c7a2e619765584a1acbd8"
PAGE_OF_1_67 = "ddc07668cbe37c6e6e003786a0df9ffb0cbd320deada94e5fa56197c62400351"


def answer(path, app=None, *, accept="gzip, br", method="GET", base="", **headers):
    """Status, headers and body of an answer; `inner` is what stands for Streamlit."""
    pairs = [("accept-encoding", accept), *((name.replace("_", "-"), text) for name, text in headers.items())]
    door = StaticFiles(app or Inner(), Site(url=f"http://127.0.0.1{base}"))
    start, *parts = run(converse(door, scope_of(path, method, pairs)))
    return start["status"], Headers(raw=start["headers"]), b"".join(part.get("body", b"") for part in parts)


def streamlit_page(cookie=b"a=1"):
    """Stands for Streamlit where it answers with its page."""
    seen = []

    async def app(scope, _receive, send):
        seen.append(Headers(scope=scope))
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"etag", b"theirs"), (b"set-cookie", cookie)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"<title>Streamlit</title>"})

    app.seen = seen
    return app


def test_alterations_are_made_for_this_streamlit():
    digest = hashlib.sha256((STATIC / "index.html").read_bytes()).hexdigest()
    assert digest == PAGE_OF_1_67, "Streamlit's page changed: read it, look at the first second, write its digest here"


def test_latin_letters_are_of_this_streamlits_font():
    (whole,) = (STATIC / "static" / "media").glob("SourceSansVF-Upright*.woff2")
    digest = hashlib.sha256(whole.read_bytes()).hexdigest()
    assert digest == FONT_OF_1_67, "Streamlit's font changed: run scripts/make_font.py, write its digest here"


def test_latin_letters_come_before_the_whole_font():
    faces = re.findall(r"@font-face\{font-family:Source Sans;[^}]*font-style:normal;[^}]*\}", start_page())
    assert "SourceSansVF-Upright" in faces[0] and f"url(./{latin_font_path()})" in faces[1] and len(faces) == 2
    assert "U+20-7E" in faces[1], "of two rules for a letter, browsers take the last"


@pytest.mark.parametrize("base", ["", "/team"])
def test_font_of_latin_letters_is_sent(base):
    path = f"{base}/{latin_font_path()}"
    status, headers, body = answer(path, base=base)
    assert (status, headers["content-type"], headers["cache-control"]) == (200, "font/woff2", FOREVER)
    assert body == LATIN_FONT.read_bytes() and body.startswith(b"wOF2") and len(body) < 30_000
    assert answer(path, base=base, if_none_match=headers["etag"])[0] == 304


def test_page_has_our_name_and_styles_first():
    page = start_page()
    assert "<title>Blindspot</title>" in page and 'id="splash"' in page and "openapi" not in page
    assert (
        page.index("#splash") < page.index("</head>") < page.index('<div id="root">') < page.index('<div id="splash"')
    )
    assert 'rel="stylesheet"' not in page and "url(./static/media/KaTeX" in page


def test_fonts_wait_for_the_scripts():
    page = start_page()
    assert 'as="font"' not in page
    at_once, later = page.split('<style id="later-fonts" media="not all">')
    named = re.compile(r"@font-face\{font-family:([^;]+);")
    assert {"Source Sans", "Source Serif"} <= {*named.findall(at_once)}
    assert {*named.findall(later)} == {"Material Symbols Rounded", "Source Code Pro"}


@pytest.mark.parametrize("of_open", [False, True])
def test_page_links_every_script_in_one_round(of_open):
    """Imports of a linked script are linked, too, and nothing twice."""
    linked = re.findall(r'"\./static/js/([\w.-]+)"', start_page(of_open=of_open))
    assert len(linked) == len({*linked})
    wanted = module.PRELOADED + module.PRELOADED_BY_OPEN * of_open
    assert {name.partition(".")[0] for name in linked} >= {*wanted}
    assert ("FileUploader" in str(linked)) == of_open
    for name in linked:
        script = (STATIC / "static" / "js" / name).read_text(encoding="utf-8")
        assert {*re.findall(r'(?:from|import) ?"\./([^"]+)"', script)} <= {*linked}, name


def test_another_page_is_refused(tmp_path, monkeypatch):
    (tmp_path / "index.html").write_text("<title>Streamlit 2</title>")
    monkeypatch.setattr(module, "STATIC", tmp_path)
    with pytest.raises(PageChanged, match="mend web/start_page"):
        module.start_page.__wrapped__()


@pytest.mark.parametrize("base", ["", "/team"])
@pytest.mark.parametrize(("accept", "encoding"), [("gzip, deflate, br", "br"), ("gzip", "gzip")])
def test_scripts_are_compressed(base, accept, encoding):
    status, headers, body = answer(f"{base}/static/js/{SCRIPT.name}", accept=accept, base=base)
    assert (status, headers["content-encoding"], headers["vary"]) == (200, encoding, "Accept-Encoding")
    assert headers["cache-control"] == FOREVER and "javascript" in headers["content-type"]
    assert DECODERS[encoding](body) == SCRIPT.read_bytes() and len(body) * 4 < SCRIPT.stat().st_size
    again = answer(f"{base}/static/js/{SCRIPT.name}", accept=accept, base=base, if_none_match=headers["etag"])
    assert (again[0], again[2]) == (304, b"")
    head = answer(f"{base}/static/js/{SCRIPT.name}", accept=accept, base=base, method="HEAD")
    assert head[1] == headers and head[2] == b"" and int(headers["content-length"]) == len(body)


@pytest.mark.parametrize(
    ("path", "given"),
    [
        (f"/static/js/{SCRIPT.name}", {"accept": "identity"}),
        (f"/static/js/{SCRIPT.name}", {"accept": "br;q=0"}),
        (f"/static/js/{SCRIPT.name}", {"range": "bytes=0-9"}),
        (f"/static/js/{SCRIPT.name}", {"method": "POST"}),
        ("/static/js/none.js", {}),
        ("/static/js/\0.js", {}),
        (f"/static/js/{'a' * 5000}.js", {}),
        ("/static/../../cli.py", {}),
        ("/static/../../../../../../../../etc/hosts.json", {}),
        ("/media/report.html", {}),
        ("/_stcore/health", {}),
        ("/api/evaluations", {}),
    ],
)
def test_what_is_not_ours_passes(path, given):
    assert answer(path, **given)[0] == 204


@pytest.mark.parametrize("path", ["/", "/overview", "/team/confusion"])
@pytest.mark.parametrize("accept", ["br", "gzip", ""])
def test_page_replaces_streamlits(path, accept):
    app = streamlit_page()
    status, headers, body = answer(path, app, accept=accept, range="bytes=0-9", if_none_match="theirs")
    assert status == 200 and DECODERS[accept](body).decode() == start_page(of_open=path == "/")
    assert headers["cache-control"] == "private, no-cache"
    theirs, token = headers.getlist("set-cookie")
    assert theirs == "a=1" and token.startswith("_streamlit_xsrf=2|"), "the websocket opens without asking first"
    assert "range" not in app.seen[0] and "if-none-match" not in app.seen[0]
    head = answer(path, app, accept=accept, method="HEAD")
    assert head[1]["content-length"] == str(len(body)) and head[2] == b""
    assert answer(path, app, accept=accept, if_none_match=headers["etag"])[0] == 304


def test_encodings_are_chosen_by_what_is_taken():
    assert choose_encoding("") == choose_encoding("gzip;q=0, zstd") == ""
    assert choose_encoding("GZIP; q=0.1") == "gzip"


@pytest.mark.parametrize("base", ["", "/blindspot"])
def test_an_unknown_address_gets_a_page_of_ours(base):
    app = StaticFiles(streamlit_page(), Site(url=f"http://127.0.0.1{base}"), pages=("overview",))
    for path, status in (
        ("/", 200),
        ("/overview", 200),
        ("/favicon.ico", 200),
        ("/nonsense", 404),
        ("/explore/nonsense", 404),
    ):
        start, *parts = run(converse(app, scope_of(base + path, "GET", [])))
        assert start["status"] == status, path
        way = f'<a href="{base}/">Go to Open</a>'.encode()
        assert (way in b"".join(part.get("body", b"") for part in parts)) == (status == 404)
