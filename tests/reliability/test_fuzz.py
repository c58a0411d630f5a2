"""Anything at all, sent to a running server: no 500, no traceback, no file outside its own folders, nobody called.

Seeded: `RELIABILITY=long` tries every odd value of every parameter of an address, the suite a part of them.
"""

import contextlib
import os
import random
import re
import socket
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tests.browser.driver import ROOT
from tests.reliability import audited as audit, junk
from tests.reliability.audited import Audited, Event
from tests.reliability.counts import LONG, many
from tests.reliability.visitor import Visitor
from ui.view.address import names_on
from ui.view.pages import PAGES
from ui.view.url import PARAMETERS

SEED = 1967
SECRET = "this stands in a file that nobody may read"
LEAK = re.compile(rb"Traceback|File \"|site-packages|root:x:0|" + SECRET.encode())
TOLD = re.compile(LEAK.pattern + b"|Something went wrong")
APP = "app.py server.py assets charts command data export metrics pages text ui web"
UNENDING = re.compile(rb"\r\n(Content-Length: (-1|x|9{9,}|3\r\nC)|Transfer-Encoding|Expect|Upgrade)")


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Audited]:
    folder = tmp_path_factory.mktemp("audited")
    (folder / "secret.txt").write_text(SECRET, encoding="utf-8")
    with audit.audited(folder) as running:
        yield running


def answer_to(port: int, sent: bytes) -> bytes:
    """Return what comes back until the server ends the connection; one that waits for more is ended here."""
    found = b""
    with socket.create_connection(("127.0.0.1", port), 60) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(sent)
        if UNENDING.search(sent) or short(sent):
            connection.shutdown(socket.SHUT_WR)
        while part := connection.recv(1 << 16):
            found += part
    return found


def short(sent: bytes) -> bool:
    """Return whether a request says that its body is longer than it is."""
    head, _, body = sent.partition(b"\r\n\r\n")
    said = re.search(rb"Content-Length: (\d+)", head)
    return said is not None and int(said[1]) > len(body)


def touched_elsewhere(events: list[Event], own: Path) -> list[Event]:
    """Return what was read of anything but the app, Python and the system's facts, or written anywhere but in `own`."""
    app = [ROOT / name for name in (*APP.split(), ".streamlit")]
    facts = [
        Path(name) for name in ("/proc", "/sys", "/dev", "/etc", "/usr/lib", "/usr/share", "/lib", "/usr/local/lib")
    ]
    readable = [own, own.parent / audit.HOOK_FOLDER, *app, *audit.installed(), *facts]
    imports = ("os.listdir", "os.scandir")  # Python lists the folder that it imports from
    return [
        event
        for event in events
        for path in event.paths
        if not audit.below(path, [own, Path("/dev/null")] if event.writes else readable)
        and not (event.name in imports and path == ROOT)
    ]


def calls_abroad(events: list[Event]) -> list[Event]:
    """Connections to, and questions about, any other machine."""
    named = ("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.sendto")
    return [
        event
        for event in events
        if event.name.startswith(named) and not any(f"'{one}'" in str(event.arguments) for one in audit.LOOPBACK)
    ]


def test_no_request_gets_a_500_or_a_traceback(watched: Audited) -> None:
    chance, port = random.Random(SEED), urlsplit(watched.server.url).port
    assert port
    wrong, statuses = [], dict[bytes, int]()
    for _ in range(many(500, 2_000)):
        sent = junk.request(chance, port)
        came = answer_to(port, sent)
        status = came[9:12]
        statuses[status] = statuses.get(status, 0) + 1
        if status.startswith(b"5") or TOLD.search(came) or str(ROOT).encode() in came:
            wrong.append((sent[:300], came[:300]))
    print("\nanswers", sorted(statuses.items()))
    assert wrong == []
    assert min(statuses[b"200"], statuses[b"404"], statuses[b"400"], statuses[b"405"]) > 25, (
        "the requests are of all kinds"
    )
    assert watched.server.process.poll() is None


def test_no_websocket_message_ends_the_server(watched: Audited) -> None:
    chance = random.Random(SEED)
    address = watched.server.url.replace("http", "ws", 1) + "/_stcore/stream"
    came, ended = list[bytes](), 0
    for _ in range(many(25, 150)):
        names = chance.choice(("", "", "streamlit 2|00|00|0", "streamlit x no-such-session")).split()
        more = chance.choice(
            ({}, {}, {"Origin": "http://evil.example"}, {"Host": "evil.example"}, {"X-Forwarded-User": "root"})
        )
        try:
            asked = [Subprotocol(name) for name in names] or None
            with connect(address, subprotocols=asked, additional_headers=more, max_size=None, proxy=None) as tab:
                for _ in range(chance.randint(0, 6)):  # few sessions live on after six
                    tab.send(junk.message(chance))
                tab.send(BackMsg(rerun_script=ClientState(page_name="glossary")).SerializeToString())
                while not came or not is_end(came[-1]):
                    came.append(bytes(tab.recv(60)))  # type: ignore[arg-type]
                came.append(b"")
        except WebSocketException:
            ended += 1
    # Who makes up a widget's state may meet the sentence with a reference, in that session alone.
    assert [found[0] for one in came if (found := LEAK.search(one))] == [], watched.server.output()[-6_000:]
    assert len(came) > 25 and ended > 5, "some go through and some are ended"
    visitor = Visitor.at(watched.server.url)
    assert visitor.visit("overview", "run=digits").wrong == ""
    visitor.close()


def is_end(data: bytes) -> bool:
    """Return whether a message says that a page has run to its end."""
    sent = ForwardMsg.FromString(data)
    return sent.WhichOneof("type") == "script_finished" and sent.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY


def odd_views() -> list[tuple[str, str]]:
    """(page, query) for every parameter, on one of the pages that have it, with every odd value or some of them."""
    chance = random.Random(SEED)
    found = [
        (chance.choice([page for page in PAGES if name in names_on(page)]), name, value)
        for name, value in product(PARAMETERS, junk.VALUES)
    ]
    chosen = found if LONG else chance.sample(found, 30) + [one for one in found if one[2] == "1e400"]
    runs = ("screening", "digits", "movie-genres", "support-intents-llm")
    return [
        (page, urlencode(({} if name == "run" else {"run": runs[i % 4]}) | {name: value}, errors="surrogatepass"))
        for i, (page, name, value) in enumerate(chosen)
    ]


def test_no_value_of_an_address_breaks_a_page(watched: Audited) -> None:
    views, wrong, visitor = odd_views(), [], None
    for i, (page, query) in enumerate(views):
        if i % 40 == 0:  # a session remembers what it was shown: some of it is to be fresh
            if visitor is not None:
                visitor.close()
            visitor = Visitor.at(watched.server.url)
        assert visitor is not None
        answer = visitor.visit(page, query)
        if answer.wrong or TOLD.search(answer.content):
            wrong.append((page, query[:200], answer.wrong, watched.server.output()[-3_000:]))
    print(f"\n{len(views)} views")
    assert wrong == []
    assert set(PARAMETERS) == {name for name, _ in map(last_of, views)}


def last_of(view: tuple[str, str]) -> tuple[str, str]:
    """The parameter that a view is about, and its value."""
    name, _, value = view[1].rpartition("&")[2].partition("=")
    return name, value


def test_no_foreign_file_or_host_is_touched(watched: Audited) -> None:
    """Of everything that the server did above, its start included."""
    events = watched.events()
    assert touched_elsewhere(events, watched.own) == []
    assert calls_abroad(events) == []
    started = [
        event.arguments[:2]
        for event in events
        if event.name in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system")
    ]
    assert [one for one in started if "data.process.worker" not in str(one)] == []
    names = {event.name for event in events}
    assert {"open", "os.mkdir"} <= names and any(
        watched.own in path.parents for one in events if one.writes for path in one.paths
    )


def test_the_watch_sees_what_it_looks_for(tmp_path: Path) -> None:
    here = str(ROOT)
    reads = [Event("open", here, (name, "r", os.O_RDONLY)) for name in ("../x", "/root/.ssh/id", "tests/conftest.py")]
    writes = [Event("open", here, ("app.py", "w", os.O_WRONLY)), Event("os.rename", str(tmp_path), ("x", "/y", -1, -1))]
    assert touched_elsewhere([*reads, *writes], tmp_path) == [*reads, *writes]
    assert touched_elsewhere([Event("open", here, ("app.py", "r", os.O_RDONLY))], tmp_path) == []
    assert touched_elsewhere([Event("os.rename", str(tmp_path), ("x", "y", -1, -1))], tmp_path) == []
    abroad = Event("socket.connect", here, ("<socket>", "('10.1.2.3', 80)"))
    assert calls_abroad([abroad, Event("socket.connect", here, ("<socket>", "('127.0.0.1', 80)"))]) == [abroad]
