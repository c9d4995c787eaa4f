"""Who else said what a function is to do: what is kept of it with the evidence, so that it can be judged again by it.

Made by the run and by `verify`; used again by `run.verify.stored`. Only what is signed counts again.
"""

from typing import Any

from pydantic import Field, field_serializer

from orchestrator.core.candidate import Contract, Example
from orchestrator.core.conventions import Conventions
from orchestrator.core.value import Value


class Witnesses(Value):
    """What settled the concerns of a verdict, apart from a person's approval.

    `examples`: the user's; `tests`: those of an independent tester. `instruction` and `conventions`: the user's words.
    """

    examples: tuple[Example, ...] = Field(default=(), exclude_if=lambda examples: not examples)
    tests: tuple[Example, ...] = Field(default=(), exclude_if=lambda tests: not tests)
    instruction: str = Field(default="", exclude_if=lambda text: not text)
    conventions: Conventions | None = Field(default=None, exclude_if=lambda conventions: conventions is None)

    @field_serializer("conventions")
    def _as_declared(self, conventions: Conventions | None) -> dict[str, Any] | None:
        """Only what was said: a default that is written down would be a declaration when it is read again."""
        return None if conventions is None else conventions.model_dump(mode="json", exclude_unset=True)

    def about(self, contract: Contract) -> "Witnesses":
        """What of it concerns a function with this contract."""
        return Witnesses(
            examples=tuple(one for one in self.examples if concerns(contract, one) or shows_staying(contract, one)),
            tests=tuple(one for one in self.tests if concerns(contract, one) or shows_staying(contract, one)),
            instruction=self.instruction,
            conventions=None if self.conventions is None else _in_columns(self.conventions, contract),
        )


def concerns(contract: Contract, example: Example) -> bool:
    """Whether the example is about a column that the function changes, adds or drops."""
    if contract.modifies is None or not isinstance(example.output, dict):
        return True
    names = {*contract.modifies, *contract.adds, *contract.drops}
    return bool(set(example.output) & names) or shows_dropped(contract, example)


def shows_staying(contract: Contract, example: Example) -> bool:
    """Whether it is of other columns, and shows to a function that drops rows one that stays."""
    rows = isinstance(example.input, dict) and isinstance(example.output, dict)
    return rows and contract.drops_rows and not concerns(contract, example)


def shows_dropped(contract: Contract, example: Example) -> bool:
    """Whether the row afterwards lacks columns that the function drops, and no other one that it had."""
    if not isinstance(example.input, dict) or not isinstance(example.output, dict):
        return False
    gone = set(example.input) - set(example.output)
    return bool(gone) and gone <= set(contract.drops)


def _in_columns(conventions: Conventions, contract: Contract) -> Conventions | None:
    if contract.modifies is None:
        return conventions
    about = {*contract.modifies, *contract.adds}
    columns = {name: column for name, column in conventions.columns.items() if name in about}
    if conventions.all.model_fields_set:
        return Conventions(all=conventions.all, columns=columns)
    return Conventions(columns=columns) if columns else None
