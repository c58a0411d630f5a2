"""The check of the packages: what is installed is what was accepted, and a stranger among them is told."""

import json
import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from scripts import audit


def test_every_needed_package_is_accepted_as_installed():
    wanted = audit.pins((audit.ROOT / "requirements.txt").read_text(encoding="utf-8"))
    accepted = audit.pins(audit.ACCEPTED.read_text(encoding="utf-8"))
    installed = audit.needed(wanted)
    assert {"streamlit", "starlette", "numpy", "markupsafe"} <= set(installed)
    assert audit.not_accepted(installed, accepted) == []
    assert {name: accepted[name] for name in wanted} == wanted


def answer(packages: list[Any]) -> SimpleNamespace:
    return SimpleNamespace(stdout=json.dumps({"dependencies": packages}))


CLEAN = {"name": "numpy", "version": "1", "vulns": []}
BAD = {"name": "numpy", "version": "1", "vulns": [{"id": "ADVISORY-1"}]}
UNKNOWN = {"name": "numpy", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (answer([CLEAN]), []),
        (answer([CLEAN, BAD]), ["numpy 1: ADVISORY-1"]),
        (answer([BAD, UNKNOWN]), None),
        (SimpleNamespace(stdout=""), None),
    ],
)
def test_service_counts_only_with_all_packages(monkeypatch, said, wanted):
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: said)
    assert audit.asked() == wanted


@pytest.mark.parametrize(("known", "code"), [(None, 0), ([], 0), (["numpy 1: ADVISORY-1"], 1)])
def test_a_known_vulnerability_fails_the_check(monkeypatch, capsys, known, code):
    monkeypatch.setattr(audit, "asked", lambda: known)
    assert audit.main() == code
    assert ("ADVISORY-1" in capsys.readouterr().err) == bool(code)


def test_a_package_that_nobody_accepted_fails_the_check(monkeypatch, capsys):
    monkeypatch.setattr(audit, "asked", lambda: None)
    monkeypatch.setattr(audit, "needed", lambda _names: {"stranger": "1.0"})
    assert audit.main() == 1
    assert "stranger 1.0 is installed, no version was accepted" in capsys.readouterr().err
