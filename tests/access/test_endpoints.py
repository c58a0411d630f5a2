"""Test who gets what without a page: the endpoints for programs by key, and links taken back by key or by login."""

import contextlib
import dataclasses
import http.client
import json
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from data.errors import DataError
from data.sharing import api_keys, share
from data.store import links, records, store
from tests.access.tab import COOKIE_SECRET, server
from tests.access.test_matrix import ANN, BOB, DEAD, NAME, upload
from tests.ceiling import CEILING_SECONDS

PREDS = b"id,label,pred\n1,a,a\n2,b,b\n3,a,b\n4,b,b\n"
BOUNDARY = "b0undary"
NOT_YOURS = "This is not the owner key of this link, so nothing was changed. The key was shown when the link was made."

# What comes with a request → health, key, list of links, push, extend, revoke.
TABLE = {
    "nothing": (200, 401, 401, 401, 401, 401),
    "a login's cookie": (200, 401, 401, 401, 401, 401),
    "a wrong key": (200, 401, 401, 401, 401, 401),
    "an expired key": (200, 401, 401, 401, 401, 401),
    "a revoked key": (200, 401, 401, 401, 401, 401),
    "a key to push": (200, 200, 403, 201, 403, 403),
    "a key to manage": (200, 200, 200, 403, 404, 404),
    "another key of the owner": (200, 200, 200, 201, 404, 404),
    "somebody else's key": (200, 200, 200, 201, 404, 404),
    "the key it was made with": (200, 200, 200, 201, 200, 200),
}


class Api(NamedTuple):
    """A server with a login, what comes with the requests, and a link that was pushed."""

    url: str
    headers: dict[str, dict[str, str]]
    pushed: str


@pytest.fixture(scope="module")
def api(module_store, tmp_path_factory) -> Iterator[Api]:
    with server(tmp_path_factory.mktemp("login"), module_store, login=True, BLINDSPOT_LINKS_FOR="members") as url:
        both = ("push", "manage")
        expired, revoked = api_keys.make("a", scopes=both), api_keys.make("b", scopes=both)
        past = dataclasses.asdict(dataclasses.replace(expired[1], ends=links.now() - 1))
        del past["id"]
        store.place().write(f"key/{expired[1].id}.json", records.encode(past))
        api_keys.revoke(revoked[1].id)
        secrets = {
            "a wrong key": "blindspot_" + "A" * 32,
            "an expired key": expired[0],
            "a revoked key": revoked[0],
            "a key to push": api_keys.make("c", person=ANN)[0],
            "a key to manage": api_keys.make("d", scopes=("manage",), person=ANN)[0],
            "another key of the owner": api_keys.make("e", scopes=both, person=ANN)[0],
            "somebody else's key": api_keys.make("f", scopes=both, person=BOB)[0],
            "the key it was made with": api_keys.make("g", scopes=both, person=ANN)[0],
        }
        headers = {who: {"Authorization": f"Bearer {secret}"} for who, secret in secrets.items()}
        headers |= {"nothing": {}, "a login's cookie": {"Cookie": cookie(url)}}
        made = ask(url, "/api/evaluations", "POST", headers["the key it was made with"])[1]
        yield Api(url, headers, json.loads(made)["id"])


def cookie(url: str) -> str:
    from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

    claims = json.dumps({"origin": url, "is_logged_in": True, "email": ANN})
    return f"_streamlit_user={create_signed_value(COOKIE_SECRET, '_streamlit_user', claims).decode()}"


def ask(url: str, path: str, method: str = "GET", headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """Status and content; a POST sends a file."""
    body, more = None, {}
    if method == "POST":
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{NAME}"\r\n\r\n'
        body = head.encode() + PREDS + f"\r\n--{BOUNDARY}--\r\n".encode()
        more = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    with contextlib.closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=CEILING_SECONDS)) as connection:
        connection.request(method, path, body, {**more, **(headers or {})})
        answer = connection.getresponse()
        return answer.status, answer.read()


def requests(pushed: str) -> list[tuple[str, str]]:
    one = f"/api/evaluations/{pushed}"
    return [("GET", "/api/health"), ("GET", "/api/key"), ("GET", "/api/evaluations"), ("POST", "/api/evaluations"),
            ("PATCH", f"{one}?days=7"), ("DELETE", one)]  # fmt: skip


@pytest.mark.parametrize("who", TABLE)
def test_every_endpoint_with(who, api):
    """The last row takes the link back, so it has to be the last."""
    answers = [ask(api.url, path, method, api.headers[who]) for method, path in requests(api.pushed)]
    assert tuple(status for status, _ in answers) == TABLE[who]
    listed = json.loads(answers[2][1]).get("evaluations", [])
    assert [one["id"] for one in listed] == ([api.pushed] if who == "the key it was made with" else [])
    assert (links.read(api.pushed) is None) is (who == "the key it was made with")


def test_wrong_expired_and_revoked_keys_are_answered_alike(api):
    for method, path in requests("0" * 64)[1:]:
        answers = {ask(api.url, path, method, api.headers[f"{what} key"]) for what in ("a wrong", "an expired")}
        assert answers | {ask(api.url, path, method, api.headers["a revoked key"])} == answers
        assert len(answers) == 1


def test_page_without_its_websocket_holds_no_content(api, module_store):
    made = share.share(upload(module_store.parent), person=ANN)
    for headers in ({}, {"Cookie": cookie(api.url)}):
        for path in (f"/overview?run={made.token}", f"/?run={made.token}", "/links"):
            status, content = ask(api.url, path, headers=headers)
            assert status == 200 and NAME.encode() not in content
        for path in ("/media/" + "0" * 56 + ".csv", f"/link/{links.id_of(made.token)}.json", "/.blindspot/"):
            assert NAME.encode() not in ask(api.url, path, headers=headers)[1]


# Whoever asks → may take a link back that Ann has made with a login, and one that was made without.
PROOFS = {
    "the owner key": (True, True),
    "the login": (True, False),
    "somebody else's login": (False, False),
    "the key of another link": (False, False),
    "the token itself": (False, False),
    "its id": (False, False),
    "the stored digest of the key": (False, False),
    "nothing": (False, False),
}


@pytest.mark.parametrize("who", PROOFS)
@pytest.mark.parametrize("with_login", [True, False])
def test_a_link_is_taken_back_by(who, with_login, module_store):
    run = upload(module_store.parent)
    made, other = (share.share(run, person=ANN if with_login else "") for _ in range(2))
    link_id = links.id_of(made.token)
    proof = {
        "the owner key": {"owner_key": f" {made.owner_key}\n"},
        "the login": {"person": ANN},
        "somebody else's login": {"person": BOB},
        "the key of another link": {"owner_key": other.owner_key},
        "the token itself": {"owner_key": made.token, "person": made.token},
        "its id": {"owner_key": link_id, "person": link_id},
        "the stored digest of the key": {"owner_key": links.open_link(made.token).owner},
        "nothing": {"owner_key": "", "person": ""},
    }[who]
    may = PROOFS[who][not with_login]
    actions = (
        lambda: links.extend(link_id, 180, **proof),
        lambda: share.delete_share(link_id, **proof),
        lambda: links.revoke(link_id, **proof),
    )
    ends = links.open_link(made.token).ends
    for place, act in enumerate(actions):
        if not may:
            with pytest.raises(DataError, match="not the owner key") as refused:
                act()
            assert str(refused.value) == NOT_YOURS and links.open_link(made.token).ends == ends
        elif place < 2:
            act()
        else:
            told = "This link was revoked" if who == "the owner key" else DEAD
            with pytest.raises(links.LinkGone, match=told):  # it was deleted a moment ago
                act()
    assert (links.read(link_id) is None) is may


def test_draft_and_ended_links_cannot_be_extended(module_store):
    run = upload(module_store.parent)
    ended, removed = (share.share(run, person=ANN) for _ in range(2))
    past = dataclasses.replace(links.open_link(ended.token), ends=links.now() - 1)
    store.place().write(f"link/{links.id_of(ended.token)}.json", records.encode(past.to_json()))
    links.revoke(links.id_of(removed.token), person=ANN)
    for token in (run, ended.token, removed.token, "A" * 32):
        for proof in ({"person": ANN}, {"owner_key": ended.owner_key}, {"owner_key": removed.owner_key}):
            with pytest.raises(links.LinkGone if token != ended.token else DataError):
                links.extend(links.id_of(token), 180, **proof)
