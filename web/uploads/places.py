"""Share the places of uploads among tabs, keys and addresses, and end uploads that are too slow."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.types import Message, Receive

from data.environment import raise_it
from web.limits import GRACE_SECONDS, GRACE_WHEN_FULL
from web.middleware.refusals import Refusal, too_slow
from web.uploads.usage import Limits

KB = 1024


@dataclass(eq=False)
class Upload:
    """One upload on its way.

    who : the tab or the key it came with. peer : the address it came from. file : the name of a tab's file there.
    declared, received : bytes that it says it has, and bytes that have come.
    complete : whether all has come: a file that is being read holds its place and is not slow.
    """

    who: str
    peer: str
    started: float
    file: str = ""
    declared: int = 0
    received: int = 0
    complete: bool = False
    ended: bool = False
    timer: asyncio.Timeout | None = field(default=None, repr=False)

    @property
    def size(self) -> int:
        return max(self.declared, self.received)


def most_of_one(places: int) -> int:
    """Return how many places one tab or one key may take: a quarter, two at least, and never the last one.

    >>> [most_of_one(places) for places in (1, 2, 3, 8, 40)]
    [1, 1, 2, 2, 10]
    """
    return min(max(2, places // 4), max(1, places - 1))


def most_of_a_peer(places: int) -> int:
    """Return how many places one address may take: half, two at least, and never the last one.

    >>> [most_of_a_peer(places) for places in (1, 2, 3, 8, 40)]
    [1, 1, 2, 4, 20]
    """
    return min(max(2, places // 2), max(1, places - 1))


class Places:
    """The uploads under way. Only ever touched on the event loop.

    now : the clock.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.taken: list[Upload] = []

    @contextmanager
    def place(self, upload: Upload, limits: Limits) -> Iterator[None]:
        """Hold a place for an upload.

        Raises
        ------
        Refusal
            all places that it could have are taken by uploads that keep their pace.
        """
        self._make_room(upload, limits)
        self.taken.append(upload)
        try:
            yield
        finally:
            if upload in self.taken:  # else it was ended to make room
                self.taken.remove(upload)

    def _make_room(self, upload: Upload, limits: Limits) -> None:
        """Refuse an upload for which there is no place, unless a slow upload can be ended for it."""
        all_places = limits.uploads_at_once
        shares = (
            (most_of_one(all_places), [other for other in self.taken if other.who == upload.who], "of yours are"),
            (
                most_of_a_peer(all_places),
                [other for other in self.taken if other.peer == upload.peer],
                "from your address are",
            ),
            (all_places, list(self.taken), "are"),
        )
        for most, others, whose in shares:
            others = [other for other in others if not other.ended]
            if len(others) < most:
                continue
            slow = [other for other in others if self._is_slow(other, limits)]
            if not slow:
                raise Refusal(
                    503,
                    f"{most:,} uploads {whose} running already: try again in a moment; "
                    f"{raise_it('BLINDSPOT_UPLOADS_AT_ONCE')}.",
                    retry_after=30,
                )
            self._end(min(slow, key=lambda other: other.received))

    def _is_slow(self, upload: Upload, limits: Limits) -> bool:
        return not upload.complete and self.now() > upload.started + GRACE_WHEN_FULL + _seconds(upload.received, limits)

    def _end(self, upload: Upload) -> None:
        upload.ended = True
        self.taken.remove(upload)
        if upload.timer is not None:
            upload.timer.reschedule(asyncio.get_running_loop().time())

    def deadline(self, upload: Upload, limits: Limits) -> float:
        """Return until when the next piece of an upload has to be here.

        That is later the more has come. The whole may take as long as its size at the slowest pace, and
        BLINDSPOT_BODY_SECONDS at most.
        """
        if upload.ended:
            return self.now()
        pace = upload.started + GRACE_SECONDS + _seconds(upload.received, limits)
        return min(pace, upload.started + limits.body_seconds)

    def watched(self, upload: Upload, receive: Receive, limits: Limits) -> Receive:
        """Return `receive` that counts what comes, and raises a Refusal once it comes too slowly."""

        async def receive_in_time() -> Message:
            left = self.deadline(upload, limits) - self.now()
            try:
                if left <= 0:
                    raise TimeoutError
                async with asyncio.timeout(left) as upload.timer:
                    message = await receive()
            except TimeoutError:
                raise self._too_slow(upload, limits) from None
            finally:
                upload.timer = None
            upload.received += len(message.get("body", b""))
            upload.complete = not message.get("more_body", False)
            return message

        return receive_in_time

    def _too_slow(self, upload: Upload, limits: Limits) -> Refusal:
        if self.now() >= upload.started + limits.body_seconds:
            return too_slow(limits.body_seconds)
        return Refusal(
            408,
            f"The file came too slowly: {limits.slowest_kb:,} kB a second are wanted; whoever runs the server can "
            "lower that with BLINDSPOT_SLOWEST_KB.",
        )


def _seconds(n_bytes: int, limits: Limits) -> float:
    """Return how long so many bytes may take at the slowest pace."""
    return n_bytes / (KB * limits.slowest_kb) if limits.slowest_kb else float("inf")
