"""Test who gets a place among the uploads under way, and how slow an upload may be."""

import asyncio
from dataclasses import replace

import pytest

from tests.web.asgi import run
from web.limits import GRACE_SECONDS, GRACE_WHEN_FULL
from web.middleware.refusals import Refusal
from web.uploads.places import KB, Places, Upload
from web.uploads.usage import Limits

LIMITS = Limits(
    upload_mb=200, session_files=20, session_mb=400, uploads_at_once=8, body_seconds=300, slowest_kb=32, memory_mb=1
)


class Clock:
    """A clock that stands still until it is set."""

    time = 1_000.0

    def __call__(self):
        return self.time


def fill(places, *uploads):
    places.taken += uploads


def refusal(places, upload, limits=LIMITS):
    with pytest.raises(Refusal) as refused, places.place(upload, limits):
        pass
    assert refused.value.status == 503 and "BLINDSPOT_UPLOADS_AT_ONCE" in refused.value.sentence
    return refused.value.sentence


def test_one_tab_takes_a_quarter_of_the_places():
    clock = Clock()
    places = Places(clock)
    fill(places, *(Upload("tab", f"peer {i}", clock()) for i in range(2)))
    assert refusal(places, Upload("tab", "peer 9", clock())).startswith("2 uploads of yours")
    with places.place(Upload("another", "peer 9", clock()), LIMITS):
        assert len(places.taken) == 3
    assert len(places.taken) == 2


def test_one_address_takes_half_of_the_places():
    clock = Clock()
    places = Places(clock)
    fill(places, *(Upload(f"tab {i}", "peer", clock()) for i in range(4)))
    assert refusal(places, Upload("tab 9", "peer", clock())).startswith("4 uploads from your address")
    fill(places, *(Upload(f"tab {i}", f"peer {i}", clock()) for i in range(5, 9)))
    assert refusal(places, Upload("tab 9", "peer 9", clock())).startswith("8 uploads are")


def test_trickling_upload_makes_room():
    async def talk():
        clock = Clock()
        places = Places(clock)
        uploads = [Upload(f"tab {i}", "peer", clock()) for i in range(4)]
        fill(places, *uploads)
        clock.time += GRACE_WHEN_FULL + 1
        uploads[0].received = uploads[1].received = 32 * KB + 1
        uploads[2].received, uploads[3].complete = 100, True
        with places.place(Upload("new", "peer", clock()), LIMITS):
            assert uploads[2].ended and uploads[2] not in places.taken
            refusal(places, Upload("newer", "peer", clock()))
        return [upload.ended for upload in uploads]

    assert run(talk()) == [False, False, True, False]


def test_ended_upload_learns_of_it():
    async def talk():
        clock, waiting = Clock(), asyncio.Event()
        places = Places(clock)
        slow = [Upload(f"tab {i}", "peer", clock()) for i in range(4)]
        fill(places, *slow)

        async def never():
            waiting.set()
            await asyncio.Event().wait()

        receiving = asyncio.create_task(places.watched(slow[0], never, LIMITS)())
        await waiting.wait()
        clock.time += GRACE_WHEN_FULL + 1
        with places.place(Upload("new", "peer", clock()), LIMITS), pytest.raises(Refusal) as ended:
            await receiving
        return ended.value

    ended = run(talk())
    assert ended.status == 408 and "BLINDSPOT_SLOWEST_KB" in ended.sentence


@pytest.mark.parametrize(
    ("received", "slowest_kb", "seconds"),
    [
        (0, 32, GRACE_SECONDS),
        (32 * KB, 32, GRACE_SECONDS + 1),
        (3_200 * KB, 32, GRACE_SECONDS + 100),
        (200 << 20, 32, 300),
        (0, 0, 300),
    ],
)
def test_body_time_depends_on_its_size(received, slowest_kb, seconds):
    upload = Upload("tab", "peer", 1_000.0, received=received)
    assert Places(Clock()).deadline(upload, replace(LIMITS, slowest_kb=slowest_kb)) == 1_000.0 + seconds


@pytest.mark.parametrize(("n_bytes", "n_pieces"), [(1, 21), (32 * KB, 300)])
def test_a_body_ends_where_its_time_does(n_bytes, n_pieces):
    """One piece a second: of one byte for the grace, of 32 kB as long as any body may take."""
    clock = Clock()
    upload = Upload("tab", "peer", clock())

    async def each_second():
        clock.time += 1
        return {"type": "http.request", "body": bytes(n_bytes), "more_body": True}

    async def talk():
        receive, n = Places(clock).watched(upload, each_second, LIMITS), 0
        with pytest.raises(Refusal) as refused:
            while True:
                await receive()
                n += 1
        return n, refused.value.status

    assert run(talk()) == (n_pieces, 408)
