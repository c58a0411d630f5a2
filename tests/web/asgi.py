"""Asking an ASGI application without a server: a scope in, the messages it sends out."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run(coroutine):
    """Run a coroutine in a thread of its own: a browser test in the same process may hold this one's event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def scope_of(path="/", method="GET", headers=(), kind="http", client=("127.0.0.1", 50_000), **more):
    """A connection; `headers` are pairs of text, in front of which stands a Host of this machine."""
    pairs = [("host", "127.0.0.1:8501"), *headers] if not any(name == "host" for name, _ in headers) else headers
    raw = [(name.encode("latin-1"), text.encode("latin-1")) for name, text in pairs]
    return {"type": kind, "path": path, "method": method, "headers": raw, "client": client, **more}


class Inner:
    """Stands for Streamlit: remembers what reached it, reads the whole body and answers 204."""

    def __init__(self):
        self.scopes = []
        self.body = b""

    async def __call__(self, scope, receive, send):
        self.scopes.append(scope)
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept", "headers": []})
            return
        more = True
        while more:
            message = await receive()
            self.body += message.get("body", b"")
            more = message.get("more_body", False)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def converse(app, scope, chunks=(b"",)):
    """The messages an application sends for one connection whose body comes in `chunks`; then nothing more comes."""
    waiting, sent = list(chunks), []

    async def receive():
        if not waiting:
            await asyncio.Event().wait()
        body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    return sent


def ask(app, scope, chunks=(b"",)):
    """Status and text of the answer; status "open" for an accepted websocket, "closed" for one that is not."""
    first, *rest = run(converse(app, scope, chunks))
    if first["type"] in ("websocket.accept", "websocket.close"):
        return "open" if first["type"].endswith("accept") else "closed", ""
    return first["status"], "".join(message["body"].decode() for message in rest)
