"""The server's command line, how the middleware is put together, and the settings it relies on."""

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from streamlit import config

import server
from ui.limits import MAX_TEXT_CHARS
from ui.view.pages import PAGES
from web.limits import MESSAGE_BYTES
from web.site import Site
from web.start import streamlit_options

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("arguments", "environment", "wanted"),
    [([], {}, 8501), ([], {"PORT": "9000"}, 9000), ([], {"PORT": ""}, 8501), (["--port", "0"], {"PORT": "9000"}, 0)],
)
def test_the_port_is_the_one_asked_for(monkeypatch, arguments, environment, wanted):
    monkeypatch.delenv("PORT", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert server.parse_port(arguments) == wanted


@pytest.mark.parametrize("port", ["eighty", "-1", "65536"])
def test_a_port_that_cannot_be_is_refused(port, capsys):
    with pytest.raises(SystemExit):
        server.parse_port([f"--port={port}"])
    assert port in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("PORT", "eighty", "PORT is 'eighty', but a whole number"),
        ("BLINDSPOT_ROWS", "many", "BLINDSPOT_ROWS is 'many', but a whole number"),
        ("BLINDSPOT_URL", "blindspot.example.org", "but an address such as https://"),
        ("BLINDSPOT_ADDRESS", "0.0.0.0", "although nobody has to log in"),
        ("BLINDSPOT_ADDRESS", "nowhere.invalid", "although nobody has to log in"),
        ("BLINDSPOT_STORE", "server.py/store", "'server.py/store'. The server's store is a file or lies in one, where"),
        ("BLINDSPOT_STORE", "server.py", "'server.py'. The server's store is a file or lies in one, where a folder"),
        ("BLINDSPOT_STORE", "nothing://there", "nothing is installed that reads nothing:// addresses"),
        ("BLINDSPOT_SOURCES", "nowhere.toml", "BLINDSPOT_SOURCES names a file that cannot be read"),
        ("BLINDSPOT_SOURCES", "server.py", "The list of sources is no TOML"),
    ],
)
def test_wrong_setting_stops_with_one_sentence(monkeypatch, capsys, name, text, says):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv(name, text)
    monkeypatch.setattr(sys, "argv", ["server.py"])
    with pytest.raises(SystemExit) as ended:
        server.main()
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert says in told and told.count("\n") == 1


def test_command_line_ends_without_traceback(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_ADDRESS", "0.0.0.0")
    ended = subprocess.run([sys.executable, "server.py", "--port", "0"], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr.startswith("BLINDSPOT_ADDRESS is '0.0.0.0', which opens Blindspot to a network")
    assert ended.stderr.count("\n") == 1 and ended.stdout == ""


def test_ctrl_c_ends_without_traceback(tmp_path):
    """Whatever runs the tests may ignore the signal, and its children with it: the script listens again."""
    script = (
        "import signal, sys, server; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "sys.argv = ['server.py', '--port', '0']; server.main()"
    )
    surroundings = {**os.environ, "BLINDSPOT_STORE": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    start = [sys.executable, "-c", script]
    pipe = subprocess.PIPE
    with subprocess.Popen(start, cwd=ROOT, env=surroundings, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        while "Press Ctrl+C" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.communicate() == ("", "")
    assert process.returncode == 0


def test_arrow_returns_its_memory():
    """Its other allocators keep what they once needed; which one it takes is decided while it is loaded."""
    script = "import server, pyarrow; print(pyarrow.default_memory_pool().backend_name)"
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout == "system\n"


def test_headers_are_outermost_and_hosts_checked_first():
    names = [part.__name__ for part in server.DOOR]
    assert names[:6] == ["SecurityHeaders", "Hosts", "LinkPages", "Peer", "Closed", "StaticFiles"]
    assert [middleware.cls for middleware in server.compose()._user_middleware] == server.DOOR


def test_every_page_has_its_address():
    assert set(server.PAGES) == set(PAGES)


def options(table, prefix=""):
    """(dotted name, value) of everything a TOML table sets."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from options(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


SETTINGS = dict(options(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))))


def test_every_setting_is_one_that_this_streamlit_knows():
    known = config._config_options_template
    assert [name for name in (*SETTINGS, *streamlit_options(Site(), 1)) if name not in known] == []


def test_the_settings_that_privacy_and_speed_hang_on():
    assert SETTINGS["browser.gatherUsageStats"] is False, "it calls a foreign host"
    assert SETTINGS["runner.postScriptGC"] is False, "a full collection after every run costs ten times the throughput"
    assert SETTINGS["global.maxCachedMessageAge"] > 2, "a page that is left while it is drawn stops"
    assert SETTINGS["server.address"] == Site().address == "127.0.0.1", "also under `streamlit run`"
    assert SETTINGS["client.showErrorDetails"] == "none"
    assert SETTINGS["client.showErrorLinks"] is False
    assert SETTINGS["client.disableDataExport"] is True, "a table's own CSV button writes formulas as they are"
    assert SETTINGS["server.maxWidgetStateSize"] * 1_000_000 == MESSAGE_BYTES >= 4 * MAX_TEXT_CHARS + 1_000_000
    assert SETTINGS["server.enableCORS"] is True and SETTINGS["server.enableXsrfProtection"] is True
    assert SETTINGS["server.enableAgentApi"] is False and SETTINGS["server.enableStaticServing"] is False
    assert not any("http" in str(value) for value in SETTINGS.values()), "fonts and themes come from nowhere else"


def test_what_people_use_decides_what_streamlit_is_told(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_UPLOAD_MB", "7")
    told = streamlit_options(Site("0.0.0.0", "https://example.org:8443/blindspot"), 9000)
    assert told["server.baseUrlPath"] == "/blindspot"
    assert told["server.address"] == "0.0.0.0" and told["server.port"] == 9000
    assert told["server.allowedHosts"] == ["localhost", "127.0.0.1", "::1", "example.org"]
    assert told["server.corsAllowedOrigins"] == ["https://example.org:8443"]
    assert told["browser.serverAddress"] == "example.org"
    assert told["server.maxUploadSize"] == 7


def test_a_laptop_lets_no_other_origin_in():
    told = streamlit_options(Site(), 8501)
    assert told["server.corsAllowedOrigins"] == [] and told["server.baseUrlPath"] == ""
    assert told["server.maxUploadSize"] == SETTINGS["server.maxUploadSize"], "the file shows the default"
