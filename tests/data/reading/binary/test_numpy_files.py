"""NumPy files: arrays as columns, their names understood, and nothing opened that runs code or lies about its size."""

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cli
from data.errors import DataError
from data.evaluation import FileFacts
from data.process.limits import Limits
from data.reading.dispatch import read_table
from tests.corpus.containers import npy, npz

SMALL = Limits(expanded_bytes=4 << 20, rows=2_000, columns=300)
CLASSES = np.array(["cat", "dog", "owl"])
SCORES = np.array([[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
TRUTH = np.array(["cat", "dog", "owl", "owl"])


def header(text: str, content: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text.encode() + b"\n" + content


def read(tmp_path: Path, content: bytes, name: str) -> tuple[dict[str, list[Any]], FileFacts]:
    path = tmp_path / "upload"
    path.write_bytes(content)
    table, facts = read_table(path, name, limits=SMALL)
    return table.to_pydict(), facts


def refusal(tmp_path: Path, content: bytes, name: str) -> str:
    with pytest.raises(DataError) as error:
        read(tmp_path, content, name)
    assert len(str(error.value)) <= 400
    return str(error.value)


def scored(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert cli.main(["score", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_column_of_scores_a_class(tmp_path):
    columns, facts = read(tmp_path, npy(SCORES), "probs.npy")
    assert columns == {f"p_{k}": list(SCORES[:, k]) for k in range(3)}
    assert facts.format == "NumPy" and "'probs' (4, 3)" in facts.notes[0]


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        *(
            pytest.param(npy(np.array([0.5, 0.25], kind)), "p.npy", {"p": [0.5, 0.25]}, id=f"numbers of type {kind}")
            for kind in ("<f4", ">f8", "<f2", "longdouble")
        ),
        *(
            pytest.param(npy(values), "dir/y_true.npy", {"y_true": cells}, id=f"a column of type {values.dtype}")
            for values, cells in (
                (np.array([1, 0, 2], ">i8"), ["1", "0", "2"]),
                (np.array([1, 255], np.uint8), ["1", "255"]),
                (np.array([True, False]), ["true", "false"]),
                (np.array(["owl", "", "é"]), ["owl", None, "é"]),
                (np.array([b"owl", "é".encode()]), ["owl", "é"]),
                (np.array([0.5, np.nan]), [0.5, None]),
            )
        ),
        pytest.param(
            npy(np.asfortranarray(SCORES)), "probs.npy", {f"p_{k}": [*SCORES[:, k]] for k in range(3)},
            id="arrays by column",
        ),
        pytest.param(
            npz(labels=CLASSES, probs=np.full((3, 3), 1 / 3)), "run.npz",
            {"labels": [*CLASSES]} | {f"p_{k}": [1 / 3] * 3 for k in range(3)},
            id="labels of rows are no names of classes",
        ),
        pytest.param(
            npz(y_true=np.eye(3, dtype=int), y_pred=np.eye(3, dtype=int)[::-1], classes=CLASSES), "multi.npz",
            {"y_true_cat": [*"100"], "y_true_dog": [*"010"], "y_true_owl": [*"001"],
             "y_pred_cat": [*"001"], "y_pred_dog": [*"010"], "y_pred_owl": [*"100"]},
            id="0/1 arrays are pairs of columns",
        ),
    ],
)  # fmt: skip
def test_arrays_are_columns(tmp_path, content, name, expected):
    columns, _ = read(tmp_path, content, name)
    assert columns == expected


def test_class_names_beside_the_scores_name_their_columns(tmp_path):
    columns, _ = read(tmp_path, npz(y_true=TRUTH, probs=SCORES, classes=CLASSES), "run.npz")
    assert list(columns) == ["y_true", "p_cat", "p_dog", "p_owl"]
    assert columns["p_dog"] == list(SCORES[:, 1])


def test_truth_indices_become_class_names(tmp_path):
    columns, facts = read(tmp_path, npz(y_true=np.array([0, 1, 2, 2]), logits=SCORES * 9, class_names=CLASSES), "r.npz")
    assert columns["y_true"] == ["cat", "dog", "owl", "owl"] and "logit_owl" in columns
    assert "'y_true' were taken as places" in facts.notes[1]


def test_numbers_that_are_no_places_stay_numbers(tmp_path):
    columns, facts = read(tmp_path, npz(y_true=np.array([1, 2, 3, 3]), probs=SCORES, classes=CLASSES), "r.npz")
    assert columns["y_true"] == ["1", "2", "3", "3"] and len(facts.notes) == 1


def test_separate_arrays_join_by_row_order(tmp_path, capsys):
    (tmp_path / "probs.npy").write_bytes(npy(SCORES))
    (tmp_path / "truth.csv").write_text("y_true\n" + "\n".join(TRUTH) + "\n")
    found = scored(capsys, str(tmp_path / "probs.npy"), "--labels", str(tmp_path / "truth.csv"))
    assert found["accuracy"] == 0.75  # argmax: cat, dog, dog, owl
    assert any("taken in label order" in text for text in found["receipt"]["warnings"])


def test_everything_in_one_file_from_the_command_line(tmp_path, capsys):
    (tmp_path / "run.npz").write_bytes(npz(y_true=TRUTH, probs=SCORES, classes=CLASSES))
    assert scored(capsys, str(tmp_path / "run.npz"))["accuracy"] == 0.75


class _Evil:
    def __reduce__(self):
        return (open, ("PWNED", "w"))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (npy(np.array([_Evil()], dtype=object)), "Python objects"),
        (npy(np.zeros(3, [("a", "i4")])), "records"),
        (npy(np.zeros(3, complex)), "complex numbers"),
        (npy(np.zeros(3, "datetime64[s]")), "dates"),
        (npy(np.zeros((2, 2, 2))), "3 dimensions (2, 2, 2)"),
        (npy(np.float64(0.5)), "0 dimensions"),
        (npy(np.zeros((0, 3))), "no rows"),
        (npy(np.zeros((3, 0))), "no rows"),
        (npy(np.zeros(2_001)), "2,001 rows; the limit is 2,000"),
        (npy(np.zeros((2, 301))), "301 columns"),
        (npy(SCORES)[:-8], "cut off"),
        (npy(SCORES) + b"more", "cut off"),
        (npy(SCORES)[:40], "damaged"),
        (npy(np.array([b"\xff\xfe"])), "not UTF-8"),
        (npy(np.array(["a\ud800"])), "not UTF-8"),
        (npy(np.array(["ab"]))[:-4] + b"\x00\x00\x11\x00", "no characters"),
        (header("{'descr': '<f8', 'fortran_order': False, 'shape': (4000000000000, 1000), }"), "cut off"),
        (header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2), }"), "damaged"),
        (header("{'descr': '<U0', 'fortran_order': False, 'shape': (4000000000000,), }"), "damaged"),
        (header("{'descr': '<f8', 'fortran_order': False, 'shape': (" + "9" * 4_000 + ",), }"), "cut off"),
        (header("{'descr': '<f8', 'fortran_order': False, 'shape': " + "(" * 3_000), "damaged"),
        (header("__import__('os').system('touch PWNED')"), "damaged"),
        (b"\x93NUMPY\x09\x00", "damaged"),
        (b"PK\x03\x04" + b"\0" * 40, "damaged"),
        (b"0.5\n0.25\n", "seems to be text"),
    ],
)  # fmt: skip
def test_other_arrays_are_refused(tmp_path, monkeypatch, content, says):
    monkeypatch.chdir(tmp_path)
    assert says in refusal(tmp_path, content, "probs.npy")
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (npz(y_true=TRUTH, y_pred=TRUTH[:-1]), "'y_true' (4,), 'y_pred' (3,)"),
        (npz(y_true=np.array([_Evil()], dtype=object)), "Python objects"),
        (npz(p=np.zeros(1 << 20)), "expands to 8 MB; the limit is 4 MB"),
        (npz(y_true=TRUTH)[:-30], "damaged"),
        (npz(), "damaged"),
    ],
)
def test_arrays_that_make_no_table_are_refused(tmp_path, content, says):
    assert says in refusal(tmp_path, content, "run.npz")


def test_an_archive_without_arrays_is_refused(tmp_path):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("preds.csv", "a,b\n")
    assert "no NumPy arrays" in refusal(tmp_path, sink.getvalue(), "run.npz")
