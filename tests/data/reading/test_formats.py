"""A file is read as what it is: by its name, or by its first bytes where they leave no doubt, and then that is said."""

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from data.errors import DataError
from data.evaluation import FileFacts
from data.process.limits import Limits
from data.reading.dispatch import read_table
from data.reading.formats import _ADVICE, ACCEPTED, recognise_name
from tests.corpus.containers import npy, zstd
from tests.data.corpus import parquet
from tests.data.workbooks import workbook

CSV = b"truth,pred\nowl,owl\nfox,owl\n"
JSON = b'{"truth": "owl", "pred": "owl"}\n{"truth": "fox", "pred": "owl"}\n'
PAIR = {"truth": ["owl", "fox"], "pred": ["owl", "owl"]}
SMALL = Limits(n_bytes=1 << 20, expanded_bytes=1 << 20)
PARQUET = parquet(pa.table(PAIR))
BOOK = workbook(("Sheet", [["truth", "pred"], ["owl", "owl"], ["fox", "owl"]]))
PACK = {"gzip": gzip.compress, "zstd": zstd}


def read(tmp_path: Path, content: bytes, name: str) -> FileFacts:
    path = tmp_path / "upload"
    path.write_bytes(content)
    table, facts = read_table(path, name, limits=SMALL)
    assert table.to_pydict() == PAIR
    return facts


def refusal(tmp_path: Path, content: bytes, name: str) -> str:
    path = tmp_path / "upload"
    path.write_bytes(content)
    with pytest.raises(DataError) as error:
        read_table(path, name, limits=SMALL)
    return str(error.value)


@pytest.mark.parametrize(("packing", "ending"), [("gzip", ".gz"), ("zstd", ".zst")])
@pytest.mark.parametrize(("name", "content"), [("p.csv", CSV), ("p.TSV", CSV), ("p.jsonl", JSON), ("p.ndjson", JSON)])
def test_packed_text_is_read_like_the_text(tmp_path, packing, ending, name, content):
    facts = read(tmp_path, PACK[packing](content), name + ending)
    assert facts.compression == packing and facts.warnings == ()


@pytest.mark.parametrize("packing", PACK)
def test_text_packed_in_several_pieces_is_read_whole(tmp_path, packing):
    ending = {"gzip": "gz", "zstd": "zst"}[packing]
    facts = read(tmp_path, PACK[packing](CSV[:9]) + PACK[packing](CSV[9:]), f"p.csv.{ending}")
    assert facts.compression == packing


@pytest.mark.parametrize("packing", PACK)
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda packed: packed[:-5], "cut off"),
        (lambda packed: packed[:12], "cut off"),
        (lambda packed: packed[:20] + b"\xff" * 30 + packed[50:], "damaged"),
        (lambda packed: packed + b"more text", "damaged"),
    ],
)
def test_broken_packing_is_one_sentence(tmp_path, packing, change, says):
    noise = b"".join(b"row %d,%d\n" % (i, i * i % 997) for i in range(500))
    said = refusal(tmp_path, change(PACK[packing](noise)), "p.csv." + {"gzip": "gz", "zstd": "zst"}[packing])
    assert says in said and said.endswith("compress it again.")


@pytest.mark.parametrize("packing", PACK)
def test_expansion_stops_at_the_limit(tmp_path, packing):
    said = refusal(
        tmp_path, PACK[packing](b"a,b\n" + b"1,2\n" * 400_000), "p.csv." + {"gzip": "gz", "zstd": "zst"}[packing]
    )
    assert "expands to more than 1 MB" in said


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("p.csv", gzip.compress(CSV), "gzip-compressed"),
        ("p.csv", zstd(CSV), "Zstandard-compressed"),
        ("p.csv.gz", zstd(CSV), "Zstandard-compressed"),
        ("p.csv.zst", gzip.compress(CSV), "gzip-compressed"),
        ("p.csv.gz", CSV, "but it is not"),
        ("p.jsonl.zst", JSON, "but it is not"),
        ("p.csv", PARQUET, "Parquet data"),
        ("p.json", PARQUET, "Parquet data"),
        ("p.csv.gz", PARQUET, "Parquet data"),
        ("p.tsv", BOOK, "an Excel workbook"),
        ("p.txt", JSON, "it holds JSON"),
        ("p.csv.gz", gzip.compress(JSON), "it holds JSON"),
    ],
)
def test_contradicted_file_ending_is_a_warning(tmp_path, name, content, says):
    facts = read(tmp_path, content, name)
    assert says in facts.warnings[0] and facts.warnings[0].startswith("The file's name")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("p.parquet", CSV, "not a Parquet file. It seems to be text: name it .csv"),
        ("p.parquet", BOOK, "not a Parquet file. It holds a zip archive or an Excel workbook"),
        ("p.parquet", b"ARROW1\0\0" + bytes(50), "an Arrow or Feather file. Save it with to_parquet"),
        ("p.parquet", b"PARE" + bytes(50), "encrypted"),
        ("p.xlsx", CSV, "not an Excel workbook (.xlsx). It seems to be text"),
        ("p.xlsx", PARQUET, "It holds Parquet data"),
        ("p.npy", PARQUET, "not a file of NumPy arrays. It holds Parquet data"),
        ("p.eval", CSV, "not an Inspect log. It seems to be text"),
        ("p.csv", npy(np.array([0.5])), "it holds a NumPy array. Name it .npy"),
        ("p.csv.gz", gzip.compress(PARQUET), "it holds Parquet data. Upload it unpacked"),
    ],
)
def test_other_contradictions_are_refused_by_their_bytes(tmp_path, name, content, says):
    assert says in refusal(tmp_path, content, name)


@pytest.mark.parametrize(
    ("ending", "way_out"),
    [
        (".pkl", "can run code. Load it in Python and save the columns with to_csv or to_parquet"),
        (".joblib", "to_csv or to_parquet"),
        (".h5", "numpy.save"),
        (
            ".safetensors",
            "it is a model, and holds no predictions. Save what a model predicts, beside the true labels, as CSV",
        ),
        (".ipynb", "it is a program. Save true labels and predictions in it with to_csv"),
        (".jpg", "it is a picture, sound or film, and holds no predictions. Save what a model predicts"),
        (".feather", "ends its reader. Save it with to_parquet"),
        (".arrow", "Save it with to_parquet"),
        (".orc", "to_csv or to_parquet"),
        (".avro", "to_csv or to_parquet"),
        (".xls", "Save it as .xlsx"),
        (".7z", "Unpack it"),
        (".csv.bz2", "Unpack it"),
        (".parquet.gz", "Upload .csv"),
        (".xlsx.zst", "Upload .csv"),
    ],
)
def test_unopened_formats_say_how_to_convert(ending, way_out):
    with pytest.raises(DataError) as error:
        recognise_name("preds" + ending)
    assert way_out in str(error.value) and f".{ending.rpartition('.')[2]}" in str(error.value)


def test_sentences_about_unopened_formats_are_short():
    for ending in _ADVICE:
        with pytest.raises(DataError) as error:
            recognise_name("preds" + ending)
        assert max(len(sentence.split()) for sentence in str(error.value).split(". ")) <= 20, ending


def test_refusal_names_every_accepted_ending():
    with pytest.raises(DataError, match=r"\.xlsx, \.npy, \.npz, \.eval \(Inspect\) or \.zip"):
        recognise_name("preds.exe")
    for ending in ACCEPTED.replace(",", " ").replace("(", " ").split():
        if ending.startswith(".") and ending not in (".gz", ".zst)"):
            assert recognise_name("preds" + ending.rstrip(")"))


@pytest.mark.parametrize(
    ("name", "text"), [("rows.csv.out", "label,p\na,b\n"), ("rows.out", '{"label": "a", "p": "b"}\n')]
)
def test_batch_output_is_read_by_inner_ending(tmp_path, name, text):
    (tmp_path / "file").write_text(text)
    assert read_table(tmp_path / "file", name)[0].to_pylist() == [{"label": "a", "p": "b"}]
