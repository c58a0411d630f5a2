"""Runs every benchmark beside this file and prints one table: what `make bench` does.

A benchmark is a module `bench_*.py` with `measure() -> dict[str, float]`. A key says in words what was measured and
stays as it is, as `paired.py` looks for it in two trees. It ends with "seconds" or "megabytes" where the number is one.
What it measures of this tree stands in `subject.py`.
Names of benchmarks after the command run only those: python -m tests.benchmarks.run curves
"""

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


def formatted(what: str, value: float) -> tuple[str, str]:
    """Return what was measured, and the number with its unit.

    >>> formatted("look-up, seconds", 0.00004), formatted("report: times as fast as by hand", 131.4)
    (('look-up', '0.04 ms'), ('report: times as fast as by hand', '131'))
    """
    name, _, unit = what.rpartition(", ")
    if unit == "seconds":
        return name, f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.3g} ms"
    if unit == "megabytes":
        return name, f"{value:.3g} MB"
    return what, f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def table(results: dict[str, dict[str, float]]) -> str:
    """Return one Markdown table; a ratio stands beside the seconds that are its subject.

    >>> print(table({"report": {"rows": 9, "count, seconds": 0.5, "count: times as fast as by hand": 20}}))
    | benchmark | what | measured | ratio |
    | --- | --- | ---: | ---: |
    | report, 9 rows | count | 500 ms | 20 times as fast as by hand |
    """
    lines = ["| benchmark | what | measured | ratio |", "| --- | --- | ---: | ---: |"]
    for name, measured in results.items():
        head = f"{name}, {measured['rows']:,.0f} rows" if "rows" in measured else name
        lines += [
            f"| {head} | {what} | {number} | {ratio} |" for what, (number, ratio) in _beside_ratios(measured).items()
        ]
    return "\n".join(lines)


def _beside_ratios(measured: dict[str, float]) -> dict[str, tuple[str, str]]:
    """Return the number and the ratio of everything that was measured."""
    found: dict[str, tuple[str, str]] = {}
    for key, value in measured.items():
        what, number = formatted(key, value)
        subject, times, reference = what.partition(": times ")
        if times:
            found[subject] = (found.get(subject, ("", ""))[0], f"{number} times {reference}")
        elif key != "rows":
            found[what] = (number, "")
    return found


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
