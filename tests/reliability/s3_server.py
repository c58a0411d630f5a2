"""An S3-compatible server on this machine, with a bucket; what it holds survives its being stopped and started."""

import contextlib
import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest

URL = "s3://bucket/blindspot"


class S3Server:
    """moto's server in a thread of the tests' process: its objects belong to the process, not to the socket."""

    def __init__(self) -> None:
        self._server_class = pytest.importorskip("moto.server").ThreadedMotoServer
        self._server: Any = None
        self.port = 0

    def start(self) -> None:
        self._server = self._server_class(ip_address="127.0.0.1", port=self.port)
        self._server.start()
        self.port = self._server.get_host_and_port()[1]

    def stop(self) -> None:
        self._server.stop()

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """Nobody answers at its address meanwhile."""
        self.stop()
        try:
            yield
        finally:
            self.start()


@contextlib.contextmanager
def s3_server() -> Iterator[S3Server]:
    """The server, and the environment in which every S3 client of this process and its children finds it."""
    pytest.importorskip("s3fs")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = S3Server()
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        patch.setenv("AWS_ACCESS_KEY_ID", "tests")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.port}")
        patch.setenv("NO_PROXY", "127.0.0.1")
        empty_bucket()
        yield server
    server.stop()


def empty_bucket() -> None:
    """Everything that any bucket of the server holds is gone; there is one bucket."""
    backend = pytest.importorskip("moto.backends").get_backend("s3")["123456789012"]["aws"]
    backend.reset()
    backend.create_bucket("bucket", "us-east-1")


def age(name: str, seconds: float) -> None:
    """Make an object older."""
    import datetime

    backend = pytest.importorskip("moto.backends").get_backend("s3")["123456789012"]["aws"]
    key = backend.buckets["bucket"].keys[f"blindspot/{name}"]
    key.last_modified -= datetime.timedelta(seconds=seconds)
