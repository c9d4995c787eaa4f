"""The base class of every value that passes between packages or is written to disk."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value that refuses unknown fields, so that a typo in a policy or a contract is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
