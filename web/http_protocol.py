"""Read HTTP requests in C: twice as many a second as in Python, whose parser bounds a head where this one does not."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from web.limits import HEAD_BYTES


class BoundedHttp(HttpToolsProtocol):
    """A connection that is refused once `HEAD_BYTES` came of a head, or of what follows a body, that does not end."""

    unread = 0
    """Bytes since a whole head or a piece of a body was last read."""

    def data_received(self, data: bytes) -> None:
        """Read what came, and refuse what does not end."""
        self.unread += len(data)
        super().data_received(data)
        if self.unread > HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response(f"The head of this request is longer than {HEAD_BYTES:,} bytes.")

    def on_headers_complete(self) -> None:
        """Begin to count anew."""
        self.unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Begin to count anew."""
        self.unread = 0
        super().on_body(body)
