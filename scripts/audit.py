"""Ask whether a package that the app is made of has a known vulnerability: `make check` runs it.

Where the vulnerability service answers, pip-audit asks it about every package of `constraints.txt`. Where it does not,
the packages installed must be exactly those of that list, whose first line says when they were accepted.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
ACCEPTED = ROOT / "constraints.txt"
SECONDS = 120


def pins(text: str) -> dict[str, str]:
    r"""Name and version of every line of a list of pinned packages.

    >>> pins("# accepted\nNumPy==2.4.6\nxlrd==1 ; python_version < '3'\n")
    {'numpy': '2.4.6', 'xlrd': '1'}
    """
    pinned = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;#]+)", text, flags=re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pinned}


def needed(names: Iterable[str]) -> dict[str, str]:
    """Return the installed version of packages and of all that they need on this machine."""
    versions: dict[str, str] = {}
    left = [canonicalize_name(name) for name in names]
    while left:
        name = left.pop()
        if name in versions:
            continue
        versions[name] = importlib.metadata.version(name)
        for text in importlib.metadata.requires(name) or ():
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                left.append(canonicalize_name(wanted.name))
    return versions


def not_accepted(installed: dict[str, str], accepted: dict[str, str]) -> list[str]:
    """Return a sentence for each package that is not as it was accepted.

    >>> not_accepted({"numpy": "2.4.6"}, {"numpy": "2.4.5"})
    ['numpy 2.4.6 is installed, 2.4.5 was accepted']
    """
    return [
        f"{name} {version} is installed, {accepted.get(name, 'no version')} was accepted"
        for name, version in sorted(installed.items())
        if accepted.get(name) != version
    ]


def asked() -> list[str] | None:
    """Return known vulnerabilities, a sentence each; None where the service cannot be asked about every package."""
    command = [sys.executable, "-m", "pip_audit", "-r", str(ACCEPTED), "--no-deps", "--disable-pip"]
    try:
        ran = subprocess.run(
            [*command, "--format", "json", "--progress-spinner", "off", "--timeout", "10"],
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        packages = json.loads(ran.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return None
    if any("skip_reason" in package for package in packages):
        return None
    return [f"{package['name']} {package['version']}: {bad['id']}" for package in packages for bad in package["vulns"]]


def main() -> int:
    """Return exit code 0 where nothing is known against what is installed, 1 with the reasons else."""
    accepted = ACCEPTED.read_text(encoding="utf-8")
    wrong = not_accepted(needed(pins((ROOT / "requirements.txt").read_text(encoding="utf-8"))), pins(accepted))
    known = asked()
    for sentence in [*wrong, *(known or ())]:
        print(f"audit: {sentence}", file=sys.stderr)
    how = "asked" if known is not None else "not to be reached, so that only that list counts"
    print(
        f"audit: {len(pins(accepted))} packages, {accepted.splitlines()[0].lstrip('# ')}; vulnerability service {how}"
    )
    return 1 if wrong or known else 0


if __name__ == "__main__":
    sys.exit(main())
