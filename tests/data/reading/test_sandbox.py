"""Whatever happens to the reading process, the caller gets a result or one sentence, in time."""

import dataclasses
import gzip
import json
import os
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from data.errors import DataError
from data.process.limits import Limits
from data.store.store import read_canonical
from tests.ceiling import CEILING_SECONDS
from tests.data.corpus import GOOD, PAIR, PICKLE, parquet
from tests.data.sandboxed import read_files
from text.quoting import MESSAGE_CHARS

QUICK = Limits(wall_seconds=CEILING_SECONDS, cpu_seconds=20)


def read(tmp_path: Path, content: bytes = GOOD, name: str = "preds.csv", **options: Any) -> Any:
    path, out = tmp_path / "upload", tmp_path / "out"
    path.write_bytes(content)
    out.mkdir(exist_ok=True)
    return read_files([(path, name)], out, **{"limits": QUICK, **options})


def refusal(tmp_path: Path, *args: Any, **options: Any) -> str:
    with pytest.raises(DataError) as refused:
        read(tmp_path, *args, **options)
    sentence = str(refused.value)
    assert len(sentence) <= MESSAGE_CHARS and sentence.isprintable()
    assert str(tmp_path) not in sentence and "Traceback" not in sentence
    return sentence


def misbehaving(tmp_path: Path, how: str, **limits: Any) -> str:
    """The sentence that a reader of `tests.data.misbehaving` ends in."""
    bounds = dataclasses.replace(QUICK, **limits)
    return refusal(tmp_path, limits=bounds, reader=f"tests.data.misbehaving:{how}")


def test_files_are_read_in_order_with_progress(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(GOOD)
    second.write_bytes(parquet(pa.table({"p": [0.5, 0.25]})))
    steps: list[tuple[str, float]] = []
    results = read_files([(first, "a.csv"), (second, "b.parquet")], tmp_path, progress=lambda *step: steps.append(step))
    assert [read_canonical(result.table_path).to_pydict() for result in results] == [PAIR, {"p": [0.5, 0.25]}]
    assert [result.facts.format for result in results] == ["CSV", "Parquet"]
    assert results[0].facts.columns == ("truth", "pred") and results[0].facts.n_rows == 2
    shares = [share for _, share in steps]
    assert shares == sorted(shares) and shares[0] >= 0 and 0.9 < shares[-1] <= 1
    assert {stage for stage, _ in steps} == {"reading", "checking", "writing"}


def test_canonical_tables_come_back_as_they_were_read(tmp_path: Path) -> None:
    content = b"y,p,id\n" + "".join(f"label {i % 7},{i / 7!r},id-{i}\n" for i in range(3000)).encode()
    table = read_canonical(read(tmp_path, content)[0].table_path)
    assert table.schema.types == [pa.dictionary(pa.int32(), pa.string()), pa.float64(), pa.string()]
    assert table.column("p").to_pylist() == [i / 7 for i in range(3000)]
    assert table.column("y").to_pylist() == [f"label {i % 7}" for i in range(3000)]


def test_a_refusal_of_the_reader_is_the_sentence(tmp_path: Path) -> None:
    assert refusal(tmp_path, b"a,b\n1,2\n1\n") == (
        "preds.csv: row 2 has 1 value, but the header names 2 columns ('a', 'b'). 1 of 2 rows cannot be read."
    )


def test_an_attack_by_file_name_stays_text(tmp_path: Path) -> None:
    assert "evil\\u202egnp.exe" in refusal(tmp_path, GOOD, "../../\r\nevil\u202egnp.exe")


def test_a_gzip_bomb_is_a_sentence(tmp_path: Path) -> None:
    bomb = gzip.compress(b"a,b\n" + b"0,0\n" * 8_000_000)
    assert "expands to more than 16 MB" in refusal(
        tmp_path, bomb, "bomb.csv.gz", limits=dataclasses.replace(QUICK, expanded_bytes=16 << 20)
    )


def test_a_parquet_bomb_is_a_sentence(tmp_path: Path) -> None:
    """A few kB of codes that stand for 4 GB of list cells: the footer says nothing of it."""
    codes = pa.DictionaryArray.from_arrays(pa.array([0] * 2_000_000, pa.int32()), ["x" * 2_000])
    lists = pa.ListArray.from_arrays(pa.array(range(0, 2_000_001, 10), pa.int32()), codes)
    bomb = parquet(pa.table({"y": lists}), compression="zstd", store_schema=False)
    assert len(bomb) < 1 << 20
    limits = dataclasses.replace(QUICK, memory_bytes=1 << 30)
    assert "more memory" in refusal(tmp_path, bomb, "bomb.parquet", limits=limits)


def test_pickles_run_nothing(tmp_path: Path) -> None:
    assert "pickle" in refusal(tmp_path, PICKLE, "preds.csv")


@pytest.mark.parametrize(
    ("how", "limits", "says"),
    [
        ("crash", {}, "made the reader crash"),
        ("abort_for_memory", {}, "needs more memory"),
        ("be_killed", {}, "stopped by the system"),
        ("sleep", {"wall_seconds": 1.0}, "longer than 1 seconds"),
        ("spin", {"cpu_seconds": 1}, "1 seconds of computing"),
        ("hoard", {"memory_bytes": 1 << 30}, "more memory"),
        ("write_garbage", {}, "makes no sense"),
        ("write_without_end", {}, "makes no sense"),
        ("promise_too_much", {}, "makes no sense"),
        ("say_nothing", {}, "without an answer"),
        ("fail", {}, "mistake in the reader"),
    ],
)
def test_every_failure_has_its_sentence(tmp_path: Path, how: str, limits: dict[str, Any], says: str) -> None:
    start = time.monotonic()
    assert says in misbehaving(tmp_path, how, **limits)
    assert time.monotonic() - start < CEILING_SECONDS, "nobody waits for a reader that sleeps"


def test_full_disk_is_one_sentence_and_log_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "0.parquet").symlink_to("/dev/full")
    assert refusal(tmp_path) == (
        "The server's disk is full, so preds.csv could not be kept; try again, or tell whoever runs the server."
    )
    assert [record.getMessage() for record in caplog.records] == ["child process: the disk is full"]


def test_the_child_knows_the_limits_that_are_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLINDSPOT_CLASSES", "7")
    monkeypatch.setenv("BLINDSPOT_STORE", "s3://secret")
    names = json.loads(misbehaving(tmp_path, "look_around"))[0]
    assert "BLINDSPOT_CLASSES" in names and "BLINDSPOT_STORE" not in names


def test_readers_messages_are_made_safe_to_show(tmp_path: Path) -> None:
    sentence = misbehaving(tmp_path, "refuse_at_length")
    assert sentence.startswith("line one \\u202e\\x00zzz") and len(sentence) == MESSAGE_CHARS


def test_errors_are_logged_and_not_shown(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    sentence = misbehaving(tmp_path, "fail")
    assert "secret" not in sentence and "secret of" in caplog.text


def test_what_a_library_prints_disturbs_nothing(tmp_path: Path) -> None:
    result = read(tmp_path, reader="tests.data.misbehaving:print_and_read")[0]
    assert read_canonical(result.table_path).to_pydict() == PAIR


def test_time_limit_ends_the_process_group(tmp_path: Path) -> None:
    for seconds in (1.5, 6.0, 24.0, 96.0):  # on a busy machine it is the reader that needs longer to begin
        misbehaving(tmp_path, "leave_a_child", wall_seconds=seconds)
        if (tmp_path / "upload").read_text().isdecimal():
            break
    grandchild = int((tmp_path / "upload").read_text())
    deadline = time.monotonic() + CEILING_SECONDS
    while _is_running(grandchild) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _is_running(grandchild)


def _is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_child_has_a_bare_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET_KEY", "x")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    names, own_session, stdin_is_empty, no_user_site = json.loads(misbehaving(tmp_path, "look_around"))
    assert "A_SECRET_KEY" not in names and "PYTHONPATH" not in names
    assert (own_session, stdin_is_empty, no_user_site) == (True, True, 1)


def test_a_caller_that_gives_up_leaves_no_process(tmp_path: Path) -> None:
    class Stopped(BaseException):
        pass

    def stop(stage: str, share: float) -> None:
        raise Stopped

    before = _children()
    with pytest.raises(Stopped):
        read(tmp_path, progress=stop)
    assert _children() <= before


def _children() -> set[str]:
    tasks = Path(f"/proc/{os.getpid()}/task")
    return {number for task in tasks.iterdir() for number in (task / "children").read_text().split()}


def test_several_sessions_read_at_once(tmp_path: Path) -> None:
    found: dict[int, Any] = {}

    def session(number: int) -> None:
        folder = tmp_path / str(number)
        folder.mkdir()
        found[number] = read_canonical(read(folder, b"y\n" + b"%d\n" % number)[0].table_path).to_pydict()

    threads = [threading.Thread(target=session, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: {"y": [str(number)]} for number in range(6)}
