"""Links: whom they open for, when they end, who may take them back, and what is left of them on the disk."""

import dataclasses
from pathlib import Path

import pytest

from data.errors import DataError
from data.store import links, records, store
from data.store.link import Link, View
from data.store.storage import Folder
from tests.opened_runs import opens

DRAFT = {"name": "préds.csv", "settings": {"threshold": 0.25}}
DAY = 86_400


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("BLINDSPOT_DRAFT_HOURS", raising=False)
    return tmp_path / "store"


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = 1_800_000_000
        monkeypatch.setattr(links, "now", lambda: self.time)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def data_id(tmp_path: Path) -> str:
    (tmp_path / "table").write_bytes(b"a table, as far as the store knows")
    return store.put_table(tmp_path / "table")


def test_a_share_comes_back_as_it_was_made(data_id: str, clock: Clock) -> None:
    views = (View("confusion", {"cls": "é", "norm": "rows"}, "First", "a *note*"), View("rows"))
    made = links.share(
        DRAFT, [data_id], days=7, title="Nightly", views=views, headline=[("Accuracy", "0.91")], person="ann@x.org"
    )
    link = links.open_link(made.token)
    assert link == Link(
        "share", DRAFT, (data_id,), clock.time, clock.time + 7 * DAY, owner=links.digest(made.owner_key),
        person=links.digest("ann@x.org"), title="Nightly", views=views, headline=(("Accuracy", "0.91"),),
    )  # fmt: skip
    assert made.ends == link.ends


def test_draft_comes_back_and_correction_is_another(data_id: str) -> None:
    token = links.keep_draft(DRAFT, [data_id])
    corrected = links.keep_draft({**DRAFT, "settings": {}}, [data_id])
    assert token != corrected and len(token) == 32
    assert links.open_link(token).draft == DRAFT and links.open_link(corrected).draft["settings"] == {}
    assert links.open_link(token).kind == "draft"


def test_token_key_and_person_are_not_on_disk(folder: Path, data_id: str) -> None:
    made = links.share(DRAFT, [data_id], person="ann@x.org")
    draft = links.keep_draft(DRAFT, [data_id])
    paths = [path for path in folder.rglob("*") if path.is_file()]
    assert len(paths) >= 4
    for secret in (made.token, made.owner_key, draft, "ann@x.org"):
        assert not any(secret in str(path) or secret.encode() in path.read_bytes() for path in paths)


@pytest.mark.parametrize("days", [0, -1, 2, 31, 181, 10**9, True + 1])
def test_only_offered_days_can_be_had(days: int, data_id: str, folder: Path) -> None:
    with pytest.raises(DataError, match="choose one of 1, 7, 30, 180"):
        links.share(DRAFT, [data_id], days=days)
    made = links.share(DRAFT, [data_id])
    with pytest.raises(DataError, match="choose one of 1, 7, 30, 180"):
        links.extend(links.id_of(made.token), days, owner_key=made.owner_key)
    assert len(list((folder / "link").iterdir())) == 1


@pytest.mark.parametrize("days", links.DAYS)
def test_link_opens_until_its_last_second(days: int, data_id: str, clock: Clock) -> None:
    token = links.share(DRAFT, [data_id], days=days).token
    clock.time += days * DAY - 1
    assert opens(token)
    clock.time += 1
    assert not opens(token)


def test_drafts_end_when_the_environment_says(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    monkeypatch.setenv("BLINDSPOT_DRAFT_HOURS", "2")
    token = links.keep_draft(DRAFT, [])
    clock.time += 2 * 3600 - 1
    assert opens(token)
    clock.time += 1
    assert not opens(token)


def test_wrong_ended_and_revoked_links_answer_alike(data_id: str, clock: Clock) -> None:
    revoked = links.share(DRAFT, [data_id])
    links.revoke(links.id_of(revoked.token), owner_key=revoked.owner_key)
    ended = links.share(DRAFT, [data_id], days=1)
    clock.time += DAY
    for token in (revoked.token, ended.token, "A" * 32, "", "../" * 10 + "ab", "A" * 31, "A" * 31 + "\n", "é" * 32):
        with pytest.raises(links.LinkGone) as told:
            links.open_link(token)
        assert str(told.value) == (
            "This link opens nothing. It is wrong, has expired or was revoked. Ask whoever sent it for a new one."
        )


def test_only_the_owner_learns_how_a_link_ended(data_id: str, clock: Clock) -> None:
    revoked, ended = links.share(DRAFT, [data_id]), links.share(DRAFT, [data_id], days=1)
    links.revoke(links.id_of(revoked.token), owner_key=revoked.owner_key)
    clock.time += DAY
    for shared, how in ((revoked, "was revoked"), (ended, "has expired")):
        sentence = f"This link {how}. Share the file again for a new one."
        assert links.describe_end(links.id_of(shared.token), shared.owner_key) == sentence
        for key in ("", "x" * 32, shared.token, links.digest(shared.owner_key)):
            assert links.describe_end(links.id_of(shared.token), key) == str(links.LinkGone())


def test_only_owner_key_and_person_revoke(data_id: str) -> None:
    made = links.share(DRAFT, [data_id], person="ann@x.org")
    other = links.share(DRAFT, [data_id], person="bob@x.org")
    link_id = links.id_of(made.token)
    strangers = [
        {"owner_key": other.owner_key}, {"owner_key": made.token}, {"owner_key": ""}, {"owner_key": "é\udc80"}, {},
        {"owner_key": made.owner_key[:-1]}, {"person": "bob@x.org"}, {"person": ""}, {"person": "ANN@x.org"},
        {"owner_key": links.digest(made.owner_key)}, {"person": links.digest("ann@x.org")},
    ]  # fmt: skip
    for stranger in strangers:
        for take in (links.revoke, lambda link_id, **who: links.extend(link_id, 7, **who)):
            with pytest.raises(DataError, match="not the owner key"):
                take(link_id, **stranger)
    assert opens(made.token)
    links.revoke(link_id, owner_key=f" {made.owner_key}\n")  # as it comes out of a chat
    links.revoke(links.id_of(other.token), person="bob@x.org")
    assert not opens(made.token) and not opens(other.token)


def test_old_links_stay_with_their_subject(data_id: str) -> None:
    old, anns = links.share(DRAFT, [data_id], person="7"), links.share(DRAFT, [data_id], person="ann@x.org")
    owner, eve = "sub:https://id.example|7", "sub:https://id.example|ann@x.org"
    new = links.share(DRAFT, [data_id], person=owner)
    assert {found for found, _ in links.list_shared(owner)} == {links.id_of(old.token), links.id_of(new.token)}
    assert links.extend(links.id_of(old.token), 7, person=owner)
    assert not list(links.list_shared(eve))
    with pytest.raises(DataError):
        links.revoke(links.id_of(anns.token), person=eve)
    links.revoke(links.id_of(old.token), person=owner)
    assert [found for found, _ in links.list_shared(owner)] == [links.id_of(new.token)]


def test_link_without_a_person_belongs_to_nobody(data_id: str) -> None:
    made = links.share(DRAFT, [data_id])
    with pytest.raises(DataError, match="not the owner key"):
        links.revoke(links.id_of(made.token), owner_key="", person="")
    assert list(links.list_shared("")) == []


def test_draft_has_no_owner(data_id: str) -> None:
    token = links.keep_draft(DRAFT, [data_id])
    with pytest.raises(links.LinkGone):
        links.extend(links.id_of(token), 180, owner_key="", person="")


def test_extended_link_ends_later_only(data_id: str, clock: Clock) -> None:
    made = links.share(DRAFT, [data_id], days=1, title="x", person="ann")
    before = links.open_link(made.token)
    clock.time += DAY - 1
    ends = links.extend(links.id_of(made.token), 30, owner_key=made.owner_key)
    assert ends == clock.time + 30 * DAY
    assert links.open_link(made.token) == dataclasses.replace(before, ends=ends)
    clock.time += 30 * DAY
    with pytest.raises(links.LinkGone):
        links.extend(links.id_of(made.token), 30, owner_key=made.owner_key)


def test_descendants_end_with_their_share(data_id: str, clock: Clock) -> None:
    first = links.share(DRAFT, [data_id], days=7)
    corrected = links.keep_draft(DRAFT, [data_id], of=links.id_of(first.token))
    second = links.share(DRAFT, [data_id], days=180, of=links.id_of(first.token))
    third = links.keep_draft(DRAFT, [data_id], of=links.id_of(second.token))
    free = links.share(DRAFT, [data_id])
    tokens = (corrected, second.token, third)
    assert all(map(opens, tokens)) and links.open_link(second.token).ends == first.ends
    links.revoke(links.id_of(first.token), owner_key=first.owner_key)
    assert not any(map(opens, tokens)) and opens(free.token)
    parent = links.share(DRAFT, [data_id], days=1)
    child = links.share(DRAFT, [data_id], days=180, of=links.id_of(parent.token))
    clock.time += DAY
    assert not opens(child.token)


def test_person_sees_own_open_links_newest_first(data_id: str, clock: Clock, folder: Path) -> None:
    made: list[links.Shared] = []
    for days in (1, 30, 30, 30):
        clock.time += 1
        made.append(links.share(DRAFT, [data_id], days=days, title=str(len(made)), person="ann"))
    links.share(DRAFT, [data_id], person="bob")
    links.share(DRAFT, [data_id])
    links.revoke(links.id_of(made[1].token), person="ann")
    (folder / "link" / f"{links.id_of(made[2].token)}.json").write_bytes(b"damaged")
    assert [link.title for _, link in links.list_shared("ann")] == ["3", "0"]
    clock.time += DAY
    found = list(links.list_shared("ann"))
    assert [link_id for link_id, _ in found] == [links.id_of(made[3].token)]
    assert list(links.list_shared("carol")) == list(links.list_shared("../ann")) == []


def test_changed_byte_of_a_link_is_damage(data_id: str, folder: Path) -> None:
    made = links.share(DRAFT, [data_id], title="Nightly", views=[View("confusion")])
    path = folder / "link" / f"{links.id_of(made.token)}.json"
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x01]) + whole[at + 1 :])
        with pytest.raises(records.Damaged, match="damaged"):
            links.open_link(made.token)
    path.write_bytes(whole)
    assert opens(made.token)


@pytest.mark.parametrize(
    "wrong", [{}, {"views": 1}, {"views": ["x"]}, {"data_ids": None}, {"unknown": 1}, {"headline": [["a"]]}]
)
def test_sealed_record_without_a_link_is_damage(wrong: dict[str, object], data_id: str, folder: Path) -> None:
    token = links.keep_draft(DRAFT, [data_id])
    values = links.open_link(token).to_json() | wrong if wrong else {}
    (folder / "link" / f"{links.id_of(token)}.json").write_bytes(records.encode(values))
    with pytest.raises(records.Damaged):
        links.open_link(token)


def test_link_of_a_newer_version_says_so(data_id: str, folder: Path) -> None:
    token = links.keep_draft(DRAFT, [data_id])
    content = records._seal(b'{"format": 2, "kind": "share"}')
    (folder / "link" / f"{links.id_of(token)}.json").write_bytes(content)
    with pytest.raises(records.Newer, match="newer version"):
        links.open_link(token)


def test_more_than_64_kb_is_refused_unwritten(data_id: str, folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    for keep in (links.keep_draft, lambda draft, ids: links.share(draft, ids, person="ann")):
        with pytest.raises(DataError, match="64 kB"):
            keep({"name": "x" * (64 << 10)}, [data_id])
    assert sorted(folder.rglob("*")) == before


def test_missing_table_cannot_be_shared(data_id: str, folder: Path) -> None:
    path = folder / store.data_name(data_id)
    path.write_bytes(b"damaged")
    with pytest.raises(DataError, match="damaged"):
        links.share(DRAFT, [data_id])
    path.unlink()
    for keep in (links.keep_draft, links.share):
        with pytest.raises(DataError, match="not there any more"):
            keep(DRAFT, [data_id])
    assert list((folder / "link").iterdir()) == []


def test_link_losing_its_table_is_removed(data_id: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Folder.write

    def deleted_meanwhile(self: Folder, name: str, content: bytes, **how: bool) -> None:
        write(self, name, content, **how)
        self.remove(store.data_name(data_id))

    monkeypatch.setattr(Folder, "write", deleted_meanwhile)
    for keep in (links.keep_draft, lambda draft, ids: links.share(draft, ids, person="ann")):
        with pytest.raises(DataError, match="not there any more"):
            keep(DRAFT, [data_id])
        assert list((folder / "link").iterdir()) == [] and list(folder.glob("owner/*/*")) == []
        monkeypatch.undo()
        monkeypatch.setenv("BLINDSPOT_STORE", str(folder))
        (folder / "again").write_bytes(b"a table, as far as the store knows")
        store.put_table(folder / "again")
        monkeypatch.setattr(Folder, "write", deleted_meanwhile)


@pytest.mark.parametrize("moment", ["before it is written", "after it is written"])
def test_revoked_link_stays_revoked_while_extended(
    moment: str, data_id: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = links.share(DRAFT, [data_id])
    link_id, write = links.id_of(made.token), Folder.write
    turns = iter([True])

    def revoked_meanwhile(self: Folder, name: str, content: bytes, **how: bool) -> None:
        mine = name.startswith("link/") and next(turns, False)
        if mine and moment.startswith("before"):
            links.revoke(link_id, owner_key=made.owner_key)
        write(self, name, content, **how)
        if mine and moment.startswith("after"):
            links.revoke(link_id, owner_key=made.owner_key)

    monkeypatch.setattr(Folder, "write", revoked_meanwhile)
    with pytest.raises(links.LinkGone):
        links.extend(link_id, 180, owner_key=made.owner_key)
    assert not opens(made.token) and list((folder / "link").iterdir()) == []


@pytest.mark.parametrize("skew", [-600, 600, -DAY, DAY])
def test_clock_offset_moves_ends_by_as_much(skew: int, data_id: str, clock: Clock) -> None:
    """Made where the clock is off, opened where it is right: it ends earlier or later by the difference."""
    clock.time += skew
    share, draft = links.share(DRAFT, [data_id], days=30).token, links.keep_draft(DRAFT, [data_id])
    clock.time -= skew
    assert opens(share) and opens(draft) is (skew > -DAY)  # a draft's whole life has passed by a clock a day behind
    clock.time += 30 * DAY + skew - 1
    assert opens(share)
    clock.time += 1
    assert not opens(share)
