"""cleanroom as a library: `from orchestrator import Cleanroom`. The command line's jobs, as a small typed API.

Called by other people's programs. What the commands print and exit with are values and exceptions here; the rules are
the same: nothing of a candidate ever runs outside a sandbox.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Literal, Self

from orchestrator import bootstrap
from orchestrator.bootstrap import ModelChoice
from orchestrator.core.candidate import Example
from orchestrator.core.errors import RunInterrupted, UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Proposer
from orchestrator.core.steps import AnyStep, ApplyStep
from orchestrator.core.verdict import CheckResult, Verdict
from orchestrator.data.formats import open_dataset
from orchestrator.data.policy_file import read_policy
from orchestrator.registry.bundle import load_functions
from orchestrator.run.applying import ApplyProgress, apply_step
from orchestrator.run.callbacks import Callbacks
from orchestrator.run.cleaning import Cleaning, RunSummary
from orchestrator.run.parts import Parts
from orchestrator.run.request import Opened, RunRequest
from orchestrator.run.sources import read
from orchestrator.run.verifying import samples_of

if TYPE_CHECKING:
    from orchestrator.propose.custom_chat import GeneratesText

RunEvent = AnyStep | CheckResult | ApplyProgress
"""What a run tells while it goes on: finished steps, single checks as they are decided, rows that are done."""


class Cleanroom:
    """A sandbox, a gate and a proposer, ready for several jobs. Use it as a context manager, or call `close`.

    `model`: "builtin" (the default), the LiteLLM name of a model, or any object with `generate(messages) -> str`, where
    messages are dicts with the keys role and content. `privacy`: what a model may see: "raw" rows, "masked" ones that
    keep the shape of each value, or a "profile" without rows. `policy`: a YAML file or a Policy. Raises UsageError for
    a wrong policy at once; EngineUnavailable, ImageMissing or PostureError at the first job where the machine is not
    ready.
    """

    def __init__(
        self,
        model: "str | GeneratesText | None" = None,
        *,
        api_base: str | None = None,
        privacy: Literal["raw", "masked", "profile"] = "raw",
        policy: Path | str | Policy | None = None,
        strict: bool = False,
    ) -> None:
        self._model: ModelChoice | GeneratesText = (
            ModelChoice(model=model, api_base=api_base, privacy=privacy)
            if model is None or isinstance(model, str)
            else model
        )
        self._privacy: Literal["raw", "masked", "profile"] = privacy
        given = None if policy is None else Path(policy) if isinstance(policy, str) else policy
        self._policy = given if isinstance(given, Policy) else read_policy(given, strict=strict)
        self._stack = ExitStack()
        self._opened: Parts | None = None

    def run(self, data: Path | str, *, instruction: str = "", out: Path | str | None = None, **options: Any) -> "Run":
        """Start cleaning the file; iterate over what is returned for progress, or ask it for its `result()`.

        `options` are the other fields of `RunRequest`: overwrite, shape, examples, chunk_rows, max_chunks, sampling,
        seed, limits. Raises UsageError and DataError for what is wrong with the request or the file.
        """
        folder = None if out is None else Path(out)
        request = RunRequest(data=Path(data), instruction=instruction, out=folder, **options)
        if isinstance(self._model, ModelChoice):
            bootstrap.check_shape(self._model, request.shape)
        opened = request.check()
        return Run(request, opened, self._parts(), self._proposer(opened.dataset.sha256), self._recorded())

    def verify(
        self, function: Path | str, data: Path | str, *, examples: Sequence[Example] = (), quick: bool = False
    ) -> Verdict:
        """Judge one function on rows of the file. `function`: a Path to its file, or its source text.

        A function that fails, even by attacking, is a verdict; only a wrong file raises UsageError or DataError.
        """
        source = function if isinstance(function, str) else _text(function)
        dataset = open_dataset(Path(data))
        parts = self._parts()
        sample = samples_of(dataset, parts).of(source)
        return parts.gate.verify(source, sample, examples=examples, quick=quick)

    def apply(
        self, data: Path | str, functions: Path | str, output: Path | str, *, quarantine: Path | str | None = None
    ) -> ApplyStep:
        """Run the functions of an earlier run's folder over the whole file, sandboxed; what changed.

        Raises RegistryError for functions whose seal is broken, DataError and OutputError for the files.
        """
        promoted = load_functions(Path(functions))
        rest = None if quarantine is None else Path(quarantine)
        return apply_step(Path(data), promoted, Path(output), self._parts(), quarantine=rest)

    def close(self) -> None:
        """Destroy every container. Idempotent; the next job would make new ones."""
        self._opened = None
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _parts(self) -> Parts:
        if self._opened is None:
            self._opened = self._stack.enter_context(bootstrap.sandboxed(self._policy))
        return self._opened

    def _proposer(self, data_sha256: str) -> Proposer:
        if isinstance(self._model, ModelChoice):
            return bootstrap.proposer(self._model, self._policy, data_sha256=data_sha256)
        return bootstrap.custom_proposer(self._model, self._policy, privacy=self._privacy, data_sha256=data_sha256)

    def _recorded(self) -> dict[str, Any]:
        """The model for the journal, so that `cleanroom runs resume` asks the same one."""
        return self._model.settled().model_dump(mode="json") if isinstance(self._model, ModelChoice) else {}


def _text(path: Path) -> str:
    source = read(path)
    if source.problem:
        raise UsageError(f"{path}: {source.problem}.", advice="Name a Python file.")
    return source.text


class Run:
    """A run in the background. Iterating gives its events until it has ended; `result` its summary or its error."""

    def __init__(
        self, request: RunRequest, opened: Opened, parts: Parts, proposer: Proposer, model: dict[str, Any]
    ) -> None:
        self._events: SimpleQueue[RunEvent | None] = SimpleQueue()
        self._stop = Event()
        self._summary: RunSummary | None = None
        self._error: BaseException | None = None
        callbacks = Callbacks()
        callbacks.register(object, self._tell)
        cleaning = Cleaning(request, opened, parts, proposer, callbacks, model=model)
        self._thread = Thread(target=self._work, args=(cleaning,), name="cleanroom-run", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[RunEvent]:
        """Each event once, as it happens; ends with the run. Raises what the run raised."""
        while (event := self._events.get()) is not None:
            yield event
        self._events.put(None)
        self.result()

    def result(self) -> RunSummary:
        """Wait for the end. Raises what the run raised: DataError, OutputError, ProposalError, SandboxError, …"""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._summary is not None  # noqa: S101 - the thread ends with one or the other
        return self._summary

    def cancel(self) -> None:
        """End the run at its next step; `result` then raises RunInterrupted, and what was promoted is kept."""
        self._stop.set()

    def _tell(self, event: Any) -> None:
        self._events.put(event)
        if self._stop.is_set():
            raise KeyboardInterrupt  # what Ctrl-C is to the command: not an error that a callback may swallow

    def _work(self, cleaning: Cleaning) -> None:
        try:
            self._summary = cleaning.run()
        except KeyboardInterrupt:
            self._error = RunInterrupted("The run was cancelled before it had begun.")
        except BaseException as error:  # noqa: BLE001 - handed over to whoever asks for the result
            self._error = error
        finally:
            self._events.put(None)
