"""What release 0.1.0 wrote is still read: a run's folder with its journal, a registry, and a bundle with evidence."""

import json
import shutil
from pathlib import Path

import pytest

from orchestrator.core.errors import NotVerified, RegistryError
from orchestrator.registry.bundle import load_functions, load_stored
from orchestrator.run.journal.journal import read_journal
from tests.support.command import Call, in_this_process

RELEASES = Path(__file__).resolve().parents[2] / "golden"
RUN_ID = "5473a85c28fd"
PROMOTED = ["trim_blanks", "plain_numbers_in_amount", "iso_dates_in_day", "correct_spelling_in_city"]
# What steps say that the release did not know, with its default.
SINCE_THEN = {"quarantined": 0, "formulas": {}, "held": 0}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of the files, in which the journal finds its data again."""
    folder = tmp_path / "old"
    shutil.copytree(RELEASES / "release-0.1.0", folder)
    journal = folder / "run/run.jsonl"
    text = journal.read_text(encoding="utf-8")
    assert text.count('"/tmp/golden-in.csv"') == 2
    journal.write_text(text.replace('"/tmp/golden-in.csv"', json.dumps(str(folder / "input.csv"))), encoding="utf-8")
    return folder


@pytest.fixture
def cleanroom(old: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    return in_this_process(old, capfd)


def cut(old: Path, after: str, occurrence: int) -> None:
    """Leave of the journal what stands before the n-th step of this kind, and half of that step's own line."""
    journal = old / "run/run.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    places = [number for number, line in enumerate(lines) if json.loads(line)["kind"] == after]
    number = places[occurrence - 1]
    journal.write_text("".join(lines[:number]) + lines[number][: len(lines[number]) // 2], encoding="utf-8")


def test_every_step_of_an_old_journal_is_read(old: Path) -> None:
    """No step is lost, none is another one, and what the release did not know has its default."""
    lines = (old / "run/run.jsonl").read_text(encoding="utf-8").splitlines()
    steps = list(read_journal(old / "run/run.jsonl"))
    assert len(steps) == len(lines) == 22
    for step, line in zip(steps, lines, strict=True):
        written, read = json.loads(line), step.model_dump(mode="json")
        assert {key: read[key] for key in written} == written
        later = {key: read[key] for key in read.keys() - written.keys()}
        assert later == {key: SINCE_THEN[key] for key in later}


def test_an_old_run_is_listed_and_shown(cleanroom: Call) -> None:
    """`runs list` and `runs show` say of it what they said when it was made."""
    listed = json.loads(cleanroom("runs", "list", "--json").stdout)
    assert (listed["run_id"], listed["rows"], listed["promoted"]) == (RUN_ID, 120, 4)
    assert (listed["status"], listed["resumable"], listed["folder"]) == ("clean", False, "run")
    shown = cleanroom("runs", "show", RUN_ID[:6])
    assert shown.returncode == 0, shown.stderr
    for line in (
        f"run {RUN_ID}",
        *(f"✓ {name}" for name in PROMOTED),
        "21 checks passed, 2 not needed",
        "110 cells changed",
    ):
        assert line in shown.stdout, line


def test_an_old_run_is_replayed(cleanroom: Call) -> None:
    """`runs replay` plays all of it again."""
    replayed = cleanroom("runs", "replay", "run", "--speed", "0")
    assert replayed.returncode == 0, replayed.stderr
    for name in PROMOTED:
        assert name in replayed.stderr


def test_an_old_run_that_is_finished_is_not_gone_on_with(cleanroom: Call) -> None:
    """`runs resume` says so, and needs no engine for it."""
    resumed = cleanroom("runs", "resume", "run")
    assert (resumed.returncode, "has ended (complete)" in resumed.stderr) == (0, True)


@pytest.mark.parametrize(("folder", "names"), [("run/registry", PROMOTED), ("registry", ["trim_city"])])
def test_an_old_registry_is_read_and_found_unsigned(cleanroom: Call, old: Path, folder: str, names: list[str]) -> None:
    """`registry list` and `show`: the functions in their order, their sources. `verify` names what takes them over."""
    listed = cleanroom("registry", "list", "--registry", folder, "--json")
    entries = [json.loads(line) for line in listed.stdout.splitlines()]
    assert [entry["candidate"]["name"] for entry in entries] == names
    assert [entry["order"] for entry in entries] == list(range(1, len(names) + 1))
    for entry in entries:
        shown = cleanroom("registry", "show", entry["candidate"]["name"], "--registry", folder)
        assert shown.returncode == 0, shown.stderr
        assert f"def {entry['candidate']['name']}(df)" in shown.stdout
    verified = cleanroom("registry", "verify", "--registry", folder)
    assert verified.returncode == 1
    assert f"{names[0]}, version 1, is not signed." in verified.stderr
    assert "cleanroom registry adopt" in verified.stderr


def test_an_old_registry_can_be_written_to(cleanroom: Call, old: Path) -> None:
    """A function of it can be taken out of use; an export of what nobody signed is refused."""
    assert cleanroom("registry", "revoke", "trim_city", "--registry", "registry", "--reason", "old").returncode == 0
    assert "revoked" in cleanroom("registry", "show", "trim_city", "--registry", "registry").stdout
    exported = cleanroom("registry", "export", "--registry", "run/registry", "--output", "again")
    assert exported.returncode == 1
    assert "cleanroom registry adopt" in exported.stderr
    assert not (old / "again").exists()


def test_an_old_bundle_is_not_signed_and_its_seal_holds(old: Path) -> None:
    """It is refused with the command that takes it over, which reads it in order; a changed byte is found."""
    with pytest.raises(NotVerified, match="are not signed") as caught:
        load_functions(old / "run")
    assert "cleanroom registry adopt" in caught.value.advice
    assert [function.name for function in load_stored(old / "run")] == PROMOTED
    assert all(function.evidence.verdict.passed for function in load_stored(old / "run/registry"))
    source = old / "run/registry/sources/001_trim_blanks.py"
    source.write_bytes(source.read_bytes() + b"#")
    with pytest.raises(RegistryError, match="was changed"):
        load_stored(old / "run")


def test_old_functions_are_not_applied(cleanroom: Call, old: Path) -> None:
    """`apply` refuses what nobody has signed, names what takes it over, and writes nothing."""
    applied = cleanroom("apply", "input.csv", "--functions", "run", "-o", "again.csv", "--json")
    assert applied.returncode == 1
    assert "cleanroom registry adopt" in applied.stderr
    assert not (old / "again.csv").exists()


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
def test_old_functions_are_adopted_and_then_applied(cleanroom: Call, old: Path) -> None:
    """Judged again on the data that is named, signed, and applied: the release's own result, byte for byte."""
    adopted = cleanroom("registry", "adopt", "run/registry", "--data", "input.csv")
    assert adopted.returncode == 0, adopted.stderr
    assert f"4 functions adopted: {', '.join(PROMOTED)}." in adopted.stderr
    verified = cleanroom("registry", "verify", "--registry", "run")
    assert (verified.returncode, "8 stored versions and 4 log entries" in verified.stderr) == (0, True), verified.stderr
    applied = cleanroom("apply", "input.csv", "--functions", "run", "-o", "again.csv", "--json")
    assert applied.returncode == 0, applied.stderr
    assert (old / "again.csv").read_bytes() == (old / "run/cleaned.csv").read_bytes()
    for place in ("run", "run/registry"):  # both name that registry
        again = cleanroom("registry", "adopt", place, "--data", "input.csv")
        assert (again.returncode, "nothing to adopt" in again.stderr) == (2, True)


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
def test_functions_that_do_not_pass_any_more_are_not_adopted(cleanroom: Call, old: Path) -> None:
    """On other data one is rejected: the sentence names it, and the registry stays as it was."""
    (old / "other.csv").write_text("town\n Rome\n")
    refused = cleanroom("registry", "adopt", "registry", "--data", "other.csv")
    assert refused.returncode == 1, refused.stderr
    assert "nothing was changed" in refused.stderr
    assert "is not signed" in cleanroom("registry", "verify", "--registry", "registry").stderr


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
def test_an_old_bundle_is_adopted_elsewhere_and_imported(cleanroom: Call, old: Path) -> None:
    """From the plain bundle into a registry of its own, exported, and imported with verdicts on the importer's data."""
    (old / "run/registry/registry.db").unlink()
    assert cleanroom("registry", "adopt", "run", "--data", "input.csv", "--registry", "new").returncode == 0
    for name in PROMOTED[1:-1]:  # two are enough for what follows
        assert cleanroom("registry", "revoke", name, "--registry", "new", "--reason", "test").returncode == 0
    assert cleanroom("registry", "export", "--registry", "new", "--output", "b.zip").returncode == 0
    imported = cleanroom("registry", "import", "b.zip", "--data", "input.csv", "--registry", "mine")
    assert imported.returncode == 0, imported.stderr
    rerun = cleanroom("registry", "verify", "--registry", "mine", "--rerun", "--data", "input.csv")
    assert rerun.returncode == 0, rerun.stderr
    assert rerun.stdout.count("pass ") == 2


@pytest.mark.parametrize(("kind", "occurrence"), [("promotion", 4), ("analysis", 5)])
def test_an_old_run_that_was_killed_needs_its_data(cleanroom: Call, old: Path, kind: str, occurrence: int) -> None:
    """A cut journal of the release is not signed: nothing in it is believed, not even which data it was."""
    (old / "run/cleaned.csv").unlink()
    cut(old, kind, occurrence)
    refused = cleanroom("runs", "resume", "run")
    assert refused.returncode == 2
    assert "--data FILE" in refused.stderr


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
def test_an_old_run_that_was_killed_is_judged_anew(cleanroom: Call, old: Path) -> None:
    """With the data named, the same question is asked anew, and every function is judged."""
    made = (old / "run/cleaned.csv").read_bytes()
    (old / "run/cleaned.csv").unlink()
    cut(old, "promotion", 4)
    resumed = cleanroom("runs", "resume", "run", "--data", "input.csv", "--json")
    assert resumed.returncode == 0, resumed.stderr
    summary = json.loads(resumed.stdout)
    assert (summary["promoted"], summary["status"]) == (PROMOTED, "clean")
    assert (old / "run/cleaned.csv").read_bytes() == made
    kinds = [step.kind for step in read_journal(old / "run/run.jsonl")]
    assert (kinds.count("promotion"), kinds.count("verification"), kinds.count("resume")) == (4, 4, 0)
