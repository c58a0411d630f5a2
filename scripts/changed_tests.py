"""Print the test files that matter for what changed since a revision (default: main), one a line.

`make fast` runs them: tests that stand beside a changed module or import it, and the tests of the architecture.
Browser tests are left out.
"""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALWAYS = ("tests/test_architecture.py", "tests/test_repository.py")
SLOW = ("tests/browser/", "tests/reliability/", "tests/deployment/", "tests/benchmarks/")


def main() -> int:
    """Print the tests; a revision may be given."""
    base = sys.argv[1] if len(sys.argv) > 1 else "main"
    print("\n".join(tests_for(changed_files(base))))
    return 0


def changed_files(base: str) -> set[str]:
    """Return the files that differ from where this branch left `base`, uncommitted and new ones included."""
    start = _git("merge-base", "HEAD", base) or ["HEAD"]
    return {*_git("diff", "--name-only", start[0]), *_git("ls-files", "--others", "--exclude-standard")}


def _git(*arguments: str) -> list[str]:
    result = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return result.stdout.split("\n")[:-1]


def tests_for(changed: set[str]) -> list[str]:
    """Return the test files that are changed themselves, stand beside a changed module or import it.

    >>> tests_for({"LICENSE"}) == sorted(ALWAYS)
    True
    >>> "tests/metrics/confusion/test_counts.py" in tests_for({"metrics/confusion/counts.py"})
    True
    """
    modules = {name.removesuffix(".py").replace("/", ".") for name in changed if name.endswith(".py")}
    mirrors = {f"tests/{name.rpartition('/')[0]}/test_{name.rpartition('/')[2]}" for name in changed}
    tests = {
        test
        for path in (ROOT / "tests").rglob("test_*.py")
        if not (test := path.relative_to(ROOT).as_posix()).startswith(SLOW)
        and (test in changed or test in mirrors or imported_by(path) & modules)
    }
    return sorted({*tests, *ALWAYS})


@functools.cache
def imported_by(path: Path) -> set[str]:
    """Return the names of modules, and of what is taken from them, that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


if __name__ == "__main__":
    sys.exit(main())
