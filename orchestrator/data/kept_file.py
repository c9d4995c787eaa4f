"""Files that prove what was done, and that no result is written over: registries, journals, signed manifests.

They are known by what they begin with, whatever they are called and wherever they lie. Called by `targets` for every
result, and by `same_file` for those that are not data. A database that is not ours would be lost just as well.
"""

import re
from pathlib import Path

from orchestrator.core.errors import UsageError

_BEGINNINGS = (
    (re.compile(rb"SQLite format 3\0|\x37\x7f\x06[\x82\x83]|\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"), "an SQLite database"),
    (re.compile(rb'\{"at":"[^"]{20,40}","seconds":[\d.e+-]+,"usage":\{'), "the journal of a run"),
    (re.compile(rb'\{\s*"(?:checkpoint": "cleanroom-registry/|format": "cleanroom-functions")'), "a bundle's manifest"),
    (re.compile(rb'\{"payload":"eyJfdHlwZSI6'), "a signature"),  # of a statement of in-toto
)
_LONGEST = 200


def refuse_kept(path: Path) -> None:
    """Raise UsageError where a result would take the place of such a file. No pipe is opened."""
    try:
        if not path.is_file():
            return
        with path.open("rb") as file:
            first = file.read(_LONGEST)
    except OSError:
        return  # why it cannot be written, says who writes
    for beginning, what in _BEGINNINGS:
        if beginning.match(first):
            raise UsageError(f"{path} is {what}, which no result is written over.", advice="Name another file.")
