"""No regular expression of the server takes time quadratic in a text that somebody uploads."""

import functools
import re

import pytest

from tests.regex_audit import ambiguous, patterns

LINEAR = {
    "data.environment": ("whoever runs the server writes these", r"(/["),
    "data.answers.match_rules": ("three blanks in a row already match", r"[\W_]*+(?:(?:the )?"),
    "data.labels.cell_sets": ("an item begins with a quote, which no blank is", r"\s*(?:np\.str_"),
    "data.columns.column_names": ("a name is one line, so .+ takes all of it at once", r"(?P<affix>(?:"),
    "web.start_page": ("it reads Streamlit's own style sheet, once", r"@font-face\{font-family:Source Sans;"),
}
"""Module -> why its patterns are linear although two repeats overlap, and how these patterns begin."""


@functools.cache
def list_patterns() -> list[tuple[str, re.Pattern]]:
    """List the patterns of the server once for all tests: each module is parsed for them."""
    return list(patterns())


def test_the_audit_finds_the_known_quadratic_patterns():
    for text in (r"p ?\(.+?=.+\)", r".+[._\- ]+true", r"(a+)+b", r"\s*(x|\s+)y", r"(?:a|b*)*c"):
        assert ambiguous(re.compile(text)), text
    for text in (r"p ?\(.[^=]*=.+\)", r"\d+\.\d+", r"a*b+c*", r"\d++\d*x", r"[a-z]{1,9}[a-z]{1,9}"):
        assert not ambiguous(re.compile(text)), text


def test_no_pattern_on_uploaded_text_is_quadratic():
    assert len(list_patterns()) > 100
    for module, pattern in list_patterns():
        if module.startswith("data.reading."):
            continue  # these run in the child, whose computing is limited
        _, start = LINEAR.get(module, ("", None))
        known = start is not None and str(pattern.pattern).startswith(start)
        assert known or not ambiguous(pattern), f"{module}: {pattern.pattern}"


@pytest.mark.parametrize("module", LINEAR)
def test_every_exception_is_still_needed(module):
    assert any(name == module and ambiguous(pattern) for name, pattern in list_patterns())
