"""Whether a long text loses much more than short ones do. Called by the check `keeps-information` and for long inputs.

A function of texts that was tried on a page may cut a book. Only asked where the sample holds texts of several lines or
sentences: of a date or a code there is no longer one.
"""

from collections.abc import Sequence

from orchestrator.gate.information.changes import Change

MIN_LENGTH = 60  # characters of the usual text of a column that is prose
MIN_LINES_SHARE = 0.1  # or the share of its texts that have several lines
LEAST_SHARE = 0.5  # of what short texts keep, that a long one must keep


def cut_text(short: Sequence[Change], long: Sequence[Change]) -> int | None:
    """The place of a long text that is cut; None when there is none. Cells before and after."""
    texts = [(before, after) for before, after in short if isinstance(before, str) and isinstance(after, str)]
    if not texts or not is_prose([before for before, _ in texts]):
        return None
    usual = sorted(_kept(*change) for change in texts)[len(texts) // 10]
    for place, (before, after) in enumerate(long):
        if isinstance(before, str) and isinstance(after, str) and _kept(before, after) < LEAST_SHARE * usual:
            return place
    return None


def is_prose(texts: Sequence[str]) -> bool:
    """Whether the texts are long, or some have several lines."""
    if not texts:
        return False
    several = sum("\n" in text.strip() for text in texts)
    return sorted(map(len, texts))[len(texts) // 2] >= MIN_LENGTH or several >= MIN_LINES_SHARE * len(texts)


def _kept(before: str, after: str) -> float:
    """The share of letters and digits that are left, by their number."""
    had = sum(map(str.isalnum, before))
    return sum(map(str.isalnum, after)) / had if had else 1.0
