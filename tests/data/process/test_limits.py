"""Every limit of the environment: over it one sentence that names it and how to raise it, at it nothing."""

import gzip
import itertools
from pathlib import Path

import pytest

from data.errors import DataError
from data.runs import load
from data.runs.load import Given

pytestmark = pytest.mark.usefixtures("own_store")


def scored(tmp_path: Path, content: bytes, name: str = "p.csv") -> int:
    (tmp_path / name).write_bytes(content)
    return load.read_evaluation([tmp_path / name], Given()).n_rows


def rows(n: int, labels: int = 2) -> bytes:
    return b"y_true,y_pred\n" + b"".join(b"c%d,c%d\n" % (i % labels, (i // 3) % labels) for i in range(n))


MANY_COLUMNS = (
    b"y_true,y_pred,"
    + b",".join(b"x%d" % i for i in range(48))
    + b"\n"
    + (b"a,b" + b",1" * 48 + b"\nb,b" + b",1" * 48 + b"\n") * 4
)
LONG_LABEL = b"y_true,y_pred\n" + b"long" * 10 + b",b\nb,b\n" * 3
PADDED = b"y_true,y_pred,text\n" + (b"a,b," + b"x" * 1000 + b"\nb,b,y\n") * 1100


@pytest.mark.parametrize(
    ("variable", "limit", "content", "name"),
    [
        ("BLINDSPOT_ROWS", "40", rows(41), "p.csv"),
        ("BLINDSPOT_ROWS", "40", b'{"y_true": "a", "y_pred": "b"}\n{"y_true": "b", "y_pred": "b"}\n' * 21, "p.jsonl"),
        ("BLINDSPOT_COLUMNS", "49", MANY_COLUMNS, "p.csv"),
        (
            "BLINDSPOT_COLUMNS",
            "2",
            b'{"y_true": "a", "y_pred": "b", "c": 1}\n{"y_true": "b", "y_pred": "b", "c": 1}\n' * 3,
            "p.jsonl",
        ),
        ("BLINDSPOT_CLASSES", "9", rows(100, labels=10), "p.csv"),
        ("BLINDSPOT_LABEL_CHARS", "39", LONG_LABEL, "p.csv"),
        ("BLINDSPOT_UPLOAD_MB", "1", PADDED, "p.csv"),
    ],
)
def test_exceeded_limit_says_how_to_raise_it(tmp_path, monkeypatch, variable, limit, content, name):
    monkeypatch.setenv(variable, limit)
    with pytest.raises(DataError) as refused:
        scored(tmp_path, content, name)
    said = str(refused.value)
    assert variable in said and said.count(variable) == 1 and len(said) <= 400
    assert f"{int(limit):,}" in said
    monkeypatch.setenv(variable, str(int(limit) + 20))
    assert scored(tmp_path, content, name) > 0


def test_a_bomb_is_refused_while_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_READING_MB", "1024")
    with pytest.raises(DataError, match=r"expands to more than 341\.3 MB.*BLINDSPOT_READING_MB"):
        scored(tmp_path, gzip.compress(b"y_true,y_pred\n") + gzip.compress(b"a,b\n" * 5_000_000) * 19, "p.csv.gz")


def test_too_large_evaluation_is_refused_before_allocation(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_EVALUATION_MB", "16")
    sets = [f"label {i % 400}|label {i % 399}" for i in range(20_000)]
    content = ("y_true;y_pred\n" + "".join(f"{one};{two}\n" for one, two in itertools.pairwise(sets))).encode()
    with pytest.raises(DataError, match=r"takes some \d+.* MB of memory; the limit is 16 MB.*BLINDSPOT_EVALUATION_MB"):
        scored(tmp_path, content)
    monkeypatch.setenv("BLINDSPOT_EVALUATION_MB", "64")
    assert scored(tmp_path, content) == 19_999


def test_slow_reading_is_stopped_with_its_limit(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_SECONDS", "1")
    with pytest.raises(DataError, match=r"1 second.*BLINDSPOT_SECONDS"):
        scored(tmp_path, b"y_true,y_pred\n" + b'"a\n",b\n' * 6_000_000)
