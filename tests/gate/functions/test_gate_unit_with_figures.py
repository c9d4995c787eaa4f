"""Figures that belong to a unit: litres for a hundred kilometres."""

from orchestrator.gate.information.text_changes.figures_changed import figures_gone


def test_the_hundred_of_a_unit_is_no_figure_of_the_number() -> None:
    """Also in one cell alone; where the number itself loses something, it is lost."""
    for unit in (" l/100km", "l/100 km", " L/100km"):
        assert figures_gone([(f"8.1{unit}", "8.1")]) is None
    assert figures_gone([("8.1 l/100km", "8")]) is not None
    assert figures_gone([("8.1 l/1000km", "8.1")]) is not None
