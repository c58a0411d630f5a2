"""Runs the benchmarks of this tree on an older commit and on this tree in turns: what `make bench BASE=commit` does.

The older commit is checked out beside, and gets this tree's benchmarks: the same work from outside measures both. Only
`subject.py`, which names what is measured, is the older tree's own; one from before the code moved into packages
gets it with the names of that time. Names of benchmarks after the commit run only those:
python -m tests.benchmarks.paired COMMIT curves read
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.benchmarks.run import benchmarks, formatted

ROOT = Path(__file__).resolve().parents[2]
TURNS = int(os.environ.get("TURNS", "3"))
_MEASURE = "import json, sys, importlib; print(json.dumps(importlib.import_module(sys.argv[1]).measure()))"
BEFORE_PACKAGES = {
    "from metrics.catalogue.registry": "from metrics.registry",
    "from metrics.confusion import worst_confusions": "from metrics import confusions as worst_confusions",
    "from metrics.confusion.counts": "from metrics.counts",
    "from metrics.confusion.label_metrics": "from metrics.labels",
    "from metrics.confusion.macro_gap": "from metrics.macro_gap",
    "from metrics.scores.curves": "from metrics.curves",
    "from metrics.thresholds.threshold_metrics": "from metrics.thresholds",
    "rates_at(counts, threshold).to_dict()": "rates_at(counts, threshold)",
    "from data.runs import load": "from data import intake as load",
    "from data.store.store": "from data.store",
    "from tests.data.sandboxed": "from data.sandbox",
    "from data.building.rescoring": "from data.rescore",
    "from data.parser.parser": "from data.parser",
    "from data.answers.suggestions import suggest_changes": "from data.suggestions import suggestions",
    "return suggest_changes(": "return suggestions(",
    '("web", "data", "text", "assets")': '("door", "data")',
    """'.st-key-heading h1:has-text("accurate")'""": '"text=always giving the most frequent answer"',
    '"{true} rows were predicted as {pred}"': '"truth {true}, predicted {pred}"',
    '".panel-list li"': '"[role=row]"',
    '"Export"': '"Take it along"',
}


def equip(base: Path) -> None:
    """Give an older tree this tree's benchmarks, and a subject that it can import."""
    folder = base / "tests" / "benchmarks"
    own = folder / "subject.py"
    now = Path(__file__).with_name("subject.py").read_text(encoding="utf-8")
    then = now
    for new, old in BEFORE_PACKAGES.items():
        then = then.replace(new, old)
    subjects = [own.read_text(encoding="utf-8")] if own.exists() else [now, then]
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(Path(__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for text in subjects:
        own.write_text(text, encoding="utf-8")
        command = [sys.executable, "-c", "import tests.benchmarks.subject"]
        if subprocess.run(command, cwd=base, capture_output=True, check=False).returncode == 0:
            return
    raise SystemExit(f"{base.name} has no names that tests/benchmarks/subject.py knows.")


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
    print("| benchmark | what | before | now |\n| --- | --- | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory(prefix="blindspot-bench-") as folder:
        base = Path(folder, "base")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", str(base), commit], check=True)
        try:
            equip(base)
            for name in benchmarks(wanted):
                print(f"measuring {name} …", file=sys.stderr, flush=True)
                print("\n".join(compare(base, name)), flush=True)
        finally:
            subprocess.run([*git, "remove", "--force", str(base)], check=True)


if __name__ == "__main__":
    main()
