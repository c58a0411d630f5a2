"""Bounds of what is read of a request before it can be answered."""

import asyncio
from unittest.mock import Mock

from uvicorn.config import Config
from uvicorn.server import ServerState

from web.http_protocol import BoundedHttp
from web.limits import HEAD_BYTES

PIECE = b"x" * 1_000


async def never_answering(_scope, _receive, _send):
    await asyncio.Event().wait()


async def count_pieces(begun, most):
    """Count the pieces that are taken after the beginning of a request until it is refused; None = all."""
    config = Config(never_answering, lifespan="off")
    config.load()
    connection, transport = BoundedHttp(config, ServerState(), {}), Mock(asyncio.Transport)
    transport.is_closing.side_effect = lambda: transport.close.called
    transport.get_extra_info.return_value = None
    connection.connection_made(transport)
    connection.data_received(begun)
    for n in range(most):
        if transport.is_closing():
            assert b"400 Bad Request" in transport.write.call_args.args[0]
            return n
        connection.data_received(PIECE)
    return None


def test_what_follows_a_body_has_an_end():
    begun = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n"
    assert asyncio.run(count_pieces(begun + b"X: ", 1_000)) == HEAD_BYTES // len(PIECE) + 1


def test_a_body_is_read_whole():
    begun = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {2 * HEAD_BYTES}\r\n\r\n"
    assert asyncio.run(count_pieces(begun.encode(), 2 * HEAD_BYTES // len(PIECE))) is None
