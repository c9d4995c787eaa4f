"""Changes put together of parts that witnesses show one by one. Called by otherwise_than_shown.py."""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.shown import same_form
from orchestrator.gate.information.text_changes.replaced_parts import replaced_parts


class ReplacedAsShown:
    """The parts that witnesses replace, whatever their case: `Under 14 boys` as `U14 boys` shows `Under 10 Boys 3`."""

    def __init__(self, shown: Sequence[Change]) -> None:
        self._shown = {part for one in shown if _figures(one[0]) == _figures(one[1]) for part in _parts(one)}

    def fits(self, change: Change) -> bool:
        """Whether the text keeps its figures, and each part that was replaced is one of those with other figures."""
        parts = _parts(change) if self._shown and _figures(change[0]) == _figures(change[1]) else ()
        return bool(parts) and all(any(same_form(part, one) for one in self._shown) for part in parts)


def _parts(change: Change) -> tuple[Change, ...]:
    return replaced_parts(change[0].casefold(), change[1].casefold())


def _figures(text: str) -> list[str]:
    return re.findall(r"\d+", text)
