"""Test what follows from the address to listen on and the address people use."""

import pytest

from web.site import Site, this_site


@pytest.mark.parametrize(
    ("url", "base_path", "origin", "host"),
    [
        ("", "", "", ""),
        ("http://example.org", "", "http://example.org", "example.org"),
        ("https://Example.ORG:443", "", "https://example.org", "example.org"),
        ("http://example.org:443", "", "http://example.org:443", "example.org"),
        ("https://example.org:8443/a/b", "/a/b", "https://example.org:8443", "example.org"),
        ("http://[::2]:80/a", "/a", "http://[::2]", "::2"),
    ],
)
def test_address_has_the_parts_a_browser_sees(url, base_path, origin, host):
    site = Site(url=url)
    assert (site.base_path, site.origin, site.host) == (base_path, origin, host)


@pytest.mark.parametrize(
    ("address", "url", "more"),
    [
        ("127.0.0.1", "", []),
        ("0.0.0.0", "", []),
        ("::", "", []),
        ("10.0.0.7", "", ["10.0.0.7"]),
        ("0.0.0.0", "https://example.org", ["example.org"]),
    ],
)
def test_known_hosts_are_machine_bound_and_public(address, url, more):
    assert list(Site(address, url).hosts) == ["localhost", "127.0.0.1", "::1", *more]


@pytest.mark.parametrize(
    ("address", "local"), [("0.0.0.0", "127.0.0.1"), ("::1", "[::1]"), ("10.0.0.7", "10.0.0.7"), ("::", "127.0.0.1")]
)
def test_announced_address_can_be_opened(address, local):
    assert Site(address, "https://example.org/x").local_url(9) == f"http://{local}:9/x"


def test_the_site_is_what_the_environment_says(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_ADDRESS", "10.0.0.7")
    monkeypatch.setenv("BLINDSPOT_URL", "https://example.org/blindspot/")
    assert this_site() == Site("10.0.0.7", "https://example.org/blindspot")
