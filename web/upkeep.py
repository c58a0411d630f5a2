"""Sweep the store while the server runs: remove expired links, and tables that no link names."""

from __future__ import annotations

import asyncio
import logging

from data.errors import DataError
from data.store import expiry

SECONDS_BETWEEN = 3600.0
log = logging.getLogger("blindspot")


async def clear_store() -> None:
    """Sweep at the start and then once an hour, in a thread; a store that cannot be reached is tried again later."""
    while True:
        try:
            swept = await asyncio.to_thread(expiry.sweep)
        except (DataError, OSError) as error:
            log.warning("The store could not be swept: %s", error)
        except Exception:  # whatever it was, the server goes on, and the log has it
            log.exception("The store could not be swept")
        else:
            if any(swept):
                log.info("Swept: %d links, %d tables, %d leftovers", *swept)
        await asyncio.sleep(SECONDS_BETWEEN)
