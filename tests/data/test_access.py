"""Whom links open for: anyone, members, those of a domain or a group, and nobody who only looks like one of them."""

import pytest

from data import access, environment

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
def test_the_refusal_is_one_sentence_that_names_the_audience_and_who_asks(monkeypatch, person, asking):
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
