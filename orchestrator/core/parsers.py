"""Parsers: candidates that turn the bytes of a file into rows, and what a sandbox runs of them.

`parse(data, state, last)` gives the rows that it finds at the start of `data`, each with the number of bytes that it
is made of, and a state for the next call. What it leaves unread comes again, in front of the next block; `last`: no
block follows. A sandbox knows nothing of this: `parse` runs as a function of records, by a few lines that are put
behind its source. Called by gate/parsers and run/parse.
"""

from typing import Any, NamedTuple

from pydantic import Field

from orchestrator.core.candidate import Shape, source_hash
from orchestrator.core.jobs import Program, SandboxInfo
from orchestrator.core.value import Value
from orchestrator.core.verdict import CheckResult, Outcome

PARSE = "parse"
PARAMETERS = 3
KIND = "parser"
"""What its CONTRACT says in place of a shape."""
_WRAPPER = "_cleanroom_parse"
_SOURCE = f"""

# what follows is cleanroom's
def _cleanroom_values(values, columns):
    if values is None:
        return None
    if type(values) is not dict:
        raise TypeError(f"a row is a dict or None, not a {{type(values).__name__}}")
    for name, value in values.items():
        if name not in columns:
            raise ValueError(f"a row has the column {{name!r}}, which the contract does not name")
        if value is not None and type(value) is not str:
            raise TypeError(f"{{name}} is a {{type(value).__name__}}: values are str or None, as in the file")
    return [values.get(name) for name in columns]


def {_WRAPPER}(record):
    data = record["data"].encode("latin-1")
    names = record["columns"]
    columns = [[] for _ in names]
    made = {{"sizes": [], "none": [], "columns": columns, "state": record["state"], "read": 0, "error": ""}}
    try:
        for end in record["ends"]:
            last = record["last"] and end == len(data)
            rows, made["state"] = {PARSE}(data[made["read"] : end], made["state"], last)
            for size, values in rows:
                if type(size) is not int or size < 1:
                    raise ValueError(f"a row is made of {{size!r}} bytes: it must be a positive int")
                cells = _cleanroom_values(values, names)
                if cells is None:
                    made["none"].append(len(made["sizes"]))
                else:
                    for column, cell in zip(columns, cells):
                        column.append(cell)
                made["sizes"].append(size)
                made["read"] += size
            if made["read"] > end:
                raise ValueError("its rows are made of more bytes than it was given")
    except Exception as error:
        made["error"] = f"{{type(error).__name__}}: {{error}}"[:500].encode("utf-8", "replace").decode()
    return made
"""


class ParserContract(Value):
    """What a parser says of itself: its columns, and how the parts of a file begin that are no rows."""

    columns: tuple[str, ...]
    skips: tuple[str, ...] = ()


class ParserCandidate(Value):
    """Untrusted source text of a parser, with what can be read from it without running it."""

    source: str
    contract: ParserContract
    issue: str = ""

    @property
    def sha256(self) -> str:
        return source_hash(self.source)

    @property
    def program(self) -> Program:
        """The parser as a sandbox runs it: a function of records, one call of which goes through some blocks."""
        return Program(_WRAPPER, self.source + _SOURCE, Shape.RECORD)


class ParsedPart(NamedTuple):
    """Some bytes of a file: how many, and the row that they are, by column; None for what is no row."""

    size: int
    values: tuple[str | None, ...] | None


class ParserAnswer(NamedTuple):
    """What a parser made of some blocks: the parts in their order, as far as it came, and how many bytes they are.

    `error`: why it came no further; empty where it did not fail.
    """

    parts: tuple[ParsedPart, ...]
    state: Any
    read: int
    error: str = ""


class ParserInfo(Value):
    """Which parser a verdict is about."""

    sha256: str
    columns: tuple[str, ...] = ()
    kind: str = KIND


class ParserVerdict(Value):
    """All checks of one parser, on the beginning of one file. `rows`: how many it found there.

    `weakened`: what was weaker than in the default policy (`core.weakened`).
    """

    candidate: ParserInfo
    verdict: Outcome
    checks: tuple[CheckResult, ...]
    rows: int = 0
    sandbox: SandboxInfo = SandboxInfo()
    weakened: tuple[str, ...] = Field(default=(), exclude_if=lambda layers: not layers)

    @property
    def passed(self) -> bool:
        return self.verdict is Outcome.PASS

    @property
    def failure(self) -> CheckResult | None:
        """The first check that did not pass."""
        return next((check for check in self.checks if check.outcome is not Outcome.PASS), None)
