"""Zygotes that are forked from one process which has imported what they import, for tests that start many commands.

A command's zygote imports the judge, half a second of processor time. One that is forked here is the same program from
`worker.main` on: it is confined anew, has the same socket, and ends with the command. Not for tests of how a zygote
starts. As a program, with the same options and environment as a zygote: forks one for each request.
"""

import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = str(Path(__file__).resolve().parents[2])
MODULES = ("orchestrator.gate.judge.judge_process", "orchestrator.data.hostile.decoder_process")


class ForkedZygote:
    """What `Zygote` needs of a `Popen`. The nursery reaps it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self) -> None:
        """Until it is gone."""
        while self.poll() is None:
            time.sleep(0.005)


def use_nursery(folder: Path) -> "subprocess.Popen[bytes]":
    """From now on zygotes of this process and of its forks are forked; ending what is returned ends that."""
    from orchestrator.data.disposable.zygote import _ENVIRONMENT, DisposableLimits, Zygote

    address = str(folder / "nursery")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        process = subprocess.Popen(
            [sys.executable, "-I", __file__, str(listening.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_ENVIRONMENT,
            cwd="/",
            pass_fds=[listening.fileno()],
        )

    def spawn(theirs: socket.socket, entry: str, limits: DisposableLimits, subject: str) -> Any:
        asked = [ROOT, entry, json.dumps(asdict(limits)), *([subject] if subject else [])]
        with socket.socket(socket.AF_UNIX) as wire:
            wire.connect(address)
            socket.send_fds(wire, [json.dumps(asked).encode()], [theirs.fileno()])
            return ForkedZygote(int(wire.recv(20)))

    Zygote._spawn = staticmethod(spawn)  # type: ignore[method-assign]
    return process


def serve(listening: socket.socket) -> None:
    """Fork a zygote for each request, for ever."""
    gc.disable()
    sys.path.insert(0, ROOT)  # the tree that is tested, also where another one is installed
    from orchestrator.data.disposable import worker
    from orchestrator.data.lean_libraries import import_lean

    import_lean()
    for name in MODULES:
        importlib.import_module(name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps them
    while True:
        wire, _ = listening.accept()
        with wire:
            message, [control], *_ = socket.recv_fds(wire, 65_536, 1)
            pid = os.fork()
            if pid == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.setsid()
                listening.close()
                wire.close()
                worker.main([str(control), *json.loads(message)])
                return
            os.close(control)
            wire.sendall(str(pid).encode())


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
