"""Answers of which one denies the other are two, whatever examples show of the rest."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

SHOWN = (("stimme voll zu", "5"), ("teils/teils", "3"), ("stimme gar nicht zu", "1"))


def kinds(changed: tuple[Change, ...], shown: tuple[Change, ...] = ()) -> set[str]:
    return {one.kind for one in suspicions([*changed, *shown], shown)}


@pytest.mark.parametrize(
    ("affirmed", "denied"),
    [("stimme eher zu", "Stimme eher nicht zu "), ("plutôt d'accord", "plutôt pas d'accord"), ("likely", "not likely")],
)
def test_an_answer_and_its_denial_do_not_become_one(affirmed: str, denied: str) -> None:
    """Unless examples show it of both."""
    merged = ((affirmed, "4"), (denied, "4"))
    assert "values-collapse" in kinds(merged, SHOWN)
    assert "values-collapse" not in kinds(((affirmed, "4"), (denied, "2")), SHOWN)
    assert "values-collapse" not in kinds((), merged)


def test_other_answers_may_become_one() -> None:
    """Words that deny nothing, and two denials in other words."""
    merged = (("stimme eher zu", "4"), ("Stimme  eher zu", "4"), ("stimme nicht zu", "1"), ("stimme gar nicht zu", "1"))
    assert "values-collapse" not in kinds(merged, SHOWN)
