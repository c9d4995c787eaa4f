"""What agents may ask about functions: judge one, find some, list and explain them. Called by `mcp_server`.

Nothing here promotes into a registry that others use, approves, signs for a person, or revokes.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orchestrator.agents.agent_settings import AgentSettings
from orchestrator.agents.agent_views import check_names, outcomes_shown, verdict_shown, view_for
from orchestrator.agents.data_tools import functions_at
from orchestrator.agents.declared_roots import DeclaredRoots
from orchestrator.agents.fenced_answer import CallRefused, ToolAnswer
from orchestrator.agents.handles import Handle
from orchestrator.agents.sandbox_on_demand import SandboxOnDemand

if TYPE_CHECKING:
    from orchestrator.core.candidate import Example
    from orchestrator.propose.prompting.fencing import Json

_MAX_SOURCE = 100_000
_LISTED = 200
_RUN = re.compile(r"run-[0-9a-f]{16}")  # as `run` names it: other names may be somebody's words to the agent


class FunctionTools:
    """Each method is one tool's work, and raises CleanroomError where it cannot be done."""

    def __init__(self, settings: AgentSettings, roots: DeclaredRoots, sandbox: SandboxOnDemand) -> None:
        self._settings, self._roots, self._sandbox = settings, roots, sandbox

    def propose(self, source: str, data: str, examples: Sequence[Mapping[str, Any]], *, quick: bool) -> ToolAnswer:
        """The gate's verdict on the caller's function; it is kept nowhere."""
        from orchestrator.core.ports import VerifyRequest
        from orchestrator.data.formats import open_dataset
        from orchestrator.data.record_tables import is_records
        from orchestrator.run.verify.rows_to_judge import samples_of

        if len(source) > _MAX_SOURCE:
            raise CallRefused(f"The source is longer than {_MAX_SOURCE:,} characters.", advice="Send one function.")
        wanted = _examples(examples)
        with self._roots.file(data) as path:
            dataset = open_dataset(path)
            view = view_for(self._settings, dataset)
            if not dataset.rows:
                raise CallRefused("The data has columns and no rows.", advice="Give it at least one row of data.")
            with self._sandbox.services() as services:
                sample = samples_of(dataset, services).of(source)
                check_names(self._settings, dataset, by_row=is_records(sample.working))
                verdict = services.gate.verify(VerifyRequest(source, sample, examples=wanted, quick=quick))
            told = verdict_shown(verdict, view, sample.working, source)
        facts: dict[str, Json] = {
            "verdict": verdict.verdict,
            "failed": [check.id for check in verdict.failures],
            "concerns": len(verdict.concerns),
            "privacy": self._settings.privacy,
        }
        return ToolAnswer(facts, told)

    def run(self, data: str, instruction: str, handle: Handle) -> ToolAnswer:
        """Find functions with the built-in proposer, apply those that pass; all into a folder of its own."""
        from orchestrator import bootstrap
        from orchestrator.model_choice import ModelChoice
        from orchestrator.run.events import Callbacks
        from orchestrator.run.loop.job import CleaningJob
        from orchestrator.run.request import RunRequest

        out = self._settings.out / f"run-{handle.id}"
        with self._roots.file(data) as path:
            request = RunRequest(data=path, out=out, instruction=instruction)
            opened = request.check()
            check_names(self._settings, opened.dataset)
            choice, callbacks = ModelChoice(model="builtin"), Callbacks()
            callbacks.register(object, lambda _event: _go_on(handle))
            with self._sandbox.services() as services:
                proposer = bootstrap.proposer(choice, services.policy, data_sha256=opened.dataset.sha256)
                recorded = choice.settled().model_dump(mode="json")
                summary = CleaningJob(request, opened, services, proposer, callbacks, model=recorded).run()
        facts: dict[str, Json] = {
            "run": summary.status,
            "rows": summary.rows,
            "promoted": len(summary.promoted),
            "rejected": summary.rejected,
            "held": len(summary.held),
            "folder": str(out),
            "cleaned": opened.outputs.cleaned.name,
        }
        held: list[Json] = [{"name": one.name, "concerns": [c.kind for c in one.concerns]} for one in summary.held]
        told: dict[str, Json] = {"promoted": list(summary.promoted), "changed": dict(summary.changed), "held": held}
        if self._settings.privacy == "raw":
            told["notes"] = list(summary.notes)
        return ToolAnswer(facts, told)

    def list(self, functions: str) -> ToolAnswer:
        """The functions in use there; without a name also the runs that this server's tools have made."""
        found = functions_at(functions, self._roots, self._settings) if functions or self._settings.registry else ()
        runs: list[Json] = [] if functions else [str(folder) for folder in _runs(self._settings.out)]
        told: dict[str, Json] = {
            "functions": [
                {
                    "name": one.name,
                    "version": one.version,
                    "issue": one.candidate.issue if self._settings.privacy == "raw" else "",
                    "sha256": one.candidate.sha256,
                    "modifies": None if (named := one.candidate.contract.modifies) is None else list(named),
                }
                for one in found[:_LISTED]
            ]
        }
        return ToolAnswer({"functions": len(found), "runs": runs}, told)

    def explain(self, name: str, functions: str) -> ToolAnswer:
        """Why the function was promoted. Its source and the texts of its evidence may hold cells: only where raw."""
        found = [one for one in functions_at(functions, self._roots, self._settings) if one.name == name]
        if not found:
            raise CallRefused("There is no function of that name.", advice="The tool `list` says which there are.")
        one, raw = found[0], self._settings.privacy == "raw"
        verdict, evidence = one.evidence.verdict, one.evidence
        contract = one.candidate.contract
        told: dict[str, Json] = {
            "name": one.name,
            "shape": contract.shape,
            "modifies": None if contract.modifies is None else list(contract.modifies),
            "adds": list(contract.adds),
            "drops": list(contract.drops),
            "proposer": evidence.proposer,
            "evidence": outcomes_shown(verdict),
        }
        if raw:
            told |= {"issue": one.candidate.issue, "source": one.candidate.source}
            told["details"] = {check.id: check.detail for check in verdict.checks if check.detail}
        facts: dict[str, Json] = {
            "version": one.version,
            "sha256": one.candidate.sha256,
            "promoted_at": one.promoted_at.isoformat(),
            "verdict": verdict.verdict,
            "policy_sha256": evidence.policy_sha256,
            "data_sha256": evidence.data_sha256,
            "privacy": self._settings.privacy,
        }
        return ToolAnswer(facts, told)


def _go_on(handle: Handle) -> None:
    if handle.stopping.is_set():
        raise KeyboardInterrupt  # which ends a run at its next step, and keeps what was promoted


def _runs(folder: Path) -> Sequence[Path]:
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(path for path in found if _RUN.fullmatch(path.name) and path.is_dir())


def _examples(given: Sequence[Mapping[str, Any]]) -> "tuple[Example, ...]":
    from orchestrator.core.candidate import Example

    if any(set(one) != {"input", "output"} for one in given):
        raise CallRefused("An example has the keys input and output.", advice="Give a row before and after.")
    return tuple(Example(input=one["input"], output=one["output"]) for one in given)
