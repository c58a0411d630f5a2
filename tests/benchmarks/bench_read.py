"""Measure how long a predictions CSV takes from the upload to our own table, against the fastest bare CSV reader.

Run with: python -m tests.benchmarks.bench_read [rows]
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv

from data.reading.dispatch import read_table
from data.runs.load import Given, read_evaluation
from data.store.store import read_canonical, write_canonical
from export.summary import report
from tests.benchmarks.stopwatch import take_turns
from tests.data.sandboxed import read_files

CLASSES = [f"{('refund', 'card', 'limit')[number % 3]}_question_{number:02d}" for number in range(77)]


def measure(rows: int = 1_000_000) -> dict[str, float]:
    """Seconds of each step (`*_s`, medians in turns), and how many times as long as Arrow's reader (`*_times`). They
    are the processor's, those of the child among them.

    The bare reader is `pyarrow.csv.read_csv` with dictionary-encoded text, in this process and warm. The child's
    start-up (a file of one row, otherwise the same) is told apart; what remains is reading, checking, writing
    canonical Parquet, ending the process and reading the Parquet again; for the report also finding the roles,
    encoding, counting and every metric.
    """
    with tempfile.TemporaryDirectory() as folder:
        path, tiny = Path(folder, "big.csv"), Path(folder, "tiny.csv")
        _write(path, rows)
        _write(tiny, 1)
        bare, here, start, child, whole = take_turns(
            lambda: _bare(path),
            lambda: _in_this_process(path, Path(folder)),
            lambda: _in_a_child(tiny),
            lambda: _in_a_child(path),
            lambda: report(read_evaluation([path], Given())),
            rounds=9,
        )
        assert _in_a_child(path).equals(_bare(path).unify_dictionaries())
    return {
        "rows": rows,
        "bare_reader_s": bare.wall,
        "child_start_s": start.wall,
        "child_without_start_s": child.wall - start.wall,
        "child_without_start_times": (child.cpu - start.cpu) / bare.cpu,
        "same_process_s": here.wall,
        "same_process_times": here.cpu / bare.cpu,
        "file_to_report_without_start_s": whole.wall - start.wall,
        "file_to_report_without_start_times": (whole.cpu - start.cpu) / bare.cpu,
        "file_to_report_without_start_on_the_clock_times": (whole.wall - start.wall) / bare.wall,
    }


def _write(path: Path, rows: int) -> None:
    draw = random.Random(0).choices
    pairs = zip(draw(CLASSES, k=rows), draw(CLASSES, k=rows), strict=True)
    path.write_text("true,pred\n" + "".join(f"{true},{pred}\n" for true, pred in pairs), encoding="utf-8")


def _bare(path: Path) -> pa.Table:
    coded = dict.fromkeys(("true", "pred"), pa.dictionary(pa.int32(), pa.string()))
    return pacsv.read_csv(path, convert_options=pacsv.ConvertOptions(column_types=coded))


def _in_this_process(path: Path, folder: Path) -> pa.Table:
    table, _ = read_table(path, path.name)
    write_canonical(table, folder / "canonical.parquet")
    return read_canonical(folder / "canonical.parquet")


def _in_a_child(path: Path) -> pa.Table:
    with tempfile.TemporaryDirectory() as folder:
        return read_canonical(read_files([(path, path.name)], folder)[0].table_path)


def main() -> None:
    """Print what was measured."""
    for name, value in measure(*map(int, sys.argv[1:2])).items():
        print(f"{name:30} {value:,.3f}" if name != "rows" else f"{name:30} {value:,}")


if __name__ == "__main__":
    main()
