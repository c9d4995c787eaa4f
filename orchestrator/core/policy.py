"""The declared limits, allow-lists and thresholds. A YAML file (`--policy`) can replace any part of the defaults."""

from typing import Literal

from orchestrator.core.jobs import Limits
from orchestrator.core.value import Value

MIB = 2**20


class ContainerPolicy(Value):
    """Layer 1: what the container as a whole may use. Every number reaches the engine explicitly."""

    runtime: str = "runc"
    memory_bytes: int = 1024 * MIB
    pids: int = 64
    cpus: float = 1.0
    open_files: int = 256
    file_bytes: int = 64 * MIB
    tmpfs_bytes: int = 32 * MIB
    tmpfs_inodes: int = 1024
    lifetime_s: float = 600.0
    job_s: float = 120.0  # all children of one job together, whatever each of them may take
    child_filter: Literal["required", "off"] = "required"
    landlock: Literal["required", "available", "off"] = "available"  # available: where the kernel has it
    pool_size: int = 2


class ScreenPolicy(Value):
    """What the AST screen accepts. Early rejection and better feedback, never the boundary."""

    imports: tuple[str, ...] = (
        "__future__", "collections", "collections.*", "dataclasses", "datetime", "decimal", "difflib", "enum",
        "fractions", "functools", "html", "itertools", "json", "math", "numbers", "numpy", "numpy.*", "operator",
        "pandas", "pandas.*", "re", "statistics", "string", "textwrap", "typing", "unicodedata", "urllib.parse",
        "zoneinfo",
    )  # fmt: skip
    max_source_bytes: int = 64_000
    max_lines: int = 1_000
    max_nodes: int = 20_000


class GatePolicy(Value):
    """Thresholds of the checks."""

    case_rows: int = 200  # rows of the sample on which laws are tried
    max_new_null_share: float = 0.0  # of cells that held something and hold nothing after
    max_distinct_loss: float = 0.5  # share of distinct values that may collapse into others
    holdout_share: float = 0.25
    infra_retries: int = 2


class Policy(Value):
    """Everything that is allowed, in one value; its hash is part of the evidence."""

    strict: bool = False  # refuse to run where any layer is missing or anything of the posture is otherwise
    container: ContainerPolicy = ContainerPolicy()
    limits: Limits = Limits()
    screen: ScreenPolicy = ScreenPolicy()
    gate: GatePolicy = GatePolicy()
