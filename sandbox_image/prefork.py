"""A child that is forked before its job is known and waits for it, warmed. Called by supervise.py.

A fork copies no memory, so a fresh child's first touch of each page costs a fault: several milliseconds in which the
host waits. A child takes these faults beforehand, in the time in which the container waits anyway. No candidate's code
is near it while it waits: the job comes through a pipe that only the supervisor writes to.
"""

import os
import time
from typing import Any, NoReturn

import child as child_process
import warmup
from syscalls import processor_seconds
from wire import Body, WireError, read_frame, write_frame

_FOREVER_S = 10**6  # the supervisor's end closes the pipe, which ends the wait


class PreforkedChild:
    """A waiting child. Used once."""

    def __init__(self) -> None:
        job_reader, self._job_writer = os.pipe()
        self.output, output_writer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._job_writer)
            os.close(self.output)
            _wait_and_run(job_reader, output_writer)
        os.close(job_reader)
        os.close(output_writer)

    def start(self, given: tuple[dict[str, Any], list[Body]], deadline: float) -> float:
        """Hand over the job; the processor seconds that the child had used for itself. Raises OSError, WireError."""
        header, inputs = given
        frame = {"version": 1, **header, "blobs": [len(blob) for blob in inputs]}
        os.set_blocking(self._job_writer, False)
        try:
            used = processor_seconds(self.pid)
            write_frame(self._job_writer, frame, inputs, deadline)
        finally:
            os.close(self._job_writer)
        return used

    def forget(self) -> None:
        """Clean up after a child that died."""
        os.close(self.output)
        os.waitpid(self.pid, 0)


def _wait_and_run(job_reader: int, output_writer: int) -> NoReturn:
    try:
        warmup.touch()
        frame = read_frame(job_reader, time.monotonic() + _FOREVER_S)
        if frame is not None:
            header, blobs = frame
            child_process.main(header, blobs, output_writer)
    except WireError:
        pass
    finally:
        os._exit(1)
