"""The steps of a run as a whole: its beginning, apply, a resume, its end."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, field_validator

from orchestrator.core.columns import ColumnChange, ColumnQuality, FunctionChange
from orchestrator.core.steps.step_base import Step
from orchestrator.core.value import Value
from orchestrator.core.wording import counted, plural

_MOST_NOTES = 5


class RunStatus(StrEnum):
    """How a run ended. The first four, from best to worst, also say how a chunk ended."""

    CLEAN = "clean"  # nothing more is proposed, and the host finds no null words or stray blanks
    FINISHED = "finished"  # nothing more is proposed, but cells are left that look untidy, or functions are held
    GAVE_UP = "gave-up"  # an issue was found, but no function for it passed the gate
    LIMIT = "limit"  # a declared limit was reached first
    BUDGET = "budget"
    INTERRUPTED = "interrupted"
    FAILED = "failed"

    @property
    def shown(self) -> str:
        """The word for a person: "clean" reads like a verdict on the data. Programs are given the value."""
        return shown_status(self)

    @property
    def resumable(self) -> bool:
        """Whether the run ended before its work was done."""
        return self in {RunStatus.LIMIT, RunStatus.BUDGET, RunStatus.INTERRUPTED, RunStatus.FAILED}


def shown_status(status: str) -> str:
    """As `RunStatus.shown`, also of a run without an end, which is none of these."""
    return "complete" if status == RunStatus.CLEAN else str(status)


class RunStep(Step):
    """The run as it was started. `gate_secret`: with a candidate's hash it gives the gate's random choices."""

    kind: Literal["run"] = "run"
    run_id: str
    data: str
    data_sha256: str
    data_format: str
    columns: tuple[str, ...]
    rows: int
    proposer: str
    instruction: str = ""
    configuration: dict[str, Any] = Field(default_factory=dict)
    quality: tuple[ColumnQuality, ...] = ()
    gate_secret: str = Field(default="", exclude_if=lambda secret: not secret)

    @field_validator("configuration")
    @classmethod
    def _read_as_written(cls, configuration: dict[str, Any]) -> dict[str, Any]:
        """What is read again: a journal may come from a stranger."""
        for name, kind in (("data", str), ("policy", dict), ("limits", dict), ("model", dict)):
            if not isinstance(configuration.get(name), kind | None):
                raise ValueError(f"{name} of the configuration is not what a run writes there")  # noqa: TRY004
        return configuration


class StateDigest(Value):
    """What a fitted function learnt of the data that it was applied to, by the hash of its text; that is not stored."""

    name: str
    sha256: str
    bytes: int
    rows: int
    text: str = Field(default="", exclude=True, repr=False)


class DataDrift(Value):
    """How the data differs from the rows on which a function was proved; `said`: in a sentence without a full stop.

    `before`, `now`: how many of how many cells of the column. `value`: a pattern of cells, or a value that is new.
    """

    function: str
    kind: str
    column: str
    value: str = ""
    before: tuple[int, int]
    now: tuple[int, int]
    said: str


class ApplyStep(Step):
    """The promoted functions were applied to the whole data set; `quarantined` rows failed and were set aside.

    `formulas`: by column, how many cells start a spreadsheet formula and did not before. `weakened`: what was
    weaker than in the default policy. `drifted`: what functions did beyond their evidence, where that was accepted;
    `without_band`: functions whose evidence is too old to say; `other_libraries`: those that were proved with other
    versions of Python or its packages than the sandbox has now. `data_drift`: how the batches that were looked at
    differ from the rows on which functions were proved; `new_columns`: those that were not there then. `learnt`: by
    fitted function, the digest of its state. `idle`: columns that are not there, with the functions that do nothing
    for want of them. `renamed`: by the name that functions know, that of the file. `added`: columns of the output that
    the data did not have. `reading`, `written`: what to know of how the data were read and written.
    """

    kind: Literal["apply"] = "apply"
    rows_in: int = 0
    rows_out: int = 0
    quarantined: int = 0
    output: str = ""
    columns: tuple[ColumnChange, ...] = ()
    functions: tuple[FunctionChange, ...] = ()
    quality: tuple[ColumnQuality, ...] = ()
    formulas: dict[str, int] = Field(default_factory=dict)
    weakened: tuple[str, ...] = Field(default=(), exclude_if=lambda layers: not layers)
    drifted: tuple[str, ...] = Field(default=(), exclude_if=lambda found: not found)
    without_band: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)
    other_libraries: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)
    data_drift: tuple[DataDrift, ...] = Field(default=(), exclude_if=lambda found: not found)
    new_columns: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)
    idle: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)
    reading: tuple[str, ...] = Field(default=(), exclude_if=lambda notes: not notes)
    written: tuple[str, ...] = Field(default=(), exclude_if=lambda notes: not notes)
    renamed: dict[str, str] = Field(default_factory=dict, exclude_if=lambda names: not names)
    added: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)

    learnt: tuple[StateDigest, ...] = Field(default=(), exclude_if=lambda states: not states)

    @property
    def changed_text(self) -> str:
        """How many cells were changed, and columns added, in words."""
        more = f", {counted(len(self.added), 'column')} added" if self.added else ""
        return f"{counted(sum(column.changed for column in self.columns), 'cell')} changed{more}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should look at, in sentences without a full stop."""
        beyond = tuple(f"beyond what was proved: {found}" for found in self.drifted)
        unlike = [f"unlike what {one.function} was proved on, {one.said}" for one in self.data_drift[:_MOST_NOTES]]
        if len(self.data_drift) > _MOST_NOTES:
            unlike.append(f"{len(self.data_drift) - _MOST_NOTES} more such things: `data_drift` has all")
        names, others = _first(self.without_band), _first(self.other_libraries)
        old = [f"the evidence of {names} does not say how much it changes: not compared"] if names else []
        if others:
            advice = "`cleanroom registry verify --rerun --data FILE` judges again"
            old.append(f"proved with other versions of Python or its packages than are used here: {others}; {advice}")
        idle = tuple(f"not in the data, so nothing was done to it: {column}" for column in self.idle)
        return tuple(filter(None, (self.formulas_text, *beyond, *unlike, *old, *idle, *self.reading, *self.written)))

    @property
    def notes_alone(self) -> tuple[str, ...]:
        """The notes of an apply that is no part of a run, which says in its own way that it has found no function."""
        unused = () if self.functions else ("no function is in use there: every row is as it was",)
        return (*unused, *self.notes)

    @property
    def formulas_text(self) -> str:
        """A clause for a person about cells that became formulas; empty where there are none."""
        count = sum(self.formulas.values())
        names = list(self.formulas)
        more = f" and {len(names) - 5} more columns" if len(names) > 5 else ""
        became = f"{counted(count, 'cell')} became {plural(count, 'a spreadsheet formula', 'spreadsheet formulas')}"
        return f"{became}, in {', '.join(names[:5])}{more}" if count else ""


class ResumeStep(Step):
    """An interrupted run goes on. `configuration`: how the proposer is reached, and the limits, from now on."""

    kind: Literal["resume"] = "resume"
    configuration: dict[str, Any] = Field(default_factory=dict)


class EndStep(Step):
    """The run is over. A journal without this step belongs to a run that is still going on or was killed."""

    kind: Literal["end"] = "end"
    status: RunStatus
    promoted: int = 0
    rejected: int = 0
    held: int = 0


def _first(names: tuple[str, ...]) -> str:
    return ", ".join(names[:5]) + (" and others" if len(names) > 5 else "")
