"""The guest: PID 1 of a sandbox, the supervisor of the children that run a candidate. Protocol: docs/wire.md.

It imports what children need, says that it is ready, takes jobs from standard input and answers on standard output.
It is single-threaded, holds no secrets, and ends itself when standard input closes or its life is over. How a child
ended is decided here from what the kernel says, never from what the child wrote.

This file is the image's entry point; outside a container only the tests' LocalSandbox starts it.
"""

import os
import sys

for _pin in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "ARROW_NUM_THREADS", "OMP_THREAD_LIMIT"):
    os.environ[_pin] = "1"  # before numpy and Arrow start their thread pools: forking wants a single thread
os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
os.environ["JE_ARROW_MALLOC_CONF"] = "background_thread:false"  # Arrow's jemalloc starts one even when it is not used
_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [_HERE, *(path for path in (f"{_HERE}/lib",) if os.path.isdir(path))]

import gc

gc.disable()  # collecting while pandas is imported finds nothing and costs a tenth of the time
from module_archive import ArchiveFinder

archive = ArchiveFinder()
archive.add("light")
import select
import signal
import time
from typing import Any

import warmup
from host_channel import HostChannel
from supervise import Supervisor
from sweep import take_baseline
from syscalls import set_dumpable
from wire import WireError, read_frame, write_frame


def main() -> None:
    deadline = time.monotonic() + float(os.environ.get("CLEANROOM_DEADLINE_S", "60"))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a handler would take away PID 1's immunity to it
    host_in, host_out = _take_streams()
    light = os.environ.get("CLEANROOM_LIGHT") == "1"
    if not light:
        archive.add("full")
    versions = warmup.up(light=light)
    archive.close()
    time.tzset()
    if "FAKETIME" in os.environ:
        time.sleep = _sleep
    set_dumpable(value=False)
    channel = HostChannel(host_out)
    supervisor = Supervisor(take_baseline(), host_in, deadline)
    gc.freeze()  # without a search for garbage: it would look at all that pandas made, and find next to nothing
    gc.enable()
    supervisor.prepare()
    write_frame(host_out, {"version": 1, "ready": True, **versions}, (), deadline)
    while frame := read_frame(host_in, deadline):
        channel.hide()
        reply, bodies, reusable = supervisor.run(*frame)
        write_frame(channel.get(), reply, bodies, deadline)
        if not reusable:
            return
        del frame, reply, bodies, reusable  # the next child is forked here: it must not find the job before its own
        supervisor.prepare()


def _take_streams() -> tuple[int, int]:
    """Private copies of standard input and output; the standard ones lead nowhere, whatever a library prints."""
    host_in, host_out = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)
    os.set_blocking(host_out, False)
    return host_in, host_out


def _sleep(seconds: Any) -> None:
    """In place of `time.sleep`, which fails where libfaketime moves the clock of all but the monotonic one."""
    select.select([], [], [], seconds)


if __name__ == "__main__":
    try:
        main()
    except (WireError, ValueError, KeyError):
        os._exit(3)
    os._exit(0)
