"""Ask whether the server of this machine answers: `python -m web.health`, for the probe of a container."""

from __future__ import annotations

import sys
import urllib.request

from data import environment
from web.site import this_site


def is_up(port: int) -> bool:
    """Return whether the server on `port` says that it is ready, with BLINDSPOT_ADDRESS and BLINDSPOT_URL applied."""
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with straight.open(f"{this_site().local_url(port)}/_stcore/health", timeout=5) as answer:
            return bool(answer.read() == b"ok")
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(0 if is_up(environment.value("PORT")) else 1)
