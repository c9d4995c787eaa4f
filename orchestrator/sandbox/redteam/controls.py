"""Runs the controls: each attack's program in a harmless form, or with locks lifted, must succeed. Called by
redteam_runner.py.

Controls are our own harmless programs, so they share containers: probes with the same locks lifted run in a process
each, and functions and candidates in the containers of `AttackTarget.shared`. A control that fails there is run again
in a fresh container, alone: only that counts. Probes that are root in their container never share one, since they could
change it.
"""

import re
from collections.abc import Sequence

from orchestrator.core.jobs import Ended
from orchestrator.sandbox.redteam.attack import Attack, Form, LiftedLock
from orchestrator.sandbox.redteam.attack_runs import AttackRuns
from orchestrator.sandbox.redteam.attack_source import control_source
from orchestrator.sandbox.redteam.observed import Observed
from orchestrator.sandbox.redteam.report import ControlState
from orchestrator.sandbox.redteam.target import AttackTarget

ControlResult = tuple[ControlState, str]
"""Whether the control worked, and what it said."""

_TOGETHER = 8
_LEFT_OUT_OF_QUICK_VERDICTS = {"properties", "resources"}


class Controls:
    """Controls on one target. Safe for threads. Every method raises SandboxError when the infrastructure fails."""

    def __init__(self, target: AttackTarget, attempts: AttackRuns) -> None:
        self._target = target
        self._attempts = attempts

    def run(self, group: Sequence[Attack]) -> dict[str, ControlResult]:
        """The controls of one group of `control_groups`, by the attacks' keys."""
        if group[0].form is not Form.PROBE:
            return {attack.key: self.run_one(attack) for attack in group}
        printed = self._target.unlocked([control_source(attack) for attack in group], group[0].control.lift)
        found = {attack.key: self._of_probe(attack, said) for attack, said in zip(group, printed, strict=True)}
        if len(group) > 1:
            for attack in group:
                if found[attack.key][0] is not ControlState.SHOWN:
                    found |= self.run([attack])
        return found

    def run_one(self, attack: Attack) -> ControlResult:
        """The control of a function, a candidate or a script."""
        found = self._of_other(attack, self._observed(attack, alone=False))
        if found[0] is ControlState.FAILED and attack.form is not Form.SCRIPT:
            found = self._of_other(attack, self._observed(attack, alone=True))
        return found

    def _observed(self, attack: Attack, *, alone: bool) -> Observed:
        source = control_source(attack)
        if attack.form is Form.SCRIPT:
            return Observed(says=self._target.script(source))
        if attack.form is Form.CANDIDATE:
            checks = attack.expected(self._target.info.runtime).checks
            whole = alone or bool(_LEFT_OUT_OF_QUICK_VERDICTS & set(checks))
            return self._attempts.control_verdict(attack, source, whole=whole)
        sandbox = self._target.sandbox if alone else self._target.shared
        return self._attempts.job(sandbox, source, attack.limits_of(control=True), attack.children)

    def _of_probe(self, attack: Attack, said: str) -> ControlResult:
        if said.removeprefix("denied ") in attack.absent(self._target.info.runtime):
            return ControlState.ABSENT, said
        return _state(re.fullmatch(attack.control.says or "granted .*", said) is not None), said[:160]

    def _of_other(self, attack: Attack, seen: Observed) -> ControlResult:
        if attack.form is Form.CANDIDATE:
            return _state(seen.verdict == "pass"), seen.words()
        ended_well = attack.form is Form.SCRIPT or seen.ended[-1:] == (Ended.OK,)
        says = attack.control.says or ("granted.*" if attack.form is Form.SCRIPT else "done.*")
        return _state(ended_well and re.fullmatch(says, seen.says, re.DOTALL) is not None), seen.words()


def control_groups(attacks: Sequence[Attack]) -> list[list[Attack]]:
    """The attacks whose controls go together: up to eight probes with the same locks lifted; all others alone."""
    groups: list[list[Attack]] = []
    latest: dict[tuple[LiftedLock, ...], list[Attack]] = {}
    for attack in attacks:
        lifted = attack.control.lift
        shares = attack.form is Form.PROBE and LiftedLock.CAPABILITIES not in lifted
        if shares and len(latest.get(lifted, ())) in range(1, _TOGETHER):
            latest[lifted].append(attack)
            continue
        groups.append([attack])
        if shares:
            latest[lifted] = groups[-1]
    return groups


def _state(worked: bool) -> ControlState:
    return ControlState.SHOWN if worked else ControlState.FAILED
