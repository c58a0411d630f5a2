"""Environment variables: what they take, what they refuse and how, and that the documentation lists the same."""

import re
from pathlib import Path

import pytest

from data import environment
from data.environment import VARIABLES, SettingError
from tests.test_architecture import OUTSIDE, python_files, room_of

ROOT = Path(__file__).resolve().parents[1]
LOW_AND_HIGH = {
    "BLINDSPOT_DRAFT_HOURS": (0, 8_760),
    "PORT": (0, 65_535),
    "BLINDSPOT_UPLOAD_MB": (1, 4_000),
    "BLINDSPOT_ROWS": (1, 1_000_000_000),
    "BLINDSPOT_COLUMNS": (1, 1_000_000),
    "BLINDSPOT_CLASSES": (2, 1_000_000),
    "BLINDSPOT_LABEL_CHARS": (1, 100_000),
    "BLINDSPOT_READING_MB": (1_024, 1_000_000),
    "BLINDSPOT_EVALUATION_MB": (16, 1_000_000),
    "BLINDSPOT_EXPORT_MB": (16, 1_000_000),
    "BLINDSPOT_SECONDS": (1, 86_400),
    "BLINDSPOT_KEPT": (1, 10_000),
    "BLINDSPOT_SAVES_PER_HOUR": (1, 1_000_000),
    "BLINDSPOT_UPLOADS_PER_HOUR": (1, 1_000_000),
    "BLINDSPOT_SESSION_FILES": (1, 10_000),
    "BLINDSPOT_SESSION_MB": (1, 100_000),
    "BLINDSPOT_UPLOADS_AT_ONCE": (1, 10_000),
    "BLINDSPOT_BODY_SECONDS": (1, 86_400),
    "BLINDSPOT_SLOWEST_KB": (0, 1_000_000),
    "BLINDSPOT_MEMORY_MB": (256, 10_000_000),
}


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def test_every_number_has_its_bounds_here():
    numbers = {name for name, variable in VARIABLES.items() if type(variable.default) is int}
    assert numbers == set(LOW_AND_HIGH)


@pytest.mark.parametrize(("name", "low", "high"), [(name, *bounds) for name, bounds in LOW_AND_HIGH.items()])
def test_number_must_lie_within_its_bounds(monkeypatch, name, low, high):
    for number in (low, high):
        monkeypatch.setenv(name, f" {number} ")
        assert environment.value(name) == number
    for text in (str(low - 1), str(high + 1), "many", "1.5", "1e3", "١٠", "9" * 5_000, "+5", "1_000"):
        monkeypatch.setenv(name, text)
        with pytest.raises(SettingError) as refused:
            environment.value(name)
        assert str(refused.value) == (
            f"{name} is {text[:60]!r}, but a whole number from {low:,} to {high:,} was wanted; change it, or unset it."
        )


@pytest.mark.parametrize("name", VARIABLES)
@pytest.mark.parametrize("text", [None, "", "  "])
def test_unset_and_empty_are_the_default(monkeypatch, name, text):
    if text is not None:
        monkeypatch.setenv(name, text)
    assert environment.value(name) == VARIABLES[name].default


TAKEN = [
    ("BLINDSPOT_URL", "https://blindspot.example.org/", "https://blindspot.example.org"),
    ("BLINDSPOT_URL", "http://example.org:8080/a-b/c.d/", "http://example.org:8080/a-b/c.d"),
    ("BLINDSPOT_URL", "https://[2001:db8::1]/x", "https://[2001:db8::1]/x"),
    ("BLINDSPOT_WITHOUT_LOGIN", "YES", True),
    ("BLINDSPOT_WITHOUT_LOGIN", "0", False),
    ("BLINDSPOT_LINKS_FOR", "members", "members"),
    ("BLINDSPOT_LINKS_FOR", "domain:example.org, group:reviewers", "domain:example.org, group:reviewers"),
    ("BLINDSPOT_USER_HEADER", "X-Forwarded-User", "X-Forwarded-User"),
    ("BLINDSPOT_PROXIES", "10.0.0.7, ::1,", ("10.0.0.7", "::1")),
    ("BLINDSPOT_STORE", "s3://bucket/blindspot", "s3://bucket/blindspot"),
]


@pytest.mark.parametrize(("name", "text", "wanted"), TAKEN)
def test_what_is_meant_is_taken(monkeypatch, name, text, wanted):
    monkeypatch.setenv(name, text)
    assert environment.value(name) == wanted


REFUSED = [
    ("BLINDSPOT_URL", "blindspot.example.org", "an address such as https://"),
    ("BLINDSPOT_URL", "ftp://example.org", "an address such as https://"),
    ("BLINDSPOT_URL", "https://", "an address such as https://"),
    ("BLINDSPOT_URL", "https://example.org?x=1", "an address such as https://"),
    ("BLINDSPOT_URL", "https://example.org#x", "an address such as https://"),
    ("BLINDSPOT_URL", "https://ada@example.org", "an address such as https://"),
    ("BLINDSPOT_URL", "https://example.org:99999", "an address such as https://"),
    ("BLINDSPOT_URL", "https://example.org:x", "an address such as https://"),
    ("BLINDSPOT_URL", "https://[::1", "an address such as https://"),
    ("BLINDSPOT_URL", "https://example.org//a", "an address such as https://"),
    ("BLINDSPOT_URL", "https://example.org/a/../b", "an address such as https://"),
    ("BLINDSPOT_URL", "https://example.org/{a}", "an address such as https://"),
    ("BLINDSPOT_WITHOUT_LOGIN", "perhaps", "yes or no"),
    ("BLINDSPOT_LINKS_FOR", "everyone", "anyone, members, or a list such as"),
    ("BLINDSPOT_LINKS_FOR", "domain:", "anyone, members, or a list such as"),
    ("BLINDSPOT_LINKS_FOR", "anyone,domain:example.org", "anyone, members, or a list such as"),
    ("BLINDSPOT_USER_HEADER", "X Forwarded", "the name of a header"),
    ("BLINDSPOT_USER_HEADER", "X-User: ada", "the name of a header"),
    ("BLINDSPOT_PROXIES", "proxy.example.org", "addresses of proxies"),
    ("BLINDSPOT_PROXIES", "10.0.0.7 10.0.0.8", "addresses of proxies"),
    ("BLINDSPOT_PROXIES", "1:2", "addresses of proxies"),
    ("BLINDSPOT_PROXIES", "10.0.0.0/8", "addresses of proxies"),
]


@pytest.mark.parametrize(("name", "text", "wanted"), REFUSED)
def test_wrong_value_is_one_sentence(monkeypatch, name, text, wanted):
    monkeypatch.setenv(name, text)
    with pytest.raises(SettingError) as refused:
        environment.value(name)
    sentence = str(refused.value)
    assert sentence.startswith(f"{name} is {text!r}, but {wanted}")
    assert sentence.endswith(" was wanted; change it, or unset it.") and "\n" not in sentence


def test_long_value_is_cut_on_one_line(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_WITHOUT_LOGIN", "x\n" * 500)
    with pytest.raises(SettingError) as refused:
        environment.value("BLINDSPOT_WITHOUT_LOGIN")
    assert len(str(refused.value)) < 220 and "\n" not in str(refused.value)


@pytest.mark.parametrize(("name", "text"), {name: text for name, text, _ in REFUSED}.items())
def test_the_check_at_the_start_finds_it(monkeypatch, name, text):
    environment.check()
    monkeypatch.setenv(name, text)
    with pytest.raises(SettingError, match=name):
        environment.check()


def documented_default(variable) -> str:
    """A default as the table in the documentation has it."""
    if variable.default in ("", ()):
        return "empty"
    if isinstance(variable.default, bool):
        return f"`{'yes' if variable.default else 'no'}`"
    if isinstance(variable.default, tuple):
        return f"`{','.join(variable.default)}`"
    if isinstance(variable.default, int) and variable.unit:
        return f"{variable.default:,} {variable.unit}"
    return f"`{variable.default}`"


def test_the_documentation_has_the_same_table():
    text = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) \| (.*) \|$", text, flags=re.MULTILINE)
    assert rows == [(name, documented_default(variable), variable.about) for name, variable in VARIABLES.items()]


def test_modules_read_only_listed_variables():
    sources = ((ROOT / path).read_text(encoding="utf-8") for path in python_files() if room_of(path) not in OUTSIDE)
    asked = {name for source in sources for name in re.findall(r"[\"'](BLINDSPOT_[A-Z_]+)[\"']", source)}
    assert asked - set(VARIABLES) <= {"BLINDSPOT_KEY"}, "the key is a secret of whoever pushes, not the server's"


def test_misspelt_setting_is_named(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_KEY", "secret")
    environment.check()
    monkeypatch.setenv("BLINDSPOT_LINK_FOR", "members")
    with pytest.raises(
        environment.SettingError, match=r"no setting BLINDSPOT_LINK_FOR; was BLINDSPOT_LINKS_FOR meant\?"
    ):
        environment.check()
