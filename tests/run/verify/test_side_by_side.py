"""Work on several things at once: in order, and what becomes of the rest where one fails."""

import threading

import pytest

from orchestrator.run.verify.side_by_side import side_by_side
from orchestrator.sandbox.containers.local import LocalSandbox


def test_results_come_in_the_order_of_the_items() -> None:
    """Though the second is there first; two are worked on at once."""
    second = threading.Event()

    def work(item: int) -> int:
        if item == 1:
            assert second.wait(60)
        second.set()
        return item

    assert list(side_by_side(work, [1, 2, 3], 2)) == [1, 2, 3]


def test_a_sandbox_that_is_used_again_outlives_an_error() -> None:
    """What is under way is waited for; one that nobody uses any more is closed, so that nothing waits."""
    done: list[int] = []
    begun = threading.Event()

    def work(item: int) -> int:
        if item == 1:
            assert begun.wait(60)
            raise ValueError("no")
        begun.set()
        done.append(item)
        return item

    with pytest.raises(ValueError, match="no"):
        list(side_by_side(work, [1, 2], 2))
    assert done == [2]
    with LocalSandbox() as sandbox:
        with pytest.raises(ValueError, match="no"):
            list(side_by_side(work, [1, 2], 2, sandbox))
        assert sandbox._closed
