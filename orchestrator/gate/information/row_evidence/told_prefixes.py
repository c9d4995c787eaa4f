"""What comes to stand in front of a text because another column of the row says so. Called by settled_cells.py.

`0664 123` of a row with `AT` is `+43664123` where all other numbers of such rows begin with `+43`, and those of other
countries do not. So is `U54743242` as `ATU54743242`.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.value_kinds.telephones import DIGITS

ENOUGH = 3  # different cells of rows that say the same, and show what stands in front
_TELEPHONE = re.compile(r"0[\d ()./-]+|\([\d ()./-]+")
_COUNTRY_CODE = re.compile(r"\+\d{1,3}")
LONGEST = 5  # characters in front
SHORTEST = 4  # of the text behind them


def put_in_front(cells: Sequence[Change], rows: Sequence[int]) -> dict[int, str]:
    """What those of the rows got in front whose text got nothing else."""
    return {row: front for row in rows if (front := _in_front(*cells[row]))}


def prefixed_rows(cells: Sequence[Change], other: Sequence[Any], put: Mapping[int, str]) -> list[int]:
    """Those of the rows whose text got in front what the unchanged cells beside the same word have there."""
    stay: dict[str, set[str]] = defaultdict(set)
    for (before, after), beside in zip(cells, other, strict=True):
        if isinstance(before, str) and before == after and isinstance(beside, str):
            stay[beside].add(before)
    return [row for row, front in put.items() if _tells(stay, other[row], front)]


def _in_front(before: Any, after: Any) -> str:
    """What was put in front, of a national number in place of its zero; empty where more than that changed."""
    if not isinstance(before, str) or not isinstance(after, str):
        return ""
    for core in (before.strip(), before.strip().removeprefix("0")):
        if len(core) >= SHORTEST and after.endswith(core) and 0 < len(after) - len(core) <= LONGEST:
            return after[: -len(core)]
    return _country_code(before, after) if _TELEPHONE.fullmatch(before) else ""


def _country_code(before: str, after: str) -> str:
    """What was put in front of a telephone number of which only signs went besides: `+44` of `(020) 794-6011`."""
    figures = re.sub(r"\D", "", before).removeprefix("0")
    front = after.removesuffix(figures)
    return front if len(figures) >= DIGITS and front != after and _COUNTRY_CODE.fullmatch(front) else ""


def _tells(stay: dict[str, set[str]], beside: Any, put: str) -> bool:
    stay = (
        {word: {cell for cell in found if cell.startswith("+")} for word, found in stay.items()}
        if put[0] == "+"
        else stay
    )
    same = stay.get(beside, set()) if isinstance(beside, str) else set()
    others = [cell for word, found in stay.items() if word != beside for cell in found]
    return (
        len(same) >= ENOUGH
        and all(cell.startswith(put) for cell in same)
        and len(others) >= ENOUGH
        and not any(cell.startswith(put) for cell in others)
    )
