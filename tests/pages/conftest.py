"""Every module has a store of its own; one whose tests need one each says so under the same name."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="module")
def _store(module_store: Path) -> Path:
    return module_store


@pytest.fixture(autouse=True, scope="module")
def _reads_here(module_reads_here: None) -> None:
    """Read files in this process."""
