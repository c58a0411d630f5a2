"""The store: identical content once, tokens that cannot be guessed or abused, damage named."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.errors import DataError
from data.store import links, store
from tests.opened_runs import open_run

TABLE = pa.table(
    {
        "y": pa.array(["owl", None, "fox"] * 9).dictionary_encode(),
        "p": pa.array([0.1, None, float("nan")] * 9),
        "text": [f"row {i}" for i in range(27)],
    }
)


@pytest.fixture(autouse=True)
def folder(own_store: Path) -> Path:
    return own_store


def put(tmp_path: Path, table: pa.Table = TABLE) -> str:
    path = tmp_path / "canonical.parquet"
    store.write_canonical(table, path)
    return store.put_table(path)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_table_comes_back_under_its_digest(tmp_path: Path, folder: Path) -> None:
    data_id = put(tmp_path)
    stored = folder / "data" / f"{data_id}.parquet"
    assert data_id == hashlib.sha256(stored.read_bytes()).hexdigest()
    assert store.load_table(data_id).schema == TABLE.schema
    assert str(store.load_table(data_id).to_pydict()) == str(TABLE.to_pydict())


def test_identical_content_is_stored_once(tmp_path: Path, folder: Path) -> None:
    first = put(tmp_path)
    assert put(tmp_path) == first and put(tmp_path, TABLE.slice(1)) != first
    assert len(list((folder / "data").iterdir())) == 2
    assert files(folder / "tmp") == []


def test_large_tables_keep_one_dictionary_over_row_groups(tmp_path: Path) -> None:
    early = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2] * 400_000, pa.int32()), ["a", "b", "c"])
    late = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), ["d", "a"])
    table = store.load_table(put(tmp_path, pa.table({"y": pa.chunked_array([early, late])})))
    chunks = table.column("y").chunks
    assert len(chunks) > 1 and all(chunk.dictionary.equals(chunks[0].dictionary) for chunk in chunks)
    assert table.column("y").slice(1_199_998).to_pylist() == ["b", "c", "d", "a"]


@given(
    st.text(max_size=40)
    | st.sampled_from(["../" * 11 + "x" * 0, "..%2f" * 6 + "ab", "a" * 31, "a" * 33, "a" * 31 + "\n", "é" * 32])
)
def test_no_other_text_opens_anything(text: str) -> None:
    for load in (links.open_link, store.load_table, store.put_lasting, store.renew_table):
        with pytest.raises(DataError) as refused:
            load(text)
        assert str(refused.value).isprintable() and len(str(refused.value)) < 200


def test_a_table_that_is_not_there_is_said() -> None:
    for use in (store.load_table, store.put_lasting, store.renew_table):
        with pytest.raises(DataError, match="not there any more"):
            use("0" * 64)


def test_table_damage_heals_by_uploading_again(tmp_path: Path, folder: Path) -> None:
    data_id = put(tmp_path)
    stored = folder / "data" / f"{data_id}.parquet"
    whole = stored.read_bytes()
    changed = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(0, len(whole), 7)]
    cut = [whole[:n] for n in (0, 4, len(whole) // 2, len(whole) - 1)]
    assert len(changed) > 100
    for content in [*changed, *cut, whole + b"x"]:
        stored.write_bytes(content)
        for use in (store.load_table, store.put_lasting):
            with pytest.raises(DataError, match="damaged") as refused:
                use(data_id)
            assert str(folder) not in str(refused.value)
    assert put(tmp_path) == data_id
    assert store.load_table(data_id).num_rows == 27


def test_a_damaged_evaluation_harms_no_other(tmp_path: Path, folder: Path) -> None:
    one, other = put(tmp_path), put(tmp_path, TABLE.slice(1))
    tokens = [links.keep_draft({"n": n}, [one if n < 2 else other]) for n in range(3)]
    (folder / "data" / f"{one}.parquet").write_bytes(b"PAR1")
    (folder / "link" / f"{links.id_of(tokens[0])}.json").write_bytes(b"{}")
    with pytest.raises(DataError, match="damaged"):
        links.open_link(tokens[0])
    with pytest.raises(DataError, match="damaged"):
        store.load_table(one)
    assert links.open_link(tokens[1]).draft == {"n": 1}
    assert links.open_link(tokens[2]).draft == {"n": 2} and store.load_table(other).num_rows == 26


SHARED = {"name": "x"}


def uses(tmp_path: Path, data_id: str) -> dict[str, object]:
    """Everything that needs the store, by name."""
    return {
        "draft": lambda: links.keep_draft(SHARED, [data_id]),
        "share": lambda: links.share(SHARED, [data_id]),
        "upload": lambda: put(tmp_path, TABLE.slice(2)),
        "open": lambda: links.open_link("A" * 32),
        "table": lambda: store.load_table(data_id),
        "list": lambda: list(links.list_shared("somebody")),
        "scratch": lambda: store.scratch().__enter__(),
    }


def sentence_of(use: object) -> str:
    with pytest.raises(DataError) as told:
        use()  # type: ignore[operator]
    return str(told.value)


def test_full_disk_is_a_sentence_without_leftovers(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_id = put(tmp_path)
    before = files(folder)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "/secret/path")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        for name in ("draft", "share", "upload"):
            told = sentence_of(uses(tmp_path, data_id)[name])
            assert "No space left" in told and "secret" not in told
    assert files(folder) == before
    assert links.open_link(links.share(SHARED, [data_id]).token).draft == SHARED


def test_unreachable_store_is_no_ended_link(tmp_path: Path, folder: Path) -> None:
    data_id, token = put(tmp_path), links.keep_draft(SHARED, [])
    folder.rename(tmp_path / "away")
    for use in [*uses(tmp_path, data_id).values(), lambda: links.open_link(token)]:
        told = sentence_of(use)
        assert "cannot be used at the moment (the folder is not there)" in told and str(tmp_path) not in told
    assert not folder.exists()
    (tmp_path / "away").rename(folder)
    assert links.open_link(token).draft == SHARED and store.load_table(data_id).num_rows == 27
    with pytest.raises(links.LinkGone):
        links.open_link("A" * 32)


def test_unusable_store_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    places = {
        "/proc/blindspot/store": "cannot be used at the moment",
        "nosuch://bucket/x": "cannot be used at the moment",
        str(tmp_path / "file"): "is a file or lies in one",
        str(tmp_path / "file" / "store"): "is a file or lies in one",
    }
    for place, says in places.items():
        monkeypatch.setenv("BLINDSPOT_STORE", place)
        told = sentence_of(lambda: links.open_link("A" * 32))
        assert says in told and "blindspot/store" not in told


def test_what_is_in_a_read_only_store_opens(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data_id = put(tmp_path)
    token = links.share(SHARED, [data_id]).token
    store._place.cache_clear()

    def refused(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    for name in ("mkdir", "replace", "rename", "unlink", "utime"):
        monkeypatch.setattr(os, name, refused)
    monkeypatch.setattr("tempfile.mkstemp", refused)
    assert links.open_link(token).draft == SHARED and store.load_table(data_id).num_rows == 27
    for name in ("draft", "share"):
        assert "Read-only file system" in sentence_of(uses(tmp_path, data_id)[name])


def test_memory_drafts_reach_no_disk_until_shared(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLINDSPOT_DRAFT_HOURS", "0")
    store.memory.cache_clear()
    data_id = put(tmp_path)
    token = links.keep_draft(SHARED, [data_id])
    assert [name for name in files(folder) if name != ".gitignore"] == []
    assert links.open_link(token).data_ids == (data_id,) and store.load_table(data_id).num_rows == 27
    shared = links.share(SHARED, [data_id])
    assert f"data/{data_id}.parquet" in files(folder) and not any(links.id_of(token) in name for name in files(folder))
    store.memory.cache_clear()  # the server is started again
    assert store.load_table(links.open_link(shared.token).data_ids[0]).num_rows == 27
    with pytest.raises(links.LinkGone):
        links.open_link(token)


def test_store_hides_from_git_and_other_users(folder: Path) -> None:
    links.keep_draft({"name": "x"}, [])
    assert (folder / ".gitignore").read_text() == "*\n"
    assert (folder / "link").stat().st_mode & 0o077 == 0


def test_scratch_folders_are_apart_and_gone_afterwards(folder: Path) -> None:
    with store.scratch() as one, store.scratch() as other:
        assert one != other and one.parent == folder / "tmp"
        (one / "0.parquet").write_bytes(b"x")
    assert not one.exists() and not other.exists()


def test_many_sessions_store_at_once(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "same.parquet"
    store.write_canonical(TABLE, path)
    kept: list[tuple[str, str, int]] = []

    def session(number: int) -> None:
        kept.append((store.put_table(path), links.keep_draft({"number": number}, []), number))

    threads = [threading.Thread(target=session, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({data_id for data_id, _, _ in kept}) == 1 and len(kept) == 16
    assert all(links.open_link(token).draft == {"number": number} for _, token, number in kept)
    assert len(files(folder / "data")) == 1


def test_sample_opens_on_a_read_only_store(folder: Path, monkeypatch) -> None:
    from data.runs import draft_changes, load as intake

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as read_only:
        read_only.setattr(store.Folder, "write", refuse)
        evaluation = open_run("screening")
    token = draft_changes.correct("screening", evaluation.settings, {"space": "truth"})
    store.memory().remove(store.data_name(intake.draft_of(token).data_ids[0]))  # as after a restart
    assert open_run(token).n_rows == evaluation.n_rows == 10_000


def test_store_stands_beside_the_program(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.delenv("BLINDSPOT_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(store, "_BESIDE", tmp_path / "program")
    place = store.place()
    assert isinstance(place, store.Folder) and place.root == tmp_path / "program" / ".blindspot"
