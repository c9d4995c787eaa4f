"""The two locks that a child takes on before its candidate: system call filter and Landlock.

Every refusal has its control in the same container with the one lock off, where the same lines are granted.
"""

import platform
from collections.abc import Iterator

import pytest

from orchestrator.core.jobs import Ended, Limits
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import SandboxSession
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from tests.sandbox.sandbox_jobs import CITIES, make_job, read, run_one

pytestmark = pytest.mark.docker

TRY = """
import ctypes, os, resource, signal, socket, struct, threading
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    result = libc.syscall(number, *arguments)
    if result < 0: raise OSError(ctypes.get_errno(), "refused")
    return result
def forked():
    pid = os.fork()
    if pid == 0: os._exit(0)
    os.waitpid(pid, 0)
def spawned_by_a_thread():
    # No Python runs in the new process: after a fork by a thread it may wait for Python's locks forever.
    ended = []
    def spawn():
        words = (ctypes.c_char_p * 2)(b"/nowhere", None)
        ended.append(libc.posix_spawn(ctypes.byref(ctypes.c_int()), b"/nowhere", None, None, words, words))
    thread = threading.Thread(target=spawn)
    thread.start(); thread.join()
    if ended != [2]: raise PermissionError(ended[0], "refused")
def f(df):
    try:
        @TRY@
        said = "granted"
    except PermissionError as error:
        said = f"refused {error.errno}"
    return df.assign(said=said)
"""
BY_FILTER = {
    "fork": "forked()",
    "process by a thread": "spawned_by_a_thread()",
    "program": (
        "try: call(59, b'/nowhere', None, None)\n"
        "        except OSError as error:\n            if error.errno != 2: raise"
    ),
    "local socket": "socket.socket(socket.AF_UNIX).close()",
    "signal to all": "os.kill(-1, 0)",
    "signal to the group": "os.kill(0, 0)",
    "dumpable again": "r = libc.prctl(4, 1, 0, 0, 0)\n        if r: raise PermissionError(ctypes.get_errno(), '')",
    "lower limits": "resource.prlimit(0, resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))",
    "another filter": "r = libc.prctl(39, 0, 0, 0, 0)\n        if r < 0: raise PermissionError(ctypes.get_errno(), '')",
}
BY_LANDLOCK = {
    "the list of processes": "os.listdir('/proc')",
    "the first process": "open('/proc/1/status').read()",
    "the machine": "open('/proc/cpuinfo').read()",
    "the root folder": "os.listdir('/')",
    "the names of the host": "open('/etc/hosts').read()",
    "network of the machine": "os.listdir('/sys/class/net')",
    "the message queues' folder": "open('/dev/full').close()",
    "all devices' numbers": "open('/proc/devices').read()",
    "a link to it": "os.symlink('/proc/1/status', '/tmp/l')\n        open('/tmp/l').read()",
}
USUAL = {
    "signal to itself": "os.kill(os.getpid(), 0)",
    "raise": "signal.signal(signal.SIGUSR1, signal.SIG_IGN); signal.raise_signal(signal.SIGUSR1)",
    "threads": "[(t.start(), t.join()) for t in [threading.Thread(target=int) for _ in range(20)]]",
    "scratch files": (
        "os.makedirs('/tmp/a/b'); open('/tmp/a/x', 'w').write('x'); os.rename('/tmp/a/x', '/tmp/a/b/y')\n"
        "        open('/tmp/a/b/y', 'a').write('z'); os.truncate('/tmp/a/b/y', 1); os.remove('/tmp/a/b/y')"
    ),
    "a temporary file": "import tempfile; tempfile.TemporaryFile().write(b'x')",
    "the null device": "open('/dev/null', 'w').write('x'); open('/dev/urandom', 'rb').read(8)",
    "time zones": "import zoneinfo; zoneinfo.ZoneInfo('Europe/Vienna').key; zoneinfo.available_timezones()",
    "late imports": "import pandas.plotting, pyarrow.compute, xml.dom.minidom, email.message",
    "own limits": "resource.getrlimit(resource.RLIMIT_AS)",
    "own state": "open('/proc/self/status').read()",
    "a pipe": "[os.close(fd) for fd in os.pipe()]",
    "processors": "os.cpu_count(); os.sched_getaffinity(0)",
    "pandas with threads": (
        "import pandas as pd, pyarrow as pa, pyarrow.csv, io\n"
        "        pa.csv.read_csv(io.BytesIO(b'a,b\\n1,2\\n')).to_pandas(use_threads=True)\n"
        "        pd.read_csv(io.StringIO('a,b\\n1,2'), engine='pyarrow')"
    ),
}  # fmt: skip


PATIENT = Limits(wall_s=120, cpu_s=60)
"""What is tried here are locks: on a busy machine it may take its time."""


def said(session: SandboxSession, attempt: str) -> str:
    job = make_job(TRY.replace("@TRY@", attempt), limits=PATIENT)
    answer = read(session.run(job).children[0], job)
    assert (answer.result.ended, answer.record.error) == (Ended.OK, ""), attempt
    return str(answer.said()[0])


@pytest.fixture(scope="module")
def no_filter(image: str) -> Iterator[DockerSandbox]:
    policy = Policy(container=ContainerPolicy(child_filter="off", pool_size=1))
    with DockerSandbox(policy, image, run_id="test") as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def no_landlock(image: str) -> Iterator[DockerSandbox]:
    policy = Policy(container=ContainerPolicy(landlock="off", pool_size=1))
    with DockerSandbox(policy, image, run_id="test") as sandbox:
        yield sandbox


@pytest.mark.skipif(platform.machine() != "x86_64", reason="some calls are named by their x86-64 numbers")
def test_the_filter_refuses(docker_sandbox: DockerSandbox, no_filter: DockerSandbox) -> None:
    """No process, program, socket, signal to others, limit or flag; without the filter the same lines are granted."""
    with docker_sandbox.session() as locked, no_filter.session() as open_:
        for name, attempt in BY_FILTER.items():
            assert said(locked, attempt) == "refused 1", name
            if name != "signal to all":  # Landlock refuses that one, too
                assert said(open_, attempt) == "granted", name


def test_landlock_refuses(docker_sandbox: DockerSandbox, no_landlock: DockerSandbox) -> None:
    """Nothing is read outside the Python installation; without Landlock the same lines are granted."""
    with docker_sandbox.session() as locked, no_landlock.session() as open_:
        for name, attempt in BY_LANDLOCK.items():
            assert said(locked, attempt) == "refused 13", name
            assert said(open_, attempt) == "granted", name


def test_usual_work_is_not_in_the_way(docker_sandbox: DockerSandbox) -> None:
    """Threads, scratch files, time zones, late imports and signals to oneself work with both locks on."""
    with docker_sandbox.session() as locked:
        for name, attempt in USUAL.items():
            assert said(locked, attempt) == "granted", name


def test_no_signal_reaches_the_supervisor(docker_sandbox: DockerSandbox) -> None:
    """Signals to PID 1 are refused before they are sent."""
    with docker_sandbox.session() as session:
        for number in (9, 15, 19, 11):
            source = f"import os\ndef f(df):\n    try: os.kill(1, {number})\n    except PermissionError: return df\n"
            assert run_one(session, source).table().equals(CITIES), number


def test_fork_bombs_do_not_start(docker_sandbox: DockerSandbox) -> None:
    """A fork bomb raises at its first fork; a thread bomb ends at the limit of processes, in order."""
    answer = run_one(docker_sandbox, "import os\ndef f(df):\n    while True: os.fork()\n")
    assert answer.result.ended is Ended.OK
    assert answer.record.error.startswith("PermissionError")
    threads = (
        "import threading, time\ndef f(df):\n    while True: threading.Thread(target=time.sleep, args=(5,)).start()\n"
    )
    answer = run_one(docker_sandbox, threads)
    assert answer.record.error.startswith(("RuntimeError", "MemoryError"))
