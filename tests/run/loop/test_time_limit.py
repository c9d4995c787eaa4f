"""A limit in seconds is one of the whole run, whoever proposes."""

from pathlib import Path
from time import sleep

from orchestrator.core.proposals import Analysis
from orchestrator.core.requests import ProposalRequest
from orchestrator.core.steps import RunStatus
from orchestrator.propose.scripted_models import ScriptedProposer
from orchestrator.run.events import Callbacks
from orchestrator.run.journal.resume import PastRun, read_past
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.loop.run_summary import RunSummary
from orchestrator.run.request import RunRequest
from orchestrator.run.services import Services
from tests.run.loop.test_functions_taken_over import TRIM, UPPER
from tests.run.loop.test_functions_taken_over import services as services  # noqa: PLC0414 - a fixture


class SlowProposer(ScriptedProposer):
    """Thinks for as long as the run may take."""

    def analyse(self, request: ProposalRequest) -> Analysis:
        sleep(1.1)
        return super().analyse(request)


def run(
    folder: Path, services: Services, proposer: ScriptedProposer, seconds: float, past: PastRun | None
) -> RunSummary:
    """A run that may take so many seconds, or the rest of it."""
    request = past.request() if past else RunRequest(data=folder / "in.csv", out=folder / "out")
    opened = past.open() if past else request.check()
    model = {"budget": {"max_seconds": seconds}}
    return CleaningJob(request, opened, services, proposer, Callbacks(), past=past, model=model).run()


def test_no_proposal_is_asked_for_when_the_time_has_passed(tmp_path: Path, services: Services) -> None:
    """What was promoted before is applied; with more time the run goes on to its end."""
    (tmp_path / "in.csv").write_text("city,code\n" + " Ulm,a\n" * 20)
    proposer = SlowProposer([TRIM, UPPER])
    summary = run(tmp_path, services, proposer, 1.0, None)
    assert summary.status is RunStatus.BUDGET
    assert summary.reason == "The 1 s of the budget have passed."
    assert len(proposer.requests) <= 1  # none where the machine is busy
    assert (tmp_path / "out" / "cleaned.csv").is_file()

    rest = ScriptedProposer([TRIM, UPPER][len(proposer.requests) :])
    summary = run(tmp_path, services, rest, 600.0, read_past(tmp_path / "out"))
    assert summary.status is RunStatus.CLEAN
    assert summary.promoted == ("trim", "upper")
    assert (tmp_path / "out" / "cleaned.csv").read_text() == "city,code\n" + "Ulm,A\n" * 20
