"""Source text is parsed by one thread at a time, whoever asks."""

import ast
import gc
import threading
import time
from collections.abc import Callable

from orchestrator.core.parsing import parse_python

SOURCE = ("x = " + "(" * 40 + "1" + ",)" * 40 + "\n") * 5


class Pausing:
    """Garbage that lets other threads run when it is collected, also while a syntax tree is being made."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        time.sleep(0.0001)


def failures_of(parse: Callable[[str], ast.Module]) -> int:
    failures: list[SystemError] = []

    def work() -> None:
        for _ in range(40):
            for _ in range(5):
                Pausing()
            try:
                parse(SOURCE)
            except SystemError as error:
                failures.append(error)

    before = gc.get_threshold()
    gc.set_threshold(20)
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.set_threshold(*before)
    return len(failures)


def test_threads_do_not_disturb_each_others_trees() -> None:
    """Four threads parse while the garbage collector lets them change places in the middle of a tree."""
    assert failures_of(parse_python) == 0
