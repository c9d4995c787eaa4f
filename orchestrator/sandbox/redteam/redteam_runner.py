"""Runs the corpus: attacks, looks at the host, harmless neighbours, and controls. Called by the command and the tests.

Theory of operation. An attack holds when it ended as it must, nothing on the host changed, and a harmless candidate in
a fresh container then gave exactly its result. Attacks run in batches of up to sixteen containers, two at a time (the
scripts, which work on the host, one at a time, after all others); each batch is followed by one look at the host and
one neighbour. When either is not as before, the batch proves nothing: each container's attacks are run again with a
look and a neighbour of their own, and where several probes shared a container, each probe alone. So a trace is always
that of one program. When only the host is not as before after a single attack, it is run a second time: other programs
of the machine do things, too, but not twice at the same moment. An attack that had a container of its own and did not
end as it must has escaped; it gets no second try. Only where a busy machine decided nothing (the gate said `infra`, or
the time was up) is it run again, alone.

Controls run beside the attacks; those of candidates after their batch, so that honest functions are seen to pass the
same gate after the dishonest ones.
"""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import NamedTuple

from orchestrator.core.errors import SandboxError
from orchestrator.core.verdict import Outcome
from orchestrator.sandbox.redteam import observed
from orchestrator.sandbox.redteam.attack import END_WORDS, Attack, Expect, Form
from orchestrator.sandbox.redteam.attack_runs import AttackRuns
from orchestrator.sandbox.redteam.batches import Group, batches, members, side_by_side
from orchestrator.sandbox.redteam.controls import ControlResult, Controls, control_groups
from orchestrator.sandbox.redteam.observed import Observed
from orchestrator.sandbox.redteam.report import AttackReport
from orchestrator.sandbox.redteam.target import AttackTarget

_LANES = 2


class _Outcome(NamedTuple):
    """What came of an attack. `traces`: what was not as before, on the host or for the neighbour."""

    observed: Observed
    ended_well: bool
    seconds: float
    traces: tuple[str, ...] = ()


class RedTeam:
    """Runs attacks on one target."""

    def __init__(self, target: AttackTarget) -> None:
        self._runtime = target.info.runtime
        self._observer = target.observer
        self._attempts = AttackRuns(target)
        self._controls = Controls(target, self._attempts)

    def run(self, attacks: Sequence[Attack], on_report: Callable[[AttackReport], None]) -> tuple[AttackReport, ...]:
        """Every attack's report, in their order; handed over as it comes, in another one.

        Raises SandboxError when the infrastructure itself fails.
        """
        if trouble := self._attempts.neighbour():
            raise SandboxError(
                f"A harmless function does not work here before any attack: {trouble}.",
                advice="Run `cleanroom doctor`.",
            )
        reports: dict[str, AttackReport] = {}
        lanes = ThreadPoolExecutor(min(_LANES, os.cpu_count() or 1), "redteam-attack")
        beside = ThreadPoolExecutor(1, "redteam-control")
        try:
            early = control_groups([attack for attack in attacks if attack.form is not Form.CANDIDATE])
            controls = self._start_controls(beside, early)
            for batch in batches(attacks):
                outcomes = self._outcomes(batch, lanes)
                late = [[attack] for attack in members(batch) if attack.form is Form.CANDIDATE]
                controls |= self._start_controls(lanes, late)
                for attack in members(batch):
                    control = controls[attack.key].result()[attack.key]
                    outcome = outcomes[attack.key]
                    if self._undecided(attack, outcome):
                        outcome = self._alone(attack)
                    reports[attack.key] = self._report(attack, outcome, control)
                    on_report(reports[attack.key])
        finally:
            for executor in (lanes, beside):
                executor.shutdown(wait=True, cancel_futures=True)
        return tuple(reports[attack.key] for attack in attacks)

    def _start_controls(
        self, executor: Executor, groups: Sequence[Group]
    ) -> "dict[str, Future[dict[str, ControlResult]]]":
        started: dict[str, Future[dict[str, ControlResult]]] = {}
        for group in groups:
            future = executor.submit(self._controls.run, group)
            started |= dict.fromkeys((attack.key for attack in group), future)
        return started

    def _outcomes(self, batch: Sequence[Group], lanes: Executor) -> dict[str, _Outcome]:
        found = self._together(batch, lanes)
        for attack in members(batch):
            if attack.key not in found:
                found[attack.key] = self._alone(attack)
        return found

    def _together(self, batch: Sequence[Group], lanes: Executor) -> dict[str, _Outcome]:
        """What came of the attacks of a batch; without those that have to be run alone to know."""
        if len(members(batch)) == 1:
            return {}
        before = self._observer.look()
        results = list((lanes.map if side_by_side(batch) else map)(self._group, batch))
        if not (self._observer.differences(before) or self._attempts.neighbour()):
            return {key: outcome for result in results for key, outcome in result.items()}
        found: dict[str, _Outcome] = {}
        for group, result in zip(batch, results, strict=True):
            escaped = {key: outcome for key, outcome in result.items() if not outcome.ended_well}
            found |= escaped or (self._together([group], lanes) if len(batch) > 1 else {})
        return found

    def _group(self, group: Group) -> dict[str, _Outcome]:
        """What came of the attacks in one container; of several probes only of those that ended as they must."""
        if len(group) == 1:
            return {group[0].key: self._attempt(group[0])}
        started = time.monotonic()
        results = self._attempts.probes(group)
        seconds = (time.monotonic() - started) / len(group)
        outcomes = {a.key: _Outcome(seen, self._ended_well(a, seen), seconds) for a, seen in results}
        return {key: outcome for key, outcome in outcomes.items() if outcome.ended_well}

    def _alone(self, attack: Attack) -> _Outcome:
        """What came of the attack, with a look at the host and a neighbour of its own."""
        outcome = self._looked_after(attack)
        if outcome.traces and outcome.ended_well:
            outcome = self._looked_after(attack)
        hurt = self._attempts.neighbour()
        return outcome._replace(traces=(*outcome.traces, f"the next candidate: {hurt}")) if hurt else outcome

    def _looked_after(self, attack: Attack) -> _Outcome:
        before = self._observer.look()
        outcome = self._attempt(attack)
        return outcome._replace(traces=self._observer.differences(before))

    def _attempt(self, attack: Attack) -> _Outcome:
        started = time.monotonic()
        seen = self._attempts.attack(attack)
        return _Outcome(seen, self._ended_well(attack, seen), time.monotonic() - started)

    def _ended_well(self, attack: Attack, seen: Observed) -> bool:
        return observed.held(attack, attack.expected(self._runtime), seen)

    def _undecided(self, attack: Attack, outcome: _Outcome) -> bool:
        """Whether a busy machine, and not the attack, may have made the outcome: no verdict, or none in time."""
        no_verdict = outcome.observed.verdict == Outcome.INFRA and not outcome.ended_well
        return no_verdict or _late(attack, outcome)

    def _report(self, attack: Attack, outcome: _Outcome, control: ControlResult) -> AttackReport:
        late = _late(attack, outcome)
        traces = (*outcome.traces, f"it took {outcome.seconds:.0f} s") if late else outcome.traces
        state, said = control
        return AttackReport(
            kind=attack.kind,
            name=attack.name,
            title=attack.title,
            end=str(attack.end),
            wanted=_wanted(attack, attack.expected(self._runtime)),
            held=outcome.ended_well and not traces,
            happened=outcome.observed.words(),
            traces=traces,
            control=state,
            control_said=said,
            seconds=round(outcome.seconds, 3),
        )


def _late(attack: Attack, outcome: _Outcome) -> bool:
    return outcome.seconds > 2 * attack.seconds


def _wanted(attack: Attack, expect: Expect) -> str:
    exactly = expect.ended if attack.form is not Form.CANDIDATE else expect.checks
    words = expect.because or END_WORDS[attack.end]
    return f"{words} ({' or '.join(exactly)})" if exactly and len(exactly) < 4 else words
