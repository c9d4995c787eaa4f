"""What an example of one form says of other forms: signs, figures, decimal marks, units and roundings."""

from collections.abc import Sequence

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

HOURS = [("3,392:46", "3392.77"), ("10399:12", "10399.20"), ("20106.5", "20106.50")]


def kinds(cells: Sequence[Change], shown: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions([*shown, *cells], shown)}


def test_hours_as_decimal_numbers_are_no_codes_that_are_divided_otherwise() -> None:
    """Beside numbers with one decimal, `2,000:00` may become `2000.00` as the user's examples show."""
    numbers = [(f"{whole}.5", f"{whole}.50") for whole in range(12_816, 12_826)]
    assert kinds([*numbers, ("2,000:00", "2000.00")], HOURS) == set()
