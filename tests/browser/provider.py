"""A small identity provider (OpenID Connect) on this machine, for the tests of the login."""

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.ceiling import CEILING_SECONDS


@dataclass
class Provider:
    """Hold who is logged in: whoever comes next is `person`, with `groups`; `verified` : their address is theirs."""

    port: int = 0
    person: str = "ann@example.org"
    groups: tuple[str, ...] = ()
    verified: bool = True
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one", "use": "sig", "alg": "RS256"}))
    nonce: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def configuration(self, _request: Request) -> Response:
        names = {"authorization": "authorize", "token": "token"}
        found = {f"{name}_endpoint": f"{self.url}/{path}" for name, path in names.items()}
        return JSONResponse(
            {
                "issuer": self.url, "jwks_uri": f"{self.url}/keys", "response_types_supported": ["code"],
                "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"], **found,
            }
        )  # fmt: skip

    async def authorize(self, request: Request) -> Response:
        self.nonce = request.query_params.get("nonce", "")
        answer = urlencode({"code": "a-code", "state": request.query_params["state"]})
        return RedirectResponse(f"{request.query_params['redirect_uri']}?{answer}", 302)

    async def token(self, _request: Request) -> Response:
        now = int(time.time())
        claims = {
            "iss": self.url, "aud": "blindspot", "sub": self.person, "email": self.person,
            "email_verified": self.verified, "nonce": self.nonce,
            "groups": list(self.groups), "iat": now, "exp": now + 600,
        }  # fmt: skip
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.key)
        return JSONResponse({"access_token": "opaque", "token_type": "Bearer", "id_token": signed, "expires_in": 600})

    async def keys(self, _request: Request) -> Response:
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self.configuration),
                Route("/authorize", self.authorize),
                Route("/token", self.token, methods=["POST"]),
                Route("/keys", self.keys),
            ]
        )


@contextlib.contextmanager
def start_provider() -> Iterator[Provider]:
    """The provider on a free port, in a thread of this process, stopped at the end."""
    provider = Provider()
    server = uvicorn.Server(uvicorn.Config(provider.app(), port=0, log_level="error"))
    ready = threading.Event()
    started = server.startup

    async def startup(*given: object, **named: object) -> None:
        await started(*given, **named)  # type: ignore[arg-type]
        provider.port = server.servers[0].sockets[0].getsockname()[1]
        ready.set()

    server.startup = startup  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert ready.wait(CEILING_SECONDS), "the provider did not start"
    try:
        yield provider
    finally:
        server.should_exit = True
        thread.join(10)
