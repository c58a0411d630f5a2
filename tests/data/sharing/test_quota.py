"""Links that one person may make in an hour."""

import threading

import pytest

from data.sharing import quota


class Clock:
    time = 1_000.0

    def monotonic(self) -> float:
        return self.time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(quota, "time", found)
    monkeypatch.setattr(quota, "_made", {})
    monkeypatch.setenv("BLINDSPOT_SAVES_PER_HOUR", "3")
    return found


def test_hour_is_counted_for_each_person(clock: Clock) -> None:
    for _ in range(3):
        quota.take("ann")
        clock.time += 600
    with pytest.raises(quota.TooMany, match=r"3 links.*in 31 minutes.*BLINDSPOT_SAVES_PER_HOUR"):
        quota.take("ann")
    quota.take("bob")
    clock.time += 1_800  # an hour after the first
    quota.take("ann")
    with pytest.raises(quota.TooMany, match="in 11 minutes"):
        quota.take("ann")


def test_links_and_files_are_counted_apart(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLINDSPOT_UPLOADS_PER_HOUR", "2")
    for _ in range(2):
        quota.take("ann", "files")
    with pytest.raises(quota.TooMany, match=r"2 files an hour.*in 61 minutes.*BLINDSPOT_UPLOADS_PER_HOUR"):
        quota.take("ann", "files")
    quota.take("ann")


def test_concurrent_requests_stay_within_quota(clock: Clock) -> None:
    made: list[int] = []

    def ask(number: int) -> None:
        try:
            quota.take("ann")
        except quota.TooMany:
            return
        made.append(number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 3


def test_finished_people_are_forgotten_among_many(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quota, "MAX_COUNTED_PEOPLE", 5)
    for number in range(5):
        quota.take(f"person {number}")
    clock.time += 3_601
    quota.take("ann")
    assert list(quota._made) == [("links", "ann")]
