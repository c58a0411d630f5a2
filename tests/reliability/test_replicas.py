"""Two replicas on one store, a folder or an object store: what one does holds on the other."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from data import samples
from data.runs.load import Given, keep, read_draft
from data.sharing.share import share
from data.store import links, object_store, store
from tests.browser.driver import ROOT, start_server
from tests.reliability import s3_server as s3
from tests.reliability.counts import many
from tests.reliability.visitor import Visitor

GONE = "This link opens nothing. It is wrong, has expired or was revoked. Ask whoever sent it for a new one."


@pytest.fixture(scope="module", params=["folder", "s3"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    found = str(tmp_path_factory.mktemp("replicas") / "store")
    if request.param == "s3":
        request.getfixturevalue("s3_server")
        found = s3.URL
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("BLINDSPOT_DRAFT_HOURS", raising=False)
        patch.setenv("BLINDSPOT_STORE", found)
        store._place.cache_clear()
        yield found


class Replica:
    def __init__(self, address: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.reliability.replica"],
            cwd=ROOT, env={**os.environ, "BLINDSPOT_STORE": address},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def start(self, *command: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        assert self.process.stdout is not None
        found = json.loads(self.process.stdout.readline())
        return found.get("error", found.get("is"))

    def ask(self, *command: str) -> Any:
        self.start(*command)
        return self.answer()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def both(address: str) -> Iterator[tuple[Replica, Replica]]:
    found = Replica(address), Replica(address)
    yield found
    for one in found:
        one.close()


@pytest.fixture
def replicas(both: tuple[Replica, Replica]) -> tuple[Replica, Replica]:
    """The two, on an empty store."""
    for part in ("link", "owner", "data", "trash", "gone"):
        for entry in store.place().entries(part):
            store.place().remove(entry.name)
    return both


@pytest.fixture
def table(tmp_path: Path) -> str:
    store.write_canonical(pa.table({"x": list(range(7))}), tmp_path / "table.parquet")
    return str(tmp_path / "table.parquet")


def until(replica: Replica, command: tuple[str, ...], wanted: object) -> float:
    """Return how long it takes until a replica answers so; no longer than it may remember a link."""
    start = time.monotonic()
    while (found := replica.ask(*command)) != wanted:
        assert time.monotonic() - start < object_store.REMEMBERED_SECONDS + 10, found
    return time.monotonic() - start


def test_changes_on_one_replica_show_on_the_other(replicas: tuple[Replica, Replica], table: str, address: str) -> None:
    one, other = replicas
    token, key = one.ask("share", table)
    assert other.ask("rows", token) == 7 and other.ask("mine") == 1
    assert other.ask("extend", token, key) > 0 and one.ask("rows", token) == 7
    assert "not the owner key" in other.ask("revoke", token, "wrong")
    assert other.ask("revoke", token, key) is True
    assert other.ask("rows", token) == GONE
    waited = until(one, ("rows", token), GONE)
    assert waited < 1 or address == s3.URL, "a folder remembers nothing"
    assert one.ask("mine") == other.ask("mine") == 0


def test_content_saved_by_both_is_stored_once(replicas: tuple[Replica, Replica], table: str) -> None:
    made, n = [], many(2, 10)
    for _ in range(n):
        for replica in replicas:
            replica.start("share", table)
        made += [replica.answer() for replica in replicas]
    for replica in replicas:
        assert [replica.ask("rows", token) for token, _ in made] == [7] * 2 * n
    assert len(list(store.place().entries("data"))) == 1 and len(list(store.place().entries("link"))) == 2 * n


def test_deleting_beside_sharing_keeps_the_table(replicas: tuple[Replica, Replica], table: str) -> None:
    one, other = replicas
    for _ in range(many(2, 10)):
        token, key = one.ask("share", table)
        one.start("delete", token, key)
        other.start("share", table)
        deleted, shared = one.answer(), other.answer()
        assert isinstance(deleted, bool)
        if isinstance(shared, list):
            assert one.ask("rows", shared[0]) == 7 and other.ask("rows", shared[0]) == 7
            one.ask("delete", *shared)
        else:
            assert "not there any more" in shared
        assert [entry for entry in store.place().entries("link") if links.id_of(token) in entry.name] == []


def test_both_sweeping_and_sharing_at_once_lose_nothing(replicas: tuple[Replica, Replica], table: str) -> None:
    tokens = []
    for _ in range(many(2, 10)):
        for replica in replicas:
            replica.start("share", table)
            replica.start("sweep")
        for replica in replicas:
            tokens.append(replica.answer()[0])
            assert replica.answer() == [0, 0, 0]
    for replica in replicas:
        assert [replica.ask("rows", token) for token in tokens] == [7] * len(tokens)


def test_lost_object_store_is_named_and_recovers(
    s3_server: s3.S3Server, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    s3.empty_bucket()
    replica = Replica(s3.URL)
    with contextlib.closing(replica):
        token, key = replica.ask("share", table)
        with s3_server.away():
            for command in (("rows", "A" * 32), ("share", table), ("revoke", token, key), ("mine",), ("sweep",)):
                assert "store cannot be used at the moment" in replica.ask(*command), command
        assert replica.ask("rows", token) == 7 and replica.ask("revoke", token, key) is True
        assert replica.ask("rows", token) == GONE


def test_two_processes_share_and_revoke_through_a_store(
    s3_server: s3.S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    s3.empty_bucket()
    monkeypatch.setenv("BLINDSPOT_STORE", s3.URL)
    store._place.cache_clear()
    run = keep(read_draft(samples.load_sample_paths("screening"), Given()))
    made = share(run, title="Nightly")
    with contextlib.ExitStack() as stack:
        started = [stack.enter_context(start_server(ROOT, s3.URL)) for _ in range(2)]  # type: ignore[arg-type]
        visitors = [Visitor.at(one.url) for one in started]
        for visitor in visitors:
            for token in (made.token, run):
                answer = visitor.visit("overview", f"run={token}")
                assert answer.says("Accuracy") and not answer.says(GONE) and not answer.wrong
        links.revoke(links.id_of(made.token), owner_key=made.owner_key)
        deadline = time.monotonic() + object_store.REMEMBERED_SECONDS + 10
        for visitor in visitors:
            while not (answer := visitor.visit("overview", f"run={made.token}")).says(GONE):
                assert time.monotonic() < deadline and not answer.wrong
                time.sleep(0.2)  # between two looks: a server remembers a link for seconds
            assert not answer.wrong
            visitor.close()
