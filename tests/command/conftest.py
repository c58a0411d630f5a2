"""Run commands in the tests' own process."""

import json
from pathlib import Path

import pytest

from cli import main

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run_command(capsys):
    """Run a command; returns the JSON it prints, or its text, or its one sentence where code 2 is expected."""

    def run(command, *arguments, code=0):
        assert main([command, *map(str, arguments)]) == code
        out, err = capsys.readouterr()
        if code == 2:
            assert out == "" and err.count("\n") == 1 and len(err) < 400
            return err
        return json.loads(out) if "--json" in arguments else out + err

    return run


@pytest.fixture
def run_score(run_command, read_here):
    return lambda *arguments, **expected: run_command("score", *arguments, **expected)


@pytest.fixture
def run(capsys):
    """Score files in this process; JSON as every strict parser reads it."""

    def score(*arguments) -> dict:
        assert main(["score", *map(str, arguments), "--json"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))

    return score


@pytest.fixture
def refused(capsys):
    """Score files that cannot be scored; returns the sentence."""

    def score(*arguments) -> str:
        assert main(["score", *map(str, arguments)]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.endswith("\n") and err.count("\n") == 1
        assert len(err) < 500 and "Traceback" not in err and str(ROOT) not in err
        return err.strip()

    return score
