"""A witness settles a loss by what is lost: an entity is no word, and a country in front is no extension behind."""

from typing import Any

import pytest

from orchestrator.gate.information.suspicions import suspicions

SOFT, AHEAD = ("<p>Soft &amp; warm</p>", "Soft & warm"), ("+1 255 214 1629", "255-214-1629")
PLAIN = ("(855) 812-6449", "855-812-6449")


@pytest.mark.parametrize(
    ("change", "shown", "found"),
    [
        (("Cotton<br>100%", "Cotton 100"), [SOFT], True),
        (("Cotton 100%", "Cotton 100"), [], True),
        (("Cotton<br>100%", "Cotton 100%"), [SOFT], False),
        (("Cotton 100%", "Cotton 100"), [("Wool 80%", "Wool 80")], False),
        (("Humidity: 45%", "45"), [("Humidity: 40%", "40")], False),
        (("lamp (black)", "lamp"), [SOFT], True),
        (("lamp (black)", "lamp"), [SOFT, ("lamp (white)", "lamp")], False),
        (("555-589-8317 x10", "555-589-8317"), [PLAIN, AHEAD], True),
        (("+1 555 589 8317", "555-589-8317"), [PLAIN, AHEAD], False),
        (("555-589-8317 x10", "555-589-8317"), [AHEAD, ("955-242-0561 x16", "955-242-0561")], False),
    ],
)
def test_a_loss_is_settled_by_what_is_lost(change: Any, shown: Any, *, found: bool) -> None:
    """The sign of hundredths beside entities, and what is dialled behind a number beside the code of a country."""
    cells = [*shown, change, ("lamp (blue)", "lamp (blue)"), ("black", "black")]
    assert any(one.at == len(shown) for one in suspicions(cells, shown)) is found
