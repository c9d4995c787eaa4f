"""Where the decoder dies, the machine is asked before the function is blamed."""

from contextlib import closing

import pyarrow as pa
import pytest

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.ports import Disposable, SandboxAccess
from orchestrator.run.apply.function_runner import FunctionFailed, FunctionRunner
from tests.run.apply.test_failing_rows import UPPER, cleaned

ROWS = pa.table({"a": ["rome", "oslo"]})
KILLED = "The process that read the output was killed by SIGKILL."


class DyingDecoder:
    """Dies of requests that hold the word, so many times."""

    def __init__(self, inner: Disposable, word: bytes, times: int = 1_000) -> None:
        self._inner, self._word, self._left = inner, word, times

    def call(self, request: bytes) -> bytes:
        if self._word in request and self._left:
            self._left -= 1
            raise DisposableDied(KILLED)
        return self._inner.call(request)

    def close(self) -> None:
        """Nothing of its own to close."""


def dying(access: SandboxAccess, word: bytes, times: int = 1_000) -> SandboxAccess:
    return access._replace(decoder=DyingDecoder(access.decoder, word, times))


def test_a_decoder_that_dies_of_everything_is_the_machine(access: SandboxAccess) -> None:
    """It dies of what the canary wrote, too: nothing is said of the function, in whichever way it is called."""
    broken = dying(access, b"")
    with closing(FunctionRunner(broken, [UPPER])) as runner:
        for ask in (lambda: runner.run(UPPER, ROWS, 60), lambda: runner.try_each([(UPPER, ROWS)], 60)):
            with pytest.raises(SandboxError, match=r"cannot be read here.*SIGKILL"):
                ask()
    with pytest.raises(SandboxError, match="cannot be read here"):
        cleaned(broken, ["rome", "oslo"])


def test_a_decoder_that_dies_of_one_output_is_the_function(access: SandboxAccess) -> None:
    """It reads what the canary wrote, and dies of this again."""
    runner = FunctionRunner(dying(access, b"ROME"), [UPPER])
    with closing(runner), pytest.raises(FunctionFailed, match="SIGKILL"):
        runner.run(UPPER, ROWS, 60)


def test_a_decoder_that_was_killed_once_is_asked_again(access: SandboxAccess) -> None:
    """The kernel ended it for want of memory, and there is some again."""
    with closing(FunctionRunner(dying(access, b"ROME", times=1), [UPPER])) as runner:
        assert runner.run(UPPER, ROWS, 60).table.column("a").to_pylist() == ["ROME", "OSLO"]
