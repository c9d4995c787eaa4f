"""What shows at the ends of a changed text that a part of it is missing, or was made up. Called by laws.py."""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.blood_groups import same_blood_group
from orchestrator.gate.information.value_kinds.encodings import decoded
from orchestrator.gate.information.value_kinds.known_words import DECORATION
from orchestrator.gate.information.value_kinds.temperatures import same_temperature

SHORTEST = 2  # letters that are left of a word that was cut
LONGEST_NAME = 80  # characters
CUT = 2  # letters of it that are gone
SENTENCE = 3  # words of a text that can get a full stop
_BETWEEN = frozenset(":/_,;|&-")
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))
_MADE_UP = re.compile(r"\s*[-\u2212]\s*[\w#$\u20ac]")
_MINUS_INSIDE = re.compile(r"[,;:(\[\s][-\u2212]\d")
_DASH = re.compile(r"[-\u2010-\u2015\u2212(]|\bto\b|\bbis\b")
_ALONE = re.compile(r"(?<=\S)[ \t][.,;:](?=[ \t]\w)")
_DIGIT = re.compile(r"\d")
_INNER_SIGN = re.compile(r"(?<=\w)[-\u2010-\u2015](?=\w)|\bout of\b")
_NEGATIVE = re.compile(r"(?<![\w)\].\u2013-])[-\u2212](\d+)")
_MINUS_TIME = re.compile(r"[-\u2212]\d+(?:[:h]\s?\d+)+\s*(?:h|m|min|s)?")
_MINUS_WORD = re.compile(
    r"(?:minus|negative|neg\.?|below)\s+\d[\d.,]*\W*\w{0,12}|\d[\d.,]*\W{0,2}\w{0,2}\s+below(?:\s+zero)?", re.IGNORECASE
)
_MINUS_SAID = re.compile(
    r"[^\W\d_]\s+(?:minus|negative)\s+(\d[\d.,]*)\s*$|[(\[=:*]\s?[-\u2212](\d[\d.,]*)", re.IGNORECASE
)
_OPEN_END = re.compile(r"\d\+\s*$")
_SAYS_OPEN = re.compile(
    r"[+>\u2265]|\b(?:over|more|above|plus|older|up|upwards?|least|min(?:imum)?|from|exceed\w*|greater|and|ab|mehr|pos(?:itive)?)\b",
    re.IGNORECASE,
)
_FEW_LETTERS = re.compile(r"[^\W\d_]{1,3}")
_NAME_PART = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_NAME_ONLY = re.compile(r"\s*[A-Z][^\d_:;@/&()+]*\b[A-Z]\b[^\d_:;@/&()+]*")
_TIE = re.compile(r"(?:=\s*|T-?|tied\s+)(?=\d)", re.IGNORECASE)
_SAINT = re.compile(r"(?:^|\d\s+|,\s*|\b(?:Rue|of|in|at|to|from|near|visited|the|and|for)\s+)St\.?\s+([A-Z]\w+)")
_STREET = re.compile(r"\b([A-Z]\w+)\s+St\.?(?:$|,|\s+\d)")
_DRIVE = re.compile(r"\d.*\b([A-Z]\w+)\s+Dr\b\.?(?:$|,|\s+\d)")
_DOCTOR = re.compile(r"\s*Dr\.?\s+([A-Z]\w+)")
_CHANNELS = {
    "tel": "tel",
    "phone": "tel",
    "telephone": "tel",
    "fax": "fax",
    "mobile": "mobile",
    "mob": "mobile",
    "cell": "mobile",
}
_CHANNEL = re.compile(rf"({'|'.join(_CHANNELS)})\b\.?:?\s*([+(]?\d.*)", re.IGNORECASE)
_NUMBER_ONLY = re.compile(r"\+?\d[\d.,:]*")
_MISREAD = re.compile(r"[\u00c2-\u00f4][^\x00-\x7f]")  # what encodings did to a text is no end of a word
_POLE = re.compile(r"(?<![^\W_])(?:[SW](?![^\W\d_])|(?:south|west)(?![^\W_]))", re.IGNORECASE)
_NUMBER_END, _NUMBER_DOT = re.compile(r"\d(?:\.(?=\s)|[.,]$)"), re.compile(r"\d[.,](?!\d)")
_SPACED_DATE = re.compile(r"\d{1,2}\. \d{1,2}\. \d{4}")
_ORDINAL = re.compile(r"\s*\d+\s*(?:st|nd|rd|th|[.)])?\s*", re.IGNORECASE)
_SAYS_MINUS = re.compile(
    r"[-\u2010-\u2015\u2212(\n]|(?<![^\W\d_])(?<![^\W\d_]\.)(?:minus|neg\w*|below|under|s|w|south|west|b\.?\s?c|bce|cr|dr|credit|debit|loss|refund\w*|out)\b"
    r"|(?<![^\W\d_])[sw](?=\d+\.\d)|basement|cellar|b\.?\s?s\.?\s?l",
    re.IGNORECASE,
)


def parts_missing(changed: Sequence[Change]) -> Found | None:
    """A sign that stood between two things stands at the end, or a bracket without its counterpart: `12-`, `3(2`."""
    for change in changed:
        before, after = (text.strip() for text in change)
        if not before or not after:
            continue
        last, left = after[-1], after[-2:-1]
        ends = last in _BETWEEN and last in before and not before.rstrip(")]}\"'").endswith(last)
        ends = ends and not (last == "/" and "://" in after.split()[-1])  # a link may end with it
        if ends and (left.isdigit() or (left.isalpha() and last != "-")):
            return "a sign that stood between two things stands at the end", change
        stop = _NUMBER_END.search(after) and not _NUMBER_DOT.search(before) and not _ORDINAL.fullmatch(before)
        if stop and len(words(before)) < SENTENCE and not _SPACED_DATE.fullmatch(after):
            return "a decimal mark stands at the end of a number", change
        for left, right in _PAIRS:
            if before.count(left) == before.count(right) and after.count(left) != after.count(right):
                return "a bracket has lost its counterpart", change
    return None


def minus_made_up(changed: Sequence[Change]) -> Found | None:
    """A minus in front of what had none, and does not say that it is below zero."""
    for before, after in changed:
        made_up = _MADE_UP.match(after) is not None and not _MADE_UP.match(before)
        made_up = made_up or (_MINUS_INSIDE.search(after) is not None and not _DASH.search(before))
        if not made_up or same_temperature(before, after) or (_DIGIT.search(after) and not _DIGIT.search(before)):
            continue
        says = _INNER_SIGN.sub("", before)
        if any(map(str.isalpha, after)):
            says = _POLE.sub("", says)  # 2058 W are Watts in kW
        if not _SAYS_MINUS.search(says):
            return "a minus comes to stand in front", (before, after)
    return None


def sign_made_up(changed: Sequence[Change]) -> Found | None:
    """A plus or minus behind letters that had none: the blood group `O` as `O-`, the grade `B` as `B+`."""
    for change in changed:
        before, after = (text.strip().casefold() for text in change)
        if _FEW_LETTERS.fullmatch(before) and after in (f"{before}+", f"{before}-", f"{before}\u2212"):
            return "letters get a sign that they had not", change
    return None


def bound_made_up(changed: Sequence[Change]) -> Found | None:
    """A plus behind a number that was no bound: `18 years` as `18+`."""
    for change in changed:
        made_up = _OPEN_END.search(change[1]) and re.search(r"\d", change[0]) and not _SAYS_OPEN.search(change[0])
        if made_up and not same_blood_group(*change):
            return "a number becomes a bound", change
    return None


def initial_left_out(changed: Sequence[Change]) -> Found | None:
    """One letter of a name, which tells people of that name apart: `Ada B. King` as `Ada King`."""
    for change in changed:
        if len(change[0]) > LONGEST_NAME:
            continue
        olds, news = (_NAME_PART.findall(text) for text in change)
        gone = [part for part in olds if len(part) == 1 and part.isupper() and part not in news]
        rest = sorted(part.casefold() for part in olds if part not in gone)
        if gone and len(rest) > 1 and _NAME_ONLY.fullmatch(change[0]) and rest == sorted(map(str.casefold, news)):
            return "an initial is left out", change
    return None


def tie_left_out(changed: Sequence[Change]) -> Found | None:
    """What says that two have a place: `=3rd`, `T-3` or `tied 3rd` as 3."""
    for change in changed:
        before, after = (text.strip() for text in change)
        if _TIE.match(before) and "=" not in after and after[:1].isdigit():
            return "the sign of a shared place is left out", change
    return None


def channel_left_out(before: str, after: str) -> str:
    """The kind of telephone number that a text does not name any more; empty where it names none, or still does."""
    label = _CHANNEL.match(before.strip())
    gone = label and not _CHANNEL.match(after.strip()) and label[2] in after
    return _CHANNELS[label[1].casefold()] if label and gone else ""


def channels_left_out(changed: Sequence[Change]) -> Found | None:
    """Words that tell numbers from each other, of which two go: `Tel: 030 1` and `Fax: 030 2`."""
    lost = {kind: change for change in changed if (kind := channel_left_out(*change))}
    return ("words are left out that tell numbers apart", next(iter(lost.values()))) if len(lost) > 1 else None


def saint_as_street(changed: Sequence[Change]) -> Found | None:
    """`74 St. James Ave` as `74 Street James Avenue`, `12 Lake Dr.` as `12 Lake Doctor`."""
    for change in changed:
        street = _STREET.search(change[0])
        if street and re.search(rf"\b{street[1]} Saint\b", change[1]):
            return "a street becomes a saint", change
        doctor = _DOCTOR.match(change[0])
        if doctor and re.search(rf"\bDrive {doctor[1]}\b", change[1]):
            return "a doctor becomes a drive", change
        drive = _DRIVE.search(change[0].strip()) if len(change[0]) <= LONGEST_NAME else None
        if drive and re.search(rf"\b{drive[1]} Doctor\b", change[1]):
            return "a drive becomes a doctor", change
        saint = _SAINT.search(change[0])
        if saint and re.search(rf"\bStreet {saint[1]}\b", change[1]):
            return "a saint becomes a street", change
    return None


def minus_lost(changed: Sequence[Change]) -> Found | None:
    """A minus, as a sign or a word, of a number that has none afterwards: `-0:08` as 8, `minus 5` as 5."""
    for change in changed:
        below = _MINUS_TIME.fullmatch(change[0].strip()) or _MINUS_WORD.fullmatch(change[0].strip())
        if below and _NUMBER_ONLY.fullmatch(change[1].strip()):
            return "a minus is left out", change
        inside, rest = _MINUS_SAID.search(change[0]), _INNER_SIGN.sub(" ", change[1])
        number = inside and re.escape((inside[1] or inside[2]).lstrip("0").rstrip(".,"))
        if number and re.search(rf"(?<![\d.,])0*{number}(?!\d)", rest) and not _SAYS_MINUS.search(rest):
            return "a minus is left out", change
    return None


def minus_detached(changed: Sequence[Change]) -> Found | None:
    """A minus that does not stand at its number any more: `-3 degrees`, `- 3 degrees`."""
    for change in changed:
        numbers, left = _NEGATIVE.findall(change[0]), _NEGATIVE.findall(change[1])
        if len(left) < len(numbers) and any(re.search(rf"[-\u2212]\s+{number}\b", change[1]) for number in numbers):
            return "a minus does not stand at its number any more", change
    return None


def words_cut(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word without its first or last letters that stands nowhere else: `Turin` of `Turing`."""
    had = {word for one in unchanged_texts(cells) for word in words(one)}
    had |= {word for one, _ in cells if isinstance(one, str) for word in words(decoded(one))}
    for change in changed:
        if _MISREAD.search(change[0]):
            continue
        olds, news = words(decoded(change[0])), words(change[1])
        for new in set(news) - had:
            if len(new) >= SHORTEST and any(_cut_of(new, old) for old in set(olds) - set(news) - DECORATION):
                return "a word loses letters at an end", change
    return None


def _cut_of(new: str, old: str) -> bool:
    if not 0 < len(old) - len(new) <= CUT:
        return False
    gone = old[len(new) :]
    if old.startswith(new):
        return gone not in {"s", "es", "e", "n", "en", "er", "ed"} and not (len(gone) == 1 and gone == new[-1])
    return old.endswith(new) and old[0] != new[0]


def mark_left_alone(changed: Sequence[Change]) -> Found | None:
    """A stop or comma that comes to stand alone between words: `fig. 11` as `FIG. . 11`."""
    for before, after in changed:
        if len(_ALONE.findall(after)) > len(_ALONE.findall(before)):
            return "a mark comes to stand alone between words", (before, after)
    return None
