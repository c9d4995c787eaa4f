"""A process of a cluster, scheduler or worker, from start to end. Called by the commands and by local_cluster.py.

`python -m orchestrator.scale.cluster_member` reads one line of JSON from its standard input, says in one line on its
standard output where it can be reached or what went wrong, and ends when its standard input does: so it never outlives
the process that started it, however that ended.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TextIO

from orchestrator.core.errors import CleanroomError
from orchestrator.core.policy import Policy
from orchestrator.core.value import Value
from orchestrator.scale.certificates import expired, good_until
from orchestrator.scale.dask_setup import prepare_dask, security

OnReady = Callable[[str], None]
Until = Callable[[Callable[[], object]], None]
"""Arranges that the given function is called when the process shall end."""


class MemberOptions(Value):
    """What a member is: a worker of `scheduler`, or (empty) the scheduler itself. `tls`: its certificates.

    `listen`: the host of this machine that others reach it under, with the scheduler's `port`. `scratch`: a folder
    for a worker's files (None: one of its own), which goes with the scheduler.
    """

    tls: Path
    scheduler: str = ""
    listen: str = ""
    port: int = 0
    scratch: Path | None = None
    policy: Policy = Policy()


def run_member(options: MemberOptions, ready: OnReady, until: Until) -> None:
    """Serve until told to end, or the certificate does. Raises UsageError, SandboxError, PostureError."""
    prepare_dask()
    good = good_until(options.tls)
    if options.scheduler:
        _work(options, good, ready, until)
    else:
        try:
            with _own_folder(options) as folder:
                asyncio.run(_schedule(options, good, folder, ready, until))
        finally:
            if options.scratch is not None:
                shutil.rmtree(options.scratch, ignore_errors=True)
    if good <= datetime.now(UTC):
        raise expired(options.tls, good)


def _work(options: MemberOptions, good: datetime, ready: OnReady, until: Until) -> None:
    from orchestrator.core.jobs import GuestEnvironment
    from orchestrator.sandbox.access import open_sandbox, prove_sandbox
    from orchestrator.scale.dask_worker import open_worker, serve_worker
    from orchestrator.scale.sandbox_host import SandboxHost

    prove_sandbox(options.policy)
    one_each = dict.fromkeys((GuestEnvironment.FIRST, GuestEnvironment.CONFIRM), 1)
    with (
        _own_folder(options) as folder,
        closing(SandboxHost(options.policy, lambda policy: open_sandbox(policy, expected=one_each))) as host,
    ):
        tls = security(options.tls)

        async def serve() -> None:
            made = partial(open_worker, options.scheduler, tls, host, folder, options.listen)
            await serve_worker(made, host, _stop(until, good), ready)

        asyncio.run(serve())


async def _schedule(options: MemberOptions, good: datetime, folder: str, ready: OnReady, until: Until) -> None:
    from orchestrator.scale.dask_scheduler import open_scheduler

    stop = _stop(until, good)
    scheduler = await open_scheduler(options.tls, options.listen, options.port, folder)
    try:
        ready(scheduler.address)
        ended: Awaitable[object] = scheduler.finished()
        await asyncio.wait(
            (asyncio.ensure_future(ended), asyncio.ensure_future(stop.wait())), return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        await scheduler.close()


def _own_folder(options: MemberOptions) -> tempfile.TemporaryDirectory[str]:
    name = "worker" if options.scheduler else "scheduler"
    return tempfile.TemporaryDirectory(prefix=f"cleanroom-{name}-", dir=options.scratch)


def _stop(until: Until, good: datetime) -> asyncio.Event:
    """Set when the process shall end, or its certificate is not `good` any more: nobody could connect to it then."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    until(lambda: loop.call_soon_threadsafe(stop.set))
    loop.call_later((good - datetime.now(UTC)).total_seconds(), stop.set)
    return stop


def on_signals(end: Callable[[], object]) -> None:
    """End when the terminal or a service manager says so."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: end())


def _main(given: TextIO, said: TextIO) -> int:
    """Started by local_cluster.py."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's Ctrl-C is the coordinator's, who then ends us

    def on_end_of_input(end: Callable[[], object]) -> None:
        def watch() -> None:
            given.read()
            end()

        threading.Thread(target=watch, name="input", daemon=True).start()
        signal.signal(signal.SIGTERM, lambda *_: end())

    def say(**words: str) -> None:
        print(json.dumps(words), file=said, flush=True)

    try:
        options = MemberOptions.model_validate_json(given.readline())
        run_member(options, lambda address: say(address=address), on_end_of_input)
    except CleanroomError as error:
        say(error=type(error).__name__, message=error.message, advice=error.advice)
        return error.exit_code
    return 0


if __name__ == "__main__":
    status = _main(sys.stdin, sys.stdout)
    os._exit(status)  # not held up by a thread of a task that was given up
