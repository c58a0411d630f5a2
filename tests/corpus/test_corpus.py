"""Every broken or odd file ends as promised: in these numbers, in a warning, or in one sentence."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import cli
from data.errors import DataError
from data.evaluation import FileFacts
from data.process.limits import Limits
from data.runs import load, understanding
from data.store import store
from tests.corpus.case import SMALL, Case
from tests.corpus.every import all_cases
from tests.corpus.outcome import Outcome, complaints, outcome_here
from tests.data.sandboxed import ReadResult, read_files

CASES = all_cases()
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_reading_keeps_the_promise(case: Case, tmp_path: Path) -> None:
    assert complaints(case, outcome_here(case, tmp_path)) == []


def written(case: Case, folder: Path) -> Path:
    path = folder / case.upload
    path.write_bytes(case.made())
    return path


@pytest.fixture(scope="module")
def read_together(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, ReadResult]]:
    """The files of a kind that are to be read, by one child for all; a file to be refused gets a child of its own."""

    @functools.cache
    def of_kind(kind: str) -> dict[str, ReadResult]:
        cases = [case for case in CASES if case.kind == kind and case.n is not None]
        paths = [written(case, tmp_path_factory.mktemp("upload")) for case in cases]
        files = [(path, case.upload) for path, case in zip(paths, cases, strict=True)]
        try:
            results = read_files(files, tmp_path_factory.mktemp("read"), limits=SMALL) if files else []
        except DataError:  # which of them it is, their own children tell
            return {}
        return dict(zip(map(str, cases), results, strict=True))

    return of_kind


def understand(result: ReadResult, sources: object, folder: Path, given: load.Given) -> tuple[list[FileFacts], object]:
    """What the limited process makes of a file, from what a child read of it before."""
    return [result.facts], understanding.understand([store.read_canonical(result.table_path)], [result.facts], given)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_command_line_keeps_it_too(case: Case, tmp_path: Path, read_together, monkeypatch, capsys) -> None:
    result = read_together(case.kind).get(str(case))
    if result:
        monkeypatch.setattr(load, "read_and_understand", functools.partial(understand, result))
    else:
        monkeypatch.setattr(Limits, "from_environment", staticmethod(lambda: SMALL))
    status = cli.main(["score", str(written(case, tmp_path)), "--json", *case.options])
    assert complaints(case, printed(status, *capsys.readouterr())) == []


def printed(status: int, out: str, err: str) -> Outcome:
    """The outcome as the command line printed it."""
    if status == 0:
        assert err == ""
        found = json.loads(out)
        files = [text for file in found["receipt"]["files"] for text in file["notes"] + file["warnings"]]
        said = " ".join([*found["receipt"]["notes"], *found["receipt"]["warnings"], *files])
        return Outcome(found["n_rows"], found["accuracy"], said)
    assert (status, out) == (2, "") and err.endswith("\n") and err.count("\n") == 1
    return Outcome(refusal=err.rstrip("\n"))


def test_there_are_many_of_every_kind():
    kinds = {case.kind for case in CASES}
    assert len(CASES) >= 200 and len(kinds) >= 14
    assert len({str(case) for case in CASES}) == len(CASES)
