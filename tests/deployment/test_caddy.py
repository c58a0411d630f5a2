"""Caddy with the configurations of docs/deployment.md, as they stand there, in front of the real server."""

import pytest

from tests.deployment.proxies import CADDY, behind, caddy, documented, replaced
from tests.deployment.visit import open_on_the_other, use

pytestmark = pytest.mark.skipif(not CADDY, reason="no Caddy on this machine (Debian: apt install caddy)")


def test_at_the_root_of_a_host(tmp_path, monkeypatch):
    with behind(tmp_path) as proxied:
        site = ("blindspot.example.org", f"https://localhost:{proxied.port}")
        configuration = replaced(documented("### Caddy", "caddyfile"), site, ("127.0.0.1:8501", proxied.backend()))
        with caddy(proxied, configuration, monkeypatch):
            status, headers = proxied.ask("/_stcore/health")
            assert status == 200 and headers["Strict-Transport-Security"].startswith("max-age=")


def test_below_a_path(tmp_path, page, monkeypatch):
    with behind(tmp_path, "/blindspot") as proxied:
        site = ("example.org", f"https://localhost:{proxied.port}")
        documented_one = documented("### Caddy below a path", "caddyfile")
        configuration = replaced(documented_one, site, ("127.0.0.1:8501", proxied.backend()))
        with caddy(proxied, configuration, monkeypatch):
            status, headers = proxied.ask("/blindspot")
            assert status == 302 and headers["Location"] == "/blindspot/"
            use(page, proxied.url, tmp_path)


def test_in_front_of_two_replicas(tmp_path, page, monkeypatch):
    with behind(tmp_path, replicas=2) as proxied:
        configuration = replaced(
            documented("## Several replicas", "caddyfile"),
            ("blindspot.example.org", f"https://localhost:{proxied.port}"),
            ("127.0.0.1:8501", proxied.backend(0)),
            ("127.0.0.1:8502", proxied.backend(1)),
        )
        with caddy(proxied, configuration, monkeypatch):
            cookies = proxied.ask("/")[1].get_all("Set-Cookie")
            assert any(cookie.startswith("blindspot_replica=") for cookie in cookies)
            open_on_the_other(page, proxied, use(page, proxied.url, tmp_path))
