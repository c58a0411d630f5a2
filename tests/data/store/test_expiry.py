"""The sweep: removes what ended and what nobody names, and never what is being made, at whatever moment it runs."""

import logging
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from data.errors import DataError
from data.store import expiry, links, store
from data.store.expiry import Swept
from data.store.storage import Folder, Storage
from tests.reliability import s3_server as s3

DAY = 86_400
CONTENT = b"a table, as far as the store knows"


@pytest.fixture(params=["folder", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Storage:
    monkeypatch.delenv("BLINDSPOT_DRAFT_HOURS", raising=False)
    if request.param == "s3":
        request.getfixturevalue("s3_server")
        s3.empty_bucket()
        monkeypatch.setenv("BLINDSPOT_STORE", s3.URL)
        store._place.cache_clear()
        (tmp_path / "scratch").mkdir()  # of its own: what other processes left in the common one is swept, too
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    else:
        monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    return store.place()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.delenv("BLINDSPOT_DRAFT_HOURS", raising=False)
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    found = store.place()
    assert isinstance(found, Folder)
    return found


def put(tmp_path: Path, content: bytes = CONTENT) -> str:
    (tmp_path / "table").write_bytes(content)
    return store.put_table(tmp_path / "table")


def age(place: Storage, name: str, seconds: float) -> None:
    if isinstance(place, Folder):
        os.utime(place.root / name, (time.time() - seconds, time.time() - seconds))
    else:
        s3.age(name, seconds)


def old_table(place: Storage, tmp_path: Path, content: bytes = CONTENT) -> str:
    data_id = put(tmp_path, content)
    age(place, store.data_name(data_id), DAY + 60)
    return data_id


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Links are as old as if this much time had passed; files are made older one by one."""
    monkeypatch.setattr(links, "now", lambda: int(time.time() + seconds))
    monkeypatch.setattr(type(store.place()), "clock", lambda self: time.time() + seconds)


def opens(token: str) -> bool:
    try:
        links.open_link(token)
    except DataError:
        return False
    return True


def content_of(data_id: str) -> bytes:
    with store._use_table(store.place(), data_id, store.place().open) as file:
        return file.read()


def test_unlinked_table_is_removed_after_a_day(place: Storage, tmp_path: Path) -> None:
    data_id = put(tmp_path)
    assert expiry.sweep() == Swept() and place.has(store.data_name(data_id))
    age(place, store.data_name(data_id), DAY - 60)
    assert expiry.sweep() == Swept() and place.has(store.data_name(data_id))
    age(place, store.data_name(data_id), DAY + 60)
    assert expiry.sweep() == Swept()
    assert not place.has(store.data_name(data_id)) and place.has(store.trash_name(data_id))
    assert expiry.sweep() == Swept() and place.has(store.trash_name(data_id))
    age(place, store.trash_name(data_id), 3_700)
    assert expiry.sweep() == Swept(tables=1)
    assert not place.has(store.trash_name(data_id))
    with pytest.raises(DataError, match="not there any more"):
        store.load_table(data_id)


def test_a_linked_table_stays_however_old_it_is(place: Storage, tmp_path: Path) -> None:
    data_id, other = put(tmp_path), put(tmp_path, b"another")
    token, draft = links.share({}, [data_id], days=180).token, links.keep_draft({}, [other])
    for one in (data_id, other):
        age(place, store.data_name(one), 150 * DAY)
    for _ in range(3):
        assert expiry.sweep() == Swept()
    assert opens(token) and opens(draft) and content_of(data_id) == CONTENT and content_of(other) == b"another"


def test_ended_links_go_before_their_tables(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data_id = put(tmp_path)
    token = links.share({}, [data_id], days=1, person="ann").token
    age(folder, store.data_name(data_id), DAY + 60)
    later(monkeypatch, DAY + 3_500)
    assert expiry.sweep() == Swept() and not opens(token) and folder.has(store.data_name(data_id))
    later(monkeypatch, DAY + 3_700)
    assert expiry.sweep().links == 1
    assert list(folder.entries("link")) == list(folder.entries("owner")) == list(folder.entries("data")) == []


def test_descendants_of_a_revoked_share_go_too(place: Storage, tmp_path: Path) -> None:
    data_id = put(tmp_path)
    made = links.share({}, [data_id], person="ann")
    child = links.keep_draft({}, [data_id], of=links.id_of(made.token))
    grandchild = links.share({}, [data_id], of=links.id_of(child)).token
    links.revoke(links.id_of(made.token), owner_key=made.owner_key)
    assert not opens(child) and not opens(grandchild)
    assert expiry.sweep().links == 2 and list(place.entries("link")) == []
    age(place, store.data_name(data_id), DAY + 60)
    expiry.sweep()
    assert not place.has(store.data_name(data_id))


def test_revocation_notes_go_after_a_day(folder: Folder, tmp_path: Path) -> None:
    made = links.share({}, [put(tmp_path)], person="ann")
    links.revoke(links.id_of(made.token), person="ann")
    lost = f"owner/{links.digest('ann')}/{'0' * 64}.json"
    folder.write(lost, b"")
    (gone,) = folder.entries("gone")
    expiry.sweep()
    assert folder.has(gone.name) and folder.has(lost)
    for name in (gone.name, lost):
        age(folder, name, DAY + 60)
    expiry.sweep()
    assert not folder.has(gone.name) and not folder.has(lost)


def test_damaged_link_stops_removals(folder: Folder, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data_id, unnamed = put(tmp_path), old_table(folder, tmp_path, b"another")
    link_id = links.id_of(links.share({}, [data_id]).token)
    path = folder.root / "link" / f"{link_id}.json"
    path.write_bytes(path.read_bytes()[:-1])
    age(folder, store.data_name(data_id), DAY + 60)
    with caplog.at_level(logging.WARNING):
        assert expiry.sweep() == Swept()
    assert folder.has(store.data_name(data_id)) and folder.has(store.data_name(unnamed)) and link_id in caplog.text
    assert expiry.forget([unnamed]) is False and folder.has(store.data_name(unnamed))
    age(folder, f"link/{link_id}.json", 182 * DAY)  # longer than any link lasts
    assert expiry.sweep().links == 1


def test_leftovers_go_after_a_day(folder: Folder) -> None:
    (folder.root / "tmp" / "old").mkdir()
    (folder.root / "tmp" / "old" / "0.parquet").write_bytes(b"x")
    (folder.root / "tmp" / "tmpold").write_bytes(b"x")
    for name in ("old", "tmpold"):
        age(folder, f"tmp/{name}", DAY + 60)
    with store.scratch() as mine:
        assert expiry.sweep().leftovers == 2
        assert list((folder.root / "tmp").iterdir()) == [mine]


def test_foreign_tables_are_left_alone(folder: Folder) -> None:
    folder.write("data/README.txt", b"not ours")
    age(folder, "data/README.txt", 90 * DAY)
    assert expiry.sweep() == Swept() and folder.read("data/README.txt") == b"not ours"


def test_a_store_that_is_away_is_a_sentence(folder: Folder, tmp_path: Path) -> None:
    folder.root.rename(tmp_path / "away")
    for use in (expiry.sweep, lambda: expiry.forget(["0" * 64])):
        with pytest.raises(DataError, match="cannot be used at the moment"):
            use()


# What somebody deletes goes at once, unless another link needs it.


def test_forgotten_table_is_gone_at_once(place: Storage, tmp_path: Path) -> None:
    data_id = put(tmp_path)
    assert expiry.forget([data_id]) is True
    assert list(place.entries("data")) == list(place.entries("trash")) == []
    assert expiry.forget([data_id]) is True  # what is gone is gone


def test_table_of_another_link_is_not_forgotten(place: Storage, tmp_path: Path) -> None:
    data_id = put(tmp_path)
    mine, other = links.share({}, [data_id]), links.share({}, [data_id])
    links.revoke(links.id_of(mine.token), owner_key=mine.owner_key)
    assert expiry.forget([data_id]) is False
    assert opens(other.token) and content_of(data_id) == CONTENT


# Interleaved: somebody shares at every single step of a sweep, and a sweep runs at every single step of sharing.


def steps(monkeypatch: pytest.MonkeyPatch, at: int, do: Callable[[], object]) -> list[str]:
    """Before the verb number `at` of the store, `do` something, once; returns the verbs there were."""
    seen: list[str] = []
    busy = [False]

    def hooked(verb: str) -> Callable[..., object]:
        original = getattr(Folder, verb)

        def call(self: Folder, *arguments: object, **options: object) -> object:
            if not busy[0]:
                busy[0] = True
                seen.append(verb)
                if len(seen) - 1 == at:
                    do()
                busy[0] = False
            return original(self, *arguments, **options)

        return call

    for verb in ("write", "read", "open", "entries", "remove", "has", "touch", "move", "clock"):
        monkeypatch.setattr(Folder, verb, hooked(verb))
    return seen


def fresh(folder: Folder) -> None:
    for part in ("data", "link", "trash", "gone", "owner"):
        for entry in list(folder.entries(part)):
            folder.remove(entry.name)


SAVES: dict[str, Callable[[str], str]] = {
    "share": lambda data_id: links.share({}, [data_id], person="ann").token,
    "draft": lambda data_id: links.keep_draft({}, [data_id]),
}
SWEEPS: dict[str, Callable[[str], object]] = {
    "sweep": lambda data_id: expiry.sweep(),
    "two sweeps": lambda data_id: (expiry.sweep(), expiry.sweep()),
}


def keep_token(tokens: list[str], how: str, data_id: str) -> None:
    tokens.append(SAVES[how](data_id))


@pytest.mark.parametrize("how", SAVES)
@pytest.mark.parametrize("what", SWEEPS)
def test_save_during_a_sweep_keeps_its_table(
    how: str, what: str, folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = 0
    while True:
        data_id = old_table(folder, tmp_path)
        tokens: list[str] = []
        with monkeypatch.context() as patch:
            seen = steps(patch, at, partial(keep_token, tokens, how, data_id))
            SWEEPS[what](data_id)
        if not tokens:
            break  # the sweep has no such step
        assert opens(tokens[0]) and content_of(data_id) == CONTENT, f"lost at step {at}: {seen}"
        expiry.sweep()
        assert folder.has(store.data_name(data_id)) and content_of(data_id) == CONTENT
        fresh(folder)
        at += 1
    assert at > 8


@pytest.mark.parametrize("how", SAVES)
@pytest.mark.parametrize("what", SWEEPS)
def test_sweep_during_a_save_takes_nothing(
    how: str, what: str, folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, n_steps = 0, 1
    while at < n_steps:
        data_id = old_table(folder, tmp_path)
        with monkeypatch.context() as patch:
            seen = steps(patch, at, partial(SWEEPS[what], data_id))
            token = SAVES[how](data_id)
        n_steps = max(n_steps, len(seen))
        expiry.sweep()
        assert opens(token) and content_of(data_id) == CONTENT, f"lost at step {at}: {seen}"
        fresh(folder)
        at += 1
    assert n_steps > 2


@pytest.mark.parametrize("how", SAVES)
def test_killed_sweep_loses_no_linked_table(
    how: str, folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worst: a link is made just after the table was set aside, and the sweep never comes to look again."""

    class Killed(BaseException):
        pass

    def killed() -> None:
        raise Killed

    at, n_killed = 0, 0
    while True:
        data_id = old_table(folder, tmp_path)
        try:
            with monkeypatch.context() as patch:
                steps(patch, at, killed)
                expiry.sweep()
            break
        except Killed:
            n_killed += 1
        token = SAVES[how](data_id)
        assert opens(token) and content_of(data_id) == CONTENT, f"killed at step {at}"
        expiry.sweep()
        assert content_of(data_id) == CONTENT and folder.has(store.data_name(data_id))
        fresh(folder)
        at += 1
    assert n_killed > 8


@pytest.mark.parametrize("how", SAVES)
def test_deleting_during_a_save_breaks_no_link(
    how: str, folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, n_steps, outcomes = 0, 1, set()
    while at < n_steps:
        data_id = put(tmp_path)
        with monkeypatch.context() as patch:
            seen = steps(patch, at, partial(expiry.forget, [data_id]))
            try:
                token: str | None = SAVES[how](data_id)
            except DataError as error:
                assert "not there any more" in str(error)
                token = None
        n_steps = max(n_steps, len(seen))
        if token is None:
            assert list(folder.entries("link")) == [], f"a link without its table is left behind at step {at}"
        else:
            assert opens(token) and content_of(data_id) == CONTENT, f"lost at step {at}: {seen}"
        outcomes.add(token is None)
        fresh(folder)
        at += 1
    assert outcomes == {True, False}


@pytest.mark.parametrize("how", SAVES)
def test_saving_during_deletion_keeps_or_refuses(
    how: str, folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(tokens: list[str], data_id: str) -> None:
        try:
            keep_token(tokens, how, data_id)
        except DataError as error:
            assert "not there any more" in str(error)

    at, n_steps, outcomes = 0, 1, set()
    while at < n_steps:
        data_id = put(tmp_path)
        tokens: list[str] = []
        with monkeypatch.context() as patch:
            seen = steps(patch, at, partial(save, tokens, data_id))
            expiry.forget([data_id])
        n_steps = max(n_steps, len(seen))
        assert all(opens(token) and content_of(data_id) == CONTENT for token in tokens), f"lost at step {at}: {seen}"
        assert bool(tokens) == (list(folder.entries("link")) != [])
        outcomes.add(bool(tokens))
        fresh(folder)
        at += 1
    assert True in outcomes


def test_upload_during_a_sweep_can_be_linked(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at, n_steps = 0, 1
    while at < n_steps:
        data_id = old_table(folder, tmp_path)
        with monkeypatch.context() as patch:
            seen = steps(patch, at, lambda: put(tmp_path))
            expiry.sweep()
        n_steps = max(n_steps, len(seen))
        expiry.sweep()
        token = links.keep_draft({}, [data_id])
        assert opens(token) and content_of(data_id) == CONTENT, f"lost at step {at}: {seen}"
        fresh(folder)
        at += 1


def test_extending_during_a_sweep_keeps_the_link(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [0]
    monkeypatch.setattr(links, "now", lambda: moment[0])

    def extend(made: links.Shared) -> None:
        """Whoever extends came just in time, the sweep comes a second after the end."""
        moment[0] = made.ends - 1
        links.extend(links.id_of(made.token), 30, owner_key=made.owner_key)
        moment[0] = made.ends + 1

    at, n_steps = 0, 1
    while at < n_steps:
        moment[0] = int(time.time())
        data_id = put(tmp_path)
        made = links.share({}, [data_id], days=1)
        age(folder, store.data_name(data_id), DAY + 60)
        moment[0] = made.ends + 1
        with monkeypatch.context() as patch:
            patch.setattr(Folder, "clock", lambda self: float(moment[0]))
            seen = steps(patch, at, partial(extend, made))
            expiry.sweep()
        n_steps = max(n_steps, len(seen))
        assert opens(made.token) or at >= len(seen), f"lost at step {at}: {seen}"
        assert content_of(data_id) == CONTENT
        fresh(folder)
        at += 1
    assert n_steps > 8


# Clocks


@pytest.mark.parametrize("skew", [-DAY - 60, -600, 600, DAY + 60])
def test_sweep_goes_by_the_stores_clock(
    skew: int, folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_id, loose = put(tmp_path), put(tmp_path, b"an upload that is about to be linked")
    draft, share = links.keep_draft({}, [data_id]), links.share({}, [data_id], days=1).token
    true_time, clock = time.time, Folder.clock(folder)
    with monkeypatch.context() as patch:  # a replica whose own clock is off; the disk's is right
        patch.setattr(time, "time", lambda: true_time() + skew)
        patch.setattr(Folder, "clock", lambda self: clock)
        for _ in range(2):
            assert expiry.sweep() == Swept()
    assert opens(draft) and opens(share) and content_of(loose) and content_of(data_id)
