"""Broken and odd files, each with the one outcome that reading promises.

A case is read to a table: then `columns` are its exact cells, None = missing. Or it is refused with a sentence that
holds every text of `says`.
"""

import gzip
import io
import json
import pickle
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from data.process.limits import Limits

SMALL = Limits(n_bytes=8 << 20, expanded_bytes=16 << 20, rows=50_000, columns=300, cell_chars=5_000)


@dataclass(frozen=True)
class Case:
    name: str
    content: bytes
    columns: dict[str, list[Any]] | None = None
    says: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    upload_name: str = ""

    def __str__(self) -> str:
        return self.name


@dataclass
class _Corpus:
    cases: list[Case] = field(default_factory=list)

    def read(
        self, name: str, content: bytes, columns: dict[str, list[Any]], *noted: str, upload_name: str = ""
    ) -> None:
        self.cases.append(Case(name, content, columns, noted=noted, upload_name=upload_name or name))

    def refuse(self, name: str, content: bytes, *says: str, upload_name: str = "") -> None:
        self.cases.append(Case(name, content, says=says, upload_name=upload_name or name))


def parquet(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def lines(*records: Any) -> bytes:
    texts = [record if isinstance(record, str) else json.dumps(record) for record in records]
    return "".join(text + "\n" for text in texts).encode("utf-8", "surrogatepass")


GOOD = b"truth,pred\nowl,owl\nfox,owl\n"
PAIR = {"truth": ["owl", "fox"], "pred": ["owl", "owl"]}
ROW = {"truth": "owl", "pred": "fox"}
PICKLE = pickle.dumps({"truth": ["owl"]})


def delimited_cases(add: _Corpus) -> None:
    for name, text in {
        "crlf": GOOD.replace(b"\n", b"\r\n"),
        "old_mac": GOOD.replace(b"\n", b"\r"),
        "mixed_ends": b"truth,pred\r\nowl,owl\nfox,owl",
        "bom": b"\xef\xbb\xbf" + GOOD,
        "semicolons": GOOD.replace(b",", b";"),
        "bars": GOOD.replace(b",", b"|"),
        "tabs": GOOD.replace(b",", b"\t"),
    }.items():
        add.read(f"{name}.csv", text, PAIR)
    add.read("blank_tail.csv", GOOD + b"\r\n  \n\n", PAIR, "3 blank lines at the end skipped.")
    add.read("blank_last.csv", GOOD + b"\n  ", PAIR, "2 blank lines at the end skipped.")
    add.read("tabs.tsv", GOOD.replace(b",", b"\t"), PAIR)
    add.read("packed.csv.gz", gzip.compress(GOOD[:9]) + gzip.compress(GOOD[9:]), PAIR)
    add.read("capitals.CSV.GZ", gzip.compress(GOOD), PAIR)
    add.read("sixteen.csv", GOOD.decode().encode("utf-16"), PAIR, "UTF-16")
    add.read("excel_hint.csv", b"sep=;\r\n" + GOOD.replace(b",", b";"), PAIR, "delimiter is a semicolon")
    add.read("remark.csv", b"# model 3\n# run 7\n" + GOOD, PAIR, "comment")
    add.read("spaced_header.csv", b" truth , pred\nowl,owl\nfox,owl\n", PAIR, "Blanks around column names")
    add.read("sharp_header.csv", b"#id,pred\n1,a\n", {"#id": ["1"], "pred": ["a"]})
    add.read("row_names.csv", b",pred\n1,a\n2,b\n", {"index": ["1", "2"], "pred": ["a", "b"]}, "counts the rows")
    add.read("no_name.csv", b",pred\n8,a\n3,b\n", {"column 1": ["8", "3"], "pred": ["a", "b"]}, "without a name")
    add.read("trailing_delimiter.csv", b"truth,pred,\nowl,owl,\nfox,owl,\n", PAIR, "left out")
    add.read("one_column.csv", b"pred\nowl\nfox\n", {"pred": ["owl", "fox"]})
    add.read(
        "sentences.csv",
        b"text,y\nyes; no; maybe,1\nno; yes,0\n",
        {"text": ["yes; no; maybe", "no; yes"], "y": ["1", "0"]},
    )
    words = ["NA", "null", "None", "nan", "N/A", "#N/A", "true", "True", "001", "01", "1.0", "1e3", "-", "00", "?"]
    add.read("words.csv", b"y\n" + "".join(f"{w}\n" for w in words).encode(), {"y": words})
    add.read(
        "empty_cells.csv", b'a,b\n,1\n"",2\n"  ",3\n', {"a": [None] * 3, "b": ["1", "2", "3"]}, "1 cell of nothing but"
    )
    add.read("only_delimiters.csv", b"a,b\n,\n1,2\n", {"a": ["1"], "b": ["2"]}, "1 blank row inside")
    add.read("delimiters_at_end.csv", b"a,b\n1,2\n,\n,\n", {"a": ["1"], "b": ["2"]}, "2 empty rows at the end left out")
    add.read("quoted_end.csv", b'a,b\n"x\ny","p,q"\n"say ""hi""",z\n', {"a": ["x\ny", 'say "hi"'], "b": ["p,q", "z"]})
    add.read("inch.csv", b'a,b\n5" disk,x\n', {"a": ['5" disk'], "b": ["x"]})
    add.read("scores.csv", b"p\n0.25\n1e-3\n\n"[:-1], {"p": [0.25, 0.001]})
    add.read("score_missing.csv", b"y,p\na,0.5\nb,0.25\nc,\n", {"y": ["a", "b", "c"], "p": [0.5, 0.25, None]})
    add.read("score_word.csv", b"p,q\n0.5,1\n0.7,2\nhigh,3\n", {"p": ["0.5", "0.7", "high"], "q": ["1", "2", "3"]})
    add.read("direction.csv", "y\na\u202eb\n".encode(), {"y": ["a\u202eb"]})
    add.refuse("longer.csv", b"a,b\n1,2\n1,2,3\n", "row 2", "3 values", "2 columns")
    add.refuse("shorter.csv", b"a,b\n1,2\n1\n", "row 2", "1 value,", "2 columns")
    add.read(
        "r_row_names.csv",
        b"a,b\nx7,1,2\nx8,1,2\n",
        {"column 1": ["x7", "x8"], "a": ["1", "1"], "b": ["2", "2"]},
        "as R writes it",
    )
    add.refuse("all_longer.csv", b"a,b\n7,1,2\n7,1,2\n", "row 1", "3 values", "every row has one more")
    add.read(
        "hole.csv",
        b"a,b\n1,2\n\n3,4\n",
        {"a": ["1", "3"], "b": ["2", "4"]},
        "1 blank line inside the file skipped: line 3.",
    )
    add.read(
        "hole_of_blanks.csv",
        b"a,b\n1,2\n  \n3,4\n",
        {"a": ["1", "3"], "b": ["2", "4"]},
        "1 blank line inside the file skipped: line 3.",
    )
    add.read(
        "hole_after_header.csv",
        b"a,b\n\n3,4\n",
        {"a": ["3"], "b": ["4"]},
        "1 blank line inside the file skipped: line 2.",
    )
    add.refuse("hole_in_one_column.csv", b"a\n1\n\n3\n", "row 2", "blank line")
    add.refuse("open_quote.csv", b'a,b\n1,2\n"1,2\n3,4\n', "row 2", "quotation mark")
    add.refuse("open_quote_last.csv", b'a,b\n1,2\n3,"4\n', "row 2", "quotation mark")
    add.refuse("open_quote_no_end.csv", b'a,b\n1,2\n3,"4', "row 2", "quotation mark")
    add.refuse("two_open_quotes.csv", b'a,b\n"x,1\ny,2\n"z,3\n', "row 1", "quotation mark")
    add.refuse("text_after_quote.csv", b'a,b\n1,2\n"x"y,2\n', "row 2", "quotation mark")
    add.read("twice.csv", b"a,b,a\n1,2,3\n", {"a": ["1"], "b": ["2"], "a (2)": ["3"]}, "twice", "'a' is now 'a (2)'")
    add.read("latin.csv", b"a,b\nx,y\ncaf\xe9,z\n", {"a": ["x", "café"], "b": ["y", "z"]}, "Windows-1252", "café")
    add.read("latin_header.csv", b"a,caf\xe9\nx,y\n", {"a": ["x"], "café": ["y"]}, "Windows-1252", "café")
    add.refuse("overlong.csv", b"a,b\nx,y\n\xc0\xafcat,z\n", "row 2", "UTF-8")
    add.refuse("half_broken.csv", "a,b\né,y\n".encode() + b"caf\xe9,z\n", "row 2", "UTF-8")
    add.refuse("overlong_header.csv", b"a,\xc0\xafcat\nx,y\n", "header line", "UTF-8")
    add.refuse("overlong_below_quoted_lines.csv", b'a,b\n"x\n\n\ny",z\n\xc0\xafcat,z\n', "row 2", "UTF-8")
    add.read("sixteen_without_mark.csv", GOOD.decode().encode("utf-16-le"), PAIR, "UTF-16")
    add.refuse("sixteen_cut_off.csv", GOOD.decode().encode("utf-16-le")[:-1], "UTF-16", "UTF-8")
    add.refuse("broken_sixteen.csv", GOOD.decode().encode("utf-16")[:-1], "UTF-16")
    add.refuse("zero.csv", b"a,b\n1,2\nx\0y,3\n", "row 2", "zero byte")
    add.refuse("nothing.csv", b"", "empty")
    add.refuse("blanks.csv", b" \n\r\n  \n", "empty")
    add.refuse("mark_only.csv", b"\xef\xbb\xbf", "empty")
    add.refuse("header.csv", b"a,b\n", "no rows")
    add.refuse("header_without_end.csv", b"a,b", "no rows")
    add.refuse("endless_line.csv", b"z" * 100_000, "first line", "100,000")
    add.refuse("long_cell.csv", b"a,b\n1,2\n3," + b"z" * 6_000 + b"\n", "row 2", "'b'", "5,000")
    add.refuse(
        "wide.csv", (",".join(f"c{i}" for i in range(301)) + "\n" + "1," * 300 + "1\n").encode(), "301 columns", "300"
    )
    add.refuse("tall.csv", b"a,b\n" + b"1,2\n" * 50_001, "50,001 rows", "50,000")
    add.refuse("tall_quoted.csv", b'a,b\n"1",2\n' + b"1,2\n" * 50_000, "50,001 rows", "50,000")
    add.refuse("bomb.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 5_000_000), "expands", "16 MB")
    add.refuse("cut.csv.gz", gzip.compress(GOOD * 99)[:-12], "cut off")
    add.refuse("damaged.csv.gz", gzip.compress(GOOD * 99)[:20] + b"\xff" * 30, "damaged")
    add.read("not_packed.csv.gz", GOOD, PAIR, "gzip-compressed, but it is not")
    add.refuse("large.csv", b"a,b\n" + b"1,2\n" * (3 << 20), "12 MB", "8 MB")


def json_cases(add: _Corpus) -> None:
    add.read(
        "rows.jsonl",
        lines(ROW, {"truth": "a", "pred": "b"}, {"truth": None, "pred": None}, {}) + b"\n\n",
        {"truth": ["owl", "a"], "pred": ["fox", "b"]},
        "2 empty rows at the end left out.",
        "2 blank lines at the end skipped.",
    )
    add.read("rows.json", json.dumps([ROW, ROW], indent=2).encode(), {"truth": ["owl"] * 2, "pred": ["fox"] * 2})
    add.read("lines.json", lines(ROW, ROW), {"truth": ["owl"] * 2, "pred": ["fox"] * 2})
    add.read("array.ndjson", json.dumps([ROW]).encode(), {"truth": ["owl"], "pred": ["fox"]}, "array")
    add.read("packed.jsonl.gz", gzip.compress(lines(ROW)), {"truth": ["owl"], "pred": ["fox"]})
    add.read("sixteen.jsonl", lines(ROW).decode().encode("utf-16"), {"truth": ["owl"], "pred": ["fox"]}, "UTF-16")
    add.read(
        "kinds.jsonl",
        lines({"y": 1}, {"y": "1"}, {"y": True}, {"y": None}, {"y": 1.5}),
        {"y": ["1", "1", "true", None, "1.5"]},
    )
    add.read("scores.jsonl", lines({"p": 1}, {"p": 0.1}, {"p": None}), {"p": [1.0, 0.1, None]})
    add.read("whole_floats.jsonl", lines({"y": 1.0}, {"y": 0.0}), {"y": ["1.0", "0.0"]})
    add.read(
        "absent.jsonl",
        lines({"y": "a"}, {"p": "b"}, {"y": "c"}),
        {"y": ["a", None, "c"], "p": [None, "b", None]},
        "row 2",
        "row 1",
    )
    add.read("nested.jsonl", lines({"m": {"a": 1, "b": {"c": [2]}}}), {"m.a": ["1"], "m.b": ['{"c":[2]}']})
    add.read("lists.jsonl", lines({"y": ["é", 1, None]}), {"y": ['["é",1,null]']})
    add.read("separator.jsonl", '{"y": "a\u2028b"}\n'.encode(), {"y": ["a\u2028b"]})
    add.read("pair.jsonl", rb'{"y": "\ud83e\udd89"}' + b"\n", {"y": ["\U0001f989"]})
    add.read("prototype.jsonl", lines({"__proto__": {"x": 1}, "y": "a"}), {"__proto__.x": ["1"], "y": ["a"]})
    add.refuse("broken.jsonl", lines(ROW) + b'{"truth": \n' + lines(ROW), "row 2", "JSON")
    add.refuse("cut.jsonl", lines(ROW) + b'{"truth":"o', "row 2", "JSON")
    add.refuse("cut.json", json.dumps([ROW, ROW]).encode()[:-9], "row 2", "JSON")
    add.refuse("two_on_a_line.jsonl", b'{"y":1}{"y":2}\n', "row 1", "more text")
    twice = {"truth": ["owl"] * 2, "pred": ["fox"] * 2}
    add.read("hole.jsonl", lines(ROW) + b"\n" + lines(ROW), twice, "1 blank line inside the file skipped: line 2.")
    add.refuse("list_row.jsonl", lines(ROW, ["a"]), "row 2", "a list")
    add.refuse("word_row.json", b'[{"y":1},"a"]', "row 2", "single value")
    add.read(
        "nan.jsonl",
        lines({"y": "a", "p": 0.5}, '{"y": "b", "p": NaN}'),
        {"y": ["a", "b"], "p": [0.5, None]},
        "row 2",
        "NaN",
        "'p'",
    )
    add.refuse("infinity.jsonl", lines(ROW, '{"p": -Infinity}'), "row 2", "Infinity")
    add.refuse("too_large.jsonl", lines(ROW, '{"p": 1e999}'), "row 2", "too large")
    add.refuse("digits.jsonl", lines(ROW, '{"p": ' + "7" * 5_000 + "}"), "row 2", "5,000 digits")
    add.refuse("key_twice.jsonl", lines(ROW, '{"y":1,"y":2}'), "row 2", "'y'", "twice")
    add.refuse("inner_key_twice.jsonl", lines(ROW, '{"y":{"z":1,"z":2}}'), "row 2", "'z'", "twice")
    add.refuse("half_character.jsonl", lines(ROW, r'{"y":"a\ud800b"}'), "row 2", "'y'", "surrogate")
    add.refuse("half_character_key.jsonl", lines(ROW, r'{"a\udc00":1}'), "row 2", "surrogate")
    add.refuse("deep.jsonl", lines(ROW, '{"y":' + "[" * 100_000 + "]" * 100_000 + "}"), "row 2", "nested")
    add.read("latin.jsonl", b'{"y":"caf\xe9"}\n', {"y": ["café"]}, "Windows-1252", "café")
    add.refuse("overlong.jsonl", lines(ROW) + b'{"y":"\xc0\xafcat"}\n', "row 2", "UTF-8")
    add.refuse("mixed.jsonl", lines({"y": "a"}, {"y": {"z": 1}}), "row 2", "'y'", "object")
    add.refuse("mixed_back.jsonl", lines({"y": {"z": 1}}, {"y": "a"}), "row 2", "'y'", "object")
    add.refuse("two_spellings.jsonl", lines({"m": {"a": 1}, "m.a": 2}), "row 1", "'m.a'")
    add.read("by_column.json", b'{"truth":{"0":"a"},"pred":{"0":"b"}}', {"truth": ["a"], "pred": ["b"]}, "columns")
    add.refuse("uneven.json", b'{"truth":["a","b"],"pred":["b"]}', "object of columns", "'truth': 2 cells", "records")
    add.refuse("no_rows.json", b"[]", "no rows")
    add.refuse("no_columns.jsonl", b"{}\n{}\n", "no columns")
    add.refuse("nothing.jsonl", b" \n", "empty")
    add.refuse("tall.jsonl", lines({"y": 1}) * 50_001, "50,000 rows")
    add.refuse("wide.jsonl", lines(*({f"k{i}": 1} for i in range(301))), "300 columns")
    add.refuse("long_cell.jsonl", lines(ROW, {"pred": "z" * 6_000}), "row 2", "'pred'", "5,000")


def parquet_cases(add: _Corpus) -> None:
    table = pa.table({"truth": ["owl", "fox"], "pred": ["owl", "owl"]})
    add.read("good.parquet", parquet(table), PAIR)
    codes = pa.table({name: table.column(name).dictionary_encode() for name in table.column_names})
    add.read("categories.parquet", parquet(codes), PAIR)
    kinds = {
        "int": pa.array([1, None], pa.uint64()),
        "bool": pa.array([True, False]),
        "half": pa.array([0.5, float("nan")], pa.float32()),
        "list": pa.array([["a", "b"], None]),
        "time": pa.array(["2024-01-02", None]).cast(pa.date32()),
        "bytes": pa.array([b"a", "é".encode()]),
        "numbers": pa.array([7, 8]).dictionary_encode(),
        "struct": pa.array([{"a": "x"}, None]),
        "null": pa.nulls(2),
    }
    read: dict[str, list[Any]] = {
        "int": ["1", None],
        "bool": ["true", "false"],
        "half": [0.5, None],
        "list": ['["a","b"]', None],
        "time": ["2024-01-02", None],
        "bytes": ["a", "é"],
        "numbers": ["7", "8"],
        "struct.a": ["x", None],
        "null": [None, None],
    }
    add.read("kinds.parquet", parquet(pa.table(kinds)), read, "nan in 1 row")
    note = {b"pandas": b'{"index_columns": ["pred"], "columns": [], "column_indexes": []}'}
    add.read("pandas_note.parquet", parquet(table.replace_schema_metadata(note)), PAIR)
    strange = {"b": pa.array([b"\xff", b"a"]), "m": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int32()))}
    left = parquet(pa.table({"y": ["a", "b"], **strange}))
    add.read("strange_columns.parquet", left, {"y": ["a", "b"]}, "Left out", "'b', 'm'")
    mark = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": PICKLE}
    schema = pa.schema([pa.field("y", pa.int64(), metadata=mark)])
    add.read("extension.parquet", parquet(pa.table([pa.array([1])], schema=schema)), {"y": ["1"]})
    repeated = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], pa.int8()), pa.array(["a", "a", "b"]))
    add.read("odd_dictionary.parquet", parquet(pa.table({"y": repeated})), {"y": ["a", "a", "b"]})
    add.refuse("no_rows.parquet", parquet(table.slice(0, 0)), "no rows")
    add.refuse("twice.parquet", parquet(pa.Table.from_arrays([pa.array(["a"])] * 2, names=["y", "y"])), "y", "twice")
    add.refuse("only_bytes.parquet", parquet(pa.table({"b": [b"\xff"]})), "b", "text or numbers")
    add.refuse("cut.parquet", parquet(table)[:-40], "damaged or not a Parquet")
    add.refuse("ends_only.parquet", b"PAR1" + b"\0" * 30 + b"PAR1", "damaged or not a Parquet")
    add.refuse("secret.parquet", b"PARE" + b"\0" * 30 + b"PARE", "encrypted")
    add.refuse("text.parquet", GOOD, "not a Parquet")
    plain = bytearray(parquet(pa.table({"y": [f"k{i % 7}" for i in range(3000)]}), use_dictionary=False))
    plain[100:140] = b"\xff" * 40
    add.refuse("bad_page.parquet", bytes(plain), "damaged")
    add.refuse("tall.parquet", parquet(pa.table({"y": pa.nulls(50_001, pa.string())})), "50,001 rows", "50,000")
    add.refuse("wide.parquet", parquet(pa.table({f"c{i}": [1] for i in range(301)})), "301 columns", "300")
    large = parquet(pa.table({"y": ["z" * 4_000] * 10_000}), use_dictionary=False, compression="zstd")
    add.refuse("bomb.parquet", large, "unpacks to", "16 MB")
    add.refuse("long_label.parquet", parquet(pa.table({"y": ["a", "z" * 6_000]})), "row 2", "'y'", "5,000")


def kind_cases(add: _Corpus) -> None:
    for ending in (".pkl", ".joblib", ".xls", ".7z", ".arrow", ".feather", ".h5", ".zst", ".db", ".pdf"):
        add.refuse(f"preds{ending}", GOOD, "kind of file", ending)
    add.refuse("preds", GOOD, "no extension")
    add.refuse("preds.csv.exe", GOOD, "kind of file", ".exe")
    add.refuse("preds.parquet.gz", GOOD, "kind of file", ".gz")
    for what, head in {
        "pickle": PICKLE,
        "Excel": b"PK\x03\x04" + b"\0" * 40,
        "old or password-protected Excel": bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 40,
        "PDF": b"%PDF-1.7\n",
        "web page": b"\n<!DOCTYPE html><html>",
        "SQLite": b"SQLite format 3\0",
        "NumPy": b"\x93NUMPY\x01\0",
        "HDF5": b"\x89HDF\r\n\x1a\n",
        "Arrow": b"ARROW1\0\0",
        "Zstandard": b"\x28\xb5\x2f\xfd\0",  # and no more of it
    }.items():
        add.refuse(f"{what}.csv".replace(" ", "_"), head, what)
    add.read("gzip.csv", gzip.compress(GOOD), PAIR, "gzip-compressed data")
    add.read("Parquet.csv", parquet(pa.table(PAIR)), PAIR, "it holds Parquet data")
    add.read("JSON.csv", json.dumps([ROW]).encode(), {"truth": ["owl"], "pred": ["fox"]}, "it holds JSON")
    add.refuse("pickle.jsonl", PICKLE, "pickle")
    for index, name in enumerate(
        [
            "../../etc/x.csv",
            "C:\\x.csv",
            "a\r\nb: c.csv",
            "n" * 3000 + ".csv",
            "<img src=x>.csv",
            "a\u202evsc.csv",
            ".csv",
        ]
    ):
        add.read(f"upload_{index}.csv", GOOD, PAIR, upload_name=name)


def all_cases() -> list[Case]:
    """Every case, made afresh."""
    corpus = _Corpus()
    for part in (delimited_cases, json_cases, parquet_cases, kind_cases):
        part(corpus)
    return corpus.cases
