"""Compare every answer of an older commit with this tree's: what `make answers BASE=commit` does.

The older commit is checked out beside and gets this collection; both trees are asked the same of the same files.
Every difference is printed that `accepted.json` does not hold, with exit code 1; so is a line of `accepted.json`
that covers nothing. It is empty where BASE is the last commit that landed: what was meant before has been seen.
FILES names folders outside the repository; words behind the commit are beginnings of jobs.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.answers.differences import Accepted, Difference, compare_folders
from tests.answers.inputs import write_inputs

ROOT = Path(__file__).resolve().parents[2]
ACCEPTED = Path(__file__).with_name("accepted.json")
SHOWN = 200
"""So many differences are printed; the sum says how many there are."""


def main() -> int:
    """Ask both trees, print what differs and return the exit code."""
    commit, *wanted = sys.argv[1:]
    extra = [Path(name).resolve() for name in os.environ.get("FILES", "").split()]
    with tempfile.TemporaryDirectory(prefix="blindspot-answers-") as name:
        folder = Path(name)
        base, inputs = folder / "base", folder / "inputs"
        write_inputs(inputs, extra, wanted)
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", str(base), commit], check=True)
        try:
            equip(base)
            collect(base, inputs, folder / "before")
            collect(ROOT, inputs, folder / "now")
        finally:
            subprocess.run([*git, "remove", "--force", str(base)], check=True)
        n_answers = sum(path.is_file() for path in (folder / "now").rglob("*"))
        differences = list(compare_folders(folder / "before", folder / "now"))
        return judge(differences, read_accepted(), n_answers, is_whole=not wanted)


def equip(base: Path) -> None:
    """Give an older tree this collection; names of the app stay its own, if it has any."""
    folder = base / "tests" / "answers"
    subject = folder / "subject.py"
    names = subject.read_bytes() if subject.exists() else None
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(Path(__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    if names is not None:
        subject.write_bytes(names)


def collect(tree: Path, inputs: Path, answers: Path) -> None:
    """Ask one tree in a process of its own."""
    print(f"asking {tree.name} …", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "tests.answers.collect", str(inputs), str(answers)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{tree.name} could not be asked:\n{done.stderr[-4000:]}")


def read_accepted(path: Path = ACCEPTED) -> list[Accepted]:
    """Read the differences that are meant, each with its reason."""
    return [Accepted(**line) for line in json.loads(path.read_text(encoding="utf-8"))]


def judge(differences: Sequence[Difference], accepted: Sequence[Accepted], n_answers: int, *, is_whole: bool) -> int:
    """Print what differs and was not accepted, and what was accepted but does not differ; return the exit code.

    is_whole : every job was asked, so that each accepted difference must be there.
    """
    unmeant = [one for one in differences if not any(line.covers(one) for line in accepted)]
    used = {line for line in accepted for difference in differences if line.covers(difference)}
    unused = [line for line in accepted if line not in used] if is_whole else []
    for difference in unmeant[:SHOWN]:
        print(difference)
    for line in unused:
        print(f"accepted, but nothing differs: {line.file} {line.place}: {line.reason}")
    n_accepted = len(differences) - len(unmeant)
    print(f"{n_answers:,} answers: {len(unmeant):,} differences, {n_accepted:,} more accepted.")
    return 1 if unmeant or unused or not n_answers else 0


if __name__ == "__main__":
    sys.exit(main())
