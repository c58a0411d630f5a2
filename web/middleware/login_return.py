"""Return to the link that one came for after a login; Streamlit itself always returns to the first page."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from web.limits import LOGIN_RETURN_SECONDS
from web.login import has_own_login
from web.site import this_site

COOKIE = "blindspot_back"
_WANTED = re.compile(r"/[a-z]{0,20}\?[A-Za-z0-9_.~%&=+:,;@!*'()/|-]{1,3000}", re.ASCII)


def page_to_return_to(path: str, query: str) -> str:
    """Return a page with a query as one may be sent back to it, below the base path; "" if it is none.

    >>> page_to_return_to("/overview", "run=abc&t=0.5")
    '/overview?run=abc&t=0.5'
    >>> page_to_return_to("//elsewhere.example", "a=b"), page_to_return_to("/", "")
    ('', '')
    """
    page = f"{path}?{query}"
    return page if query and _WANTED.fullmatch(page) else ""


class BackAfterLogin:
    """ASGI middleware: keeps the page that a stranger asked for in a cookie, and leads there once the login is done."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.site = this_site()
        self.on = has_own_login()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; put the cookie on a page for strangers, and the way back on the login's last answer."""
        if not self.on or scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        path = str(scope["path"]).removeprefix(self.site.base_path)
        cookies = cookie_parser(Headers(scope=scope).get("cookie", ""))

        async def send_with_way_back(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._lead(message, path, scope.get("query_string", b"").decode("latin-1"), cookies)
            await send(message)

        await self.app(scope, receive, send_with_way_back)

    def _lead(self, message: Message, path: str, query: str, cookies: dict[str, str]) -> None:
        """Lead back from the login's last answer, or remember the page that a stranger asks for."""
        headers = MutableHeaders(scope=message)
        if path == "/oauth2callback" and COOKIE in cookies:
            back_path, _, back_query = unquote(cookies[COOKIE]).partition("?")
            page = page_to_return_to(back_path, back_query)
            if page and message["status"] in (302, 303, 307):
                headers["location"] = self.site.base_path + page
            headers.append("set-cookie", self._cookie("", 0))
        elif not any(name.startswith(USER_COOKIE_NAME) for name in cookies):
            page = page_to_return_to(path, query)
            if page:
                headers.append("set-cookie", self._cookie(quote(page, safe=""), LOGIN_RETURN_SECONDS))

    def _cookie(self, value: str, seconds: int) -> str:
        secure = "; Secure" if self.site.https else ""
        return f"{COOKIE}={value}; Path={self.site.base_path or '/'}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
