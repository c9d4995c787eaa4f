"""The runner says what happened: planted escapes, broken controls, traces on the host and hurt neighbours show."""

import json
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from orchestrator import redteam_bootstrap
from orchestrator.cli.main import app
from orchestrator.core.errors import EngineUnavailable, GuestProtocolError, SandboxError, UsageError
from orchestrator.core.jobs import ChildResult, Ended, SandboxInfo
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.sandbox.redteam import corpus, harmless_candidate
from orchestrator.sandbox.redteam.attack import Attack, LiftedLock
from orchestrator.sandbox.redteam.batches import batches
from orchestrator.sandbox.redteam.controls import control_groups
from orchestrator.sandbox.redteam.redteam_runner import RedTeam
from orchestrator.sandbox.redteam.report import AttackReport, ControlState, RedTeamReport
from orchestrator.sandbox.redteam.target import AttackTarget
from tests.sandbox.redteam.redteam_target import ToldObserver, ToldSandbox, attack, child_said, told_target, verdict


def run(at: AttackTarget, *attacks: Attack) -> RedTeamReport:
    return RedTeamReport(sandbox=at.info, attacks=RedTeam(at).run(attacks, lambda _: None))


def only(report: RedTeamReport) -> AttackReport:
    (one,) = report.attacks
    return one


def test_what_is_denied_and_shown_holds() -> None:
    """A denied probe whose control succeeds is fine."""
    report = run(told_target(), attack("door"), attack("window"))
    assert [one.held for one in report.attacks] == [True, True]
    assert report.exit_code == 0


def test_a_planted_escape_is_named() -> None:
    """One probe that gets through is the only escape, though it shared a container with others."""
    sandbox = ToldSandbox({"window": child_said("granted a view")})
    report = run(told_target(sandbox), attack("door"), attack("window"), attack("roof"))
    assert [one.name for one in report.escapes] == ["window"]
    assert "granted a view" in report.escapes[0].happened
    assert report.exit_code == 1


@pytest.mark.parametrize("ended", [Ended.TIMEOUT, Ended.KILLED, Ended.MEMORY, Ended.OUTPUT_LIMIT])
def test_another_end_than_wanted_is_an_escape(ended: Ended) -> None:
    """A probe that dies proves no denial."""
    assert run(told_target(ToldSandbox({"door": ChildResult(ended)})), attack("door")).exit_code == 1


def test_a_program_that_broke_is_no_denial() -> None:
    """An error that is no refusal does not count."""
    sandbox = ToldSandbox({"door": child_said("error: NameError")})
    assert not only(run(told_target(sandbox), attack("door"))).held


def test_a_container_that_goes_away_is_an_escape_unless_it_may() -> None:
    """A candidate that takes its container down is bounded where that is declared, and nowhere else."""
    sandbox = ToldSandbox({"door": GuestProtocolError("gone")})
    one = attack("door", end="B", expect={"ended": ["ok"]}, runsc={"ended": ["broke"]})
    assert run(told_target(sandbox), one).exit_code == 1
    assert run(told_target(sandbox, runtime="runsc"), one).exit_code == 0


@pytest.mark.parametrize("said", ["denied EPERM", "", "Traceback: NameError"])
def test_a_control_that_fails_proves_nothing(said: str) -> None:
    """Exit code 3: everything held, but one attack was not shown to be real."""
    report = run(told_target(unlocked=lambda _, __: said), attack("door"))
    assert only(report).held
    assert only(report).control is ControlState.FAILED
    assert report.exit_code == 3


def test_an_escape_outweighs_a_failed_control() -> None:
    """Exit code 1 is the worse news."""
    at = told_target(ToldSandbox({"door": child_said("granted")}), unlocked=lambda _, __: "")
    assert run(at, attack("door")).exit_code == 1


def test_what_the_machine_does_not_have_needs_no_control() -> None:
    """A control that meets a declared error says that there was nothing to deny."""
    one = attack("door", control={"lift": ["seccomp"], "absent": ["ENOSYS"]})
    report = run(told_target(unlocked=lambda _, __: "denied ENOSYS"), one)
    assert only(report).control is ControlState.ABSENT
    assert report.exit_code == 0


def test_a_hurt_neighbour_is_an_escape() -> None:
    """The next candidate's result is compared, not only its end."""
    answers = iter([None, child_said("changed"), child_said("changed")])
    right = ToldSandbox().neighbour

    def neighbour() -> ChildResult:
        return next(answers) or right()

    report = run(told_target(ToldSandbox(neighbour=neighbour)), attack("door", end="B", expect={"ended": ["ok"]}))
    assert "the next candidate: its result is another one" in only(report).traces
    assert report.exit_code == 1


def test_a_trace_on_the_host_must_come_twice() -> None:
    """What happens by chance on a busy machine is run again; what happens again is an escape."""
    one = attack("door", end="B", expect={"ended": ["ok"]})
    assert run(told_target(observer=ToldObserver([("a process",)])), one).exit_code == 0
    report = run(told_target(observer=ToldObserver([("a process",), ("a process",)])), one)
    assert only(report).traces == ("a process",)
    assert report.exit_code == 1


def test_traces_of_a_shared_container_are_told_apart() -> None:
    """When a shared container left something, each of its probes is run alone, and the guilty one is found."""
    sandbox = ToldSandbox()
    observer = ToldObserver([("a process",), (), ("a process",), ("a process",)])
    report = run(told_target(sandbox, observer=observer), attack("door"), attack("window"))
    assert [one.name for one in report.escapes] == ["window"]


def test_at_most_eight_probes_share_a_container() -> None:
    """Probes go together, everything else goes alone."""
    sandbox = ToldSandbox()
    attacks = [attack(f"door-{n}") for n in range(9)] + [attack("bomb", end="B", expect={"ended": ["ok"]})]
    run(told_target(sandbox), *attacks)
    before, *batch, after = sandbox.jobs
    assert sorted(len(job.children) for job in batch) == [1, 1, 8]
    assert {job.programs[0].source for job in (before, after)} == {harmless_candidate.NEIGHBOUR}


BOMB = {"end": "B", "expect": {"ended": ["ok"]}}


def test_a_batch_that_left_a_trace_is_run_one_by_one() -> None:
    """Attacks in containers of their own share a look at the host; the one that leaves something is found."""
    observer = ToldObserver([("a process",), (), ("a process",), ("a process",)])
    report = run(told_target(observer=observer), attack("door", **BOMB), attack("window", **BOMB))
    assert [one.name for one in report.escapes] == ["window"]
    assert report.escapes[0].traces == ("a process",)


def test_a_neighbour_hurt_by_a_batch_is_told_by_whom() -> None:
    """One neighbour follows a batch; when it is hurt, each attack is followed by its own."""
    right, hurt = ToldSandbox().neighbour(), child_said("changed")
    answers = iter([right, hurt, right, hurt])
    sandbox = ToldSandbox(neighbour=lambda: next(answers))
    report = run(told_target(sandbox), attack("door", **BOMB), attack("window", **BOMB))
    assert [one.name for one in report.escapes] == ["window"]


def test_an_escape_from_a_container_of_its_own_gets_no_second_try() -> None:
    """Neither in a batch that changed nothing, nor in one that did."""
    for observer in (ToldObserver(), ToldObserver([("a process",)])):
        sandbox = ToldSandbox({"window": ChildResult(Ended.TIMEOUT)})
        at = told_target(sandbox, observer=observer)
        report = run(at, attack("door", **BOMB), attack("window", **BOMB))
        assert [one.name for one in report.escapes] == ["window"]
        assert sum("window" in job.programs[0].source for job in sandbox.jobs) == 1


def test_a_control_that_fails_beside_others_is_run_alone() -> None:
    """Controls share a container; what one leaves there must not count against another."""
    seen: list[int] = []

    def unlocked(sources: Sequence[str], _: Sequence[LiftedLock]) -> list[str]:
        seen.append(len(sources))
        return ["granted x"] if len(sources) == 1 else ["granted x", "denied EEXIST"]

    report = run(replace(told_target(), unlocked=unlocked), attack("door"), attack("window"))
    assert seen == [2, 1]
    assert [one.control for one in report.attacks] == [ControlState.SHOWN] * 2


def test_controls_that_are_root_share_no_container() -> None:
    """They could change it for the next one; other probes share it with those of the same locks lifted."""
    root = {"lift": ["seccomp", "capabilities"]}
    attacks = [attack("a"), attack("b", control=root), attack("c"), attack("d", control=root), attack("e", control={})]
    assert [[one.name for one in group] for group in control_groups(attacks)] == [["a", "c"], ["b"], ["d"], ["e"]]


def test_scripts_run_one_at_a_time() -> None:
    """They work on the host itself, so they would see each other."""
    running = threading.Lock()
    alone: list[bool] = []

    def script(_: str) -> str:
        alone.append(running.acquire(blocking=False))
        time.sleep(0.02)
        running.release()
        return "denied"

    attacks = [attack(f"owner-{number}", form="script") for number in range(4)]
    with ThreadPoolExecutor(2) as lanes:
        RedTeam(told_target(script=script))._outcomes(batches(attacks)[0], lanes)
    assert alone == [True] * 4


def test_machinery_that_is_broken_from_the_start_is_no_result() -> None:
    """Nothing is attacked where a harmless candidate does not work."""
    with pytest.raises(SandboxError, match="before any attack"):
        run(told_target(ToldSandbox(neighbour=lambda: ChildResult(Ended.KILLED))), attack("door"))


def test_a_lost_engine_is_no_result() -> None:
    """An engine that stops answering ends the run."""
    with pytest.raises(EngineUnavailable):
        run(told_target(ToldSandbox({"door": EngineUnavailable("gone")})), attack("door"))


CANDIDATE = {"form": "candidate", "end": "F", "expect": {"verdict": "fail", "checks": ["pure"]}, "dose": True}


def test_a_candidate_must_fail_at_the_right_check() -> None:
    """A hostile candidate that passes has escaped, and so has one that is rejected for another reason."""
    one = attack("liar", source="DOSE\n", control={"dose": False}, **CANDIDATE)

    def judged(*failed: str) -> RedTeamReport:
        outcome = Outcome.FAIL if failed else Outcome.PASS
        at = told_target(judge=lambda s, _, __: verdict(outcome, *failed) if "True" in s else verdict(Outcome.PASS))
        return run(at, one)

    assert judged("pure", "effective").exit_code == 0
    assert judged("effective").exit_code == 1
    assert judged().exit_code == 1


def test_no_verdict_is_asked_for_once_more() -> None:
    """A machine that is too busy to judge decides nothing; one that never judges has not held."""
    one = attack("liar", source="DOSE\n", control={"dose": False}, **CANDIDATE)

    def judged(*outcomes: Outcome) -> RedTeamReport:
        told = iter(outcomes)

        def judge(source: str, *_: object) -> Verdict:
            if "True" not in source:
                return verdict(Outcome.PASS)
            outcome = next(told)
            return verdict(outcome, "pure") if outcome is Outcome.FAIL else verdict(outcome)

        return run(told_target(judge=judge), one)

    assert judged(Outcome.INFRA, Outcome.FAIL).exit_code == 0
    assert judged(Outcome.INFRA, Outcome.INFRA).exit_code == 1
    assert judged(Outcome.INFRA, Outcome.PASS).exit_code == 1


def test_an_honest_candidate_that_is_rejected_is_a_failed_control() -> None:
    """A gate that rejects everything proves nothing; a neighbour then tells whether the attack did it."""
    one = attack("liar", source="DOSE\n", control={"dose": False}, **CANDIDATE)
    report = run(told_target(judge=lambda _, __, ___: verdict(Outcome.FAIL, "pure")), one)
    assert only(report).held
    assert report.exit_code == 3


def test_a_script_is_judged_by_what_it_prints() -> None:
    """A script that crashed has shown nothing."""
    one = attack("owner", form="script", source="DOSE\n", dose="attack", control={"dose": "harmless"})
    says = {"'attack'": "denied EngineUnavailable", "'harmless'": "granted"}
    assert run(told_target(script=lambda s: says[s.strip()]), one).exit_code == 0
    assert run(told_target(script=lambda _: "NameError: x"), one).exit_code == 1


def test_an_empty_run_proves_nothing() -> None:
    """No attacks, no proof."""
    assert RedTeamReport(sandbox=SandboxInfo(), attacks=()).exit_code == 3


def test_a_container_left_behind_is_an_escape() -> None:
    """What is still there after everything was closed counts."""
    report = run(told_target(), attack("door"))
    assert report.model_copy(update={"left_behind": ("abc",)}).exit_code == 1


@pytest.fixture
def small_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_: Sequence[str]) -> tuple[Attack, ...]:
        return (attack("door"), attack("window"))

    monkeypatch.setattr(corpus, "load", load)


@pytest.mark.parametrize(
    ("at", "code", "word"),
    [
        (told_target(), 0, "held"),
        (told_target(ToldSandbox({"door": child_said("granted \x1b[31m")})), 1, "ESCAPED"),
        (told_target(unlocked=lambda _, __: "denied EPERM"), 3, "FAILED"),
    ],
)
def test_the_command_says_it_case_by_case(
    small_corpus: None, monkeypatch: pytest.MonkeyPatch, at: AttackTarget, code: int, word: str
) -> None:
    """A table for people, one object with --json, and the exit code in both."""
    monkeypatch.setattr(redteam_bootstrap, "red_team_target", lambda _, __, strict: nullcontext(at))
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
