"""Some people on mixed pages at once, and one of them uploading: no error. `make reliability` does it for minutes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.driver import ROOT, Server, start_server
from tests.reliability.load import RUNS, VISITED, large_csv, noisy, run_load, upload
from tests.reliability.visitor import Visitor

PEOPLE, SECONDS, THINK_SECONDS = 10, 3.0, 0.5


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with start_server(ROOT, tmp_path_factory.mktemp("store")) as running:
        yield running


def test_every_page_under_load_shows_its_evaluation(server: Server) -> None:
    """Otherwise the load below would measure the speed of a message."""
    visitor = Visitor.at(server.url)
    for page in VISITED:
        answer = visitor.visit(page, f"run={RUNS[0]}")
        assert not answer.wrong and not answer.says("This link opens nothing"), page
    shown = [len(visitor.visit("confusion", f"run={run}").content) for run in RUNS]
    assert len(set(shown)) == len(RUNS)
    gone = visitor.visit("overview", "run=" + "A" * 32)
    assert gone.says("This link opens nothing") and not gone.wrong
    visitor.close()


def test_ten_people_meet_no_error_beside_an_upload(server: Server) -> None:
    with noisy(server, 4) as neighbour:
        load = run_load(server, PEOPLE, SECONDS, THINK_SECONDS)
    assert load.wrong == [] and len(load.seconds) >= PEOPLE
    assert set(neighbour.answers) == {"opened"} and neighbour.uploads >= 1


def test_upload_opens_and_wrong_file_is_refused(server: Server, tmp_path: Path) -> None:
    large_csv(tmp_path / "table.csv", 3_000_000)
    assert upload(server.url, tmp_path / "table.csv") == "opened"
    (tmp_path / "none.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(1000))
    assert upload(server.url, tmp_path / "none.csv") == "not opened"
