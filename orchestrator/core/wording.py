"""The word for a number of things. Called by commands, reports and checks."""

import re
from collections.abc import Iterable, Sequence

_EXAMPLE = 40
KEEP_APART = "Or keep such rows apart with --quarantine."
"""A sentence of advice about rows that can be set aside, after others; who has no such option leaves it out."""
KEEP_APART_OF_UTF8 = "Or keep such rows apart with --quarantine --encoding utf-8."
"""The same where no letter beyond ASCII is right, so that the file may have another encoding, unless it is said."""


WITH_HELD_OUT = "held-out rows included"
WITHOUT_HELD_OUT = "held-out rows not counted"
"""What figures of a verdict count: a concern rows of sample and holdout, the rows that change only the sample's."""


def without_quarantine(advice: str) -> str:
    """The advice for those who have no --quarantine: some commands, the service, agents."""
    return advice.replace(f" {KEEP_APART}", "").replace(f" {KEEP_APART_OF_UTF8}", "")


def plural(count: int, one: str, many: str = "") -> str:
    """`one` for one thing; for any other number `many`, or `one` with an s."""
    return one if count == 1 else many or f"{one}s"


def counted(count: int, one: str, many: str = "") -> str:
    """The number and the word: `1 row`, `2,000 rows`."""
    return f"{count:,} {plural(count, one, many)}"


def joined_by_and(names: Sequence[str]) -> str:
    """The names as a sentence has them: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def seen_in(rows: int, of: int, example: str) -> str:
    """The end of a note on cells: in how many of the rows that were looked at, and one of them."""
    shown = example if len(example) <= _EXAMPLE else f"{example[:_EXAMPLE]}…"
    return f"Seen in {rows:,} of {counted(of, 'row')} looked at, such as {shown!r}."


def told_once(notes: Iterable[str]) -> list[str]:
    """The notes on parts of one file, each once: the first one where they differ in that end only."""
    told: dict[str, str] = {}
    for note in notes:
        told.setdefault(
            re.sub(r" Seen in [\d,]+ of [\d,]+ rows? looked at, such as .*", "", note, flags=re.DOTALL), note
        )
    return list(told.values())


def blanks_left(count: int) -> str:
    """What is said of cells that nobody corrected."""
    return "1 null word or stray blank is left" if count == 1 else f"{count:,} null words or stray blanks are left"
