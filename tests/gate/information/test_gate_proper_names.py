"""Names of people and companies: what belongs to them stays, and they are turned only where they can be."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

TURNED = ("SMITH, John", "John Smith")
SHORT = ("iDesk Limited", "iDesk Ltd")


def kinds(*cells: Change, shown: tuple[Change, ...] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


@pytest.mark.parametrize(
    ("right", "wrong", "shown"),
    [
        (("Knuth, Jr., Ada", "Ada Knuth Jr."), ("Knuth, Jr., Ada", "Ada Jr. Knuth"), TURNED),
        (("Knuth, Oslo", "Oslo Knuth"), ("Knuth & Co, Oslo", "Oslo Knuth & Co"), TURNED),
        (("Acme, Inc.", "Acme Inc"), ("Acme, Inc.", "Inc Acme"), TURNED),
        (("GARC\u00cdA, Ada", "Ada Garc\u00eda"), ("GARC\u00cdA, Ada", "Ada Garc\u00cdA"), TURNED),
        (("ZO\u00cb ROE", "Zo\u00eb Roe"), ("ZO\u00cb ROE", "Zo\u00cb Roe"), TURNED),
        (("Desk Limited", "Desk Ltd"), ("Limited Edition desk", "Ltd Edition desk"), SHORT),
        (
            ("Knuth, Roe & Hopper Ltd.", "Knuth, Roe & Hopper Ltd"),
            ("Knuth, Roe & Hopper Ltd.", "Knuth Roe & Hopper Ltd"),
            SHORT,
        ),
        (("Lamp gmbh & co. kg", "Lamp GmbH & Co. KG"), ("Lamp GmbH & Co. KG", "Lamp GmbH"), SHORT),
        (("Lamp G.m.b.H.", "Lamp GmbH"), ("Lamp Holding", "Lamp Holding GmbH"), SHORT),
    ],
)
def test_what_belongs_to_a_name_stays_with_it(right: Change, wrong: Change, shown: Change) -> None:
    """A suffix, a partner, a comma between two, a letter with a mark: whatever other change of names is shown."""
    assert not kinds(right, shown=(shown,))
    assert kinds(wrong, shown=(shown,))
    assert not kinds(wrong, shown=(wrong,))


def test_a_double_name_keeps_its_hyphen() -> None:
    """Three names show that it is no slip of one, and a witness of one settles them."""
    names = [(f"{first} Smith-Roe", f"{first} Smith Roe") for first in ("Ada", "Tim", "Zoe")]
    assert "mark-lost" in kinds(*names, shown=(TURNED,))
    assert "mark-lost" not in kinds(*names, shown=(("Eva Hall-Ford", "Eva Hall Ford"),))
    assert "mark-lost" not in kinds(("red-green lamp", "red green lamp"), ("well-known desk", "well known desk"))
