"""`push` over a real server: the link opens the numbers of `score`; what fails is one sentence and exit code 2."""

import contextlib
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

import cli
from command import push as push_client
from data.runs import load
from data.runs.reading_options import OPTIONS
from data.sharing import api_keys
from data.sharing.push_fields import FIELDS
from data.store import links
from export.measurement import measure
from export.numbers import plain, scored_numbers
from tests.browser.driver import ROOT, Server, start_server
from tests.ceiling import CEILING_SECONDS
from tests.opened_runs import open_run
from tests.web.live import ask
from text.visible import make_visible
from web.push.endpoints import ROUTES

ROWS = (
    "id,label,pred,p\n1,spam,spam,0.9\n2,ham,ham,0.1\n3,spam,ham,0.4\n4,ham,ham,0.2\n5,spam,spam,0.8\n6,ham,spam,0.7\n"
)
KEY = "blindspot_" + "k" * 32
pytestmark = pytest.mark.usefixtures("read_here")  # what the server reads, it reads in a process of its own


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server on this machine, and a store that this process looks into as well."""
    kept = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINDSPOT_STORE", str(kept))
        with start_server(ROOT, kept) as running:
            yield running


@pytest.fixture
def key(server, monkeypatch):
    """A key, where the command line looks for it."""
    secret, of = api_keys.make("ci", scopes=("push", "manage"))
    monkeypatch.setenv("BLINDSPOT_KEY", secret)
    yield secret
    with contextlib.suppress(ValueError):
        api_keys.revoke(of.id)


def test_compare_sends_both_files_and_links_the_page(run, server, key, preds, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text(ROWS.replace("3,spam,ham", "3,spam,spam"), encoding="utf-8")
    code, out, err = run("compare", preds, other, "--join", "id", "--markdown", "--to", server.url)
    assert code == 0, err
    found = urlsplit(re.search(r"\[Open the comparison\]\((.*)\)", out)[1])
    query = {name: values[0] for name, values in parse_qs(found.query).items()}
    assert f"{found.scheme}://{found.netloc}{found.path}" == f"{server.url}/compare" and query["join"] == "id"
    accuracies = [(e.y_true == e.y_pred).mean() for e in map(open_run, (query["run"], query["with"][4:]))]
    assert query["with"].startswith("run.") and accuracies == [4 / 6, 5 / 6]
    code, out, err = run("compare", preds, other, "--join", "id", "--filter", "label=ham", "--to", server.url)
    assert code == 0 and "filter=label%3Dham" in out + err, (out, err)
    code, out, err = run("compare", preds, "--scores", "p,p2", "--positive", "spam", "--to", server.url)
    assert code == 2 and "p2" in err and "compare?" not in out


@pytest.fixture
def preds(tmp_path) -> Path:
    path = tmp_path / "preds.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


@pytest.fixture
def run(capsys):
    def command(*arguments: object) -> tuple[int, str, str]:
        code = cli.main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return command


@pytest.fixture
def refused(run):
    """The sentence of a push that fails."""

    def push(*arguments: object) -> str:
        code, out, err = run("push", *arguments)
        assert (code, out) == (2, "") and err.count("\n") == 1 and "Traceback" not in err and len(err) < 700
        assert os.environ.get("BLINDSPOT_KEY", KEY) not in err
        return err.strip()

    return push


def token_of(link: str) -> str:
    return parse_qs(urlsplit(link).query)["run"][0]


def numbers_of(token: str) -> dict:
    """Return what `score --json` would print of what a link opens."""
    found: dict = json.loads(json.dumps(plain(scored_numbers(measure(open_run(token))))))
    return found


def scored(run, *arguments) -> dict:
    code, out, _ = run("score", *arguments, "--json")
    assert code == 0
    found: dict = json.loads(out)
    return {name: value for name, value in found.items() if name != "intervals"}  # computed by the command alone


# -- what works -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--threshold", "0.75"),
        ("--pred", "label", "--truth", "pred"),
        ("--merge", "spam=junk", "--label-set", "junk,ham,eggs", "--positive", "ham", "--no-header"),
        ("--score", "p", "--positive", "spam", "--delimiter", "comma", "--encoding", "latin1", "--header"),
        ("--cluster", "none", "--seed", "none"),
    ],
)
def test_the_link_opens_the_numbers_of_score(server, key, preds, run, options):
    code, out, err = run("push", preds, "--to", server.url, "--name", "nightly 412", *options)
    wanted = run("score", preds, "--json", *options)
    if wanted[0] == 2:  # nothing can be scored: the link asks, and the exit code says so
        assert code == 2 and err.startswith("The link was made, but nothing can be scored yet:")
        return
    assert (code, err) == (0, "") and out.startswith(f"{server.url}/overview?run=") and out.count("\n") == 1
    assert numbers_of(token_of(out.strip())) == scored(run, preds, *options)


def test_two_files_are_joined_and_printed_as_json(server, key, tmp_path, run):
    (tmp_path / "a.csv").write_text("nr,guess\n" + "".join(f"{i},b\n" for i in range(9)))
    (tmp_path / "b.csv").write_text("id,truth\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in reversed(range(9))))
    files = (tmp_path / "a.csv", "--labels", tmp_path / "b.csv", "--join", "nr=id", "--pred", "guess")
    code, out, err = run("push", *files, "--to", server.url, "--json", "--days", "7", "--name", "né")
    made = json.loads(out)
    assert (code, err, made["name"], made["rows"], made["problem"]) == (0, "", "né", 9, None)
    assert numbers_of(made["token"]) == scored(run, *files)
    assert links.revoke(made["id"], owner_key=made["owner_key"]).title == "né"


def test_a_parser_its_labels_and_answers_go_along(server, key, tmp_path, run):
    (tmp_path / "answers.csv").write_text("truth,output\n" + "spam,I say SPAM\nham,it is ham\n" * 5)
    parser = tmp_path / "mine.json"
    parser.write_text('{"labels": ["spam", "ham"], "rules": ["only_mentioned"]}')
    files = (tmp_path / "answers.csv", "--raw", "output", "--parser", parser)
    code, out, _ = run("push", *files, "--to", server.url)
    assert code == 0 and numbers_of(token_of(out.strip())) == scored(run, *files)


def test_key_file_and_counts_only_work(server, key, preds, run, tmp_path, monkeypatch):
    monkeypatch.delenv("BLINDSPOT_KEY")
    (tmp_path / "key").write_text(f"{key}\n")
    code, out, _ = run("push", preds, "--to", f"{server.url}/", "--key-file", tmp_path / "key", "--counts-only")
    assert code == 0 and load.draft_of(token_of(out.strip())).counts_only


def test_unscored_file_gives_link_and_code_2(server, key, preds, run):
    code, out, err = run("push", preds, "--to", server.url, "--truth", "nosuch")
    assert code == 2 and out.startswith(f"{server.url}/?run=")
    assert "nothing can be scored yet" in err and "nosuch" in err and err.count("\n") == 1


def test_progress_is_shown_in_a_terminal_only(monkeypatch, capsys):
    push_client._progress(100 << 20)(50 << 20)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    push_client._progress(100 << 20)(50 << 20)
    assert "Sent 50 MB of 100 MB (50 %)" in capsys.readouterr().err
    push_client._progress(1 << 20)(1 << 19)
    assert capsys.readouterr().err == ""


# -- what fails -------------------------------------------------------------------------------------


def test_unusable_key_is_a_sentence(server, key, preds, refused, monkeypatch):
    secret, of = api_keys.make("manages", scopes=("manage",))
    monkeypatch.setenv("BLINDSPOT_KEY", secret)
    assert refused(preds, "--to", server.url).startswith("The key 'manages' is not for this (push)")
    api_keys.revoke(of.id)
    assert "not known" in refused(preds, "--to", server.url)
    assert refused(preds, "--to", server.url, "--key", "nonsense").startswith("What was given as the key is none")
    assert "the key could not be read" in refused(preds, "--to", server.url, "--key-file", preds.parent / "nosuch")
    monkeypatch.delenv("BLINDSPOT_KEY")
    assert refused(preds, "--to", server.url).startswith("There is no API key; put it into")


def test_missing_or_unreadable_file_is_a_sentence(server, key, preds, refused, tmp_path):
    assert refused(tmp_path / "nosuch.csv", "--to", server.url) == "nosuch.csv: there is no such file."
    assert "no ordinary file" in refused("/dev/null", "--to", server.url)
    (tmp_path / "broken.parquet").write_bytes(b"PAR1" + bytes(100) + b"PAR1")
    assert refused(tmp_path / "broken.parquet", "--to", server.url).endswith("(status 422)")
    assert "labels.csv: there is no such file" in refused(preds, "--labels", "labels.csv", "--to", server.url)


@pytest.mark.parametrize(
    "url",
    ["host", "ftp://host", "https://", "https://user:secret@host", "https://host?x", "http://host:x", "http://h h"],
)
def test_what_is_no_address_is_not_asked(preds, refused, url, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_KEY", KEY)
    assert "is no server's address" in refused(preds, "--to", url)


@pytest.mark.parametrize(
    "url", ["http://example.org", "http://127.0.0.1.example.org", "http://10.0.0.7:8501", "http://0.0.0.0"]
)
def test_key_is_not_sent_in_clear(preds, refused, url, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_KEY", KEY)
    monkeypatch.setattr(push_client, "send", lambda *_, **__: pytest.fail("something was sent"))
    assert "plain http" in refused(preds, "--to", url)


def test_insecure_option_sends_in_clear(preds, run, monkeypatch):
    seen = []
    monkeypatch.setenv("BLINDSPOT_KEY", KEY)
    monkeypatch.setattr(push_client, "send", lambda url, *_, **__: seen.append(url) or push_client.Answer(500, None))
    assert run("push", preds, "--to", "http://10.0.0.7:1/x", "--insecure")[0] == 2
    assert seen == ["http://10.0.0.7:1/x/api/key"]


@pytest.fixture
def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    return port


def test_unreachable_server_is_a_sentence(server, preds, refused, closed_port, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_KEY", KEY)
    assert "nothing listens there" in refused(preds, "--to", f"http://127.0.0.1:{closed_port}")
    assert "does not speak https" in refused(preds, "--to", server.url.replace("http:", "https:"))
    assert "cannot be reached" in refused(preds, "--to", "https://nosuch.invalid")
    monkeypatch.setattr(push_client, "KEY_ANSWER_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert "said nothing for" in refused(preds, "--to", f"http://127.0.0.1:{silent.getsockname()[1]}")


class Stranger(BaseHTTPRequestHandler):
    """Some other server: it redirects, talks nonsense, or hangs up, as its path says."""

    seen: list[str] = []  # noqa: RUF012

    def do_GET(self):
        self.seen.append(self.path)
        kind = self.path.split("/")[1]
        if kind == "hangs":
            return
        self.send_response({"redirects": 307, "html": 200, "error": 418}[kind])
        self.send_header("Location", f"http://{self.headers['Host']}/html/elsewhere")
        self.end_headers()
        self.wfile.write({"error": b'{"error": "\\u001b[2Jtea"}'}.get(kind, b"<html>"))

    def log_message(self, *_):
        pass


def test_other_server_is_named_and_redirects_refused(preds, refused, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_KEY", KEY)
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as stranger:
        threading.Thread(target=stranger.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{stranger.server_port}"
        assert "sends elsewhere" in refused(preds, "--to", f"{url}/redirects")
        assert "not as a Blindspot server does" in refused(preds, "--to", f"{url}/html")
        assert refused(preds, "--to", f"{url}/error") == "\\x1b[2Jtea (status 418)"
        assert "ended the connection" in refused(preds, "--to", f"{url}/hangs")
        stranger.shutdown()
    assert all(not path.startswith("/html/elsewhere") for path in Stranger.seen)


def test_too_large_file_is_refused_unsent(preds, refused, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_KEY", KEY)
    asked = []

    def answer(url, *_, **__):
        asked.append(url)
        return push_client.Answer(200, {"most_mb": 1})

    monkeypatch.setattr(push_client, "send", answer)
    preds.write_bytes(bytes((1 << 20) + 1))
    sentence = refused(preds, "--to", "https://host")
    assert sentence.startswith("preds.csv has 1 MB, but the server takes 1 MB at most") and len(asked) == 1


def test_too_large_csv_is_sent_as_parquet(preds, run, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_KEY", KEY)
    sent = []

    def answer(url, headers, form=None, **_):
        sent.append(b"" if form is None else b"".join(form))
        return (
            push_client.Answer(200, {"most_mb": 1})
            if form is None
            else push_client.Answer(201, {"link": "made\x1b[31m"})
        )

    monkeypatch.setattr(push_client, "send", answer)
    preds.write_bytes(b"y_true,y_pred\n" + b"a,b\n" * 300_000)
    code, out, _ = run("push", preds, "--to", "https://host")
    assert (code, out.strip()) == (0, make_visible("made\x1b[31m")) and len(sent) == 2
    assert "\x1b" not in out, "what a server says does not speak to the terminal"
    assert b'filename="preds.parquet"' in sent[1] and len(sent[1]) < 100_000


def test_file_shrinking_while_sent_is_named(preds, monkeypatch, refused, server, key):
    preds.write_bytes(b"a,b\n" * 1_000_000)
    asked = push_client.send

    def cut_first(url, headers, body=None, **more):
        if body is not None:
            os.truncate(preds, 10)
        return asked(url, headers, body, **more)

    monkeypatch.setattr(push_client, "send", cut_first)
    assert refused(preds, "--to", server.url).startswith("preds.csv became shorter while it was sent")


@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("bash"), reason="the line is for curl and a shell")
def test_the_documented_line_for_curl_makes_a_link(server, key, preds):
    text = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    [line] = re.findall(r"```bash\n(printf.*?)```", text, flags=re.DOTALL)
    line = line.replace("https://blindspot.example.org", server.url)
    done = subprocess.run(["bash", "-c", line], cwd=preds.parent, capture_output=True, text=True, check=True)
    made = json.loads(done.stdout)
    assert (made["rows"], made["name"]) == (6, "nightly 412")


def test_every_field_and_endpoint_is_documented():
    text = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    section = text.partition("## Pushing from a job")[2].partition("\n## ")[0]
    of_reading = {option.name for option in OPTIONS}  # the answer to an unknown field and push --help list them
    assert [name for name in FIELDS if name not in of_reading and f"`{name}`" not in section] == []
    paths = {route.path.replace("{link_id}", "ID") for route in ROUTES if "{rest" not in route.path}
    assert [path for path in paths if f"{path}`" not in section and f"{path}?" not in section] == []


# -- the server under what programs do ----------------------------------------------------------------


def raw(server: Server, head: str, body: bytes = b"") -> bytes:
    """Send bytes as they are, then nothing more; what comes back until the server closes."""
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=CEILING_SECONDS) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode() + body)
        connection.shutdown(socket.SHUT_WR)
        with connection.makefile("rb") as answer:
            return answer.read()


def test_short_body_leaves_nothing_behind(server, key):
    before = set(server.store.glob("link/*"))
    head = f"POST /api/evaluations HTTP/1.1\nHost: 127.0.0.1\nAuthorization: Bearer {key}\nContent-Length: 100000\n"
    kind = "Content-Type: multipart/form-data; boundary=b\n\n"
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n' + ROWS.encode()
    raw(server, head + kind, part + b"\r\n--b--\r\n")
    assert ask(server.url, "/api/health")[0] == 200
    assert set(server.store.glob("link/*")) == before


def test_chunked_body_is_taken(server, key):
    part = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n'
        + ROWS.encode()
        + b"\r\n--b--\r\n"
    )
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "multipart/form-data; boundary=b"}
    pieces = [part[i : i + 7] for i in range(0, len(part), 7)]
    status, _, text = ask(
        server.url, "/api/evaluations", "POST", {**headers, "Transfer-Encoding": "chunked"}, pieces, True
    )
    assert status == 201 and json.loads(text)["rows"] == 6
    assert ask(server.url, "/api/evaluations", "POST", {**headers, "Origin": "https://evil.example"}, part)[0] == 403
    assert ask(server.url, "/api/evaluations", "POST", {**headers, "Host": "evil.example"}, part)[0] in (400, 421)


def test_large_body_with_wrong_key_gets_an_answer(server):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "multipart/form-data; boundary=b"}
    with contextlib.closing(
        http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=CEILING_SECONDS)
    ) as connection:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.request("POST", "/api/evaluations", bytes(50 << 20), headers)
        answer = connection.getresponse()
        assert answer.status == 401 and "not known" in answer.read().decode()


def peak_kb(server: Server) -> int:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of another process is read in /proc")
def test_150_megabytes_pass_without_filling_memory(server, key, preds, run, tmp_path):
    assert run("push", preds, "--to", server.url)[0] == 0  # what is imported once is not counted
    large = tmp_path / "large.jsonl"
    with large.open("w") as file:  # small once it is read, so that only what passes through counts
        for i in range(1500):
            file.write(f'{{"label": "{"ab"[i % 2]}", "pred": "a"{" " * 106_000}}}\n')
    assert large.stat().st_size > 150 << 20
    before = peak_kb(server)
    code, out, _ = run("push", large, "--to", server.url, "--json")
    assert code == 0 and json.loads(out)["rows"] == 1500
    assert peak_kb(server) - before < 50 << 10, "a third of the file"


def test_the_client_reads_a_file_piece_by_piece():
    """Its own process, so that nothing else counts; a body of 300 MB of which nothing is kept."""
    program = (
        "import resource, tempfile\nfrom pathlib import Path\nfrom web.push.request import Form\n"
        "with tempfile.NamedTemporaryFile() as file:\n"
        "    file.truncate(300 << 20)\n"
        "    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "    form = Form([], [('file', Path(file.name))])\n"
        "    assert sum(map(len, form)) == form.n_bytes > 300 << 20\n"
        "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(done.stdout) < (50 << 10) * (1024 if sys.platform == "darwin" else 1)
