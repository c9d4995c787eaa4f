"""What `cleanroom check` found, as values: printed, returned by the library, and kept in the registry without cells."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from orchestrator.core.errors import ApplyDrifted
from orchestrator.core.value import Value
from orchestrator.run.rows.drift_finding import DriftFinding


class ProofState(StrEnum):
    """Whether what was proved of a function still holds. STALE: the data is not what it was proved on any more.

    BROKEN: a law fails on the new rows, the function fails on some, or a column that it needs is missing.
    """

    VALID = "valid"
    STALE = "stale"
    BROKEN = "broken"


class CheckedFunction(Value):
    """One function version on the new rows.

    `broken`: failed laws, or how it failed, a sentence each; `laws`: the ids of those laws. `unmet`: what it claims of
    itself and what does not hold here. `drift`: where the data is not what it was proved on. `beyond`: what it does
    more than its evidence allows, at which an apply stops; a sentence each, without cells.
    `notes`: what a person should know and what decides nothing. `baseline`: whether the evidence says what the data
    looked like; without it only laws are judged.
    """

    name: str
    version: int
    state: ProofState
    broken: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    drift: tuple[DriftFinding, ...] = ()
    beyond: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    baseline: bool = True

    @property
    def said(self) -> tuple[str, ...]:
        """Why it is not valid, the worst first."""
        return (*self.broken, *self.unmet, *(one.said for one in self.drift), *self.beyond)

    @property
    def without_cells(self) -> tuple[str, ...]:
        """The same, fit to be kept where the data is not: messages of functions may hold cells."""
        laws = tuple(f"the law `{law}` fails" for law in self.laws)
        failed = ("it cannot work on the rows",) if self.broken and not laws else ()
        unmet = ("it does not do what it claims",) if self.unmet else ()
        return (*laws, *failed, *unmet, *(one.without_cells.said for one in self.drift), *self.beyond)


class CheckReport(Value):
    """Whether promoted functions may be applied to a file. `looked_at`: of its `rows`, those drawn at random.

    `how_rows_count`: what a person has to know to find a row that is named; empty for files in which it is plain.
    `new_columns`, `reordered`: against the data on which the functions were proved. `renamed`: what was mapped, and
    `suggested`: what may be, by the name of a missing column that functions know, the one of the file.
    """

    at: datetime
    data: str
    data_sha256: str
    rows: int
    looked_at: int
    how_rows_count: str = ""
    state: ProofState
    functions: tuple[CheckedFunction, ...]
    new_columns: tuple[str, ...] = ()
    reordered: tuple[str, ...] = ()
    renamed: dict[str, str] = Field(default_factory=dict)
    suggested: dict[str, str] = Field(default_factory=dict)
    weakened: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        return self.state is ProofState.VALID

    @property
    def first_problem(self) -> str:
        """A sentence on why it is not valid; empty where it is."""
        bad = next((one for one in self.functions if one.state is self.state), None)
        if self.valid or bad is None:
            return ""
        return f"{bad.name} is {bad.state}: {bad.said[0]}"


def refuse_invalid(report: CheckReport) -> None:
    """Raise ApplyDrifted where a function is not valid on the data."""
    if not report.valid:
        raise ApplyDrifted(
            f"{report.data} was not cleaned: {report.first_problem}.",
            function=next(one.name for one in report.functions if one.state is report.state),
            advice="Nothing was written. `cleanroom check` shows all of it.",
        )


def worst(states: list[ProofState]) -> ProofState:
    return max(states, key=list(ProofState).index, default=ProofState.VALID)
