"""What an attack would leave on the host is seen: each kind of trace is planted once."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.policy import ContainerPolicy
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import labels
from orchestrator.sandbox.redteam import host, script
from orchestrator.sandbox.redteam.attack import LiftedLock
from orchestrator.sandbox.redteam.host import HostObserver, left_behind
from orchestrator.sandbox.redteam.script import ScriptRunner
from orchestrator.sandbox.redteam.unlocked import UnlockedContainers

pytestmark = pytest.mark.docker
RUN_ID = "redteam-host-test"


@pytest.fixture
def observer(monkeypatch: pytest.MonkeyPatch) -> Iterator[HostObserver]:
    monkeypatch.setattr(host, "_SETTLE_S", 0.3)
    made = HostObserver(RUN_ID, 0, Path("/var/lib/docker"))
    yield made
    made.close()


def test_nothing_happened(observer: HostObserver) -> None:
    """Two looks one after the other differ in nothing."""
    assert observer.differences(observer.look()) == ()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process as another user")
def test_a_process_of_the_sandboxs_user_outside_of_any_container(observer: HostObserver) -> None:
    """A process that got out is named."""
    before = observer.look()
    with subprocess.Popen(["/bin/sleep", "30"], user=65534, group=65534) as process:
        try:
            (found,) = observer.differences(before)
        finally:
            process.kill()
    assert found == f"processes: {process.pid} sleep"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_our_own_readers_are_no_strays(observer: HostObserver) -> None:
    """The processes that read hostile bytes run as the same user, but by this Python: they come and go."""
    before = observer.look()
    become = "import os, time; os.setgid(65534); os.setuid(65534); print('up', flush=True); time.sleep(30)"
    with subprocess.Popen([sys.executable, "-c", become], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"up\n"
            assert observer.differences(before) == ()
        finally:
            process.kill()


def test_a_process_of_a_sandbox_that_the_engine_no_longer_names(observer: HostObserver, image: str) -> None:
    """Whatever it is called, as under gVisor: what runs on in a container that was ours and is gone is named."""
    engine = Engine()
    program = ["/usr/bin/python3", "-c", "import time; time.sleep(30)"]
    identity = engine.create({"Image": image, "Entrypoint": program})
    try:
        before = observer.look()
        observer._seen.add(identity)  # without our label the engine's answer does not hold it
        engine.start(identity)
        (found,) = observer.differences(before)
    finally:
        engine.remove(identity)
        engine.close()
    assert re.fullmatch(r"processes: \d+ python3", found)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process as another user")
def test_a_process_that_changes_its_name_is_still_the_same(observer: HostObserver) -> None:
    """What runs on is named, whatever it calls itself from one look to the next."""
    before = observer.look()
    changes = "while :; do n=$((n + 1)); printf n$n >/proc/$$/comm; done"
    with subprocess.Popen(["/bin/sh", "-c", changes], user=65534, group=65534) as process:
        try:
            (found,) = observer.differences(before)
        finally:
            process.kill()
    assert re.fullmatch(rf"processes: {process.pid} n\d+", found)


def test_a_container_that_was_left(observer: HostObserver, image: str) -> None:
    """Containers of the run beyond those that may wait are counted, also once the run is over."""
    before = observer.look()
    engine = Engine()
    identity = engine.create({"Image": image, "Labels": labels(RUN_ID, GuestEnvironment.FIRST, 60)})
    try:
        assert observer.differences(before) == ("1 containers instead of 0",)
        assert left_behind(RUN_ID) == (identity,)
    finally:
        engine.remove(identity)
        engine.close()
    assert left_behind(RUN_ID) == ()


def test_descriptors_and_memory_of_our_own(observer: HostObserver) -> None:
    """What an answer made this process keep or use for a moment."""
    before = observer.look()
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(40)]
    memory = bytearray(host.OWN_PEAK + 2**26)
    memory[::4096] = b"x" * len(memory[::4096])
    found = [line for line in observer.differences(before) if not line.startswith("processes")]  # others' go on
    for descriptor in held:
        os.close(descriptor)
    assert [line.split(" ", 1)[1].split()[0] for line in found] == ["process", "open", "process"]


def test_an_unlocked_container_lacks_what_it_says_and_no_more(image: str) -> None:
    """Without its system call filter there are sockets, but still no network and no privileges."""
    unlocked = UnlockedContainers(ContainerPolicy(), image, RUN_ID)
    source = """
import os, socket
said = []
connect = lambda: socket.create_connection(("1.1.1.1", 80), 1)
for attempt in (socket.socket, lambda: os.chroot("/tmp"), connect):
    try:
        attempt(); said.append("granted")
    except OSError as error:
        said.append(os.strerror(error.errno) if error.errno else "denied")
print(said)
"""
    try:
        (closed,), (opened,) = unlocked.run([source], ()), unlocked.run([source], (LiftedLock.SECCOMP,))
    finally:
        unlocked.close()
    assert closed == "['Operation not permitted', 'Operation not permitted', 'Operation not permitted']"
    assert opened == "['granted', 'Operation not permitted', 'Network is unreachable']"
    assert left_behind(RUN_ID) == ()


def test_probes_in_one_unlocked_container_speak_for_themselves(image: str) -> None:
    """Each has a process of its own: what one leaves behind in Python, or how it dies, is nothing to the next."""
    unlocked = UnlockedContainers(ContainerPolicy(), image, RUN_ID)
    sources = ["import os; os.kept = 1; print('a'); print('b')", "raise SystemExit(1)", "import os; os.abort()"]
    try:
        said = unlocked.run([*sources, "import os; print(hasattr(os, 'kept'), os.getpid() == 1)"], ())
    finally:
        unlocked.close()
    assert said == ["b", "", "", "False False"]
    assert left_behind(RUN_ID) == ()


def test_a_script_says_how_it_failed() -> None:
    """The last line that it printed counts, and a script that crashed shows why."""
    with closing(ScriptRunner("", "runc")) as scripts:
        assert scripts.run("print('a'); print('b')") == "b"
        assert scripts.run("raise KeyError('x')") == "KeyError: 'x'"
        assert scripts.run("") == "nothing (exit 0)"


def test_a_script_ends_as_a_program_of_its_own_does() -> None:
    """What it left to the end of the process is done, in its order, and its exit code is its own."""
    later = "import atexit, threading, time\natexit.register(print, 'last')\natexit.register(print, 'first')\n"
    thread = "threading.Thread(target=lambda: (time.sleep(0.2), print('thread'))).start()\n"
    with closing(ScriptRunner("", "runc", ["concurrent.futures"])) as scripts:
        assert scripts.run(later) == "last"
        assert scripts.run(f"{later}{thread}raise SystemExit(3)") == "last"
        assert scripts.run(f"{later.replace('last', '')}{thread}") == "first"
        assert scripts.run("raise SystemExit(4)") == "nothing (exit 4)"
        assert scripts.run("raise SystemExit('why')") == "why"


def test_a_script_has_a_process_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither globals, modules, environment, folder nor a left process of one script are there for the next."""
    leaves = "import os, json; json.left = os.environ['LEFT'] = '1'; open('left', 'w').close()\nif os.fork(): print(1)"
    looks = "import os, json, sys\nprint(hasattr(json, 'left'), 'LEFT' in os.environ, os.listdir(), 'os' in vars(json))"
    stays = "import os, time\nif os.fork():\n    print(os.getpgid(0))\nelse:\n    time.sleep(60)"
    with closing(ScriptRunner("", "runc", ["json"])) as scripts:
        assert scripts.run(leaves) == "1"
        assert scripts.run(looks) == "False False [] False"
        group = int(scripts.run(stays))
        deadline = time.monotonic() + 60
        while _alive(group) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not _alive(group)
        monkeypatch.setattr(script, "_WALL_S", 0.2)
        assert scripts.run("import time; time.sleep(60)") == "it took too long"
        monkeypatch.undo()
        assert scripts.run("print('next')") == "next"


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
