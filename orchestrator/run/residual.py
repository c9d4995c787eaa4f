"""What is left to clean: a table after the functions promoted so far, computed in a sandbox. Called by loop and verify."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from orchestrator.core.promoted import Promoted

if TYPE_CHECKING:
    import pyarrow as pa
