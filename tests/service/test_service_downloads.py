"""Files that jobs have made are fetched in parts, and a disk that is full is told without the service's folders."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from orchestrator.core.errors import OutputError
from orchestrator.service.api_routes import job_of
from orchestrator.service.intake import Intake
from tests.service.conftest import Service

FILE = f"/api/v1/jobs/{'0' * 32}/files/cleaned.csv"
ROWS = b"city,n\nBonn,1\n"


@pytest.fixture
def made(service: Service) -> Service:
    """A service whose every job has made one file."""
    folder = service.app.state.folders.new()
    (folder.made() / "cleaned.csv").write_bytes(ROWS)
    job = SimpleNamespace(result={"files": ["cleaned.csv"]}, request={"folder": folder.name})
    service.app.dependency_overrides[job_of] = lambda: job
    return service


def test_a_part_of_a_file_is_given(made: Service) -> None:
    """Positive control: the part alone, and the whole file without a range."""
    part = made.client.get(FILE, headers=made.headers(Range="bytes=5-8"))
    assert (part.status_code, part.content) == (206, ROWS[5:9])
    assert made.client.get(FILE, headers=made.headers()).content == ROWS


@pytest.mark.parametrize(("given", "status"), [("bytes=999999-", 416), ("rows=a-b", 400), ("bytes=9-2", 400)])
def test_a_range_that_cannot_be_given_is_a_problem(made: Service, given: str, status: int) -> None:
    """It was a text, or nothing, where every other problem is one sentence in JSON."""
    answer = made.client.get(FILE, headers=made.headers(Range=given))
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert (answer.json()["status"], answer.json()["detail"][-1]) == (status, ".")
    assert answer.headers.get("content-range") == (f"bytes */{len(ROWS)}" if status == 416 else None)


def test_the_head_of_a_file_and_of_a_job_is_given(made: Service) -> None:
    """Programs that go on with a download ask for it first; who has no token gets none."""
    asked = made.client.head(FILE, headers=made.headers())
    assert (asked.status_code, asked.headers["content-length"], asked.content) == (200, str(len(ROWS)), b"")
    assert made.client.head(FILE).status_code == 401
    job = made.verify().json()["id"]
    assert made.client.head(f"/api/v1/jobs/{job}", headers=made.headers()).status_code == 200


def test_a_full_disk_is_told_without_a_path(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the service keeps files is for its operator, who is told on stderr."""
    place = str(Path("/srv/secret/sent-data.csv"))

    def full(*_: Any, **__: Any) -> None:
        raise OutputError(f"{place} cannot be written: no space left on device.", advice="Name another folder.")

    monkeypatch.setattr(Intake, "verification", full)
    answer = service.verify()
    assert answer.status_code == 507
    assert "secret" not in answer.text
    assert "folder" not in answer.text
    assert "no room" in answer.json()["detail"]
    assert place in capsys.readouterr().err
