"""Install what `make dist` built into environments made from nothing, and use it there: `make try-dist`.

Every environment takes its packages from the package index, which no test waits for.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from data.version import VERSION
from tests.free_port import free_port

DIST = Path(__file__).resolve().parents[1] / "dist"
WHEEL, SOURCE = DIST / f"blindspot_eval-{VERSION}-py3-none-any.whl", DIST / f"blindspot_eval-{VERSION}.tar.gz"
BESIDE = (
    *([("pandas==1.5.*", "numpy==1.26.*", "pyarrow==15.*")] if sys.version_info < (3, 12) else []),
    ("pandas==2.*", "numpy==1.26.*", "pyarrow<26"),
    ("pandas==2.*", "numpy==2.*"),
    ("pandas==3.*", "numpy==2.*"),
)
"""Packages of a training that the client has to live with; pandas 1.5 has no wheels for Python 3.12."""
CLIENT = """
import numpy, pandas, pyarrow.parquet
from blindspot_eval import compute_metrics, save_predictions
truth = pandas.Series(["ham", "spam", "ham", "spam"], index=[7, 8, 9, 3]).astype("category")
scores = pandas.DataFrame({"ham": [0.9, 0.6, 0.7, 0.2], "spam": [0.1, 0.4, 0.3, 0.8]})
texts = pandas.Series(["x", None, "y", "z"])
path = save_predictions(None, scores, truth, "p.parquet", labels=["ham", "spam"], columns={"text": texts})
table = pyarrow.parquet.read_table(path)
assert table.column("prediction").to_pylist() == ["ham", "ham", "ham", "spam"]
assert table.column("text").to_pylist() == ["x", None, "y", "z"]
assert compute_metrics(["ham", "spam"])((scores.to_numpy(), numpy.array([0, 1, 0, 1])))["accuracy"] == 0.75
"""


def main() -> int:
    """Try every way to install; the first that fails ends it."""
    with tempfile.TemporaryDirectory(prefix="blindspot-") as name:
        folder = Path(name)
        (folder / "p.csv").write_text("truth,prediction\na,a\nb,a\na,a\nb,b\n", encoding="utf-8")
        for file in (WHEEL, SOURCE):
            commands = environment_with(folder / file.suffix[1:], [f"{file}[app]"])
            use([str(commands / "blindspot-eval")], folder, file.name)
        for place, packages in enumerate(BESIDE):
            commands = environment_with(folder / f"client-{place}", [*packages, str(WHEEL)])
            run([str(commands / "python"), "-W", "error", "-c", CLIENT], folder)
            print(f"The client works beside {', '.join(packages)}.")
        for runner in (["uvx", "--from"], ["pipx", "run", "--spec"]):
            if shutil.which(runner[0]):
                use([*runner, f"{WHEEL}[app]", "blindspot-eval"], folder, runner[0])
            else:
                print(f"{runner[0]} is not installed, so it was not tried.")
    return 0


def environment_with(folder: Path, packages: Sequence[str]) -> Path:
    """Make a virtual environment from nothing and install packages; returns where its commands are."""
    run([sys.executable, "-m", "venv", str(folder)], folder.parent)
    run([str(folder / "bin" / "pip"), "install", "--quiet", *packages], folder.parent)
    return folder / "bin"


def use(command: Sequence[str], folder: Path, name: str) -> None:
    """Score a file, and open it: a server has to answer with a page."""
    assert "0.750" in run([*command, "score", "p.csv"], folder)
    opening = [*command, "open", "p.csv", "--no-browser"]
    environment = clean_environment(folder) | {"PORT": str(free_port())}
    with subprocess.Popen(opening, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            with urllib.request.urlopen(server.stdout.readline().strip()) as page:
                assert page.status == 200 and b"<title>" in page.read()
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(30)
    print(f"{name}: score prints numbers, open serves a page.")


def run(command: Sequence[str], folder: Path) -> str:
    """Run a command outside of the repository; returns what it prints."""
    environment = clean_environment(folder)
    return subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


def clean_environment(home: Path) -> dict[str, str]:
    """Return this environment with a home of its own, and nothing that would lead to the repository."""
    left_out = ("BLINDSPOT", "PYTHON", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return kept | {"HOME": str(home)}


if __name__ == "__main__":
    sys.exit(main())
