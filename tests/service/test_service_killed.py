"""The whole service as processes: it proves its sandbox, judges in containers, and can be killed at any time."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest

from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from tests.service.conftest import CSV
from tests.support.command import CLEANROOM, surroundings

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(900)]
SOURCE = (
    '"""Stray blanks."""\nCONTRACT = {"shape": "table", "modifies": ["city"]}\ndef trim(df):\n'
    '    """Strip city."""\n    out = df.copy()\n    out["city"] = out["city"].str.strip()\n    return out\n'
)


class Served:
    """`cleanroom serve` as a process, and a client of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.start()

    def start(self) -> None:
        folder = self.folder
        command = [str(CLEANROOM), "serve", "--registry", "r", "--port", "0"]
        self.process = subprocess.Popen(command, cwd=folder, env=surroundings(), stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        address = re.search(r"http://\S+", self.process.stderr.readline())
        assert address is not None
        with TokenStore(f"sqlite:///{folder}/r/registry.db", create=True) as store:
            _, secret = store.create(f"test-{self.process.pid}", set(TokenScope), 1)
        self.client = httpx2.Client(base_url=address[0], headers={"Authorization": f"Bearer {secret}"}, timeout=30)

    def wait_ready(self) -> None:
        self.until(lambda: self.client.get("/readyz").status_code == 200)

    @staticmethod
    def until(true: Any, seconds: float = 240.0) -> None:
        deadline = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < deadline
            time.sleep(0.1)

    def jobs(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.client.get("/api/v1/jobs").json()["jobs"]
        return found

    def worker(self) -> int:
        """The process that carries out its jobs."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        children = [one for thread in threads for one in thread.read_text(encoding="ascii").split()]
        [worker] = [int(one) for one in children if b"worker_process" in Path(f"/proc/{one}/cmdline").read_bytes()]
        return worker

    def end(self, number: int) -> None:
        """Send the signal and wait for the end."""
        self.process.send_signal(number)
        self.process.wait(60)
        self.client.close()
        assert self.process.stderr is not None
        self.process.stderr.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    if made.process.poll() is None:
        made.end(signal.SIGKILL)


def test_killed_services_and_workers_lose_no_job(served: Served, tmp_path: Path) -> None:
    """The service is killed while it is at its jobs, then a worker is; each job is done, and has one end."""
    served.wait_ready()
    served.until(lambda: re.search(r"^cleanroom_containers [1-9]", served.client.get("/metrics").text, re.MULTILINE))
    files = {"function": ("f.py", SOURCE), "data": ("a.csv", CSV)}
    asked = {
        served.client.post("/api/v1/verifications", files=files, data={"quick": "true"}).json()["id"] for _ in range(2)
    }
    served.until(lambda: any(job["state"] == "running" for job in served.jobs()))
    worker = served.worker()
    served.end(signal.SIGKILL)
    served.until(lambda: not _alive(worker))
    again = Served(tmp_path)
    try:
        again.wait_ready()
        with suppress(ProcessLookupError):
            os.kill(again.worker(), signal.SIGKILL)
        with TokenStore(f"sqlite:///{tmp_path}/r/registry.db") as store:
            _, secret = store.create("all", {TokenScope.ADMIN, TokenScope.READ}, 1)
        again.client.headers["Authorization"] = f"Bearer {secret}"
        again.until(lambda: all(job["state"] == "done" for job in again.jobs()))
        assert {job["id"] for job in again.jobs()} == asked
        for job in asked:
            told = again.client.get(f"/api/v1/jobs/{job}/events").text
            assert told.count("event: ended") == 1
            assert again.client.get(f"/api/v1/jobs/{job}").json()["result"]["verdict"]["verdict"] == "pass"
        sent = tmp_path / "r" / "service"  # what a killed worker left of jobs that it had ended, the next one deletes
        again.until(lambda: not [file for file in sent.rglob("*") if file.is_file()])
    finally:
        again.end(signal.SIGTERM)
    assert again.process.returncode == 0, "it ended by itself, in order"


def test_a_job_that_kills_its_service_is_given_up(served: Served, tmp_path: Path) -> None:
    """Each time counts, though the worker lives on for a moment and hands the job back; the fourth service ends it."""
    rows = "".join(f"{row}, Town {row % 977} ,{row % 7}\n" for row in range(300_000))  # for longer than a worker waits
    served.wait_ready()
    asked = served.client.post("/api/v1/runs", files={"data": ("a.csv", f"id,city,n\n{rows}")})
    assert asked.status_code == 202
    for attempt in (1, 2, 3):
        begun = {"state": "running", "attempts": attempt}  # a killed worker may leave it running, begun before
        served.until(lambda begun=begun: begun.items() <= served.jobs()[0].items())
        worker = served.worker()
        served.end(signal.SIGKILL)
        served.until(lambda worker=worker: not _alive(worker))
        with TokenStore(f"sqlite:///{tmp_path}/r/registry.db") as store:
            _, secret = store.create(f"all-{attempt}", {TokenScope.ADMIN, TokenScope.READ}, 1)
        served.start()
        served.client.headers["Authorization"] = f"Bearer {secret}"
    served.until(lambda: served.jobs()[0]["state"] == "failed")
    job = served.client.get(f"/api/v1/jobs/{served.jobs()[0]['id']}").json()
    assert "begun 3 times, and the service died each time" in job["problem"]["message"]


def test_ctrl_c_in_a_terminal_ends_it_without_a_word(tmp_path: Path) -> None:
    """The terminal sends the signal to all processes of the command, so the worker got it as well, with a traceback."""
    command = [str(CLEANROOM), "serve", "--registry", "r", "--port", "0"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=surroundings(), stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr is not None
        assert "Ctrl-C ends it" in process.stderr.readline()
        assert "No token counts there yet" in process.stderr.readline()
        time.sleep(1)  # the worker is there, and still reads its modules
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr.read() == ""
        assert process.wait(60) == 0


def _alive(process: int) -> bool:
    with suppress(OSError):
        return "Z" not in Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1][:3]
    return False
