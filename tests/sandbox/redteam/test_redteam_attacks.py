"""The whole corpus against the real sandbox: every attack is a test, and all of them share one run."""

import pytest

from orchestrator import redteam_bootstrap
from orchestrator.sandbox.redteam import corpus
from orchestrator.sandbox.redteam.attack import Attack
from orchestrator.sandbox.redteam.host import left_behind
from orchestrator.sandbox.redteam.redteam_runner import RedTeam
from orchestrator.sandbox.redteam.report import AttackReport, ControlState

# The time-out ends what hangs: all attacks share one run.
pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(4000)]
Reports = dict[str, AttackReport]


@pytest.fixture(scope="module")
def reports(request: pytest.FixtureRequest, image: str) -> Reports:
    """One run of all attacks that were selected."""
    wanted = [item.callspec.params.get("one") for item in request.session.items if hasattr(item, "callspec")]
    chosen = {one.key for one in wanted if isinstance(one, Attack)}
    with redteam_bootstrap.red_team_target(None, None) as at:
        attacks = [one for one in corpus.load() if one.key in chosen]
        found = RedTeam(at).run(attacks, lambda _: None)
    assert left_behind(at.run_id) == ()
    return {f"{one.kind}/{one.name}": one for one in found}


@pytest.mark.parametrize("one", corpus.load(), ids=lambda one: one.key)
def test_the_sandbox_holds(reports: Reports, one: Attack) -> None:
    """The attack ends as it must, leaves no trace, hurts no neighbour, and its control shows that it is real."""
    report = reports[one.key]
    assert report.held, f"wanted {report.wanted}, but {report.happened}; {report.traces}"
    assert report.control is not ControlState.FAILED, report.control_said
