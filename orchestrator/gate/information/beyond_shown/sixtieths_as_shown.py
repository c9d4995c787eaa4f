"""Hours and minutes, or degrees, that are converted otherwise than witnesses show. Called by character_laws.py.

`21h34m` as 323.5 shows that an hour is fifteen degrees: then `04:06:17` is not 4.1047.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.rounding import last_place

LONGEST = 40  # characters of a text that says a span or an angle
_SIXTY = Decimal(60)
_RATIOS = (*(Decimal(number) for number in (1, 15, 60, 3600)), 1 / _SIXTY, 1 / _SIXTY**2)
_WHOLE, _LAST = r"(\d{1,9}|\d{1,3}(?:[,'\u2019]\d{3})+)", r"(\d{1,2}(?:[.,]\d{1,6})?)"
_COLONS = re.compile(rf"[-+\u2212]?{_WHOLE}:([0-5]\d)(?::([0-5]\d(?:[.,]\d{{1,6}})?))?")
_PARTS = re.compile(
    rf"[-+\u2212]?{_WHOLE}\s?(?:\u00b0|h(?:ou)?rs?\.?|h|std\.?)\s?"
    rf"(?:{_LAST}\s?(?:['\u2032\u2019m]|min\.?)?\s?)?(?:{_LAST}\s?(?:[\"\u2033\u201ds]|''|sec\.?)?\s?)?[NSEW]?",
    re.IGNORECASE,
)
_MINUTES = re.compile(rf"(\d{{1,4}})\s?['\u2032]\s?{_LAST}\s?[\"\u2033]")
_SECONDS = re.compile(r"(\d{1,6})\s?(?:s|secs?|seconds?)\.?", re.IGNORECASE)
_NUMBER = re.compile(r"[-+\u2212]?(\d{1,9}(?:[.,]\d{1,9})?)(\s?[^\W\d_]{1,7}\.?|\u00b0)?")
_Said = tuple[str, Decimal, Decimal]  # how it is written, how many of the largest unit, and of its last place


def sixtieths_otherwise(changed: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """A span or an angle that becomes another number than the same rule makes of it as of all witnesses of its form."""
    ratios = _ratios_shown(shown)
    for change in changed if ratios else ():
        form, span = _converted(change) or (("", ""), (Decimal(0), Decimal(0)))
        if form in ratios and not any(_fits(ratio, span) for ratio in ratios[form]):
            return "hours, minutes or degrees are converted otherwise than a witness shows", change
    return None


def _ratios_shown(shown: Sequence[Change]) -> dict[tuple[str, str], list[Decimal]]:
    """By the forms before and after, the ratios that fit all witnesses; none where one fits none."""
    spans = defaultdict(list)
    for change in shown:
        if found := _converted(change):
            spans[found[0]].append(found[1])
    fitting = {
        form: [ratio for ratio in _RATIOS if all(_fits(ratio, span) for span in theirs)]
        for form, theirs in spans.items()
    }
    return {form: ratios for form, ratios in fitting.items() if ratios}


def _fits(ratio: Decimal, span: tuple[Decimal, Decimal]) -> bool:
    return span[0] <= ratio <= span[1]


def _converted(change: Change) -> tuple[tuple[str, str], tuple[Decimal, Decimal]] | None:
    """The forms before and after, and the smallest and largest ratio of the two, one of which may be cut or rounded."""
    before, after = map(_said, change)
    if before is None or before[0].startswith("number") or not before[1]:
        return None
    if after is None and (number := _number(change[1])):
        after = number
    if after is None or before[0] == after[0]:
        return None
    low, high = max(after[1] - after[2], Decimal(0)) / before[1], (after[1] + after[2]) / before[1]
    return (before[0], after[0]), (low, high)


def _said(text: str) -> _Said | None:
    text = text.strip() if len(text) <= LONGEST else ""
    if found := _COLONS.fullmatch(text):
        form, first, minutes, seconds = "two parts", *found.groups()
        form = "hours" if seconds else form
    elif (found := _PARTS.fullmatch(text)) or (found := _MINUTES.fullmatch(text)):
        first, minutes, seconds = (*found.groups(), None)[:3]
        form = "hours" if found.re is _PARTS else "minutes"
    elif found := _SECONDS.fullmatch(text):
        return "seconds", Decimal(found[1]), Decimal(1)
    else:
        return None
    whole, sixtieths, others = (
        Decimal(re.sub(r"[,'\u2019]", ".", part) if part is not first else re.sub(r"\D", "", part))
        for part in (first, minutes or "0", seconds or "0")
    )
    last = 1 if minutes is None else _SIXTY if seconds is None else _SIXTY**2
    return form, whole + sixtieths / _SIXTY + others / _SIXTY**2, Decimal(1) / last


def _number(text: str) -> _Said | None:
    found = _NUMBER.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if found is None:
        return None
    number = Decimal(found[1].replace(",", "."))
    step = last_place(number)
    return f"number {(found[2] or '').strip().casefold()}", number, step
