"""Runs single attacks and the harmless neighbour, each in a container of its own.

Called by redteam_runner.py and controls.py.
"""

from collections.abc import Sequence

from orchestrator.core.errors import GuestProtocolError
from orchestrator.core.jobs import Case, Child, Ended, Job, JobResult, Limits, Op, Program
from orchestrator.core.ports import Sandbox
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.data.hostile.decode_entry import read_decoded, request
from orchestrator.sandbox.redteam import harmless_candidate, observed
from orchestrator.sandbox.redteam.attack import Attack, Form
from orchestrator.sandbox.redteam.attack_source import attack_source
from orchestrator.sandbox.redteam.observed import Observed
from orchestrator.sandbox.redteam.target import AttackTarget


class AttackRuns:
    """Attempts on one target. Safe for threads. Every method raises SandboxError when the infrastructure fails."""

    def __init__(self, target: AttackTarget) -> None:
        self._target = target
        self._sample = harmless_candidate.sample()
        self._input = write_table(harmless_candidate.small())

    def attack(self, attack: Attack) -> Observed:
        """The attack alone."""
        source, limits = attack_source(attack), attack.limits_of()
        if attack.form is Form.SCRIPT:
            return Observed(says=self._target.script(source))
        if attack.form is Form.CANDIDATE:
            return observed.of_verdict(self._target.judge(source, self._sample, limits))
        return self.job(self._target.sandbox, source, limits, attack.children)

    def probes(self, group: Sequence[Attack]) -> list[tuple[Attack, Observed]]:
        """Several probes in one container, in a process each; nothing of any when the container went away."""
        programs = tuple(Program("f", attack_source(attack)) for attack in group)
        children = tuple(self._child(attack.limits_of(), number) for number, attack in enumerate(group))
        try:
            results = self._target.sandbox.run(Job(programs, children)).children
        except GuestProtocolError:
            return []
        return [
            (attack, observed.of_children((result,), self._target.decoder))
            for attack, result in zip(group, results, strict=True)
        ]

    def control_verdict(self, attack: Attack, source: str, *, whole: bool) -> Observed:
        """The gate's word on the control of a candidate: the whole verdict in fresh containers, or a quick one."""
        judge = self._target.judge if whole else self._target.judge_control
        return observed.of_verdict(judge(source, self._sample, attack.limits_of(control=True)))

    def job(self, sandbox: Sandbox, source: str, limits: Limits, children: int) -> Observed:
        """A function, once in each of so many processes of one container."""
        try:
            result = self._run(sandbox, source, limits, children)
        except GuestProtocolError as error:
            return observed.broke(error.message)
        return observed.of_children(result.children, self._target.decoder)

    def neighbour(self) -> str:
        """What is wrong with a harmless candidate in a fresh container; "" when its result is exactly as it must be."""
        try:
            result = self._run(self._target.sandbox, harmless_candidate.NEIGHBOUR, Limits(), 1).children[0]
        except GuestProtocolError as error:
            return error.message
        if result.ended is not Ended.OK:
            return f"it ended with {result.ended}"
        table = read_decoded(
            self._target.decoder.call(request(result.output, records=False, detect=False)), harmless_candidate.small()
        ).table
        right = table is not None and table.drop_columns(["__index__"]).to_pydict() == harmless_candidate.NEIGHBOUR_SAYS
        return "" if right else "its result is another one"

    def _run(self, sandbox: Sandbox, source: str, limits: Limits, children: int) -> JobResult:
        return sandbox.run(Job((Program("f", source),), (self._child(limits),) * children))

    def _child(self, limits: Limits, program: int | None = None) -> Child:
        return Child((Case("case", self._input, (Op.F,), program=program),), limits)
