"""The runner says what happened: planted escapes, broken controls, traces on the host and hurt neighbours show."""

import json
from collections.abc import Sequence
from contextlib import nullcontext

import pytest
from typer.testing import CliRunner

from orchestrator import bootstrap
from orchestrator.cli.main import app
from orchestrator.core.errors import EngineUnavailable, GuestProtocolError, SandboxError, UsageError
from orchestrator.core.jobs import ChildResult, Ended, SandboxInfo
from orchestrator.core.verdict import Outcome
from orchestrator.sandbox.redteam import corpus
from orchestrator.sandbox.redteam.attack import Attack
from orchestrator.sandbox.redteam.report import AttackReport, ControlState, RedTeamReport
from orchestrator.sandbox.redteam.runner import Range, RedTeam
from tests.sandbox.redteam_range import ToldObserver, ToldSandbox, attack, child_said, told_range, verdict


def run(at: Range, *attacks: Attack) -> RedTeamReport:
    return RedTeamReport(sandbox=at.info, attacks=RedTeam(at).run(attacks, lambda _: None))


def only(report: RedTeamReport) -> AttackReport:
    (one,) = report.attacks
    return one


def test_what_is_denied_and_shown_holds() -> None:
    """A denied probe whose control succeeds is fine."""
    report = run(told_range(), attack("door"), attack("window"))
    assert [one.held for one in report.attacks] == [True, True]
    assert report.exit_code == 0


def test_a_planted_escape_is_named() -> None:
    """One probe that gets through is the only escape, though it shared a container with others."""
    sandbox = ToldSandbox({"window": child_said("granted a view")})
    report = run(told_range(sandbox), attack("door"), attack("window"), attack("roof"))
    assert [one.name for one in report.escapes] == ["window"]
    assert "granted a view" in report.escapes[0].happened
    assert report.exit_code == 1


@pytest.mark.parametrize("ended", [Ended.TIMEOUT, Ended.KILLED, Ended.MEMORY, Ended.OUTPUT_LIMIT])
def test_another_end_than_wanted_is_an_escape(ended: Ended) -> None:
    """A probe that dies proves no denial."""
    assert run(told_range(ToldSandbox({"door": ChildResult(ended)})), attack("door")).exit_code == 1


def test_a_program_that_broke_is_no_denial() -> None:
    """An error that is no refusal does not count."""
    sandbox = ToldSandbox({"door": child_said("error: NameError")})
    assert not only(run(told_range(sandbox), attack("door"))).held


def test_a_container_that_goes_away_is_an_escape_unless_it_may() -> None:
    """A candidate that takes its container down is bounded where that is declared, and nowhere else."""
    sandbox = ToldSandbox({"door": GuestProtocolError("gone")})
    one = attack("door", end="B", expect={"ended": ["ok"]}, runsc={"ended": ["broke"]})
    assert run(told_range(sandbox), one).exit_code == 1
    assert run(told_range(sandbox, runtime="runsc"), one).exit_code == 0


@pytest.mark.parametrize("said", ["denied EPERM", "", "Traceback: NameError"])
def test_a_control_that_fails_proves_nothing(said: str) -> None:
    """Exit code 3: everything held, but one attack was not shown to be real."""
    report = run(told_range(loosened=lambda _, __: said), attack("door"))
    assert only(report).held
    assert only(report).control is ControlState.FAILED
    assert report.exit_code == 3


def test_an_escape_outweighs_a_failed_control() -> None:
    """Exit code 1 is the worse news."""
    at = told_range(ToldSandbox({"door": child_said("granted")}), loosened=lambda _, __: "")
    assert run(at, attack("door")).exit_code == 1


def test_what_the_machine_does_not_have_needs_no_control() -> None:
    """A control that meets a declared error says that there was nothing to deny."""
    one = attack("door", control={"lift": ["seccomp"], "absent": ["ENOSYS"]})
    report = run(told_range(loosened=lambda _, __: "denied ENOSYS"), one)
    assert only(report).control is ControlState.ABSENT
    assert report.exit_code == 0


def test_a_hurt_neighbour_is_an_escape() -> None:
    """The next candidate's result is compared, not only its end."""
    answers = iter([None, child_said("changed"), child_said("changed")])
    right = ToldSandbox().neighbour

    def neighbour() -> ChildResult:
        return next(answers) or right()

    report = run(told_range(ToldSandbox(neighbour=neighbour)), attack("door", end="B", expect={"ended": ["ok"]}))
    assert "the next candidate: its result is another one" in only(report).traces
    assert report.exit_code == 1


def test_a_trace_on_the_host_must_come_twice() -> None:
    """What happens by chance on a busy machine is run again; what happens again is an escape."""
    one = attack("door", end="B", expect={"ended": ["ok"]})
    assert run(told_range(observer=ToldObserver([("a process",)])), one).exit_code == 0
    report = run(told_range(observer=ToldObserver([("a process",), ("a process",)])), one)
    assert only(report).traces == ("a process",)
    assert report.exit_code == 1


def test_traces_of_a_shared_container_are_told_apart() -> None:
    """When a shared container left something, each of its probes is run alone, and the guilty one is found."""
    sandbox = ToldSandbox()
    observer = ToldObserver([("a process",), (), ("a process",), ("a process",)])
    report = run(told_range(sandbox, observer=observer), attack("door"), attack("window"))
    assert [one.name for one in report.escapes] == ["window"]


def test_at_most_eight_probes_share_a_container() -> None:
    """Probes go together, everything else goes alone."""
    sandbox = ToldSandbox()
    attacks = [attack(f"door-{n}") for n in range(9)] + [attack("bomb", end="B", expect={"ended": ["ok"]})]
    run(told_range(sandbox), *attacks)
    assert [len(job.children) for job in sandbox.jobs] == [1, 8, 1, 1, 1, 1, 1]


def test_machinery_that_is_broken_from_the_start_is_no_result() -> None:
    """Nothing is attacked where a harmless candidate does not work."""
    with pytest.raises(SandboxError, match="before any attack"):
        run(told_range(ToldSandbox(neighbour=lambda: ChildResult(Ended.KILLED))), attack("door"))


def test_a_lost_engine_is_no_result() -> None:
    """An engine that stops answering ends the run."""
    with pytest.raises(EngineUnavailable):
        run(told_range(ToldSandbox({"door": EngineUnavailable("gone")})), attack("door"))


CANDIDATE = {"form": "candidate", "end": "F", "expect": {"verdict": "fail", "checks": ["pure"]}, "dose": True}


def test_a_candidate_must_fail_at_the_right_check() -> None:
    """A hostile candidate that passes has escaped, and so has one that is rejected for another reason."""
    one = attack("liar", source="DOSE\n", control={"dose": False}, **CANDIDATE)

    def judged(*failed: str) -> RedTeamReport:
        outcome = Outcome.FAIL if failed else Outcome.PASS
        at = told_range(judge=lambda s, _, __: verdict(outcome, *failed) if "True" in s else verdict(Outcome.PASS))
        return run(at, one)

    assert judged("pure", "effective").exit_code == 0
    assert judged("effective").exit_code == 1
    assert judged().exit_code == 1


def test_an_honest_candidate_that_is_rejected_is_a_failed_control() -> None:
    """A gate that rejects everything proves nothing; a neighbour then tells whether the attack did it."""
    one = attack("liar", source="DOSE\n", control={"dose": False}, **CANDIDATE)
    report = run(told_range(judge=lambda _, __, ___: verdict(Outcome.FAIL, "pure")), one)
    assert only(report).held
    assert report.exit_code == 3


def test_a_script_is_judged_by_what_it_prints() -> None:
    """A script that crashed has shown nothing."""
    one = attack("owner", form="script", source="DOSE\n", dose="attack", control={"dose": "harmless"})
    says = {"'attack'": "denied EngineUnavailable", "'harmless'": "granted"}
    assert run(told_range(script=lambda s: says[s.strip()]), one).exit_code == 0
    assert run(told_range(script=lambda _: "NameError: x"), one).exit_code == 1


def test_an_empty_run_proves_nothing() -> None:
    """No attacks, no proof."""
    assert RedTeamReport(sandbox=SandboxInfo(), attacks=()).exit_code == 3


def test_a_container_left_behind_is_an_escape() -> None:
    """What is still there after everything was closed counts."""
    report = run(told_range(), attack("door"))
    assert report.model_copy(update={"left_behind": ("abc",)}).exit_code == 1


@pytest.fixture
def small_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_: Sequence[str]) -> tuple[Attack, ...]:
        return (attack("door"), attack("window"))

    monkeypatch.setattr(corpus, "load", load)


@pytest.mark.parametrize(
    ("at", "code", "word"),
    [
        (told_range(), 0, "held"),
        (told_range(ToldSandbox({"door": child_said("granted \x1b[31m")})), 1, "ESCAPED"),
        (told_range(loosened=lambda _, __: "denied EPERM"), 3, "FAILED"),
    ],
)
def test_the_command_says_it_case_by_case(
    small_corpus: None, monkeypatch: pytest.MonkeyPatch, at: Range, code: int, word: str
) -> None:
    """A table for people, one object with --json, and the exit code in both."""
    monkeypatch.setattr(bootstrap, "red_team_range", lambda _, __: nullcontext(at))
    done = CliRunner().invoke(app, ["redteam"], env={"COLUMNS": "200"})
    assert done.exit_code == code
    assert word in done.stdout
    assert "\x1b" not in done.stdout
    done = CliRunner().invoke(app, ["redteam", "--json"])
    assert done.exit_code == code
    said = json.loads(done.stdout)
    assert said["exit_code"] == code
    assert [one["name"] for one in said["attacks"]] == ["door", "window"]


def test_an_unknown_class_is_a_usage_error() -> None:
    """The known classes are named."""
    with pytest.raises(UsageError, match="nonsense") as caught:
        corpus.load(["nonsense"])
    assert "network" in caught.value.advice
