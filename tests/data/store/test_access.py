"""Test for whom links open: anyone, members, a domain or a group, and nobody who only looks like one of them."""

import pytest

from data import environment
from data.store import access

DOMAIN, GROUP = "domain:example.org", "group:reviewers"
BOTH = "domain:example.org, group:reviewers"


@pytest.mark.parametrize(
    ("audience", "person", "groups", "opens"),
    [
        ("anyone", "", (), True),
        ("anyone", "eve@elsewhere.example", (), True),
        ("members", "", (), False),
        ("members", "", ("reviewers",), False),
        ("members", "eve@elsewhere.example", (), True),
        ("members", "a-subject-without-an-address", (), True),
        (DOMAIN, "ann@example.org", (), True),
        (DOMAIN, "Ann@EXAMPLE.org", (), True),
        ("domain:Example.ORG", "ann@example.org", (), True),
        (DOMAIN, "", (), False),
        (DOMAIN, "sub:https://id.example|eve@example.org", (), False),
        (DOMAIN, "sub:|eve@example.org", (), False),
        (DOMAIN, "example.org", (), False),
        (DOMAIN, "@example.org", (), False),
        (DOMAIN, "eve@sub.example.org", (), False),
        (DOMAIN, "eve@notexample.org", (), False),
        (DOMAIN, "eve@example.org.evil.example", (), False),
        (DOMAIN, "eve@example.org@evil.example", (), False),
        (DOMAIN, "eve@evil.example@example.org", (), False),
        (DOMAIN, "eve@example.org ", (), False),
        ("domain:strasse.example", "eve@stra\xdfe.example", (), False),
        (DOMAIN, "eve@elsewhere.example", ("example.org", DOMAIN), False),
        (GROUP, "ann@example.org", ("reviewers",), True),
        (GROUP, "ann@example.org", ("others", "reviewers"), True),
        (GROUP, "ann@example.org", (), False),
        (GROUP, "ann@example.org", ("Reviewers",), False),
        (GROUP, "ann@example.org", ("reviewers2", "review"), False),
        (GROUP, "", ("reviewers",), False),
        (GROUP, "eve@reviewers", (), False),
        (BOTH, "ann@example.org", (), True),
        (BOTH, "eve@elsewhere.example", ("reviewers",), True),
        (BOTH, "eve@elsewhere.example", ("others",), False),
    ],
)
def test_a_link_opens_for(audience, person, groups, opens):
    assert access.may_open(person, groups, audience) is opens


@pytest.mark.parametrize(
    ("person", "asking"),
    [("", "you are not logged in"), ("eve@elsewhere.example", "you are logged in as eve@elsewhere.example")],
)
def test_refusal_names_audience_and_person(monkeypatch, person, asking):
    monkeypatch.setenv("BLINDSPOT_LINKS_FOR", BOTH)
    with pytest.raises(access.NotForYou) as refused:
        access.check(person)
    assert str(refused.value) == (
        f"Links open for members of example.org and the group reviewers here, and {asking}; ask whoever shared it for "
        "a report."
    )


def test_a_long_name_is_cut(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_LINKS_FOR", DOMAIN)
    with pytest.raises(access.NotForYou) as refused:
        access.check("e" * 5_000)
    assert len(str(refused.value)) < 300


def test_whoever_it_opens_for_is_not_refused(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_LINKS_FOR", GROUP)
    assert access.check("ann@example.org", ("reviewers",)) is None


@pytest.mark.parametrize("text", ["everyone", "domain:", "group:a b", "members,domain:example.org", "example.org"])
def test_an_audience_that_means_nothing_does_not_start(monkeypatch, text):
    monkeypatch.setenv("BLINDSPOT_LINKS_FOR", text)
    with pytest.raises(environment.SettingError, match="BLINDSPOT_LINKS_FOR"):
        environment.check()


EVE = {"is_logged_in": True, "email": "ann@example.org", "email_verified": False, "iss": "https://id.example"}


@pytest.mark.parametrize(
    "subject", ["ann@example.org", "sub:https://id.example|7", "key " + "0" * 64, "x|ann@example.org"]
)
def test_a_subject_is_nobody_elses_name(subject):
    eve = access.identify_person({**EVE, "sub": subject}, header=False, login=True)
    assert eve == f"sub:https://id.example|{subject}"
    assert access.names_of(eve) == (eve,), "what somebody of that name owns is not Eve's"
    assert not access.may_open(eve, (), DOMAIN) and access.may_open(eve, (), "members")


def test_same_subject_of_two_issuers_is_two_people():
    names = {
        access.identify_person({**EVE, "sub": "7", "iss": issuer}, header=False, login=True)
        for issuer in ("a", "b", None)
    }
    assert names == {"sub:a|7", "sub:b|7", "sub:|7"}


def test_an_address_cannot_look_like_a_subject():
    eve = {**EVE, "email": "sub:https://id.example|7@example.org", "email_verified": True, "sub": "8"}
    assert access.identify_person(eve, header=False, login=True) == "sub:https://id.example|8"


def test_old_name_holds_unless_a_proxy_names_people(monkeypatch):
    assert access.names_of("sub:https://id.example|auth0|7") == ("sub:https://id.example|auth0|7", "auth0|7")
    monkeypatch.setenv("BLINDSPOT_USER_HEADER", "X-User")
    assert access.names_of("sub:https://id.example|7") == ("sub:https://id.example|7",)
