"""Test how much is held: Streamlit's own books, the process's memory, and sessions that have ended."""

import gc
import mmap
from types import SimpleNamespace

import pytest
from streamlit import runtime
from streamlit.runtime.caching.ttl_cache import TTLCache
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from web.limits import WAITING_SECONDS
from web.uploads import usage


class Session:
    """A session that frees its files when nobody holds it any more, as Streamlit's does."""

    def __init__(self, name, files):
        self.id, self.files = name, files

    def __del__(self):
        self.files.remove_session_files(self.id)


@pytest.fixture
def instance(monkeypatch):
    """A running Streamlit as far as it matters: uploaded files, and sessions that are waited for."""
    files = MemoryUploadedFileManager("/_stcore/upload_file")
    storage = MemorySessionStorage(ttl_seconds=120)
    manager = WebsocketSessionManager(storage, files, SimpleNamespace(), None)
    running = SimpleNamespace(uploaded_file_mgr=files, _session_mgr=manager)
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: running)
    return running


def add(instance, session, file, data=b"12345"):
    instance.uploaded_file_mgr.add_file(session, UploadedFileRec(file, "x.csv", "text/csv", data))


def test_usage_equals_what_streamlit_keeps(instance):
    add(instance, "s", "a")
    add(instance, "s", "b", b"1234567")
    add(instance, "other", "c")
    assert usage.stored_bytes("s") == {"a": 5, "b": 7}
    add(instance, "s", "b", b"")
    assert usage.stored_bytes("s") == {"a": 5, "b": 0}
    instance.uploaded_file_mgr.remove_file("s", "a")
    assert usage.stored_bytes("s") == {"b": 0}
    instance.uploaded_file_mgr.remove_session_files("s")
    assert usage.stored_bytes("s") == {}
    assert usage.stored_bytes("nobody") == {}
    assert "nobody" not in instance.uploaded_file_mgr.file_storage, "asking leaves nothing behind"


def test_without_a_running_streamlit_nothing_is_held(monkeypatch):
    monkeypatch.setattr(runtime, "exists", lambda: False)
    assert usage.stored_bytes("s") == {}


def test_file_arriving_after_its_session_is_dropped(instance):
    files = instance.uploaded_file_mgr
    session = Session("lost", files)
    instance._session_mgr._session_storage.save(SimpleNamespace(session=session))
    for name in ("lost", "ended"):
        add(instance, name, "a")
        usage.forget_ended(name)
    assert list(files.file_storage) == ["lost"], "a tab that may come back keeps its files"


def session_of(instance, name, **user):
    session = Session(name, instance.uploaded_file_mgr)
    session._user_info = user
    instance._session_mgr._session_storage.save(SimpleNamespace(session=session))


@pytest.mark.parametrize(
    ("login", "header", "user", "may"),
    [
        (False, "", {}, True),
        (True, "", {}, False),
        (True, "", {"is_logged_in": False}, False),
        (True, "", {"email": "ann@example.org"}, False),
        (True, "", {"is_logged_in": True, "email": "ann@example.org"}, True),
        (False, "X-User", {"is_logged_in": True, "sub": "7"}, False),
        (False, "X-User", {"email": "ann@example.org"}, True),
        (True, "X-User", {"is_logged_in": True, "sub": "7"}, True),
    ],
)
def test_with_a_login_only_members_upload(instance, monkeypatch, login, header, user, may):
    monkeypatch.setattr(usage, "has_login", lambda: login or bool(header))
    monkeypatch.setattr(usage, "has_own_login", lambda: login)
    monkeypatch.setenv("BLINDSPOT_USER_HEADER", header)
    session_of(instance, "s", **user)
    assert usage.may_upload("s") is may
    assert usage.may_upload("a session that is none") is not (login or bool(header))


def test_unused_file_is_dropped(instance):
    clock = SimpleNamespace(time=1_000.0)
    waiting, files = usage.Waiting(lambda: clock.time), instance.uploaded_file_mgr
    add(instance, "s", "a")
    waiting.remove_old(files)
    clock.time += WAITING_SECONDS - 1
    add(instance, "s", "b")
    waiting.remove_old(files)
    assert usage.stored_bytes("s") == {"a": 5, "b": 5}
    clock.time += 1
    waiting.remove_old(files)
    assert usage.stored_bytes("s") == {"b": 5}
    instance.uploaded_file_mgr.remove_file("s", "b")  # taken over by its page
    waiting.remove_old(files)
    add(instance, "s", "b")  # and uploaded again
    clock.time += WAITING_SECONDS - 1
    waiting.remove_old(files)
    assert usage.stored_bytes("s") == {"b": 5}


def test_session_of_a_closed_tab_ends(instance):
    now = [0.0]
    storage = instance._session_mgr._session_storage
    storage._cache = TTLCache(maxsize=128, ttl=120, timer=lambda: now[0])
    add(instance, "s", "a")
    storage.save(SimpleNamespace(session=Session("s", instance.uploaded_file_mgr)))
    now[0] = 119
    usage.end_expired_sessions()
    assert usage.stored_bytes("s") == {"a": 5}
    now[0] = 121
    usage.end_expired_sessions()
    gc.collect()
    assert usage.stored_bytes("s") == {}


def test_closed_tab_ends_unless_it_came_back(instance, monkeypatch):
    ended = []
    instance.is_active_session, instance.close_session = "back".__eq__, ended.append
    monkeypatch.setattr(usage, "take_left_sessions", lambda: ["closed", "back"])
    usage.end_left_sessions()
    assert ended == ["closed"]


def test_the_memory_is_what_the_process_holds_now():
    before = usage.resident_bytes()
    assert 10 * usage.MB < before < 100_000 * usage.MB
    size = 64 * usage.MB
    with mmap.mmap(-1, size) as block:
        block.write(b"x" * size)
        assert usage.resident_bytes() - before > 0.9 * size


def test_the_limits_are_what_the_environment_says(monkeypatch):
    for number, name in enumerate(usage.Limits.__dataclass_fields__):
        monkeypatch.setenv(f"BLINDSPOT_{name.upper()}", str(300 + number))
    limits = usage.limits()
    assert [getattr(limits, name) for name in usage.Limits.__dataclass_fields__] == [
        300,
        301,
        302,
        303,
        304,
        305,
        306,
    ]
