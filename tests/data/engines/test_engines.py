"""Engines give the same answers, hold to their source's files, and are imported only when one is opened."""

import os
import re
import shutil
import subprocess
import sys
import threading
from collections import Counter
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.engines import duckdb_engine
from data.engines.engine import choose_engine, open_engine
from data.engines.join_query import JoinSide
from data.engines.parquet_folder import open_folder
from data.engines.query import AtLeast, Condition, Grouping, Mark
from data.engines.row_query import Among, RowQuery
from data.engines.row_scores import Highest, splitter
from data.errors import DataError

ODD = ["a", 'b"; DROP TABLE t --', "c' OR '1'='1", "", " ", "[invalid]", "ä€\u202e", "NaN", None]
SCORES = [0.1, 0.5, 0.5, np.nan, None, -0.0, 0.0, np.inf, -np.inf, 1e300, 5e-324, 0.1 + 1e-12]
TRUTH, PRED = 'y "true"', "y` pred'; --"


def random_table(rng, n=400):
    """Rows with nulls, ties, NaN, odd labels and odd names of columns."""
    texts = [ODD[i] for i in rng.integers(0, len(ODD), n)]
    scores = [SCORES[i] if i < len(SCORES) else float(rng.random()) for i in rng.integers(0, 40, n)]
    sets = [
        None if rng.random() < 0.1 else [ODD[i] for i in rng.integers(0, len(ODD), rng.integers(0, 3))] for _ in texts
    ]
    return pa.table({
        TRUTH: pa.array(texts, pa.string()).dictionary_encode(),
        PRED: pa.array(rng.integers(0, 3, n), mask=rng.random(n) < 0.1),
        "score": pa.array(scores, pa.float64()),
        "small": pa.array(np.round(rng.random(n), 2), pa.float32()),
        "slice": pa.array(rng.choice([0.0, -0.0, 1.5, np.nan], n)),
        "flag": pa.array(rng.random(n) < 0.5),
        "n": pa.array(rng.integers(0, 9, n)),
        "set": pa.array(sets, pa.list_(pa.string())),
        "places": pa.array([each and [ODD.index(one) for one in each] for each in sets], pa.list_(pa.int16())),
    })  # fmt: skip


@pytest.fixture(params=[0, 1])
def written(request, tmp_path):
    """A folder with hive parts, and all its rows as one table."""
    rng, tables = np.random.default_rng(request.param), []
    for day in ("2026-07-01", "it's"):
        folder = tmp_path / "source" / f"day={day}"
        folder.mkdir(parents=True)
        tables.append(random_table(rng))
        pq.write_table(tables[-1], folder / "part 'one'.parquet", row_group_size=150)
        tables[-1] = tables[-1].append_column("day", pa.array([day] * len(tables[-1])))
    return tmp_path / "source", pa.concat_tables(tables, promote_options="permissive")


@pytest.fixture
def engines(written):
    pytest.importorskip("duckdb")
    folder = open_folder(written[0])
    found = [open_engine(name, folder) for name in ("memory", "duckdb")]
    yield found
    for engine in found:
        engine.close()


def plain(value):
    """A cell as both engines and the oracle have it: NaN is no value, and -0.0 is 0.0; a list is a tuple."""
    if isinstance(value, list):
        return tuple(value)
    return None if value is None or value != value else value + 0 if isinstance(value, float) else value


def key_of(row, key):
    """The value of a key in a row."""
    if isinstance(key, str):
        return plain(row[key])
    if isinstance(key, Highest):
        scores = [plain(row[column]) for column in key.columns]
        return None if None in scores else scores.index(max(scores)) + 1
    if isinstance(key, Mark):
        cell = plain(row[key.column])
        texts = () if cell is None else cell.split(key.delimiter) if key.delimiter else (cell,)
        held = cell if isinstance(cell, tuple) else texts
        gone = (key.delimiter is None and cell is None) or cell in key.missing
        return None if gone else int(bool(set(held) & set(key.values)))
    known = [plain(row[column]) for column in key.known_by]
    score = plain(row[key.column])
    return None if known and set(known) == {None} else int(score is not None and score >= key.at)


def lines(table):
    return Counter(tuple(map(plain, row.values())) for row in table.to_pylist())


HIGHEST = Highest(("slice", "small", "score"), ("a", "b", "[invalid]"))
GROUPINGS = {
    "highest": Grouping((TRUTH, HIGHEST)),
    "marks": Grouping(
        (Mark(TRUTH, ("a", "ä€\u202e"), ("", " ")), Mark("set", ("a", ODD[1])), Mark("places", (0, 3))),
        where=(Condition(Mark(PRED, (1,)), (0, None)), Condition(Mark(TRUTH, ("a", ""), delimiter="'"), (1,))),
    ),
    "labels": Grouping((TRUTH, PRED)),
    "hive part": Grouping((TRUTH, "day")),
    "slices": Grouping((TRUTH, PRED, "slice", "flag")),
    "scores": Grouping((TRUTH,), score="score"),
    "float32": Grouping((TRUTH,), score="small"),
    "weights": Grouping((TRUTH, PRED), score="score", weights="n"),
    "where": Grouping((PRED,), where=(Condition(TRUTH, ("a", "", None)), Condition("slice", (0.0, None)))),
    "sets": Grouping(("set", "places"), where=(Condition("set", (None, (), ("a", ODD[1]), (None,))),)),
    "sets of slices": Grouping(("slice", "set"), weights="n"),
    "scores that predict": Grouping((AtLeast("score", 0.5), AtLeast("small", 0.25, ("score", "small")))),
    "nothing": Grouping((PRED,), where=(Condition(TRUTH, ()),)),
}


@pytest.mark.parametrize("asked", GROUPINGS.values(), ids=GROUPINGS)
def test_counts_equal_those_of_plain_python(engines, written, asked):
    expected = Counter()
    for row in written[1].to_pylist():
        if all(key_of(row, column) in values for column, values in asked.where):
            score = [plain(row[asked.score])] * 2 if asked.score else []
            expected[*(key_of(row, key) for key in asked.keys), *score] += row[asked.weights] if asked.weights else 1
    expected = Counter({(*key, n): 1 for key, n in expected.items()})
    for engine in engines:
        assert lines(engine.count(asked)) == expected, engine.name


@pytest.mark.parametrize("wrong", [2.5, -1.0, None, float("nan"), 2.0**60], ids=str)
def test_weights_that_count_no_rows_are_refused(tmp_path, wrong):
    pytest.importorskip("duckdb")
    table = pa.table({"y": ["a", "b", "b"], "n": pa.array([2.0, wrong, 3.0]), "text": ["1", "2", "3"]})
    pq.write_table(table, tmp_path / "a.parquet")
    for name in ("memory", "duckdb"):
        engine = open_engine(name, open_folder(tmp_path))
        with pytest.raises(DataError, match="'n' holds 1 value other than whole numbers from 0: correct"):
            engine.count(Grouping(("y",), weights="n"))
        with pytest.raises(DataError, match="'text' holds no numbers"):
            engine.count(Grouping(("y",), weights="text"))
        engine.close()


def test_nan_is_no_value_in_one_file(tmp_path):
    """DuckDB trusts the smallest and largest value that a single file states, which leave NaN out."""
    pytest.importorskip("duckdb")
    path, nan = tmp_path / "a.parquet", float("nan")
    pq.write_table(pa.table({"x": [0.5, nan, 0.25], "y": pa.array([1.0, nan, 2.0], pa.float32())}), path)
    for name in ("memory", "duckdb"):
        engine = open_engine(name, open_folder(path))
        assert lines(engine.count(Grouping(("y",), score="x"))) == Counter({
            (1.0, 0.5, 0.5, 1): 1, (None, None, None, 1): 1, (2.0, 0.25, 0.25, 1): 1,
        })  # fmt: skip
        assert engine.facts(["x"])["x"] == (2, 0.25, 0.5)
        assert repr(engine.rows(RowQuery(by="x"))["x"].to_pylist()) == "[0.5, 0.25, nan]"
        assert len(engine.rows(RowQuery((Condition("y", (None,)),)))) == 1
        engine.close()


CENTS = [Decimal("12345678901234567.01") + Decimal(i) / 100 for i in range(6)]
SMALL = [Decimal(i) / 10**7 for i in range(1, 7)]
LARGE = [1_700_000_000_000_000 + i for i in range(6)]
MOMENTS = [1_767_225_600_000 + i for i in (0, 1, 10, 120, 1000, 60_000)]  # milliseconds
TIMES = [f"2026-01-01 00:0{m}:0{s}" for m, s in ((0, "0"), (0, "0.001"), (0, "0.01"), (0, "0.12"), (0, "1"), (1, "0"))]
MS, US = (pa.array([i * n for i in MOMENTS], pa.timestamp(unit)) for unit, n in (("ms", 1), ("us", 1000)))
IDS = {
    "decimals of 19 digits": [pa.array(CENTS, pa.decimal128(20, 2)), pa.array(CENTS, pa.decimal128(22, 4))],
    "small decimals and texts": [pa.array(SMALL, pa.decimal128(10, 7)), pa.array([f"{i:f}" for i in SMALL])],
    "whole decimals": [pa.array([0, 1, 20, 300, 4, 5]), pa.array([0, 1, 20, 300, 4, 5], pa.decimal128(38, 10))],
    "whole floats": [pa.array(LARGE), pa.array(LARGE, pa.float64())],
    "times of two units": [US, MS],
    "times and texts": [US, pa.array(TIMES)],
    "times of two zones": [US.cast(pa.timestamp("us", "+02:00")), MS.cast(pa.timestamp("ms", "UTC"))],
}


def join_ids(folder, columns, name):
    """Join files of these ids by an engine, each row of one label."""
    sources = []
    for place, column in enumerate(columns):
        pq.write_table(pa.table({"id": column, "y": ["a"] * len(column)}), folder / f"{place}.parquet")
        sources.append(open_folder(folder / f"{place}.parquet"))
    engine = open_engine(name, sources[0], others=sources[1:])
    found = engine.join([JoinSide(source, ("id",), ("y",), (("a",),), (0,)) for source in sources])
    engine.close()
    return int(found.rows.sum()), found.only_in, found.repeated


@pytest.mark.parametrize("columns", IDS.values(), ids=IDS)
def test_equal_ids_of_other_types_meet(tmp_path, columns):
    pytest.importorskip("duckdb")
    for name in ("memory", "duckdb"):
        assert join_ids(tmp_path, columns, name) == (6, (0, 0), 0), name


def test_decimals_count_as_their_nearest_doubles(tmp_path):
    pytest.importorskip("duckdb")
    values = [Decimal(i % 10) / 10 for i in range(100)]
    tens = pa.array([Decimal(i * 10) for i in range(100)], pa.decimal128(10, 6))
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"y": ["a"] * 100, "p": pa.array(values, pa.decimal128(10, 6)), "n": tens}), path)
    for name in ("memory", "duckdb"):
        engine = open_engine(name, open_folder(path))
        assert lines(engine.count(Grouping((AtLeast("p", 0.1),)))) == Counter({(0, 10): 1, (1, 90): 1}), name
        assert lines(engine.count(Grouping(("y",), weights="n"))) == Counter({("a", 49500): 1}), name
        scores = engine.count(Grouping(("y",), score="p")).column("low").to_pylist()
        assert sorted(scores) == [i / 10 for i in range(10)], name
        engine.close()


@pytest.mark.parametrize("bits", [3, 14])
def test_rounded_scores_keep_rows_and_order(engines, bits):
    asked = Grouping((TRUTH,), score="score", bits=bits)
    found = [engine.count(asked) for engine in engines]
    assert lines(found[0]) == lines(found[1])
    exact = engines[0].count(Grouping((TRUTH,), score="score"))
    assert sum(found[0]["rows"].to_pylist()) == sum(exact["rows"].to_pylist())
    per_label = {}
    for low, high, label in zip(*(found[0][name].to_pylist() for name in ("low", "high", "k0")), strict=True):
        per_label.setdefault(label, []).append((low, high))
    for spans in per_label.values():
        spans = sorted(span for span in spans if span[0] is not None)
        assert all(one[1] < other[0] for one, other in pairwise(spans))


def test_rounding_never_puts_scores_in_wrong_order():
    rng = np.random.default_rng(0)
    x = np.sort(np.concatenate([rng.random(50_000), rng.normal(size=50_000) * 10.0 ** rng.integers(-200, 200, 50_000)]))
    for bits in (2, 14, 30):
        product = x * splitter(bits)
        rounded = product - (product - x)
        assert (np.diff(rounded) >= 0).all()
        assert (np.abs(rounded - x) <= np.abs(x) * 2.0**-bits).all()


def test_facts_and_rows_are_the_same(engines):
    names = [TRUTH, PRED, "score", "slice", "day"]
    exact, estimated = (engine.facts(names) for engine in engines)
    for name in names:
        assert exact[name][1:] == estimated[name][1:], name
        assert abs(exact[name].n_distinct - estimated[name].n_distinct) <= 0.1 * exact[name].n_distinct + 1
    where = (Condition(PRED, (1, None)),)
    for asked in (
        RowQuery(where, offset=5, n=20),
        RowQuery(where, by="score", n=50),
        RowQuery(where, by="small", order="lowest", offset=30, n=30),
        RowQuery(by="score", order="closest", to=0.5, n=1000),
    ):
        found = [repr(engine.rows(asked).to_pylist()) for engine in engines]
        assert found[0] == found[1]


AMONG = {
    "highest": Among((TRUTH, HIGHEST), (("a", 1), (None, 2), ("a", 3), ("", None))),
    "product": Among((TRUTH, PRED), ((None, 1), ("a", 1), (None, 0), ("a", 0))),
    "pairs": Among((TRUTH, PRED), (("a", 1), ("", 2), (None, None), (ODD[1], 0))),
    "other pairs": Among((TRUTH, PRED), (("a", 1), ("", None), (None, 0)), negated=True),
    "ranges": Among((TRUTH, "flag"), (("a", True), ("a", True), (None, False)), "score",
                    (0.2, np.nan, -np.inf), (0.9, np.nan, np.nan)),
    "sets": Among(("set", "flag"), (((), True), (None, True), (("a",), False), ((None,), True))),
    "no sets": Among(("places", "slice"), (((), None), (None, 0.0), ((0,), 1.5)), negated=True),
    "scores that predict": Among((AtLeast("score", 0.5), AtLeast("small", 0.9, ("score",))), ((1, 0), (0, None))),
    "one range": Among(("day", "slice"), (("it's", None), ("it's", 1.5)), "score", (0.1,) * 2, (0.5,) * 2),
}  # fmt: skip


@pytest.mark.parametrize("name", AMONG)
def test_rows_among_combinations_are_exactly_those(engines, written, monkeypatch, name):
    monkeypatch.setattr(duckdb_engine, "_BLOCK_ROWS", 64)
    among, parts = AMONG[name], [[], []]

    def inside(score, low, high):
        return np.isnan(high) if plain(score) is None else score >= low and (np.isnan(high) or score <= high)

    def meets(row):
        cells = tuple(key_of(row, key) for key in among.columns)
        low, high = (among.low, among.high) if among.score else ([-np.inf] * 9, [np.nan] * 9)
        score = row[among.score] if among.score else None
        pairs = zip(among.values, low, high, strict=False)
        return any(cells == one and inside(score, a, b) for one, a, b in pairs) != among.negated

    wanted = [row for row in written[1].to_pylist() if meets(row)]
    for engine, found in zip(engines, parts, strict=True):
        for offset in range(0, len(wanted) + 1, 50):
            found += engine.rows(RowQuery(among=among, offset=offset, n=50)).to_pylist()
        assert len(found) > 5 and repr(found) == repr(wanted)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM read_parquet('http://127.0.0.1/x.parquet')",
        "COPY (SELECT 1) TO '{folder}/new.csv'",
        "ATTACH '{folder}/new.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET threads = 9",
        "SET enable_external_access = true",
        "SELECT * FROM frame_in_sight",
    ],
)
def test_duckdb_reads_nothing_but_its_source(engines, written, sql):
    frame_in_sight = pa.table({"a": [1]})
    with pytest.raises(engines[1]._duckdb.Error):
        engines[1]._connection.execute(sql.format(folder=written[0])).fetchall()
    assert len(frame_in_sight) == 1


def test_sources_that_cannot_be_read_are_one_sentence(tmp_path):
    with pytest.raises(DataError, match="is not there"):
        open_folder(tmp_path / "nothing")
    with pytest.raises(DataError, match="holds no Parquet file"):
        open_folder(tmp_path)
    pq.write_table(pa.table({"y": ["a"]}), tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(DataError, match="damaged or not a Parquet file"):
        open_folder(tmp_path)
    pq.write_table(pa.table({"y": [1]}), tmp_path / "b.parquet")
    with pytest.raises(DataError, match="has other columns, or other types"):
        open_folder(tmp_path)
    (tmp_path / "b.parquet").unlink()
    (tmp_path / "b.parquet").symlink_to("/etc/hostname")
    with pytest.raises(DataError, match="link to a file outside"):
        open_folder(tmp_path)
    (tmp_path / "b.parquet").unlink()
    os.mkfifo(tmp_path / "b.parquet")  # opening it would wait for ever
    with pytest.raises(DataError, match="no file that can be read"):
        open_folder(tmp_path)
    (tmp_path / "b.parquet").unlink()
    (tmp_path / "more").symlink_to(tmp_path)
    with pytest.raises(DataError, match="'more' is a link to another folder"):
        open_folder(tmp_path)
    pq.write_table(pa.Table.from_arrays([pa.array(["a"])] * 2, ["y", "Y"]), tmp_path / "a.parquet")
    with pytest.raises(DataError, match="Two columns are named 'Y'"):
        open_folder(tmp_path / "a.parquet")


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (["day=1", "."], "lie in folders of other columns ('day=…'; none)"),
        (["day=1/hour=2", "hour=2/day=1"], "lie in folders of other columns"),
        (["Y=1"], "'Y' is a column of the files and a part of their folders"),
        ([b"\xff"], "is not written in UTF-8"),
    ],
)
def test_folders_that_engines_read_differently_are_refused(tmp_path, places, said):
    pq.write_table(pa.table({"y": ["a"]}), tmp_path / "0")
    for place in places:
        folder = os.path.join(os.fsencode(tmp_path / "source"), os.fsencode(place))
        os.makedirs(folder, exist_ok=True)
        shutil.copy(tmp_path / "0", os.path.join(folder, b"0.parquet"))
    with pytest.raises(DataError, match=re.escape(said)):
        open_folder(tmp_path / "source")


@pytest.mark.parametrize("name", ["memory", "duckdb"])
def test_odd_texts_and_names_are_read(tmp_path, name):
    if name == "duckdb":
        pytest.importorskip("duckdb")
    pq.write_table(pa.table({"y\0z": ["a\0b"]}), tmp_path / "a.parquet")
    engine = open_engine(name, open_folder(tmp_path))
    assert engine.rows(RowQuery()).to_pylist() == [{"y\0z": "a\0b"}]
    engine.close()
    wrong = pa.array([b"\xff", b"a"]).buffers()
    pq.write_table(pa.table({"y": pa.StringArray.from_buffers(2, *wrong[1:])}), tmp_path / "a.parquet")
    engine = open_engine(name, open_folder(tmp_path))
    with pytest.raises(DataError, match="is damaged"):
        engine.count(Grouping(("y",)))
    engine.close()
    with pytest.raises(DataError, match="is damaged"):
        open_folder(tmp_path).sample(10)


@pytest.mark.parametrize("log", ["_delta_log/0.json", "metadata/v1.metadata.json", ".hoodie/hoodie.properties"])
def test_table_whose_files_hold_removed_rows_is_refused(tmp_path, log):
    part = tmp_path / "table" / "data" / "day=1"
    part.mkdir(parents=True)
    pq.write_table(pa.table({"y": ["a", "b"]}), part / "0.parquet")
    (tmp_path / "table" / "metadata").mkdir(exist_ok=True)
    assert open_folder(tmp_path / "table").n_rows == 2
    (tmp_path / "table" / log).parent.mkdir(exist_ok=True)
    (tmp_path / "table" / log).write_text("")
    for path in (tmp_path, tmp_path / "table", part, part / "0.parquet"):
        with pytest.raises(DataError, match=r"belongs to a table of .*, whose files also hold removed rows"):
            open_folder(path)


def write_runs(path, n, *texts):
    """Write n rows of some texts one after the other as truth and prediction: a few bytes of a dictionary."""
    codes = pa.array(np.arange(n) * len(texts) // n, pa.int32())
    column = pa.DictionaryArray.from_arrays(codes, pa.array(texts))
    pq.write_table(pa.table({"y": column, "p": column}), path, store_schema=False)
    return open_folder(path)


def test_memory_holds_a_repeated_text_once(tmp_path):
    long, pool = "x" * 4_900, pa.default_memory_pool()
    folder = write_runs(tmp_path / "a.parquet", 400_000, long, "y")
    before = pool.max_memory()
    engine = open_engine("memory", folder, memory_bytes=32 << 20)
    assert lines(engine.count(Grouping(("y", "p")))) == Counter({(long, long, 200_000): 1, ("y", "y", 200_000): 1})
    assert engine.facts(["y"])["y"].n_distinct == 2
    assert engine.count(Grouping((Mark("y", ("y",)),), where=(Condition("p", (long,)),)))["rows"].to_pylist() == [
        200_000
    ]
    assert engine.rows(RowQuery(n=2, offset=199_999))["y"].to_pylist() == [long, "y"]
    assert len(folder.sample(20_000)) == 20_000
    assert pool.max_memory() - before < 64 << 20  # written out, the rows are 2 GB


def test_engines_stop_at_their_memory(tmp_path):
    folder = write_runs(tmp_path / "a.parquet", 400_000, "x" * 4_900, "y")
    with pytest.raises(DataError, match="Counting in memory needs more than 8 MB: allow more memory"):
        open_engine("memory", folder, memory_bytes=8 << 20).count(Grouping(("y",)))
    with pytest.raises(DataError, match="Counting in memory needs more than 32 MB"):
        open_engine("memory", folder, memory_bytes=32 << 20).rows(RowQuery(n=20_000))
    pytest.importorskip("duckdb")
    engine = open_engine("duckdb", folder)
    engine._memory_bytes = 1 << 20  # of the answer, which its own limit does not hold
    with pytest.raises(DataError, match="needs more than 1 MB of memory"):
        engine.rows(RowQuery(n=1_000))
    engine.close()


def test_engine_is_chosen_by_rows_and_width(tmp_path):
    pytest.importorskip("duckdb")
    many, few = (write_runs(tmp_path / f"{n}.parquet", n, "a", "b") for n in (8_000_000, 100_000))
    assert many.n_bytes < 1 << 20
    assert (choose_engine(many), choose_engine(few), choose_engine(few, many)) == ("duckdb", "memory", "duckdb")
    assert choose_engine(few, memory_bytes=2 << 20) == "duckdb"


@pytest.mark.parametrize("name", ["memory", "duckdb"])
def test_source_removed_or_changed_is_one_sentence(tmp_path, name):
    if name == "duckdb":
        pytest.importorskip("duckdb")
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"y": ["a", "b"]}), path)
    before, engine = open_folder(tmp_path), open_engine(name, open_folder(tmp_path))
    pq.write_table(pa.table({"y": ["a", "b", "c"]}), path)
    with pytest.raises(DataError, match="was changed since"):
        engine.count(Grouping(("y",)))
    assert open_folder(tmp_path).snapshot != before.snapshot
    path.unlink()
    with pytest.raises(DataError, match="was removed since"):
        engine.count(Grouping(("y",)))
    engine.close()


def test_duckdb_query_can_be_cancelled(tmp_path):
    pytest.importorskip("duckdb")
    pq.write_table(pa.table({"y": np.arange(3_000_000)}), tmp_path / "a.parquet")
    engine = open_engine("duckdb", open_folder(tmp_path), threads=1)
    stop = threading.Event()

    def keep_cancelling():
        while not stop.wait(0.001):
            engine.cancel()

    helper = threading.Thread(target=keep_cancelling)
    helper.start()
    try:
        with pytest.raises(DataError, match="was cancelled"):
            for _ in range(50):
                engine.count(Grouping(("y",)))
    finally:
        stop.set()
        helper.join()
    assert engine.facts(["y"])["y"].high == 2_999_999
    engine.close()


COUNT_UNTIL_A_SIGNAL = """
import signal, sys, threading, time
from pathlib import Path
from data.engines.engine import open_engine
from data.engines.parquet_folder import open_folder
from data.engines.query import Grouping
engine = open_engine("duckdb", open_folder(Path(sys.argv[1])), threads=1, scratch=sys.argv[2])
threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
try:
    while True:
        engine.count(Grouping(("y",)))
except KeyboardInterrupt:
    print("stopped")
"""


def test_interrupted_query_is_a_keyboard_interrupt(tmp_path):
    pytest.importorskip("duckdb")
    pq.write_table(pa.table({"y": np.arange(3_000_000)}), tmp_path / "a.parquet")
    command = [sys.executable, "-c", COUNT_UNTIL_A_SIGNAL, str(tmp_path / "a.parquet"), str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "stopped\n"


def test_engines_are_imported_only_when_one_is_opened():
    code = (
        "import sys; import cli, data.engines.engine; "
        "print([name for name in ('duckdb', 'ibis', 'pyspark') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


COUNT_FOREVER = """
import sys
from pathlib import Path
from data.engines.engine import open_engine
from data.engines.parquet_folder import open_folder
from data.engines.query import Grouping
engine = open_engine("duckdb", open_folder(Path(sys.argv[1])), memory_bytes=64 << 20, threads=1, scratch=sys.argv[2])
print("begins", flush=True)
while True:
    engine.count(Grouping(("y",)))
"""


def test_killed_query_leaves_its_source_as_it_was(tmp_path):
    pytest.importorskip("duckdb")
    pq.write_table(pa.table({"y": np.arange(300_000)}), tmp_path / "a.parquet")
    before = open_folder(tmp_path / "a.parquet").snapshot
    (tmp_path / "scratch").mkdir()
    command = [sys.executable, "-c", COUNT_FOREVER, str(tmp_path / "a.parquet"), str(tmp_path / "scratch")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begins\n"
        child.kill()
    assert open_folder(tmp_path / "a.parquet").snapshot == before
    assert len(list((tmp_path / "scratch").iterdir())) == 1  # nobody was left to remove it
    engine = open_engine("duckdb", open_folder(tmp_path / "a.parquet"), scratch=str(tmp_path / "scratch"))
    assert sum(engine.count(Grouping(("y",)))["rows"].to_pylist()) == 300_000
    engine.close()
    assert not list((tmp_path / "scratch").iterdir())


COUNT_ON_A_FULL_DISK = """
import resource, sys
from pathlib import Path
from data.engines.engine import open_engine
from data.engines.parquet_folder import open_folder
from data.engines.query import Grouping
engine = open_engine("duckdb", open_folder(Path(sys.argv[1])), memory_bytes=32 << 20, threads=1, scratch=sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, -1))
try:
    engine.count(Grouping(("y",), most=10**7))
except ValueError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
print(len(engine.count(Grouping(("y",), most=10**7))))
engine.close()
"""


def test_full_disk_is_named_and_passes(tmp_path):
    pytest.importorskip("duckdb")
    pq.write_table(pa.table({"y": np.random.default_rng(0).permutation(2_000_000)}), tmp_path / "a.parquet")
    (tmp_path / "scratch").mkdir()
    command = [sys.executable, "-c", COUNT_ON_A_FULL_DISK, str(tmp_path / "a.parquet"), str(tmp_path / "scratch")]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert found == ["The disk for intermediate results is full: free some space, or give more memory.", "2000000"]
    assert not list((tmp_path / "scratch").iterdir())
