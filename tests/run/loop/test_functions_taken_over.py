"""A run that begins with functions of a shared registry which do not fit its data, wholly or in some rows."""

from pathlib import Path

import pytest

from orchestrator import bootstrap
from orchestrator.core.errors import DataError
from orchestrator.core.policy import Policy
from orchestrator.core.promoted import Evidence
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate import candidate_file
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.scripted_models import ScriptedProposer
from orchestrator.run.events import Callbacks
from orchestrator.run.journal.resume import PastRun, read_past
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.loop.run_summary import RunSummary
from orchestrator.run.request import RunRequest
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = 'CONTRACT = {"modifies": ["city"]}\ndef trim(df):\n    return df.assign(city=df["city"].str.strip())\n'
UPPER = 'CONTRACT = {"modifies": ["code"]}\ndef upper(df):\n    return df.assign(code=df["code"].str.upper())\n'
HIDDEN = 'CONTRACT = {"modifies": ["code"]}\ndef hidden(df):\n    return df.assign(code=df["ci" + "ty"])\n'
NUMBERS = 'CONTRACT = {"modifies": ["code"]}\ndef whole(df):\n    return df.assign(code=df["code"].map(int).map(str))\n'
PICKY = """CONTRACT = {"modifies": ["code"]}
def picky(df):
    if (df["code"] == "bad").any():
        raise ValueError("bad")
    return df.assign(code=df["code"].str.upper())
"""


@pytest.fixture(scope="module")
def services(local_sandbox: LocalSandbox, decoder: DisposableProcess) -> Services:
    return Services(local_sandbox, ScriptedGate, decoder, Policy(), "policy", bootstrap.open_registry)


def promote(place: Path, *sources: str) -> None:
    """Functions of earlier runs, in the registry in the place."""
    with bootstrap.open_registry(place) as registry:
        for source in sources:
            candidate = candidate_file.read(source)
            verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
            registry.promote(candidate, Evidence(verdict=verdict, policy_sha256="", proposer="test", run_id="earlier"))


def run(folder: Path, services: Services, past: PastRun | None = None) -> RunSummary:
    """A run that finds nothing of its own, or the rest of it with a quarantine."""
    place = str(folder / "registry")
    if past is not None:
        request, opened = past.request(place, quarantine=True), past.open()
    else:
        request = RunRequest(data=folder / "in.csv", out=folder / "out", registry=place)
        opened = request.check()
    return CleaningJob(request, opened, services, ScriptedProposer([]), Callbacks(), past=past).run()


def test_missing_columns_are_named_before_anything_is_made(tmp_path: Path, services: Services) -> None:
    """Each with the function that needs it and what it may be called now; nothing is said of revoking."""
    (tmp_path / "in.csv").write_text("City ,code\n Köln,a\nUlm,b\n")
    promote(tmp_path / "registry", TRIM, UPPER)
    with pytest.raises(DataError, match=r"in\.csv has no column 'city', which trim needs") as caught:
        run(tmp_path, services)
    assert "rename 'City ' to 'city' in the file" in caught.value.advice
    assert "revoke" not in caught.value.advice.lower()
    assert "upper" not in caught.value.message
    assert not (tmp_path / "out").exists()


def test_a_column_that_only_the_function_knows_is_named_too(tmp_path: Path, services: Services) -> None:
    """No source says it, so that it is known when no row comes through: resuming is not advised, nor revoking."""
    (tmp_path / "in.csv").write_text("town,code\n" + "Ulm,a\n" * 40)
    promote(tmp_path / "registry", UPPER, HIDDEN)
    with pytest.raises(DataError, match="no column 'city', which hidden needs") as caught:
        run(tmp_path, services)
    assert caught.value.advice.endswith("Start a new run with `cleanroom run`.")
    assert "evoke" not in caught.value.advice


def test_only_who_fails_is_blamed_for_a_chunk_without_rows(tmp_path: Path, services: Services) -> None:
    """With the reason; the functions before it have nothing to do with it."""
    (tmp_path / "in.csv").write_text("city,code\n" + " Ulm,a\n" * 40)
    promote(tmp_path / "registry", TRIM, NUMBERS)
    with pytest.raises(DataError, match=r"a promoted function fails \(whole: ValueError") as caught:
        run(tmp_path, services)
    assert "trim" not in caught.value.message
    assert "evoke" not in caught.value.advice


def test_a_run_goes_on_without_the_rows_on_which_a_function_fails(tmp_path: Path, services: Services) -> None:
    """The advice is a command that works: the rest of the run sets them aside, also if it is interrupted again."""
    (tmp_path / "in.csv").write_text("city,code\n" + "Ulm,a\n" * 20 + "Bonn,bad\n")
    promote(tmp_path / "registry", PICKY)
    with pytest.raises(DataError, match=r"Row 22 .* the function picky fails on it") as caught:
        run(tmp_path, services)
    assert f"`cleanroom runs resume {tmp_path / 'out'} --registry … --quarantine`" in caught.value.advice
    assert "FILE" not in caught.value.advice
    summary = run(tmp_path, services, read_past(tmp_path / "out"))
    assert (tmp_path / "out" / "cleaned.csv").read_text() == "city,code\n" + "Ulm,A\n" * 20
    assert "Bonn,bad" in Path(summary.files["rows set aside"]).read_text()
    assert read_past(tmp_path / "out").configuration["quarantine"] is True
