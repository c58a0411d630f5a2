"""Write the answers of this tree about a folder of inputs, one file each: python -m tests.answers.collect INPUTS OUT.

A command's answer is what it printed, its complaint and its exit code; a report is kept beside it. A sample has the
files of Export, and for every page its title, its texts and the files of its downloads.
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import streamlit as st

import cli
from tests.answers import subject
from tests.answers.inputs import Job, read_jobs
from tests.corpus.case import SMALL

REPORT = "report.html"
_VIEWS: dict[str, tuple[dict[str, str], ...]] = {
    "overview": ({}, {"reading": "1"}),
    "thresholds": tuple({"tab": tab} for tab in ("explore", "choose", "calibration", "classes")),
    "slices": ({}, {"mode": "groups"}, {"mode": "time"}),
    "compare": ({}, {"with": "support-intents-llm"}),
}
"""The parts of a page that its link opens; a page that is not named here is opened once."""


def main() -> None:
    """Collect everything; what a tree cannot do is an answer, too."""
    inputs, answers = (Path(argument).resolve() for argument in sys.argv[1:3])
    with tempfile.TemporaryDirectory(prefix="blindspot-answers-") as store:
        os.environ["BLINDSPOT_STORE"] = store
        with contextlib.chdir(inputs):
            for job in read_jobs(inputs):
                ask(job, answers)


def ask(job: Job, answers: Path) -> None:
    """Ask one thing of the app; a job without arguments is about the pages of a sample."""
    if job.arguments:
        ask_command(job, answers)
    else:
        ask_sample(Path(job.name).name, answers / job.name)


def ask_command(job: Job, answers: Path) -> None:
    """Run one command in this process and keep what it said."""
    printed, complaint = io.StringIO(), io.StringIO()
    captured = contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaint)
    with captured[0], captured[1], subject.reading_here(SMALL if job.small else None):
        code = _exit_code(job)
    ending = "json" if "--json" in job.arguments and code == 0 else "txt"
    _write(answers / f"{job.name}.{ending}", printed.getvalue())
    _write(answers / f"{job.name}.exit.txt", f"{code}\n{complaint.getvalue()}")
    report = Path(REPORT)
    if report.exists():
        report.rename(answers / f"{job.name}.html")


def _exit_code(job: Job) -> int | str:
    try:
        return cli.main(list(job.arguments))
    except SystemExit as ended:
        return str(ended.code)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def ask_sample(run: str, answers: Path) -> None:
    """Keep the exported files of a sample, and the titles, texts and downloads of every page that shows it."""
    for name, content in subject.exported_files(run).items():
        _write(answers / "export" / name, content)
    for page in subject.PAGES:
        for view in _VIEWS.get(page, ({},)):
            ask_page(page, {"run": run, **view}, answers / "-".join([page, *view.values()]))


def ask_page(page: str, view: dict[str, str], answers: Path) -> None:
    """Keep what one view of a page says."""
    with _downloads() as files:
        app = subject.open_page(page, **view)
    _write(answers / "title.txt", "\n".join(title.value for title in app.title))
    _write(answers / "texts.txt", _without_tokens(subject.texts(app)))
    for name, make in files.items():
        _write(answers / name, make())


@contextlib.contextmanager
def _downloads() -> Iterator[dict[str, Callable[[], bytes]]]:
    """Note every file that a page hands out while it is drawn: name → what makes it."""
    files: dict[str, Callable[[], bytes]] = {}
    button: Any = st.download_button

    def note(label: str, data: Any, file_name: str, *arguments: Any, **options: Any) -> Any:
        files[file_name] = data if callable(data) else lambda: data
        return button(label, data, file_name, *arguments, **options)

    with mock.patch.object(st, "download_button", note):
        yield files


def _without_tokens(text: str) -> str:
    """Leave out what is drawn at random: tokens of links."""
    return re.sub(r"\b[A-Za-z0-9_-]{22,}\b", "TOKEN", text)


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)


if __name__ == "__main__":
    main()
