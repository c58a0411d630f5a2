"""What all tests share: names that are the same in every process that collects them, and an empty memory."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings


def pytest_make_parametrize_id(config: object, val: object, argname: str) -> str | None:
    """Long bytes are named after their argument: what is packed holds the time, and processes compare the names."""
    return argname if isinstance(val, bytes) and len(val) > 20 else None


settings.register_profile("blindspot", deadline=None)  # a busy machine is no failure
settings.load_profile("blindspot")


@pytest.fixture(autouse=True, scope="module")
def _nothing_kept() -> Iterator[None]:
    """What a module's tests kept in memory belongs to their store, which the next module's do not have."""
    yield
    if "streamlit" in sys.modules:
        sys.modules["streamlit"].cache_resource.clear()


@pytest.fixture(scope="module")
def module_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty store for the tests of one module."""
    folder = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINDSPOT_STORE", str(folder))
        yield folder
