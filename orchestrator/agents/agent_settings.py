"""What `cleanroom mcp` was started with, as one value. Read by the tools."""

from dataclasses import dataclass
from pathlib import Path

from orchestrator.core.privacy import Header, Privacy


@dataclass(frozen=True)
class AgentSettings:
    """`roots`: all that tools may read. `out`: where runs go, one of the roots, too. `registry`: the default one.

    `answer_s`: a call that takes longer than that is answered with a handle.
    """

    roots: tuple[Path, ...]
    out: Path
    registry: str | None = None
    privacy: Privacy = "raw"
    header: Header = "check"
    policy: Path | None = None
    strict: bool = False
    answer_s: float = 40.0
    lanes: int = 2
