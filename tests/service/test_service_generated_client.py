"""A client that is generated from /openapi.json, by somebody else's generator, does what people want of the service."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from typing import Any

import httpx2
import pytest

from orchestrator.registry.queue.service_job import JobKind, NewJob
from orchestrator.registry.queue.token_store import TokenScope
from tests.service.conftest import CSV, SOURCE, LiveService, listening

_GENERATE = """
import sys
from pathlib import Path
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType

file, folder = map(Path, sys.argv[1:])
settings = ConfigFile(post_hooks=[], package_name_override="cleanroom_client")
said = generate(config=Config.from_sources(settings, MetaType.NONE, file, "utf-8", True, folder))
sys.exit("; ".join(f"{one.header} {one.detail}" for one in said) or None)
"""
"""In a process of its own, because the generator's command needs another version of typer than ours does."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveService]:
    with listening(tmp_path_factory.mktemp("live")) as service:
        yield service


@pytest.fixture(scope="module")
def made(live: LiveService, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the generated package, which can be imported as long as this module's tests run."""
    folder = tmp_path_factory.mktemp("generated")
    description = folder / "openapi.json"
    description.write_bytes(httpx2.get(f"{live.address}/openapi.json").content)
    arguments = [str(description), str(folder / "cleanroom_client")]
    done = subprocess.run([sys.executable, "-c", _GENERATE, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    sys.path.insert(0, str(folder))
    yield "cleanroom_client"
    sys.path.remove(str(folder))


class Generated:
    """The generated client, with a token. Its functions have the names of the operations."""

    def __init__(self, package: str, address: str, secret: str) -> None:
        self._package = package
        self.client = self.part("client").AuthenticatedClient(base_url=address, token=secret)

    def part(self, name: str) -> Any:
        return importlib.import_module(f"{self._package}.{name}")

    def ask(self, operation: str, *values: str, **options: object) -> Any:
        """What the operation answers, as an object of the generated model."""
        return self.part(f"api.default.{operation}").sync(*values, client=self.client, **options)

    def verify(self, **options: object) -> Any:
        """Ask for a verification."""
        files = {"function": ("f.py", SOURCE), "data": ("a.csv", CSV)}
        sent = {
            field: self.part("types").File(payload=BytesIO(content.encode()), file_name=name)
            for field, (name, content) in files.items()
        }
        return self.ask("verify", body=self.part("models").BodyVerify(**sent, promote=True), **options)

    def close(self) -> None:
        self.client.get_httpx_client().close()

    def followed(self, job_id: str) -> Any:
        """The job when it is over: its events end then."""
        self.part("api.default.job_events").sync_detailed(job_id, client=self.client)
        return self.ask("show_job", job_id)


@pytest.fixture(scope="module")
def client(live: LiveService, made: str) -> Iterator[Generated]:
    with closing(Generated(made, live.address, live.token(name="maker"))) as generated:
        yield generated


def test_a_generated_client_submits_follows_and_reads(live: LiveService, client: Generated) -> None:
    """A function is sent with its data, judged and promoted; the same key asks for the same job."""
    asked = client.verify(idempotency_key="k-1")
    assert client.verify(idempotency_key="k-1").id == asked.id
    live.app.state.worker.work()
    job = client.followed(asked.id)
    assert (job.state.value, job.problem) == ("done", None)
    assert job.result["verdict"]["verdict"] == "pass"
    assert [one.name for one in client.ask("list_functions").functions] == ["trim"]
    assert asked.id in [one.id for one in client.ask("list_jobs", limit=10).jobs]
    assert client.ask("cancel_job", asked.id).state.value == "done"


def test_a_generated_client_gets_the_files(live: LiveService, client: Generated) -> None:
    """The bytes of a file that a job has made."""
    [token] = [one for one in live.app.state.tokens.tokens() if one.name == "maker"]
    live.app.state.worker.stop()  # it could claim the job first
    folder = live.app.state.folders.new()
    (folder.made() / "cleaned.csv").write_text(CSV, encoding="utf-8")
    jobs = live.app.state.jobs
    asked, _ = jobs.add(NewJob(JobKind.APPLY, token.id, {"folder": folder.name}, ""))
    jobs.finish(jobs.claim("test"), {"files": ["cleaned.csv"]})
    assert client.ask("job_file", asked.id, "cleaned.csv").payload.read() == CSV.encode()


def test_a_generated_client_reads_problems(live: LiveService, client: Generated, made: str) -> None:
    """A refusal is an object with its sentence, whatever was wrong."""
    missing = client.ask("show_job", "0" * 32)
    assert (missing.status, missing.detail) == (404, "There is no job with that id.")
    with closing(Generated(made, live.address, live.token(TokenScope.READ, name="reader"))) as reader:
        assert reader.verify().status == 403
    with closing(Generated(made, live.address, "x")) as stranger:
        assert stranger.ask("list_jobs").status == 401
    assert client.ask("healthz").ready
