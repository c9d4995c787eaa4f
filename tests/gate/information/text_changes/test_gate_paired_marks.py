"""Quotation marks, stars, bullets and headings of texts, which belong together."""

import pytest

from orchestrator.gate.information.suspicions import suspicions

STAY = ("Red lamp of Rome.\nIt is new.", "- Tea\n- Mug")


def held(before: str, after: str) -> bool:
    return bool(suspicions([(before, after), *((text, text) for text in STAY)]))


@pytest.mark.parametrize(
    ("before", "wrong", "right"),
    [
        ("“Mug”, said Ann’s aunt.", "'Mug', said Ann's aunt.", '"Mug", said Ann\'s aunt.'),
        ("“Mug”, said Ann’s aunt.", "'Mug', said Ann\"s aunt.", '"Mug", said Ann’s aunt.'),
        ("“Mug”, said Ann’s aunt.", "Mug, said Ann's aunt.", '"Mug", said Ann\'s aunt.'),
        ('It said "new mug" there', "It said new mug there", "It said “new mug” there"),
        ('Er nahm "Mug" mit', "Er nahm “Mug„ mit", "Er nahm „Mug“ mit"),
        ('Das "Mug" ist 46" breit', "Das „Mug“ ist 46“ breit", 'Das „Mug“ ist 46" breit'),
        ('Modell "Mug 46" ist neu', "Modell “Mug 46„ ist neu", "Modell „Mug 46“ ist neu"),
        ("*Mug* is red\n* 3", "- Mug* is red\n- 3", "*Mug* is red\n- 3"),
        ("• Mug\n  ◦ Red\n• Tea", "- Mug\n- Red\n- Tea", "- Mug\n  - Red\n- Tea"),
        ("= Mug =\nRed", "## Mug\nRed", "# Mug\nRed"),
        ("== Oslo ==\n=== 2019 ===\nLamp", "##Oslo\n###2019\nLamp", "## Oslo\n### 2019\nLamp"),
    ],
)
def test_marks_stay_what_they_are(before: str, wrong: str, right: str) -> None:
    """A mark may be written otherwise; what it marks, and on which level, stays."""
    assert held(before, wrong)
    assert not held(before, right)
