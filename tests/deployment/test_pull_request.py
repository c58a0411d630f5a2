"""The action's own steps, run as a runner runs them: summary, one comment, gate, forks and hostile names."""

import http.server
import importlib
import json
import os
import re
import runpy
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

ROOT = Path(__file__).parents[2]
ACTION = importlib.import_module("yaml").safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INSTALL = "Install Blindspot beside the job's own packages"
REPOSITORY = "team/models"


class Comments(http.server.BaseHTTPRequestHandler):
    """The part of GitHub's interface that the action uses; `refuse_with` is the code of a refusal."""

    comments: ClassVar[list[dict[str, Any]]]
    refuse_with: ClassVar[int]
    tokens: ClassVar[set[str]]

    def _answer(self, body: Any, code: int = 200) -> None:
        type(self).tokens.add(self.headers["Authorization"])
        self.send_response(self.refuse_with or code)
        self.end_headers()
        self.wfile.write(json.dumps({"message": "no"} if self.refuse_with else body).encode())

    def _body(self) -> str:
        return str(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"])

    def do_GET(self) -> None:
        page = int(re.search(r"[?&]page=(\d+)", self.path)[1])  # type: ignore[index]
        assert self.path.startswith(f"/repos/{REPOSITORY}/issues/418/comments?")
        self._answer(self.comments[(page - 1) * 100 : page * 100])

    def do_POST(self) -> None:
        assert self.path == f"/repos/{REPOSITORY}/issues/418/comments"
        made = {
            "id": 1000 + len(self.comments),
            "body": self._body(),
            "user": {"type": "Bot"},
            "html_url": "https://x/1",
        }
        if not self.refuse_with:
            self.comments.append(made)
        self._answer(made, 201)

    def do_PATCH(self) -> None:
        number, text = int(self.path.rpartition("/")[2]), self._body()
        (comment,) = [comment for comment in self.comments if comment["id"] == number]
        comment["body"] = text
        self._answer(comment)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def github() -> Iterator[type[Comments]]:
    """A server that keeps comments."""
    handler = type("OwnComments", (Comments,), {"comments": [], "tokens": set(), "refuse_with": 0})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    handler.address = f"http://127.0.0.1:{server.server_port}"  # type: ignore[attr-defined]
    yield handler
    server.shutdown()
    server.server_close()


class Job:
    """A job of one checkout: its runner's files, and the steps of the action with inputs."""

    def __init__(self, folder: Path, address: str, *, fork: bool = False, event: str = "pull_request") -> None:
        self.temp, self.work = folder / "temp", folder / "work"
        self.work.mkdir(parents=True)
        commands = self.temp / "blindspot" / "bin"
        commands.mkdir(parents=True)
        for name, text in (("python", '"$@"'), ("blindspot-eval", f'"{ROOT / "cli.py"}" "$@"')):
            (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {text}\n')
            (commands / name).chmod(0o755)
        head = {"repo": {"full_name": "stranger/models" if fork else REPOSITORY}}
        pull_request = {"number": 418, "head": head, "base": {"repo": {"full_name": REPOSITORY}}}
        (self.temp / "event.json").write_text(json.dumps({"pull_request": pull_request}))
        self.environment = {
            "RUNNER_TEMP": str(self.temp), "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(self.temp / "event.json"), "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_API_URL": address, "GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(self.temp / "summary"),
        }  # fmt: skip

    def run(self, **inputs: str) -> tuple[int, str]:
        """Run every step but the installation; returns the code of the step that fails (0), and what was printed."""
        known = {name: str(one.get("default", "")) for name, one in ACTION["inputs"].items()} | inputs
        outputs: dict[str, str] = {}
        printed = ""
        for step in ACTION["runs"]["steps"]:
            values = {f"inputs.{name}": value for name, value in known.items()} | outputs | {"github.token": "t0ken"}
            if step["name"] == INSTALL or not _holds(step.get("if", ""), values):
                continue
            file = self.temp / "outputs"
            file.write_text("")
            given = {name: _fill(text, values) for name, text in step.get("env", {}).items()}
            environment = {**os.environ, **self.environment, **given, "GITHUB_OUTPUT": str(file)}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                env=environment, cwd=self.work, capture_output=True, text=True, check=False,
            )  # fmt: skip
            printed += done.stdout + done.stderr
            lines = (line.partition("=") for line in file.read_text().splitlines())
            outputs |= {f"steps.{step.get('id')}.outputs.{name}": value for name, _, value in lines}
            if done.returncode:
                return done.returncode, printed
        return 0, printed

    @property
    def summary(self) -> str:
        return (self.temp / "summary").read_text()


def _fill(text: str, values: Mapping[str, str]) -> str:
    """Put in what the runner knows; a default may name a value again."""
    for _ in range(2):
        text = re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda sign: values.get(sign[1], ""), str(text))
    return text


def _holds(condition: str, values: Mapping[str, str]) -> bool:
    if not condition:
        return True
    name, wanted = re.fullmatch(r"([\w.-]+) == '(.*)'", condition).groups()  # type: ignore[union-attr]
    return values[name] == wanted


def write(path: Path, right: int, text: str = "row", name: str = "b") -> None:
    """Write 200 rows of two classes, of which so many are right; the wrong ones stand last."""
    rows = []
    for place in range(200):
        true = ("a", name)[place % 2]
        pred = true if place < right else ("a", name)[place % 2 - 1]
        rows.append(f"{place},{true},{pred},{text} {place}")
    path.write_text("\n".join(["id,label,prediction,text", *rows]), encoding="utf-8")


@pytest.fixture
def job(tmp_path: Path, github: Any) -> Job:
    """A pull request of this repository, whose new predictions are worse."""
    made = Job(tmp_path, github.address)
    write(made.work / "old.csv", 180)
    write(made.work / "new.csv", 120)
    return made


WORSE = {"predictions": "new.csv", "baseline": "old.csv", "fail-if": "accuracy worse\nrecall[a] < -0.05"}


def test_gate_fails_after_summary_and_comment(job: Job, github: Any):
    code, printed = job.run(**WORSE, rows="text")
    assert code == 1 and "https://x/1" in printed
    (comment,) = github.comments
    assert comment["body"].split() == ["<!--", "blindspot:", "comparison", "-->", *job.summary.split()]
    assert job.summary.startswith("### Gate fails: `accuracy worse` and 1 more condition")
    assert "**5 of 60 rows that `new.csv` breaks, different classes first**" in job.summary
    assert "| `row 120` | `a` | `b` |" in job.summary and "Recall falls by more than chance in 2 of 2" in job.summary
    assert github.tokens == {"Bearer t0ken"}


def test_second_run_edits_the_comment(job: Job, github: Any):
    stranger: dict[str, Any] = {"id": 7, "body": "<!-- blindspot: comparison -->\nmine", "user": {"type": "User"}}
    github.comments += [stranger, *({"id": 8, "body": "hi", "user": {"type": "Bot"}} for _ in range(120))]
    job.run(**WORSE)
    write(job.work / "new.csv", 185)
    assert job.run(**WORSE)[0] == 0
    ours = [comment for comment in github.comments if comment["id"] > 999]
    assert len(ours) == 1 and "No difference found between" in ours[0]["body"] and stranger["body"].endswith("mine")
    job.run(**WORSE, name="second model")
    assert [comment["body"].split("\n")[0] for comment in github.comments[-2:]] == [
        "<!-- blindspot: comparison -->", "<!-- blindspot: second-model -->",
    ]  # fmt: skip


def test_fork_gets_the_summary_alone(tmp_path: Path, github: Any):
    made = Job(tmp_path, github.address, fork=True)
    write(made.work / "old.csv", 180)
    write(made.work / "new.csv", 120)
    code, printed = made.run(**WORSE)
    assert code == 1 and "comes from a fork" in printed and not github.comments and not github.tokens
    assert made.summary.startswith("### Gate fails")


def test_event_with_a_writing_token_is_refused(tmp_path: Path, github: Any):
    made = Job(tmp_path, github.address, event="pull_request_target")
    code, printed = made.run(**WORSE)
    assert code == 2 and "::error::This action does not run on pull_request_target" in printed
    assert not github.comments


@pytest.mark.parametrize("refused", [403, 500])
def test_refused_comment_is_a_warning(job: Job, github: Any, refused: int):
    github.refuse_with = refused
    code, printed = job.run(**(WORSE | {"fail-if": ""}))
    assert code == 0 and f"::warning::The comparison was not commented: the server answered {refused}." in printed
    assert ("pull-requests: write" in printed) == (refused == 403)


def test_base_branch_is_the_baseline(job: Job, github: Any):
    for command in (
        "git init --quiet --initial-branch=main origin",
        "git -C origin config user.email a@b.c",
        "git -C origin config user.name a",
        "mkdir origin/out",
        "cp old.csv origin/out/preds.csv",
        "git -C origin add .",
        "git -C origin commit --quiet -m Predict",
        "git clone --quiet origin clone",
        "cp new.csv clone/out/preds.csv",
    ):
        subprocess.run(command.split(), cwd=job.work, check=True)
    job.work /= "clone"
    assert job.run(predictions="out/preds.csv")[0] == 0
    assert job.summary.startswith("### `preds.csv` is worse: accuracy 90.0 % → 60.0 %")
    assert "`main-preds.csv`" in job.summary
    code, printed = job.run(predictions="out/other.csv")
    assert code == 2 and "The base branch main has no out/other.csv" in printed


def test_names_command_nobody_and_nothing(job: Job, github: Any):
    hostile = "@team/all <b>![x](http://h/x.png) #12 ::error::"
    write(job.work / "old.csv", 180, f"{hostile} $(touch ran) `x`", hostile)
    write(job.work / "new.csv", 120, f"{hostile} $(touch ran) `x`", hostile)
    code, printed = job.run(**WORSE, rows="text", options=f"--filter=label={hostile}\n--metric=$(touch ran)")
    assert code == 2 and not (job.work / "ran").exists()
    assert [line for line in printed.splitlines() if line.startswith("::")] == [
        line for line in printed.splitlines() if line.startswith("::error::")
    ]
    assert job.run(**(WORSE | {"fail-if": ""}), rows="text")[0] == 0
    (comment,) = github.comments
    outside = re.sub(r"`[^`\n]*`", "", comment["body"].partition("\n")[2])
    assert hostile in comment["body"].replace("¦", "|") and not re.search(r"@\w|<b>|!\[|http://|(?<!#)#\d", outside)
    assert not (job.work / "ran").exists()


def test_steps_take_no_input_into_their_script():
    scripts = [step["run"] for step in ACTION["runs"]["steps"]]
    assert len(scripts) == 4 and not any("${{" in script for script in scripts)
    assert (ROOT / "client" / "pyproject.toml").exists() and "client[app]" in scripts[0]


def test_long_comment_loses_folded_tables_first():
    fit = runpy.run_path(str(ROOT / "scripts/pull_request/comment.py"))["fit"]
    folded = "\n\n<details>" + "x" * 500 + "</details>"
    note = "\n\nThe rest is longer than a comment may be; the summary of the job has all of it."
    assert fit("title" + folded, 600) == "title" + folded
    assert fit("title" + 2 * folded, 800) == "title" + folded + note
    assert fit("a\n\n" + "b " * 300, 300) == "a" + note and len(fit("c" * 900, 300)) == 300


def test_documented_workflow_names_inputs_of_the_action():
    guide = (ROOT / "docs/guide.md").read_text(encoding="utf-8")
    blocks = [block for block in re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL) if "/blindspot@" in block]
    assert blocks
    for block in blocks:
        (job,) = importlib.import_module("yaml").safe_load(block)["jobs"].values()
        (step,) = [step for step in job["steps"] if "/blindspot@" in step.get("uses", "")]
        assert step["with"].keys() <= ACTION["inputs"].keys()


def test_pull_request_without_base_is_explained(job: Job, github: Any):
    job.environment["GITHUB_BASE_REF"] = ""
    code, printed = job.run(predictions="new.csv")
    assert code == 2 and "::error::There is no base branch here" in printed
    code, printed = job.run(predictions="missing.csv", baseline="old.csv")
    assert code == 2 and printed.count("::error::") == 1 and "missing.csv" in printed
