"""Packed text, workbooks, arrays: whole, damaged, under another name, and larger inside than out."""

import gzip
import io
import pickle
import struct
import zipfile
from typing import Any

import numpy as np
import pyarrow as pa

from tests.corpus.case import Corpus
from tests.corpus.structured import TABLE, lines, parquet
from tests.corpus.text import GOOD, HEADER, RIGHT, N
from tests.data.workbooks import cell, with_cells, with_part, workbook

SHEET = [["truth", "pred"], ["owl", "owl"], ["fox", "owl"], ["fox", "fox"]]
SCORES = np.array([[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
CLASSES = np.array(["cat", "dog", "owl"])
TRUTH = np.array(["cat", "dog", "owl", "owl"])


def zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue())


def npz(**arrays: Any) -> bytes:
    sink = io.BytesIO()
    np.savez_compressed(sink, **arrays)
    return sink.getvalue()


def npy(array: Any) -> bytes:
    sink = io.BytesIO()
    np.save(sink, array, allow_pickle=True)
    return sink.getvalue()


def archive(**members: bytes) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(name.replace("_csv", ".csv"), content)
    return sink.getvalue()


def packed(add: Corpus) -> None:
    add.scored("several pieces.csv.gz", gzip.compress(GOOD[:20]) + gzip.compress(GOOD[20:]), N, RIGHT)
    add.scored("several frames.csv.zst", zstd(GOOD[:20]) + zstd(GOOD[20:]), N, RIGHT)
    add.scored("lines.jsonl.zst", zstd(lines({"truth": "owl", "pred": "owl"})), 1, 1.0)
    add.refused("a bomb.csv.gz", lambda: gzip.compress(HEADER + b"owl,owl\n" * 4_000_000), "expands", "24 MB")
    add.refused("a bomb.csv.zst", lambda: zstd(HEADER + b"owl,owl\n" * 4_000_000), "expands", "24 MB")
    add.refused("many bombs.csv.gz", lambda: gzip.compress(bytes(1 << 20)) * 300, "expands", "24 MB")
    add.refused("cut off.csv.gz", gzip.compress(GOOD * 50)[:-9], "cut off")
    add.refused("cut off.csv.zst", zstd(GOOD * 50)[:-2], "cut off")
    add.refused("a wrong sum.csv.gz", gzip.compress(GOOD)[:-8] + bytes(8), "damaged")
    add.refused("rubbish behind.csv.zst", zstd(GOOD) + b"rubbish", "damaged")
    add.refused("twice.csv.gz.gz", gzip.compress(gzip.compress(GOOD)), "kind of file")
    add.refused("packed twice.csv.gz", gzip.compress(gzip.compress(GOOD)), "gzip")


def workbooks(add: Corpus) -> None:
    add.scored("good.xlsx", workbook(("Sheet", SHEET)), 3, 2 / 3)
    add.scored(
        "two sheets.xlsx", workbook(("preds", SHEET), ("notes", [["x"]])), 3, 2 / 3, "'preds' was read", "'notes'"
    )
    add.scored("errors.xlsx", workbook(("S", [*SHEET, ["hen", "#N/A"]])), 4, 2 / 3, "error such as #N/A")
    add.scored("a title.xlsx", workbook(("S", [["Monday"], [], *SHEET])), 3, 2 / 3, "Monday")
    add.scored("whole numbers.xlsx", workbook(("S", [["truth", "pred"], [1, "1"], [0, "1"]])), 2, 0.5)
    add.refused(
        "far apart.xlsx", with_cells(f'<row r="1">{cell("A1", "a")}{cell("XFD1048576", "z")}</row>'), "1,048,576"
    )
    add.scored("a blank row.xlsx", workbook(("S", [*SHEET[:2], [], *SHEET[2:]])), 3, 2 / 3, "blank row inside")
    add.refused(
        "entities.xlsx",
        with_cells(f'<row r="1">{cell("A1", "&a;")}</row>', '<!DOCTYPE x [<!ENTITY a "b">]>'),
        "damaged",
    )
    add.refused(
        "a bomb.xlsx", lambda: with_part(workbook(("S", SHEET)), "xl/x.xml", bytes(30 << 20)), "expands", "24 MB"
    )
    add.refused(
        "one cell that fills it.xlsx",
        lambda: with_cells(f"<row>{cell('A1', 'a' * (20 << 20))}</row>"),
        ("characters", "rows"),
    )
    add.refused("cut off.xlsx", workbook(("S", SHEET))[:-60], "damaged")
    add.refused("no sheet.xlsx", archive(x=b"y"), "no Excel workbook")
    add.refused("protected.xlsx", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "password-protected")


def arrays(add: Corpus) -> None:
    add.scored("scores and truth.npz", npz(y_true=TRUTH, probs=SCORES, classes=CLASSES), 4, 0.75)
    add.scored("numbers.npz", npz(y_true=np.array([1, 0, 1]), y_pred=np.array([1, 1, 1])), 3, 2 / 3)
    add.refused("objects.npy", npy(np.array([print], dtype=object)), "Python objects")
    add.refused("records.npy", npy(np.zeros(3, [("a", "i4")])), "records")
    add.refused("a cube.npy", npy(np.zeros((2, 2, 2))), "3 dimensions")
    add.refused("cut off.npy", npy(SCORES)[:-8], "cut off")
    huge = b"{'descr': '<f8', 'fortran_order': False, 'shape': (900000000000, 9)}\n"
    add.refused("a lie.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(huge)) + huge, "cut off")
    add.refused("a bomb.npz", lambda: npz(p=np.zeros(4 << 20)), "expands", "24 MB")
    add.refused("lengths that differ.npz", npz(y_true=TRUTH, y_pred=TRUTH[1:]), "'y_true' (4,)", "'y_pred' (3,)")


def other_names(add: Corpus) -> None:
    add.scored("gzip", gzip.compress(GOOD), N, RIGHT, "gzip", upload="preds.csv")
    add.scored("not gzip", GOOD, N, RIGHT, "gzip", upload="preds.csv.gz")
    add.scored("Zstandard", zstd(GOOD), N, RIGHT, "Zstandard", upload="preds.csv")
    add.scored("Parquet", parquet(TABLE), 3, 2 / 3, "Parquet", upload="preds.csv")
    add.scored("a workbook", workbook(("S", SHEET)), 3, 2 / 3, "Excel workbook", upload="preds.csv")
    add.scored("JSON", lines({"truth": "owl", "pred": "owl"}), 1, 1.0, "JSON", upload="preds.csv")
    add.refused("text named Parquet", GOOD, "not a Parquet file", upload="preds.parquet")
    add.refused("text named a workbook", GOOD, "seems to be text", upload="preds.xlsx")
    add.refused("text named JSON", GOOD, "row 1", "JSON", upload="preds.jsonl")
    for what, head in {
        "pickle": pickle.dumps(print),
        "old or password-protected Excel": bytes.fromhex("d0cf11e0a1b11ae1") + bytes(99),
        "PDF": b"%PDF-1.7\n",
        "web page": b"<!doctype html><title>Sign in</title>",
        "SQLite": b"SQLite format 3\0" + bytes(99),
        "HDF5": b"\x89HDF\r\n\x1a\n" + bytes(99),
        "Arrow": b"ARROW1\0\0" + bytes(99),
        "picture": b"\x89PNG\r\n\x1a\n" + bytes(99),
        "7-Zip": b"7z\xbc\xaf\x27\x1c" + bytes(99),
        "program": b"\x7fELF" + bytes(99),
        "no Excel workbook": archive(preds_csv=GOOD),
    }.items():
        add.refused(what, head, what, upload="preds.csv")
    for ending in (
        ".pkl",
        ".joblib",
        ".h5",
        ".feather",
        ".arrow",
        ".orc",
        ".avro",
        ".xls",
        ".xlsb",
        ".ods",
        ".7z",
        ".db",
        ".safetensors",
        ".ipynb",
        ".jpg",
    ):
        add.refused(f"named {ending[1:]}", GOOD, "kind of file", ending, upload=f"preds{ending}")


def add_all(add: Corpus) -> None:
    for part in (packed, workbooks, arrays, other_names):
        add.kind = part.__name__.replace("_", " ")
        part(add)
