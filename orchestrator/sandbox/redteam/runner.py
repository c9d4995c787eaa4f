"""Runs the corpus: each attack, a look at the host, a harmless neighbour, and the attack's control. Built by bootstrap.

Theory of operation. Attacks run one after the other, so that what changes on the host has one cause; controls run
beside them in one thread of their own. An attack holds when it ended as it must, nothing on the host changed, and a
harmless candidate in a fresh container then gave exactly its result (after a candidate that went before the gate, its
control is that neighbour: an honest function that must pass). When only the host is not as before, the attack is run a
second time: other programs of the machine do things, too, but not twice at the same moment. Up to eight probes that
must only be denied something share a container, in a process each; unless all of them hold and nothing changed, each
is run alone.

The gate is a room beside this one, so the judge comes in as a function.
"""

import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from orchestrator.core.errors import GuestProtocolError, SandboxError
from orchestrator.core.jobs import Case, Child, Ended, Job, Limits, Op, Program, SandboxInfo
from orchestrator.core.ports import Disposable, Sample, Sandbox
from orchestrator.core.verdict import Verdict
from orchestrator.data.hostile.entry import read_decoded
from orchestrator.data.hostile.frames import write_table
from orchestrator.sandbox.redteam import baseline, observed
from orchestrator.sandbox.redteam.attack import END_WORDS, Attack, Expect, Form, Lift
from orchestrator.sandbox.redteam.host import HostObserverPort
from orchestrator.sandbox.redteam.observed import Observed
from orchestrator.sandbox.redteam.programs import attack_source, control_source
from orchestrator.sandbox.redteam.report import AttackReport, ControlState

_TOGETHER = 8

Judge = Callable[[str, Sample, Limits], Verdict]
"""The gate's verdict on a source, unscreened, with these limits for each child."""


@dataclass(frozen=True)
class Range:
    """Where the attacks are run. `loosened` runs a probe with locks lifted, `script` a program on the host."""

    sandbox: Sandbox
    decoder: Disposable
    judge: Judge
    loosened: Callable[[str, Sequence[Lift]], str]
    script: Callable[[str], str]
    observer: HostObserverPort
    info: SandboxInfo
    run_id: str = ""  # the label of its containers


class _Seen(NamedTuple):
    """What came of an attack, and what was not as before on the host."""

    observed: Observed
    traces: tuple[str, ...]
    seconds: float


class RedTeam:
    """Runs attacks on one range."""

    def __init__(self, at: Range) -> None:
        self._at = at
        self._sample = baseline.sample()
        self._input = write_table(baseline.small())

    def run(self, attacks: Sequence[Attack], on_report: Callable[[AttackReport], None]) -> tuple[AttackReport, ...]:
        """Every attack's report, handed over as it comes. Raises SandboxError when the machinery itself is broken."""
        if trouble := self._neighbour():
            raise SandboxError(
                f"A harmless function does not work here before any attack: {trouble}.",
                advice="Run `cleanroom doctor`.",
            )
        reports = []
        with ThreadPoolExecutor(1, "redteam-control") as beside:
            try:
                controls = {a.key: beside.submit(self._control, a) for a in attacks if a.form is not Form.CANDIDATE}
                for group in _groups(attacks):
                    together = self._together(group)
                    for attack in group:
                        first = together.get(attack.key)
                        reports.append(self._report(attack, first, controls.get(attack.key)))
                        on_report(reports[-1])
            finally:
                beside.shutdown(wait=True, cancel_futures=True)
        return tuple(reports)

    def _together(self, group: Sequence[Attack]) -> dict[str, "_Seen"]:
        """What came of several attacks in one container, in a process each; only of those that held.

        Where the host or the neighbour is not as before, of none: then each has to be run alone.
        """
        if len(group) == 1:
            return {}
        started = time.monotonic()
        before = self._at.observer.look()
        programs = tuple(Program("f", attack_source(attack)) for attack in group)
        children = tuple(
            Child((Case("case", self._input, (Op.F,), program=n),), attack.limits_of())
            for n, attack in enumerate(group)
        )
        try:
            results = self._at.sandbox.run(Job(programs, children)).children
        except GuestProtocolError:
            return {}
        if self._at.observer.differences(before) or self._neighbour():
            return {}
        took = (time.monotonic() - started) / len(group)
        found = {}
        for attack, result in zip(group, results, strict=True):
            seen = observed.of_children((result,), self._at.decoder)
            if observed.held(attack, attack.expected(self._at.info.runtime), seen):
                found[attack.key] = _Seen(seen, (), took)
        return found

    def _report(
        self, attack: Attack, seen: "_Seen | None", control: "Future[tuple[ControlState, str]] | None"
    ) -> AttackReport:
        expect = attack.expected(self._at.info.runtime)
        if seen is None:
            seen = self._alone(attack, expect)
            neighbour = "" if control is None else self._neighbour()
        else:
            neighbour = ""
        state, said = self._control(attack) if control is None else control.result()
        if control is None and state is ControlState.FAILED:  # or else the control was the harmless neighbour
            neighbour = self._neighbour()
        traces = (*seen.traces, f"the next candidate: {neighbour}") if neighbour else seen.traces
        return AttackReport(
            kind=attack.kind,
            name=attack.name,
            title=attack.title,
            end=str(attack.end),
            wanted=_wanted(attack, expect),
            held=observed.held(attack, expect, seen.observed) and not traces,
            happened=seen.observed.words(),
            traces=traces,
            control=state,
            control_said=said,
            seconds=round(seen.seconds, 3),
        )

    def _alone(self, attack: Attack, expect: Expect) -> "_Seen":
        started = time.monotonic()
        seen, traces = self._attempt(attack)
        if traces and observed.held(attack, expect, seen):
            seen, traces = self._attempt(attack)
        took = time.monotonic() - started
        if took > 2 * attack.seconds:
            traces = (*traces, f"it took {took:.0f} s")
        return _Seen(seen, traces, took)

    def _attempt(self, attack: Attack) -> tuple[Observed, tuple[str, ...]]:
        before = self._at.observer.look()
        seen = self._run(attack, attack_source(attack), attack.limits_of())
        return seen, self._at.observer.differences(before)

    def _run(self, attack: Attack, source: str, limits: Limits) -> Observed:
        if attack.form is Form.SCRIPT:
            return Observed(says=self._at.script(source))
        if attack.form is Form.CANDIDATE:
            return observed.of_verdict(self._at.judge(source, self._sample, limits))
        return self._job(source, limits, attack.children)

    def _job(self, source: str, limits: Limits, children: int) -> Observed:
        child = Child((Case("case", self._input, (Op.F,)),), limits)
        try:
            result = self._at.sandbox.run(Job((Program("f", source),), (child,) * children))
        except GuestProtocolError as error:
            return observed.broke(error.message)
        return observed.of_children(result.children, self._at.decoder)

    def _neighbour(self) -> str:
        """What is wrong with a harmless candidate in a fresh container; "" when its result is exactly as it must be."""
        child = Child((Case("case", self._input, (Op.F,)),), Limits())
        try:
            result = self._at.sandbox.run(Job((Program("f", baseline.NEIGHBOUR),), (child,))).children[0]
        except GuestProtocolError as error:
            return error.message
        if result.ended is not Ended.OK:
            return f"it ended with {result.ended}"
        table = read_decoded(self._at.decoder.call(result.output), baseline.small()).table
        right = table is not None and table.drop_columns(["__index__"]).to_pydict() == baseline.NEIGHBOUR_SAYS
        return "" if right else "its result is another one"

    def _control(self, attack: Attack) -> tuple[ControlState, str]:
        source, control = control_source(attack), attack.control
        if attack.form is Form.PROBE:
            said = self._at.loosened(source, control.lift)
            if said.removeprefix("denied ") in attack.absent(self._at.info.runtime):
                return ControlState.ABSENT, said
            return _shown(re.fullmatch(control.says or "granted .*", said) is not None), said[:160]
        seen = self._run(attack, source, attack.limits_of(control=True))
        if attack.form is Form.CANDIDATE:
            return _shown(seen.verdict == "pass"), seen.words()
        ended_well = attack.form is Form.SCRIPT or seen.ended[-1:] == (Ended.OK,)
        says = control.says or ("granted.*" if attack.form is Form.SCRIPT else "done.*")
        return _shown(ended_well and re.fullmatch(says, seen.says, re.DOTALL) is not None), seen.words()


def _groups(attacks: Sequence[Attack]) -> list[list[Attack]]:
    """Neighbouring probes that are only denied something go together; everything else goes alone."""
    groups: list[list[Attack]] = []
    for attack in attacks:
        fits = groups and groups[-1][0].shares_a_container and len(groups[-1]) < _TOGETHER
        if attack.shares_a_container and fits:
            groups[-1].append(attack)
        else:
            groups.append([attack])
    return groups


def _shown(worked: bool) -> ControlState:
    return ControlState.SHOWN if worked else ControlState.FAILED


def _wanted(attack: Attack, expect: Expect) -> str:
    exactly = expect.ended if attack.form is not Form.CANDIDATE else expect.checks
    words = expect.because or END_WORDS[attack.end]
    return f"{words} ({' or '.join(exactly)})" if exactly and len(exactly) < 4 else words
