"""Logs that lie, are broken or are bombs: a table or one sentence, never anything else."""

import io
import json
import stat
import struct
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.errors import DataError
from data.process.limits import Limits, ignore_progress
from data.reading.dispatch import read_table
from data.reading.json.records import read_json
from tests.data.reading.logs.test_logs import INSPECT, chosen, event, generated, lines, result, sample
from tests.data.sandboxed import read_files

SMALL = Limits(n_bytes=8 << 20, expanded_bytes=16 << 20)
ZSTD = 93
HEADER = {"version": 2, "status": "success", "eval": {"task": "t"}}


def member(name: Any = 1, epoch: int = 1) -> tuple[str, bytes]:
    return f"samples/{name}_epoch_{epoch}.json", json.dumps(sample(name, "yes", "no", epoch=epoch)).encode()


def archive(
    members: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED, *, header: dict[str, Any] | None = HEADER
) -> bytes:
    """A zip with a header; Zstandard is written as Inspect does it, by the number of the method."""
    head = [("header.json", json.dumps(header).encode())] if header else []
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name, content in [*head, *members]:
            target.writestr(name, content, zipfile.ZIP_STORED if method == ZSTD else method)
    return _as_zstd([*head, *members]) if method == ZSTD else packed.getvalue()


def _as_zstd(members: list[tuple[str, bytes]]) -> bytes:
    """The same by hand: a local header before every member, and the directory behind them."""
    body, directory = b"", b""
    for name, content in members:
        squeezed = pa.compress(content, codec="zstd", asbytes=True)
        sums = (zipfile.crc32(content), len(squeezed), len(content), len(name.encode()), 0)  # type: ignore[attr-defined]
        entry = struct.pack("<HHHHHIIIHH", 20, 0, ZSTD, 0, 33, *sums)
        directory += b"PK\x01\x02" + struct.pack("<H", 20) + entry + struct.pack("<HHHII", 0, 0, 0, 0, len(body))
        directory += name.encode()
        body += b"PK\x03\x04" + entry + name.encode() + squeezed
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)
    return body + directory + b"PK\x05\x06" + end


def read(folder: Path, content: bytes, name: str = "log.eval", limits: Limits = SMALL) -> Any:
    path = folder / "upload"
    path.write_bytes(content)
    return read_table(path, name, limits=limits)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTD])
def test_packing_does_not_change_the_samples(tmp_path: Path, method: int) -> None:
    members = [member("a/b"), member("a/b", 2), member(3), ("_journal/summaries/1.json", b"[]")]
    table, facts = read(tmp_path, archive(members, method))
    assert table["id"].to_pylist() == ["a/b", "a/b", "3"] and table["epoch"].to_pylist() == ["1", "2", "1"]
    assert table["target"].to_pylist() == ["yes"] * 3 and table["prediction"].to_pylist() == ["no"] * 3
    assert facts.source == "Inspect" and facts.format == "Inspect log" and facts.warnings == ()


def test_an_archive_gives_what_the_json_log_gives(tmp_path: Path) -> None:
    samples = [sample(i, "yes", "no", float("nan"), epoch=e) for i in range(3) for e in (1, 2)]
    members = [(f"samples/{s['id']}_epoch_{s['epoch']}.json", json.dumps(s).encode()) for s in samples]
    packed, _ = read(tmp_path, archive(members, ZSTD))
    whole, _ = read(tmp_path, json.dumps(INSPECT | {"samples": samples}).encode(), "log.json")
    assert packed.equals(whole)


def test_frames_of_zstandard_follow_each_other(tmp_path: Path) -> None:
    name, content = member()
    content = content.replace(b'"input": "question"', b'"input": "' + b"q" * 3_000_000 + b'"')
    limits = Limits(n_bytes=8 << 20, expanded_bytes=16 << 20, cell_chars=4_000_000)
    table, _ = read(tmp_path, archive([(name, content)], ZSTD), limits=limits)
    assert len(table["input"][0].as_py()) == 3_000_000


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_sample_written_again_replaces_the_first(tmp_path: Path) -> None:
    name, content = member()
    again = content.replace(b'"answer": "no"', b'"answer": "maybe"')
    table, facts = read(tmp_path, archive([(name, content), (name, again)], ZSTD))
    assert table["prediction"].to_pylist() == ["maybe"]
    assert any("written again" in text for text in facts.notes)


def test_log_without_header_is_unfinished(tmp_path: Path) -> None:
    _, facts = read(tmp_path, archive([member(), ("_journal/start.json", b"{}")], header=None))
    assert any("'started'" in text for text in facts.warnings)


def _lying(content: bytes, size: int) -> bytes:
    """The size of the last member, unpacked, replaced in the directory."""
    at = content.rindex(b"PK\x01\x02") + 24
    return content[:at] + struct.pack("<I", size) + content[at + 4 :]


def _encrypted(content: bytes) -> bytes:
    at = content.rindex(b"PK\x01\x02") + 8
    return content[:at] + b"\x01\x00" + content[at + 2 :]


def _link() -> bytes:
    info = zipfile.ZipInfo("samples/1_epoch_1.json")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        target.writestr("header.json", json.dumps(HEADER))
        target.writestr(info, "/etc/passwd")
    return packed.getvalue()


NAME, CONTENT = member()
BIG = b'{"id": 1, "epoch": 1, "target": "' + b"x" * (20 << 20) + b'"}'
HOSTILE = {
    "deflate bomb": (archive([(NAME, BIG)]), "expands to 20 MB"),
    "zstd bomb": (archive([(NAME, BIG)], ZSTD), "expands to 20 MB"),
    "large sample": (archive([(NAME, BIG[: 6 << 20])], ZSTD), "too large to be read"),
    "zstd bomb that says it is small": (_lying(archive([(NAME, BIG)], ZSTD), 100), "larger than it says"),
    "deflate bomb that says it is small": (_lying(archive([(NAME, BIG)]), 100), "larger than it says"),
    "less than it says": (_lying(archive([(NAME, CONTENT)], ZSTD), 5_000), "not as it was written"),
    "encrypted": (_encrypted(archive([(NAME, CONTENT)])), "password"),
    "link": (_link(), "not valid JSON"),
    "way out": (archive([("samples/../../x_epoch_1.json", CONTENT)]), "leads out"),
    "absolute": (archive([("/etc/x_epoch_1.json", CONTENT)]), "leads out"),
    "backslashes": (archive([("samples\\..\\x_epoch_1.json", CONTENT)]), "leads out"),
    "cut off": (archive([(NAME, CONTENT)])[:-30], "damaged or not an Inspect log"),
    "another archive": (archive([("a.txt", b"x")], header=None), "neither header.json"),
    "no samples": (archive([]), "without samples"),
    "another method": (archive([(NAME, CONTENT)], zipfile.ZIP_LZMA), "packed in a way"),
    "keys twice": (archive([(NAME, b'{"id": 1, "id": 2}')]), "key 'id' occurs twice"),
    "deep": (archive([(NAME, b'{"a":' + b"[" * 200_000)]), "nested too deeply"),
    "no JSON": (archive([(NAME, b"id,target")]), "not valid JSON"),
    "two objects": (archive([(NAME, CONTENT + CONTENT)]), "more text follows"),
    "no object": (archive([(NAME, b"[1]")]), "not an object"),
    "no 'target'": (archive([(NAME, b'{"id": 1, "epoch": 1}')]), "no 'target'"),
    "Latin text": (archive([(NAME, b'{"id": "caf\xe9"}')]), "not UTF-8"),
    "bare zip mark": (b"PK\x03\x04" + b"\0" * 100, "damaged or not an Inspect log"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_is_one_sentence(tmp_path: Path, case: str) -> None:
    content, wanted = HOSTILE[case]
    with pytest.raises(DataError, match=wanted.replace("(", r"\(")) as refusal:
        read(tmp_path, content)
    assert str(refusal.value).startswith("log.eval: ") and len(str(refusal.value)) < 400
    assert "\n" not in str(refusal.value)


def test_child_copes_with_100_000_members(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        target.writestr("header.json", json.dumps(HEADER))
        for i in range(100_000):
            target.writestr(f"samples/{i}_epoch_1.json", b"")
    path = tmp_path / "upload"
    path.write_bytes(packed.getvalue())
    with pytest.raises(DataError, match="not valid JSON"):
        read_files([(path, "many.eval")], tmp_path)


def test_child_reads_an_archive_with_its_notes(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(archive([member(), member(2)], ZSTD))
    (done,) = read_files([(path, "log.eval")], tmp_path)
    assert done.facts.source == "Inspect" and done.facts.n_rows == 2 and done.facts.notes


@given(data=st.data(), method=st.sampled_from([zipfile.ZIP_DEFLATED, ZSTD]))
def test_damaged_archive_is_refused_or_read(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, method: int
) -> None:
    content = bytearray(archive([member(), member(2)], method))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(4, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        table, _ = read(tmp_path_factory.mktemp("damaged"), bytes(content))
    except DataError as refusal:
        assert "\n" not in str(refusal)
    else:
        assert table.num_rows >= 1


VALUE = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=3), st.just([]), st.just({}),
    st.just([["-1.0", "False"], ["-2.0", "True"]]), st.just([[1]]), st.just([{"label": "a", "score": 1}]),
    st.just({"a": [None]}),
)  # fmt: skip
RECORDS: list[list[Any]] = [
    [generated(0, "a", "b", "c"), generated(1, "a", "b", "c")],
    [chosen(0, "0", ["a", "b"], [-1.0, -2.0], acc=1.0, f1=[0, 0]), chosen(1, "1", ["a", "b"], [-1.0, -2.0], acc=0.0)],
    [event("s", "match", correct=True, expected="a", picked="b"), event("s", "sampling", sampled="x")],
    [result(0, 0, "spam", testCase={"assert": [{"type": "equals", "value": "x"}]}), result(1, 0, "ham")],
    [{"instance": {"a": 1}, "prediction": {"classes": ["a", "b"], "scores": [0.5, 0.5]}}] * 2,
    [[{"label": "a", "score": 0.5}, {"label": "b", "score": 0.5}]] * 2,
    [{"actual": ["a"], "observed": ["b"], "count": 1}] * 2,
    [sample(1, "a", "b"), sample(2, "a", "b")],
]


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, part in inner for found in _paths(part, (*path, key)))]


def _changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1 and new is Ellipsis:
        del copy[path[0]]
    else:
        copy[path[0]] = _changed(value[path[0]], path[1:], new)
    return copy


@given(data=st.data(), which=st.sampled_from(range(len(RECORDS))))
def test_broken_records_are_refused_or_read(data: st.DataObject, which: int) -> None:
    records = RECORDS[which]
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(_paths(records)[1:] or [(0,)]))
        records = _changed(records, path, data.draw(st.just(...) | VALUE)) or [{}]
    is_log = which == len(RECORDS) - 1
    text = json.dumps(INSPECT | {"samples": records}) if is_log else lines(records)
    try:
        table, _ = read_json(text.encode(), Limits(), ignore_progress, one_per_line=not is_log)
    except DataError as refusal:
        assert "\n" not in str(refusal)
    else:
        assert table.num_rows >= 1
