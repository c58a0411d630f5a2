"""The command line as a program: it starts fast, ends with a code, and prints on any terminal."""

import argparse
import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli import _parser, main, program
from command.option_files import READ_FILES
from data.process import child_process
from tests.ceiling import CEILING_SECONDS
from tests.command.scored import made
from tests.csv_files import write_csv

ROOT = Path(__file__).resolve().parents[1]


def test_command_imports_no_other_command():
    code = "import sys, cli; cli._parser(['run']); print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    others = {"command.score", "command.agree", "command.compare", "command.report", "scipy.stats", "pandas"}
    assert not others & set(found.stdout.split()), found.stdout


def test_score_imports_neither_pandas_nor_scipy(tmp_path):
    """They take longer to import than everything else that `score` does; slices and comparisons need SciPy alone."""
    (tmp_path / "p.csv").write_text("truth,prediction,p_yes\nyes,yes,0.9\nno,yes,0.7\nno,no,0.2\nyes,no,0.4\n")
    for name, rows in (("old", "a,a,eu\na,b,us\nb,b,eu\n"), ("new", "a,a,eu\na,a,us\nb,b,eu\n")):
        (tmp_path / f"{name}.csv").write_text("truth,prediction,region\n" + rows * 9)
    code = (
        "import sys, cli; print(cli.program(['score', 'p.csv']), *sys.modules);"
        "cli.program(['score', 'old.csv']); cli.program(['compare', 'old.csv', 'new.csv']); print(*sys.modules)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    modules = set(printed.splitlines()[-1].split())
    assert {"metrics.slices.slices", "export.compare.pull_request"} < modules and "pandas" not in modules
    code, *modules = next(line for line in printed.splitlines() if line.startswith("0 ")).split()
    assert "Accuracy" in printed and code == "0" and "data.runs.limited_reading" in modules
    unneeded = {
        "pandas", "scipy", "sklearn", "streamlit", "plotly", "numpy.ma", "encodings.cp932", "pyarrow.dataset",
        "pyarrow.compute", "data.building.build", "data.engines.query", "data.store.links", "command.decisions",
    }  # fmt: skip
    assert not unneeded & set(modules)


READING = """
import sys
from data.process.limits import Limits
from data.reading.reading_job import read_facts, read_tables
from data.runs.draft import Given
from data.runs.understanding import understand
job = {"files": [(sys.argv[1], "p.csv")], "out": sys.argv[2], "reader": "data.reading.dispatch:read_table"}
table, facts = read_tables(job, Limits(), lambda *_: None)[0]
print(understand([table], [read_facts(facts)], Given()).evaluation.n_rows, *sys.modules)
"""


@pytest.mark.parametrize(
    ("code", "needed", "unneeded"),
    [
        ("import sys, cli; print(*sys.modules)", "data.process.child_process", {"numpy", "pyarrow"}),
        (READING, "data.building.build", {"pandas", "dateutil", "numpy.ma", "metrics", "export"}),
    ],
    ids=["command line", "process that reads"],
)
def test_start_imports_only_what_it_uses(code, needed, unneeded, tmp_path):
    """The command line starts the process that reads before it imports NumPy itself; neither waits for the rest."""
    (tmp_path / "p.csv").write_text("truth,prediction,p_yes\nyes,yes,0.9\nno,yes,0.7\nno,no,0.2\nyes,no,0.4\n")
    command = [sys.executable, "-c", code, str(tmp_path / "p.csv"), str(tmp_path)]
    modules = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert needed in modules and not unneeded & set(modules)


def test_program_reads_in_the_first_process(monkeypatch, tmp_path, capsys):
    started = []

    def start(*functions: str | None) -> subprocess.Popen:
        started.append(functions)
        return start_child(*functions)

    start_child = child_process._start
    monkeypatch.setattr(child_process, "_start", start)
    monkeypatch.setattr(child_process, "_started_ahead", {})
    (tmp_path / "p.csv").write_text("truth,prediction\na,a\nb,a\n")
    assert program(["score", str(tmp_path / "p.csv")]) == 0 and "Accuracy" in capsys.readouterr().out
    assert len(started) == 1 and not child_process._started_ahead


def test_a_wrong_call_ends_with_2(capsys):
    for arguments in ([], ["score"], ["score", "x.csv", "--threshold", "high"]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_stopped_command_says_so(monkeypatch, capsys, tmp_path):
    def stop(_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("command.score.read", stop)
    assert main(["score", str(tmp_path)]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_unknown_option_names_its_command(capsys):
    with pytest.raises(SystemExit):
        main(["plan", "--accuracy", "0.8", "--difference", "0.02", "--push", "x"])
    assert "Unrecognized arguments: --push x; python cli.py plan --help lists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--limit", "Argument --limit: 'x' is no whole number, such as 100; python cli.py run --help lists"),
        ("--timeout", "Argument --timeout: 'x' is no number, such as 0.5; python cli.py run --help lists"),
    ],
)
def test_option_without_its_number_is_a_sentence(option, sentence, capsys):
    with pytest.raises(SystemExit):
        main(["run", "p.csv", option, "x"])
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("given", [[], ["--compare", "second.csv"], ["--labels", "second.csv"]])
def test_report_keeps_files_it_reads(given, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    files = [
        write_csv(tmp_path / name, {"y_true": ["a", "b"], "y_pred": ["a", "a"]}) for name in ("p.csv", "second.csv")
    ]
    before = [file.read_bytes() for file in files]
    output = f"../{tmp_path.name}/{'second' if given else 'p'}.csv"
    assert main(["report", "p.csv", *given, "-o", output]) == 2
    assert "this file is read, and would be lost" in capsys.readouterr().err
    assert [file.read_bytes() for file in files] == before


def test_report_replaces_a_file_called_like_a_column(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    write_csv(tmp_path / "p.csv", {"y_true": ["a", "b"], "y_pred": ["a", "a"]})
    (tmp_path / "y_true").write_text("an older report")
    assert main(["report", "p.csv", "--truth", "y_true", "-o", "y_true"]) == 0
    assert "an older report" not in (tmp_path / "y_true").read_text()


@pytest.mark.parametrize("command", ["report", "run", "judge"])
def test_options_of_files_are_those_that_are_read(command):
    [commands] = [action for action in _parser([command])._actions if isinstance(action, argparse._SubParsersAction)]
    options = commands.choices[command]._actions
    files = {option.dest for option in options if "FILE" in str(option.metavar)} - {"output"}
    assert files <= set(READ_FILES)


INTERRUPTED_IMPORT = """
import runpy, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[2]:
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run in the background inherit another one
sys.meta_path.insert(0, Interrupt())
runpy.run_path(sys.argv[1], run_name="__main__")
"""


@pytest.mark.parametrize("program, module", [("cli.py", "data.errors"), ("cli.py", "data"), ("server.py", "streamlit")])
def test_interrupted_imports_print_nothing(program, module):
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, program, module]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=CEILING_SECONDS, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def run(*arguments, **environment) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *map(str, arguments)],
        capture_output=True, timeout=CEILING_SECONDS, check=False, env={**os.environ, **environment},
    )  # fmt: skip


def test_json_prints_on_any_terminal(tmp_path):
    file = tmp_path / "p.csv.gz"
    file.write_bytes(gzip.compress("y_true;y_pred\nœuf;œuf\nblé;œuf\n".encode()))
    done = run("score", file, "--json", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0 and done.stderr == b""
    assert json.loads(done.stdout)["classes"] == ["blé", "œuf"]
    assert b"Accuracy" in run("score", file, PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout


def test_the_program_ends_with_2_and_one_sentence(tmp_path):
    (tmp_path / "empty.csv").touch()
    done = run("score", tmp_path / "empty.csv", "--json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().count("\n") == 1 and b"empty.csv" in done.stderr


def test_closed_pipe_is_no_failure(tmp_path):
    truth, pred, _ = made()
    file = write_csv(tmp_path / "p.csv", {"y_true": truth, "y_pred": pred})
    command = f'"{sys.executable}" "{ROOT / "cli.py"}" score "{file}" --json | true; echo ${{PIPESTATUS[0]}}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=CEILING_SECONDS, check=False)
    assert done.stdout.strip() == "0" and done.stderr == ""
