"""Runs the benchmarks of this tree and of an older commit in turns: what `make bench BASE=commit` does.

The older commit is checked out beside, and each of its benchmarks is measured by its own code. Where it cannot be, its
last words are printed. Names of benchmarks after the commit run only those:
python -m tests.benchmarks.paired COMMIT curves read
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.benchmarks.run import benchmarks, formatted

ROOT = Path(__file__).resolve().parents[2]
TURNS = 3
_MEASURE = "import json, sys, importlib; print(json.dumps(importlib.import_module(sys.argv[1]).measure()))"


def measure(tree: Path, name: str) -> dict[str, float] | str:
    """Measure one benchmark in a tree; return its numbers, or the last line of what went wrong."""
    command = [sys.executable, "-c", _MEASURE, f"tests.benchmarks.bench_{name}"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def compare(base: Path, name: str) -> list[str]:
    """Return the lines of the table about one benchmark: medians of turns, the older tree's first."""
    turns = [(measure(base, name), measure(ROOT, name)) for _ in range(TURNS)]
    wrong = next((one for pair in turns for one in pair if isinstance(one, str)), None)
    if wrong is not None:
        return [f"| {name} | not measured: {wrong} | | |"]
    lines = []
    for key in turns[0][1]:
        sides = zip(*turns, strict=True)
        known = [[one[key] for one in side if isinstance(one, dict) and key in one] for side in sides]
        old, new = (formatted(key, median(one))[1] if one else "" for one in known)
        lines.append(f"| {name} | {formatted(key, 0)[0]} | {old} | {new} |")
    return lines


def main() -> None:
    """Check the older commit out, measure in turns, print, and remove it."""
    commit, *wanted = sys.argv[1:]
    lines = ["| benchmark | what | before | now |", "| --- | --- | ---: | ---: |"]
    with tempfile.TemporaryDirectory(prefix="blindspot-bench-") as folder:
        base = Path(folder, "base")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", str(base), commit], check=True)
        try:
            for name in benchmarks(wanted):
                print(f"measuring {name} …", file=sys.stderr, flush=True)
                lines += compare(base, name)
        finally:
            subprocess.run([*git, "remove", "--force", str(base)], check=True)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
