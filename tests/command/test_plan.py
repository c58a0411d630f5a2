"""The command plan says how many rows tell two accuracies apart."""

import json

import pytest

from cli import main


def test_plan_prints_rows_paired_and_unpaired(capsys):
    options = ["plan", "--accuracy", "0.6", "--difference", "0.1", "--disagreement", "0.3"]
    assert main(options) == 0
    assert "To tell 0.6 from 0.7 you need 234 paired rows, or 356 rows each, unpaired." in capsys.readouterr().out
    assert main([*options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"] == {"paired": 234, "unpaired": 356} and found["disagreement_assumed"] is False


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--accuracy", "0.95", "--difference", "0.1"], "must lie between 0 and 1"),
        (["--accuracy", "0.8", "--difference", "0"], "must lie between 0 and 1 and differ"),
        (["--accuracy", "0.8", "--difference", "0.1", "--disagreement", "0.05"], "in a share of 0.1 to 0.3 of the"),
        (["--accuracy", "0.95", "--difference", "0.02", "--disagreement", "0.5"], "in a share of 0.02 to 0.08 of the"),
        (["--accuracy", "0.8", "--difference", "0.1", "--power", "80"], "--power 80 is no share"),
    ],
)
def test_impossible_plans_are_one_sentence(capsys, options, words):
    assert main(["plan", *options]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(("right", "other"), [(16, 18), (3, 4), (9, 12), (12, 9)])
def test_disagreement_is_one_that_rows_can_have(capsys, right, other):
    """Every way in which two models can be right in so many of 20 rows, row by row."""
    possible = {
        right + other - 2 * both for both in range(21) if both <= min(right, other) and right + other - both <= 20
    }
    options = ["plan", "--accuracy", f"{right / 20}", f"--difference={(other - right) / 20}", "--disagreement"]
    same_parity = range((right + other) % 2, 21, 2)
    assert {n for n in same_parity if main([*options, f"{n / 20}"]) == 0} == possible
    capsys.readouterr()
