"""nginx with the configurations of docs/deployment.md, as they stand there, in front of the real server."""

import re
import shutil

import pytest

from tests.deployment.proxies import NGINX, behind, documented, here, nginx, replaced
from tests.deployment.visit import open_on_the_other, use

pytestmark = pytest.mark.skipif(
    not (NGINX and shutil.which("openssl")), reason="no nginx or openssl on this machine: sh scripts/find_packages.sh"
)


def test_at_the_root_of_a_host(tmp_path, page):
    with behind(tmp_path) as proxied:
        configuration = replaced(documented("### nginx", "nginx"), ("127.0.0.1:8501", proxied.backend()))
        with nginx(proxied, here(configuration, proxied)):
            status, headers = proxied.ask("/overview?run=secret", plain=True)
            assert status == 301 and headers["Location"].startswith("https://")
            status, headers = proxied.ask("/_stcore/health")
            assert status == 200 and headers["Strict-Transport-Security"].startswith("max-age=")
            assert headers["set-cookie"].endswith("; Secure")
            assert proxied.ask("/_stcore/metrics")[0] == 404
            use(page, proxied.url, tmp_path)
            assert proxied.ask("/overview?run=secret")[0] == 200
            assert proxied.ask("/api/v1/runs/hidden/numbers")[0] == 401
            assert proxied.ask("/shared/hidden")[0] == proxied.ask("/shared/hidden/card.png")[0] == 404
        log = (tmp_path / "blindspot.log").read_text(encoding="utf-8")
        assert '"GET /overview"' in log and '"PUT /_stcore/upload_file"' in log and "upload_file/" not in log
        log += (tmp_path / "access.log").read_text(encoding="utf-8")
        assert "?" not in log and "run=" not in log and "hidden" not in log, "the token of a link is not for the log"


def below_a_path(proxied):
    """The locations below a path inside the `server` of the first configuration, in place of its own location."""
    whole = documented("### nginx", "nginx")
    locations = replaced(documented("### nginx below a path", "nginx"), ("127.0.0.1:8501", proxied.backend()))
    return here(re.sub(r"    location / \{.*?\n    \}\n", lambda _: locations, whole, flags=re.DOTALL), proxied)


def test_below_a_path(tmp_path, page):
    with behind(tmp_path, "/blindspot") as proxied, nginx(proxied, below_a_path(proxied)):
        for asked in ("/blindspot", "/blindspot?x=1"):
            status, headers = proxied.ask(asked)
            assert status == 301
            assert headers["Location"] == f"{proxied.url}/{asked.removeprefix('/blindspot')}"
        assert proxied.ask("/blindspot/_stcore/health")[0] == 200
        assert proxied.ask("/_stcore/health")[0] == 404, "the rest of the host is not ours"
        use(page, proxied.url, tmp_path)


def test_in_front_of_two_replicas(tmp_path, page):
    with behind(tmp_path, replicas=2) as proxied:
        upstream = replaced(
            documented("## Several replicas", "nginx", 0),
            ("127.0.0.1:8501", proxied.backend(0)),
            ("127.0.0.1:8502", proxied.backend(1)),
        )
        location = documented("## Several replicas", "nginx", 1)
        whole = re.sub(
            r"    location / \{.*?\n    \}\n", lambda _: location, documented("### nginx", "nginx"), flags=re.DOTALL
        )
        with nginx(proxied, upstream + here(whole, proxied)):
            cookies = proxied.ask("/")[1].get_all("Set-Cookie")
            (cookie,) = [cookie.lower() for cookie in cookies if cookie.startswith("blindspot_replica=")]
            assert "secure" in cookie and "httponly" in cookie
            open_on_the_other(page, proxied, use(page, proxied.url, tmp_path))
