"""What one changed column is suspected of. Called by this folder and by the check `keeps-information`."""

from typing import NamedTuple


class Suspected(NamedTuple):
    """What seems to be lost. `kind`: a stable id; `row`: of the result, which shows it; `rows`: how many are alike."""

    kind: str
    detail: str
    row: int
    wanted: str
    rows: int = 1
