"""What a proposer claims (contract) and what it hands in (candidate). Used by every room above."""

import hashlib
from enum import StrEnum
from typing import Any

from orchestrator.core.value import Value


class Shape(StrEnum):
    """What a function takes and returns: DataFrame → DataFrame, dict → dict, or str → str."""

    TABLE = "table"
    RECORD = "record"
    TEXT = "text"


class Example(Value):
    """One row (or text) before and after, as plain JSON."""

    input: Any
    output: Any


class Contract(Value):
    """What the candidate claims about itself; the gate holds it to every word.

    `modifies` is None when the candidate does not say, which allows any column to change.
    """

    shape: Shape = Shape.TABLE
    modifies: tuple[str, ...] | None = None
    adds: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    drops_rows: bool = False
    examples: tuple[Example, ...] = ()


class Candidate(Value):
    """Untrusted source text, with the parts of it that can be known without running it."""

    source: str
    name: str
    issue: str = ""
    docstring: str = ""
    contract: Contract = Contract()
    has_detect: bool = False

    @property
    def sha256(self) -> str:
        return source_hash(self.source)


def source_hash(source: str) -> str:
    """The hex SHA-256 of the source as UTF-8: a function's identity everywhere."""
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
