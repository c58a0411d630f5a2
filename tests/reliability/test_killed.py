"""kill -9 at random moments of saving, with others saving and sweeping: nothing acknowledged is lost."""

import hashlib
import os
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from data.store import links, records, store
from tests.browser.driver import ROOT
from tests.ceiling import CEILING_SECONDS
from tests.reliability.counts import many

KILLS = many(25, 320)
AT_ONCE = 5
SEED = 412


class Zygote:
    """The process of `saver.py`, whose children are started and killed; it collects what they say."""

    def __init__(self, tables: Path, folder: Path) -> None:
        environment = {**os.environ, "BLINDSPOT_STORE": str(folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.reliability.saver", str(tables)],
            cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.saved: list[tuple[str, int, str]] = []
        self.refused: list[str] = []
        self._answers: queue.Queue[list[str]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.answer("ready")

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            what, *words = line.split()
            if what == "saved":
                self.saved.append((words[0], int(words[1]), words[2]))
            elif what == "refused":
                self.refused.append(line)
            else:
                self._answers.put([what, *words])

    def answer(self, wanted: str) -> list[str]:
        found = self._answers.get(timeout=CEILING_SECONDS)
        assert found[0] == wanted
        return found

    def ask(self, question: str, wanted: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        return self.answer(wanted)[1]


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory where there is such a disk: a killed process loses nothing there, and saves come thick and fast."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name) / "store"


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    (tmp_path / "tables").mkdir()
    for number in range(60):
        table = pa.table({"text": [f"table {number} row {row}" for row in range(number + 1)]})
        store.write_canonical(table, tmp_path / "tables" / f"{number:03d}")
    return tmp_path / "tables"


@pytest.fixture
def zygote(tables: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Zygote]:
    monkeypatch.setenv("BLINDSPOT_STORE", str(folder))
    monkeypatch.delenv("BLINDSPOT_DRAFT_HOURS", raising=False)
    running = Zygote(tables, folder)
    yield running
    running.process.kill()
    running.process.wait()


def kill_savers(zygote: Zygote, kills: int) -> None:
    """`AT_ONCE` at work at any time, one of them sweeping; whose turn it is is killed after a random while."""
    chosen = random.Random(SEED)
    running: dict[str, str] = {}
    for number in range(kills):
        while len(running) < AT_ONCE:
            what = "save" if "sweep" in running.values() else "sweep"
            running[zygote.ask(f"{what} {number}", "started")] = what
        time.sleep(chosen.uniform(0, 0.18))  # the moment of the kill is what is random here, not something waited for
        killed = chosen.choice(list(running))
        zygote.ask(f"kill {killed}", "killed")
        del running[killed]
    for pid in running:
        zygote.ask(f"kill {pid}", "killed")


def test_nothing_acknowledged_is_lost(zygote: Zygote, folder: Path) -> None:
    kill_savers(zygote, KILLS)
    saved = list(zygote.saved)
    print(f"\n{KILLS + AT_ONCE - 1} kills, {len(saved):,} acknowledged, {len(zygote.refused)} refused")
    assert len(saved) > many(20, 1_213)
    for token, number, data_id in saved:
        link = links.open_link(token)
        assert link.draft == {"number": number} and link.data_ids == (data_id,)
    for data_id, number in {(data_id, number) for _, number, data_id in saved}:
        assert store.load_table(data_id).num_rows == number + 1
    for part in ("data", "trash"):
        for path in (folder / part).glob("*"):
            assert path.name == hashlib.sha256(path.read_bytes()).hexdigest() + ".parquet"
    stored = list((folder / "link").iterdir())
    for path in stored:
        assert links.Link.from_json(records.decode(path.read_bytes())).draft["number"] < 60
    assert len(stored) >= len(saved)
    assert {path.name for path in folder.iterdir()} <= {
        "data", "link", "owner", "key", "trash", "gone", "tmp", ".gitignore",
    }  # fmt: skip


EIGHT_TIMES_FIFTY = """
import sys
from data.store import links, store
table, first = sys.argv[1], int(sys.argv[2])
data_id = store.put_table(table)
for number in range(first, first + {n}):
    print(links.share({{"number": number}}, [store.put_table(table)]).token, number, flush=True)
"""


def test_eight_processes_save_equal_content_once(tmp_path: Path, tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    n = many(12, 50)
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    commands = [
        [sys.executable, "-c", EIGHT_TIMES_FIFTY.format(n=n), str(tables / "007"), str(process * n)]
        for process in range(8)
    ]
    started = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for command in commands]
    lines = [
        line.split() for process in started for line in process.communicate(timeout=CEILING_SECONDS)[0].splitlines()
    ]
    assert all(process.returncode == 0 for process in started)
    assert sorted(int(number) for _, number in lines) == list(range(8 * n))
    for token, number in lines:
        link = links.open_link(token)
        assert link.draft == {"number": int(number)} and store.load_table(link.data_ids[0]).num_rows == 8
    assert len(list((tmp_path / "store" / "data").iterdir())) == 1
    assert list((tmp_path / "store" / "tmp").iterdir()) == []
    print(f"\n8 processes x {n} saves, {len(lines)} of {8 * n} open")
