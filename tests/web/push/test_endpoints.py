"""The endpoints for programs: whoever has the key gets a link, everybody else one sentence, and nothing else breaks."""

import asyncio
import itertools
import json
import os
import random
import threading

import pytest
from starlette.applications import Starlette

from data.evaluation import FileFacts, Settings
from data.runs import load
from data.sharing import api_keys, pushed, quota
from data.store import links, store
from tests.ceiling import CEILING_SECONDS
from tests.opened_runs import open_run
from tests.web.asgi import converse, run, scope_of
from web.limits import FIELD_BYTES
from web.push import api_requests, endpoints
from web.push.form_body import file_name
from web.routes import ROUTES
from web.uploads.places import Upload

PREDS = (
    b"id,label,pred,p\n1,spam,spam,0.9\n2,ham,ham,0.1\n3,spam,ham,0.4\n4,ham,ham,0.2\n5,spam,spam,0.8\n6,ham,spam,0.7\n"
)
APP = Starlette(routes=ROUTES)
LABELS = b"id;label\n" + b"".join(b"%d;%s\n" % (i, label) for i, label in enumerate((b"spam", b"ham") * 3, 1))
_people = itertools.count()


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    monkeypatch.setattr(api_requests, "DRAIN_SECONDS", 0.01)
    yield tmp_path / "store"
    assert endpoints._places.taken == []
    assert list((tmp_path / "store").glob("tmp/*")) == [], "what was received is removed"


@pytest.fixture
def key():
    """A key of somebody who has pushed nothing yet."""
    return api_keys.make("ci", scopes=("push", "manage"), person=f"person-{next(_people)}")


@pytest.fixture
def unread(monkeypatch):
    """Files are received and not read; gives what would have been."""
    seen = []

    def instead(sources, given):
        seen.append(([(path.read_bytes(), name) for path, name in sources], given))
        facts = FileFacts("x.csv", "CSV", 0, (), 0, "0" * 64)
        return load.Draft("x.csv", (facts,), (), given, Settings()), None

    monkeypatch.setattr(pushed.load, "read_and_build", instead)
    return seen


def form(*parts: tuple[str, bytes], boundary: str = "b0undary") -> bytes:
    """A multipart body; a name with a colon is that of a file: "part:file name"."""
    body = b""
    for name, content in parts:
        part, colon, called = name.partition(":")
        more = f'; filename="{called}"' if colon else ""
        body += (
            f'--{boundary}\r\nContent-Disposition: form-data; name="{part}"{more}\r\n\r\n'.encode() + content + b"\r\n"
        )
    return body + f"--{boundary}--\r\n".encode()


def scope(path: str, method: str = "GET", secret: str = "", query: str = "", **headers: str):
    pairs = [(name.replace("_", "-"), text) for name, text in headers.items()]
    pairs += [("authorization", f"Bearer {secret}")] if secret else []
    return scope_of(
        path, method, pairs, query_string=query.encode(), scheme="http", server=("127.0.0.1", 8501), root_path=""
    )


def ask(path: str, method: str = "GET", secret: str = "", chunks=(b"",), **headers: str):
    """Status, headers and JSON of an answer."""
    first, *rest = run(converse(APP, scope(path, method, secret, **headers), chunks))
    found = {name.decode(): text.decode() for name, text in first["headers"]}
    return first["status"], found, json.loads(b"".join(message.get("body", b"") for message in rest) or "null")


def send(secret: str, *parts: tuple[str, bytes], chunk: int = 1 << 16, **headers: str):
    """Status and JSON of a push."""
    body = form(*parts)
    chunks = [body[i : i + chunk] for i in range(0, len(body), chunk)]
    kind = {"content_type": "multipart/form-data; boundary=b0undary", "content_length": str(len(body))}
    status, _, said = ask("/api/evaluations", "POST", secret, chunks, **(kind | headers))
    return status, said


# -- what works -------------------------------------------------------------------------------------


def test_file_becomes_a_link_of_the_person(key):
    secret, of = key
    status, made = send(secret, ("file:preds.csv", PREDS), ("name", b"nightly 412"), ("days", b"7"))
    assert status == 201 and made["problem"] is None
    assert made["link"] == f"http://127.0.0.1:8501/overview?run={made['token']}"
    assert (made["rows"], made["file"], made["name"]) == (6, "preds.csv", "nightly 412")
    evaluation = open_run(made["token"])
    assert int((evaluation.y_true == evaluation.y_pred).sum()) == 4
    [(link_id, link)] = links.list_shared(of.person)
    assert link_id == made["id"] == links.id_of(made["token"])
    assert (link.title, link.headline) == ("nightly 412", (("Rows", "6"), ("Accuracy", "66.7 %")))
    assert link.ends - link.made == 7 * 86_400
    links.revoke(link_id, owner_key=made["owner_key"])
    with pytest.raises(links.LinkGone):
        open_run(made["token"])


def test_two_files_and_options_work_as_in_cli(key):
    preds = b"nr;guess\n" + b"".join(b"%d;spam\n" % i for i in range(1, 7))
    parts = [("file:preds.csv", preds), ("labels:labels.csv", LABELS), ("join", b"nr=id"), ("pred", b"guess")]
    status, made = send(
        key[0], *parts, ("positive", b"spam"), ("delimiter", b"semicolon"), ("label-set", b"spam,ham,eggs")
    )
    assert (status, made["problem"]) == (201, None)
    evaluation = open_run(made["token"])
    assert evaluation.labels[:3] == ("spam", "ham", "eggs") and evaluation.n_scored == 6
    assert int((evaluation.y_true == evaluation.y_pred).sum()) == 3


def test_counts_only_leaves_rows_out(key):
    status, made = send(key[0], ("file:preds.csv", PREDS), ("counts-only", b"yes"))
    assert status == 201
    draft, evaluation = load.draft_of(made["token"]), open_run(made["token"])
    assert draft.counts_only and "id" not in evaluation.rows.column_names
    assert int((evaluation.y_true == evaluation.y_pred).sum()) == 4


def test_hidden_columns_are_not_in_the_link(key):
    _, made = send(key[0], ("file:preds.csv", PREDS), ("hide", b"id"))
    assert "id" not in load.list_columns(made["token"])
    assert send(key[0], ("file:preds.csv", PREDS), ("hide", b"nosuch"))[0] == 422


def test_unclear_file_gets_a_link_that_asks(key):
    status, made = send(key[0], ("file:numbers.csv", b"a,b\n" + b"1,2\n" * 9), ("truth", b"nosuch"))
    assert status == 201 and made["link"].startswith("http://127.0.0.1:8501/?run=")
    assert "nosuch" in made["problem"]
    status, said = send(
        key[0], ("file:numbers.csv", b"a,b\n" + b"1,2\n" * 9), ("truth", b"nosuch"), ("counts-only", b"1")
    )
    assert status == 422 and "nosuch" in said["error"], "nothing can be left out of what is no evaluation yet"


def test_unreadable_file_is_one_sentence(key):
    status, said = send(key[0], ("file:preds.parquet", b"PAR1" + bytes(100) + b"PAR1"))
    assert status == 422 and said["error"].startswith("preds.parquet") and "/" not in said["error"]


def test_the_link_has_the_address_that_people_use(key, unread, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_URL", "https://example.org/blindspot")
    assert send(key[0], ("file:x", b""))[1]["link"].startswith("https://example.org/blindspot/overview?run=")


def test_health_needs_no_key(key):
    status, headers, said = ask("/api/health")
    assert (status, said["status"]) == (200, "ok") and headers["cache-control"] == "no-store"
    status, _, said = ask("/api/key", secret=key[0])
    assert status == 200 and said["scopes"] == ["push", "manage"] and said["most_mb"] == 200
    assert key[0] not in json.dumps(said)


# -- who may ------------------------------------------------------------------------------------------

ENDPOINTS = [
    ("/api/key", "GET", None),
    ("/api/evaluations", "POST", "push"),
    ("/api/evaluations", "GET", "manage"),
    (f"/api/evaluations/{'a' * 64}", "PATCH", "manage"),
    (f"/api/evaluations/{'a' * 64}", "DELETE", "manage"),
]


@pytest.mark.parametrize(("path", "method", "scope"), ENDPOINTS)
def test_without_a_key_that_holds_nothing_is_done(path, method, scope, key, monkeypatch):
    now = links.now()
    ended, _ = api_keys.make("ended", days=1)
    revoked, gone = api_keys.make("revoked", days=9)
    api_keys.revoke(gone.id)
    monkeypatch.setattr(links, "now", lambda: now + 86_401)
    told = set()
    for secret in (ended, revoked, "blindspot_" + "x" * 32, "nonsense", "é"):
        status, headers, said = ask(path, method, secret)
        assert (status, headers["www-authenticate"]) == (401, "Bearer")
        told.add(said["error"])
    assert len(told) == 1, "which of them it is cannot be told"
    for headers in ({}, {"authorization": f"Basic {key[0]}"}, {"cookie": f"key={key[0]}"}):
        assert ask(path, method, **headers)[0] == 401
    assert ask(path, method, key[0], authorization=f"Bearer {key[0]}")[0] == 401, "two keys are none"


@pytest.mark.parametrize(("path", "method", "scope"), ENDPOINTS[1:])
def test_a_key_for_something_else_is_not_enough(path, method, scope):
    secret, _ = api_keys.make("half", scopes=[one for one in api_keys.SCOPES if one != scope])
    status, _, said = ask(path, method, secret)
    assert status == 403 and scope in said["error"]


def test_key_manages_only_its_own_links(key, unread):
    secret, of = key
    made = [send(secret, ("file:x", b""))[1]["id"] for _ in range(2)]
    other, _ = api_keys.make("other", scopes=("manage",), person=of.person)
    by_hand = links.id_of(links.share({}, (), person=of.person).token)
    assert {one["id"] for one in ask("/api/evaluations", secret=secret)[2]["evaluations"]} == set(made)
    assert ask("/api/evaluations", secret=other)[2] == {"evaluations": []}
    for who, link_id in ((other, made[0]), (secret, by_hand), (secret, "a" * 64), (secret, "..%2f"), (secret, "x" * 9)):
        for method, query in (("DELETE", ""), ("PATCH", "days=7")):
            scoped = scope(f"/api/evaluations/{link_id}", method, who, query)
            assert run(converse(APP, scoped))[0]["status"] == 404
    assert len(list(links.list_shared(of.person))) == 3


def test_link_is_managed_by_its_key(key, unread):
    secret, _ = key
    link_id = send(secret, ("file:x", b""), ("days", b"1"))[1]["id"]
    for query, status in (("days=180", 200), ("days=31", 422), ("days=x", 400), ("", 400), ("days=99999", 400)):
        assert run(converse(APP, scope(f"/api/evaluations/{link_id}", "PATCH", secret, query)))[0]["status"] == status
    assert links.open_id(link_id).ends - links.now() > 179 * 86_400
    assert ask(f"/api/evaluations/{link_id}", "DELETE", secret)[0] == 200
    assert ask("/api/evaluations", secret=secret)[2] == {"evaluations": []}
    assert ask(f"/api/evaluations/{link_id}", "DELETE", secret)[0] == 404


def test_links_of_nobodys_key_are_in_no_list(unread):
    secret, _ = api_keys.make("ci", scopes=("push", "manage"))
    link_id = send(secret, ("file:x", b""))[1]["id"]
    assert list(links.list_shared("")) == []
    assert ask(f"/api/evaluations/{link_id}", "DELETE", secret)[0] == 200


# -- how much -----------------------------------------------------------------------------------------


def test_file_of_exactly_the_limit_passes(key, unread, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_UPLOAD_MB", "1")
    assert send(key[0], ("file:x", bytes(1 << 20)), ("labels:y", bytes(1 << 20)))[0] == 201
    for parts in ([("file:x", bytes((1 << 20) + 1))], [("file:x", b""), ("labels:y", bytes((1 << 20) + 1))]):
        status, said = send(key[0], *parts)
        assert status == 413 and "1 MB" in said["error"] and "BLINDSPOT_UPLOAD_MB" in said["error"]
    assert len(unread) == 1


def test_body_length_is_measured(key, unread, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_UPLOAD_MB", "1")
    assert send(key[0], ("file:x", bytes(3 << 20)), content_length="10")[0] == 413
    assert ask("/api/evaluations", "POST", key[0], [b"x", b"y"], content_length=str(1 << 40))[0] == 413
    assert unread == []


def test_endless_rest_of_a_form_is_cut(key, unread, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_UPLOAD_MB", "1")
    rubbish = [form(("file:x", b"abc")), *[bytes(1 << 20)] * 7]
    assert ask("/api/evaluations", "POST", key[0], rubbish, content_type=KIND, transfer_encoding="chunked")[0] == 413


def test_fields_together_have_a_limit(key, unread):
    assert send(key[0], ("file:x", b""), *[("hide", b"x" * 9000)] * (FIELD_BYTES // 9000 + 1))[0] == 413
    assert send(key[0], ("file:x", b""), *[("hide", b"x")] * 1001)[0] == 400


def test_a_body_that_never_ends_is_given_up(key, unread, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_BODY_SECONDS", "1")
    kind = "multipart/form-data; boundary=b0undary"
    body = form(("file:x", b"abc"))

    async def talk():
        sent = []
        pieces = [{"type": "http.request", "body": body[:50], "more_body": True}]

        async def receive():
            return pieces.pop() if pieces else await asyncio.Event().wait()

        async def answered(message):
            sent.append(message)

        await APP(
            scope("/api/evaluations", "POST", key[0], content_type=kind, transfer_encoding="chunked"), receive, answered
        )
        return sent

    first, rest, *_ = run(talk())
    assert first["status"] == 408 and b"BLINDSPOT_BODY_SECONDS" in rest["body"]
    assert (b"connection", b"close") in first["headers"]


def test_key_takes_a_quarter_of_the_places(key, unread, monkeypatch):
    other, _ = api_keys.make("other")
    now = endpoints._places.now()
    here, away = (Upload(key[1].id, peer, now) for peer in ("127.0.0.1", "10.0.0.1"))
    for taken, status in (([here], 201), ([here, away], 503)):
        monkeypatch.setattr(endpoints._places, "taken", list(taken))
        assert send(key[0], ("file:x", b""))[0] == status
        assert endpoints._places.taken == taken, "a place is given back"
    assert send(other, ("file:x", b""))[0] == 201
    monkeypatch.setattr(endpoints._places, "taken", [Upload(str(i), "127.0.0.1", now) for i in range(4)])
    status, said = send(other, ("file:x", b""))
    assert (
        status == 503
        and "4 uploads from your address" in said["error"]
        and "BLINDSPOT_UPLOADS_AT_ONCE" in said["error"]
    )
    monkeypatch.setattr(endpoints._places, "taken", [Upload(str(i), "127.0.0.1", now - 4) for i in range(4)])
    assert send(other, ("file:x", b""))[0] == 201, "one that trickles makes room"
    endpoints._places.taken.clear()


def test_person_is_limited_over_all_keys(key, unread, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_SAVES_PER_HOUR", "2")
    again, _ = api_keys.make("again", person=key[1].person)
    assert [send(secret, ("file:x", b""))[0] for secret in (key[0], again, key[0], again)] == [201, 201, 429, 429]
    with pytest.raises(quota.TooMany):
        quota.take(key[1].person)


def test_full_memory_or_disk_is_503(key, unread, monkeypatch):
    monkeypatch.setattr(endpoints.usage, "resident_bytes", lambda: 1 << 60)
    status, said = send(key[0], ("file:x", b""))
    assert status == 503 and "BLINDSPOT_MEMORY_MB" in said["error"]
    monkeypatch.undo()


def test_a_full_disk_is_told_without_a_path(key, unread, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "/secret/path")

    monkeypatch.setattr(endpoints.Body, "feed", full)
    status, said = send(key[0], ("file:x", b"abc"))
    assert status == 503 and "No space left" in said["error"] and "secret" not in said["error"]


def test_busy_reader_is_worth_another_try(key, monkeypatch):
    def busy(*_):
        raise store.NotNow("The server is reading other files at the moment; try again in a minute.")

    monkeypatch.setattr(endpoints.pushed, "push", busy)
    status, headers, _ = ask("/api/evaluations", "POST", key[0], [form(("file:x", b""))], content_type=KIND)
    assert (status, headers["retry-after"]) == (503, "60")


# -- what comes in ------------------------------------------------------------------------------------

KIND = "multipart/form-data; boundary=b0undary"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("", form(("file:x", b"a"))),
        ("text/csv", b"a,b\n"),
        ("multipart/form-data", form(("file:x", b"a"))),
        (f"multipart/form-data; boundary={'b' * 80}", form(("file:x", b"a"))),
        (KIND, b""),
        (KIND, form(("name", b"no file"))),
        (KIND, form(("labels:x", b"a"))),
        (KIND, form(("file:x", b"a"), ("file:y", b"b"))),
        (KIND, form(("file:x", b"a"))[:-4]),
        (KIND, form(("file:x", b"a"))[:60]),
        (KIND, form(("file:x", b"a"), ("name", b"\xff"))),
        (KIND, b"--b0undary\r\n\r\nabc\r\n--b0undary--\r\n"),
        (KIND, b"--b0undary\r\nContent-Disposition: attachment; name=file\r\n\r\nabc\r\n--b0undary--\r\n"),
        (KIND, b"--b0undary\r\nX: " + b"y" * 10_000 + b"\r\n\r\nabc\r\n--b0undary--\r\n"),
    ],
)
def test_wrong_form_is_a_400_with_a_sentence(key, unread, kind, body):
    status, _, said = ask("/api/evaluations", "POST", key[0], [body], content_type=kind)
    assert status == 400 and said["error"].endswith(".") and unread == []


@pytest.mark.parametrize("chunk", [1, 7, 1 << 16])
def test_files_arrive_whole_however_cut(key, unread, chunk):
    content = random.Random(4).randbytes(3000) + b"\r\n--b0undar" + b"\r\n--b0undary-x"[:11] + bytes(range(256))
    status, _ = send(key[0], ("name", "né".encode()), ("file:x", content), ("labels:y", b""), chunk=chunk)
    [(files, _)] = unread
    assert status == 201 and files == [(content, "x"), (b"", "y")]
    assert [link.title for _, link in links.list_shared(key[1].person)] == ["né"]


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "..\\..\\boot.ini", "/abs/x", "a\0b", "~/x", "x" * 4000, "<img src=x onerror=alert(1)>"],
)
def test_a_file_name_is_only_text(key, unread, kept, name):
    before = {path for path in kept.parent.rglob("*")}
    assert send(key[0], (f"file:{name}", b"abc"))[0] in (201, 400)
    assert all("/" not in called and "\0" not in called and len(called) <= 255 for [(_, called)], _ in unread)
    new = {path.relative_to(kept).parts[0] for path in kept.parent.rglob("*") if path not in before}
    assert new <= {"link", "owner", "pushed"}
    assert file_name(name) == (unread[0][0][0][1] if unread else file_name(name))


def test_unknown_endpoint_answers_in_json():
    assert ask("/api/nothing")[::2] == (404, {"error": "There is no such endpoint; docs/deployment.md lists them."})
    status, _, said = ask("/api/evaluations", "PUT")
    assert status == 405 and "POST" in said["error"]


def test_broken_requests_are_refused_without_effect(key, unread, kept, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_SAVES_PER_HOUR", "100000")
    chance = random.Random(412)
    good = form(
        ("file:a.csv", PREDS), ("name", b"n"), ("threshold", b"0.5"), ("merge", b"a=b"), ("label-set", b'["a","b"]')
    )
    statuses = set()

    async def everything():
        for _ in range(400):
            body = bytearray(good)
            for _ in range(chance.randint(0, 6)):
                at = chance.randrange(len(body) + 1)
                body[at : at + chance.randint(0, 8)] = chance.randbytes(chance.randint(0, 8))
            cut = chance.randrange(len(body) + 1)
            chunks = [bytes(body[:cut]), bytes(body[cut:])]
            secret = chance.choice([key[0]] * 9 + ["blindspot_" + chance.randbytes(16).hex()])
            method, path = chance.choice([("POST", "/api/evaluations")] * 9 + [("PATCH", "/api/evaluations/\xff%00")])
            kind = chance.choice([KIND] * 9 + [chance.randbytes(20).decode("latin-1")])
            first, *_ = await converse(APP, scope(path, method, secret, content_type=kind), chunks)
            statuses.add(first["status"])

    outside = set(os.listdir(kept.parent))
    run(everything())
    assert {201, 400, 401, 422} <= statuses and max(statuses) < 500
    assert set(os.listdir(kept.parent)) == outside


def test_others_are_answered_during_a_push(key, monkeypatch):
    reading, go_on = threading.Event(), threading.Event()

    def slowly(*_):
        reading.set()
        assert go_on.wait(CEILING_SECONDS)
        raise store.NotNow("x")

    monkeypatch.setattr(endpoints.pushed, "push", slowly)

    async def both():
        body = [form(("file:x", b""))]
        pushing = asyncio.ensure_future(
            converse(APP, scope("/api/evaluations", "POST", key[0], content_type=KIND), body)
        )
        await asyncio.to_thread(reading.wait, 60)
        answered = await converse(APP, scope("/api/health"))
        about = await converse(APP, scope("/api/key", "GET", key[0]))
        waiting = not pushing.done()
        go_on.set()
        return answered[0]["status"], about[0]["status"], waiting, (await pushing)[0]["status"]

    assert run(both()) == (200, 200, True, 503)
