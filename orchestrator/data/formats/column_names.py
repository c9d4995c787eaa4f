"""Names for columns whose header has none, or the same one twice. Called by the readers of CSV and Parquet.

An index that pandas wrote has no name, and exports of spreadsheets repeat names. Such columns are read under the names
that pandas gives them, and written back as they were.
"""

from collections.abc import Sequence

from orchestrator.data.text import clean_text

_MOST = 5


def own_names(header: Sequence[str]) -> tuple[str, ...]:
    """A name for each column that no other has: `Unnamed: 0` counts from 0, `city.1` is the second `city`."""
    known = set(header)
    taken: set[str] = set()
    last: dict[str, int] = {}  # the number that a name got last; those below it stay taken
    made = []
    for place, stored in enumerate(header):
        base = stored if stored.strip() else f"Unnamed: {place}"
        name = base
        while name in taken or (name in known and name != stored):
            last[base] = last.get(base, 0) + 1
            name = f"{base}.{last[base]}"
        taken.add(name)
        made.append(name)
    return tuple(made)


def renaming_note(header: Sequence[str], names: Sequence[str]) -> str:
    """What a person should know of names that were given; empty where none was."""
    given = [(place, *pair) for place, pair in enumerate(zip(header, names, strict=True), 1) if pair[0] != pair[1]]
    said = []
    for place, stored, name in given[:_MOST]:
        what = f"is a second {clean_text(stored, 40)!r}" if stored.strip() else "has no name"
        said.append(f"column {place} {what} and is read as {clean_text(name, 40)!r}")
    return ", ".join(said) + (f", and {len(given) - _MOST} more" if given[_MOST:] else "")
