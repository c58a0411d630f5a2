"""Read where the server listens, at which address people reach it, and the names that follow from the two."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from data import environment
from data.local_addresses import THIS_MACHINE

EVERYWHERE = ("0.0.0.0", "::")  # no name of any machine: nobody is reached at these
USUAL_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Site:
    """The address to listen on, and the address people use; the latter is empty on a laptop.

    >>> site = Site("0.0.0.0", "https://Example.org:443/blindspot")
    >>> site.base_path, site.origin, site.hosts
    ('/blindspot', 'https://example.org', ('localhost', '127.0.0.1', '::1', 'example.org'))
    """

    address: str = "127.0.0.1"
    url: str = ""

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.url)

    @property
    def https(self) -> bool:
        return self._parts.scheme == "https"

    @property
    def base_path(self) -> str:
        """Return the path below which everything is served: empty, or with a slash in front and none behind."""
        return self._parts.path.rstrip("/")

    @property
    def host(self) -> str:
        """Return the host that people use, without a port; empty if they use this machine's own names."""
        return self._parts.hostname or ""

    @property
    def origin(self) -> str:
        """Return what a browser sends as Origin from a page of ours; empty without an address."""
        if not self.host:
            return ""
        name = f"[{self.host}]" if ":" in self.host else self.host
        usual = self._parts.port in (None, USUAL_PORTS[self._parts.scheme])
        return f"{self._parts.scheme}://{name}" + ("" if usual else f":{self._parts.port}")

    @property
    def hosts(self) -> tuple[str, ...]:
        """Return the names under which this server answers."""
        own_address = "" if self.address in EVERYWHERE else self.address.lower()
        return tuple(dict.fromkeys(filter(None, (*THIS_MACHINE, own_address, self.host))))

    def local_url(self, port: int) -> str:
        """Return the address by which this machine reaches the server."""
        host = "127.0.0.1" if self.address in EVERYWHERE else self.address
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{port}{self.base_path}"


def this_site() -> Site:
    """Return the site that BLINDSPOT_ADDRESS and BLINDSPOT_URL describe."""
    return Site(environment.value("BLINDSPOT_ADDRESS"), environment.value("BLINDSPOT_URL"))
