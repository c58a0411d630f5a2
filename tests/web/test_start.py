"""Test what is checked before the server starts."""

import copy
import gc
import socket

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime import memory_media_file_storage as media
from streamlit.runtime.secrets import secrets_singleton
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.web.server.starlette import starlette_server

import server
from data.environment import SettingError
from tests.web.asgi import run
from web.site import Site
from web.start import (
    ignore_packaged_components,
    require_free,
    require_login,
    require_login_for_links,
    set_transport,
    share_uploaded_bytes,
)


@pytest.fixture(autouse=True)
def no_secrets(monkeypatch):
    set_secrets(monkeypatch, {})
    for name in ("BLINDSPOT_WITHOUT_LOGIN", "BLINDSPOT_USER_HEADER"):
        monkeypatch.delenv(name, raising=False)


def set_secrets(monkeypatch, secrets):
    monkeypatch.setattr(type(secrets_singleton), "load_if_toml_exists", lambda _: bool(secrets))
    monkeypatch.setattr(type(secrets_singleton), "__contains__", lambda _, name: name in secrets, raising=False)


NETWORK = ["0.0.0.0", "::", "10.0.0.7", "blindspot.example.org"]


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_this_machine_needs_no_login(address):
    assert require_login(Site(address)) is None


@pytest.mark.parametrize("address", NETWORK)
def test_a_network_needs_one(address):
    with pytest.raises(SettingError) as refused:
        require_login(Site(address))
    for wanted in (address, "[auth]", "BLINDSPOT_USER_HEADER", "BLINDSPOT_WITHOUT_LOGIN=yes"):
        assert wanted in str(refused.value)


@pytest.mark.parametrize("address", NETWORK)
@pytest.mark.parametrize(
    ("secrets", "name", "text"),
    [
        ({"auth": {}}, "BLINDSPOT_USER_HEADER", ""),
        ({}, "BLINDSPOT_USER_HEADER", "X-Forwarded-User"),
        ({}, "BLINDSPOT_WITHOUT_LOGIN", "yes"),
    ],
)
def test_network_needs_login_or_consent(monkeypatch, address, secrets, name, text):
    set_secrets(monkeypatch, secrets)
    monkeypatch.setenv(name, text)
    assert require_login(Site(address)) is None


def test_other_secrets_are_no_login(monkeypatch):
    set_secrets(monkeypatch, {"database": {}})
    with pytest.raises(SettingError):
        require_login(Site("0.0.0.0"))


def test_taken_port_is_refused_with_advice():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(SettingError, match=rf"Port {port} of 127.0.0.1 cannot be used .*PORT=0 takes a free one"):
            require_free(Site(), port)
    require_free(Site(), port)


@pytest.mark.parametrize("address", ["not an address", "192.0.2.1"])
def test_address_of_no_machine_is_refused(address):
    with pytest.raises(SettingError, match="an address of this machine was wanted"):
        require_free(Site(address), 0)


def test_start_up_objects_are_frozen():
    async def started():
        app = server.compose()
        async with server.lifespan(app):
            return gc.get_freeze_count()

    try:
        assert run(started()) > 10_000
    finally:
        gc.unfreeze()


def test_two_different_large_downloads_are_two_files(monkeypatch):
    def addresses():
        storage = media.MemoryMediaFileStorage("/media")
        return {storage.load_and_get_id(bytes(content), "text/csv", "downloadable") for content in (one, other)}

    one = bytearray(3_000_000)
    other = bytearray(one)
    other[1_000_000] = 1

    async def started():
        async with server.lifespan(server.compose()):
            return addresses()

    monkeypatch.setattr(media, "_PARTIAL_HASH_THRESHOLD", media._PARTIAL_HASH_THRESHOLD)  # put back at the end
    try:
        assert len(run(started())) == 2
    finally:
        gc.unfreeze()


def test_copies_of_uploads_share_bytes():
    share_uploaded_bytes()
    file = UploadedFile(UploadedFileRec("1", "a.csv", "text/csv", b"y,y_pred\n" * 1000), FileURLs(file_id="1"))
    file.seek(7)
    copied = copy.deepcopy([file])[0]
    assert copied.getvalue() is file.getvalue()
    assert (copied, copied.name, copied.type, copied.size) == (file, "a.csv", "text/csv", 9000)
    copied.write(b"other")
    assert file.getvalue().startswith(b"y,y_pred")


@pytest.mark.parametrize("audience", ["members", "domain:example.org"])
def test_links_for_some_only_need_a_login(monkeypatch, audience):
    monkeypatch.setenv("BLINDSPOT_LINKS_FOR", audience)
    with pytest.raises(SettingError, match=r"BLINDSPOT_LINKS_FOR.*links would open for anyone.*BLINDSPOT_USER_HEADER"):
        require_login_for_links()
    monkeypatch.setenv("BLINDSPOT_USER_HEADER", "X-Forwarded-User")
    assert require_login_for_links() is None


def test_connections_send_every_part_at_once(monkeypatch):
    for name in ("_bind_socket", "get_max_message_size_bytes"):
        monkeypatch.setattr(starlette_server, name, getattr(starlette_server, name))
    set_transport()
    with starlette_server._bind_socket("127.0.0.1", 0, 1) as listening:
        listening.setblocking(True)
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_components_of_other_packages_are_not_offered(monkeypatch):
    searches = []
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", lambda: searches.append("packages") or [])
    ignore_packaged_components()
    BidiComponentManager().discover_and_register_components(start_file_watching=False)
    assert not searches
