"""Collects check results and makes the verdict of them: the place that must not fail open. Called by the verifier.

A verdict passes only if every check of the catalog passed or, by the host's own knowledge (`VerdictScope`), does not
apply. Where a check found nothing wrong but raised concerns, the verdict is `hold`. Whatever else the judge answers is
an infrastructure failure (`infra`): a check that is not in the catalog, two different results for one check, a skipped
check, a `hold` without a concern or a concern without a `hold`, no result.
"""

import re
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.core.candidate import Candidate, source_hash
from orchestrator.core.jobs import GuestEnvironment, Job, JobResult, SandboxInfo
from orchestrator.core.verdict import (
    CandidateInfo,
    CheckResult,
    Concern,
    Counterexample,
    DistinctChange,
    OnCheck,
    Outcome,
    Question,
    ResourceUsage,
    Timings,
    Verdict,
)
from orchestrator.data.helper_modules import helpers_of
from orchestrator.gate.checks.catalog import CHECKS, ORDER
from orchestrator.gate.checks.check import VerdictScope

if TYPE_CHECKING:
    from orchestrator.core.baseline import DataBaseline
    from orchestrator.core.effects import Effects
    from orchestrator.core.fitted import LearntState

_FUNCTION = re.compile(r"^def (?!detect\b)([A-Za-z]\w{0,99})", re.ASCII | re.MULTILINE)


class VerdictBuilder:
    """Check results as they become known, times and usage; in the end the verdict.

    Jobs may run in several threads at once (`ran`, `spent`); results are noted by one.
    """

    def __init__(self, source: str, on_check: OnCheck | None, weakened: Sequence[str] = ()) -> None:
        self._started = time.perf_counter()
        self._on_check = on_check
        self._weakened = tuple(weakened)
        self._helpers = helpers_of(source)
        self._checks: dict[str, CheckResult] = {}
        self._concerns: dict[tuple[str, tuple[str, ...]], Concern] = {}
        self._questions: dict[str, Question] = {}
        self._info = SandboxInfo()
        self._candidate = CandidateInfo(name=_probable_name(source), sha256=source_hash(source))
        self._seconds = {"screen_s": 0.0, "wait_s": 0.0, "sandbox_s": 0.0, "judge_s": 0.0}
        self._cpu_s = 0.0
        self._peak_bytes = 0
        self._inputs_sha256: tuple[str, ...] = ()
        self._workers: dict[GuestEnvironment, str] = {}
        self._lock = threading.Lock()
        self._of_thread = threading.local()
        self.samples: tuple[Counterexample, ...] = ()
        self.rows_changed = 0
        self.changes: tuple[DistinctChange, ...] = ()
        self.effects: Effects | None = None
        self.baseline: DataBaseline | None = None
        self.state: LearntState | None = None

    def of(self, candidate: Candidate) -> None:
        """Name the candidate that the verdict is about."""
        self._candidate = CandidateInfo.of(candidate)

    def spent(self, what: str, since: float) -> None:
        """Add the time since `since` (of `time.perf_counter`) to one of the timings."""
        with self._lock:
            self._seconds[what] += time.perf_counter() - since

    def ran(self, job: Job, result: JobResult, *, own: bool = True) -> None:
        """Add a job's cost. `own`: it ran the candidate, so that its sandbox is the one that the verdict names."""
        self._of_thread.worker = result.worker
        with self._lock:
            if own:
                seeds = (*self._info.hash_seeds, *result.info.hash_seeds)
                self._info = result.info.model_copy(update={"hash_seeds": seeds})
                self._inputs_sha256 += (job.inputs_sha256,)
                self._workers[job.environment.full] = result.worker
            self._seconds["wait_s"] += result.wait_s
            self._seconds["sandbox_s"] += result.sandbox_s
            self._cpu_s += sum(child.cpu_s for child in result.children)
            self._peak_bytes = max([self._peak_bytes, *(child.peak_bytes for child in result.children)])

    @property
    def worker(self) -> str:
        """The worker of a cluster that ran this thread's last job; empty where there is none."""
        return getattr(self._of_thread, "worker", "")

    def placed(self, job: Job) -> Job:
        """A job of the candidate's own for the worker of a cluster that ran the others of its environment.

        What it costs can then be compared. The second look is another worker's than the first.
        """
        own = job.environment.full
        first = self._workers.get(GuestEnvironment.FIRST, "") if own is GuestEnvironment.CONFIRM else ""
        return replace(job, on=self._workers.get(own, ""), not_on=first)

    def leave_out(self, scope: VerdictScope) -> None:
        """Skip the checks that do not apply, each with its reason. No other check can be skipped and still pass."""
        for check in CHECKS:
            why = check.not_applicable(scope)
            if why and check.id not in self._checks:
                self._keep(CheckResult(id=check.id, outcome=Outcome.SKIP, detail=why))

    def note(self, checks: Iterable[CheckResult]) -> None:
        """Add results, one for each check; any other is an infrastructure failure."""
        for check in checks:
            known = self._checks.get(check.id)
            if check.id not in ORDER:
                self._distrust(ORDER[-1], f"the judge named a check that does not exist: {check.id[:60]!r}")
            elif known is not None:
                if known.outcome is not check.outcome:
                    self._distrust(check.id, f"the judge gave both {known.outcome} and {check.outcome}")
            elif check.outcome is Outcome.SKIP:
                self._distrust(check.id, "the judge skipped a check that applies")
            elif (check.outcome is Outcome.HOLD) is not bool(check.concerns):
                self._distrust(check.id, f"the judge said {check.outcome} with {len(check.concerns)} concerns")
            else:
                self._keep(check)

    def decide(self, check: CheckResult) -> None:
        """Set a result that ends the verdict, whatever is known of the check."""
        self._keep(check)

    @property
    def known(self) -> Sequence[str]:
        """The ids of the checks that need not be judged any more."""
        return tuple(self._checks)

    @property
    def settled(self) -> bool:
        """Whether nothing that is still to be judged can make it pass."""
        return bool(self.failed) or self._broken

    @property
    def failed(self) -> str:
        """The first check, in the verdict's order, that failed; empty when none did."""
        return next((n for n in ORDER if n in self._checks and self._checks[n].outcome is Outcome.FAIL), "")

    def verdict(self) -> Verdict:
        """The verdict over what is known; checks that were not reached are skipped and say why."""
        unjudged = [name for name in ORDER if name not in self._checks]
        if unjudged and not self.settled:
            self._distrust(unjudged[0], "the judge gave no result")
        if self._broken:
            outcome, why = Outcome.INFRA, "not judged: the infrastructure failed"
        elif self.failed:
            outcome, why = Outcome.FAIL, f"not judged: {self.failed} failed"
        elif any(check.outcome is Outcome.HOLD for check in self._checks.values()):
            outcome, why = Outcome.HOLD, ""
        else:
            outcome, why = Outcome.PASS, ""
        for name in unjudged:
            if name not in self._checks:
                self._keep(CheckResult(id=name, outcome=Outcome.SKIP, detail=why))
        return Verdict(
            candidate=self._candidate,
            verdict=outcome,
            checks=tuple(self._checks[name] for name in ORDER),
            sandbox=self._info,
            usage=ResourceUsage(cpu_s=self._cpu_s, peak_bytes=self._peak_bytes),
            timings=Timings(**self._seconds, total_s=time.perf_counter() - self._started),
            samples=self.samples,
            rows_changed=self.rows_changed,
            changes=self.changes,
            weakened=self._weakened,
            inputs_sha256=self._inputs_sha256,
            effects=self.effects,
            baseline=self.baseline if outcome in {Outcome.PASS, Outcome.HOLD} else None,
            concerns=tuple(self._concerns.values()),
            questions=tuple(self._questions.values()) if outcome is Outcome.HOLD else (),
            state=self.state,
            helpers=self._helpers,
        )

    @property
    def _broken(self) -> bool:
        return any(check.outcome is Outcome.INFRA for check in self._checks.values())

    def _distrust(self, name: str, why: str) -> None:
        """Make a check's result `infra`: neither a pass nor the candidate's fault."""
        self._keep(CheckResult(id=name, outcome=Outcome.INFRA, detail=why))

    def _keep(self, check: CheckResult) -> None:
        for concern in check.concerns:
            self._concerned(concern.model_copy(update={"check": check.id}))
        for question in check.questions:
            self._questions.setdefault(question.key, question)
        check = check.model_copy(update={"concerns": (), "questions": ()})
        self._checks[check.id] = check
        if self._on_check is not None:
            self._on_check(check)

    def _concerned(self, concern: Concern) -> None:
        """Add a concern; where the same kind is known of the same columns, only its rows."""
        key = concern.kind, concern.columns
        known = self._concerns.get(key)
        if known is not None:
            concern = known.model_copy(update={"rows": known.rows + concern.rows})
        self._concerns[key] = concern


def _probable_name(source: str) -> str:
    """The name by which a source is told that may turn out to be no candidate: its first public function's."""
    found = _FUNCTION.search(source)
    return found.group(1) if found else "unreadable"
