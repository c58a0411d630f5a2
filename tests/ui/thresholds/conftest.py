"""Open the samples, one a task, whose scores have thresholds."""

import pytest

from tests.opened_runs import open_run


@pytest.fixture(scope="module", params=["screening", "digits", "movie-genres"])
def evaluation(request):
    return open_run(request.param)
