"""`--model builtin`: proposes cleaning functions from rules. No language model, no network, no key.

Called by the run through the Proposer port. Every function it proposes goes through the same gate as a model's.
"""

import re
from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

from orchestrator.core.conventions import ColumnConvention
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.proposals import Analysis, ChunkStatus, Issue
from orchestrator.core.requests import ProposalRequest, RepairRequest
from orchestrator.core.steps import VerificationStep
from orchestrator.propose.builtin import codegen
from orchestrator.propose.builtin.fitted_remedy import FittedRemedy
from orchestrator.propose.builtin.mixed_formats import mixed_formats
from orchestrator.propose.builtin.nested_places import holds_json
from orchestrator.propose.builtin.nested_remedy import NestedRemedy, nested_remedies
from orchestrator.propose.builtin.notes import notes
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.repeated_rows import lone_cells, repeated_rows
from orchestrator.propose.builtin.rules import catalogue
from orchestrator.propose.builtin.rules.rows import conflicting_sources
from orchestrator.propose.builtin.typed_lists import untidy_lists
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows, number_columns, profile

AnyRemedy = Remedy | FittedRemedy | NestedRemedy
_UNTOUCHED = ColumnConvention(leave=True)
_MAX_SOURCE = 60_000  # the gate's screen refuses longer sources


class BuiltinProposer:
    """Implements core.ports.Proposer. Safe for threads."""

    def __init__(self) -> None:
        self._known: tuple[TextColumn, ...] = ()  # the columns of the last request: most are the same in the next one

    @property
    def name(self) -> str:
        return "builtin"

    @property
    def costs_nothing(self) -> bool:
        return True

    def analyse(self, request: ProposalRequest) -> Analysis:
        """A candidate for the first issue whose function was not rejected before.

        A chunk's first analysis names all issues that the rules find; later ones look no further than the candidate.
        """
        started = perf_counter()
        table = self._profile(request)
        preferences = Preferences.read(request.instruction, table, request.conventions)
        issues: list[Issue] = []
        source, room = None, ""
        for remedy in _remedies(table, preferences, request):
            issues.append(_issue(remedy))
            if source is None and (source := _source(remedy, table, request)) and isinstance(remedy, FittedRemedy):
                room = remedy.room(table)
            if source and request.iteration > 1:
                break
        status = ChunkStatus.NEEDS_WORK if source else ChunkStatus.CLEAN
        remarks = _remarks(table, preferences, request) if request.iteration == 1 else ()
        if source is None:
            remarks += (*mixed_formats(table, preferences), *conflicting_sources.left_amounts(table, preferences))
        return _analysis(tuple(issues), status, source, started, remarks + ((room,) if room else ()))

    def repair(self, repair: RepairRequest) -> Analysis:
        """The same function without the columns that differ in the counterexample or are in doubt; else no source."""
        started = perf_counter()
        request = repair.request
        table = self._profile(request)
        faulty = _differing_columns(repair)
        preferences = Preferences.read(request.instruction, table, request.conventions)
        for remedy in _remedies(table, preferences, request):
            if f"def {_unique(remedy.name, request)}(" not in repair.source or remedy.whole_rows:
                continue
            if isinstance(remedy, NestedRemedy):
                break  # its places are tried one by one
            kept = remedy
            for column in faulty | {c for c in remedy.columns if repr(c) not in repair.source}:
                kept = kept.without(column)
            if kept.columns and kept.columns != remedy.columns and kept.changes(table):
                source = _rendered(kept, table, _unique(kept.name, request))
                if source != repair.source:
                    return _analysis((_issue(kept),), ChunkStatus.NEEDS_WORK, source, started)
        return _analysis((), ChunkStatus.NEEDS_WORK, None, started)

    def _profile(self, request: ProposalRequest) -> WorkingRows:
        table = profile(request.rows, self._known)
        self._known = table.columns
        return table


def _remarks(table: WorkingRows, preferences: Preferences, request: ProposalRequest) -> tuple[str, ...]:
    texts = {column.name for column in table.columns}
    declared = request.conventions.columns if request.conventions is not None else {}
    undone = tuple(
        name
        for name in request.rows.column_names
        if name in declared and name not in texts and declared[name] not in (ColumnConvention(), _UNTOUCHED)
    )
    whole = len(table.columns) == request.rows.num_columns
    said = notes(table, preferences, number_columns(request.rows), undone)
    lists = untidy_lists(request.rows, {name for name, one in declared.items() if one.leave})
    return (*said, *lists, *((*repeated_rows(table), *lone_cells(table)) if whole else ()))


def _remedies(table: WorkingRows, preferences: Preferences, request: ProposalRequest) -> Iterator[AnyRemedy]:
    """The repairs of the first stage that has any, without those that were rejected before."""
    cells = WorkingRows(tuple(column for column in table.columns if not holds_json(column)), table.rows)
    of_cells, of_rows = catalogue.stages(cells, preferences)
    for stage in (of_cells, nested_remedies(table.columns, request.instruction, preferences), of_rows):
        found = False
        for rest in (rest for remedy in stage for rest in _remaining(remedy, request)):
            if rest.changes(table):
                found = True
                yield rest
        if found:
            return


def _remaining(remedy: AnyRemedy, request: ProposalRequest) -> Iterator[AnyRemedy]:
    """The remedy for the columns for which it was not rejected.

    Where all of a remedy with parts was rejected, its columns are tried one by one; so are those that a repair of a
    held one left out.
    """
    done = [summary for summary in request.promoted if _stem(summary.name) == remedy.name]
    if remedy.once and isinstance(remedy, FittedRemedy):
        for column in {column for one in done for column in one.columns or remedy.columns}:
            remedy = remedy.without(column)
        done = [] if remedy.columns else done
    if remedy.once and done:
        return
    rest, held = remedy, False
    narrowed = {_stem(summary.name) for summary in request.promoted}
    for one in _rejected(request):
        columns = set(one.modifies or remedy.columns) & set(remedy.columns)
        if columns and _stem(one.name) == _stem(remedy.name):
            held = held or one.held
            for column in columns:
                rest = rest.without(column)
    if rest.columns == remedy.columns or (rest.columns and not rest.whole_rows):
        yield rest
    elif not held or isinstance(remedy, NestedRemedy) or _stem(remedy.name) in narrowed:
        # a held one waits for a person, whole
        for part in remedy.parts:
            yield from _remaining(part, request)


class _Rejected(NamedTuple):
    """What the gate did not let pass in this chunk."""

    name: str
    modifies: tuple[str, ...] | None
    held: bool = False


def _rejected(request: ProposalRequest) -> Iterator[_Rejected]:
    """What was rejected, also what a repair made good."""
    yield from (_Rejected(candidate.name, candidate.contract.modifies) for candidate in request.rejected)
    for step in request.history:
        if isinstance(step, VerificationStep) and not step.verdict.passed:
            verdict = step.verdict
            yield _Rejected(verdict.candidate.name, verdict.candidate.modifies, verdict.held)


def _source(remedy: AnyRemedy, table: WorkingRows, request: ProposalRequest) -> str | None:
    source = _rendered(remedy, table, _unique(remedy.name, request))
    return source if len(source.encode("utf-8", "surrogatepass")) <= _MAX_SOURCE else None


def _rendered(remedy: AnyRemedy, table: WorkingRows, name: str) -> str:
    return codegen.render(remedy, table, name) if isinstance(remedy, Remedy) else remedy.render(table, name)


def _unique(name: str, request: ProposalRequest) -> str:
    """A name that no promoted function has yet."""
    taken = {summary.name for summary in request.promoted}
    number = 2
    unique = name
    while unique in taken:
        unique, number = f"{name}_{number}", number + 1
    return unique


def _stem(name: str) -> str:
    return re.sub(r"_\d+$", "", name)


def _differing_columns(repair: RepairRequest) -> set[str]:
    """The columns whose cells differ in the counterexamples of the failed checks, and those that raised concerns."""
    columns = {column for concern in repair.verdict.concerns for column in concern.columns}
    for check in repair.verdict.failures:
        if (example := check.counterexample) is not None:
            for before, after in zip(example.input, example.output, strict=False):
                columns |= {name for name in before if name in after and before[name] != after[name]}
    return columns


def _issue(remedy: AnyRemedy) -> Issue:
    return Issue(id=remedy.name, description=remedy.issue, columns=remedy.columns)


def _analysis(
    issues: tuple[Issue, ...],
    status: ChunkStatus,
    source: str | None,
    started: float,
    remarks: tuple[str, ...] = (),
) -> Analysis:
    usage = TokenUsage(cost_usd=0.0, seconds=perf_counter() - started)
    return Analysis(issues=issues, chunk_status=status, source=source, usage=usage, notes=remarks)
