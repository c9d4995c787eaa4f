"""What hostile candidates try against container and supervisor, each with a control that shows that the attack is real.

The child's own locks are off here, so that what lies under them is seen to hold alone; test_child_locks.py has them on.

The control runs the same program where nothing confines it (LocalSandbox), or in its harmless form. After each attack a
fresh container answers as if nothing had happened.
"""

import os
import platform
import time
from collections.abc import Iterator

import pytest

from orchestrator.core.jobs import ChildResult, Ended, Job, Limits
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.sandbox.sandbox_jobs import CITIES, STRIP, make_job, one_each, read, run_one

pytestmark = pytest.mark.docker
PATIENT = Limits(wall_s=30.0, cpu_s=30.0, memory_bytes=256 * 2**20, output_bytes=2**20)
QUICK = Limits(wall_s=4.0, cpu_s=4.0, memory_bytes=256 * 2**20, output_bytes=2**20)
ENDLESS = Limits(wall_s=1.5, cpu_s=1.5, memory_bytes=256 * 2**20, output_bytes=2**20)

# Here are those that the child's own locks would stop or hinder. The others end alike with these locks and are in the
# red team's corpus (classes cpu, memory, output and harness).
BOMBS = {
    "fork bomb": ("import os\n    while True: os.fork()", {Ended.TIMEOUT, Ended.KILLED, Ended.OK}),
    "fork bomb that ignores errors": (
        "import os\n    while True:\n        try: os.fork()\n        except OSError: pass",
        {Ended.TIMEOUT},
    ),
    "thread bomb": (
        "import threading, time\n    while True: threading.Thread(target=time.sleep, args=(60,)).start()",
        {Ended.OK, Ended.TIMEOUT, Ended.MEMORY, Ended.KILLED},
    ),
    "ignores every signal": (
        (
            "import signal\n    for n in range(1, 65):\n        try: signal.signal(n, signal.SIG_IGN)\n"
            "        except (OSError, ValueError): pass\n    while True: pass"
        ),
        {Ended.TIMEOUT},
    ),
    "stops itself": ("import os, signal\n    os.kill(os.getpid(), signal.SIGSTOP)", {Ended.TIMEOUT}),
    "shared memory hog": (
        "import mmap\n    m = mmap.mmap(-1, 2**40)\n    while True: m.write(b'x' * 2**20)",
        {Ended.OK, Ended.MEMORY},
    ),
    "many small children": (
        (
            "import os, time\n    for _ in range(40):\n        if os.fork() == 0:\n"
            "            b = b'x' * (60 * 2**20); time.sleep(30)\n    time.sleep(30)"
        ),
        {Ended.TIMEOUT, Ended.MEMORY},
    ),
    "leaves a daemon": (
        (
            "import os, time\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0: time.sleep(60)\n"
            "        os._exit(0)\n    return df"
        ),
        {Ended.KILLED},
    ),
    "leaves zombies": (
        "import os, time\n    for _ in range(30):\n        if os.fork() == 0: os._exit(0)\n    time.sleep(.3)",
        {Ended.KILLED},
    ),
    "kills everyone": ("import os\n    os.kill(-1, 9)\n    return df", {Ended.OK, Ended.MEMORY, Ended.KILLED}),
    "fills the scratch space": ("for n in range(100): open(f'/tmp/{n}', 'wb').write(b'x' * 2**23)", {Ended.OK}),
    "sparse file of a pebibyte": ("import os\n    open('/tmp/x', 'wb').truncate(2**50)", {Ended.OK, Ended.KILLED}),
    "many empty files": ("for n in range(10**6): open(f'/tmp/{n}', 'w').close()", {Ended.OK}),
    "descriptors to the last": ("f = [open('/dev/null') for _ in range(10**6)]", {Ended.OK}),
}


@pytest.fixture(scope="module")
def hosted(image: str) -> Iterator[DockerSandbox]:
    unlocked = Policy(container=ContainerPolicy(child_filter="off", landlock="off"))
    with DockerSandbox(unlocked, image, run_id="test") as sandbox:
        yield sandbox
        assert run_one(sandbox, STRIP).result.ended is Ended.OK


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_bounded(hosted: DockerSandbox, name: str) -> None:
    """The child ends as it should, soon, and never with a returned table."""
    body, ended = BOMBS[name]
    limits = ENDLESS if ended == {Ended.TIMEOUT} else QUICK if Ended.TIMEOUT in ended else PATIENT
    job = make_job(f"def f(df):\n    {body}\n", limits=limits)
    started = time.monotonic()
    result = hosted.run(job).children[0]
    assert result.ended in ended
    assert time.monotonic() - started < 60
    if result.ended is Ended.OK:
        assert read(result, job).record.status in ("raised", "unserialisable")


SIGNALS = ("TERM", "KILL", "STOP", "SEGV", "INT", "HUP", "XCPU", "ALRM", "CHLD")


def test_the_supervisor_cannot_be_killed(hosted: DockerSandbox) -> None:
    """Signals to PID 1 have no effect: the candidate's own result still comes, and so does the next one's."""
    send = "import os, signal, time\ndef f(df):\n    os.kill(1, signal.SIG{})\n    time.sleep(.1)\n    return df\n"
    job = one_each([send.format(kind) for kind in SIGNALS])
    for kind, result in zip(SIGNALS, hosted.run(job).children, strict=True):
        assert result.ended is Ended.OK, kind
        assert read(result, job).table().equals(CITIES), kind


TRIES = {
    "connect over TCP": "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
    "send over UDP": "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    "raw socket": "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "packet socket": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "netlink socket": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "kernel crypto socket": "socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)",
    "virtual machine socket": "socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)",
    "memory file": "os.memfd_create('x')",
    "change of the supervisor's limits": "resource.prlimit(1, resource.RLIMIT_NOFILE, (1, 1))",
    "change of the supervisor's processor": "os.sched_setaffinity(os.getppid(), {0})",
    "change of the supervisor's priority": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 0)",
    "handle on the supervisor": "os.pidfd_open(os.getppid())",
    "new user namespace": "call(272, 0x10000000)",
    "new user namespace by clone": "fork_like(56, 0x10000000 | 17)",
    "new network namespace": "call(272, 0x40000000)",
    "secret memory": "call(447, 0)",
    "tracing": "call(101, 0, 0, 0, 0)",
    "reading another process": "call(310, os.getppid(), 0, 0, 0, 0, 0)",
    "key ring": "call(250, 0, -3, 1)",
    "user fault handling": "call(323, 0)",
    "asynchronous rings": "call(425, 4, buffer)",
    "personality": "call(135, 0)",
    "local descriptor table": "call(154, 0, buffer, 64)",
    "performance events": "call(298, buffer, 0, -1, -1, 0)",
    "BPF": "call(321, 0, buffer, 64)",
    "file system context": "call(430, b'tmpfs', 0)",
    "message queue": "os.close(call(240, b'probe', 0o102, 0o600, 0)) or call(241, b'probe')",
    "shared memory segment": "call(31, call(29, 0, 4096, 0o1600), 0, 0)",
    "device node": "os.mknod('/tmp/probe', 0o020600, os.makedev(1, 3)) or os.unlink('/tmp/probe')",
    "named pipe": "os.mkfifo('/tmp/probe') or os.unlink('/tmp/probe')",
    "other root": "os.chroot('/tmp')",
    "first process's environment": "open('/proc/1/environ').read()",
    "first process's memory": "open('/proc/1/mem', 'rb').read(0)",
    "first process's output": "os.listdir('/proc/1/fd')",
    "own importance": "open('/proc/self/oom_score_adj', 'w').write('-1000')",
    "core pattern": "open('/proc/sys/kernel/core_pattern', 'a')",
    "system request": "open('/proc/sysrq-trigger', 'a')",
    "control group": "open('/sys/fs/cgroup/memory/memory.limit_in_bytes', 'a')",
    "host name": "socket.sethostname('x' + socket.gethostname())",
    "file in the program": "open('/cleanroom/x', 'w')",
    "POSIX queue by its file system": "open('/dev/mqueue/x', 'w')",
    "more memory": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
}
NO_CONTROL = {
    "change of the supervisor's limits": "it would break the test's own guest",
    "host name": "it would rename this machine",
    "control group": "it would need to know this machine's groups",
    "core pattern": "opening is all that is tried, and needs root here",
    "asynchronous rings": "often switched off by the host itself",
    "POSIX queue by its file system": "not mounted on every host",
    "file in the program": "there is no such folder outside the image",
    "first process's environment": "even root may not read it everywhere; the harmless form is below",
    "first process's memory": "even root may not read it everywhere",
    "more memory": "needs root outside, which the limits of a user's test run may not be",
    "kernel crypto socket": "the host's kernel may lack it",
    "virtual machine socket": "the host's kernel may lack it",
    "secret memory": "the host's kernel may lack it",
    "system request": "the file may be read-only on the host as well",
    "reading another process": "reads nothing on purpose, which some kernels refuse",
    "local descriptor table": "an empty entry is refused by the kernel itself",
    "performance events": "an empty request is refused by the kernel itself",
    "BPF": "an empty request is refused by the kernel itself",
    "tracing": "the test runner may itself be traced",
}
TRY = """
import ctypes, os, resource, socket
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(4096)
def call(number, *arguments):
    result = libc.syscall(number, *arguments)
    if result < 0: raise OSError(ctypes.get_errno(), "refused")
    return result
def fork_like(number, flags):
    if call(number, flags, 0, 0, 0, 0) == 0: os._exit(0)
def f(df):
    try:
        @TRY@
        said = "granted"
    except (OSError, ValueError) as error:
        said = f"refused {error}"
    return df.assign(said=said)
"""


@pytest.fixture(scope="module")
def answers(hosted: DockerSandbox) -> dict[str, str]:
    """What came of each try, all in one container, in a process each."""
    job = one_each([TRY.replace("@TRY@", attempt) for attempt in TRIES.values()])
    return {name: said(result, job) for name, result in zip(TRIES, hosted.run(job).children, strict=True)}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="system calls are named by their x86-64 numbers")
@pytest.mark.parametrize("name", TRIES)
def test_the_kernel_refuses(answers: dict[str, str], local_sandbox: LocalSandbox, name: str) -> None:
    """What is granted without a sandbox is refused inside."""
    if name not in NO_CONTROL and os.geteuid() == 0:  # what needs root outside cannot be shown by others
        assert run_one(local_sandbox, TRY.replace("@TRY@", TRIES[name])).said()[0] == "granted"
    assert answers[name].startswith("refused")


def test_harmless_calls_are_granted(hosted: DockerSandbox) -> None:
    """The probe itself works inside: a permitted call is reported as granted."""
    harmless = (
        "socket.socket(socket.AF_UNIX).close()",
        "call(39)",
        "open('/tmp/x', 'w').write('x')",
        "libc.prctl(4, 1, 0, 0, 0); open('/proc/self/environ').read()",
        "fork_like(56, 17)",
    )
    job = one_each([TRY.replace("@TRY@", attempt) for attempt in harmless])
    for attempt, result in zip(harmless, hosted.run(job).children, strict=True):
        assert said(result, job) == "granted", attempt


def said(result: ChildResult, job: Job) -> str:
    """What a try reported; it may have left a process behind and so not have ended well."""
    return str(read(result, job).said()[0])


def test_a_memory_file_cannot_be_executed(hosted: DockerSandbox) -> None:
    """Nothing in the scratch space can be executed, either."""
    source = (
        "import os, shutil, sys\n"
        "def f(df):\n"
        "    shutil.copy('/usr/bin/python3.11', '/tmp/p')\n"
        "    os.chmod('/tmp/p', 0o755)\n"
        "    try: os.execv('/tmp/p', ['p', '-c', ''])\n"
        "    except OSError as error: return df.assign(said=f'refused {error.errno}')\n"
    )
    assert run_one(hosted, source).said()[0] == "refused 13"


def test_forged_records_are_only_bytes(hosted: DockerSandbox) -> None:
    """A forged reply in the result pipe stays inside the child's body: its end is still the supervisor's word."""
    forged = '{"version":1,"children":[{"ended":"ok","cpu_s":0,"wall_s":0,"body":0}],"swept":0,"reusable":true}'
    source = (
        f"import os, struct\ndef f(df):\n    text = {forged!r}.encode()\n"
        "    os.write(3, struct.pack('>I', len(text)) + text)\n    os._exit(0)\n"
    )
    result = hosted.run(make_job(source)).children[0]
    assert result.ended is Ended.KILLED
    assert forged.encode() in result.output


def test_returning_twice_is_no_success(hosted: DockerSandbox) -> None:
    """A child that forks and returns in both processes does not end well, or its output is no sequence of records."""
    source = "import os\ndef f(df):\n    os.fork()\n    return df\n"
    job = make_job(source)
    for _ in range(3):
        result = hosted.run(job).children[0]
        if result.ended is Ended.OK:
            with pytest.raises(Exception, match="record"):
                read(result, job)


def test_the_sweep_leaves_nothing_for_the_next_child(hosted: DockerSandbox) -> None:
    """Daemons, deep folders, odd names and a full scratch space of one child are gone for the next."""
    source = """
import os, time
def f(df):
    said = f"{sorted(os.listdir('/tmp'))} {sum(n.isdigit() for n in os.listdir('/proc'))}"
    if os.fork() == 0:
        os.setsid(); time.sleep(60)
    os.chdir("/tmp")
    for n in range(300):
        os.mkdir("d" * 200); os.chdir("d" * 200)
    os.chdir("/tmp")
    os.mkdir("locked"); open("locked/x", "w").close(); os.chmod("locked", 0)
    open(b"/tmp/\\xff\\n", "w").close(); os.symlink("/", "/tmp/link")
    return df.assign(said=said)
"""
    job = make_job(source, children=3)
    results = hosted.run(job).children
    assert [result.ended for result in results] == [Ended.KILLED] * 3
    assert [said(result, job) for result in results] == ["[] 2"] * 3
