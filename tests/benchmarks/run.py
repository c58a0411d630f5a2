"""Runs every benchmark beside this file and prints one table: what `make bench` does.

A benchmark is a module `bench_*.py` with `measure() -> dict[str, float]`. The end of a key says what its number is:
`_s` seconds; `_ratio` how many times as fast as the reference of the same run; `_times` how many times as long as it;
`_mb` megabytes; anything else a count. Names of benchmarks after the command run only those: python -m
tests.benchmarks.run curves
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

LIBRARIES = ("numpy", "pandas", "pyarrow", "scikit-learn", "streamlit")


def benchmarks(wanted: list[str]) -> list[str]:
    """Names of the benchmarks to run; none named means all of them.

    >>> benchmarks(["curves"])
    ['curves']
    """
    found = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    if unknown := set(wanted) - set(found):
        raise SystemExit(f"There is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(found)}.")
    return wanted or found


def formatted(key: str, value: float) -> tuple[str, str]:
    """Return what was measured, in words, and the number with its unit.

    >>> formatted("look_up_s", 0.00004), formatted("report_ratio", 131.4), formatted("rows", 1e6)
    (('look up', '0.04 ms'), ('report', '131 times as fast'), ('rows', '1,000,000'))
    """
    name, _, kind = key.rpartition("_")
    if kind == "s":
        return name.replace("_", " "), f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.3g} ms"
    if kind == "ratio":
        return name.replace("_", " "), f"{value:.0f} times as fast" if value >= 10 else f"{value:.2f} times as fast"
    if kind == "times":
        return name.replace("_", " "), f"{value:.2f} times as long"
    if kind == "mb":
        return name.replace("_", " "), f"{value:,.0f} MB" if value >= 10 else f"{value:.2f} MB"
    return key.replace("_", " "), f"{value:,.0f}" if value == int(value) else f"{value:,.4g}"


def table(results: dict[str, dict[str, float]]) -> str:
    """One Markdown table of all benchmarks."""
    lines = ["| benchmark | what | measured |", "| --- | --- | ---: |"]
    for name, measured in results.items():
        lines += [f"| {name} | {what} | {number} |" for what, number in (formatted(*item) for item in measured.items())]
    return "\n".join(lines)


def main() -> None:
    """Measure, one benchmark after the other, then print."""
    results = {}
    for name in benchmarks(sys.argv[1:]):
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        results[name] = importlib.import_module(f"tests.benchmarks.bench_{name}").measure()
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, {libraries}\n")
    print(table(results))


if __name__ == "__main__":
    main()
