"""Run commands in the tests' own process."""

import json

import pytest

from cli import main


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
