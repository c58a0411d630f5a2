"""Run a test by every engine that is installed."""

import pytest

from data.engines.names import ENGINES, is_installed


@pytest.fixture(params=ENGINES)
def engine(request):
    if not is_installed(request.param):
        pytest.skip(f"the package of {request.param} is not installed")
    return request.param


@pytest.fixture(params=[name for name in ENGINES if name != "spark"])
def quick_engine(request):
    """Every engine but Spark, which takes seconds for a question: `test_spark_engine` asks it all kinds of them."""
    if not is_installed(request.param):
        pytest.skip(f"the package of {request.param} is not installed")
    return request.param
