"""Runs what is independent of each other at once. Called by `verify`, and by `check` on a cluster."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from orchestrator.core.ports import Sandbox

Item = TypeVar("Item")
Made = TypeVar("Made")


def side_by_side(
    work: Callable[[Item], Made], items: Sequence[Item], lanes: int, closed_early: Sandbox | None = None
) -> Iterator[Made]:
    """What `work` makes of each item, in their order. Raises what it raises.

    When it ends early, what is under way is waited for, unless there is a sandbox to be closed: one that is not used
    any more.
    """
    with ThreadPoolExecutor(max(1, min(len(items), lanes)), thread_name_prefix="verify") as threads:
        try:
            yield from threads.map(work, items)
        except BaseException:  # an interrupt must not wait for running candidates
            threads.shutdown(wait=False, cancel_futures=True)
            if closed_early is not None:
                closed_early.close()
            raise
