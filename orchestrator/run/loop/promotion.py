"""How a candidate gets into the registry: announced, judged, promoted, each as a step of the run.

Called by `iteration` and by `merger`. To promote or revoke a function, the caller must hold
`Coordinator.promotion`.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from time import perf_counter
from typing import NamedTuple

from orchestrator.core.candidate import Candidate, Example, source_hash
from orchestrator.core.differences import VersionDiff
from orchestrator.core.errors import CandidateError
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.steps import CandidateStep, PromotionStep, Step, VerificationStep
from orchestrator.core.verdict import Concern, Outcome, SettledConcerns, Verdict
from orchestrator.run.infra_verdict import raise_if_infra
from orchestrator.run.loop.run_context import CleanedSample, RunContext, RunTask
from orchestrator.run.loop.speculative_verification import SpeculativeVerification

ACCEPTED = "--on-hold accept"
"""The reason in the signed approval of a function that a run lets into use in spite of its concerns."""


class CandidateAttempt(NamedTuple):
    """Which candidate a step is about. A merger has the iteration 0, and its number in the plan as `attempt`."""

    chunk: int
    iteration: int
    attempt: int = 0


class TesterWord(NamedTuple):
    """Whose answers a candidate is judged by, and which concerns there were before. Its verdict says so.

    `by`: the tester's model; `proposer`: the model that wrote the candidate.
    """

    by: str
    proposer: str
    doubted: tuple[Concern, ...] = ()

    @classmethod
    def among(cls, steps: Iterable[Step], proposer: str, doubted: tuple[Concern, ...] = ()) -> "TesterWord":
        """Of the model that played the tester last in these steps."""
        testers = [one.model for step in steps for one in step.exchanges if one.role == "tester"]
        return cls(testers[-1] if testers else "", proposer, doubted)

    def told(self, verdict: Verdict) -> Verdict:
        """The verdict with what the answers settled; as it is where they settled nothing."""
        if not (verdict.passed or verdict.held):
            return verdict
        left = {(one.kind, one.columns) for one in verdict.concerns}
        gone = tuple(one for one in self.doubted if (one.kind, one.columns) not in left)
        if self.doubted and not gone:
            return verdict
        said = SettledConcerns(by=self.by, also_proposed=self.by == self.proposer, concerns=gone)
        return verdict.model_copy(update={"settled": said})


class Promoter:
    """Announces, judges and promotes candidates. Safe for threads: it has no state of its own.

    `ahead`: what may have been judged already.
    """

    def __init__(self, context: RunContext, task: RunTask, ahead: SpeculativeVerification | None = None) -> None:
        self._context = context
        self._task = task
        self._ahead = ahead

    def announce(self, attempt: CandidateAttempt, source: str) -> None:
        """Record that the candidate was submitted."""
        try:
            name = self._context.gate.read(source).name
        except CandidateError:
            name = "(unreadable)"
        self._context.record(CandidateStep(at=datetime.now(UTC), **attempt._asdict(), name=name, source=source))

    def judge(
        self,
        attempt: CandidateAttempt,
        source: str,
        rows: CleanedSample,
        *,
        tests: Sequence[Example] = (),
        again: bool = False,
        word: TesterWord | None = None,
    ) -> VerificationStep:
        """Judge the candidate on the rows, together with the functions already applied to them; record the verdict.

        `tests`: the independent tester's examples; `word`: whose they are. `again`: it passed, and functions were
        promoted since. Raises SandboxError when the infrastructure failed.
        """
        start = perf_counter()
        verdict = self.verdict(source, rows, tests=tests, again=again)
        verdict = verdict if word is None else word.told(verdict)
        step = VerificationStep(
            at=datetime.now(UTC),
            seconds=max(perf_counter() - start, verdict.timings.total_s),
            **attempt._asdict(),
            against=rows.against,
            verdict=verdict,
        )
        self._context.record(step)
        raise_if_infra(verdict)
        return step

    def verdict(
        self, source: str, rows: CleanedSample, *, tests: Sequence[Example] = (), again: bool = False
    ) -> Verdict:
        """The gate's verdict, which is not recorded; arguments as for `judge`."""
        request = self.request(source, rows, tests)
        gate, on_check = self._context.gate, self._context.on_check
        if again:
            return gate.recheck(request, on_check)
        known = None if self._ahead is None else self._ahead.verdict(request, on_check)
        return known or gate.verify(request, on_check)

    def request(self, source: str, rows: CleanedSample, tests: Sequence[Example] = ()) -> VerifyRequest:
        """What the gate is asked; arguments as for `judge`."""
        return VerifyRequest(
            source,
            rows.sample,
            promoted=rows.functions,
            examples=self._task.examples,
            tests=tests,
            shape=self._task.shape,
            may_replace=[f.name for f in self._task.own((*rows.functions, *filter(None, [rows.replaced])))],
            instruction=self._task.instruction,
            conventions=self._task.conventions,
            seed=self._task.gate_seed(source_hash(source)),
            taken=[one.name for one in self._waiting() if one.candidate.sha256 != source_hash(source)],
        )

    def _waiting(self) -> tuple[Promoted, ...]:
        """What waits in the registry for somebody's decision, and is not of this run."""
        registry = self._context.registry
        waiting = (*registry.held(), *registry.suspended())
        own = self._task.own(waiting)
        return tuple(one for one in waiting if one not in own)

    def enter(
        self,
        candidate: Candidate,
        verdict: Verdict,
        sample: Sample,
        functions: Sequence[Promoted],
        tests: Sequence[Example] = (),
    ) -> Promoted:
        """Store a candidate that has passed in the registry, after its active `functions`, without what it replaces.

        One whose verdict is `hold` is approved in the user's name (`accepts`). `sample`: uncleaned rows, on which the
        order of the functions is tested. `tests`: the tester's examples by which it was judged. Raises RegistryError,
        SandboxError.
        """
        evidence, registry = self._evidence(candidate, verdict, sample, functions, tests), self._context.registry
        ends = (*registry.functions(), *self._task.own((*registry.held(), *registry.suspended())))
        return registry.promote(candidate, evidence, accepted=ACCEPTED if verdict.held else "", ends=ends)

    def passed(self, candidate: Candidate, verdict: Verdict) -> Promoted:
        """The candidate that has passed as the function that it will be, for work that does not wait for its entry."""
        evidence = self._task.evidence(verdict, self._context.proposer.name)
        return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))

    def accepts(self, verdict: Verdict) -> bool:
        """Whether a candidate with this verdict is promoted."""
        return verdict.passed or (verdict.held and self._context.on_hold == "accept")

    def hold(
        self,
        candidate: Candidate,
        verdict: Verdict,
        sample: Sample,
        functions: Sequence[Promoted],
        tests: Sequence[Example] = (),
    ) -> Promoted:
        """Store a candidate that is held in the registry, out of use; arguments as for `enter`."""
        evidence = self._evidence(candidate, verdict, sample, functions, tests)
        return self._context.registry.hold(candidate, evidence)

    def _evidence(
        self,
        candidate: Candidate,
        verdict: Verdict,
        sample: Sample,
        functions: Sequence[Promoted],
        tests: Sequence[Example],
    ) -> Evidence:
        witnesses = self._task.witnesses(candidate.contract, tests)
        evidence = self._task.evidence(verdict, self._context.proposer.name, witnesses)
        return self._context.must_follow(sample, functions, candidate, evidence)

    def differences(self, candidate: Candidate, verdict: Verdict, rows: CleanedSample) -> VersionDiff | None:
        """What a candidate that has passed makes of the rows that the function that it replaces does not.

        None where it replaces none. Raises SandboxError.
        """
        if rows.replaced is None:
            return None
        evidence = self._task.evidence(verdict, self._context.proposer.name)
        return self._context.differences(rows.sample, rows.replaced, candidate, evidence)

    def record(
        self, attempt: CandidateAttempt, promoted: Promoted, start: float, differences: VersionDiff | None = None
    ) -> None:
        """Record the promotion. `start`: when it began, in seconds of `perf_counter`."""
        step = PromotionStep(
            at=datetime.now(UTC),
            seconds=perf_counter() - start,
            chunk=attempt.chunk,
            iteration=attempt.iteration,
            name=promoted.name,
            sha256=promoted.candidate.sha256,
            version=promoted.version,
            replaces=promoted.candidate.contract.replaces,
            differences=differences,
        )
        self._context.recorded.note(step)
        self._context.record(step)


def combined(whole: Verdict, again: Verdict) -> Verdict:
    """The newer verdict, with the checks that a recheck leaves out taken from the full verdict.

    What was held stays held: other rows settle no concern. What a tester's answers settled is still said.
    """
    earlier = {check.id: check for check in whole.checks}
    kept = {Outcome.HOLD} if again.passed else set()
    checks = tuple(
        earlier.get(c.id, c) if c.outcome is Outcome.SKIP or (c.id in earlier and earlier[c.id].outcome in kept) else c
        for c in again.checks
    )
    again = again.judged_before(whole)
    if whole.held and again.passed:
        held = {"verdict": Outcome.HOLD, "concerns": whole.concerns, "questions": whole.questions}
        return again.model_copy(update={"checks": checks, **held})
    return again.model_copy(update={"checks": checks})
