"""Files that are cut off or have bytes changed: never a crash, a traceback, or numbers that nobody wrote."""

import functools
import gzip
import json

import numpy as np
import pytest

from data.store.store import read_canonical
from tests.corpus.containers import npy, npz, zstd
from tests.corpus.damage import CUTS, FLIPS, bounds
from tests.corpus.structured import lines, parquet
from tests.data.sandboxed import read_files
from tests.data.workbooks import workbook

LABELS = [("owl", "fox", "hen")[i * i % 3 if i % 7 else i % 3] for i in range(60)]
GUESSES = [("owl", "fox", "hen")[i % 3] for i in range(60)]
PAIRS = list(zip(LABELS, GUESSES, strict=True))
RECORDS = [{"truth": truth, "pred": guess} for truth, guess in PAIRS]
CSV = b"truth,pred\n" + b"".join(f"{truth},{guess}\n".encode() for truth, guess in PAIRS)
WHOLE = {
    "p.csv": CSV,
    "p.jsonl": lines(*RECORDS),
    "p.json": json.dumps(RECORDS).encode(),
    "p.parquet": parquet({"truth": LABELS, "pred": GUESSES}),
    "p.xlsx": workbook(("Sheet", [["truth", "pred"], *PAIRS])),
    "p.npz": npz(y_true=np.array(LABELS), y_pred=np.array(GUESSES)),
    "p.npy": npy(np.linspace(0, 1, 60).reshape(20, 3)),
    "p.csv.gz": gzip.compress(CSV, mtime=0),
    "p.csv.zst": zstd(CSV),
}
HAS_AN_END = [name for name in WHOLE if name not in ("p.csv", "p.jsonl", "p.npy")]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Return what became of every damaged copy of a file, by its name and the damage."""

    @functools.cache
    def of(name: str, how: str) -> list[dict[str, str]]:
        folder = tmp_path_factory.mktemp("damaged")
        path = folder / name
        path.write_bytes(WHOLE[name])
        (result,) = read_files([(path, name)], folder, limits=bounds(), reader=f"tests.corpus.damage:{how}")
        found: list[dict[str, str]] = read_canonical(result.table_path).to_pylist()
        assert [one for one in found if one["unfit"]] == []
        return found

    return of


@pytest.mark.parametrize("name", HAS_AN_END)
def test_cut_off_binary_file_is_refused(outcomes, name):
    found = outcomes(name, "read_cut")
    assert len(found) > CUTS // 2
    assert [one for one in found if not one["refusal"]] == []


def expected(text: str) -> tuple[int, float] | str:
    """Rows and accuracy of the CSV as far as it goes, or what its refusal says: the slow and obvious way."""
    header, *below = text.rstrip("\n").split("\n")
    if header != "truth,pred" or not below:
        return ""
    cells = [line.split(",") for line in below]
    if len(cells[-1]) != 2:
        return f"row {len(cells)}"
    given = [pair for pair in cells if all(pair)]
    return (len(cells), sum(truth == guess for truth, guess in given) / len(given)) if given else ""


def test_cut_off_csv_gives_rows_or_names_one(outcomes):
    for one in outcomes("p.csv", "read_cut"):
        length = int(one["damage"].split()[2])
        wanted = expected(CSV[:length].decode())
        if isinstance(wanted, str):
            assert one["refusal"] and wanted in one["refusal"], one
        else:
            assert (int(one["n"]), float(one["accuracy"])) == pytest.approx(wanted), one


def test_cut_off_json_lines_name_the_broken_row(outcomes):
    content = WHOLE["p.jsonl"]
    for one in outcomes("p.jsonl", "read_cut"):
        kept = content[: int(one["damage"].split()[2])]
        whole, broken = kept.count(b"}"), not kept.endswith((b"}", b"\n"))
        if broken:
            assert f"row {whole + 1} " in one["refusal"], one
        else:
            assert int(one["n"]) == whole, one


@pytest.mark.parametrize("name", WHOLE)
def test_changed_bytes_give_numbers_or_a_sentence(outcomes, name):
    found = outcomes(name, "read_flipped")
    assert len(found) == FLIPS
    assert all(one["refusal"] or int(one["n"]) > 0 for one in found)


@pytest.mark.parametrize("name", ["p.xlsx", "p.npz"])
def test_changed_bytes_with_right_sums_give_either(outcomes, name):
    found = outcomes(name, "read_flipped_inside")
    assert all(one["refusal"] or int(one["n"]) > 0 for one in found)
    assert sum(bool(one["refusal"]) for one in found) > FLIPS // 4


@pytest.mark.parametrize("name", ["p.csv.gz", "p.xlsx", "p.npz"])
def test_a_sum_over_the_content_finds_changed_bytes(outcomes, name):
    whole = (60, sum(truth == guess for truth, guess in PAIRS) / 60)
    for one in outcomes(name, "read_flipped"):
        assert one["refusal"] or (int(one["n"]), float(one["accuracy"])) == pytest.approx(whole), one
