"""Whether two texts can be spellings of the same thing. Called by the check on information.

Used only to distinguish "many spellings became one" (cleaning) from "many values became one" (loss), so it is generous:
each relation is one that occurs in real data.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterable

from orchestrator.gate.information.remembered import remembered
from orchestrator.gate.information.value_kinds.number_parsing import reading

# Words that can mean nothing but yes or no, once a column holds no others.
YES = frozenset(
    {"yes", "y", "true", "t", "1", "on", "ja", "j", "oui", "si", "s", "sim", "да", "はい", "是", "是的", "نعم", "כן"}
)
NO = frozenset({"no", "n", "false", "f", "0", "off", "nein", "non", "nao", "нет", "いいえ", "否", "لا", "לא"})
YES_NO_OR_NOTHING = YES | NO | {""}
_TRUE = YES | {"ok", "x", "checked", "enabled", "active"}
_FALSE = NO | {"unchecked", "disabled", "inactive"}
_DIGITS = re.compile(r"\d+")
_ASCII_SIGNS = re.compile(r"[^0-9A-Za-z]+")
SIMILAR = 0.75
SLIP = 2  # letters that one typing error changes
MAX_COMPARED = 500  # characters of each text that are laid beside each other: the time grows with their product
PHONE_DIGITS = 7


@remembered
def key(text: str) -> str:
    """Letters and digits only, without case and accents; the I of Turkish capitals is that of ı."""
    if text.isascii():  # nothing to normalise, and most texts are
        return _ASCII_SIGNS.sub("", text).lower()
    folded = unicodedata.normalize("NFKD", text).casefold().replace("\u0131", "i")
    return "".join(char for char in folded if char.isalnum())


def related(value: str, target: str) -> bool:
    """Whether `value` can be another, or a shorter, spelling of `target`."""
    one, other = key(value), key(target)
    if one == other:
        return True
    if not one or not other:
        return False
    if (one in _TRUE and other in _TRUE) or (one in _FALSE and other in _FALSE):
        return True
    if _DIGITS.search(value) or _DIGITS.search(target):
        return _same_figures(value, target)
    if sorted(re.findall(r"\w+", value.casefold())) == sorted(re.findall(r"\w+", target.casefold())):
        return True
    if len(one) < len(other) and is_short_for(one, other):
        return True
    return ratio(one, other) >= SIMILAR


def ratio(one: str, other: str) -> float:
    """How alike two texts are, from 0 to 1, as difflib says it; bounded in time, however long they are.

    What they begin and end with alike costs nothing. Of what is between, the first characters stand for the rest.
    """
    total = len(one) + len(other)
    if 2 * min(len(one), len(other)) < SIMILAR * total:  # what is alike cannot be enough; the bound says by how much
        return 2 * min(len(one), len(other)) / total
    if total <= 2 * MAX_COMPARED:
        return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
    start = alike_from_the_start(one, other)
    one, other = one[start:], other[start:]
    end = alike_from_the_start(one[::-1], other[::-1])
    one, other = one[: len(one) - end], other[: len(other) - end]
    heads = one[:MAX_COMPARED], other[:MAX_COMPARED]
    alike = difflib.SequenceMatcher(None, *heads, autojunk=False).ratio() if all(heads) else 0.0
    return (2 * (start + end) + alike * 2 * min(len(one), len(other))) / total


def one_slip(one: str, other: str) -> bool:
    """Whether two texts differ in two letters at most, in one place and not at an end: `newyrok` and `newyork`."""
    start = alike_from_the_start(one, other)
    end = alike_from_the_start(one[:start:-1], other[:start:-1])
    return start > 0 and end > 0 and max(len(one), len(other)) - start - end <= SLIP


def alike_from_the_start(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (ours, theirs) in pairs if ours != theirs), min(len(one), len(other)))


def _same_figures(value: str, target: str) -> bool:
    """Numbers, dates and phones: the same figures with another unit, in another order or with another frame."""
    number = reading(value)
    if number is not None and number == reading(target):
        return True
    ours, theirs = _DIGITS.findall(value)[:8], _DIGITS.findall(target)[:8]
    digits, wanted = "".join(ours), "".join(theirs)
    if min(len(digits), len(wanted)) >= PHONE_DIGITS and (wanted.endswith(digits) or digits.endswith(wanted)):
        return True
    one, other = {int(d) % 100 for d in ours}, {int(d) % 100 for d in theirs}
    return min(len(one), len(other)) >= 2 and (one <= other or other <= one)


def in_order(part: Iterable[str], whole: Iterable[str]) -> bool:
    """Whether all of the part stands in the whole, in the same order, with whatever between."""
    rest = iter(whole)
    return all(one in rest for one in part)


def is_short_for(word: str, long: str) -> bool:
    """Whether a word says itself what it becomes: `tbl` as `tablets`, `litre` as `L`, `a.e.t.` as `aet`."""
    return word[:1] == long[:1] and in_order(word, long)


def clusters(values: Iterable[str], target: str) -> int:
    """How many different things the values, which all became `target`, mean at least."""
    texts = list(values)
    longest = max(texts, key=len)
    apart = {key(t) or t for t in texts if not related(t, target) and not related(t, longest)}
    spelled = any(related(text, target) for text in texts)
    other = (key(longest) or longest) not in apart and not related(longest, target) and not related(target, longest)
    return max(1, len(apart) + int(spelled) + int(other or not spelled))
