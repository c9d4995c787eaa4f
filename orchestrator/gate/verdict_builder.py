"""Keeps what is known of one verdict while it is being reached. Called by the verifier."""

import time
from collections.abc import Callable, Iterable, Sequence

from orchestrator.core.candidate import Candidate, source_hash
from orchestrator.core.jobs import JobResult, SandboxInfo
from orchestrator.core.verdict import (
    CandidateInfo,
    CheckResult,
    Counterexample,
    Outcome,
    ResourceUsage,
    Timings,
    Verdict,
)

ORDER = (
    "screen", "executed", "returns-shape", "rows-kept", "columns-kept", "dtypes-kept", "touches-only-declared",
    "effective", "precise", "keeps-information", "idempotent", "deterministic", "split-invariant", "order-equivariant",
    "pure", "examples", "user-checks", "edges", "properties", "holdout", "composes", "resources", "confirmed",
)  # fmt: skip
OnCheck = Callable[[CheckResult], None]


class VerdictBuilder:
    """Checks as they become known, time, use; in the end the verdict."""

    def __init__(self, source: str, on_check: OnCheck | None) -> None:
        self._started = time.perf_counter()
        self._on_check = on_check
        self._checks: dict[str, CheckResult] = {}
        self._info = SandboxInfo()
        self._candidate = CandidateInfo(name="unreadable", sha256=source_hash(source))
        self._seconds = {"screen_s": 0.0, "wait_s": 0.0, "sandbox_s": 0.0, "judge_s": 0.0}
        self._cpu_s = 0.0
        self._peak_bytes = 0
        self.samples: tuple[Counterexample, ...] = ()
        self.rows_changed = 0

    def of(self, candidate: Candidate) -> None:
        self._candidate = CandidateInfo.of(candidate)

    def spent(self, what: str, since: float) -> None:
        """Add the time since `since` (of `time.perf_counter`) to one of the timings."""
        self._seconds[what] += time.perf_counter() - since

    def ran(self, result: JobResult, *, own: bool = True) -> None:
        """Add a job's cost. `own`: it ran the candidate, so that its sandbox is the one that the verdict names."""
        if own:
            self._info = result.info
        self._seconds["wait_s"] += result.wait_s
        self._seconds["sandbox_s"] += result.sandbox_s
        self._cpu_s += sum(child.cpu_s for child in result.children)
        self._peak_bytes = max([self._peak_bytes, *(child.peak_bytes for child in result.children)])

    def note(self, checks: Iterable[CheckResult]) -> None:
        """Check results, each of them once."""
        for check in checks:
            if check.id in ORDER and check.id not in self._checks:
                self._checks[check.id] = check
                if self._on_check is not None:
                    self._on_check(check)

    @property
    def known(self) -> Sequence[str]:
        return tuple(self._checks)

    @property
    def failed(self) -> str:
        """The first check, in the verdict's order, that failed; empty when none did."""
        return next((n for n in ORDER if n in self._checks and self._checks[n].outcome is Outcome.FAIL), "")

    def verdict(self) -> Verdict:
        """The verdict over what is known; checks that were not reached are skipped and say why."""
        infra = next((c.id for c in self._checks.values() if c.outcome is Outcome.INFRA), "")
        if infra:
            outcome, why = Outcome.INFRA, "not judged: the machinery broke"
        elif self.failed:
            outcome, why = Outcome.FAIL, f"not judged: {self.failed} failed"
        elif len(self._checks) == len(ORDER):
            outcome, why = Outcome.PASS, ""
        else:
            missing = next(name for name in ORDER if name not in self._checks)
            broken = CheckResult(id=missing, outcome=Outcome.INFRA, detail="the judge did not say what it found")
            self.note([broken])
            outcome, why = Outcome.INFRA, "not judged: the machinery broke"
        skips = [CheckResult(id=n, outcome=Outcome.SKIP, detail=why) for n in ORDER if n not in self._checks]
        self.note(skips)
        return Verdict(
            candidate=self._candidate,
            verdict=outcome,
            checks=tuple(self._checks[name] for name in ORDER),
            sandbox=self._info,
            usage=ResourceUsage(cpu_s=self._cpu_s, peak_bytes=self._peak_bytes),
            timings=Timings(**self._seconds, total_s=time.perf_counter() - self._started),
            samples=self.samples,
            rows_changed=self.rows_changed,
        )
