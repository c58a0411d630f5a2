"""Set up what all tests share: names that are the same in every process that collects them, and an empty memory."""

import gc
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    import numpy as np

    from tests.reliability.s3_server import S3Server


def pytest_make_parametrize_id(config: object, val: object, argname: str) -> str | None:
    """Long bytes are named after their argument: what is packed holds the time, and processes compare the names."""
    return argname if isinstance(val, bytes) and len(val) > 20 else None


def pytest_collection_finish() -> None:
    """Keep what was collected out of garbage collection: looking through it again and again costs 6 % of the time."""
    gc.collect()
    gc.freeze()


os.environ.setdefault("BLINDSPOT_UPLOADS_PER_HOUR", "100000")  # every test comes from this machine's one address
os.environ.setdefault("SPARK_CONF_DIR", str(Path(__file__).parent / "data/engines"))  # half of Spark's time

# A busy machine is no failure, and every run draws the same examples. RELIABILITY=long draws many others.
LONG = os.environ.get("RELIABILITY") == "long"
settings.register_profile(
    "blindspot", derandomize=not LONG, max_examples=500 if LONG else 40, deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.load_profile("blindspot")


@pytest.fixture(autouse=True, scope="session")
def _no_packaged_components() -> None:
    """Look through no installed package for components, as the server does: AppTest would at every run (0.1 s)."""
    if "streamlit" in sys.modules:
        from web.start import ignore_packaged_components

        ignore_packaged_components()


@pytest.fixture(autouse=True, scope="module")
def _nothing_kept() -> Iterator[None]:
    """Forget what a module's tests kept in memory: it belongs to their store, which the next module's do not have."""
    yield
    if "streamlit" in sys.modules:
        sys.modules["streamlit"].cache_resource.clear()


@pytest.fixture(autouse=True, scope="session")
def _awkward_tokens() -> Iterator[None]:
    """Let every token begin as the worst ones do: `-` looks like an option, Streamlit splits ids at `__`."""
    draw = secrets.token_urlsafe
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_urlsafe", lambda n_bytes=None: f"-__{draw(n_bytes)[3:]}")
        yield


@pytest.fixture
def rng() -> "np.random.Generator":
    """A generator of the test's own: what it draws does not depend on the tests before it."""
    import numpy as np

    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def module_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty store for the tests of one module."""
    folder = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINDSPOT_STORE", str(folder))
        yield folder


@pytest.fixture
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store for one test."""
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


@pytest.fixture
def read_here() -> Iterator[None]:
    """Read files in this process: the limited process has tests of its own, and starting it costs 0.5 s a file."""
    from tests.reading_here import reading_here

    with reading_here():
        yield


@pytest.fixture(scope="module")
def module_reads_here() -> Iterator[None]:
    """Read files in this process, in all tests of a module and in what they share."""
    from tests.reading_here import reading_here

    with reading_here():
        yield


@pytest.fixture(scope="module")
def s3_server() -> Iterator["S3Server"]:
    """An object store on this machine, for the tests of a module."""
    from tests.reliability.s3_server import s3_server

    with s3_server() as running:
        yield running
