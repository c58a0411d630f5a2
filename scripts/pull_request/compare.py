"""Compare two files of predictions in a job of GitHub Actions; the summary and a file get the Markdown.

Reads PREDICTIONS, BASELINE ("" = the same path on the base branch), LABELS, FAIL_IF, ROWS, OPTIONS and SERVER. Ends
with 0 where there is a comparison, whatever the gate says: the output `code` has that, and the comment comes before.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_FAILED = 2


class NotCompared(Exception):
    """Nothing can be compared; the message is a sentence for a person."""


def main() -> int:
    """Compare, and write summary, file and outputs."""
    try:
        text, code = compare()
    except NotCompared as error:
        print(f"::error::{_in_one_line(str(error))}")
        return _FAILED
    file = Path(os.environ["RUNNER_TEMP"]) / "blindspot-comparison.md"
    file.write_text(text, encoding="utf-8")
    _append("GITHUB_STEP_SUMMARY", text)
    _append("GITHUB_OUTPUT", f"file={file}\ncode={code}")
    return 0


def compare() -> tuple[str, int]:
    """Return the comparison as Markdown, and 1 where a condition holds.

    Raises
    ------
    NotCompared
        a file cannot be read, or the event would run a stranger's files with a token that may write.
    """
    if os.environ.get("GITHUB_EVENT_NAME") == "pull_request_target":
        raise NotCompared(
            "This action does not run on pull_request_target, whose token may write while a stranger's branch is "
            "checked out. Use pull_request: a fork gets the job summary."
        )
    predictions = os.environ["PREDICTIONS"]
    baseline = os.environ.get("BASELINE") or _take_from_base_branch(predictions)
    command = ["blindspot-eval", "compare", "--markdown", *_options(), "--", baseline, predictions]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    for line in done.stderr.splitlines():
        print(f"compare: {line}")  # never a line that begins with :: and so commands the runner
    if done.returncode not in (0, 1):
        raise NotCompared(done.stderr.strip() or f"compare ended with {done.returncode}.")
    return done.stdout, done.returncode


def _options() -> list[str]:
    options = [f"--fail-if={condition}" for condition in _lines("FAIL_IF")]
    for name, option in (("LABELS", "--labels"), ("ROWS", "--rows"), ("SERVER", "--to")):
        if os.environ.get(name):
            options.append(f"{option}={os.environ[name]}")
    return [*options, *_lines("OPTIONS")]


def _lines(name: str) -> list[str]:
    return [line.strip() for line in os.environ.get(name, "").splitlines() if line.strip()]


def _take_from_base_branch(path: str) -> str:
    """Return a copy of a file as the base branch has it."""
    branch = os.environ.get("GITHUB_BASE_REF", "")
    if not branch:
        raise NotCompared("There is no base branch here, so name the file to compare with: the input `baseline`.")
    fetched = _git("fetch", "--quiet", "--depth=1", "origin", f"refs/heads/{branch}")
    if fetched.returncode:
        raise NotCompared(f"The base branch {branch} cannot be fetched; check out this repository before this action.")
    shown = _git("show", f"FETCH_HEAD:./{path}")
    if shown.returncode:
        raise NotCompared(f"The base branch {branch} has no {path}; name the file to compare with: `baseline`.")
    folder = Path(os.environ["RUNNER_TEMP"]) / "blindspot-base"
    folder.mkdir(exist_ok=True)
    copy = folder / f"{branch.replace('/', '-')}-{Path(path).name}"
    copy.write_bytes(shown.stdout)
    return str(copy)


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], capture_output=True, check=False)


def _append(name: str, text: str) -> None:
    """Append to a file that the runner names."""
    with open(os.environ[name], "a", encoding="utf-8") as file:
        file.write(f"{text}\n")


def _in_one_line(text: str) -> str:
    """Return a text as the runner reads it: its own line breaks would begin new commands."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


if __name__ == "__main__":
    sys.exit(main())
