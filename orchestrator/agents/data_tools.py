"""What agents may ask about data: what is wrong with it, what functions would make of it, whether their proof holds.

Called by `mcp_server` and `function_tools`.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from orchestrator.agents.agent_settings import AgentSettings
from orchestrator.agents.agent_views import check_names, first_rows, row_shown, table_shown, view_for
from orchestrator.agents.declared_roots import DeclaredRoots
from orchestrator.agents.fenced_answer import CallRefused, ToolAnswer
from orchestrator.agents.sandbox_on_demand import SandboxOnDemand
from orchestrator.propose.prompting.fencing import Json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.core.promoted import Promoted
    from orchestrator.core.proposals import Analysis
    from orchestrator.core.requests import ProposalRequest, RepairRequest
    from orchestrator.data.formats import Dataset
    from orchestrator.propose.privacy.privacy_view import PrivacyView

_CHANGES = 30


class DataTools:
    """Each method is one tool's work, and raises CleanroomError where it cannot be done."""

    def __init__(self, settings: AgentSettings, roots: DeclaredRoots, sandbox: SandboxOnDemand) -> None:
        self._settings, self._roots, self._sandbox = settings, roots, sandbox

    def analyze(self, data: str, instruction: str) -> ToolAnswer:
        """Measures of every column, issues that the built-in rules find, and what the columns hold."""
        from orchestrator.data.formats import open_dataset
        from orchestrator.propose.builtin.builtin_proposer import BuiltinProposer
        from orchestrator.run.analyze import AnalysisRequest, analyse

        with self._roots.file(data) as path:
            dataset = open_dataset(path)
            check_names(self._settings, dataset)
            view = view_for(self._settings, dataset)
            shown = table_shown(first_rows(dataset), view)
            proposer = _Viewed(BuiltinProposer(), view)
            found = analyse(AnalysisRequest(data=path, instruction=instruction), proposer)
        told: dict[str, Json] = {
            "measures": [measure.model_dump(mode="json") for measure in found.columns],
            "issues": [{"description": one.description, "columns": list(one.columns)} for one in found.issues],
            "notes": list(found.notes),
        }
        if not view.rows_shown:
            told |= {"issues": [{"columns": list(one.columns)} for one in found.issues], "notes": []}
        facts: dict[str, Json] = {"rows": found.rows, "seen_rows": found.seen_rows, "issues": len(found.issues)}
        return ToolAnswer(facts | {"privacy": self._settings.privacy}, told | shown)

    def preview(self, data: str, functions: str, rows: int) -> ToolAnswer:
        """What promoted functions make of the first rows, in a sandbox; nothing is kept."""
        from orchestrator.data.formats import open_dataset
        from orchestrator.run.apply.step import apply_step

        promoted = functions_at(functions, self._roots, self._settings)
        with self._roots.file(data) as path, TemporaryDirectory(prefix="cleanroom-preview-") as folder:
            dataset = open_dataset(path)
            check_names(self._settings, dataset)
            view = view_for(self._settings, dataset)
            suffix = _suffix_of_rows(dataset)
            sample = _kept(dataset, rows, Path(folder, f"rows{suffix}"))
            with self._sandbox.services() as services:
                output = Path(folder, f"cleaned{suffix}")
                step = apply_step(sample, promoted, output, services, accept_drift=True)
            cleaned = open_dataset(output)
            told: dict[str, Json] = {
                "changed_cells": {column.name: column.changed for column in step.columns if column.changed},
                "functions": [{"name": one.name, "changed": dict(one.changed)} for one in step.functions],
                "idle_columns": list(step.idle),
            }
            if view.rows_shown and step.rows_in == step.rows_out:
                told["changes"] = _changes(first_rows(sample, rows), first_rows(cleaned, rows), view)
        facts: dict[str, Json] = {
            "rows_in": step.rows_in,
            "rows_out": step.rows_out,
            "set_aside": step.quarantined,
            "beyond_evidence": len(step.drifted),
        }
        return ToolAnswer(facts, told)

    def check(self, data: str, functions: str) -> ToolAnswer:
        """Whether what was proved of promoted functions still holds on the file. Kept nowhere."""
        from orchestrator.data.formats import open_dataset
        from orchestrator.run.check.proof_check import check_proofs

        promoted = functions_at(functions, self._roots, self._settings)
        if not promoted:
            raise CallRefused("There are no functions to check.", advice="Name the folder of a run.")
        with self._roots.file(data) as path, self._sandbox.services() as services:
            dataset = open_dataset(path)
            check_names(self._settings, dataset)
            report = check_proofs(dataset, promoted, services)
        raw = self._settings.privacy == "raw"
        told: dict[str, Json] = {
            "functions": [
                {
                    "name": one.name,
                    "version": one.version,
                    "state": one.state,
                    "why": list(one.said if raw else one.without_cells),
                }
                for one in report.functions
            ],
            "new_columns": list(report.new_columns),
        }
        facts: dict[str, Json] = {
            "state": report.state,
            "valid": report.valid,
            "rows": report.rows,
            "looked_at": report.looked_at,
            "privacy": self._settings.privacy,
        }
        return ToolAnswer(facts, told)


def functions_at(named: str, roots: DeclaredRoots, settings: AgentSettings) -> "Sequence[Promoted]":
    """The functions in that folder, or those of the operator's registry where none is named. Raises CleanroomError."""
    from orchestrator.registry.functions import functions_in

    if not named and settings.registry is None:
        raise CallRefused("No functions are named.", advice="Name the folder of a run; its answer says which.")
    return functions_in(roots.place(named) if named else settings.registry or "")


class _Viewed:
    """A proposer that gets the rows as the agent may see them, so that it can quote no other cell."""

    def __init__(self, proposer: Any, view: "PrivacyView") -> None:
        self._proposer, self._view = proposer, view
        self.name: str = proposer.name

    def analyse(self, request: "ProposalRequest") -> "Analysis":
        answer: Analysis = self._proposer.analyse(request._replace(rows=self._view.table(request.rows)))
        return answer

    def repair(self, request: "RepairRequest") -> "Analysis":
        raise NotImplementedError


def _suffix_of_rows(dataset: "Dataset") -> str:
    """Of a file of the first rows: unpacked; Parquet where the format is not written, or only with what was read."""
    from orchestrator.data.formats import FORMATS

    known = FORMATS.get(dataset.format)
    return ".parquet" if known is None or known.written or known.only_kept else known.suffixes[0]


def _kept(dataset: "Dataset", rows: int, path: Path) -> "Dataset":
    """The first rows as a file of their own. Raises CallRefused where there is none."""
    from orchestrator.data.formats import open_dataset, open_writer

    table = first_rows(dataset, rows)
    if not table.num_rows:
        raise CallRefused("There are no rows to look at.", advice="Name a file with at least one row.")
    with open_writer(path, like=dataset, schema=table.schema) as writer:
        writer.write(table)
    return open_dataset(path)


def _changes(before: Any, after: Any, view: "PrivacyView") -> list[Json]:
    """The first changed cells of every column that both have, as the view has them."""
    from orchestrator.data.cells import differing
    from orchestrator.propose.privacy.unused_symbols import without_new_symbols

    made = [name for name in after.column_names if name not in before.column_names]
    shown = after if view.privacy == "raw" else without_new_symbols(after, before)
    old, new = view.table(before), view.table(shown, made)
    found: list[Json] = []
    names = [name for name in before.column_names if name in after.column_names]
    for name in names:
        mask = differing(before.column(name).combine_chunks(), after.column(name).combine_chunks())
        places = [] if mask is None else [place for place, differs in enumerate(mask.to_pylist()) if differs]
        for place in places[: max(1, _CHANGES // len(names))]:
            cells = {"before": old.column(name)[place].as_py(), "after": new.column(name)[place].as_py()}
            found.append({"row": place + 1, "column": name, "cells": row_shown(cells)})
    return found
