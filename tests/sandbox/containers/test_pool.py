"""The pool: single use, refilled off the caller's path, nothing left behind, whatever fails."""

import threading
import time
from collections.abc import Callable
from typing import Any, cast

import pytest

from orchestrator.core.errors import EngineUnavailable, ImageMissing, SandboxError
from orchestrator.core.jobs import GuestEnvironment
from orchestrator.sandbox.containers.container import Container
from orchestrator.sandbox.containers.pool import Pool


class Fake:
    """Counts containers that are alive; the k-th start can be made to fail; while `held`, no start ends."""

    def __init__(self, fail_at: int | None = None, delay_s: float = 0.0, *, held: bool = False) -> None:
        self.go_on = threading.Event()
        if not held:
            self.go_on.set()
        self.begun = 0
        self.made: list[FakeContainer] = []
        self.alive: set[int] = set()
        self._fail_at = fail_at
        self._delay_s = delay_s
        self._calls = 0
        self._lock = threading.Lock()

    def __call__(self, environment: GuestEnvironment) -> Container:
        self.begun += 1
        time.sleep(self._delay_s)
        assert self.go_on.wait(60)
        with self._lock:
            self._calls += 1
            if self._calls == self._fail_at:
                raise ImageMissing("not there")
            container = FakeContainer(len(self.made), environment, self)
            self.made.append(container)
            self.alive.add(container.number)
        return cast("Container", container)


class FakeContainer:
    def __init__(self, number: int, environment: GuestEnvironment, owner: Fake) -> None:
        self.number = number
        self.environment = environment
        self.alive = True
        self._owner = owner

    def usable(self, _: float) -> bool:
        return self.alive

    def destroy(self) -> None:
        self._owner.alive.discard(self.number)


SIZES = {GuestEnvironment.FIRST: 2, GuestEnvironment.CONFIRM: 1}


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.005)


def number(container: Container) -> int:
    return cast("FakeContainer", container).number


def test_containers_wait_before_they_are_asked_for() -> None:
    """Both environments are filled up to their sizes, and no further."""
    fake = Fake()
    pool = Pool(fake, SIZES, workers=2)
    until(lambda: len(fake.made) == 3)
    time.sleep(0.05)
    assert sorted(container.environment for container in fake.made) == ["confirm", "first", "first"]
    pool.close()
    assert fake.alive == set()


def test_no_container_is_handed_out_twice() -> None:
    """Many callers at once never see the same container, and all are destroyed."""
    fake = Fake()
    pool = Pool(fake, SIZES, workers=2)
    seen: list[int] = []

    def use() -> None:
        for _ in range(20):
            container = pool.acquire(GuestEnvironment.FIRST, 1)
            seen.append(number(container))
            pool.discard(container)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == len(set(seen)) == 80
    pool.close()
    assert fake.alive == set()


def test_more_callers_than_places_are_served() -> None:
    """A pool that keeps none waiting still makes what is asked for."""
    pool = Pool(Fake(), dict.fromkeys(GuestEnvironment, 0), workers=1)
    assert number(pool.acquire(GuestEnvironment.CONFIRM, 1)) == 0
    pool.close()


def test_a_container_that_died_waiting_is_replaced() -> None:
    """Only a container that still lives is handed out."""
    fake = Fake()
    pool = Pool(fake, SIZES, workers=1)
    until(lambda: len(fake.made) == 3)
    for container in fake.made:
        container.alive = False
    assert number(pool.acquire(GuestEnvironment.FIRST, 1)) > 2
    pool.close()


@pytest.mark.parametrize("fail_at", range(1, 6))
def test_a_failing_start_reaches_the_caller_and_leaves_nothing(fail_at: int) -> None:
    """Whichever start fails, the caller hears of it at most once, the next try works, and nothing is left."""
    fake = Fake(fail_at=fail_at, delay_s=0.01)
    pool = Pool(fake, SIZES, workers=2)
    failures = 0
    for _ in range(5):
        try:
            pool.discard(pool.acquire(GuestEnvironment.FIRST, 1))
        except ImageMissing:
            failures += 1
    assert failures <= 1
    pool.close()
    assert fake.alive == set()


def test_a_container_that_is_late_does_not_outlive_the_pool() -> None:
    """A start that is under way while the pool closes ends destroyed."""
    fake = Fake(held=True)
    pool = Pool(fake, SIZES, workers=2)
    until(lambda: fake.begun > 0)
    closing = threading.Thread(target=pool.close)
    closing.start()
    until(lambda: pool._closed)
    fake.go_on.set()
    closing.join(60)
    assert len(fake.made) > 0
    assert fake.alive == set()


def test_waiting_has_an_end() -> None:
    """A caller gives up after its timeout, and a closed pool refuses at once."""
    fake = Fake(held=True)
    pool = Pool(fake, SIZES, workers=1)
    with pytest.raises(EngineUnavailable, match="ready"):
        pool.acquire(GuestEnvironment.FIRST, 1, timeout_s=0.05)
    fake.go_on.set()
    pool.close()
    with pytest.raises(SandboxError, match="closed"):
        pool.acquire(GuestEnvironment.FIRST, 1)


def test_closing_wakes_who_waits() -> None:
    """A caller that waits for a container hears that the pool is closed."""
    fake = Fake(held=True)
    pool = Pool(fake, SIZES, workers=1)
    heard: list[Any] = []

    def wait() -> None:
        try:
            pool.acquire(GuestEnvironment.FIRST, 1)
        except SandboxError as error:
            heard.append(error.message)

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.05)  # time to begin to wait; where it has not, it hears the same
    closing = threading.Thread(target=pool.close)
    closing.start()
    thread.join(60)
    assert heard == ["the sandbox is closed"], "before the container was there"
    fake.go_on.set()
    closing.join(60)


def test_what_a_caller_lost_is_destroyed_too() -> None:
    """A container that was handed out and never given back is gone after close."""
    fake = Fake()
    pool = Pool(fake, SIZES, workers=1)
    pool.acquire(GuestEnvironment.FIRST, 1)
    pool.close()
    assert fake.alive == set()


def test_a_container_that_cannot_be_destroyed_stops_nobody() -> None:
    """Whatever an engine raises while one is destroyed, the pool goes on making and destroying others."""
    fake = Fake()
    pool = Pool(fake, SIZES, workers=1)
    bad = pool.acquire(GuestEnvironment.FIRST, 1)

    def fail() -> None:
        raise OSError("the connection broke")

    bad.destroy = fail  # type: ignore[method-assign] # this one container fails
    pool.discard(bad)
    for _ in range(6):
        pool.discard(pool.acquire(GuestEnvironment.FIRST, 1))
    pool.close()
    assert fake.alive == {number(bad)}


def test_only_the_kind_that_is_asked_for_waits() -> None:
    """Light containers take the places of full ones once they are asked for, and the other way round."""
    fake = Fake()
    sizes = {
        GuestEnvironment.FIRST: 2,
        GuestEnvironment.CONFIRM: 1,
        GuestEnvironment.FIRST_LIGHT: 2,
        GuestEnvironment.CONFIRM_LIGHT: 1,
    }
    pool = Pool(fake, sizes, workers=2, light=True)
    until(lambda: len(fake.made) == 3)
    time.sleep(0.05)
    assert sorted(container.environment for container in fake.made) == ["confirm-light", "first-light", "first-light"]
    pool.discard(pool.acquire(GuestEnvironment.FIRST, 1))
    until(lambda: sum(container.environment == "first" for container in fake.made) == 3)
    assert sum(container.environment.light for container in fake.made) == 3
    pool.close()
    assert fake.alive == set()


def test_no_more_is_made_ahead_than_will_be_asked_for() -> None:
    """Where it is known how much work there is, nothing is made for more; who asks for more still gets it."""
    fake = Fake()
    pool = Pool(fake, SIZES, workers=2, expected={GuestEnvironment.FIRST: 1, GuestEnvironment.CONFIRM: 0})
    until(lambda: len(fake.made) == 1)
    pool.discard(pool.acquire(GuestEnvironment.FIRST, 1))
    time.sleep(0.3)
    assert [container.environment for container in fake.made] == ["first"]
    pool.discard(pool.acquire(GuestEnvironment.CONFIRM, 1))
    pool.close()
    assert [container.environment for container in fake.made] == ["first", "confirm"]
    assert fake.alive == set()
