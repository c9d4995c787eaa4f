"""Cleans a table whose truth is known with the built-in proposer, through the gate and without it. Called by `clean`.

Through the gate it is the real run: loop, gate, registry and apply, in containers; without an engine in ordinary
subprocesses. Without the gate functions are executed in this process, which only this repository's own rules may be.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from examples.score import Tally, read, score
from orchestrator import bootstrap
from orchestrator.core.candidate import Shape
from orchestrator.core.conventions import Conventions
from orchestrator.core.errors import SandboxError
from orchestrator.core.policy import Policy
from orchestrator.core.requests import PromotedSummary, ProposalRequest
from orchestrator.core.steps import CandidateStep, VerificationStep
from orchestrator.data.chunks import chunks
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.gate import candidate_file
from orchestrator.gate.judge import judge_entry
from orchestrator.gate.verifier import Verifier
from orchestrator.propose.builtin import BuiltinProposer
from orchestrator.run.events import Callbacks
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.request import RunRequest
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox

_WORKING = 0.75
_MOST_FUNCTIONS = 80


class Pair(NamedTuple):
    """A dirty table with its truth; `errors` says what was injected where."""

    name: str
    dirty: pd.DataFrame
    truth: pd.DataFrame
    conventions: Conventions | None = None
    errors: pd.DataFrame | None = None


class Stopped(NamedTuple):
    """A function that the gate held or rejected, in words, and what it would have done to the cleaned table."""

    name: str
    why: str
    would: Tally
    example: str


class Cleaned(NamedTuple):
    """A cleaned table; after a run also what the gate stopped, and the rows that the proposer saw, chunk by chunk."""

    table: pd.DataFrame
    stopped: Sequence[Stopped] = ()
    seen: Sequence[Sequence[int]] = ()


Clean = Callable[[Pair], Cleaned]


def clean_quickly(
    pair: Pair,
    seed: int = 7,
    seen: Sequence[Sequence[int]] = (),
    told: Callable[[pd.DataFrame], None] | None = None,
) -> pd.DataFrame:
    """The table after every function that is proposed from a part of its rows; neither gate nor sandbox.

    `seen`: the numbers of the rows from which functions are proposed, chunk by chunk; else a random part.
    `told` gets the table after every function.
    """
    proposer = BuiltinProposer()
    whole = pair.dirty
    promoted: list[PromotedSummary] = []
    for part in seen or [sorted(whole.reset_index().sample(frac=_WORKING, random_state=seed).index)]:
        for _ in range(_MOST_FUNCTIONS):
            rows = pa.Table.from_pandas(whole.iloc[list(part)], preserve_index=False)
            request = ProposalRequest(rows, promoted=tuple(promoted), iteration=2, conventions=pair.conventions)
            if (source := proposer.analyse(request).source) is None:
                break
            name, function = load(source)
            whole = function(whole)
            if told is not None:
                told(whole)
            promoted.append(PromotedSummary(name=name, docstring=""))
    return whole


def load(source: str) -> tuple[str, Callable[[pd.DataFrame], pd.DataFrame]]:
    """Name and function of a candidate of our own rules; a fitted one learns from the table that it is given."""
    names: dict[str, Any] = {}
    exec(source, names)  # noqa: S102 - our own rules, see the module's docstring
    candidate = candidate_file.read(source)
    name, function = candidate.name, names[candidate.function_name]
    if candidate.contract.shape is Shape.FITTED:
        return name, lambda frame: function(frame, names["fit"](frame))
    return name, function


def clean_by_run(pair: Pair, parts: Services) -> Cleaned:
    """The table as `cleanroom run` leaves it."""
    sources: dict[tuple[int, int, int], str] = {}
    verdicts: list[VerificationStep] = []
    callbacks = Callbacks()
    callbacks.register(
        CandidateStep, lambda step: sources.update({(step.chunk, step.iteration, step.attempt): step.source})
    )
    callbacks.register(VerificationStep, verdicts.append)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "dirty.csv"
        pair.dirty.to_csv(data, index=False)
        request = RunRequest(data=data, out=Path(folder) / "out", conventions=pair.conventions)
        opened = request.check()
        parted = chunks(
            opened.dataset,
            chunk_rows=request.chunk_rows,
            max_chunks=request.max_chunks,
            sampling=request.sampling,
            holdout_share=parts.policy.gate.holdout_share,
            seed=request.seed,
        )
        seen = [chunk.working_rows for chunk in parted]
        CleaningJob(request, opened, parts, BuiltinProposer(), callbacks).run()
        table = read(Path(folder) / "out" / "cleaned.csv")
    stopped = [
        _stopped(pair, table, step, sources[step.chunk, step.iteration, step.attempt])
        for step in verdicts
        if not step.verdict.passed
    ]
    return Cleaned(table, stopped, seen)


def _stopped(pair: Pair, table: pd.DataFrame, step: VerificationStep, source: str) -> Stopped:
    """What was stopped, why, and what it would have done to the table as the run left it."""
    verdict = step.verdict
    named = table.set_axis(pair.dirty.columns, axis=1)
    name, function = load(source)
    would = score(named, function(named), pair.truth)
    if verdict.held:
        why = f"held: {', '.join(dict.fromkeys(concern.kind for concern in verdict.concerns))}"
        shown = [concern.settles for concern in verdict.concerns]
    else:
        why = f"{verdict.verdict}: {', '.join(check.id for check in verdict.failures)}"
        shown = [check.detail for check in verdict.failures]
    return Stopped(name, why, would, "; ".join(shown[:2]))


@contextmanager
def running(*, quick: bool) -> Iterator[Clean]:
    """How tables are cleaned: by a run in containers, by one in subprocesses where there is no engine, or quickly."""
    if quick:
        print("quick: without gate and sandbox")
        yield lambda pair: Cleaned(clean_quickly(pair))
        return
    with ExitStack() as stack:
        try:
            parts = stack.enter_context(bootstrap.sandboxed(Policy()))
            print("every function is judged and applied in containers")
        except SandboxError as error:
            print(f"every function is judged and applied in subprocesses, without isolation: {error.message}")
            parts = stack.enter_context(local_parts())
        yield lambda pair: clean_by_run(pair, parts)


@contextmanager
def local_parts() -> Iterator[Services]:
    """Gate and apply without containers; good for this repository's own rules only."""
    policy = Policy()
    with ExitStack() as stack:
        sandbox = stack.enter_context(LocalSandbox())
        judge = stack.enter_context(DisposableProcess(judge_entry.ENTRY))
        decoder = stack.enter_context(DisposableProcess(decode_entry.ENTRY))
        gate = stack.enter_context(closing(Verifier(sandbox, judge, policy)))
        yield Services(sandbox, lambda: gate, decoder, policy, "", bootstrap.open_registry)
