"""What a version before 0.2 wrote, signed and with its log, is still read: a run's folder with its registry and bundle.

Release 0.1.0 signed nothing. Whoever changes a format on purpose before 0.2 is released makes `golden/signed` again.
"""

import json
import shutil
from pathlib import Path

import pytest

from orchestrator.registry.bundle import load_functions
from orchestrator.run.journal.journal import read_journal
from tests.support.command import Call, in_this_process

TRUST = {"CLEANROOM_TRUST_FILE": "trust.yaml"}
PROMOTED = ["trim_blanks", "plain_numbers_in_amount", "iso_dates_in_day", "correct_spelling_in_city"]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of the files."""
    folder = Path(shutil.copytree(Path(__file__).resolve().parents[2] / "golden/signed", tmp_path / "sample"))
    (folder / "trust.yaml").chmod(0o600)
    return folder


@pytest.fixture
def cleanroom(sample: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    return in_this_process(sample, capfd)


def test_every_step_of_the_journal_is_read(sample: Path) -> None:
    """No step is lost, and none is another one."""
    lines = (sample / "run/run.jsonl").read_text(encoding="utf-8").splitlines()
    for step, line in zip(read_journal(sample / "run/run.jsonl"), lines, strict=True):
        written, read = json.loads(line), step.model_dump(mode="json")
        assert written.pop("mac")
        assert {key: read[key] for key in written} == written


@pytest.mark.parametrize("registry", ["run", "run/registry/registry.db"])
def test_the_registry_is_as_it_was_signed(cleanroom: Call, registry: str) -> None:
    """Stored versions and log, by the key of whoever made it; nobody else's trust would do."""
    verified = cleanroom("registry", "verify", "--registry", registry, env=TRUST)
    assert (verified.returncode, "4 stored versions and 4 log entries" in verified.stderr) == (0, True), verified.stderr
    audited = cleanroom("registry", "audit", "--registry", registry, env=TRUST)
    assert (audited.returncode, "4 entries are proved" in audited.stderr) == (0, True), audited.stderr
    assert cleanroom("registry", "verify", "--registry", registry).returncode == 1


def test_the_bundle_is_as_it_was_signed(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read without its database, as an archive of it would be."""
    monkeypatch.setenv("CLEANROOM_TRUST_FILE", str(sample / "trust.yaml"))
    (sample / "run/registry/registry.db").unlink()
    assert [function.name for function in load_functions(sample / "run/registry")] == PROMOTED


def test_the_run_is_shown(cleanroom: Call) -> None:
    """With what it said when it was made."""
    shown = cleanroom("runs", "show", "run")
    assert shown.returncode == 0, shown.stderr
    for line in (*(f"✓ {name}" for name in PROMOTED), "28 cells changed"):
        assert line in shown.stdout, line


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
def test_its_functions_are_applied(cleanroom: Call, sample: Path) -> None:
    """Without being judged again, with the result that they had."""
    done = cleanroom("apply", "input.csv", "--functions", "run", "-o", "again.csv", env=TRUST)
    assert done.returncode == 0, done.stderr
    assert (sample / "again.csv").read_bytes() == (sample / "run/cleaned.csv").read_bytes()
