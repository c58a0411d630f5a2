"""JSON and Parquet: valid, nearly valid, and valid but not a table."""

import io
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.corpus.case import Corpus

RIGHT_ROW = {"truth": "owl", "pred": "owl"}
WRONG_ROW = {"truth": "fox", "pred": "owl"}
TABLE = {"truth": ["owl", "fox", "fox"], "pred": ["owl", "owl", "fox"]}


def lines(*records: Any) -> bytes:
    texts = [record if isinstance(record, str) else json.dumps(record) for record in records]
    return "".join(text + "\n" for text in texts).encode("utf-8", "surrogatepass")


def parquet(columns: dict[str, Any] | pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), sink, **options)
    return sink.getvalue()


def json_lines(add: Corpus) -> None:
    add.scored("good.jsonl", lines(RIGHT_ROW, WRONG_ROW) + b"\n\n", 2, 0.5)
    add.scored("an array.jsonl", json.dumps([RIGHT_ROW, WRONG_ROW]).encode(), 2, 0.5, "array")
    add.scored("numbers and text.jsonl", lines({"truth": 1, "pred": "1"}, {"truth": 0, "pred": "1"}), 2, 0.5)
    add.scored("a key absent.jsonl", lines(RIGHT_ROW, {"truth": "fox"}, WRONG_ROW), 3, 0.5, ("absent", "empty", "lack"))
    add.scored("null.jsonl", lines(RIGHT_ROW, {"truth": None, "pred": "owl"}, WRONG_ROW), 3, 0.5)
    add.scored("a prototype.jsonl", lines(RIGHT_ROW | {"__proto__": {"x": 1}, "constructor": 2}), 1, 1.0)
    add.refused("broken.jsonl", lines(RIGHT_ROW, '{"truth": ', RIGHT_ROW), "row 2", "JSON")
    add.refused("cut off.jsonl", lines(RIGHT_ROW) + b'{"truth": "ow', "row 2", "JSON")
    add.refused("single quotes.jsonl", lines("{'truth': 'owl', 'pred': 'owl'}"), "row 1", "JSON")
    add.refused(
        "a key twice.jsonl", lines(RIGHT_ROW, '{"truth": "a", "pred": "b", "pred": "c"}'), "row 2", "pred", "twice"
    )
    add.refused("lists.jsonl", lines(RIGHT_ROW, ["owl", "owl"]), "row 2", ("list", "object"))
    add.refused("deep.jsonl", lines(RIGHT_ROW, '{"x": ' + "[" * 50_000 + "]" * 50_000 + "}"), "row 2")
    add.refused("half a character.jsonl", lines(RIGHT_ROW, r'{"truth": "ow\udc00l", "pred": "owl"}'), "row 2", "truth")
    add.refused("endless digits.jsonl", lines(RIGHT_ROW, '{"truth": ' + "7" * 9_000 + "}"), "row 2")
    add.refused("bytes that are no text.jsonl", lines(RIGHT_ROW) + b'{"truth": "\xc0\xaf"}\n', "row 2", "UTF-8")
    add.refused("301 keys.jsonl", lines({f"k{i}": i for i in range(301)}), "300 columns")
    add.refused("no rows.json", b"[]", "no rows")
    add.refused("empty objects.jsonl", b"{}\n{}\n", "no columns")
    add.refused("a number.json", b"7", ("row 1", "object"))
    add.refused("half an array.json", json.dumps([RIGHT_ROW] * 3).encode()[:-20], "row 3")


def parquet_files(add: Corpus) -> None:
    def made(columns: Callable[[], Any], **options: Any) -> bytes:
        return parquet(columns(), **options)

    add.scored("good.parquet", parquet(TABLE), 3, 2 / 3)
    codes = {name: pa.array(cells).dictionary_encode() for name, cells in TABLE.items()}
    add.scored("categories.parquet", parquet(codes), 3, 2 / 3)
    add.scored(
        "whole numbers.parquet", parquet({"truth": [1, 0, 0], "pred": pa.array([1, 1, 0], pa.uint8())}), 3, 2 / 3
    )
    add.scored("null.parquet", parquet({"truth": ["owl", None, "fox"], "pred": ["owl", "owl", "owl"]}), 3, 0.5)
    note = {b"pandas": b'{"index_columns": ["pred"], "columns": [], "column_indexes": []}'}
    add.scored("a hidden column.parquet", parquet(pa.table(TABLE).replace_schema_metadata(note)), 3, 2 / 3)
    evil = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": pickle.dumps(print)}
    schema = pa.schema([pa.field("truth", pa.int64(), metadata=evil), pa.field("pred", pa.int64())])
    add.scored("a pickled type.parquet", parquet(pa.table([[1, 0], [1, 1]], schema=schema)), 2, 0.5)
    add.refused("no rows.parquet", parquet(pa.table(TABLE).slice(0, 0)), "no rows")
    twice = pa.Table.from_arrays([pa.array(["a"])] * 3, names=["truth", "pred", "pred"])
    add.refused("a name twice.parquet", parquet(twice), "pred", "twice")
    add.refused("bytes as labels.parquet", parquet({"truth": [b"\xff", b"a"], "pred": ["a", "a"]}), "truth")
    add.refused("cut off.parquet", parquet(TABLE)[:-30], "damaged")
    add.refused("only its marks.parquet", b"PAR1" + bytes(60) + b"PAR1", "damaged")
    add.refused("encrypted.parquet", b"PARE" + bytes(60) + b"PARE", "encrypted")
    spoilt = bytearray(parquet({"truth": [f"k{i % 9}" for i in range(4_000)]}, use_dictionary=False))
    spoilt[120:160] = b"\xee" * 40
    add.refused("a spoilt page.parquet", bytes(spoilt), "damaged")
    add.refused("150,001 rows.parquet", parquet({"truth": pa.nulls(150_001, pa.string())}), "150,001 rows", "150,000")
    add.refused("301 columns.parquet", parquet({f"c{i}": [1] for i in range(301)}), "301 columns")
    zeros = pa.DictionaryArray.from_arrays(np.zeros(20_000_000, np.int32), ["owl"])
    add.refused(
        "a bomb of rows.parquet", made(lambda: {"truth": zeros, "pred": zeros}, row_group_size=20_000_000), "rows"
    )
    long = pa.DictionaryArray.from_arrays(np.zeros(100_000, np.int32), ["z" * 15_000])
    add.refused("a bomb of text.parquet", made(lambda: {"truth": long, "pred": long}), ("characters", "label", "MB"))


def add_all(add: Corpus) -> None:
    for part in (json_lines, parquet_files):
        add.kind = part.__name__.replace("_", " ")
        part(add)
