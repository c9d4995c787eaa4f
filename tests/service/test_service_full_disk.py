"""A disk of the service that is full: neither the request nor the function is at fault; its operator hears of it."""

import errno
import tempfile
from pathlib import Path
from typing import Any, NoReturn

import pytest

from orchestrator.core.errors import OutputError
from orchestrator.data.files import write_file
from orchestrator.service.problems import said_of
from tests.service.conftest import CSV, Service

_FULL = OSError(errno.ENOSPC, "No space left on device")


def _full(*_args: Any, **_options: Any) -> NoReturn:
    raise _FULL


def test_no_room_for_what_arrives_is_no_fault_of_the_request(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reader of forms says that the body is wrong, whatever went wrong: the client would look for that in vain."""
    files = {"data": ("a.csv", CSV + "x,1\n" * 500_000)}
    monkeypatch.setattr(tempfile, "TemporaryFile", _full)
    answer = service.client.post("/api/v1/runs", files=files, headers=service.headers())
    assert (answer.status_code, answer.json()["detail"]) == (507, "The service has no room for what was sent.")
    told = "The temporary folder cannot be written: no space left on device. Free some space, or set TMPDIR."
    assert told in capsys.readouterr().err
    monkeypatch.undo()
    assert service.client.post("/api/v1/runs", files=files, headers=service.headers()).status_code == 202


def test_no_room_for_what_a_job_makes_is_said_to_who_can_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The client reads no path and what to do; a file that its own data does not fit is said as it was."""
    monkeypatch.setattr("os.fsync", _full)
    with pytest.raises(OutputError) as raised:
        write_file(tmp_path / "cleaned.csv", b"x")
    said = ("The service has no room for what the job makes.", "Send less, or ask its operator.")
    assert said_of(raised.value) == said
    assert f"{tmp_path}/cleaned.csv cannot be written: no space left on device." in capsys.readouterr().err
    assert said_of(OutputError("A sheet has too many rows.", advice="Write CSV.")) == ("A sheet has too many rows.", "")
    assert capsys.readouterr().err == ""
