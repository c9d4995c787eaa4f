"""Runs the children of a job one after the other and decides how each ended. Called by guest.py.

A child is read through one pipe with a byte cap and a deadline over its whole life. The pipe may be held open by
descendants, so the child's own end counts, not the end of the pipe.
"""

import os
import select
import signal
import time
from typing import Any, NamedTuple

import child as child_process
from confine import EXIT_UNCONFINED
from prefork import PreforkedChild
from sweep import Baseline, sweep
from syscalls import processor_seconds
from wire import Body, WireError

MAX_REPLY = 256 * 2**20  # all children of one job together
_PIPE = 2**16  # as much as a pipe holds
_GLANCE_S = 0.02  # how often a child is looked at whose pipe stays silent
_FOREVER_S = 10**6  # a job without a budget has that of its children
_MARGIN_CPU_S = 1.0  # beyond the limit, as the kernel has it, which counts whole seconds
_LAST_GLANCE_S = 0.001  # the same once its pipe is closed: it should be gone within a moment


Given = tuple[dict[str, Any], list[Body]]
"""What a child is given: its header and its inputs."""
Secret = tuple[dict[str, Any] | list[Any], ...]


class Exit(NamedTuple):
    """What the kernel says of a finished child, and what the supervisor did to it."""

    status: int
    cpu_s: float
    peak_bytes: int
    stopped: str | None  # why the supervisor killed it


class Most(NamedTuple):
    """What a child may use before it is stopped: a monotonic time, processor seconds of its process, output."""

    deadline: float
    cpu_s: float
    output_bytes: int


class Supervisor:
    """Runs jobs. `host_in` is only watched for the host going away."""

    def __init__(self, baseline: Baseline, host_in: int, deadline: float) -> None:
        self._baseline = baseline
        self._host_in = host_in
        self._deadline = deadline
        self._preforked: PreforkedChild | None = None

    def prepare(self) -> None:
        """Have a warmed child wait for the next job. Called while nobody waits."""
        if self._preforked is None:
            self._preforked = PreforkedChild()

    def run(self, job: dict[str, Any], blobs: list[Body]) -> tuple[dict[str, Any], list[Body], bool]:
        """The reply's header, its bodies, and whether another job may follow."""
        results: list[dict[str, Any]] = []
        bodies: list[Body] = []
        swept, reusable, room = 0, True, MAX_REPLY
        end = min(time.monotonic() + float(job.get("budget_s", _FOREVER_S)), self._deadline)
        cpu_s = max((float(child["limits"]["cpu_s"]) for child in job["children"]), default=0.0)
        for child in job["children"]:
            started = time.monotonic()
            if started >= end:
                results.append({"ended": "timeout", "cpu_s": 0.0, "wall_s": 0.0, "peak_bytes": 0, "body": 0})
                bodies.append(b"")
                continue
            ends_job = child.pop("ends_job", False)
            body, exit_ = self._run_child(
                child, _own(job, child, blobs, cpu_s), min(room, int(child["limits"]["output_bytes"])), end,
                (job["children"], job, child, child["limits"], blobs, results, bodies),
            )  # fmt: skip
            cleaned = sweep(exit_[0], self._baseline)
            ended = how_it_ended(exit_[1], float(child["limits"]["cpu_s"]), cleaned.swept)
            if ends_job and ended == "timeout":
                end = started
            room -= len(body)
            swept += cleaned.swept
            reusable = reusable and cleaned.clean
            bodies.append(body)
            results.append({
                "ended": ended,
                "cpu_s": exit_[1].cpu_s,
                "wall_s": time.monotonic() - started,
                "peak_bytes": exit_[1].peak_bytes,
                "body": len(body),
            })  # fmt: skip
            if not cleaned.clean:
                break
        return {"version": 1, "children": results, "swept": swept, "reusable": reusable}, bodies, reusable

    def _run_child(
        self, child: dict[str, Any], given: Given, most_bytes: int, end: float, secret: Secret
    ) -> tuple[Body, tuple[int, Exit]]:
        limits = child["limits"]
        deadline = min(time.monotonic() + float(limits["wall_s"]), end)
        pid, reader, used = self._start(given, deadline, secret)
        os.set_blocking(reader, False)
        most = Most(deadline, used + float(limits["cpu_s"]) + _MARGIN_CPU_S, most_bytes)
        try:
            body, stopped = self._read(reader, pid, most)
        except WireError:
            os.kill(pid, signal.SIGKILL)
            raise
        finally:
            os.close(reader)
        if stopped is not None:
            os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == EXIT_UNCONFINED:
            raise WireError("a child could not be locked in")  # a broken machine; the candidate was not even loaded
        cpu_s = max(0.0, usage.ru_utime + usage.ru_stime - used)
        return body, (pid, Exit(status, cpu_s, usage.ru_maxrss * 1024, stopped))

    def _start(self, given: Given, deadline: float, secret: Secret) -> tuple[int, int, float]:
        """The child's pid, the pipe that it writes to, and the processor seconds that are not its job's.

        `secret`: what this process holds and the child must not find in its copy of it.
        """
        preforked, self._preforked = self._preforked, None
        if preforked is not None:
            try:
                return preforked.pid, preforked.output, preforked.start(given, deadline)
            except OSError:  # it is gone: the kernel may have taken it when memory was short
                preforked.forget()
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            for held in secret:
                held.clear()
            child_process.main(*given, writer)
        os.close(writer)
        return pid, reader, 0.0

    def _read(self, reader: int, pid: int, most: "Most") -> tuple[Body, str | None]:
        """What the child wrote, and why it must be stopped (None: it has ended by itself)."""
        poll = select.poll()
        poll.register(reader, select.POLLIN)
        poll.register(self._host_in, 0)  # only a hang-up is reported
        body = bytearray()
        glance = _GLANCE_S
        while True:
            left = most.deadline - time.monotonic()
            if left <= 0:
                return body, "timeout"
            gone = _has_ended(pid)
            if not gone and _used(pid) > most.cpu_s:
                return body, "timeout"
            events = dict(poll.poll(0 if gone else min(left, glance) * 1000))
            if self._host_in in events:
                raise WireError("the host went away")
            if reader in events:
                part = os.read(reader, _PIPE)
                body += part
                if len(body) > most.output_bytes:
                    return b"", "output-limit"
                if not part:
                    poll.unregister(reader)
                    glance = _LAST_GLANCE_S
            elif gone:
                return body, None


def _own(job: dict[str, Any], child: dict[str, Any], blobs: list[Body], cpu_s: float) -> Given:
    """What a child is given of its job, and its inputs: nothing of other children, no program that none of its cases
    names, no number of its only one, and no limit of its own.

    How much time a child has would say what it is for. So the kernel is told the most that any child of the job may
    take (`cpu_s`), and the supervisor watches over the rest.
    """
    places: dict[int, int] = {}
    chosen = {case["program"] for case in child["cases"]}
    known = list(range(len(job["programs"]))) if None in chosen else sorted(chosen)
    cases = [
        {name: case[name] for name in ("ops", "echo_input")}
        | {"program": None if case["program"] is None or len(known) == 1 else known.index(case["program"])}
        | {"input": places.setdefault(case["input"], len(places))}
        for case in child["cases"]
    ]
    programs = [job["programs"][number] for number in known]
    limits = {name: child["limits"][name] for name in ("memory_bytes", "file_bytes", "open_files")} | {"cpu_s": cpu_s}
    own = {"programs": programs, "values": job.get("values", "arrow"), "limits": limits, "cases": cases}
    return own, [blobs[place] for place in places]


def _used(pid: int) -> float:
    """Processor seconds of a child so far; 0 where the kernel does not say, and its own limit must do."""
    try:
        return processor_seconds(pid)
    except OSError:
        return 0.0


def how_it_ended(exit_: Exit, cpu_limit: float, swept: int) -> str:
    """One of docs/wire.md's words, from the kernel's account alone.

    SIGKILL that the supervisor did not send is the kernel's answer to too much memory or processor time (or the
    candidate's own doing, which is no better). A child that leaves processes behind has not ended well either.
    """
    if exit_.stopped is not None:
        return exit_.stopped
    if os.WIFSIGNALED(exit_.status):
        number = os.WTERMSIG(exit_.status)
        if number == signal.SIGXCPU or (number == signal.SIGKILL and exit_.cpu_s >= cpu_limit):
            return "timeout"
        return "memory" if number == signal.SIGKILL else "killed"
    code = os.WEXITSTATUS(exit_.status)
    if code == child_process.EXIT_MEMORY:
        return "memory"
    if code != child_process.EXIT_DONE or swept:
        return "killed"
    return "timeout" if exit_.cpu_s > cpu_limit + 1 else "ok"


def _has_ended(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
