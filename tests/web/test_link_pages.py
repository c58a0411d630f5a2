"""Static pages of share links: for anyone, without a session or a script, and gone with their link."""

import functools
import re
from html.parser import HTMLParser

import brotli
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware

from data.runs import load
from data.sharing import share
from data.store import links
from tests.opened_runs import keep_file, keep_text
from tests.web.asgi import converse, run, scope_of
from web import link_pages
from web.middleware.headers import SecurityHeaders
from web.middleware.static_files import StaticFiles

FILE = (
    "text,sex,y_true,y_pred\n" + "secret words,f,cat,cat\n" * 6 + "other words,m,cat,dog\n" * 2 + "more,m,cow,cow\n" * 4
)
SCORED = "y_true,p\n" + "yes,0.9\n" * 5 + "yes,0.6\n" * 3 + "no,0.2\n" * 4
HOSTILE = [
    '<img src=x onerror="alert(1)">',
    "</style><script>alert(1)</script>",
    '" onload="alert(1)',
    "{{7*7}}",
    "ä\u202eb",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A store and uploads that all tests share: every file is read once."""
    uploaded.cache_clear()
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(autouse=True)
def kept(folder, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_STORE", str(folder / "store"))
    monkeypatch.setattr(link_pages, "_PAGES", type(link_pages._PAGES)())


@functools.cache
def uploaded(folder, text):
    """Keep a file as an upload; returns its run."""
    return keep_text(folder / "pets.csv", text)


def shared(folder, text=FILE, query=None, **options):
    """Share a file on Overview; returns the link."""
    token = uploaded(folder, text)
    return share.share(token, views=[links.View("overview", query or {})], **options)


def ask(path, *, method="GET", **headers):
    """Status, headers and content of an answer behind the middleware that touches it."""
    app = Starlette(middleware=[Middleware(SecurityHeaders), Middleware(link_pages.LinkPages), Middleware(StaticFiles)])
    pairs = [(name.replace("_", "-"), value) for name, value in headers.items()]
    scope = scope_of(path, method, pairs, query_string=b"", scheme="http", server=("127.0.0.1", 8501), root_path="")
    first, *rest = run(converse(app, scope))
    found = {name.decode().lower(): value.decode() for name, value in first["headers"]}
    return first["status"], found, b"".join(message.get("body", b"") for message in rest)


def test_page_holds_finding_and_no_script(folder):
    made = shared(folder, title="nightly")
    status, headers, content = ask(f"/shared/{made.token}")
    page = content.decode()
    assert status == 200 and "83.3\xa0% accurate" in page and "nightly" in page
    assert "<script" not in page and "default-src 'none'" in headers["content-security-policy"]
    assert "script-src" not in headers["content-security-policy"]
    assert headers["x-robots-tag"] == "noindex, nofollow" and '<meta name="robots" content="noindex' in page
    assert f'href="/overview?run={made.token}"' in page and re.search(r"Shared on \d+ [A-Z][a-z]+ \d{4}", page)


def test_page_holds_no_text_of_rows(folder):
    page = ask(f"/shared/{shared(folder).token}")[2].decode()
    assert "cat" in page and "secret words" not in page


def test_page_and_preview_say_that_rows_are_weighted(folder):
    (folder / "weighted.csv").write_text("y_true,y_pred,w\n" + "cat,cat,3\n" * 6 + "cow,cat,1\n" * 6)
    token = keep_file(folder / "weighted.csv", load.Given(weights="w"))
    page = ask(f"/shared/{share.share(token, preview=True).token}")[2].decode()
    assert "75.0" in page and re.search(r"Weighted by <[^>]+>w<.*? of 12 rows.*count every row once", page)
    assert 'content="weighted.csv · 12 rows · 2 classes · weighted"' in page
    assert "eighted" not in ask(f"/shared/{shared(folder, preview=True).token}")[2].decode()


def test_page_is_small_in_every_coding(folder):
    token = shared(folder, "y_true,y_pred\n" + "".join(f"c{i % 150},c{i * 7 % 150}\n" for i in range(9_000))).token
    whole = ask(f"/shared/{token}")[2]
    for coding in ("br", "gzip"):
        headers, content = ask(f"/shared/{token}", accept_encoding=coding)[1:]
        assert headers["content-encoding"] == coding and len(content) < 60_000
    assert brotli.decompress(ask(f"/shared/{token}", accept_encoding="br")[2]) == whole


def test_caches_keep_page_for_half_a_minute(folder):
    token = shared(folder).token
    headers = ask(f"/shared/{token}")[1]
    assert headers["cache-control"] == "public, max-age=30" and "set-cookie" not in headers
    status, again, content = ask(f"/shared/{token}", if_none_match=headers["etag"])
    assert (status, content, again["etag"]) == (304, b"", headers["etag"])
    assert ask(f"/shared/{token}", method="HEAD")[::2] == (200, b"")


def test_cached_page_ends_with_its_link(folder, monkeypatch):
    made = shared(folder, preview=True)
    monkeypatch.setattr(links, "now", lambda: made.ends - 7)
    for path in (f"/shared/{made.token}", f"/shared/{made.token}/card.png"):
        assert ask(path)[1]["cache-control"] == "public, max-age=7"
    monkeypatch.setattr(links, "now", lambda: made.ends)
    assert ask(f"/shared/{made.token}")[0] == 404


@pytest.mark.parametrize("path", ["", "/card.png"])
def test_revoked_link_is_gone_before_304(folder, path):
    made = shared(folder, preview=True)
    address = f"/shared/{made.token}{path}"
    tag = ask(address)[1]["etag"]
    assert ask(address, if_none_match=tag)[0] == 304
    links.revoke(links.id_of(made.token), owner_key=made.owner_key)
    for sent in (tag, "*", f"W/{tag}"):
        status, headers, content = ask(address, if_none_match=sent)
        assert status == 404 and headers["cache-control"] == "private, no-store"
        assert b"opens nothing" in content and b"accurate" not in content


def test_extended_link_says_its_new_end(folder):
    made = shared(folder, days=7)
    before = ask(f"/shared/{made.token}")[2]
    links.extend(links.id_of(made.token), 180, owner_key=made.owner_key)
    after = ask(f"/shared/{made.token}")[2]
    ends = [re.search(rb"expires ([^<]+)", content)[1] for content in (before, after)]
    assert ends[0] != ends[1]


def test_link_for_members_has_no_page(folder, monkeypatch):
    token = shared(folder, preview=True).token
    ask(f"/shared/{token}")
    monkeypatch.setenv("BLINDSPOT_LINKS_FOR", "members")
    for path in (f"/shared/{token}", f"/shared/{token}/card.png"):
        status, headers, content = ask(path)
        assert status == 403 and headers["cache-control"] == "private, no-store" and b"accurate" not in content
    unknown = "A" * 32
    assert ask(f"/shared/{unknown}")[2] == ask(f"/shared/{token}")[2].replace(token.encode(), unknown.encode())


def test_upload_that_nobody_shared_has_no_page(folder):
    assert ask(f"/shared/{uploaded(folder, FILE)}")[0] == 404


@pytest.mark.parametrize("rest", ["", "x", "digits", "A" * 32, "{}/", "{}/rows", "{}/../..", "{}x"])
def test_nothing_opens_that_names_no_page(folder, rest):
    token = shared(folder).token
    assert ask(f"/shared/{rest.format(token)}")[0] == 404


def test_page_below_base_path_is_read_only(folder, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_URL", "https://example.org/base")
    address = f"/base/shared/{shared(folder).token}"
    assert (ask(address)[0], ask(address, method="POST")[0]) == (200, 405)


def test_starting_session_gets_page_or_nothing(folder, monkeypatch):
    token = shared(folder).token
    assert ask(f"/shared/{token}/start")[2] == ask(f"/shared/{token}")[2]
    for other in ("A" * 32, uploaded(folder, FILE), share.share(uploaded(folder, "a,b\n1,2\n3,4\n")).token):
        assert ask(f"/shared/{other}/start")[::2] == (204, b"")
    monkeypatch.setenv("BLINDSPOT_LINKS_FOR", "members")
    assert ask(f"/shared/{token}/start")[::2] == (204, b"")


def test_preview_is_made_when_wanted_only(folder, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_URL", "https://example.org")
    plain, wanted = shared(folder).token, shared(folder, preview=True).token
    page = ask(f"/shared/{plain}")[2].decode()
    assert "og:" not in page and "<title>Shared evaluation · Blindspot</title>" in page
    assert ask(f"/shared/{plain}/card.png")[0] == 404
    page = ask(f"/shared/{wanted}")[2].decode()
    assert re.search(r'property="og:title" content="83.3\s% accurate', page)
    assert f'property="og:image" content="https://example.org/shared/{wanted}/card.png"' in page
    status, headers, content = ask(f"/shared/{wanted}/card.png")
    assert status == 200 and headers["content-type"] == "image/png" and content.startswith(b"\x89PNG")


class _Tags(HTMLParser):
    """Collects the names of elements and of their attributes."""

    def __init__(self):
        super().__init__()
        self.names, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("n", [5, 25])
def test_hostile_labels_stay_text(folder, n):
    labels = [*HOSTILE, *(f"class {i}" for i in range(n - len(HOSTILE)))]
    cells = ['"' + label.replace('"', '""') + '"' for label in labels]
    rows = "".join(f"{cells[i % n]},{cells[i * i % n]}\n" for i in range(40 * n))
    token = shared(folder, "y_true,y_pred\n" + rows, title=HOSTILE[1], preview=True).token
    tags = _Tags()
    tags.feed(ask(f"/shared/{token}")[2].decode())
    assert not tags.names & {"script", "iframe", "object", "form", "base"}
    assert not {name for name in tags.attributes if name.startswith("on")}
    assert ("img" in tags.names) == (n > 20), "the picture of the matrix is the only one"


@pytest.mark.parametrize(
    ("text", "query", "accuracy"),
    [(FILE, {}, "83.3"), (FILE, {"filter": "sex=m"}, "66.7"), (SCORED, {}, "100.0"), (SCORED, {"t": "0.7"}, "75.0")],
)
def test_page_shows_rows_and_threshold_of_view(folder, text, query, accuracy):
    page = ask(f"/shared/{shared(folder, text, query).token}")[2].decode()
    assert re.search(rf">{accuracy}\s%<", page)


def test_file_that_needs_a_choice_leads_to_session(folder):
    token = share.share(uploaded(folder, "a,b\n1,2\n3,4\n")).token
    status, headers, _ = ask(f"/shared/{token}")
    assert (status, headers["location"]) == (307, f"/?run={token}")
    assert headers["cache-control"] == "private, no-store"


def test_page_is_made_once(folder, monkeypatch):
    token = shared(folder).token
    ask(f"/shared/{token}")
    monkeypatch.setattr(link_pages, "_make_page", lambda *_: pytest.fail("it was made again"))
    assert ask(f"/shared/{token}")[0] == 200


def test_oldest_page_makes_room_for_another(folder, monkeypatch):
    monkeypatch.setattr(link_pages, "KEPT_PAGES", 2)
    tokens = [shared(folder).token for _ in range(3)]
    for token in tokens:
        assert ask(f"/shared/{token}")[0] == 200
    assert [key[0] for key in link_pages._PAGES] == [links.id_of(token) for token in tokens[1:]]
