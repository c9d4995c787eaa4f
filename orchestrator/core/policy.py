"""The declared limits, allow-lists and thresholds. A YAML file (`--policy`) can replace any part of the defaults."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from orchestrator.core.jobs import Limits
from orchestrator.core.option_value import OptionValue

MIB = 2**20
Host = Annotated[str, Field(pattern=r"^(\*\.)?[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$")]
LARGEST_ROWS = 12_800
"""The largest table on which a function is proved, and so the largest to which it is applied."""
LARGEST_BYTES = 16 * MIB
"""Where so many rows are more bytes than that, the largest has `LARGEST_ROWS_OF_WIDE` rows."""
LARGEST_ROWS_OF_WIDE = 1_600
TABLES_OF_A_PROCESS = 4
"""So many tables a process is given, one after the other, where a function of tables is applied, and where it is judged
as it is applied. Always as many: a function that looks at its job must not learn which of both it is."""

LOCKS = {"child_filter": ("off", "required"), "landlock": ("off", "available", "required")}
"""The settings of a container that are no numbers but layers, each from its weakest value to its strictest."""


class ContainerPolicy(OptionValue):
    """Layer 1: what the container as a whole may use. Every number reaches the engine explicitly."""

    runtime: str = Field(default="runc", pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
    memory_bytes: int = Field(
        default=1024 * MIB, ge=256 * MIB, le=2**40
    )  # the guest with pandas needs a good part of 256
    pids: int = Field(default=64, ge=8, le=32_768)
    cpus: float = Field(default=1.0, ge=0.1, le=1024, allow_inf_nan=False)
    open_files: int = Field(default=256, ge=64, le=2**20)
    file_bytes: int = Field(default=64 * MIB, ge=1, le=2**40)
    tmpfs_bytes: int = Field(default=32 * MIB, ge=MIB, le=2**40)
    tmpfs_inodes: int = Field(default=1024, ge=64, le=10**7)
    lifetime_s: float = Field(default=600.0, ge=20, le=86_400, allow_inf_nan=False)
    job_s: float = Field(
        default=120.0, ge=1, le=86_400, allow_inf_nan=False
    )  # all children of one job together, in addition to the limit of each
    child_filter: Literal["required", "off"] = "required"
    landlock: Literal["required", "available", "off"] = "available"  # available: where the kernel has it
    pool_size: int = Field(default=2, ge=1, le=64)

    @model_validator(mode="before")
    @classmethod
    def _suits_the_runtime(cls, given: Any) -> Any:
        """gVisor's own threads and memory count against the container's limits: unset limits get higher defaults."""
        if isinstance(given, dict) and str(given.get("runtime", "")).startswith("runsc"):
            return {"memory_bytes": 2048 * MIB, "pids": 256} | given
        return given

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.tmpfs_bytes > self.memory_bytes:
            raise ValueError("tmpfs_bytes is more than memory_bytes, which it is taken from")
        return self


class ScreenPolicy(OptionValue):
    """What the AST screen accepts. Early rejection and better feedback, never the security boundary."""

    imports: tuple[str, ...] = (
        "__future__", "cleanroom_*", "collections", "collections.*", "copy", "dataclasses", "datetime", "decimal",
        "difflib", "enum", "fractions", "functools", "html", "itertools", "json", "math", "numbers", "numpy", "numpy.*",
        "operator", "pandas", "pandas.*", "re", "statistics", "string", "textwrap", "typing", "unicodedata",
        "urllib.parse", "zoneinfo",
    )  # fmt: skip
    # What may be used of a module, beyond the list of the screen; "*" for all its public names.
    surface: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    max_source_bytes: int = Field(default=64_000, ge=1, le=1_000_000)
    max_lines: int = Field(default=1_000, ge=1, le=100_000)
    max_nodes: int = Field(default=20_000, ge=1, le=1_000_000)


class GatePolicy(OptionValue):
    """Thresholds of the checks."""

    case_rows: int = Field(default=200, ge=1, le=100_000)  # rows of the sample on which laws are checked
    max_new_null_share: float = Field(
        default=0.0, ge=0, le=1, allow_inf_nan=False
    )  # share of non-empty cells that may become empty
    max_distinct_loss: float = Field(
        default=0.5, ge=0, le=1, allow_inf_nan=False
    )  # share of distinct values that may collapse into others
    holdout_share: float = Field(default=0.25, ge=0, le=0.9, allow_inf_nan=False)
    infra_retries: int = Field(default=2, ge=0, le=10)
    drawn_cells: int = Field(default=60, ge=1, le=2_000)  # different cells that `properties` draws for each column
    shrink_s: float = Field(default=10.0, ge=0, le=600, allow_inf_nan=False)  # processor time to make an input smaller
    max_growth: float = Field(default=1.2, ge=1, le=4, allow_inf_nan=False)  # n to the power of this bounds the cost


class ColumnRule(OptionValue):
    """What the team requires of one column. If a function changes the column, all its cells are checked."""

    never_changes: bool = False
    not_null: bool = False
    allowed: tuple[str | int | float | bool, ...] | None = None
    matches: str | None = Field(default=None, max_length=1000)  # a regular expression for the whole cell, as text

    @field_validator("matches")
    @classmethod
    def _compiles(cls, pattern: str | None) -> str | None:
        try:
            re.compile(pattern or "")
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"not a regular expression: {error}") from None
        return pattern


class AuditPolicy(OptionValue):
    """How many rows of each batch are run again while functions are applied: a share, and at least so many."""

    share: float = Field(default=0.01, ge=0, le=1, allow_inf_nan=False)
    rows: int = Field(default=64, ge=1, le=LARGEST_ROWS)


class ModelPolicy(OptionValue):
    """Where questions to language models may go, and how much one answer may hold.

    `egress`: hosts as `api.openai.com`, `*.example.org`, `localhost:11434`.
    """

    egress: tuple[Host, ...] | None = None  # None: any
    functions_per_answer: int = Field(default=4, ge=1, le=20)  # each is judged by itself


class Policy(OptionValue):
    """Everything that is allowed, in one value; its hash is part of the evidence."""

    strict: bool = False  # refuse to run where any layer is missing or the observed posture differs
    container: ContainerPolicy = ContainerPolicy()
    limits: Limits = Limits()
    screen: ScreenPolicy = ScreenPolicy()
    gate: GatePolicy = GatePolicy()
    columns: dict[str, ColumnRule] = Field(default_factory=dict)
    audit: AuditPolicy = Field(default=AuditPolicy(), exclude_if=lambda audit: audit == AuditPolicy())
    model: ModelPolicy = Field(default=ModelPolicy(), exclude_if=lambda model: model == ModelPolicy())
