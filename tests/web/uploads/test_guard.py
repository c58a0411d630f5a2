"""Test what may be uploaded: how many files, how much, how many at once, for how long, and from where."""

import asyncio

import pytest
from starlette.requests import ClientDisconnect

from tests.web.asgi import Inner, ask, converse, run, scope_of
from web.site import Site
from web.uploads.guard import UploadGuard
from web.uploads.usage import FRAMING, MB, Limits

TOKEN = "2|00000000|" + "ab" * 16 + "|1700000000"
SAME_TOKEN_MASKED = "2|ffffffff|" + "54" * 16 + "|1700000000"
OTHER_TOKEN = "2|00000000|" + "ac" * 16 + "|1700000000"
SHORT_TOKEN = "2|00000000|61|0"
LIMITS = Limits(
    upload_mb=2, session_files=3, session_mb=4, uploads_at_once=2, body_seconds=5, slowest_kb=32, memory_mb=100
)


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self):
        self.time = 1_000.0

    def __call__(self):
        return self.time


def guard(inner=None, stored=None, memory=0, now=None, site=None, strangers=("stranger",)):
    return UploadGuard(
        inner or Inner(),
        site or Site(),
        LIMITS,
        lambda _: stored or {},
        lambda session: session not in strangers,
        lambda: memory,
        **({"now": now} if now else {}),
    )


def upload(session="s", file="f", length=None, method="PUT", cookie=TOKEN, header=TOKEN, base="", peer="10.0.0.1"):
    headers = [("host", "localhost"), ("cookie", f"a=b; _streamlit_xsrf={cookie}"), ("x-xsrftoken", header)]
    if length is not None:
        headers.append(("content-length", str(length)))
    return scope_of(f"{base}/_stcore/upload_file/{session}/{file}", method, headers, client=(peer, 50_000))


def test_a_small_upload_passes_untouched():
    inner = Inner()
    assert ask(guard(inner), upload(length=11), [b"hello", b" world"]) == (204, "")
    assert inner.body == b"hello world"


@pytest.mark.parametrize("name", ["x" * 3000, "é" * 3000, "预" * 3000])
def test_long_names_keep_their_ending(name):
    inner = Inner()
    start = f'--b\r\nContent-Disposition: form-data; name="{name}.csv"; filename="{name}.csv"\r\n\r\n'
    body = b'a,"b"\r\n\r\n""' + b"y" * (3 << 19)
    assert ask(guard(inner), upload(), [start.encode(), body[:9], body[9:]]) == (204, "")
    header, _, rest = inner.body.partition(b"\r\n\r\n")
    assert rest == body and len(header) < 4224
    field, file = header.decode().split('"')[1::2]
    assert field == file and f"{name}.csv".endswith(file) and len(file) > 300


def test_broken_off_upload_raises_nothing(caplog):
    async def app(scope, receive, send):
        raise ClientDisconnect

    run(converse(guard(app), upload(length=11)))
    assert caplog.messages == ["An upload was broken off"]


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_who_has_not_logged_in_uploads_nothing(method):
    inner = Inner()
    status, said = ask(guard(inner), upload(session="stranger", length=5, method=method), [b"hello"])
    assert (status, inner.body) == (403, b"") and said.startswith("Log in first")


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
@pytest.mark.parametrize(
    ("cookie", "header"),
    [
        (TOKEN, OTHER_TOKEN),
        (TOKEN, ""),
        ("", TOKEN),
        ("", ""),
        (SHORT_TOKEN, SHORT_TOKEN),
        ("x", "x"),
        ("2|a|b", "2|a|b"),
    ],
)
def test_upload_needs_the_pages_token(method, cookie, header):
    inner = Inner()
    status, text = ask(guard(inner), upload(method=method, cookie=cookie, header=header))
    assert status == 403 and "reload the page" in text
    assert inner.scopes == []


def test_the_token_may_be_masked_differently():
    assert ask(guard(), upload(cookie=TOKEN, header=SAME_TOKEN_MASKED))[0] == 204


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/upload_file/s", "/_stcore/upload_file/s/f/g"])
def test_what_is_no_upload_passes_without_a_token(path):
    assert ask(guard(), scope_of(path, "PUT"))[0] == 204


def test_upload_route_is_guarded_below_base_path():
    site = Site(url="https://example.org/blindspot")
    assert ask(guard(site=site), upload(base="/blindspot", header=""))[0] == 403
    assert ask(guard(site=site), upload(base="/blindspot"))[0] == 204


def assert_refused(scope, chunks=(b"",), status=413, says="BLINDSPOT_UPLOAD_MB", **what):
    """Asserts that an upload is refused with a sentence that says how to raise the limit; the application behind."""
    inner = Inner()
    found, text = ask(guard(inner, **what), scope, chunks)
    assert found == status
    assert f"whoever runs the server can raise it with {says}" in text and text.count("\n") == 1
    return inner


def test_announced_too_large_body_is_refused_unread():
    assert assert_refused(upload(length=2 * MB + 1), [b"x"]).scopes == []


def test_body_without_length_is_counted():
    inner = assert_refused(upload(), [b"x" * MB] * 4)
    assert len(inner.body) <= 2 * MB + FRAMING


@pytest.mark.parametrize("length", [10, "-5", "ten", "١٠", "1" * 30])
def test_a_length_that_is_a_lie_changes_nothing(length):
    headers = [*upload()["headers"], (b"content-length", str(length).encode())]
    assert_refused({**upload(), "headers": headers}, [b"x" * MB] * 4)


def test_largest_file_passes_with_its_form():
    chunks = [b"x" * MB, b"x" * MB, b"x" * 1_000]
    assert ask(guard(), upload(), chunks)[0] == 204


def test_a_session_may_hold_so_many_files():
    held = {"a": 1, "b": 1, "c": 1}
    assert_refused(upload(file="d"), status=429, says="BLINDSPOT_SESSION_FILES", stored=held)
    assert ask(guard(stored=held), upload(file="c"))[0] == 204, "a file that comes again takes the place of the old one"
    assert ask(guard(stored={"a": 1, "b": 1}), upload(file="d"))[0] == 204


def test_a_session_may_hold_so_many_bytes():
    held = {"a": 2 * MB, "b": 2 * MB}
    assert_refused(upload(file="c", length=2 * MB), says="BLINDSPOT_SESSION_MB", stored=held)
    assert_refused(upload(file="c"), [b"x" * MB, b"x" * MB], says="BLINDSPOT_SESSION_MB", stored=held)
    assert ask(guard(stored=held), upload(file="b", length=2 * MB), [b"x" * MB] * 2)[0] == 204


def test_while_the_memory_is_short_nothing_is_taken():
    inner = assert_refused(upload(), status=503, says="BLINDSPOT_MEMORY_MB", memory=100 * MB + 1)
    assert inner.scopes == []
    assert ask(guard(memory=100 * MB), upload())[0] == 204


def held_open(app, scope, first=b"x"):
    """Starts an upload of which only the first chunk comes; its task, and what ends it."""
    rest, reading = asyncio.Event(), asyncio.Event()
    waiting, sent = [first], []

    async def receive():
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": True}
        reading.set()
        await rest.wait()
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    return asyncio.create_task(app(scope, receive, send)), reading, rest, sent


def test_uploads_at_once_are_limited():
    async def talk():
        app = guard()
        first = held_open(app, upload(session="one"))
        second = held_open(app, upload(session="two", peer="10.0.0.2"))
        await first[1].wait()
        await second[1].wait()
        while_both = await converse(app, upload(session="three", peer="10.0.0.3"))
        first[2].set()
        await first[0]
        after_one = await converse(app, upload(session="three", peer="10.0.0.3"))
        second[2].set()
        await second[0]
        return while_both, after_one, app.places.taken

    while_both, after_one, left = run(talk())
    assert while_both[0]["status"] == 503 and b"BLINDSPOT_UPLOADS_AT_ONCE" in while_both[1]["body"]
    assert after_one[0]["status"] == 204
    assert left == []


def test_running_upload_counts_for_its_session_only():
    async def talk():
        app = guard(stored={"a": 2 * MB})
        open_one = held_open(app, upload(file="b", length=2 * MB))
        await open_one[1].wait()
        same = await converse(app, upload(file="c", length=2 * MB))
        other = await converse(app, upload(session="other", file="c", length=2 * MB, peer="10.0.0.2"))
        open_one[2].set()
        await open_one[0]
        return same, other

    same, other = run(talk())
    assert same[0]["status"] == 413 and b"BLINDSPOT_SESSION_MB" in same[1]["body"]
    assert other[0]["status"] == 204


def test_an_upload_that_fails_gives_its_place_back():
    async def broken(_scope, _receive, _send):
        raise OSError("disk full")

    app = guard(broken)
    for _ in range(3):
        with pytest.raises(OSError, match="disk full"):
            run(converse(app, upload()))
    assert app.places.taken == []


def test_trickling_body_is_ended():
    clock, inner, asked = Clock(), Inner(), []

    async def trickling(scope, receive, send):
        async def later():
            clock.time += 2
            asked.append(clock.time)
            return await receive()

        await guard(inner, now=clock)(scope, later, send)

    start, body = run(converse(trickling, upload(), [b"x"] * 100))
    assert start["status"] == 408 and b"BLINDSPOT_BODY_SECONDS" in body["body"]
    assert (b"connection", b"close") in start["headers"]
    assert len(asked) == 3, "a chunk every two seconds; none is waited for once five have passed"
    assert inner.body == b""


def test_small_chunks_pass_as_large_pieces():
    pieces = []

    async def app(_scope, receive, send):
        message = {"more_body": True}
        while message["more_body"]:
            message = await receive()
            pieces.append(len(message["body"]))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    assert ask(guard(app), upload(), [b"x" * 50_000] * 40)[0] == 204
    assert len(pieces) == 2 and sum(pieces) == 2_000_000


class Stops(Inner):
    """An application whose client sends nothing."""


def test_a_body_that_stops_is_ended(monkeypatch):
    asked = []

    def no_patience(seconds):
        asked.append(seconds)
        return timeout(0)

    timeout = asyncio.timeout
    monkeypatch.setattr(asyncio, "timeout", no_patience)
    start, _ = run(converse(guard(Stops(), now=Clock()), upload(), []))
    assert start["status"] == 408
    assert asked[0] == 5, "as long as BLINDSPOT_BODY_SECONDS says"


def test_refused_body_is_read_past():
    start, _ = run(converse(guard(), upload(length=3 * MB), [b"x" * MB] * 3))
    assert start["status"] == 413
    assert (b"connection", b"close") not in start["headers"], "the connection is in order"


def test_a_refused_body_without_end_is_cut_off():
    chunks = [b"x" * MB] * 1_000
    start, _ = run(converse(guard(), upload(), chunks))
    assert start["status"] == 413
    assert (b"connection", b"close") in start["headers"]


def test_refusal_after_the_last_chunk_is_immediate():
    start, _ = run(converse(guard(), upload(), [b"x" * 4 * MB]))
    assert start["status"] == 413
    assert (b"connection", b"close") not in start["headers"]
