"""The word for a number of things. Called by the commands and the report."""


def plural(count: int, one: str, many: str = "") -> str:
    """`one` for one thing; for any other number `many`, or `one` with an s."""
    return one if count == 1 else many or f"{one}s"
