"""Run commands in the tests' own process."""

import json

import pytest

from cli import main


@pytest.fixture
def run_score(capsys, read_here):
    """Run `score`; returns the JSON it prints, or its text, or its error where a code is expected."""

    def score(*arguments, code=0):
        assert main(["score", *map(str, arguments)]) == code
        out, err = capsys.readouterr()
        return err if code else json.loads(out) if "--json" in arguments else out

    return score
