"""Kinds of streets get the form of most addresses: "12 Oak Street" → "12 Oak St" among "4 Elm Ave" and "9 Main Rd".

Only what stands behind a number and a name, at the end or before a comma, a direction or a flat. Left alone: columns
in which not most cells are such addresses, and columns without a clear form.
"""

import re
from collections import Counter, defaultdict

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MOST, _USUAL = 0.6, 0.6  # of the cells are addresses; of these have the usual form
_DIFFERENT = 5  # addresses
_KINDS = {
    "street": "st", "avenue": "ave", "boulevard": "blvd", "road": "rd", "drive": "dr", "lane": "ln", "court": "ct",
    "square": "sq", "place": "pl", "highway": "hwy", "parkway": "pkwy", "terrace": "ter", "circle": "cir",
}  # fmt: skip
_MEANT = {word: long for long, short in _KINDS.items() for word in (long, short, f"{short}.")}
_MEANT |= dict.fromkeys(("av", "av."), "avenue")


def _street_kind(value: str) -> tuple[str, str, str]:
    """What is before the last word of a street, the word, and what is behind it; "" where there is none."""
    kinds = "street|avenue|boulevard|road|drive|lane|court|square|place|highway|parkway|terrace|circle"
    short = "st|ave?|blvd|rd|dr|ln|ct|sq|pl|hwy|pkwy|ter|cir"
    behind = r",.*| (?:[ns]?[ew]|[ns])\.?| (?:apt|unit|suite|ste|fl|#).*"
    street = rf"(\d+[a-z]?,? (?:[^\s,]+ ){{1,5}})((?:{kinds}|{short})\.?)((?:{behind})?)"
    match = re.fullmatch(street, value, re.IGNORECASE)
    return (match[1], match[2], match[3]) if match else ("", "", "")


def _same_street(value: str, words: dict[str, str]) -> str:
    """An address with its kind of street as the column writes it; any other text as it is."""
    before, word, behind = _street_kind(value)
    wanted = words.get(word.lower(), word)
    return f"{before}{wanted.upper() if value.isupper() else wanted}{behind}" if word else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    """The usual form: written out, short, or short with a stop."""
    if not column.may_be(lambda text: text[:1].isdigit()):
        return None
    words: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for text, count in column.counts.items():
        word = _street_kind(text)[1]
        if word:
            words[_MEANT[word.lower()], _form(word)][word] += count
    forms = Counter[str]()
    for (_, form), used in words.items():
        forms[form] += used.total()
    form, rows = forms.most_common(1)[0] if forms else ("", 0)
    if forms.total() < _MOST * column.filled or rows < _USUAL * forms.total() or len(column.counts) < _DIFFERENT:
        return None
    usual = {long: used.most_common(1)[0][0] for (long, own), used in words.items() if own == form}
    written = {long: usual.get(long, _as_usual(long, form, usual)) for long in _KINDS}
    meant = {word: written[long] for word, long in _MEANT.items()}
    if all(_same_street(text, meant) == text for text in column.counts):
        return None
    return RuleFinding({"words": meant}, words={"example": f"12 Oak {meant['st']}"})


def _form(word: str) -> str:
    return "long" if word.lower().rstrip(".") in _KINDS else "dotted" if word.endswith(".") else "short"


def _as_usual(long: str, form: str, usual: dict[str, str]) -> str:
    """A kind that the column does not have in its usual form, in the case of the others."""
    word = long if form == "long" else _KINDS[long] + "." * (form == "dotted")
    upper, lower = (sum(map(case, usual.values())) for case in (str.isupper, str.islower))
    return word.upper() if 2 * upper > len(usual) else word if 2 * lower > len(usual) else word.capitalize()


RULE = RepairRule(
    name="same_street_words_in_{columns}",
    issue="Kinds of streets in {columns} are not all written as in {example!r}.",
    doc="Write kinds of streets as most addresses do, as in {example!r}.",
    fix=_same_street,
    look=_look,
    helpers=(_street_kind,),
    imports=("re",),
)
