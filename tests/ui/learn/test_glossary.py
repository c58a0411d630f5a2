"""The glossary explains what stands in its formulas."""

import pytest

from metrics.catalogue.registry import NOTATION
from tests.opened_pages import open_page, texts


@pytest.mark.parametrize("view", [{}, {"run": "screening"}])
def test_every_symbol_is_explained_with_a_file_and_without(tmp_path, monkeypatch, view):
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path))
    app = open_page("glossary", **view)
    assert not app.exception
    assert all(f"${symbols}$: {words}" in texts(app) for symbols, words in NOTATION.items())
