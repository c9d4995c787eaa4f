"""The base class of the values that callers of the library make: limits, budgets, policies, conventions, examples."""

from typing import Any

from pydantic import ValidationError

from orchestrator.core.errors import UsageError
from orchestrator.core.value import Value


class OptionValue(Value):
    """A value that callers of the library make: the constructor raises UsageError, not pydantic's error.

    `model_validate` is for code that reads files and names the file in its own error: it raises ValidationError.
    """

    def __init__(self, /, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
            first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])  # a mistyped name
            where = "".join(f" '{place}'" for place in [".".join(map(str, first["loc"]))] if place)
            raise UsageError(
                f"Invalid argument{where}: {first['msg'].removeprefix('Value error, ')}.",
                advice=f"The arguments are {', '.join(type(self).model_fields)}.",
            ) from None

    # Without this mark pydantic would call the constructor for values within values too, and lose where they stand.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]
