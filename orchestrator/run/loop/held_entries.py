"""Puts what is held into the registry at the end of a run, where a person finds it. Called by the loop.

Only at the end: an accepted function is applied after those that the run promoted, so it has to fit to all of them.
Where any was promoted after its verdict, it is judged beside them once more.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from time import perf_counter

from orchestrator.core.ports import Sample
from orchestrator.core.steps import HeldEntryStep, HoldStep
from orchestrator.core.verdict import Verdict
from orchestrator.run.infra_verdict import raise_if_infra
from orchestrator.run.loop.promotion import Promoter, combined
from orchestrator.run.loop.run_context import CleanedSample, RunContext, RunTask, fingerprint
from orchestrator.run.loop.run_summary import PROMOTED

_DISPLACED = "a function of the same name was held after it"


class HeldEntries:
    """The held functions of one run."""

    def __init__(self, context: RunContext, task: RunTask) -> None:
        self._context = context
        self._promoter = Promoter(context, task)
        self._task = task

    def enter(self, samples: Mapping[int, Sample]) -> None:
        """Enter all that are held, of each name the newest; `samples`: by chunk. Raises SandboxError, RegistryError."""
        recorded = self._context.recorded
        newest = {step.name: step.sha256 for step in recorded.held()}
        for step in {step.sha256: step for step in recorded.held()}.values():
            if not recorded.settled(step.sha256):
                displaced = step.sha256 != newest[step.name]
                entry = self._entered(step, samples[step.chunk], _DISPLACED if displaced else "")
                recorded.note(entry)
                self._context.record(entry)

    def _entered(self, step: HoldStep, sample: Sample, reason: str) -> HeldEntryStep:
        """What became of it; `reason`: why it is not entered, where that is known already."""
        start, registry = perf_counter(), self._context.registry
        functions = registry.functions()
        there = {f.candidate.sha256: f.version for f in registry.held()}
        verdict, version = step.verdict, there.get(step.sha256, 0)
        if any(function.candidate.sha256 == step.sha256 for function in functions):
            reason = PROMOTED
        elif not reason and not version:
            verdict, reason = self._judged(step, sample)
            if not reason:
                candidate = self._context.gate.read(step.source)
                version = self._promoter.hold(candidate, verdict, sample, functions, step.tests).version
        return HeldEntryStep(
            at=datetime.now(UTC),
            seconds=perf_counter() - start,
            chunk=step.chunk,
            name=step.name,
            sha256=step.sha256,
            entered=not reason,
            version=version,
            reason=reason,
            verdict=verdict,
        )

    def _judged(self, step: HoldStep, sample: Sample) -> tuple[Verdict, str]:
        """Its verdict beside all functions that are promoted by now, and why it does not fit to them, or ""."""
        functions = self._context.registry.functions()
        if fingerprint(functions) == step.against:
            return step.verdict, ""
        replaced = self._context.gate.read(step.source).contract.replaces
        old = next((f for f in self._task.own(functions) if f.name == replaced), None)
        others = tuple(function for function in functions if function is not old)
        rest = self._context.residual(sample, others)
        rows = CleanedSample(rest.functions, rest.sample, old)
        again = self._promoter.verdict(step.source, rows, tests=step.tests, again=True)
        raise_if_infra(again)
        if again.failures:
            return again, f"{again.failures[0].id}: {again.failures[0].detail}"
        return combined(step.verdict, again), ""
