"""Find a port for a server that a test starts."""

import secrets
import socket

PORTS = range(15_000, 32_000)
"""Below those that outgoing connections take, from 32,768 on Linux: one of these could take it before the server."""


def free_port() -> int:
    """A port that nobody listens on; drawn, so that tests beside each other get others."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
