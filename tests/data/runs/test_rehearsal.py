"""Test the rehearsal of reading: after it, an upload imports nothing any more."""

import subprocess
import sys

import pytest

from data.process import child_process
from data.runs.draft import Given
from data.runs.limited_reading import prepare_to_read, read_and_understand

_SCRIPT = """
import sys
from data.runs.rehearsal import rehearse
from data.process.limits import Limits
from data.runs import understanding
rehearse()
before = set(sys.modules)
given = understanding.Given().to_json()
arguments = {"files": [(sys.argv[1], "preds.csv")], "out": sys.argv[2], "options": None}
arguments |= {"reader": "data.reading.dispatch:read_table", "before": [], "given": given}
done = understanding.work(arguments, Limits(), lambda stage, share: None)
print(done["built"], sorted(set(sys.modules) - before))
"""


def test_upload_imports_nothing_after_rehearsal(tmp_path):
    path = tmp_path / "preds.csv"
    rows = "".join(f"{row},two words,cat,{('cat', 'dog')[row % 3 == 0]},0.{row % 97:02}\n" for row in range(6_000))
    path.write_text(f"id,text,truth,predicted,confidence\n{rows}", encoding="utf-8")
    answer = subprocess.run([sys.executable, "-c", _SCRIPT, path, tmp_path], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "True []"


@pytest.mark.parametrize("megabytes", [1024, 1340])
@pytest.mark.parametrize("waits", [False, True])
def test_little_memory_is_enough_for_an_upload(tmp_path, monkeypatch, megabytes, waits):
    monkeypatch.setenv("BLINDSPOT_READING_MB", str(megabytes))
    monkeypatch.setattr(child_process, "_started_ahead", {})
    (tmp_path / "preds.csv").write_text("truth,predicted\n" + "cat,cat\ndog,cat\n" * 50, encoding="utf-8")
    if waits:
        prepare_to_read()
    _, understood = read_and_understand([(tmp_path / "preds.csv", "preds.csv")], tmp_path, Given())
    assert understood.evaluation is not None and not child_process._started_ahead
