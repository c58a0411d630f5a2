"""Counts of many rows beside DuckDB by hand, and pandas with scikit-learn: what `make bench-large` does, in minutes.

The numbers after the command are rows: python -m tests.benchmarks.large_engines 10000000 100000000
"""

import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from data.runs.draft import Given
from data.runs.own_folders.counting import read_source
from export.measurement import measure
from export.numbers import scored_numbers
from tests.benchmarks.stopwatch import Time, cpu_seconds

ROOT = Path(__file__).resolve().parents[2]
CLASSES = pa.array([f"intent_{i:02d}_support" for i in range(77)])
SKLEARN_ROWS = 1_000_000  # beyond it pandas and scikit-learn are not waited for
LIMIT = "1GB"


def write(folder: Path, n: int, make: Callable[[np.random.Generator, int], pa.Table]) -> Path:
    """Write `n` rows as files of 2.5 million."""
    folder.mkdir()
    rng, size = np.random.default_rng(0), min(n, 2_500_000)
    for i in range(n // size):
        pq.write_table(make(rng, size), folder / f"part-{i:03d}.parquet", compression="zstd", store_schema=False)
    return folder


def labels(rng: np.random.Generator, n: int) -> pa.Table:
    """77 classes as strings, 80 % right."""
    truth = rng.integers(0, 77, n).astype(np.int32)
    pred = np.where(rng.random(n) < 0.8, truth, rng.integers(0, 77, n)).astype(np.int32)
    columns = {"y_true": truth, "y_pred": pred}
    return pa.table({name: pa.DictionaryArray.from_arrays(codes, CLASSES) for name, codes in columns.items()})


def scores(rng: np.random.Generator, n: int) -> pa.Table:
    """A calibrated score of one of two classes."""
    score = rng.beta(1.2, 4, n)
    truth = (rng.random(n) < score).astype(np.int32)
    return pa.table({"label": pa.DictionaryArray.from_arrays(truth, pa.array(["ok", "fraud"])), "fraud_score": score})


def by_hand(sql: str) -> Callable[[Path], None]:
    """One query by a DuckDB of the same limits."""

    def run(folder: Path) -> None:
        import duckdb

        with duckdb.connect(config={"threads": 2, "memory_limit": LIMIT}) as connection:
            connection.sql(sql.format(source=f"read_parquet('{folder}/*.parquet')")).to_arrow_table()

    return run


def ours(folder: Path) -> None:
    """From the folder to every number of the report."""
    scored_numbers(measure(read_source(folder, Given(), engine="duckdb")))


def notebook(folder: Path) -> None:
    """Do it as a notebook does."""
    from sklearn.metrics import classification_report, confusion_matrix

    frame = pq.read_table(folder).to_pandas()
    confusion_matrix(frame["y_true"], frame["y_pred"])
    classification_report(frame["y_true"], frame["y_pred"], output_dict=True, zero_division=0)


def interleaved(folder: Path, works: dict[str, Callable[[Path], None]], turns: int) -> dict[str, list[Time]]:
    """Return the times of every work, one after the other, in several turns; the first turn warms up."""
    found: dict[str, list[Time]] = {name: [] for name in works}
    for turn in range(turns + 1):
        for name, work in works.items():
            gc.collect()
            start, cpu = time.perf_counter(), cpu_seconds()
            work(folder)
            if turn:
                found[name].append(Time(time.perf_counter() - start, cpu_seconds() - cpu))
    return found


_PEAK = (
    "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:]); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(done.returncode)"
)
"""A child counts the peak memory of who starts it as its own: a small process stands between."""


def as_program(folder: Path) -> tuple[float, float, dict[str, object]]:
    """Seconds and peak memory (MB) of `cli.py score`, in a process of its own, and its JSON."""
    command = [sys.executable, "cli.py", "score", str(folder), "--engine", "duckdb", "--memory", LIMIT, "--json"]
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, *command], cwd=ROOT, capture_output=True, text=True, check=True
    )  # fmt: skip
    return time.perf_counter() - start, int(done.stderr.split()[-1]) / 1024, json.loads(done.stdout)


def line(what: str, times: list[Time]) -> str:
    """Write one line of the table: median, shortest and longest on the clock, and the median of the processor."""
    walls = [one.wall for one in times]
    spread = f"{min(walls):.2f} to {max(walls):.2f}" if len(walls) > 1 else "once"
    cpu = statistics.median(one.cpu for one in times)
    return f"| {what} | {statistics.median(walls):.2f} s | {spread}; processor {cpu:.2f} s |"


def measure_sources(n: int, root: Path) -> list[str]:
    """Measure both sources at one size."""
    works = {
        f"{n:,} rows × 77 classes": (labels, "SELECT y_true, y_pred, count(*) FROM {source} GROUP BY ALL"),
        f"{n:,} rows, a score": (
            scores,
            "SELECT label, round(fraud_score, 4) AS bin, count(*), min(fraud_score), max(fraud_score) FROM {source} "
            "GROUP BY ALL",
        ),
    }
    lines = []
    for what, (make, sql) in works.items():
        folder = write(root / f"{make.__name__}-{n}", n, make)
        found = interleaved(
            folder, {"DuckDB's bare GROUP BY": by_hand(sql), "to every number": ours}, 5 if n < 50_000_000 else 3
        )
        lines += [line(f"{what}: {name}", times) for name, times in found.items()]
        if make is labels and n <= SKLEARN_ROWS:
            start, cpu = time.perf_counter(), cpu_seconds()
            notebook(folder)
            once = Time(time.perf_counter() - start, cpu_seconds() - cpu)
            lines.append(line(f"{what}: pandas and scikit-learn", [once]))
        seconds, peak, numbers = as_program(folder)
        bound = (numbers["score_error_bound"] or {}).get("roc_auc")  # type: ignore[attr-defined]
        about = f"peak memory {peak:,.0f} MB" + (f", AUC ± {bound:.1g}" if bound else "")
        lines.append(f"| {what}: `cli.py score --memory {LIMIT}` | {seconds:.2f} s | {about} |")
    return lines


def main() -> None:
    """Measure every size that is asked for, then print."""
    sizes = [int(text) for text in sys.argv[1:]] or [10_000_000]
    lines = ["| what | median | spread |", "| --- | ---: | --- |"]
    with tempfile.TemporaryDirectory(prefix="blindspot-bench-") as name:
        for n in sizes:
            print(f"measuring {n:,} rows …", file=sys.stderr, flush=True)
            lines += measure_sources(n, Path(name))
    libraries = ", ".join(f"{name} {version(name)}" for name in ("duckdb", "pyarrow", "pandas", "scikit-learn"))
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, {libraries}\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
