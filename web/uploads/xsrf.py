"""The token that shows an upload comes from a page of ours.

Streamlit sets it as a cookie that the page's script reads and sends a second time, as a header. A page of another site
can make the browser send the cookie, but can neither read it nor set the header. It is no secret of the server: who is
no browser can make one up, which is why the guard counts, whoever asks.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

TOKEN_BYTES = 16  # as Streamlit makes them; it would take a single byte


def token_matches(headers: Headers) -> bool:
    """Return whether cookie and header carry the same token. The two may be masked differently.

    >>> token = "2|00000000|" + "ab" * 16 + "|1700000000"
    >>> token_matches(Headers({"cookie": f"_streamlit_xsrf={token}", "x-xsrftoken": token}))
    True
    >>> token_matches(Headers({"x-xsrftoken": token}))
    False
    """
    cookie = cookie_parser(headers.get("cookie", "")).get(XSRF_COOKIE_NAME, "")
    expected, _ = decode_xsrf_token_string(cookie)
    given, _ = decode_xsrf_token_string(headers.get("x-xsrftoken", ""))
    return given is not None and given == expected and len(given) == TOKEN_BYTES
