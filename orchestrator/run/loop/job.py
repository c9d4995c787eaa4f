"""The main job from file to results: measure, loop, apply, export, report.

Called by `cleanroom run`, `cleanroom runs resume` and the library API."""

import secrets
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from threading import Lock
from time import perf_counter
from typing import Any

from orchestrator.core.errors import CleanroomError, OutputError, RunInterrupted
from orchestrator.core.ports import Proposer, Replayable
from orchestrator.core.promoted import Promoted
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    EndStep,
    ResumeStep,
    RunStatus,
    RunStep,
)
from orchestrator.core.weakened import weakened_layers
from orchestrator.core.wording import told_once
from orchestrator.data.assets import prompts_sha256
from orchestrator.data.chunks import Chunk, chunks
from orchestrator.propose.llm.budget import check_seconds
from orchestrator.propose.named import PROPOSERS
from orchestrator.registry.signing.identity import Identity
from orchestrator.run.apply.column_match import refuse_unfit
from orchestrator.run.apply.residual import Residual
from orchestrator.run.apply.step import apply_step
from orchestrator.run.events import Callbacks
from orchestrator.run.journal.cursor import RecordedSteps
from orchestrator.run.journal.in_use import functions_in_use
from orchestrator.run.journal.journal import Journal
from orchestrator.run.journal.resume import PastRun, how_to_go_on
from orchestrator.run.loop.loop import Loop
from orchestrator.run.loop.run_context import RunContext, RunTask, Stopped
from orchestrator.run.loop.run_summary import RunEnd, RunSummary, entered
from orchestrator.run.outputs import export_all, with_learnt
from orchestrator.run.request import OpenedRun, RunRequest
from orchestrator.run.services import Services

_NEARLY_ALL = 0.9  # of the rows


class CleaningJob:
    """One run. After its first step, every event is in journal and report, and what was promoted is kept.

    `past`: the steps of the run before it was interrupted. `model`: how the proposer is reached, for the journal.
    """

    def __init__(
        self,
        request: RunRequest,
        opened: OpenedRun,
        services: Services,
        proposer: Proposer,
        callbacks: Callbacks,
        *,
        past: PastRun | None = None,
        model: Mapping[str, Any] | None = None,
    ) -> None:
        self._request, self._opened = request, opened
        self._services, self._proposer, self._callbacks = services, proposer, callbacks
        self._past, self._model = past, dict(model or {})
        self._steps: list[AnyStep] = list(past.steps) if past else []
        self._recorded = RecordedSteps(self._steps, request.recorded()["limits"])
        self._start = perf_counter() - (past.seconds if past else 0.0)
        self._writing, self._over = Lock(), False
        self._waiting: list[str] = []
        self._registry = request.registry or opened.outputs.registry

    def run(self) -> RunSummary:
        """Do the whole job, or the rest of it.

        Raises DataError, OutputError, ProposalError, SandboxError, RunInterrupted; UsageError if it cannot be resumed.
        """
        if self._request.registry is not None:
            with self._services.open_registry(self._request.registry) as registry:
                refuse_unfit(self._opened.dataset, registry.functions())
        with self._opened.outputs.claimed(again=self._past is not None):
            return self._run()

    def _run(self) -> RunSummary:
        outputs, shared = self._opened.outputs, self._request.registry
        if self._request.on_hold == "accept":
            Identity().check_may_accept()
        if self._past is not None or shared is not None:
            with self._services.open_registry(self._registry) as registry:
                there = registry.functions()
            if self._past is not None:
                self._past.check(there)
        if self._past is None:
            outputs.make()
        with Journal(outputs.journal, again=self._past is not None) as self._journal:
            outputs.clear_partial()
            opening = self._begin()
            try:
                status, rejected, left = self._find(opening)
                applied, functions = self._apply(opening.run_id)
                promoted = [f for f in functions if shared is None or f.evidence.run_id == opening.run_id]
                self._end(status, promoted=len(promoted), rejected=rejected)
                outputs.write_report(self._steps)
            except KeyboardInterrupt:
                self._break_off(RunStatus.INTERRUPTED)
                raise RunInterrupted("Interrupted; what was promoted so far is kept.", advice=self._go_on()) from None
            except CleanroomError as error:
                self._break_off(RunStatus.FAILED, error=error.message)
                error.advice = self._go_on(error)
                raise
            except BaseException:  # a fault of cleanroom's own: the journal ends as if it had been killed
                self._break_off(None)
                raise
        told = RunEnd(status, rejected, perf_counter() - self._start, left)
        files = outputs.named()
        files |= {"registry": self._request.shared_registry or ""} if shared is not None else {}
        files |= {"rows set aside": str(outputs.quarantine)} if applied.quarantined else {}
        weakened = weakened_layers(self._services.policy)
        return RunSummary.of(self._steps, promoted, told, files, notes=tuple(self._notes()), weakened=weakened)

    def _notes(self) -> Iterator[str]:
        yield from told_once(n for step in self._steps if isinstance(step, AnalysisStep) for n in step.notes)
        for function in self._waiting:
            yield f"{function} in the registry and was not used: `cleanroom registry approve` lets it in"

    def _begin(self) -> RunStep:
        if self._past is None:
            opening = self._opening()
            self._record(opening)
            return opening
        configuration = {"model": self._model, "limits": self._request.recorded()["limits"]}
        if self._request.quarantine:
            configuration["quarantine"] = True
        self._record(ResumeStep(at=_now(), configuration=configuration))
        return self._past.opening

    def _opening(self) -> RunStep:
        request, opened = self._request, self._opened
        examples = [example.model_dump(mode="json") for example in opened.examples]
        more = {"example_rows": examples, "policy": self._services.policy.model_dump(mode="json"), "model": self._model}
        if request.parser is not None:
            more["parser_sha256"] = opened.dataset.parser_sha256
        return RunStep(
            at=_now(),
            seconds=opened.seconds,
            run_id=uuid.uuid4().hex[:12],
            data=str(request.data),
            data_sha256=opened.dataset.sha256,
            data_format=opened.dataset.format,
            columns=opened.dataset.columns,
            rows=opened.rows,
            proposer=self._proposer.name,
            instruction=request.instruction,
            configuration=request.recorded() | more,
            quality=opened.quality,
            gate_secret=self._gate_secret(),
        )

    def _gate_secret(self) -> str:
        """That of the recording that is written or played, else a new one."""
        recorded = self._proposer.gate_secret if isinstance(self._proposer, Replayable) else ""
        return recorded or secrets.token_hex(16)

    def _find(self, opening: RunStep) -> tuple[RunStatus, int, dict[str, int]]:
        """Propose, judge and promote; the status at the end, how many candidates were given up, and `Loop.left`."""
        services = self._services
        task = RunTask(
            instruction=self._request.instruction,
            shape=self._request.shape,
            conventions=self._request.conventions,
            examples=self._opened.examples,
            run_id=opening.run_id,
            data_sha256=opening.data_sha256,
            data_format=opening.data_format,
            policy_sha256=services.policy_sha256,
            gate_secret=opening.gate_secret,
            prompt_sha256="" if self._proposer.name in PROPOSERS else prompts_sha256(),
        )
        with (
            services.open_registry(self._registry) as registry,
            Residual(services.access, opening.data_sha256) as residual,
        ):
            context = RunContext(
                proposer=self._proposer,
                gate=services.gate,
                registry=registry,
                residual=residual.of,
                record=self._record,
                on_check=self._callbacks.emit,
                recorded=self._recorded,
                must_follow=residual.must_follow,
                differences=residual.differences,
                on_hold=self._request.on_hold,
                check_time=self._check_time,
            )
            loop = Loop(context, task, self._request.limits)
            return loop.run(self._chunks()), loop.rejected, loop.left

    def _check_time(self) -> None:
        check_seconds((self._model.get("budget") or {}).get("max_seconds"), perf_counter() - self._start)

    def _chunks(self) -> Iterator[Chunk]:
        request = self._request
        return chunks(
            request.rows_of(self._opened.dataset),
            chunk_rows=request.chunk_rows,
            max_chunks=request.max_chunks,
            sampling=request.sampling,
            holdout_share=self._services.policy.gate.holdout_share,
            seed=request.seed,
        )

    def _apply(self, run_id: str) -> tuple[ApplyStep, Sequence[Promoted]]:
        outputs, dataset = self._opened.outputs, self._opened.dataset
        outputs.prepare_report()
        with self._services.open_registry(self._registry) as registry:
            functions, log = registry.applicable(), registry.log_proof()
            self._waiting = [f"{one.name}, version {one.version}, is suspended" for one in registry.suspended()]
            if self._request.shared_registry is not None:
                others = [one for one in registry.held() if one.evidence.run_id != run_id]
                self._waiting += [f"{one.name}, version {one.version}, is held" for one in others]
        dataset.check_unchanged()
        step = apply_step(
            dataset,
            functions,
            outputs.cleaned,
            self._services,
            quarantine=outputs.quarantine if self._request.quarantine else None,
            registry=self._registry,
            proved_on_it={f.name for f in functions if f.evidence.data_sha256 == dataset.sha256 and self._saw_all(f)},
            accept_drift=True,  # what differs from where a function was proved is said in the step and in the report
            on_progress=self._callbacks.emit,
        )
        self._record(step)
        export_all(with_learnt(functions, step), outputs.folder, log)
        return step, functions

    def _saw_all(self, function: Promoted) -> bool:
        """Whether its run looked at nearly all rows of the file, those that it held back included."""
        effects, held_back = function.evidence.verdict.effects, self._services.policy.gate.holdout_share
        return effects is None or effects.rows >= _NEARLY_ALL * (1 - held_back) * self._opened.rows

    def _go_on(self, error: CleanroomError | None = None) -> str:
        return how_to_go_on(self._opened.outputs.folder, error, shared=self._request.registry is not None)

    def _record(self, step: AnyStep) -> None:
        """Write the step to the journal, then call the callbacks. Raises Stopped in a lane after the end."""
        with self._writing:
            if self._over:
                raise Stopped
            self._journal.append(step)
            self._over = isinstance(step, EndStep)
            self._steps.append(step)
            self._callbacks.emit(step)

    def _end(
        self, status: RunStatus, *, promoted: int | None = None, rejected: int = 0, error: str | None = None
    ) -> None:
        if promoted is None:
            promoted = len(functions_in_use(self._steps))
        seconds = perf_counter() - self._start
        self._record(
            EndStep(
                at=_now(),
                seconds=seconds,
                status=status,
                promoted=promoted,
                rejected=rejected,
                held=sum(map(entered, self._steps)),
                error=error,
            )
        )

    def _break_off(self, status: RunStatus | None, *, error: str | None = None) -> None:
        """The last step and the report, as far as they can be written: why the run ends is what is said."""
        try:
            with suppress(OutputError):
                if status is not None and not self._over:
                    self._end(status, error=error)
        finally:  # who is told of the last step may raise
            with suppress(OutputError):
                self._opened.outputs.write_report(self._steps)


def _now() -> datetime:
    return datetime.now(UTC)
