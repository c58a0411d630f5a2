"""The places of named bytes: a folder, memory and an object store keep the same promises."""

import functools
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from data.store import object_store, storage
from data.store.object_store import ObjectStore
from data.store.storage import Folder, Memory, Storage, Unreachable
from data.store.store import place_at
from tests.reliability import s3_server as s3

NAME, OTHER = "link/" + "a" * 64 + ".json", "data/" + "b" * 64 + ".parquet"


@pytest.fixture
def bucket(s3_server: s3.S3Server) -> ObjectStore:
    s3.empty_bucket()
    return ObjectStore(s3.URL)


@pytest.fixture(params=["folder", "memory", "memory://", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "folder":
        (tmp_path / "store" / "tmp").mkdir(parents=True)
        return Folder(tmp_path / "store")
    if request.param == "memory":
        return Memory(1 << 20)
    if request.param == "memory://":
        pytest.importorskip("fsspec")
        return ObjectStore(f"memory://{tmp_path.name}")
    return request.getfixturevalue("bucket")


def names(place: Storage, folder: str) -> list[str]:
    return sorted(entry.name for entry in place.entries(folder))


def test_what_is_written_is_read_listed_and_removed(place: Storage, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"second")
    place.write(NAME, b"first")
    place.write(OTHER, tmp_path / "file")
    assert place.read(NAME) == b"first" and place.read(NAME, 3) == b"fir" and place.read(OTHER) == b"second"
    with place.open(OTHER) as file:
        assert file.read(3) == b"sec" and file.seek(0) == 0 and file.read() == b"second"
    assert names(place, "link") == [NAME] and names(place, "data") == [OTHER] and names(place, "owner") == []
    assert place.remove(NAME) and not place.remove(NAME)
    assert not place.has(NAME) and place.has(OTHER) and names(place, "link") == []


def test_unknown_name_is_a_missing_file(place: Storage) -> None:
    place.write(OTHER, b"x")
    uses: list[Callable[[str], object]] = [place.read, place.open, place.touch]
    for use in uses:
        with pytest.raises(FileNotFoundError):
            use(NAME)
    assert not place.has(NAME) and not place.remove(NAME) and not place.move(NAME, OTHER)
    assert place.read(OTHER) == b"x"


def test_writing_again_replaces_the_content(place: Storage) -> None:
    place.write(NAME, b"long content")
    place.write(NAME, b"short")
    assert place.read(NAME) == b"short"


def test_written_once_heals_damage(place: Storage, tmp_path: Path) -> None:
    (tmp_path / "table").write_bytes(b"right")
    place.write(OTHER, b"wrong")
    place.write(OTHER, tmp_path / "table", once=True)
    assert place.read(OTHER) == b"right"
    place.write(OTHER, b"right", once=True)
    assert place.read(OTHER) == b"right" and names(place, "data") == [OTHER]


def test_moved_content_is_under_its_new_name_only(place: Storage) -> None:
    place.write(OTHER, b"x")
    assert place.move(OTHER, "trash/x") and not place.has(OTHER) and place.read("trash/x") == b"x"
    assert names(place, "trash") == ["trash/x"]


def test_age_follows_the_stores_clock(place: Storage) -> None:
    place.write(NAME, b"x")
    (entry,) = place.entries("link")
    assert -2.0 < place.clock() - entry.written < 60.0


def test_an_empty_content_is_a_content(place: Storage) -> None:
    place.write("gone/x", b"", once=True)
    assert place.has("gone/x") and place.read("gone/x", 10) == b"" and names(place, "gone") == ["gone/x"]


# a folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "store" / "tmp").mkdir(parents=True)
    return Folder(tmp_path / "store")


def test_file_is_synced_before_its_name(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.root / "link").mkdir()
    steps: list[str] = []
    sync, replace = os.fsync, os.replace

    def synced(number: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(number).st_mode) else "file")
        sync(number)

    def replaced(old: str, new: Path) -> None:
        steps.append("rename")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    folder.write(NAME, b"x")
    assert steps == ["file", "rename", "folder"]
    steps.clear()
    folder.remove(NAME)
    assert steps == ["folder"]


def test_a_new_folder_is_on_the_disk_too(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(storage, "_sync", lambda path: synced.append(path.name))
    folder.write("owner/abc/x.json", b"")
    *made, _file, changed = synced
    assert (made, changed) == (["store", "owner"], "abc")


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_scratch_file_becomes_the_stored_one(folder: Folder, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    if not links:
        monkeypatch.setattr(storage, "_link", lambda *_: False)
    source = folder.scratch_root() / "0.parquet"
    source.write_bytes(b"x" * 100)
    os.utime(source, (1, 1))
    folder.write(NAME, source)
    there = folder.root / NAME
    assert there.samefile(source) == links and there.stat().st_mode & 0o777 == 0o600
    source.unlink()
    (entry,) = folder.entries("link")
    assert folder.read(NAME) == b"x" * 100 and entry.written > 1


def test_file_from_elsewhere_is_copied(folder: Folder, tmp_path: Path) -> None:
    source = tmp_path / "mine.parquet"
    source.write_bytes(b"as it was")
    folder.write(NAME, source)
    source.write_bytes(b"changed later")
    assert folder.read(NAME) == b"as it was"


def test_failed_write_leaves_the_old_content(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write(NAME, b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        folder.write(NAME, b"new")
    assert folder.read(NAME) == b"old" and list((folder.root / "tmp").iterdir()) == []


def test_a_touched_file_is_young(folder: Folder) -> None:
    folder.write(NAME, b"x")
    os.utime(folder.root / NAME, (1, 1))
    assert [entry.written for entry in folder.entries("link")] == [1.0]
    folder.touch(NAME)
    assert [folder.clock() - entry.written < 60 for entry in folder.entries("link")] == [True]


def test_removed_folder_is_no_missing_file(folder: Folder) -> None:
    folder.write(NAME, b"x")
    away = folder.root.with_name("away")
    folder.root.rename(away)
    uses: list[Callable[[], object]] = [
        lambda: folder.read(NAME),
        lambda: folder.open(NAME),
        lambda: folder.has(NAME),
        lambda: folder.touch(NAME),
        lambda: folder.remove(NAME),
        lambda: folder.move(NAME, OTHER),
        lambda: folder.write(NAME, b"lost"),
        lambda: list(folder.entries("link")),
        folder.clock,
        folder.scratch_root,
    ]
    for use in uses:
        with pytest.raises(Unreachable):
            use()
    assert not folder.root.exists()
    folder.root.mkdir()  # the mount point, without its disk
    for use in uses:
        with pytest.raises(Unreachable):
            use()
    assert list(folder.root.iterdir()) == []
    folder.root.rmdir()
    away.rename(folder.root)
    assert folder.read(NAME) == b"x"


def test_unreadable_listing_is_an_error(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write(NAME, b"x")

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refused)
    with pytest.raises(PermissionError):
        list(folder.entries("link"))


def test_listing_walks_folders_and_skips_vanished_files(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("owner/a/1.json", b"")
    folder.write("owner/b/2.json", b"")
    (folder.root / "owner" / "dangling").symlink_to("nowhere")
    assert names(folder, "owner") == ["owner/a/1.json", "owner/b/2.json"]
    below = folder._below

    def emptied(path: Path) -> Iterator[storage.Entry]:
        if path.name == "b":
            shutil.rmtree(path)
        yield from below(path)

    monkeypatch.setattr(folder, "_below", emptied)
    assert names(folder, "owner") == ["owner/a/1.json"]


# memory


def test_memory_drops_the_least_recently_used() -> None:
    memory = Memory(10)
    for name in "abc":
        memory.write(name, name.encode() * 3)
    assert memory.read("a") == b"aaa"
    memory.write("d", b"dddd")
    assert [memory.has(name) for name in "abcd"] == [True, False, True, True]
    memory.write("e", b"e" * 99)  # what is larger than all is held, alone
    assert [memory.has(name) for name in "abcde"] == [False, False, False, False, True]


# an object store


def requests(bucket: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """Return what is asked of the server from now on, and whether it may only be created."""
    asked: list[tuple[str, bool]] = []
    call, copy = bucket._files._call_s3, bucket._files.call_s3

    async def noted(method: str, *arguments: object, **options: object) -> object:
        asked.append((method, options.get("IfNoneMatch") == "*"))
        return await call(method, *arguments, **options)

    def copied(method: str, **options: object) -> object:
        asked.append((method, False))
        return copy(method, **options)

    monkeypatch.setattr(bucket._files, "_call_s3", noted)
    monkeypatch.setattr(bucket._files, "call_s3", copied)
    return asked


def test_unchanging_content_takes_one_put(bucket: ObjectStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = requests(bucket, monkeypatch)
    bucket.write(NAME, b"x", once=True)
    (tmp_path / "table").write_bytes(b"table")
    bucket.write(OTHER, tmp_path / "table", once=True)
    bucket.write(NAME, b"longer")
    assert asked == [("put_object", True), ("put_object", True), ("put_object", False)]
    asked.clear()
    bucket.write(OTHER, b"table", once=True)
    assert ("put_object", False) not in asked  # the same is there: nothing is sent in its place


def test_link_is_read_again_after_a_change(bucket: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    time_now = time.monotonic()
    monkeypatch.setattr(object_store.time, "monotonic", lambda: time_now)
    bucket.write(NAME, b"one")
    bucket.write(OTHER, b"table")
    asked = requests(bucket, monkeypatch)
    assert [bucket.read(NAME) for _ in range(5)] == [b"one"] * 5
    assert len(asked) == 1
    ObjectStore(s3.URL).remove(NAME)  # another replica
    assert bucket.read(NAME) == b"one"
    time_now += object_store.REMEMBERED_SECONDS
    with pytest.raises(FileNotFoundError):
        bucket.read(NAME)
    bucket.write(NAME, b"two")
    assert bucket.read(NAME) == b"two"
    assert bucket.remove(NAME)
    with pytest.raises(FileNotFoundError):
        bucket.read(NAME)
    asked.clear()
    assert [bucket.read(OTHER) for _ in range(3)] == [b"table"] * 3 and len(asked) == 3


def test_removed_link_is_not_remembered(bucket: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    bucket.write(NAME, b"one")
    cat = bucket._files.cat_file

    def slow(path: str, **options: object) -> bytes:
        content: bytes = cat(path, **options)
        bucket.remove(NAME)
        return content

    monkeypatch.setattr(bucket._files, "cat_file", slow)
    assert bucket.read(NAME) == b"one"
    monkeypatch.setattr(bucket._files, "cat_file", cat)
    with pytest.raises(FileNotFoundError):
        bucket.read(NAME)


def test_no_more_links_are_remembered_than_fit(bucket: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_store, "MAX_REMEMBERED", 2)
    for name in "abc":
        bucket.write(f"link/{name}", b"x")
        bucket.read(f"link/{name}")
    assert list(bucket._remembered) == ["link/b", "link/c"]


def test_old_object_is_copied_to_be_young(bucket: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    bucket.write(OTHER, b"table")
    s3.age(OTHER, 90_000)
    assert [bucket.clock() - entry.written > 89_000 for entry in bucket.entries("data")] == [True]
    asked = requests(bucket, monkeypatch)
    bucket.touch(OTHER)
    assert [method for method, _ in asked] == ["head_object", "copy_object"]
    assert [bucket.clock() - entry.written < 60 for entry in bucket.entries("data")] == [True]
    asked.clear()
    bucket.touch(OTHER)
    assert [method for method, _ in asked] == ["head_object"] and bucket.read(OTHER) == b"table"


def test_large_table_goes_in_parts(bucket: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = 5 << 20  # the least there is: the default would need a hundred megabytes here
    monkeypatch.setattr(bucket._files, "put_file", functools.partial(bucket._files.put_file, chunksize=part))
    content = os.urandom(1 << 20) * 11
    (tmp_path / "large").write_bytes(content)
    bucket.write(OTHER, tmp_path / "large", once=True)
    with bucket.open(OTHER) as file:
        assert file.read() == content
    bucket.write(OTHER, tmp_path / "large", once=True)
    assert len(list(bucket.entries("data"))) == 1


def test_store_errors_are_told_apart(
    bucket: ObjectStore, s3_server: s3.S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.write(NAME, b"x")
    with s3_server.away(), pytest.raises(Unreachable, match="does not answer"):
        bucket.read(NAME)
    assert bucket.read(NAME) == b"x"
    with pytest.raises(Unreachable, match="bucket"):
        ObjectStore("s3://another/blindspot").read(NAME)

    def refused(*_: object, **__: object) -> None:
        raise PermissionError("arn:aws:iam::1:user/somebody may not")

    monkeypatch.setattr(bucket._files, "cat_file", refused)
    with pytest.raises(PermissionError) as told:
        bucket.read(OTHER)
    assert "somebody" not in str(told.value) and told.value.errno == 13


def test_store_without_conditions_is_written_plainly(bucket: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    call = bucket._files._call_s3
    answered = {"Error": {"Code": "NotImplemented", "Message": "A header you provided"}}

    async def simple(method: str, *arguments: object, **options: object) -> object:
        if "IfNoneMatch" in options:
            client_error = pytest.importorskip("botocore.exceptions").ClientError(answered, method)
            raise OSError("not implemented") from client_error
        return await call(method, *arguments, **options)

    monkeypatch.setattr(bucket._files, "_call_s3", simple)
    bucket.write(NAME, b"x", once=True)
    assert bucket.read(NAME) == b"x"


def test_an_address_names_its_place(tmp_path: Path) -> None:
    assert isinstance(place_at(str(tmp_path)), Folder)
    local = place_at(f"file://{tmp_path}/store")
    assert isinstance(local, Folder) and local.root == tmp_path / "store"
    with pytest.raises(Unreachable, match=r"nosuch://.*requirements-object-store\.txt"):
        place_at("nosuch://bucket")
