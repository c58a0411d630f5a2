"""`cli.py open` hands a file to the server of this machine without an upload, and starts one if none runs."""

import http.server
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest

import cli
from command.open_file import is_ours
from data.errors import DataError
from data.runs import load
from data.store import links
from tests.free_port import free_port

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "preds.csv"
    path.write_text("label,prediction\n" + "".join(f"{'ab'[i % 2]},a\n" for i in range(20)), encoding="utf-8")
    return path


def test_open_starts_a_server_and_ends_it(file, tmp_path, monkeypatch, own_store, capsys):
    port = free_port()
    monkeypatch.setenv("PORT", str(port))
    command = [sys.executable, str(ROOT / "cli.py"), "open", str(file), "--no-browser"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as started:
        try:
            assert started.stdout is not None
            address = started.stdout.readline().strip()
            run = re.fullmatch(rf"http://127\.0\.0\.1:{port}/overview\?run=([\w-]+)", address)
            assert run and links.open_link(run[1]).kind == "draft"
            with urllib.request.urlopen(address) as page:
                assert page.status == 200
            assert cli.main(["open", str(file), "--no-browser", "--cluster", "label"]) == 0
            again = capsys.readouterr().out.strip()
            assert again.startswith(f"http://127.0.0.1:{port}/overview?run=")
            assert load.draft_of(again.partition("run=")[2]).settings.cluster == "label"
        finally:
            started.terminate()
    assert started.returncode == 128 + signal.SIGTERM and not is_ours(port)


def test_open_refuses_a_foreign_program_at_the_port():
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as other:
        threading.Thread(target=other.handle_request, daemon=True).start()
        with pytest.raises(DataError, match="Another program answers at port"):
            is_ours(other.server_port)


@pytest.mark.parametrize(("name", "value", "said"), [
    ("BLINDSPOT_DRAFT_HOURS", "0", "memory only"), ("BLINDSPOT_ADDRESS", "0.0.0.0", "not on this machine only"),
])  # fmt: skip
def test_open_needs_a_server_of_this_machine(file, monkeypatch, capsys, name, value, said):
    monkeypatch.setenv(name, value)
    assert cli.main(["open", str(file), "--no-browser"]) == 2 and said in capsys.readouterr().err
