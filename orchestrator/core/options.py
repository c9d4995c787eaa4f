"""The base class of the values that callers of the library make: limits, budgets, model choices, requests."""

from typing import Any

from pydantic import ValidationError

from orchestrator.core.errors import UsageError
from orchestrator.core.value import Value


class OptionValue(Value):
    """A value that callers of the library make: what is wrong with it is a UsageError, not an error of pydantic's."""

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise UsageError(
                f"Invalid argument '{where}': {first['msg']}.",
                advice=f"The arguments are {', '.join(type(self).model_fields)}.",
            ) from None
