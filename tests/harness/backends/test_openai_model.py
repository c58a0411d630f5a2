"""A server of one's own is asked as the openai client does it; nothing is lost or asked twice, and no key leaks."""

import base64
import gzip
import json
import os
import random
import shlex
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pyarrow.parquet as pq
import pytest

from cli import main
from harness.answers import Answer, clean_answer
from harness.records import KeyMaker
from tests.ceiling import CEILING_SECONDS
from tests.harness.model_server import Reply, serving

pytest.importorskip("openai", reason="openai is not installed (requirements-models.txt)")

ROOT = Path(__file__).resolve().parents[3]
KEY = "sk-not-to-be-seen-anywhere-1234"
LONG = os.environ.get("RELIABILITY") == "long"


@pytest.fixture
def folder(tmp_path, monkeypatch, read_questions_here):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    write_questions(tmp_path, 40)
    return tmp_path


def write_questions(folder: Path, n: int) -> None:
    (folder / "q.csv").write_text("text,intent\n" + "".join(f"question {k},{'ab'[k % 2]}\n" for k in range(n)))
    (folder / "prompt.txt").write_text("{{ labels }} {{ text }}")


def number_in(prompt: str) -> int:
    return int(prompt.rpartition("question ")[2])


def right(prompt: str, before: int) -> Reply:
    return Reply("ab"[number_in(prompt) % 2])


def command(url: str, more: str = "") -> list[str]:
    return shlex.split(
        f"run q.csv --text text --truth intent --prompt prompt.txt -o p.parquet --model openai:m@{url} {more}"
    )


def ask(url: str, more: str = "") -> int:
    return main(command(url, more))


def rows() -> list[dict]:
    return pq.read_table("p.parquet").to_pylist()


def test_server_is_asked_greedily_once_a_row(folder, capsys):
    with serving(right) as server:
        assert ask(server.url, "--max-tokens 7") == 0
    assert set(server.asked.values()) == {1} and len(server.asked) == 40
    assert {(body["temperature"], body["max_tokens"], body["model"]) for body in server.sent} == {(0, 7, "m")}
    assert "accuracy 100.0 %" in capsys.readouterr().out
    assert all(row["latency_seconds"] > 0 and row["output_tokens"] == 1 for row in rows())


def test_calls_run_at_the_same_time(folder):
    together = threading.Barrier(4, timeout=CEILING_SECONDS)

    def wait_for_others(prompt: str, before: int) -> Reply:
        if number_in(prompt):  # the first row is asked alone
            together.wait()
        return right(prompt, before)

    write_questions(folder, 41)
    with serving(wait_for_others) as server:
        assert ask(server.url, "--concurrency 4") == 0  # with fewer at a time the barrier would never open


def test_errors_are_rows_with_a_reason(folder, capsys):
    special = {
        3: Reply("maximum context length is 8 tokens", 400, "context_length_exceeded"),
        4: Reply("the prompt was filtered", 400, "content_filter"),
        5: Reply("no", finish="content_filter"),
        6: Reply("bad", 422),
        7: Reply(None),
        8: Reply("a" * 16, finish="length"),
    }
    with serving(lambda prompt, before: special.get(number_in(prompt)) or right(prompt, before)) as server:
        assert ask(server.url) == 0
        assert set(server.asked.values()) == {1}
        found = [(row["error"] or "").partition(":")[0] for row in rows()]
        assert found[3:9] == ["too long", "refused", "refused", "not taken", "no answer", ""]
        assert found.count("") == 35 and rows()[8]["finish_reason"] == "length"
        out = capsys.readouterr().out
        assert "2 rows without a usable answer: refused." in out and "1 answer ended at --max-tokens" in out
        assert ask(server.url) == 0
        assert set(server.asked.values()) == {1}


def test_rate_limits_and_short_failures_are_waited_for(folder):
    def busy(prompt: str, before: int) -> Reply:
        if number_in(prompt) % 10 == 3 and not before:
            return Reply("slow down", 429, headers=(("Retry-After", "0.05"),))
        if number_in(prompt) % 10 == 4 and not before:
            return Reply("overloaded", 503, headers=(("Retry-After", "0.05"),))
        return right(prompt, before)

    with serving(busy) as server:
        assert ask(server.url) == 0
    assert [row["error"] for row in rows()] == [None] * 40
    assert sorted(set(server.asked.values())) == [1, 2]


def test_slow_row_is_a_timeout_and_asked_again(folder, monkeypatch):
    monkeypatch.setattr("harness.backends.openai_model.RETRIES", 0)
    slow = threading.Event()

    def behave(prompt: str, before: int) -> Reply:
        if number_in(prompt) == 9 and not before:
            slow.wait(CEILING_SECONDS)
        return right(prompt, before)

    with serving(behave) as server:
        assert ask(server.url, "--timeout 3") == 0
        slow.set()
        assert rows()[9]["error"] == "timeout: no answer within 3 s"
        assert ask(server.url) == 0
    assert rows()[9]["error"] is None and server.asked.total() == 41


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply("bad key", 401), "does not take the key; put the right one into OPENAI_API_KEY."),
        (Reply("no such model", 404), "has no model 'm', or no chat/completions below that address; check both."),
        (Reply("quota", 429, "insufficient_quota", (("x-should-retry", "false"),)), "quota of this key is used up"),
        (Reply("moved", 307, headers=(("Location", "http://127.0.0.1:1/v1"),)), "sends elsewhere; give that address."),
    ],
)
def test_server_that_cannot_be_used_ends_the_run(folder, capsys, reply, said):
    with serving(lambda prompt, before: reply) as server:
        assert ask(server.url) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert server.asked.total() == 1 and not Path("p.parquet").exists()


def test_outage_keeps_what_was_answered(folder, capsys, monkeypatch):
    monkeypatch.setattr("harness.backends.openai_model.RETRIES", 0)

    def until_twenty(prompt: str, before: int) -> Reply:
        return right(prompt, before) if number_in(prompt) < 20 else Reply("gone", 503)

    with serving(until_twenty) as server:
        url, port = server.url, server.server_address[1]
        assert ask(url, "--concurrency 1") == 2  # with several at once, 16 may fail before the first 20 have answered
        assert "failed on 16 rows in a row (server error: " in capsys.readouterr().err
    assert ask(url) == 2
    err = capsys.readouterr().err
    assert "cannot be reached; check the address and that the server runs" in err
    with serving(right, port) as server:
        assert ask(url) == 0
        assert len(server.asked) == 20 and set(server.asked.values()) == {1}
    assert [row["error"] for row in rows()] == [None] * 40


def test_unsupported_parameters_are_changed(folder):
    def newer(prompt: str, before: int) -> Reply:
        body = server.sent[-1]
        if "max_tokens" in body:
            return Reply("Unsupported parameter: use 'max_completion_tokens' instead", 400)
        return right(prompt, before)

    with serving(newer) as server:
        assert ask(server.url, "--concurrency 1") == 0
    assert server.asked.total() == 41 and "max_completion_tokens" in server.sent[-1]
    manifest = json.loads(Path("p.manifest.json").read_text())
    assert manifest["model_facts"]["sent"] == {"temperature": 0, "max_completion_tokens": 16}


def check_key_is_nowhere(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The key stands in no file of a folder and in nothing that was printed."""
    for path in folder.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes(), path
    printed = capsys.readouterr()
    assert KEY not in printed.out + printed.err


def test_key_reaches_the_server_and_nothing_else(folder, capsys):
    with serving(right) as server:
        assert ask(server.url) == 0
        assert server.keys == {f"Bearer {KEY}"}
    check_key_is_nowhere(folder, capsys)


def test_key_that_a_server_sends_back_is_hidden(folder, capsys):
    echoes = {
        2: Reply(f"{KEY} is a"),
        3: Reply(f"bad key {KEY}", 422),
        4: Reply(f"bad key {KEY}", 503, headers=(("x-should-retry", "false"),)),
        5: Reply(body=json.dumps({"model": KEY, "choices": [{"message": {"content": "b"}}]}).encode()),
    }
    with serving(lambda prompt, before: echoes.get(number_in(prompt)) or right(prompt, before)) as server:
        assert ask(server.url) == 0
    assert rows()[2]["answer"] == "[API key] is a" and rows()[3]["error"].startswith("not taken: ")
    check_key_is_nowhere(folder, capsys)


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
def test_key_is_hidden_in_other_forms(monkeypatch, before):
    key = "sk-live/0123456789+abcdefgh"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    whole = f"{before}{key}; more".encode()
    for text in (base64.b64encode(whole), base64.urlsafe_b64encode(whole), whole.hex().encode(), quote(whole).encode()):
        shown = clean_answer(Answer(text.decode())).raw
        assert "[API key]" in shown
        left = shown.replace("[API key]", "")
        assert len(left) <= 2 * len(f"{before}; more") + 8, "only what stands around it is left"


def test_key_is_hidden_where_a_run_ends(folder, capsys, monkeypatch):
    monkeypatch.setattr("harness.backends.openai_model.RETRIES", 0)
    with serving(lambda prompt, before: Reply(f"no {KEY}", 503)) as server:
        assert ask(server.url) == 2
    printed = capsys.readouterr()
    assert "[API key]" in printed.err and KEY not in printed.out + printed.err


@pytest.mark.parametrize("escape", ["\\u{:04X}", "\\u{:04x}", "%{:02x}", "\\\\u{:04x}"])
def test_escaped_key_is_hidden(monkeypatch, escape):
    key = "sk-live/0123456789+abcdefgh"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    whole, only_marks = ("".join(c if c.isalnum() and n else escape.format(ord(c)) for c in key) for n in range(2))
    encoded = base64.b64encode(key.encode()).decode().replace("/", "\\/").replace("=", "%3d")
    for text in (whole, only_marks, key.replace("/", "\\/"), encoded):
        assert clean_answer(Answer(f"<{text}>")).raw == "<[API key]>"
    assert clean_answer(Answer(whole[:-1])).raw == whole[:-1]


def test_half_characters_are_replaced(folder):
    with serving(
        lambda prompt, before: Reply("a \ud800") if number_in(prompt) == 3 else right(prompt, before)
    ) as server:
        assert ask(server.url) == 0
        assert rows()[3]["answer"] == "a \ufffd"
        records = Path("p.records.jsonl")
        records.write_text(records.read_text().replace("\\ufffd", "\\ud800"))  # as versions before wrote it
        assert ask(server.url) == 0
    assert rows()[3]["answer"] == "a \ufffd" and server.asked.total() == 40


def test_lying_servers_give_rows_with_a_reason(folder, monkeypatch):
    monkeypatch.setattr("harness.backends.openai_model.RETRIES", 0)
    monkeypatch.setattr("harness.backends.openai_model.MOST_BYTES", 1 << 20)
    packed = gzip.compress(b" " * (50 << 20))
    lies = {
        0: Reply(body=b"no gzip", headers=(("Content-Encoding", "gzip"),)),
        1: Reply(body=b"<html>Welcome</html>", headers=(("Content-Type", "text/html"),)),
        2: Reply(body=b"[]"),
        3: Reply(body=b"null"),
        4: Reply(body=b"[" * 100_000),
        5: Reply(body=b'{"choices": [{"message": {"content": ["a"]}}]}'),
        6: Reply(body=b" " * (2 << 20)),
        7: Reply(body=packed, headers=(("Content-Encoding", "gzip"),)),
        8: Reply(body=b" " * (2 << 20), status=400),
        9: Reply(body=b'{"error": ' + b"[" * 100_000, status=400),
        10: Reply(endless=True),
        11: Reply(body=b'{"choices": [{"message": {"content": "b"}}], "usage": {"prompt_tokens": "many"}}'),
        12: Reply(body=b"no gzip", headers=(("Content-Encoding", "gzip"),)),
        13: Reply(body=b"{}", headers=(("X-Long", "x" * 200_000),)),
    }
    with serving(lambda prompt, before: lies.get(number_in(prompt)) or right(prompt, before)) as server:
        assert ask(server.url, "--timeout 5") == 0
    errors = [(row["error"] or "").partition(":")[0] for row in rows()]
    wanted = [*["server error"] * 8, "not taken", "timeout", "", "server error", "server error"]
    assert errors[:14] == ["server error", *wanted] and not any(errors[14:])
    assert rows()[6]["error"] == "server error: the server sent more than 1 MB"
    assert rows()[11]["input_tokens"] is None and rows()[11]["answer"] == "b"


@pytest.mark.parametrize("body", [b"<html>Welcome</html>", b"[]", b"null", b"[" * 100_000])
def test_run_without_any_answer_is_a_problem(folder, capsys, monkeypatch, body):
    monkeypatch.setattr("harness.backends.openai_model.RETRIES", 0)
    with serving(lambda prompt, before: Reply(body=body)) as server:
        assert ask(server.url, "--limit 3") == 2
    wanted = f"No row was answered as a model does by {server.url} (server error: "
    out, err = capsys.readouterr()
    assert wanted in err and [row["error"] is None for row in rows()] == [False] * 3
    assert "3 rows, 3 errors" in out and "accuracy" not in out and "no label found" not in out


def test_reset_connection_is_a_server_error(folder, capsys, monkeypatch):
    monkeypatch.setattr("harness.backends.openai_model.RETRIES", 0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # its connections inherit it
        threading.Thread(target=reset_connections, args=(server,), daemon=True).start()
        assert ask(f"http://127.0.0.1:{server.getsockname()[1]}/v1", "--limit 3") == 2
        server.shutdown(socket.SHUT_RDWR)
    assert "No row was answered as a model does" in capsys.readouterr().err


def reset_connections(server: socket.socket) -> None:
    """Reset every connection once something was sent, until the server is shut down."""
    with suppress(OSError):
        while True:
            connection = server.accept()[0]
            connection.recv(1)
            connection.close()


@pytest.mark.parametrize("url", ["http://model.example.org/v1", "HTTP://model.example.org/v1"])
def test_key_is_not_sent_over_plain_http(folder, capsys, monkeypatch, url):
    assert ask(url) == 2
    assert "The key would be sent to model.example.org over plain http" in capsys.readouterr().err
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    assert main([*command("http://x")[:-1], "openai:m"]) == 2
    assert "The key would be sent to model.example.org over plain http" in capsys.readouterr().err
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert main([*command("http://x")[:-1], "openai:m"]) == 2
    assert "There is no key; put it into OPENAI_API_KEY" in capsys.readouterr().err


def test_killed_runs_lose_and_repeat_nothing(folder):
    """Kill the command at random moments: what is recorded is not asked again, and every row gets its answer."""
    n, kills, at_a_time = (2_000, 50, 8) if LONG else (150, 4, 8)
    write_questions(folder, n)
    moments, recorded, lost = random.Random(5), dict[str, int](), 0
    with serving(lambda prompt, before: right(prompt, before)._replace(seconds=0.02)) as server:
        for _ in range(kills):
            before = server.asked.total()
            started = subprocess.Popen(
                [sys.executable, str(ROOT / "cli.py"), *command(server.url)], stderr=subprocess.DEVNULL
            )
            wait_for(lambda before=before, run=started: server.asked.total() > before or run.poll() is not None)
            wait_for(
                lambda known=recorded: known or recorded_prompts(folder, n)
            )  # the first kill, on a disk that syncs slowly
            time.sleep(moments.uniform(0, 0.3 if LONG else 0.12))
            started.send_signal(signal.SIGKILL)
            started.wait()
            recorded |= {p: server.asked[p] for p in recorded_prompts(folder, n) if p not in recorded}
            lost += len(set(server.asked) - set(recorded)) + at_a_time  # and what the server had still to read
        assert ask(server.url) == 0
        assert recorded and {prompt: server.asked[prompt] for prompt in recorded} == recorded
        assert len(server.asked) == n
        assert server.asked.total() <= n + lost  # only what was on its way, or not yet on the disk, was asked twice
    assert [row["answer"] for row in rows()] == ["ab"[k % 2] for k in range(n)]
    assert len(recorded_prompts(folder, n)) == n


def recorded_prompts(folder: Path, n: int) -> list[str]:
    """The prompts whose answers stand in whole lines of the records, each once."""
    path = folder / "p.records.jsonl"
    header, *lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else [b"{}"]
    identity = {key: value for key, value in json.loads(header).items() if key != "blindspot_records"}
    prompts = {KeyMaker(identity)(prompt): prompt for k in range(n) for prompt in [f"('a', 'b') question {k}"]}
    keys = [json.loads(line)["key"] for line in lines]
    assert len(keys) == len(set(keys))
    return [prompts[key] for key in keys]


def wait_for(condition) -> None:
    end = time.monotonic() + CEILING_SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)
