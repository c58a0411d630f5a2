"""Error references: a person sees one sentence with six characters, the log has the rest under the same six."""

from __future__ import annotations

import logging
import secrets
import traceback
from collections.abc import Awaitable, Callable, Mapping

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from data.errors import DataError

REFERENCE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # nothing that is misread over the phone
log = logging.getLogger("blindspot")


def new_reference() -> str:
    """Return six random letters and digits by which a person's report is found in the log."""
    return "".join(secrets.choice(REFERENCE_ALPHABET) for _ in range(6))


def where_raised(error: BaseException) -> str:
    """File and line of the innermost frame, for the log line that carries the reference.

    >>> where_raised(ValueError("never raised"))
    'unknown place'
    """
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "unknown place"


def logged_reference(error: BaseException) -> str:
    """Return a new reference, with a line in the log that says what it stands for."""
    reference = new_reference()
    log.error("Error reference %s: %s at %s", reference, type(error).__name__, where_raised(error))
    return reference


def on_script_error(error: Exception) -> bool:
    """Show one sentence with a reference in place of the traceback, and log the reference.

    A `DataError` is shown as it is: a link may end, or be revoked on another server, while a page that it opened is
    being drawn. Streamlit has logged the traceback just before, in the same thread.
    """
    if isinstance(error, DataError):
        log.warning("%s while a page was drawn, at %s", type(error).__name__, where_raised(error))
        with st.container(border=True):
            st.text(str(error))
        return True
    st.error(
        f"Something went wrong inside Blindspot: please reload the page, and if it happens again, "
        f"report the reference **{logged_reference(error)}**.",
        icon=":material/error:",
    )
    return True


def on_request_error(headers: Mapping[str, str]) -> Callable[[Request, Exception], Awaitable[PlainTextResponse]]:
    """Answer a failed HTTP request: one sentence, with `headers`, as the middleware is out of reach there."""

    async def answer(_request: Request, error: Exception) -> PlainTextResponse:
        sentence = (
            "Something went wrong inside Blindspot. If it happens again, "
            f"report the reference {logged_reference(error)}.\n"
        )
        return PlainTextResponse(sentence, status_code=500, headers=headers)

    return answer
