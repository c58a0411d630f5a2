"""Name the addresses that are this machine's own, so that nobody else reaches what listens there."""

from __future__ import annotations

import ipaddress

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
"""The names that it calls itself."""


def is_loopback(address: str) -> bool:
    """Return whether only this machine can reach what listens there.

    >>> [is_loopback(address) for address in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "blindspot.example.org")]
    [True, True, True, False, False]
    """
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"
