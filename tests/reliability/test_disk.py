"""A disk that is really full: a small one where one may be mounted, and a limit on the size of files everywhere."""

import contextlib
import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from data import samples
from data.errors import DataError
from data.runs.load import Given, keep, read_draft
from data.sharing.share import share
from data.store import expiry, links, store
from tests.browser.driver import ROOT, start_server
from tests.reliability.visitor import Visitor

MB = 1 << 20


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Two megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no disk may be mounted here; the limit below is the same for every process")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def table(tmp_path: Path, n_bytes: int) -> Path:
    path = tmp_path / str(n_bytes)
    path.write_bytes(os.urandom(n_bytes))
    return path


def test_full_disk_recovers_once_there_is_space(
    small_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLINDSPOT_STORE", str(small_disk / "store"))
    kept = store.put_table(table(tmp_path, MB))
    token = links.keep_draft({"n": 1}, [kept])
    for n_bytes in (3 * MB, 2 * MB, MB):
        with pytest.raises(DataError, match="No space left on device") as told:
            store.put_table(table(tmp_path, n_bytes))
        assert str(tmp_path) not in str(told.value)
    filling = small_disk / "filling"
    with pytest.raises(OSError, match="No space left"), filling.open("wb") as file:
        while True:
            file.write(b"x" * 4096)
            file.flush()
    for save in (links.keep_draft, links.share):
        with pytest.raises(DataError, match="No space left on device"):
            save({"n": 2}, [kept])
    assert links.open_link(token).draft == {"n": 1} and list((small_disk / "store" / "tmp").iterdir()) == []
    assert len(list((small_disk / "store" / "link").iterdir())) == 1
    filling.unlink()
    made = links.share({"n": 2}, [kept])
    assert links.open_link(made.token).draft == {"n": 2}
    links.revoke(links.id_of(made.token), owner_key=made.owner_key)
    links.remove(links.id_of(token), links.open_link(token))
    assert expiry.forget([kept]) and store.put_table(table(tmp_path, MB))


@pytest.fixture
def files_end_at_100_kb() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_file_that_cannot_grow_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    large = table(tmp_path, 300_000)
    request.getfixturevalue("files_end_at_100_kb")
    with pytest.raises(DataError, match="cannot be used at the moment"):
        store.put_table(large)
    assert list((tmp_path / "store" / "data").iterdir()) == list((tmp_path / "store" / "tmp").iterdir()) == []
    assert links.open_link(links.keep_draft({"n": 1}, [store.put_table(table(tmp_path, 50_000))])).draft == {"n": 1}


def test_lost_store_is_named_and_recovers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "store"
    monkeypatch.setenv("BLINDSPOT_STORE", str(folder))
    run = keep(read_draft(samples.load_sample_paths("screening"), Given()))
    token = share(run).token
    with start_server(ROOT, folder) as server, contextlib.closing(Visitor.at(server.url)) as visitor:
        assert visitor.visit("overview", f"run={token}").says("Accuracy")
        folder.rename(tmp_path / "away")
        for page in ("overview", "confusion", "rows"):
            answer = visitor.visit(page, f"run={token}")
            assert answer.says("store cannot be used at the moment") and not answer.wrong, page
        (tmp_path / "away").rename(folder)
        answer = visitor.visit("overview", f"run={token}")
        assert answer.says("Accuracy") and not answer.says("cannot be used at the moment") and not answer.wrong
