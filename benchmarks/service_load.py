"""`make bench-service`: how quickly the service says how a job stands, while it has functions judged.

Requests are due at fixed times, whether the ones before them were answered or not, and a time is counted from when its
request was due: a service that is too slow shows in every request that waits behind a slow one.
"""

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple, Self

import httpx2
from rich.console import Console
from rich.table import Table

from benchmarks.document import keep
from orchestrator.registry.queue.token_store import TokenScope, TokenStore

RATE, P99_MS = 200, 100
CLIENTS = 16
SOURCE = (
    '"""Stray blanks."""\nCONTRACT = {"shape": "table", "modifies": ["city"]}\ndef trim(df):\n'
    '    """Strip city."""\n    out = df.copy()\n    out["city"] = out["city"].str.strip()\n    return out\n'
)
_NOTHING = """
import sys, time
rate, seconds = map(float, sys.argv[1:])
begin, late = time.monotonic(), []
for turn in range(int(rate * seconds)):
    due = begin + turn / rate
    time.sleep(max(0.0, due - time.monotonic()))
    late.append((time.monotonic() - due) * 1000)
print(sorted(late)[int(len(late) * 0.99)])
"""
"""A program that does nothing at the moments when requests are due, and says how late 99 % of that was."""
DATA = "city,n\n" + "".join(f"{' ' * (n % 3 == 0)}Bonn,{n}\n" for n in range(200))


class Served(NamedTuple):
    """A service that runs: the process that answers, where, and what a client has to send."""

    process: int
    port: int
    secret: str

    def client(self) -> httpx2.Client:
        headers = {"Authorization": f"Bearer {self.secret}"}
        return httpx2.Client(base_url=f"http://localhost:{self.port}", headers=headers, timeout=60)


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """`cleanroom serve` with an own registry, once it is ready."""
    with TokenStore(f"sqlite:///{folder}/registry.db", create=True) as tokens:
        _, secret = tokens.create("load", set(TokenScope), 1)
    command = [str(Path(sys.executable).with_name("cleanroom")), "serve", "--registry", str(folder), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None  # noqa: S101 - it was asked for
            found = re.search(r"http://localhost:(\d+)", process.stderr.readline())
            if found is None:
                raise SystemExit(f"The service does not start: {process.stderr.read()}")
            made = Served(process.pid, int(found[1]), secret)
            with made.client() as client:
                while client.get("/readyz").status_code != 200:
                    sleep(0.2)
            yield made
        finally:
            process.send_signal(signal.SIGTERM)


class Judging:
    """Keeps functions being judged until it is stopped."""

    def __init__(self, service: Served) -> None:
        self._service, self._stop = service, threading.Event()
        self._thread = threading.Thread(target=self._keep)
        self.first, self.done = "", 0

    def __enter__(self) -> Self:
        self._thread.start()
        while not self.first:
            sleep(0.05)
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        self._thread.join()

    def _keep(self) -> None:
        files = {"function": ("trim.py", SOURCE), "data": ("data.csv", DATA)}
        with self._service.client() as client:
            asked: list[str] = []
            while not self._stop.is_set():
                states = {job: client.get(f"/api/v1/jobs/{job}").json()["state"] for job in asked}
                self.done += sum(state == "done" for state in states.values())
                asked = [job for job, state in states.items() if state in {"queued", "running"}]
                while len(asked) < 4:
                    asked.append(client.post("/api/v1/verifications", files=files, data={"quick": "true"}).json()["id"])
                self.first = self.first or asked[0]
                self._stop.wait(0.5)


def statuses(service: Served, job: str, rate: float, seconds: float) -> tuple[list[float], float]:
    """Ask for the job that often; milliseconds from when each answer was due to be asked for, and answers a second."""
    head = f"Host: localhost\r\nAuthorization: Bearer {service.secret}\r\n\r\n"
    request = f"GET /api/v1/jobs/{job} HTTP/1.1\r\n{head}".encode()
    begin, count = monotonic() + 0.5, int(rate * seconds)
    taken: list[list[float]] = [[] for _ in range(CLIENTS)]
    failed: list[str] = []

    def ask(number: int) -> None:
        try:
            with closing(socket.create_connection(("localhost", service.port), 60)) as connection:
                answers = connection.makefile("rb")
                for turn in range(number, count, CLIENTS):
                    due = begin + turn / rate
                    sleep(max(0.0, due - monotonic()))
                    connection.sendall(request)
                    status, length = answers.readline(), 0
                    while (line := answers.readline()) != b"\r\n":
                        if line.lower().startswith(b"content-length:"):
                            length = int(line.split(b":")[1])
                    answers.read(length)
                    if b" 200 " not in status:
                        failed.append(status.decode(errors="replace"))
                        return
                    taken[number].append((monotonic() - due) * 1000)
        except OSError as error:
            failed.append(str(error))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise SystemExit(f"Requests failed: {failed[0]}")
    return sorted(one for some in taken for one in some), count / (monotonic() - begin)


def processor_s(process: int) -> float:
    """Seconds of processor time that the process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print, also where a target is missed; --document writes the table into docs/performance.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=RATE, help="requests a second")
    parser.add_argument("--seconds", type=float, default=30.0, help="for how long")
    parser.add_argument("--document", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    others = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as service, Judging(service) as judging:
        statuses(service, judging.first, options.rate / 4, 2)  # what is slow only once
        before, done = processor_s(service.process), judging.done
        with _doing_nothing(options.rate, options.seconds) as nothing:
            taken, answered = statuses(service, judging.first, options.rate, options.seconds)
            late = float(nothing.communicate()[0])
        each = (processor_s(service.process) - before) / len(taken) * 1000
        done = judging.done - done
    p99 = taken[int(len(taken) * 0.99)]
    rows = [
        ("what", "measured", "target"),
        ("answers a second", f"{answered:.0f}", _target(f"≥ {RATE}", met=answered >= 0.97 * RATE)),
        ("half of them within", f"{taken[len(taken) // 2]:.0f} ms", ""),
        ("99 % of them within", f"{p99:.0f} ms", _target(f"≤ {P99_MS} ms", met=p99 <= P99_MS)),
        ("99 % of what a process that does nothing is due to do at the same moments", f"{late:.0f} ms", ""),
        ("the slowest", f"{taken[-1]:.0f} ms", ""),
        ("processor time of the HTTP side for each", f"{each:.1f} ms", ""),
        ("functions judged meanwhile", str(done), ""),
    ]
    table = Table(*rows[0])
    for row in rows[1:]:
        table.add_row(*row)
    busy = f", a load of {others:.0f} by other work before it began" if others > 1 else ""
    circumstances = f"{os.cpu_count()} processors{busy}, {len(taken)} requests of {CLIENTS} clients"
    console = Console()
    console.width = max(console.width, 120)  # a pipe counts as 80
    console.print(table, circumstances)
    if options.document:
        keep("service", circumstances, rows)


def _doing_nothing(rate: float, seconds: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", _NOTHING, str(rate), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _target(words: str, *, met: bool) -> str:
    return words if met else f"{words}: missed"


if __name__ == "__main__":
    main()
