"""Every broken or odd file ends as promised: in these numbers, in a warning, or in one sentence."""

import json
from pathlib import Path

import pytest

import cli
from tests.corpus.case import SMALL, Case
from tests.corpus.every import all_cases
from tests.corpus.outcome import Outcome, complaints, outcome_here
from tests.reading_here import reading_here

CASES = all_cases()
COUNTED_OF_ANY_SIZE = "parquet files: a bomb of rows.parquet"
"""The command line counts Parquet files of any number of rows; uploads of so many are refused."""
ROOT = Path(__file__).resolve().parents[2]


def test_uploads_of_too_many_rows_are_refused(tmp_path: Path) -> None:
    [case] = [case for case in CASES if str(case) == COUNTED_OF_ANY_SIZE]
    assert complaints(case, outcome_here(case, tmp_path)) == []


def written(case: Case, folder: Path) -> Path:
    path = folder / case.upload
    path.write_bytes(case.made())
    return path


@pytest.mark.parametrize("case", [case for case in CASES if str(case) != COUNTED_OF_ANY_SIZE], ids=str)
def test_command_line_keeps_the_promise(case: Case, tmp_path: Path, capsys) -> None:
    with reading_here(SMALL):
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
