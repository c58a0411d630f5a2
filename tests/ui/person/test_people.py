"""Test who is looking, by the server's own login, by a proxy's header, by both or by neither."""

import pytest
import streamlit as st

from ui.person import people

ANN = {"is_logged_in": True, "email": "ann@example.org", "sub": "subject-1", "groups": ["reviewers", "staff"]}
NOBODY = {"is_logged_in": False}


@pytest.fixture
def user(monkeypatch):
    """Sets what Streamlit says of the visitor, whether the secrets have a login, and the proxy's header."""

    def given(said: dict[str, object], *, login: bool = False, header: str = "") -> None:
        monkeypatch.setattr(type(st.user), "to_dict", lambda self: dict(said))
        monkeypatch.setattr(people, "_has_own_login", lambda: login)
        monkeypatch.setenv("BLINDSPOT_USER_HEADER", header)

    return given


HEADER = "X-Forwarded-User"


@pytest.mark.parametrize(
    ("said", "login", "header", "person", "may_change"),
    [
        # Neither: nobody is anybody, whatever is claimed, and everybody may do everything.
        ({}, False, "", "", True),
        (ANN, False, "", "", True),
        # The server's own login.
        (NOBODY, True, "", "", False),
        (ANN, True, "", "ann@example.org", True),
        ({**ANN, "is_logged_in": False}, True, "", "", False),
        ({"is_logged_in": True, "sub": "subject-1"}, True, "", "sub:|subject-1", True),
        ({**ANN, "email_verified": True}, True, "", "ann@example.org", True),
        ({**ANN, "email_verified": False}, True, "", "sub:|subject-1", True),
        ({**ANN, "email_verified": "false"}, True, "", "sub:|subject-1", True),
        ({"is_logged_in": True, "email": "ann@example.org", "email_verified": False}, True, "", "", False),
        # A proxy's header, which Streamlit hands over as the address.
        ({"email": "bob@example.org"}, False, HEADER, "bob@example.org", True),
        ({"email": None}, False, HEADER, "", False),
        ({"email": ""}, False, HEADER, "", False),
        ({"email": None, "is_logged_in": True, "sub": "from-a-cookie"}, False, HEADER, "", False),
        # Both: the header, where there is one; else the login, whose address the header has displaced.
        ({**ANN, "email": "bob@example.org"}, True, HEADER, "bob@example.org", True),
        ({**ANN, "email": None}, True, HEADER, "sub:|subject-1", True),
        ({**NOBODY, "email": "bob@example.org"}, True, HEADER, "bob@example.org", True),
        ({**NOBODY, "email": None}, True, HEADER, "", False),
    ],
)
def test_who_is_looking(user, said, login, header, person, may_change):
    user(said, login=login, header=header)
    assert people.has_login() is (login or bool(header))
    assert people.person() == person
    assert people.may_change() is may_change


@pytest.mark.parametrize(
    ("claim", "groups"),
    [(["a", "b"], ("a", "b")), ("a", ("a",)), (None, ()), ({"a": 1}, ()), ([], ()), ([1, "b"], ("1", "b"))],
)
def test_the_groups_are_those_of_the_claim(user, claim, groups):
    user({**ANN, "groups": claim}, login=True)
    assert people.groups() == groups


def test_missing_claim_or_login_gives_no_groups(user):
    user({key: value for key, value in ANN.items() if key != "groups"}, login=True)
    assert people.groups() == ()
    for said in ({**ANN, "is_logged_in": False}, NOBODY):
        user(said, login=True)
        assert people.groups() == ()


def test_login_groups_are_not_for_proxy_names(user):
    user({**ANN, "email": "bob@example.org"}, login=True, header=HEADER)
    assert (people.person(), people.groups()) == ("bob@example.org", ())
