"""Check the settings before the server starts, and prepare it as it does."""

from __future__ import annotations

import asyncio
import copyreg
import errno
import gc
import json
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import streamlit as st
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.logger import get_logger as logger
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import memory_media_file_storage
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.secrets import secrets_singleton
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.web.server.starlette import starlette_server
from uvicorn.config import HTTP_PROTOCOLS

from data import environment
from data.errors import DataError
from data.local_addresses import is_loopback
from data.runs.sources import list_sources
from data.store import expiry
from data.store.store import place
from data.version import install_command
from web.limits import MESSAGE_BYTES, SECRET_CHARS
from web.login import has_login, has_own_login
from web.site import Site, this_site
from web.uploads.usage import sweep

_NEEDED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")


def require_login(site: Site) -> None:
    """Refuse to listen on a network through which anybody could come in.

    Raises
    ------
    environment.SettingError
        one sentence: the address, and the three ways on.
    """
    if not (is_loopback(site.address) or environment.value("BLINDSPOT_WITHOUT_LOGIN") or has_login()):
        raise environment.SettingError(
            f"BLINDSPOT_ADDRESS is {site.address[:60]!r}, which opens Blindspot to a network although nobody has to "
            "log in. Set up a login ([auth] in .streamlit/secrets.toml, or BLINDSPOT_USER_HEADER behind a proxy), "
            "or say BLINDSPOT_WITHOUT_LOGIN=yes if that is meant."
        )


def require_usable_secrets() -> None:
    """Refuse secrets from which no login comes about: Streamlit takes those it cannot read for none.

    Raises
    ------
    environment.SettingError
        one sentence: the file, or what its [auth] or the installation lacks, or that anybody could guess its secret.
    """
    if not secrets_singleton.load_if_toml_exists():
        for path in filter(os.path.exists, config.get_option("secrets.files")):
            raise environment.SettingError(
                f"{path} is no TOML file that can be read, so a login in it is lost; correct it."
            )
    elif has_own_login():
        missing = [name for name in _NEEDED if not secrets_singleton["auth"].get(name)]
        if missing:
            raise environment.SettingError(
                f"The [auth] of the secrets lacks {', '.join(missing)}; docs/deployment.md has an example."
            )
        length = len(str(secrets_singleton["auth"]["cookie_secret"]))
        if length < SECRET_CHARS:
            raise environment.SettingError(
                f"The cookie_secret of the [auth] has {length} characters, {SECRET_CHARS} are needed; make one: "
                'python -c "import secrets; print(secrets.token_urlsafe(32))"'
            )
        if find_spec("authlib") is None:
            raise environment.SettingError(f"A login needs two more packages: {install_command('login')}")


def require_login_for_links() -> None:
    """Refuse to open links for some people only, where nobody can say who they are.

    Raises
    ------
    environment.SettingError
        one sentence: the setting, and the two ways on.
    """
    audience = environment.value("BLINDSPOT_LINKS_FOR")
    if audience != "anyone" and not has_login():
        raise environment.SettingError(
            f"BLINDSPOT_LINKS_FOR is {audience[:60]!r}, but nobody logs in here, so links would open for anyone. Set "
            "up a login ([auth] in .streamlit/secrets.toml, or BLINDSPOT_USER_HEADER behind a proxy), or unset it."
        )


def require_usable_places() -> None:
    """Refuse a store that cannot be a place for files, and a list of sources that cannot be read.

    Raises
    ------
    environment.SettingError
        the variable's name, and what is wrong.
    """
    list_sources()
    try:
        place()
    except DataError as error:  # its end advises visitors
        store, problem = environment.value("BLINDSPOT_STORE"), str(error).partition(";")[0]
        raise environment.SettingError(
            f"BLINDSPOT_STORE is {store[:60]!r}. {problem}; change it, or unset it."
        ) from None


def require_free(site: Site, port: int) -> None:
    """Refuse an address that cannot be listened on, with a sentence that helps.

    Raises
    ------
    environment.SettingError
        another program has the port, or the machine has no such address.
    """
    with socket.socket(socket.AF_INET6 if ":" in site.address else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does: a port just left is free
        try:
            probe.bind((site.address, port))
        except OSError as error:
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                sentence = (
                    f"BLINDSPOT_ADDRESS is {site.address[:60]!r}, but an address of this machine was wanted, "
                    "such as 127.0.0.1."
                )
            else:
                sentence = (
                    f"Port {port} of {site.address} cannot be used ({error.strerror}). "
                    "Set PORT to another one; PORT=0 takes a free one."
                )
            raise environment.SettingError(sentence) from None


def announcement(site: Site, port: int) -> str:
    """Say in the terminal that the server is up.

    >>> print(announcement(Site(url="https://example.org/blindspot"), 8501))
    Blindspot is at http://127.0.0.1:8501/blindspot
    People reach it at https://example.org/blindspot
    Press Ctrl+C to stop it.
    """
    lines = [f"Blindspot is at {site.local_url(port)}"]
    if site.url:
        lines.append(f"People reach it at {site.url}")
    return "\n".join([*lines, "Press Ctrl+C to stop it."])


def set_transport() -> None:
    """Have the transport bound a request's head and a websocket message's length, and send every part at once.

    Streamlit gives it `server.maxMessageSize`, which holds for what the server sends, too, and has to be larger. Its
    socket names no protocol, so asyncio left Nagle's algorithm on: a body waited 40 ms until its head was confirmed.
    """
    bind = starlette_server._bind_socket

    def bind_without_delay(address: str, port: int, backlog: int) -> socket.socket:
        listening = bind(address, port, backlog)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # what it accepts has it, too
        return listening

    starlette_server._bind_socket = bind_without_delay
    HTTP_PROTOCOLS["auto"] = "web.http_protocol:BoundedHttp"
    starlette_server.get_max_message_size_bytes = lambda: MESSAGE_BYTES


def ignore_packaged_components() -> None:
    """Have Streamlit look through no installed package for components: ours are all here, and each takes its time."""
    manifest_scanner.scan_component_manifests = lambda *_, **__: []


def share_uploaded_bytes() -> None:
    """Have copies of an uploaded file share its bytes: Streamlit copies it in every run, and wrote all of it anew."""

    def reduce(file: UploadedFile) -> tuple[Any, ...]:
        return UploadedFile, (UploadedFileRec(file.file_id, file.name, file.type, file.getvalue()), file._file_urls)

    copyreg.pickle(UploadedFile, reduce)


def hide_paths() -> None:
    """Have Streamlit tell browsers the name of the main script alone: it sends its path on the server to everybody."""
    create = AppSession._create_new_session_message
    if create.__name__ == "create_without_path":
        return

    def create_without_path(session: AppSession, *arguments: Any, **options: Any) -> ForwardMsg:
        message = create(session, *arguments, **options)
        message.new_session.main_script_path = Path(message.new_session.main_script_path).name
        return message

    AppSession._create_new_session_message = create_without_path  # type: ignore[method-assign, assignment]


def silence_configuration() -> None:
    """Keep Streamlit from asking for a restart because the options it is being started with are not its defaults."""
    logger("streamlit.config").addFilter(lambda record: "option section was detected" not in record.getMessage())


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Move what start-up created out of the garbage collector's sight, then say where the app is.

    A full collection holds the interpreter lock while it walks every module's objects; see
    `runner.postScriptGC` in the configuration.
    """
    # A folder named pages/ makes Streamlit expect its old kind of pages until app.py has run once: the first deep link
    # after a start would be greeted with "Page not found".
    PagesManager.uses_pages_directory = False
    # Streamlit names a download after what is in it, and of more than a megabyte looks at three places only: one person
    # would be handed the file of another that differs elsewhere.
    memory_media_file_storage._PARTIAL_HASH_THRESHOLD = sys.maxsize  # type: ignore[misc]
    hide_paths()
    share_uploaded_bytes()
    gc.collect()
    gc.freeze()
    beside = [asyncio.create_task(work) for work in (sweep(), clear_store())]
    if app.state.get("announce"):
        print(announcement(this_site(), config.get_option("server.port")), flush=True)
    Thread(target=import_all, args=(app.state.get("imports", ()),), daemon=True).start()
    yield
    for task in beside:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def import_all(names: Iterable[str]) -> None:
    """Import modules by their names."""
    for name in names:
        import_module(name)


def streamlit_options(site: Site, port: int) -> dict[str, Any]:
    """Streamlit's options, for `st.App.run`.

    >>> options = streamlit_options(Site(url="https://example.org/blindspot"), 8501)
    >>> options["server.baseUrlPath"], options["server.corsAllowedOrigins"]
    ('/blindspot', ['https://example.org'])
    """
    options: dict[str, Any] = {
        "server.address": site.address,
        "server.port": port,
        "server.baseUrlPath": site.base_path,
        "server.allowedHosts": list(site.hosts),
        "server.corsAllowedOrigins": [site.origin] if site.origin else [],
        "server.maxUploadSize": environment.value("BLINDSPOT_UPLOAD_MB"),
        # Always given: a `trustedUserHeaders` in a configuration file of the home folder would hold otherwise.
        "server.trustedUserHeaders": json.dumps(trusted_headers()),
        "logger.hideWelcomeMessage": True,  # listening everywhere, it would ask a host on the internet for our address
    }
    # Streamlit compares a page's origin with this before it looks up the machine's address at a host on the internet.
    return options | ({"browser.serverAddress": site.host} if site.host else {})


def trusted_headers() -> dict[str, str]:
    """Return the header that becomes each field of `st.user`; none unless BLINDSPOT_USER_HEADER names one."""
    header = environment.value("BLINDSPOT_USER_HEADER")
    return {header: "email"} if header else {}


SECONDS_BETWEEN = 3600.0
log = logging.getLogger("blindspot")


async def clear_store() -> None:
    """Sweep at the start and then once an hour, in a thread; a store that cannot be reached is tried again later."""
    while True:
        try:
            swept = await asyncio.to_thread(expiry.sweep)
        except (DataError, OSError) as error:
            log.warning("The store could not be swept: %s", error)
        except Exception:  # whatever it was, the server goes on, and the log has it
            log.exception("The store could not be swept")
        else:
            if any(swept):
                log.info("Swept: %d links, %d tables, %d leftovers", *swept)
        await asyncio.sleep(SECONDS_BETWEEN)
