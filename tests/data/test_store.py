"""The store: identical content once, tokens that cannot be guessed or abused, damage named."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data import store
from data.evaluation import DataError

TABLE = pa.table(
    {
        "y": pa.array(["owl", None, "fox"] * 9).dictionary_encode(),
        "p": pa.array([0.1, None, float("nan")] * 9),
        "text": [f"row {i}" for i in range(27)],
    }
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


def put(tmp_path: Path, table: pa.Table = TABLE) -> str:
    path = tmp_path / "canonical.parquet"
    store.write_canonical(table, path)
    return store.put_table(path)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_table_comes_back_under_the_digest_of_its_bytes(tmp_path: Path, folder: Path) -> None:
    data_id = put(tmp_path)
    stored = folder / "data" / f"{data_id}.parquet"
    assert data_id == hashlib.sha256(stored.read_bytes()).hexdigest()
    assert store.load_table(data_id).schema == TABLE.schema
    assert str(store.load_table(data_id).to_pydict()) == str(TABLE.to_pydict())


def test_identical_content_is_stored_once_and_nothing_is_left_over(tmp_path: Path, folder: Path) -> None:
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


def test_a_draft_comes_back_and_a_correction_is_another_draft() -> None:
    draft = {"data": ["a" * 64], "name": "préds\u202e.csv", "settings": {"threshold": 0.25}, "join": None}
    token = store.save_draft(draft)
    corrected = store.save_draft({**draft, "settings": {"threshold": 0.5}})
    assert token != corrected and len(token) == 32
    assert store.load_draft(token) == draft
    assert store.load_draft(corrected)["settings"] == {"threshold": 0.5}


def test_the_token_is_not_on_the_disk(folder: Path) -> None:
    token = store.save_draft({"name": "x"})
    assert [name for name in files(folder) if token in name] == []
    assert not any(token.encode() in (folder / name).read_bytes() for name in files(folder))


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=40)
    | st.sampled_from(["../" * 11 + "x" * 0, "..%2f" * 6 + "ab", "a" * 31, "a" * 33, "a" * 31 + "\n", "é" * 32])
)
def test_no_other_text_opens_anything(text: str) -> None:
    for load in (store.load_draft, store.load_table):
        with pytest.raises(DataError) as refused:
            load(text)
        assert str(refused.value).isprintable() and len(str(refused.value)) < 200


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(DataError, match="nothing behind this link"):
        store.load_draft("A" * 32)
    with pytest.raises(DataError, match="not there any more"):
        store.load_table("0" * 64)


def test_damage_and_newer_versions_are_said(tmp_path: Path, folder: Path) -> None:
    token, data_id = store.save_draft({"name": "x"}), put(tmp_path)
    link = next((folder / "link").iterdir())
    for content, says in {
        b'{"version": 2, "draft": {}}': "newer version",
        b'{"version": 1, "draft": []}': "damaged",
        b'{"version": 1': "damaged",
        b"[1]": "damaged",
        b"\xff\0": "damaged",
        b"[" * 60_000: "damaged",
        b"": "damaged",
    }.items():
        link.write_bytes(content)
        with pytest.raises(DataError, match=says):
            store.load_draft(token)
    stored = folder / "data" / f"{data_id}.parquet"
    whole = stored.read_bytes()
    for content in (whole[:-20], whole[:30] + bytes([whole[30] ^ 1]) + whole[31:], b"PAR1"):
        stored.write_bytes(content)
        with pytest.raises(DataError, match="damaged"):
            store.load_table(data_id)


def test_a_draft_over_64_kb_is_refused_and_leaves_nothing(folder: Path) -> None:
    with pytest.raises(DataError, match="64 kB"):
        store.save_draft({"name": "x" * (64 << 10)})
    assert not (folder / "link").exists() or list((folder / "link").iterdir()) == []


def test_a_full_disk_is_a_sentence_and_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "/secret/path")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match="No space left") as refused:
        store.save_draft({"name": "x"})
    assert "secret" not in str(refused.value)
    assert files(folder / "tmp") == files(folder / "link") == []


def test_the_store_hides_from_git_and_from_other_users(folder: Path) -> None:
    store.save_draft({"name": "x"})
    assert (folder / ".gitignore").read_text() == "*\n"
    assert (folder / "link").stat().st_mode & 0o077 == 0


def test_scratch_folders_are_apart_and_gone_afterwards(folder: Path) -> None:
    with store.scratch() as one, store.scratch() as other:
        assert one != other and one.parent == folder / "tmp"
        (one / "0.parquet").write_bytes(b"x")
    assert not one.exists() and not other.exists()


def test_many_sessions_store_the_same_and_different_things_at_once(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "same.parquet"
    store.write_canonical(TABLE, path)
    kept: list[tuple[str, str, int]] = []

    def session(number: int) -> None:
        kept.append((store.put_table(path), store.save_draft({"number": number}), number))

    threads = [threading.Thread(target=session, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({data_id for data_id, _, _ in kept}) == 1 and len(kept) == 16
    assert all(store.load_draft(token) == {"number": number} for _, token, number in kept)
    assert len(files(folder / "data")) == 1 and json.loads(json.dumps(kept))
