"""cleanroom as a library: `from orchestrator import Cleanroom`. What the commands do, as a small typed API.

Called by other people's programs. What the commands print and exit with are values and exceptions here; the rules are
the same: nothing of a candidate ever runs outside a sandbox.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from orchestrator import bootstrap, model_choice
from orchestrator.api_arguments import (
    DataFile,
    Drift,
    check_reach,
    check_values,
    columns_of,
    conventions_of,
    data_of,
    drift_of,
    examples_of,
    file_of,
    flag_of,
    instruction_of,
    on_hold_of,
    path_of,
    place_of,
    shape_of,
    source_of,
)
from orchestrator.api_run import Run, RunEvent
from orchestrator.api_services import HeldServices
from orchestrator.api_wording import naming_arguments
from orchestrator.core.candidate import Example, Shape
from orchestrator.core.conventions import Conventions
from orchestrator.core.errors import UsageError
from orchestrator.core.ports import VerifyRequest
from orchestrator.core.steps import ApplyStep
from orchestrator.core.verdict import Verdict
from orchestrator.data.sampling import Sampling
from orchestrator.data.user_files.policy_file import check_rules
from orchestrator.model_choice import ModelChoice
from orchestrator.propose.llm.budget import BudgetLimits
from orchestrator.registry.functions import functions_in
from orchestrator.run.apply.step import apply_step
from orchestrator.run.check.check_report import CheckReport
from orchestrator.run.check.proof_check import check_proofs
from orchestrator.run.check.recorded import record
from orchestrator.run.events import Callbacks
from orchestrator.run.journal.listing import find_run
from orchestrator.run.journal.resume import PastRun, read_past
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.loop.run_context import OnHold
from orchestrator.run.loop.stopping import RunLimits
from orchestrator.run.request import RunRequest
from orchestrator.run.verify.rows_to_judge import samples_of

__all__ = ["BudgetLimits", "Cleanroom", "DataFile", "ModelChoice", "Run", "RunEvent", "RunLimits"]


class Cleanroom(HeldServices):
    """A sandbox, a gate and a proposer, ready for several jobs. Use it as a context manager, or call `close`.

    `model`: "builtin" (the default), the LiteLLM name of a model, a ModelChoice, which also names models for further
    roles and a budget, or any object with `generate(messages) -> str`, where messages are dicts with the keys role and
    content. `privacy` and `header` as in `ModelChoice`, which says them itself. `policy`: a YAML file or a Policy.
    `cluster`: whose workers verify, apply and check: "local:2", or "tls://HOST:PORT" with the client's certificates in
    the folder `tls`; runs are this machine's. Raises UsageError at once; EngineUnavailable, ImageMissing or
    PostureError where the machine is not ready for a job.
    """

    @naming_arguments()
    def run(
        self,
        data: Path | str | DataFile,
        *,
        instruction: str = "",
        out: Path | str | None = None,
        registry: Path | str | None = None,
        overwrite: bool = False,
        quarantine: bool = False,
        shape: Shape | Literal["table", "record", "text"] = Shape.TABLE,
        examples: Path | str | None = None,
        conventions: Conventions | Path | str | None = None,
        chunk_rows: int = 4000,
        max_chunks: int = 8,
        sampling: Sampling = "random",
        seed: int = 0,
        limits: RunLimits | None = None,
        on_hold: OnHold = "keep",
    ) -> "Run":
        """Start cleaning the file; iterate over what is returned for progress, or ask it for its `result()`.

        `out`: the folder for the results, `<name>-cleaned` if None. `registry`: a folder, an SQLite file or a
        postgresql:// URL that the run shares with others: its functions are applied, and new ones go into it.
        `examples`: JSON or JSONL of input and output rows. `conventions`: a YAML file or a Conventions. At most
        `max_chunks` chunks of `chunk_rows` rows are read. `on_hold`: what becomes of functions whose concerns nobody
        settles: "reject", "keep" (for `cleanroom review`) or "accept". `quarantine`: keep rows that cannot be read, or
        on which a function fails, in a file beside the results. Raises UsageError, DataError at once.
        """
        file = file_of(data)
        request = RunRequest(
            data=data_of(file.path),
            **file.reading,
            parser=file.parser,
            instruction=instruction,
            out=None if out is None else path_of(out, "out"),
            registry=None if registry is None else str(place_of(registry, "registry")),
            overwrite=overwrite,
            quarantine=quarantine,
            shape=shape_of(shape),
            examples=None if examples is None else path_of(examples, "examples"),
            conventions=conventions_of(conventions),
            chunk_rows=chunk_rows,
            max_chunks=max_chunks,
            sampling=sampling,
            seed=seed,
            limits=limits or RunLimits(),
            on_hold=on_hold_of(on_hold),
        )
        if isinstance(self._model, ModelChoice):
            model_choice.check_shape(self._model, request.shape)
        opened = request.check(self._opener(file.parser, self._policy))
        model_choice.check_header(self._shown, opened.dataset, request.shape)
        services = self._services(self._policy, here=True)
        proposer = self._proposer(services, opened.dataset.sha256)
        callbacks = Callbacks()
        cleaning = CleaningJob(request, opened, services, proposer, callbacks, model=self._recorded())
        return Run(cleaning, callbacks, opened.outputs.folder)

    @naming_arguments()
    def resume(
        self,
        run: Path | str,
        *,
        data: Path | str | None = None,
        examples: Path | str | None = None,
        api_base: str | None = None,
        budget: BudgetLimits | None = None,
        limits: RunLimits | None = None,
        registry: Path | str | None = None,
        quarantine: bool = False,
    ) -> "Run":
        """Go on, exactly where it stood, with a run that was cancelled or killed, or that reached a budget or a limit.

        `run`: its folder, or the beginning of its id below the current folder. What it was begun with stays, above all
        its policy and what its model may see; `api_base`, each limit in `budget` and each that is set in `limits` take
        the place of the earlier one.
        What has been used counts. A run by a model object needs a Cleanroom with an object of the same class, one that
        shares a registry needs that named again. `quarantine`: rows that a function fails on are kept apart from now.

        `data`, with `examples`: for a folder whose journal was not written on this machine, or was changed. Nothing in
        it is believed: its request is asked again, on these files, with this Cleanroom's model and policy. Raises
        UsageError where there is nothing to go on with, and where data, examples or model are not what they were.
        """
        check_values(budget, limits)
        check_reach(self._model, api_base, budget)
        past = self.past(run)
        if past.end is not None and past.finished:
            raise UsageError(f"The run has ended ({past.end.status.shown}): there is nothing to go on with.")
        place = None if registry is None else str(place_of(registry, "registry"))
        raised = limits.model_dump(exclude_unset=True) if limits is not None else None
        if data is not None and not past.authentic:
            shown = None if examples is None else path_of(examples, "examples")
            asked = past.anew(data_of(data), shown, place, raised, quarantine=quarantine)
            return self._anew(past, asked, api_base, budget)
        if data is not None or examples is not None:
            raise UsageError("Arguments 'data' and 'examples' are for a run that was not recorded on this machine.")
        request, opened, services = (
            past.request(place, raised, quarantine=quarantine),
            past.open(self._opener(past.parser, past.policy)),
            self._services(past.policy, here=True),
        )
        choice = model_choice.recorded_choice(past, api_base=api_base, budget=budget)
        if isinstance(self._model, ModelChoice):
            proposer, model = bootstrap.proposer_again(past, choice, services), choice.settled().model_dump(mode="json")
        else:
            proposer = self._custom(self._model, past.policy, choice.privacy, past.opening.data_sha256)
            past.check_proposer(proposer.name)
            model = {"privacy": choice.privacy}
        callbacks = Callbacks()
        cleaning = CleaningJob(request, opened, services, proposer, callbacks, past=past, model=model)
        return Run(cleaning, callbacks, opened.outputs.folder)

    def _anew(self, past: PastRun, request: RunRequest, api_base: str | None, budget: BudgetLimits | None) -> "Run":
        """The request of a journal that nobody vouches for, asked again."""
        opened = request.check()
        check_rules(self._policy, opened.dataset.columns)
        data_sha256 = opened.dataset.sha256
        choice = model_choice.unrecorded_choice(past, api_base=api_base, budget=budget, own=self._shown)
        services = self._services(self._policy, here=True)
        if isinstance(self._model, ModelChoice):
            model = choice.settled().model_dump(mode="json")
            proposer = bootstrap.proposer(choice, self._policy, data_sha256=data_sha256, services=services)
        else:
            model = {"privacy": choice.privacy}
            proposer = self._custom(self._model, self._policy, choice.privacy, data_sha256)
        past.check_proposer(proposer.name)
        callbacks = Callbacks()
        cleaning = CleaningJob(request, opened, services, proposer, callbacks, model=model)
        return Run(cleaning, callbacks, opened.outputs.folder)

    @staticmethod
    @naming_arguments()
    def past(run: Path | str) -> PastRun:
        """What the journal of a run tells: its opening, its steps, its end and what it used. No engine is needed.

        `run` as for `resume`. Raises UsageError when there is no such run.
        """
        return read_past(find_run(str(path_of(run, "run"))))

    @naming_arguments()
    def verify(
        self,
        function: Path | str,
        data: Path | str | DataFile,
        *,
        examples: Sequence[Example] = (),
        instruction: str = "",
        quick: bool = False,
        quarantine: Path | str | None = None,
    ) -> Verdict:
        """Judge one function on rows of the file. `function`: a Path to its file, or its source text.

        `instruction`: what it is to do, in words; what it states of a value is a witness.
        `quarantine`: a file for rows that cannot be read, which are left out; without one they are a DataError.
        A function that fails, even by attacking, is a verdict; only a wrong file raises UsageError or DataError.
        """
        source, shown, quick = source_of(function), examples_of(examples), flag_of(quick, "quick")
        asked = instruction_of(instruction, shown)
        dataset = self._dataset(data, keep=quarantine)
        services = self._services(self._policy)
        sample = samples_of(dataset, services).of(source)
        return services.gate.verify(VerifyRequest(source, sample, examples=shown, instruction=asked, quick=quick))

    @naming_arguments()
    def apply(
        self,
        data: Path | str | DataFile,
        functions: Path | str,
        output: Path | str,
        *,
        quarantine: Path | str | None = None,
        drift: Drift = "stop",
        columns: Mapping[str, str] | None = None,
    ) -> ApplyStep:
        """Run promoted functions over the whole file, sandboxed; what changed.

        `functions`: a run's folder, a registry (folder, file or URL) or a bundle. `columns`: by the name that functions
        know, that in this file. Raises RegistryError, DataError, OutputError, ApplyAuditFailed and, unless `drift` is
        "accept", ApplyDrifted where a function does what was not proved; where it is "strict", also where the gate
        doubts a change.
        """
        target, place, drift = data_of(output, "output"), place_of(functions, "functions"), drift_of(drift)
        rest = None if quarantine is None else data_of(quarantine, "quarantine")
        columns = columns_of(columns)
        promoted, dataset = functions_in(place), self._dataset(data, set_aside=rest is not None)
        services = self._services(self._policy)
        return apply_step(
            dataset,
            promoted,
            target,
            services,
            quarantine=rest,
            registry=place,
            accept_drift=drift == "accept",
            refuse_doubts=drift == "strict",
            columns=columns,
        )

    @naming_arguments()
    def check(
        self,
        data: Path | str | DataFile,
        functions: Path | str,
        *,
        quarantine: Path | str | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> CheckReport:
        """Whether what was proved of promoted functions still holds on the file; recorded where they have a registry.

        `functions` and `columns` as for `apply`, `quarantine` as for `verify`. `report.valid` is False where the data
        is another or a law fails, and its functions say why. Raises RegistryError, DataError, UsageError.
        """
        place, columns = place_of(functions, "functions"), columns_of(columns)
        promoted, dataset = functions_in(place), self._dataset(data, keep=quarantine)
        if not promoted:
            raise UsageError("There are no functions to check.", advice="Name the folder of a run.")
        report = check_proofs(dataset, promoted, self._services(self._policy), columns=columns)
        record(report, place)
        return report
