"""Of several places of a text only the first is changed, in several texts. Called by divided_words, masked_figures."""

from collections.abc import Callable, Sequence

from orchestrator.gate.information.changes import Change, Found

ENOUGH, SEVERAL = 3, 2  # different texts, and places in each of them


def first_only(
    changed: Sequence[Change], done: Callable[[str, str], list[bool]], detail: str, enough: int
) -> Found | None:
    """The first text of which only the first place is done, where no later one of any text is.

    `done`: of each place of a text, whether it was changed. `enough`: different texts; one as a witness may show it.
    """
    only: dict[Change, None] = {}
    for change in changed:
        places = done(*change)
        if any(places[1:]):
            return None
        if len(places) >= SEVERAL and places[0]:
            only[change] = None
    return (detail, next(iter(only))) if len(only) >= enough else None
