"""Codes of a fixed number of digits (ZIP codes) that lost their leading zeros, as spreadsheets make it.

Needed as proof: codes that kept theirs, or a column named after postal codes with too many short ones for slips.
"""

import re
from collections.abc import Iterator

from orchestrator.propose.builtin.names import slug
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import WorkingRows

_POSTAL = re.compile(r"(?i)(?:^|[^a-z])(?:zip|postal|postcode|plz)|zip_?code")


def _padded(value: str, width: int) -> str:
    """Short digits with zeros in front; any other text as it is."""
    return value.zfill(width) if value.isascii() and value.isdecimal() and width - 2 <= len(value) < width else value


def find(table: WorkingRows, _wishes: Preferences) -> Iterator[Remedy]:
    for column in table.columns:
        for width in (5, 4, 6, 8):
            full = column.rows(lambda text, width=width: len(text) == width and text.isdecimal())  # type: ignore[misc] # a default argument fixes the loop's width
            short = column.rows(lambda text, width=width: _padded(text, width) != text)  # type: ignore[misc] # the same
            zeros = column.rows(lambda text, width=width: len(text) == width and text.isdecimal() and text[0] == "0")  # type: ignore[misc] # the same
            postal = width == 5 and bool(_POSTAL.search(column.name))
            enough = full >= (0.7 if postal else 0.8) * column.filled and full + short >= 0.95 * column.filled
            if short and enough and (zeros >= 3 or (postal and short >= 0.03 * column.filled)):
                yield Remedy(
                    rule="codes",
                    name=f"restore_zeros_in_{slug(column.name)}",
                    issue=f"Codes in {column.name} have {width} digits, but some lost their leading zeros.",
                    doc=f"Fill codes with leading zeros to {width} digits.",
                    columns=(column.name,),
                    fix=_padded,
                    settings={"width": width},
                )
                break
