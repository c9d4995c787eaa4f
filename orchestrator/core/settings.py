"""Settings from environment variables: model, endpoint, runtime. Command-line options override them.

Read by `bootstrap`, `cleanroom config` and the policy reader.

Plain `os.environ`: pydantic-settings takes a quarter of a second to import, which every command would pay.
"""

import os
from dataclasses import dataclass

from pydantic import SecretStr

PREFIX = "CLEANROOM_"


@dataclass(frozen=True)
class Settings:
    """CLEANROOM_MODEL, CLEANROOM_API_BASE, CLEANROOM_API_KEY, CLEANROOM_RUNTIME, as they are when this is read."""

    model: str = "builtin"
    api_base: str | None = None
    api_key: SecretStr | None = None
    runtime: str | None = None

    @classmethod
    def read(cls) -> "Settings":
        """The variables of this process; one that is empty counts as not set."""
        key = _variable("API_KEY")
        return cls(
            model=_variable("MODEL") or cls.model,
            api_base=_variable("API_BASE"),
            api_key=SecretStr(key) if key else None,
            runtime=_variable("RUNTIME"),
        )


def _variable(name: str) -> str | None:
    return os.environ.get(PREFIX + name) or None
