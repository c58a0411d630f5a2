"""Run a test by every engine that is installed."""

import pytest

from data.engines.engine import ENGINES, is_installed


@pytest.fixture(params=ENGINES)
def engine(request):
    if not is_installed(request.param):
        pytest.skip(f"the package of {request.param} is not installed")
    return request.param
