"""A CSV file that is packed as Parquet gives the numbers that it gives itself; a stop leaves nothing."""

import random
import tempfile
from collections import Counter

import numpy as np
import pytest

from data.bad_rows import BLANK, FEWER, MORE, LeftOutRows
from data.errors import DataError
from data.reading.csv import packing
from data.reading.csv.packing import pack_csv
from data.reading.dispatch import read_table
from data.reading.options import DETECT, ReadOptions
from data.runs.draft import Given
from data.runs.load import read_evaluation
from tests.measured_numbers import numbers_of


def write(path, n=3000, mark=b"", delimiter=",", end="\n"):
    """Write predictions with commas, quotation marks, line breaks, blanks and empty cells."""
    rng = np.random.default_rng(0)
    labels = ['a "b", c', "x\ny", "ok", " ok", ""]
    cells = ['"' + text.replace('"', '""') + '"' if text.strip() else text for text in labels]
    lines = [delimiter.join(("id", "y_true", "y_pred", "p"))]
    for i in range(n):
        t, p = rng.integers(0, 5, 2)
        lines.append(delimiter.join((str(i), cells[t], cells[t if rng.random() < 0.6 else p], f"{rng.random():.17g}")))
    path.write_bytes(mark + (end.join(lines) + end).encode())
    return path


@pytest.mark.parametrize(
    ("mark", "delimiter", "end"), [(b"", ",", "\n"), (b"\xef\xbb\xbf", ";", "\r\n")], ids=["plain", "mark"]
)
def test_packed_file_gives_the_same_numbers(tmp_path, monkeypatch, mark, delimiter, end):
    monkeypatch.setattr(packing, "_BLOCK_BYTES", 20_000)
    monkeypatch.setattr(packing, "_HEAD_BYTES", 9_000)
    path, seen = write(tmp_path / "p.csv", mark=mark, delimiter=delimiter, end=end), []
    given = Given(truth="y_true", pred="y_pred")
    wanted = numbers_of(read_evaluation([path], given))
    with pack_csv(path, DETECT, seen.append) as packed:
        assert packed.name == "p.parquet" and packed.stat().st_size < path.stat().st_size
        found = numbers_of(read_evaluation([packed], given))
    assert len(seen) > 3 and seen[-1] == 3000 and not packed.exists()
    assert {**found, "name": ""} == {**wanted, "name": ""}


def test_packing_accounts_for_rows_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(packing, "_BLOCK_BYTES", 400)
    draw, path = random.Random(5), tmp_path / "p.csv"
    odd = {"": BLANK, "  ": BLANK, ",,": BLANK, "1,a": FEWER, "1,a,b,c": MORE}
    for skip in (False, True):
        lines = [draw.choice([f"{i},a,b"] * 9 + list(odd)[: 5 if skip else 3]) for i in range(300)] + ["300,a,b"]
        path.write_text("\n".join(["id,y_true,y_pred", *lines]))
        with pack_csv(path, ReadOptions(skip_bad_rows=skip), lambda n_rows: None) as packed:
            table, facts = read_table(packed, packed.name)
        assert table.column("id").to_pylist() == [line.split(",")[0] for line in lines if line not in odd]
        account, gone = facts.rows_left_out, [(i, odd[line]) for i, line in enumerate(lines, 1) if line in odd]
        assert {kind.kind: kind.n_rows for kind in account.kinds} == Counter(kind for _, kind in gone)
        assert {kind.kind: list(kind.first_lines) for kind in account.kinds} == {
            kind: [i for i, other in gone if other == kind][:5] for _, kind in gone
        }
        assert account.n_rows == 301 and "rows were left out: rows" in facts.list_warnings()[0]
    for content in (b"", b"[]", b'{"n_rows": 3, "kinds": [{"kind": "x", "n_rows": 1, "first_lines": [1]}]}'):
        assert LeftOutRows.from_footer(content) is None


def test_stopped_packing_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()

    def stop(n_rows):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), pack_csv(write(tmp_path / "p.csv"), DETECT, stop):
        pass
    path = write(tmp_path / "q.csv")
    path.write_bytes(path.read_bytes() + b"1,ok\n")
    with pytest.raises(DataError, match="more or fewer cells than the header"), pack_csv(path, DETECT, print):
        pass
    assert list((tmp_path / "temporary").iterdir()) == []
    for name, content in (("p.csv.gz", b"a,b\n"), ("p.csv", b"\0a,b\n1,2\n"), ("p.csv", "ä,b\n1,2\n".encode("latin1"))):
        (tmp_path / name).write_bytes(content)
        with pack_csv(tmp_path / name, DETECT, print) as packed:
            assert packed is None
