"""How long a run may go on, and how much of it at once. Declared by the user, obeyed by the loop."""

from pydantic import Field

from orchestrator.core.value import Value


class RunLimits(Value):
    """Hard limits of the loop; the proposer keeps its own budget of calls, tokens and money."""

    max_iterations: int = 60  # proposals per chunk
    max_repairs: int = 2  # further tries for one rejected candidate
    max_rejected: int = 5  # candidates given up per chunk before the chunk is
    max_unread: int = 3  # proposals in a row that cannot be read before the chunk is given up
    saturation: int = 2  # stop after this many chunks in a row in which nothing was found
    plan_every: int = 4  # chunks between two looks for functions that could be one; 0: never
    lanes: int = Field(default=1, ge=1, le=64)  # model calls at once
