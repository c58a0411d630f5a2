"""Keys: only the digest is kept, they end, they can be revoked, and nothing about one is told to who has another."""

import dataclasses
import json

import pytest

from cli import main
from data.errors import DataError, NotNow
from data.sharing import api_keys
from data.store import links

SENTENCE = "This key is not known. It may have expired or been revoked; make a new one."


@pytest.fixture(autouse=True)
def store(own_store):
    return own_store


@pytest.fixture
def later(monkeypatch):
    """Stops the clock, and sets it ahead by some days."""
    now = links.now()
    monkeypatch.setattr(links, "now", lambda: now)
    return lambda days: monkeypatch.setattr(links, "now", lambda: now + days * 86_400)


def test_key_is_found_with_its_facts():
    secret, made = api_keys.make("  nightly\t412 ", days=7, scopes=("manage", "push"), person="ada@example.org")
    assert api_keys.find(secret) == made
    assert (made.name, made.scopes, made.person) == ("nightly 412", ("push", "manage"), "ada@example.org")
    assert made.ends - made.made == 7 * 86_400


def test_the_store_holds_no_part_of_a_key(store):
    secret, key = api_keys.make("ci")
    content = b"".join(path.read_bytes() + path.name.encode() for path in store.rglob("*") if path.is_file())
    assert secret.startswith("blindspot_") and len(secret) == 42
    assert secret.encode() not in content and secret.removeprefix("blindspot_").encode() not in content
    assert key.id == links.digest(secret) and key.id.encode() in content


def refused(secret: str) -> str:
    with pytest.raises(api_keys.KeyRefused) as caught:
        api_keys.find(secret)
    return str(caught.value)


def test_unusable_keys_are_refused_alike(store, later):
    (ended, _), (revoked, gone), (damaged, broken) = (api_keys.make(name, days=2) for name in "abc")
    kept, _ = api_keys.make("d", days=3)
    api_keys.revoke(gone.id)
    path = store / "key" / f"{broken.id}.json"
    path.write_bytes(path.read_bytes().replace(b'"push"', b'"root"'))
    later(2)
    for secret in (ended, revoked, damaged, "blindspot_" + "A" * 32, kept[:-1], kept + "A", "", "é", "../" * 11 + kept):
        assert refused(secret) == SENTENCE
    assert api_keys.find(kept).name == "d"


def test_key_lasts_to_its_last_second(monkeypatch):
    secret, key = api_keys.make("ci", days=1)
    monkeypatch.setattr(links, "now", lambda: key.ends - 1)
    assert api_keys.find(secret) == key
    monkeypatch.setattr(links, "now", lambda: key.ends)
    refused(secret)


def test_everybody_lists_and_revokes_only_their_own_keys():
    _, mine = api_keys.make("mine", person="ada@example.org")
    _, other = api_keys.make("other", person="bob@example.org")
    assert api_keys.list_keys("ada@example.org") == [mine]
    with pytest.raises(DataError, match="no key with this id"):
        api_keys.revoke(other.id, person="ada@example.org")
    api_keys.revoke(mine.id, person="ada@example.org")
    assert api_keys.list_every_key() == [other]


def test_key_is_revoked_by_enough_id():
    _, key = api_keys.make("ci")
    for text in ("", key.id[:7], "*", "../", key.id[:12] + "x", "0" * 64):
        with pytest.raises(DataError, match="no key with this id"):
            api_keys.revoke(text)
    assert api_keys.revoke(key.short_id) == key


def test_several_keys_that_begin_alike_are_all_left(monkeypatch, store):
    _, key = api_keys.make("ci")
    twin = dataclasses.replace(key, id=key.id[:12] + "0" * 52)
    monkeypatch.setattr(api_keys, "_every", lambda: iter([key, twin]))
    with pytest.raises(DataError, match="no key with this id"):
        api_keys.revoke(key.short_id)
    assert (store / "key" / f"{key.id}.json").exists()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"name": "  "}, "needs a name"),
        ({"name": "x" * 81}, "needs a name"),
        ({"name": "a\x1b[2J"}, "needs a name"),
        ({"name": "\udcff"}, "needs a name"),
        ({"name": "ci", "days": 0}, "from 1 to 366 days, not 0"),
        ({"name": "ci", "days": 367}, "from 1 to 366 days, not 367"),
        ({"name": "ci", "scopes": ()}, "one or several of push, manage"),
        ({"name": "ci", "scopes": ("push", "root")}, "one or several of push, manage"),
    ],
)
def test_what_cannot_be_a_key_is_not_made(store, given, sentence):
    with pytest.raises(DataError, match=sentence):
        api_keys.make(**given)
    assert list(store.rglob("*.json")) == []


def test_ended_keys_do_not_count_to_limit(monkeypatch, later):
    monkeypatch.setattr(api_keys, "MAX_KEYS", 2)
    for name in "ab":
        api_keys.make(name, days=1, person="ada@example.org")
    with pytest.raises(DataError, match="There are 2 keys already"):
        api_keys.make("c", person="ada@example.org")
    api_keys.make("c", person="bob@example.org")
    later(1)
    _, key = api_keys.make("d", person="ada@example.org")
    assert api_keys.list_keys("ada@example.org") == [key]


def test_ended_key_leaves_nothing_behind(store, later):
    _, old = api_keys.make("old", days=1)
    (store / "pushed" / old.id).mkdir(parents=True)
    (store / "pushed" / old.id / f"{'a' * 64}.json").touch()
    later(1)
    api_keys.make("new")
    assert [path for path in store.rglob("*") if old.id in str(path) and path.is_file()] == []


def test_unreadable_store_is_no_wrong_key(store, monkeypatch):
    secret, key = api_keys.make("ci")
    path = store / "key" / f"{key.id}.json"
    path.unlink()
    path.mkdir()
    with pytest.raises(NotNow, match="store cannot be used"):
        api_keys.find(secret)


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["key", *arguments])
    return code, *capsys.readouterr()


def test_command_prints_lists_and_revokes_keys(capsys):
    code, out, err = run(
        capsys, "new", "--name", "nightly", "--days", "7", "--scope", "manage", "--person", "ada@x.org"
    )
    secret = out.strip()
    key = api_keys.find(secret)
    assert (code, err) == (0, "") and (key.scopes, key.person) == (("manage",), "ada@x.org")
    _, listed, _ = run(capsys, "list")
    assert key.short_id in listed and "nightly" in listed and "ada@x.org" in listed and secret not in listed
    _, listed, _ = run(capsys, "list", "--json")
    assert [one["id"] for one in json.loads(listed)] == [key.short_id]
    assert run(capsys, "revoke", key.short_id) == (0, f"Revoked {key.short_id} (nightly).\n", "")
    assert run(capsys, "list") == (0, "There are no keys.\n", "")
    refused(secret)


def test_command_line_says_the_problem_in_one_sentence(capsys, monkeypatch):
    assert run(capsys, "revoke", "12345678") == (
        2,
        "",
        "There is no key with this id; the list of keys shows the ids.\n",
    )
    monkeypatch.setenv("BLINDSPOT_DRAFT_HOURS", "x")
    monkeypatch.setenv("BLINDSPOT_STORE", "/proc/nowhere")
    code, out, err = run(capsys, "list")
    assert (code, out) == (2, "") and err.startswith("The server's store cannot be used") and err.count("\n") == 1


def test_old_keys_stay_with_their_subject():
    _, old = api_keys.make("old", person="7")
    _, anns = api_keys.make("anns", person="ann@example.org")
    assert api_keys.list_keys("sub:https://id.example|7") == [old]
    assert api_keys.list_keys("sub:https://id.example|ann@example.org") == []
    with pytest.raises(DataError):
        api_keys.revoke(anns.id, person="sub:https://id.example|ann@example.org")
    assert api_keys.revoke(old.id, person="sub:https://id.example|7") == old
