"""cleanroom: proved data-cleaning functions, run only inside locked-down containers."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orchestrator.api import BudgetLimits, Cleanroom, DataFile, ModelChoice, Run, RunEvent, RunLimits

__version__ = "0.1.0"
__all__ = ["BudgetLimits", "Cleanroom", "DataFile", "ModelChoice", "Run", "RunEvent", "RunLimits", "__version__"]


def __getattr__(name: str) -> Any:
    """The library, imported when it is asked for: `cleanroom --help` must not pay for pandas and Docker."""
    if name in __all__:
        return getattr(importlib.import_module("orchestrator.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
