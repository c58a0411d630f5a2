"""After the login one is back at the link one came for, and nowhere else."""

from http.cookies import SimpleCookie

import pytest
from starlette.responses import Response

from tests.web.asgi import converse, run, scope_of
from web.middleware import login_return
from web.middleware.login_return import COOKIE, BackAfterLogin, page_to_return_to


def app(monkeypatch, *, status=200, headers=None, login=True, url=""):
    """The middleware in front of an answer that Streamlit would give."""
    monkeypatch.setattr(login_return, "has_own_login", lambda: login)
    monkeypatch.setenv("BLINDSPOT_URL", url)
    return BackAfterLogin(Response(status_code=status, headers=headers or {}))


def ask(of, path, query="", cookie="", method="GET"):
    """The headers of the answer: name to the values."""
    pairs = [("cookie", cookie)] if cookie else []
    start, *_ = run(converse(of, scope_of(path, method, pairs, query_string=query.encode("latin-1"))))
    assert start["type"] == "http.response.start"
    found = {}
    for name, value in start["headers"]:
        found.setdefault(name.decode(), []).append(value.decode())
    return found


def cookie_of(headers):
    """The cookie that an answer sets; None = none of ours."""
    set_ = SimpleCookie(headers.get("set-cookie", [""])[0])
    return set_.get(COOKIE)


def callback(monkeypatch, value, url="", status=302):
    """Return where one ends up after the login with some value in the cookie."""
    of = app(monkeypatch, status=status, headers={"location": "/first"}, url=url)
    path = url.removeprefix("https://blindspot.example.org") + "/oauth2callback"
    return ask(of, path, "code=a&state=b", f"{COOKIE}={value}")


def test_stranger_returns_to_the_link_after_login(monkeypatch):
    page = "/confusion", "run=abc_-DEF&norm=all&only=a%2Fb&t=0.5"
    kept = cookie_of(ask(app(monkeypatch), *page))
    assert callback(monkeypatch, kept.value)["location"] == ["/confusion?" + page[1]]


def test_cookie_lasts_a_quarter_of_an_hour(monkeypatch):
    kept = cookie_of(ask(app(monkeypatch), "/rows", "run=a"))
    assert (kept["httponly"], kept["samesite"], kept["path"], kept["max-age"]) == (True, "Lax", "/", "900")
    assert not kept["secure"]


def test_https_and_path_hold_for_the_cookie(monkeypatch):
    url = "https://blindspot.example.org/app"
    kept = cookie_of(ask(app(monkeypatch, url=url), "/app/rows", "run=a"))
    assert kept["secure"] is True and kept["path"] == "/app"
    assert callback(monkeypatch, kept.value, url)["location"] == ["/app/rows?run=a"]
    assert cookie_of(ask(app(monkeypatch, url=url), "/appendix", "run=a")) is None


@pytest.mark.parametrize("status", [302, 303, 307])
def test_the_cookie_is_used_once(monkeypatch, status):
    headers = callback(monkeypatch, "%2Frows%3Frun%3Da", status=status)
    assert headers["location"] == ["/rows?run=a"]
    assert cookie_of(headers).value == "" and cookie_of(headers)["max-age"] == "0"


def test_an_answer_that_leads_nowhere_is_left_alone(monkeypatch):
    assert callback(monkeypatch, "%2Frows%3Frun%3Da", status=400)["location"] == ["/first"]


@pytest.mark.parametrize(
    "value",
    [
        "%2F%2Fevil.example%3Fa%3Db",  # //evil.example?a=b
        "%2F%5Cevil.example%3Fa%3Db",  # /\evil.example?a=b
        "%5C%5Cevil.example%3Fa%3Db",
        "https%3A%2F%2Fevil.example%2F%3Fa%3Db",
        "https%3Aevil.example%3Fa%3Db",
        "%40evil.example%3Fa%3Db",
        ".evil.example%3Fa%3Db",
        "%2Frows%2F..%2F..%2Fevil%3Fa%3Db",
        "%2F%09%2Fevil.example%3Fa%3Db",
        "%2Frows%3Frun%3Da%0D%0ASet-Cookie%3A%20x%3Dy",
        "%2Frows%3Frun%3Da%0A",
        "%2Frows%3Frun%3Da%23%0D%0A%0D%0A%3Cscript%3E",
        "%2Frows%3Frun%3D%3Cscript%3E",
        "%2Frows%3Frun%3D%C3%A9",
        "%2Fauth%2Flogout%3Fa%3Db",
        "%2Frows%3Frun%3D" + "a" * 3_001,
        "%2Frows",
        "",
        "nonsense",
        "%",
    ],
)
def test_foreign_cookie_leads_to_the_first_page(monkeypatch, value):
    headers = callback(monkeypatch, value)
    assert headers["location"] == ["/first"]
    assert cookie_of(headers)["max-age"] == "0", "and it is gone"
    assert len(headers["set-cookie"]) == 1


def test_cookies_that_are_none_fail_nothing(monkeypatch):
    for cookie in ("a@b=1", "=;;=", '"', "a[]=1; \xe9=\xff", f"{COOKIE}"):
        assert cookie_of(ask(app(monkeypatch), "/rows", "run=a", cookie)).value == "%2Frows%3Frun%3Da"


@pytest.mark.parametrize(
    ("path", "query"),
    [("/", ""), ("/rows", ""), ("/_stcore/stream", "a=b"), ("/auth/login", "provider=x"), ("/media/x.csv", "a=b"),
     ("/oauth2callback", "code=a&state=b"), ("//evil.example", "a=b"), ("/rows", "run=a\r\nb"), ("/Rows", "a=b")],
)  # fmt: skip
def test_only_a_page_with_a_view_is_kept(monkeypatch, path, query):
    assert page_to_return_to(path, query) == ""
    assert "set-cookie" not in ask(app(monkeypatch), path, query)


@pytest.mark.parametrize("cookie", ["_streamlit_user=x", "_streamlit_user__1=x", "a=b; _streamlit_user=x"])
def test_a_member_gets_no_cookie(monkeypatch, cookie):
    assert "set-cookie" not in ask(app(monkeypatch), "/rows", "run=a", cookie)


def test_only_page_requests_are_kept(monkeypatch):
    for method in ("POST", "HEAD", "PUT"):
        assert "set-cookie" not in ask(app(monkeypatch), "/rows", "run=a", method=method)
    assert "set-cookie" not in ask(app(monkeypatch, login=False), "/rows", "run=a")


def test_login_without_cookie_ends_at_streamlits_page(monkeypatch):
    headers = ask(app(monkeypatch, status=302, headers={"location": "/first"}), "/oauth2callback", "code=a")
    assert headers["location"] == ["/first"] and "set-cookie" not in headers
