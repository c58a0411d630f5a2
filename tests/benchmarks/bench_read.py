"""Measure how long a predictions CSV takes from the upload to its report, against the fastest bare CSV reader."""

import random
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv

from tests.benchmarks import subject
from tests.benchmarks.stopwatch import take_turns

CLASSES = [f"{('refund', 'card', 'limit')[number % 3]}_question_{number:02d}" for number in range(77)]


def measure(rows: int = 1_000_000) -> dict[str, float]:
    """Time each step, medians in turns; ratios are those of the processor's seconds, the child's among them.

    The bare reader is `pyarrow.csv.read_csv` with dictionary-encoded text, in this process and warm. The child's
    start-up (a file of one row, otherwise the same) is told apart; what remains is reading, checking, writing
    canonical Parquet, ending the process and reading the Parquet again; for the report also finding the roles,
    encoding, counting and every metric.
    """
    with tempfile.TemporaryDirectory() as folder:
        path, tiny = Path(folder, "big.csv"), Path(folder, "tiny.csv")
        _write(path, rows)
        _write(tiny, 1)
        bare, start, child, whole = take_turns(
            lambda: _bare(path),
            lambda: subject.read_table(tiny),
            lambda: subject.read_table(path),
            lambda: subject.report_of(path),
            rounds=9,
        )
        assert subject.read_table(path).equals(_bare(path).unify_dictionaries())
    return {
        "rows": rows,
        "bare parse, seconds": bare.wall,
        "start of the child process, seconds": start.wall,
        "CSV to our Parquet, without the start, seconds": child.wall - start.wall,
        "CSV to our Parquet, without the start: times as long as the bare parse": (child.cpu - start.cpu) / bare.cpu,
        "CSV to report, without the start, seconds": whole.wall - start.wall,
        "CSV to report, without the start: times as long as the bare parse": (whole.cpu - start.cpu) / bare.cpu,
        "CSV to report on the clock: times as long as the bare parse": (whole.wall - start.wall) / bare.wall,
    }


def _write(path: Path, rows: int) -> None:
    draw = random.Random(0).choices
    pairs = zip(draw(CLASSES, k=rows), draw(CLASSES, k=rows), strict=True)
    path.write_text("true,pred\n" + "".join(f"{true},{pred}\n" for true, pred in pairs), encoding="utf-8")


def _bare(path: Path) -> pa.Table:
    coded = dict.fromkeys(("true", "pred"), pa.dictionary(pa.int32(), pa.string()))
    return pacsv.read_csv(path, convert_options=pacsv.ConvertOptions(column_types=coded))
