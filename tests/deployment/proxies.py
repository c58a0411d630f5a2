"""nginx and Caddy with the configurations of docs/deployment.md, on free ports and with a certificate of their own."""

import contextlib
import os
import re
import shutil
import signal
import ssl
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.driver import ROOT, Server, start_server
from tests.ceiling import CEILING_SECONDS
from tests.free_port import free_port

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/opt/homebrew/bin")
CADDY = shutil.which("caddy")


def documented(heading: str, language: str, which: int = 0) -> str:
    """A configuration as it stands under a heading of docs/deployment.md."""
    text = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    section = text.split(f"\n{heading}\n", 1)[1]
    section = re.split(r"^#{2,3} ", section, maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(rf"```{language}\n(.*?)```", section, flags=re.DOTALL)[which]


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    """The text with every first of a pair replaced by the second; each must occur."""
    for old, new in pairs:
        assert old in text, f"the documented configuration has no {old}"
        text = text.replace(old, new)
    return text


@dataclass
class Proxied:
    """A proxy: the address people use, its plain port, where it runs, the servers behind it."""

    path: str
    folder: Path
    port: int = field(default_factory=free_port)
    plain: int = field(default_factory=free_port)
    servers: list[Server] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}{self.path}"

    def backend(self, number: int = 0) -> str:
        return urlsplit(self.servers[number].url).netloc

    def ask(self, path: str, plain: bool = False) -> tuple[int, Message]:
        """Status and headers of an answer, redirects not followed."""

        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None

        context = ssl._create_unverified_context()
        opener = urllib.request.build_opener(Stay, urllib.request.HTTPSHandler(context=context))
        address = f"http://127.0.0.1:{self.plain}{path}" if plain else f"https://localhost:{self.port}{path}"
        try:
            with opener.open(address, timeout=CEILING_SECONDS) as answer:
                return answer.status, answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.headers


@contextlib.contextmanager
def behind(folder: Path, path: str = "", replicas: int = 1) -> Iterator[Proxied]:
    """Servers with one store that know the address of a proxy which is not there yet."""
    proxied = Proxied(path, folder)
    with contextlib.ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("BLINDSPOT_URL", proxied.url)
        for _ in range(replicas):
            proxied.servers.append(stack.enter_context(start_server(ROOT, folder / "store")))
        yield proxied


def certificate(folder: Path) -> tuple[str, str]:
    """A certificate for localhost and its key."""
    names = str(folder / "certificate.pem"), str(folder / "key.pem")
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    more = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", names[0], "-keyout", names[1]]
    subprocess.run([*command, *more], check=True, capture_output=True)
    return names


def here(configuration: str, proxied: Proxied) -> str:
    """nginx's configuration with this machine's ports and files."""
    chain, key = certificate(proxied.folder)
    live = "/etc/letsencrypt/live/blindspot.example.org"
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{proxied.plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{proxied.port} ssl;"),
        (f"{live}/fullchain.pem", chain),
        (f"{live}/privkey.pem", key),
        ("/var/log/nginx/", f"{proxied.folder}/"),
    ):
        configuration = replaced(configuration, (old, new))
    return configuration


@contextlib.contextmanager
def nginx(proxied: Proxied, configuration: str) -> Iterator[None]:
    """nginx with a configuration of its `http` block; it listens once the command returns."""
    folder = proxied.folder
    kept = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    kept += f"access_log {folder}/access.log;\n"  # where nginx writes what nobody told it to write elsewhere
    user = "user root;\n" if os.geteuid() == 0 else ""  # a worker of another user could not enter the folder
    whole = f"{user}pid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\nhttp {{\n{kept}{configuration}}}\n"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    command = [str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    ended = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=CEILING_SECONDS
    )
    assert ended.returncode == 0, ended.stderr
    try:
        yield
    finally:
        subprocess.run([*command, "-s", "stop"], check=True, stderr=subprocess.DEVNULL, timeout=CEILING_SECONDS)


@contextlib.contextmanager
def caddy(proxied: Proxied, configuration: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Caddy with a Caddyfile and an authority of its own; it listens once the command returns."""
    folder = proxied.folder
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(folder))
    options = (
        "admin off",
        "auto_https disable_redirects",
        "local_certs",
        "skip_install_trust",
        "default_bind 127.0.0.1",
    )
    whole = "{{\n{}\n}}\n{}".format("\n".join(options), configuration)
    (folder / "Caddyfile").write_text(whole, encoding="utf-8")
    command = [str(CADDY), "start", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with (folder / "caddy.log").open("w") as log:
        ended = subprocess.run(
            [*command, "--pidfile", str(folder / "pid")], stdout=log, stderr=log, timeout=CEILING_SECONDS
        )
    assert ended.returncode == 0, (folder / "caddy.log").read_text()
    try:
        yield
    finally:
        os.kill(int((folder / "pid").read_text()), signal.SIGTERM)
