"""The main job from file to results: look, loop, apply, export, report. Called by `cleanroom run`."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from orchestrator.core.errors import CleanroomError, RunInterrupted
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Gate, Proposer, Registry, Sandbox
from orchestrator.core.proposals import TokenUsage
from orchestrator.core.steps import AnyStep, ApplyStep, ColumnQuality, EndStep, RunStatus, RunStep
from orchestrator.core.value import Value
from orchestrator.data.chunks import chunks
from orchestrator.data.examples import read_examples
from orchestrator.data.formats import Dataset, open_dataset
from orchestrator.data.quality import QualityMeter
from orchestrator.run.callbacks import Callbacks
from orchestrator.run.journal import Journal
from orchestrator.run.limits import RunLimits
from orchestrator.run.loop import Loop, Surroundings, Task
from orchestrator.run.outputs import Outputs
from orchestrator.run.residual import Residual


class RunRequest(Value):
    """What the user asked for."""

    data: Path
    out: Path | None = None
    overwrite: bool = False
    instruction: str = ""
    examples: Path | None = None
    chunk_rows: int = 4000
    max_chunks: int = 8
    sampling: str = "random"
    seed: int = 0
    limits: RunLimits = RunLimits()


class RunSummary(Value):
    """How the run ended and where its results lie."""

    run_id: str
    status: RunStatus
    rows: int
    promoted: tuple[str, ...]
    rejected: int
    changed: dict[str, int]
    usage: TokenUsage
    seconds: float
    files: dict[str, str]


@dataclass(frozen=True)
class CleaningParts:
    """The concrete parts of a run, wired by `bootstrap`."""

    sandbox: Sandbox
    gate: Gate
    proposer: Proposer
    decoder: Disposable
    policy: Policy
    policy_sha256: str
    open_registry: Callable[[Path], Registry]


def clean(request: RunRequest, parts: CleaningParts, callbacks: Callbacks) -> RunSummary:
    """Do the whole job. Raises DataError, OutputError, ProposalError, SandboxError, RunInterrupted.

    Whatever happens after the first step, journal and report tell it, and what was promoted stays in the registry.
    """
    start = perf_counter()
    dataset = open_dataset(request.data)
    examples = read_examples(request.examples) if request.examples else ()
    opening = _look(request, dataset, parts)
    outputs = Outputs.create(request.data, request.out, dataset.suffix, overwrite=request.overwrite)
    steps: list[AnyStep] = []
    with Journal(outputs.journal) as journal:

        def record(step: AnyStep) -> None:
            journal.append(step)
            steps.append(step)
            callbacks.emit(step)

        record(opening)
        registry = parts.open_registry(outputs.registry)
        try:
            with Residual(parts.sandbox, parts.decoder, parts.policy) as residual:
                around = Surroundings(
                    parts.proposer, parts.gate, registry, residual.of, record, on_check=callbacks.emit
                )
                task = Task(
                    request.instruction, examples, opening.run_id, opening.data_sha256, parts.policy_sha256
                )  # fmt: skip
                loop = Loop(around, task, request.limits)
                status = loop.run(
                    chunks(
                        dataset,
                        chunk_rows=request.chunk_rows,
                        max_chunks=request.max_chunks,
                        sampling=request.sampling,
                        holdout_share=parts.policy.gate.holdout_share,
                        seed=request.seed,
                    )
                )
            functions = registry.functions()
            applied = outputs.apply(functions, dataset, parts, callbacks)
            record(applied)
            outputs.export(functions)
            record(EndStep(at=_now(), seconds=perf_counter() - start, status=status,
                           promoted=loop.promoted, rejected=loop.rejected))  # fmt: skip
        except KeyboardInterrupt as error:
            record(EndStep(at=_now(), seconds=perf_counter() - start, status=RunStatus.INTERRUPTED))
            raise RunInterrupted(
                "Interrupted; what was promoted so far is kept.", advice=f"Look at {outputs.report}."
            ) from error
        except CleanroomError as error:
            record(EndStep(at=_now(), seconds=perf_counter() - start, status=RunStatus.FAILED, error=error.message))
            raise
        finally:
            outputs.write_report(steps)
    return RunSummary(
        run_id=opening.run_id,
        status=status,
        rows=opening.rows,
        promoted=tuple(p.name for p in functions),
        rejected=loop.rejected,
        changed={c.name: c.changed for c in applied.columns if c.changed},
        usage=sum((s.usage for s in steps), TokenUsage()),
        seconds=perf_counter() - start,
        files=outputs.named(),
    )


def _look(request: RunRequest, dataset: Dataset, parts: CleaningParts) -> RunStep:
    """Read the data once: count it, measure it, hash it."""
    start = perf_counter()
    quality = measure(dataset)
    return RunStep(
        at=_now(),
        seconds=perf_counter() - start,
        run_id=uuid.uuid4().hex[:12],
        data=str(request.data),
        data_sha256=dataset.sha256(),
        data_format=dataset.format,
        columns=tuple(dataset.columns),
        rows=max((c.cells for c in quality), default=0),
        proposer=parts.proposer.name,
        instruction=request.instruction,
        configuration=request.model_dump(mode="json", exclude={"instruction"}),
        quality=quality,
    )


def measure(dataset: Dataset) -> tuple[ColumnQuality, ...]:
    """The quality of every column, in one streamed pass."""
    meter = QualityMeter()
    for table in dataset.batches():
        meter.add(table)
    return meter.result()


def _now() -> datetime:
    return datetime.now(UTC)


__all__ = ["ApplyStep", "CleaningParts", "RunRequest", "RunSummary", "clean", "measure"]
