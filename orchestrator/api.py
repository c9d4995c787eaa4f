"""cleanroom as a library: `from orchestrator import Cleanroom`. What the commands do, as a small typed API.

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
from orchestrator.api_arguments import Privacy, check_model, conventions_of, path_of, policy_of, privacy_of, shape_of
from orchestrator.bootstrap import ModelChoice
from orchestrator.core.candidate import Example, Shape
from orchestrator.core.conventions import Conventions
from orchestrator.core.errors import RunInterrupted, UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Proposer, VerifyRequest
from orchestrator.core.steps import AnyStep, ApplyStep
from orchestrator.core.verdict import CheckResult, Verdict
from orchestrator.data.formats import open_dataset
from orchestrator.data.sampling import Sampling
from orchestrator.propose.llm.budget import BudgetLimits
from orchestrator.registry.bundle import load_functions
from orchestrator.run.apply.step import ApplyProgress, apply_step
from orchestrator.run.events import Callbacks
from orchestrator.run.journal.listing import find_run
from orchestrator.run.journal.resume import PastRun, read_past
from orchestrator.run.loop.job import CleaningJob, RunSummary
from orchestrator.run.loop.stopping import RunLimits
from orchestrator.run.request import RunRequest
from orchestrator.run.services import Services
from orchestrator.run.verify.candidate_files import read
from orchestrator.run.verify.verify import samples_of

if TYPE_CHECKING:
    from orchestrator.propose.llm.custom_chat import GeneratesText

__all__ = ["BudgetLimits", "Cleanroom", "ModelChoice", "Run", "RunEvent", "RunLimits"]

RunEvent = AnyStep | CheckResult | ApplyProgress
"""What a run tells while it goes on: finished steps, single checks as they are decided, rows that are done."""


class Cleanroom:
    """A sandbox, a gate and a proposer, ready for several jobs. Use it as a context manager, or call `close`.

    `model`: "builtin" (the default), the LiteLLM name of a model, a ModelChoice, which also names models for further
    roles and a budget, or any object with `generate(messages) -> str`, where messages are dicts with the keys role and
    content. `privacy`: what a model may see: "raw" rows, "masked" ones that keep the shape of each value, or a
    "profile" without rows; a ModelChoice says it itself, as it does `api_base`. `policy`: a YAML file or a Policy.
    Raises UsageError for a wrong policy at once; EngineUnavailable, ImageMissing or PostureError at the first job where
    the machine is not ready.
    """

    def __init__(
        self,
        model: "str | ModelChoice | GeneratesText | None" = None,
        *,
        api_base: str | None = None,
        privacy: Privacy = "raw",
        policy: Path | str | Policy | None = None,
        strict: bool = False,
    ) -> None:
        if isinstance(model, ModelChoice) and (api_base is not None or privacy != "raw"):
            raise UsageError("A ModelChoice says itself where the model is and what it may see.")
        self._model: ModelChoice | GeneratesText = (
            ModelChoice(model=model, api_base=api_base, privacy=privacy)
            if model is None or isinstance(model, str)
            else model
        )
        check_model(self._model)
        self._privacy = privacy_of(privacy)
        self._policy = policy_of(policy, strict=strict)
        self._stack = ExitStack()
        self._opened: list[Services] = []

    def run(
        self,
        data: Path | str,
        *,
        instruction: str = "",
        out: Path | str | None = None,
        overwrite: bool = False,
        shape: Shape | Literal["table", "record", "text"] = Shape.TABLE,
        examples: Path | str | None = None,
        conventions: Conventions | Path | str | None = None,
        chunk_rows: int = 4000,
        max_chunks: int = 8,
        sampling: Sampling = "random",
        seed: int = 0,
        limits: RunLimits | None = None,
    ) -> "Run":
        """Start cleaning the file; iterate over what is returned for progress, or ask it for its `result()`.

        `out`: the folder for the results, `<name>-cleaned` if None. `examples`: JSON or JSONL of input and output rows.
        `conventions`: a YAML file or a Conventions. At most `max_chunks` chunks of `chunk_rows` rows are looked at.
        Raises UsageError and DataError for what is wrong with the request or the file, before anything is started.
        """
        request = RunRequest(
            data=path_of(data, "data"),
            instruction=instruction,
            out=None if out is None else path_of(out, "out"),
            overwrite=overwrite,
            shape=shape_of(shape),
            examples=None if examples is None else path_of(examples, "examples"),
            conventions=conventions_of(conventions),
            chunk_rows=chunk_rows,
            max_chunks=max_chunks,
            sampling=sampling,
            seed=seed,
            limits=limits or RunLimits(),
        )
        if isinstance(self._model, ModelChoice):
            bootstrap.check_shape(self._model, request.shape)
        opened, services = request.check(), self._services(self._policy)
        proposer = self._proposer(services, opened.dataset.sha256)
        callbacks = Callbacks()
        cleaning = CleaningJob(request, opened, services, proposer, callbacks, model=self._recorded())
        return Run(cleaning, callbacks, opened.outputs.folder)

    def resume(self, run: Path | str, *, api_base: str | None = None, budget: BudgetLimits | None = None) -> "Run":
        """Go on, exactly where it stood, with a run that was cancelled or killed, or whose budget was used up.

        `run`: its folder, or the beginning of its id below the current folder. What it was begun with stays, above all
        its policy and what its model may see; `api_base` and each limit in `budget` take the place of the earlier one.
        What has been used counts. A run by a model object needs a Cleanroom with an object of the same class. Raises
        UsageError where there is nothing to go on with, and where data, examples or model are not what they were.
        """
        if budget is not None and not isinstance(budget, BudgetLimits):
            raise UsageError("Invalid argument 'budget'.", advice="Give a BudgetLimits.")
        past = self.past(run)
        if past.end is not None and past.finished:
            raise UsageError(f"The run is finished ({past.end.status}): there is nothing to go on with.")
        request, opened, services = past.request(), past.open(), self._services(past.policy)
        choice = bootstrap.recorded_choice(past, api_base=api_base, budget=budget)
        if isinstance(self._model, ModelChoice):
            proposer, model = bootstrap.proposer_again(past, choice, services), choice.settled().model_dump(mode="json")
        else:
            proposer = bootstrap.custom_proposer(
                self._model, past.policy, privacy=choice.privacy, data_sha256=past.opening.data_sha256
            )
            past.check_proposer(proposer.name)
            model = {"privacy": choice.privacy}
        callbacks = Callbacks()
        cleaning = CleaningJob(request, opened, services, proposer, callbacks, past=past, model=model)
        return Run(cleaning, callbacks, opened.outputs.folder)

    @staticmethod
    def past(run: Path | str) -> PastRun:
        """What the journal of a run tells: its opening, its steps, its end and what it used. No engine is needed.

        `run` as for `resume`. Raises UsageError when there is no such run.
        """
        return read_past(find_run(str(path_of(run, "run"))))

    def verify(
        self, function: Path | str, data: Path | str, *, examples: Sequence[Example] = (), quick: bool = False
    ) -> Verdict:
        """Judge one function on rows of the file. `function`: a Path to its file, or its source text.

        A function that fails, even by attacking, is a verdict; only a wrong file raises UsageError or DataError.
        """
        source = function if isinstance(function, str) else _text(path_of(function, "function"))
        if any(not isinstance(example, Example) for example in examples):
            raise UsageError("Invalid argument 'examples'.", advice="Give a sequence of Example(input=…, output=…).")
        dataset = open_dataset(path_of(data, "data"))
        services = self._services(self._policy)
        sample = samples_of(dataset, services).of(source)
        return services.gate.verify(VerifyRequest(source, sample, examples=examples, quick=quick))

    def apply(
        self, data: Path | str, functions: Path | str, output: Path | str, *, quarantine: Path | str | None = None
    ) -> ApplyStep:
        """Run the functions of an earlier run's folder over the whole file, sandboxed; what changed.

        Raises RegistryError for functions whose seal is broken, DataError and OutputError for the files.
        """
        source, target = path_of(data, "data"), path_of(output, "output")
        rest = None if quarantine is None else path_of(quarantine, "quarantine")
        promoted = load_functions(path_of(functions, "functions"))
        open_dataset(source)
        return apply_step(source, promoted, target, self._services(self._policy), quarantine=rest)

    def close(self) -> None:
        """Destroy every container. Idempotent; the next job would make new ones."""
        self._opened.clear()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _services(self, policy: Policy) -> Services:
        """Those under the policy; an earlier run may have been begun under another one than the rest here."""
        services = next((services for services in self._opened if services.policy == policy), None)
        if services is None:
            services = self._stack.enter_context(bootstrap.sandboxed(policy))
            self._opened.append(services)
        return services

    def _proposer(self, services: Services, data_sha256: str) -> Proposer:
        if isinstance(self._model, ModelChoice):
            return bootstrap.proposer(self._model, self._policy, data_sha256=data_sha256, services=services)
        return bootstrap.custom_proposer(self._model, self._policy, privacy=self._privacy, data_sha256=data_sha256)

    def _recorded(self) -> dict[str, Any]:
        """The model for the journal, so that a resumed run asks the same one, and shows it no more."""
        if isinstance(self._model, ModelChoice):
            return self._model.settled().model_dump(mode="json")
        return {"privacy": self._privacy}


def _text(path: Path) -> str:
    source = read(path)
    if source.problem:
        raise UsageError(f"{path}: {source.problem}.", advice="Name a Python file.")
    return source.text


class Run:
    """A run in the background. Iterating gives its events until it has ended; `result` its summary or its error.

    `folder` is where its results will lie, and what `Cleanroom.resume` takes.
    """

    def __init__(self, cleaning: CleaningJob, callbacks: Callbacks, folder: Path) -> None:
        self.folder = folder
        self._events: SimpleQueue[RunEvent | None] = SimpleQueue()
        self._stop = Event()
        self._summary: RunSummary | None = None
        self._error: BaseException | None = None
        callbacks.register(object, self._tell)
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

    def _work(self, cleaning: CleaningJob) -> None:
        try:
            self._summary = cleaning.run()
        except KeyboardInterrupt:
            self._error = RunInterrupted("The run was cancelled before it had begun.")
        except BaseException as error:  # noqa: BLE001 - handed over to whoever asks for the result
            self._error = error
        finally:
            self._events.put(None)
