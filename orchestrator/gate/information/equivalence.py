"""Whether two texts of a column are known to say the same thing in another form. Called by column.py.

Three answers: they say the same, they say something else, or it is not known. Only what somebody can look up counts:
numbers and days in another form, words that have a code, encodings that can be undone, codes with a check digit.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from decimal import Decimal
from enum import Enum
from functools import cache

from orchestrator.data.writing.lookalikes import of_one_script, plain_letters
from orchestrator.gate.information.changes import Change, unchanged_texts
from orchestrator.gate.information.characters.flags import same_flag
from orchestrator.gate.information.column_evidence.centuries import Centuries, YearRanges
from orchestrator.gate.information.column_evidence.counted_periods import CountedPeriods
from orchestrator.gate.information.column_evidence.forms import Forms
from orchestrator.gate.information.column_evidence.hosts import Hosts
from orchestrator.gate.information.column_evidence.left_out_everywhere import LeftOutEverywhere
from orchestrator.gate.information.column_evidence.lookalikes_in_place import LookalikesInPlace
from orchestrator.gate.information.column_evidence.name_order import NameOrder
from orchestrator.gate.information.column_evidence.said_together import SaidTogether
from orchestrator.gate.information.column_evidence.shown_shifts import InGreenwich
from orchestrator.gate.information.column_evidence.signs_in_place import SignsInPlace
from orchestrator.gate.information.column_evidence.umlauts import Umlauts
from orchestrator.gate.information.column_evidence.versions import Versions
from orchestrator.gate.information.column_evidence.yes_and_no import Answers
from orchestrator.gate.information.layouts import same_content, same_parts, without_footnotes
from orchestrator.gate.information.null_tokens import both_unknown, holds_something
from orchestrator.gate.information.similarity import key, one_slip, ratio
from orchestrator.gate.information.text_changes.contractions import written_out_alike
from orchestrator.gate.information.text_changes.grouping_marks import as_decimal, grouping_by_size
from orchestrator.gate.information.text_changes.initials import same_initials
from orchestrator.gate.information.text_changes.opposites import opposite
from orchestrator.gate.information.text_changes.replaced_parts import replaced_parts
from orchestrator.gate.information.value_kinds.amounts import amounts, is_booked, is_share, is_sized, same_amount
from orchestrator.gate.information.value_kinds.check_digits import family_of, isbn
from orchestrator.gate.information.value_kinds.colours import same_colour
from orchestrator.gate.information.value_kinds.currencies import same_money
from orchestrator.gate.information.value_kinds.encodings import decoded, other_accent, scanned
from orchestrator.gate.information.value_kinds.known_words import kinds_of, surely_the_same, things
from orchestrator.gate.information.value_kinds.looked_up import LOOKED_UP
from orchestrator.gate.information.value_kinds.moments import moments, only_point_differs, other_fraction
from orchestrator.gate.information.value_kinds.moments_in_texts import same_day_fraction, same_duration, same_hours
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.said_bounds import same_bound
from orchestrator.gate.information.value_kinds.telephones import (
    abroad,
    other_country,
    same_number,
    same_within_north_america,
)
from orchestrator.gate.information.value_kinds.temperatures import same_temperature
from orchestrator.gate.information.value_kinds.units import same_quantity, same_unit

_MARKED = re.compile(r"[^\d.,]*(?!0[.,])\d{1,3}[.,]\d{3}[^\d.,]*")  # 1.234 or 1,234: the column shows what the mark is
_GROUPING = {
    mark: re.compile(rf"\d{re.escape(mark)}\d{{3}}(?:{re.escape(other)}\d{{1,2}}|{re.escape(mark)}\d{{3}})(?!\d)")
    for mark, other in (".,", ",.")
}  # a mark that some cell shows to group: 4.500,00 and 1.234.567
_DECIMALS = re.compile(r"[+-]?\d+\.\d+(?:\s*[,;]\s*[+-]?\d+\.\d+)+")  # 57.190, -10.556
_HALF_OF_DAY = re.compile(r"\d{1,2} ?[ap]m", re.IGNORECASE)
_YEAR = re.compile(r"['’]?\d{2}")
_WEEK = re.compile(r"\d{4}-?W\d{2}", re.IGNORECASE)
_SAID_TWICE = re.compile(r"([^()\[\]]+?)\s*[(\[]([^()\[\]]+)[)\]]")
_WITH = re.compile(r"\bw/(o\b)?\s*", re.IGNORECASE)  # with, and without
_TRACKING = re.compile(r"(?<=[?&])(?:utm_\w+|gclid|fbclid|mc_[ce]id)=[^&#]*&?", re.IGNORECASE)
MAX_WORD = 60
_COUNTED = re.compile(r"(\d{1,13})(?:\.0+)?")  # seconds or thousandths since 1970
SECONDS = 10**8  # fewer are no moment
FIGURES = 4  # of a number of which letters can stand for some
TYPING_ERROR = 0.8  # how alike a word and the one that it becomes are


class Known(Enum):
    """What is known of two texts."""

    SAME = "same"
    OTHER = "other"
    UNKNOWN = "unknown"


class Equivalence:
    """What the words of one column mean, taken together: its kinds of words, and what is known of two of its cells."""

    def __init__(self, cells: Sequence[Change]) -> None:
        befores = {one for one, _ in cells if isinstance(one, str) and holds_something(one)}
        afters = {other for _, other in cells if isinstance(other, str) and holds_something(other)}
        self.known = cache(self._known)  # whether two texts say the same: asked of one change several times
        self._everywhere = LeftOutEverywhere(cells)
        words = {self._everywhere.rest(text) or text for text in befores | afters if len(text) <= MAX_WORD}
        self._kinds = kinds_of(words)
        self._stay = unchanged_texts(cells)
        self._answers = Answers(self._stay, befores)
        self._family = family_of(befores)
        self._abroad = abroad(befores)
        self._forms = Forms(cells)
        self.names = NameOrder(cells)
        self.centuries = Centuries(cells)
        self._periods = CountedPeriods(cells)
        self._evidence = (
            Hosts(self._stay).corrected,
            SignsInPlace(self._stay).put_back,
            LookalikesInPlace(self._stay).put_right,
            Umlauts(self._stay).put_back,
            Versions(self._stay).completed,
            InGreenwich(cells).put,
        )
        self._together = SaidTogether(befores | afters)
        self._numbers = _mostly_numbers(self._stay)
        self._years = YearRanges(befores)
        self._grouping = [mark for mark, shown in _GROUPING.items() if any(map(shown.search, befores))]
        self._grouping += grouping_by_size(befores)
        self._filler = _filler([change for change in cells if all(isinstance(text, str) for text in change)])

    def spelled(self, before: str, after: str) -> bool:
        """Whether no other cell of the column can say that the two mean something else, as it can of 03/04/2021."""
        return not (moments(before) or amounts(before)) and self.known(before, after) is Known.SAME

    def _known(self, before: str, after: str) -> Known:
        """Whether the two say the same."""
        if self._family is not None and (code := self._family(before)):
            return Known.SAME if code == self._family(after) else Known.OTHER
        if any(same(before, after) for same in self._evidence):
            return Known.SAME
        if other_country(before, after) or other_accent(before, after):
            return Known.OTHER
        if self._forms.fit(before, after) or self.names.fit(before, after) or self._answers.same(before, after):
            return Known.SAME
        if (
            plain_letters(before) == after
            or of_one_script(before, after)
            or decoded(before) == decoded(after)
            or same_content(decoded(before), decoded(after))
        ):
            return Known.SAME
        told = (self._years.known, same_bound, self.centuries.known, self._together.known, self._periods.known)
        if (said := _first(before, after, told)) is not None:
            return said
        if _WITH.search(before + after) and key(_spelled_out(before)) == key(_spelled_out(after)):
            return Known.SAME
        if any(
            same(before, after)
            for same in (written_out_alike, same_initials, same_hours, same_duration, same_day_fraction, same_flag)
        ):
            return Known.SAME
        if (said := _first(before, after, LOOKED_UP)) is not None:
            return said
        said = self._known_whole(before, after)
        if said is Known.UNKNOWN and (twice := _SAID_TWICE.fullmatch(before.strip())) and after in twice.groups():
            said = Known.SAME if self._known_whole(*twice.groups()) is Known.SAME else said
        if said is Known.UNKNOWN and (rest := self._everywhere.rest(before)):
            said = self._known_whole(rest, after)
        if said is Known.UNKNOWN and (rest := without_footnotes(before)) != before:
            same = same_amount(amounts(rest), amounts(after), after)
            said = Known.SAME if same else self._known_whole(rest, after)
        if said is Known.UNKNOWN and same_parts(before, after, lambda *pair: self._known_whole(*pair) is Known.SAME):
            return Known.SAME
        parts = replaced_parts(before, after) if said is Known.UNKNOWN else ()
        if parts and all(_says(one) and self._known_whole(one, other) is Known.SAME for one, other in parts):
            return Known.SAME
        return said

    def _known_whole(self, before: str, after: str) -> Known:
        mark = next((mark for mark in self._grouping if mark in before), "")
        if mark and _MARKED.fullmatch(before) and mark not in after:
            before = before.replace(mark, "")
        before = as_decimal(before, self._grouping)
        if both_unknown(before, after) or same_unit(before, after):
            return Known.SAME
        if (money := same_money(before, after)) is not None:
            return Known.SAME if money else Known.OTHER
        if same_number(before, after, self._abroad) or same_within_north_america(before, after):
            return Known.SAME
        if self._numbers and scanned(before) == after != before:
            return Known.SAME
        code = _codes(before, after)
        if code is not Known.UNKNOWN:
            return code
        said = [(things(kind, before), things(kind, after)) for kind in self._kinds]
        both = [pair for pair in said if all(pair)]
        if any(one & other for one, other in both):
            return Known.SAME
        if both and not (before.isdigit() and after.isdigit()):
            return Known.OTHER
        if surely_the_same(before, after):
            return Known.SAME
        if self._typing_error(before, after) or (self._filler and _filled(before, after) == self._filler):
            return Known.SAME
        return _of_quantities(before, after)

    def _typing_error(self, before: str, after: str) -> bool:
        """Whether a word becomes a very similar one that stands in other cells, and is not its opposite (`unpaid`)."""
        one, other = before.casefold(), after.casefold()
        if after not in self._stay or before in self._stay:
            return False
        if any(map(str.isdigit, one + other)):  # 3x0x7 among figures
            return after.isdigit() and len(after) >= FIGURES and _filled(before, after).isalpha()
        ours, theirs = (re.findall(r"[^\W_]+", text) for text in (one, other))
        if len(ours) != len(theirs):
            return one_slip(key(one), key(other)) or _filled(one, other).isalpha()
        apart = [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]]
        slips = all(ratio(*pair) >= TYPING_ERROR for pair in apart)
        pairs = [(one, other), *apart]
        return slips and not any(
            opposite(one, other) or one.endswith(other) or other.endswith(one) for one, other in pairs
        )


def _first(before: str, after: str, kinds: Sequence[Callable[[str, str], bool | None]]) -> Known | None:
    """What the first kind of value says that both texts are of."""
    for same in kinds:
        if (said := same(before, after)) is not None:
            return Known.SAME if said else Known.OTHER
    return None


def _mostly_numbers(texts: set[str]) -> bool:
    return 2 * sum(1 for text in texts if reading(text) is not None and not any(map(str.isalpha, text))) > len(texts)


def _says(part: str) -> bool:
    """Whether a part of a text can be compared by itself: more than a figure or a letter, of which the rest is part."""
    return len(part) > FIGURES or _HALF_OF_DAY.fullmatch(part) is not None


def _filler(cells: Sequence[Change]) -> str:
    """The one letter that stands where others are missing: `heartxattack`, `1000x`. It stood for several."""
    letters: dict[str, set[str]] = defaultdict(set)
    changed = [(before, after) for before, after in cells if before != after]
    for before, after in changed:
        letters[_filled(before, after)].update(b for a, b in zip(before, after, strict=False) if a != b)
    filler = max(letters, key=lambda letter: len(letters[letter]), default="")
    return filler if filler.isalpha() and len(letters[filler]) > 1 else ""


def _filled(before: str, after: str) -> str:
    """The letter of which some, and nothing else, was replaced; empty when that is not all that changed."""
    if len(before) != len(after) or 2 * sum(map(str.__eq__, before, after)) < len(before):
        return ""
    gone = {a for a, b in zip(before, after, strict=True) if a != b}
    return gone.pop() if len(gone) == 1 else ""


def _of_quantities(before: str, after: str) -> Known:
    if before.endswith("+") and after.endswith("+"):
        before, after = before[:-1], after[:-1]
    one, other = moments(before), moments(after)
    counted = [int(match[1]) for match in map(_COUNTED.fullmatch, (before, after)) if match]
    if len(counted) > 1 and max(counted) >= SECONDS and counted[0] not in (counted[1], 1000 * counted[1]):
        return Known.UNKNOWN  # thousandths of one second are not the same
    if one & other:
        return Known.UNKNOWN if other_fraction(before, after) or only_point_differs(before, after) else Known.SAME
    numbers, afterwards = amounts(before), amounts(after)
    if numbers and afterwards and same_amount(numbers, afterwards, after):
        return Known.UNKNOWN if _MARKED.fullmatch(before) else Known.SAME
    if (is_share(before) and is_share(after)) or (
        (is_sized(before) or is_booked(before)) and reading(after) is not None
    ):
        return Known.OTHER
    if same_quantity(before, after) or same_temperature(before, after):
        return Known.SAME
    kinds = {moment[0] for moment in one} & {moment[0] for moment in other}
    if "moment" in kinds or (kinds and not (before.isdigit() or after.isdigit())):
        return Known.OTHER
    return Known.UNKNOWN


def _codes(before: str, after: str) -> Known:
    if (colour := same_colour(before, after)) is not None:
        return Known.SAME if colour else Known.OTHER
    if isbn(before) == isbn(after) != "" or _same_decimals(before, after):
        return Known.SAME
    if before.isdigit() and after.isdigit() and before.lstrip("0") == after.lstrip("0") != "":
        return Known.SAME
    if _TRACKING.search(before) and _untracked(before) == _untracked(after):
        return Known.SAME
    if _YEAR.fullmatch(before) and re.fullmatch(r"(?:19[3-9]|20[0-4])\d", after) and after.endswith(before[-2:]):
        return Known.SAME
    if _WEEK.fullmatch(before) and re.fullmatch(r"\d{4}-\d{2}", after):
        return Known.OTHER  # a week is no month
    return Known.UNKNOWN


def _same_decimals(before: str, after: str) -> bool:
    """Whether several decimal numbers are the same ones, but for zeros at their ends."""
    if not (_DECIMALS.fullmatch(before.strip()) and _DECIMALS.fullmatch(after.strip())):
        return False
    one, other = ([Decimal(number) for number in re.split(r"\s*[,;]\s*", text.strip())] for text in (before, after))
    return one == other


def _spelled_out(text: str) -> str:
    return _WITH.sub(lambda match: "without " if match[1] else "with ", text)


def _untracked(link: str) -> str:
    return re.sub(r"[?&](?=#|$)", "", _TRACKING.sub("", link)).casefold()
