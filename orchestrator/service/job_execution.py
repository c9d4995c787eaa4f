"""Carries out one job with the code of the commands. Called by the worker; knows neither HTTP nor the queue.

What is wrong with a request or a file is an error with a sentence; what is wrong with a function is in the verdict.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from orchestrator import bootstrap
from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import RunInterrupted, UsageError
from orchestrator.core.ports import Gate, VerifyRequest
from orchestrator.core.steps.step_base import Step
from orchestrator.core.verdict import CheckResult, Verdict
from orchestrator.data.files import write_file
from orchestrator.data.sources import open_source
from orchestrator.model_choice import ModelChoice
from orchestrator.registry.bundle_files import write_zip
from orchestrator.registry.functions import functions_in
from orchestrator.registry.queue.service_job import JobKind, ServiceJob
from orchestrator.run.apply.step import apply_step
from orchestrator.run.events import Callbacks
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.outputs import FUNCTIONS, REPORT
from orchestrator.run.request import RunRequest
from orchestrator.run.services import Services
from orchestrator.run.telemetry.otlp import Watcher
from orchestrator.run.verify.candidate_files import NamedSources, read
from orchestrator.run.verify.rows_to_judge import samples_of
from orchestrator.run.verify.verify import Verification
from orchestrator.service.field_wording import in_fields
from orchestrator.service.held_files import held_files
from orchestrator.service.run_report import run_report
from orchestrator.service.uploads import FUNCTION, JobFolder, cleaned_name

_ARCHIVE = "cleaning_functions.zip"

Tell = Callable[[str, Mapping[str, Any]], None]
"""Takes the kind and the data of an event. Raises when the job is not wanted any more."""


class TellingGate:
    """A gate that tells each check as soon as it is decided. What the telling raises ends the verdict."""

    def __init__(self, gate: Gate, tell: Tell) -> None:
        self._gate, self._tell = gate, tell

    def verify(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        return self._gate.verify(request, on_check or self._told)

    def recheck(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        return self._gate.recheck(request, on_check or self._told)

    def read(self, source: str) -> Candidate:
        return self._gate.read(source)

    def _told(self, check: CheckResult) -> None:
        self._tell("check", {"id": check.id, "outcome": check.outcome})


class _EndsRun:
    """Tells the steps of a run, and ends it once nobody wants it: what else a callback raises ends no run.

    `reason`: what the telling raised.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self.reason: Exception | None = None

    def take(self, step: Step) -> None:
        """A step. Raises KeyboardInterrupt, once: the end of the run is a step as well."""
        if self.reason is not None:
            return
        try:
            self._tell("step", {"kind": type(step).__name__})
        except Exception as error:  # noqa: BLE001 - whatever it is, the job has it when the run has ended
            self.reason = error
            raise KeyboardInterrupt from None


class JobExecutor:
    """What jobs are carried out with. `registry`: where functions that pass go, and where those to apply are."""

    def __init__(self, services: Services, registry: str, watcher: Watcher | None = None) -> None:
        self._services, self._registry, self._watcher = services, registry, watcher or Watcher()

    def perform(self, job: ServiceJob, folder: JobFolder, tell: Tell) -> dict[str, Any]:
        """The result of the job. Raises CleanroomError where it cannot be done."""
        match job.kind:
            case JobKind.VERIFY:
                return self._verify(job, folder, tell)
            case JobKind.APPLY:
                return self._apply(job, folder, tell)
            case JobKind.RUN:
                return self._run(job, folder, tell)

    def _verify(self, job: ServiceJob, folder: JobFolder, tell: Tell) -> dict[str, Any]:
        asked = job.request
        source = read(folder.path / FUNCTION)
        if source.problem:
            raise UsageError(f"The function cannot be judged: {source.problem}.", advice="Send a Python file.")
        request = Verification(
            named=NamedSources((source,)),
            data=folder.sent(asked["data"]),
            examples=(folder.sent(asked["examples"]),) if asked.get("examples") else (),
            quick=asked["quick"],
            registry=self._registry if asked["promote"] else None,
            replace=asked.get("replace", False),  # whoever asked may decide what is in use
            before_entering=lambda: tell("entering", {}),  # the last check may be long ago
            reading=asked.get("reading", {}),
        )
        telling = replace(self._services, make_gate=lambda: TellingGate(self._services.gate, tell))
        opened = request.check()
        if asked["promote"]:
            (judged,) = opened.run(telling)
            verdict = judged.verdict
        else:
            sample = samples_of(opened.dataset, telling).of(source.text)
            examples = opened.examples
            wanted = VerifyRequest(source.text, sample, examples=examples, quick=asked["quick"])
            verdict = telling.gate.verify(wanted)
        self._watcher.see_verdict(verdict)
        return {"verdict": verdict.model_dump(mode="json"), "source": source.text}

    def _apply(self, job: ServiceJob, folder: JobFolder, tell: Tell) -> dict[str, Any]:
        asked = job.request
        data = folder.sent(asked["data"])
        cleaned = folder.made() / cleaned_name(data)
        done = apply_step(
            open_source(data, **asked.get("reading", {})),
            functions_in(self._registry),
            cleaned,
            self._services,
            registry=self._registry,
            accept_drift=asked["accept_drift"],
            columns=asked.get("columns"),
            on_progress=lambda progress: tell("progress", {"rows": progress.rows}),
        )
        self._watcher.another().see(done)
        done = done.model_copy(update={"reading": tuple(map(in_fields, done.reading))})
        told = done.model_dump(mode="json", exclude={"output", "quality"})
        return {"apply": told, "notes": list(done.notes_alone), "files": [cleaned.name]}

    def _run(self, job: ServiceJob, folder: JobFolder, tell: Tell) -> dict[str, Any]:
        asked = job.request
        out = unused(folder.made(), job)
        data, reading = folder.sent(asked["data"]), asked.get("reading", {})
        request = RunRequest(data=data, out=out, instruction=asked["instruction"], **reading)
        opened = request.check()
        choice = ModelChoice(model="builtin")
        policy, sha256 = self._services.policy, opened.dataset.sha256
        proposer = bootstrap.proposer(choice, policy, data_sha256=sha256, services=self._services)
        callbacks, recorded = Callbacks(), choice.settled().model_dump(mode="json")
        ending = _EndsRun(tell)
        callbacks.register(Step, ending.take)
        watcher = self._watcher.another()
        callbacks.register(Step, watcher.see)
        cleaning = CleaningJob(request, opened, self._services, proposer, callbacks, model=recorded)
        try:
            summary = cleaning.run()
        except (RunInterrupted, KeyboardInterrupt):  # the latter before the run had begun
            raise ending.reason or RunInterrupted("The run was interrupted.") from None
        finally:
            watcher.close()
        write_file(opened.outputs.report, run_report(out, asked.get("named", "")).encode())
        if (program := out / FUNCTIONS).is_file():  # which is no program without the signed manifest
            write_file(out / _ARCHIVE, write_zip(opened.outputs.registry, program))
        held = held_files(out) if summary.held else []
        names = (opened.outputs.cleaned.name, FUNCTIONS, _ARCHIVE, REPORT, *held)
        files = [f"{out.name}/{name}" for name in names]
        words = {"notes": tuple(map(in_fields, summary.notes)), "reason": in_fields(summary.reason)}
        told = summary.model_copy(update=words).model_dump(mode="json", exclude={"files"})
        return {"run": told, "files": [name for name in files if (folder.made() / name).is_file()]}


def unused(made: Path, job: ServiceJob) -> Path:
    """A folder for what the run leaves behind: named by the attempt, as the job's clients know it.

    An attempt that was broken off is not gone on with. One that was handed back does not count, and so the next one
    has its number; its fence is its own.
    """
    out = made / f"run-{job.attempts}"
    return made / f"{out.name}-{job.fence}" if out.exists() else out
