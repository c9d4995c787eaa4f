"""A change of values as it stands in steps and reports. Spoken by run/ and whoever reads its steps."""

from orchestrator.core.value import Value


class ValueChange(Value):
    """So many cells of a column held `before` and hold `after`, as text, cut where it is long; None is missing."""

    before: str | None
    after: str | None
    count: int
