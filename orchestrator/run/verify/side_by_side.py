"""Runs what is independent of each other at once. Called by `verify`, and by `check` on a cluster."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from orchestrator.core.ports import Sandbox

Item = TypeVar("Item")
Made = TypeVar("Made")


def side_by_side(work: Callable[[Item], Made], items: Sequence[Item], lanes: int, sandbox: Sandbox) -> Iterator[Made]:
    """What `work` makes of each item, in their order. Raises what it raises.

    Nothing waits for what is under way when it ends early: the sandbox is closed then.
    """
    with ThreadPoolExecutor(max(1, min(len(items), lanes)), thread_name_prefix="verify") as threads:
        try:
            yield from threads.map(work, items)
        except BaseException:  # an interrupt must not wait for running candidates
            threads.shutdown(wait=False, cancel_futures=True)
            sandbox.close()
            raise
