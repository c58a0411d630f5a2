"""Test what a person and the log learn of an error."""

import logging
import re

from streamlit.testing.v1 import AppTest

from data.store.links import LinkGone
from tests.ceiling import CEILING_SECONDS
from tests.web.asgi import run
from web.middleware import errors


def test_script_error_shows_its_logged_reference(monkeypatch, caplog):
    shown = []
    monkeypatch.setattr(errors.st, "error", lambda text, **_: shown.append(text))
    with caplog.at_level(logging.ERROR, logger="blindspot"):
        try:
            raise KeyError("private label")
        except KeyError as error:
            assert errors.on_script_error(error) is True, "True keeps Streamlit from drawing its own error box"
    (sentence,) = shown
    reference = re.search(r"\*\*(\w{6})\*\*", sentence)[1]
    assert "private label" not in sentence and "KeyError" not in sentence
    assert f"Error reference {reference}: KeyError at {__file__}:" in caplog.text


def test_link_ending_while_drawn_is_named(caplog):
    def page():
        from data.store.links import LinkGone
        from web.middleware import errors

        assert errors.on_script_error(LinkGone())

    shown = AppTest.from_function(page, default_timeout=CEILING_SECONDS).run()
    assert [text.value for text in shown.text] == [str(LinkGone())] and not shown.error
    assert "LinkGone while a page was drawn" in caplog.text and "Error reference" not in caplog.text


def test_request_error_answers_500_with_reference(caplog):
    with caplog.at_level(logging.ERROR, logger="blindspot"):
        response = run(errors.on_request_error({"X-Wanted": "yes"})(None, RuntimeError("private")))
    assert response.status_code == 500
    assert response.headers["x-wanted"] == "yes"
    reference = re.search(r"reference (\w{6})\.", response.body.decode())[1]
    assert reference in caplog.text
    assert b"private" not in response.body


def test_references_do_not_repeat_or_look_alike():
    references = {errors.new_reference() for _ in range(300)}
    assert len(references) == 300
    assert not set("".join(references)) & set("01OIL")
