"""The command as a person types it: its exit status, one line of complaint, and no more memory than is allowed."""

import gzip
import json
from pathlib import Path

import pytest

import cli
from tests.corpus.every import all_cases
from tests.corpus.outcome import Outcome, complaints

CASES = {str(case): case for case in all_cases()}
SAMPLE = [
    "encodings: latin-1 accents",
    "quoting: never closed",
    "labels: 100,000 classes",
    "hostile labels: an escape sequence",
    "names: a header's line end",
    "json lines: deep.jsonl",
    "parquet files: a spoilt page.parquet",
    "workbooks: far apart.xlsx",
    "arrays: a lie.npy",
    "other names: pickle",
]


@pytest.fixture
def scored(capsys):
    """Run `score`, which reads the file in a process of its own; returns what it ends in."""

    def score(path: Path, *options: str) -> Outcome:
        code = cli.main(["score", str(path), "--json", *options])
        out, err = capsys.readouterr()
        if code == 0:
            found = json.loads(out)
            said = json.dumps(found["receipt"], ensure_ascii=False)
            return Outcome(found["n_rows"], found["accuracy"], said)
        assert (code, out) == (2, "")
        assert err.endswith("\n") and err.count("\n") == 1
        return Outcome(refusal=err.rstrip("\n"))

    return score


@pytest.mark.parametrize("name", SAMPLE)
def test_the_command_ends_as_promised(scored, tmp_path, name):
    case = CASES[name]
    path = tmp_path / case.upload
    path.write_bytes(case.made())
    assert complaints(case, scored(path, *case.options)) == []


def test_line_of_two_gigabytes_is_stopped(scored, tmp_path):
    path = tmp_path / "line.csv.gz"
    path.write_bytes(gzip.compress(b"truth,pred\n") + gzip.compress(b"z" * (16 << 20), 1) * 128)
    assert path.stat().st_size < 16 << 20
    assert "expands to more than 1 GB" in scored(path).refusal


def test_too_large_file_is_not_opened(scored, tmp_path):
    path = tmp_path / "holes.csv"
    with path.open("wb") as file:
        file.truncate(2 << 30)  # takes no room on the disk
    assert "2 GB large; the limit is 200 MB" in scored(path).refusal
