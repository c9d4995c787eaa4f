"""Words that mean a missing value: "N/A", "NULL", "#REF!", "-" become blank, or null where the column has nulls.

In a column of numbers or dates every such word is replaced, but "none" and "nil" beside numbers may be 0. Left alone in
a column of words: whatever can be a word, and a dash that stands once or twice beside no yes and no, or beside "2+";
"unknown" or "error" go only where a numeric column of the same table uses them too, "NA" so only where the others are
not all in capitals, and "-1" where it comes again and no other cell is a number. "none" and "nil" are answers among
words; "N/A" may be one where it is frequent in a closed list without any blank cell or other word for nothing. "not
applicable" says something of the row, and goes only where it is declared. Among words "Nan" and "Na" are names if
written so (bread, sodium), among names of persons also "Null", and "NULL" if most are in capitals; among packages of
software "nan" and "null". Declared words go everywhere.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules import booleans, dates, phones
from orchestrator.propose.builtin.rules.exemptions.marked_up import is_markdown
from orchestrator.propose.builtin.rules.exemptions.spelling_exceptions import may_be_persons
from orchestrator.propose.builtin.rules.number_parts import BESIDE_NUMBERS, all_parts, looks_numeric
from orchestrator.propose.builtin.rules.usual_case import usual_case
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

# Never a word of any language that could be data.
_SURE = (
    "n/a", "#n/a", "#n/a n/a", "#na", "n.a.", "<na>", "(null)", "[null]", "\\n", "#ref!", "#value!", "#div/0!",
    "#null!", "#name?", "nan", "null", "0000-00-00", "0000-00-00 00:00:00", "00/00/0000", "00.00.0000",
)  # fmt: skip
_MARKS = ("-", "--", "---", "?", "??", "???", ".", "..", "\u2013", "\u2014")
_WORDS = (
    "na", "none", "nil", "unknown", "error", "missing", "tbd", "tba", "not available", "not applicable",
    "not provided", "not given", "not specified", "not known", "no data", "no information", "no info", "undefined",
    "nat", "err", "#error", "unk", "not recorded", "k.a.", "k. a.",
    "keine angabe", "n.c.", "s.o.", "s/o", "n.d.", "sin datos", "néant", "non renseigné", "n/d", "s/d", "tbc",
    "unbekannt", "inconnu", "inconnue", "desconocido", "desconocida", "desconhecido", "desconhecida", "sconosciuto",
    "sconosciuta", "onbekend", "nieznany", "nieznana", "nieznane", "bilinmiyor", "ukendt", "ukjent", "okänd",
    "brak danych",
)  # fmt: skip
# What the rest of a numeric column may hold although these rows do not.
_SAFE = frozenset({"n/a", "null", "nan", "none", "-", "?"})
_ODD = 0.05  # of the cells of a column of numbers may be anything else
_NUMERIC = 0.5  # of the cells: whose column is of numbers with slips
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")  # of e-mail
_ABROAD = re.compile(r"\+\d{8,15}")
_MEASURED = re.compile(r"-?\d+(?:[.,]\d+)? ?°?[A-Za-z]{1,3}")  # whatever it measures
_WITH_UNIT = re.compile(r"\d[\d.,]* ?([^\W\d_]{1,12})")
_NO_NUMBER, _AGAIN = "-1", 3  # rows
_SAME_LENGTH, _SEVERAL_CODES = 0.9, 5  # of the rows with codes; different ones
_FIGURES = 0.8  # of the rows with other texts hold figures
_ZEROS = ["none", "NONE", "nil", "Nil", "NIL"]  # beside numbers; None is what Python writes for nothing
_PACKAGES = frozenset(
    {"crate", "dependencies", "dependency", "gem", "library", "module", "package", "packages", "plugin", "repository"}
)
_ANSWERS = frozenset({"none", "nil"})  # no pain, no allergies; an empty cell beside it was not asked
# Answers and no missing ones, beside numbers, too: they stay, and make no column of numbers one of words.
_MEANT = frozenset(
    {"not applicable", "don't know", "don\u2019t know", "dont know", "do not know", "no answer", "refused"}
)
_NOT_APPLICABLE, _FREQUENT = "n/a", 0.05  # of the rows: whatever applies to so many is one of the answers
_FEW_WORDS, _EACH = 20, 5  # different texts of a closed list; rows of each, on the average
_STANDINS = frozenset({*_SURE, *_MARKS, *_WORDS}) | _MEANT
_REPLACED = _STANDINS - _MEANT


def _blank_out(value: str, words: list[str], names: list[str], nothing: str | None) -> str | None:
    """Nothing where the text is one of the words, whatever its case, unless it is written as a name is."""
    return nothing if value.strip().casefold() in words and value.strip() not in names else value


def _say_nothing(value: str, words: list[str], nothing: str) -> str:
    """The agreed word where the text is blank or a stand-in for nothing."""
    return nothing if not value.strip() or value.strip().casefold() in words else value


def find(table: WorkingRows, preferences: Preferences) -> Iterator[Remedy]:
    """The stand-ins in columns for which nothing was declared."""
    table = WorkingRows(tuple(c for c in table.columns if not _is_declared(preferences[c.name])), table.rows)
    words = _guesses(table)
    yield from _GUESSED.remedies(
        (column.name, finding)
        for column in table.columns
        if (left := sorted(words[column.name] - _meant(preferences[column.name])))
        and (finding := _finding(column, left, _names(column)))
    )


def _guesses(table: WorkingRows) -> dict[str, set[str]]:
    """By column, the stand-ins that may go from it."""
    typed = [c for c in table.columns if c.learnt(_is_typed, _is_typed)]
    marked = {word for c in typed for word in _used(c, _REPLACED)}
    return {
        c.name: (marked | _SAFE if c.learnt(_is_typed, _is_typed) else _in_words(c, marked)) | _before_units(c)
        for c in table.columns
    }


def _names(column: TextColumn) -> list[str]:
    """What may say something: Nan is a bread and a town, Null a family, and who has nil of a thing has 0."""
    if column.learnt(_is_typed, _is_typed):
        return _ZEROS if column.may_be(lambda text: _is_amount(text) or text in _ZEROS) else []
    if _PACKAGES & {*re.findall("[a-z]+", column.name.lower())}:
        return ["nan", "nil", "none", "null", "undefined"]
    if not may_be_persons(column):
        return [] if column.share(looks_numeric) >= _NUMERIC else ["Na", "Nan"]
    persons = ["Na", "Nan", "Nat", "Nil", "Null"]
    return [*persons, *map(str.upper, persons)] if usual_case(column).style == "upper" else persons


def _is_amount(text: str) -> bool:
    """Whether it is a number that may be 0, and no telephone number as +15125550199."""
    return looks_numeric(text) and not _ABROAD.fullmatch(text)


def _finding(column: TextColumn, words: list[str], names: list[str]) -> RuleFinding | None:
    """Blank cells, or null where the column has nulls; None where no text is to go."""
    used = [name for name in names if name in column.counts]
    meant = {name.casefold() for name in used if column.counts[name] > _in_other_cases(column, name)}
    words = [word for word in words if word not in meant]  # NAN beside a town that most write Nan
    seen = sorted(text for text in column.counts if text and _blank_out(text, words, names, "") == "")
    if not seen:
        return None
    nothing, empty = (None, "null") if column.nulls else ("", "blank")
    stand = f"{', '.join(map(repr, seen[:5]))} {'stand' if seen[1:] else 'stands'}"
    return RuleFinding({"words": words, "names": names, "nothing": nothing}, words={"stand": stand, "empty": empty})


def _in_other_cases(column: TextColumn, name: str) -> int:
    return column.rows(lambda text: text != name and text.strip().casefold() == name.casefold())


def _meant(convention: ColumnConvention) -> set[str]:
    """What the user declares to be a value of the column."""
    return {text.casefold() for text in (*convention.values, *convention.spellings.values())}


def _is_declared(convention: ColumnConvention) -> bool:
    return convention.null is not None or bool(convention.null_words)


def _look_for_declared(column: TextColumn, convention: ColumnConvention, table: WorkingRows) -> RuleFinding | None:
    """A declared word is believed anywhere; other stand-ins go too where only the word to be written was declared.

    Beside declared words those go that go without them: whoever adds one means to lose no other.
    """
    if not _is_declared(convention):
        return None
    nothing = convention.null or ""
    guessed: Collection[str] = _REPLACED
    if convention.null_words:
        guessed = table.learnt(_guesses, _guesses)[column.name] - {name.casefold() for name in _names(column)}
    declared = {word.casefold() for word in convention.null_words}
    words = (declared | ({*guessed} - _meant(convention))) - {nothing.casefold()}
    if all(_say_nothing(cell, list(words), nothing) == cell for cell in set(column.cells) if cell is not None):
        return None
    return RuleFinding({"words": sorted(words), "nothing": nothing})


def _used(column: TextColumn, words: Collection[str]) -> set[str]:
    return {folded for text in column.counts if (folded := text.strip().casefold()) in words}


def _is_typed(column: TextColumn) -> bool:
    """A column of numbers, dates, telephone numbers or e-mail addresses, stand-ins aside; also with bounds (`<5`)
    and with units that only its name says (`5 moves`)."""
    rest = {text: count for text, count in column.counts.items() if text.strip().casefold() not in _STANDINS}
    total = sum(rest.values())
    if len(rest) < 2 or total < 0.3 * column.filled or not column.may_be(lambda t: t not in rest or is_value(t)):
        return False
    odd = [text for text in rest if not is_value(text) and not BESIDE_NUMBERS.fullmatch(text)]
    parts = all_parts(column) if odd else {}
    return sum(rest[text] for text in odd if text not in parts) <= _ODD * total


def is_value(text: str) -> bool:
    """Whether a text is a number, a measure, a date, a telephone number or an e-mail address."""
    text = text.strip()
    return (
        looks_numeric(text)
        or _MEASURED.fullmatch(text) is not None
        or _ADDRESS.fullmatch(text) is not None
        or dates.looks_like_date(text)
        or phones.looks_like_phone(text)
    )


def _in_words(column: TextColumn, marked: set[str]) -> set[str]:
    """The stand-ins that may go from a column of words."""
    if is_markdown(column):
        return set()  # below a heading it is what somebody has to say of it
    found = _used(column, _REPLACED) - ({_NOT_APPLICABLE} if not_applicable(column) else set())
    others = [text for text in column.counts if text.strip().casefold() not in _STANDINS]
    if _is_no_number(column):
        found.add(_NO_NUMBER)
        others.remove(_NO_NUMBER)
    if not found or len(others) < 2:
        return set()
    habit = column.rows(lambda text: text.strip().casefold() in found) >= _AGAIN
    signs_of_nothing = found & {*_MARKS} - {"."}
    marks = signs_of_nothing if habit else set[str]()
    if column.share(looks_numeric) >= _NUMERIC:
        return (found & {*_SURE}) | marks
    answers = booleans.are_answers(others)
    if answers and "+" not in others:
        marks = signs_of_nothing
    wordy = answers or sum(len(re.sub(r"\W", "", text)) >= 4 for text in others) >= 0.8 * len(others)
    sure = found & {*_SURE, _NO_NUMBER}
    if not wordy:  # short codes: "NA" may be Namibia, "-" a blood type, or negative beside "2+"
        signs = all(re.search(r"\d", text) and text[-1] not in "+-" for text in others if not text.isalpha())
        figures = sum(column.counts[text] for text in others if re.search(r"\d", text))
        figured = figures >= _FIGURES * sum(column.counts[text] for text in others)
        codes = {"n/a", "#n/a", "<na>", "#ref!", "#value!", "#div/0!", "(null)", "[null]"}
        codes |= {"null"} if figured else _among_codes(column, others)
        return sure & codes | (marks if signs and figured else set())
    chosen = sure | marks
    if column.blanks or column.nulls:
        chosen |= (found & marked) - _ANSWERS - ({"na"} if all(map(str.isupper, others)) else set())
    if sure - {"nan"} and "na" in found:
        chosen.add("na")
    return chosen


def not_applicable(column: TextColumn) -> list[str]:
    """The ways to write "N/A" where it may be one of the answers: nothing is missing otherwise, and few texts recur."""
    said = [text for text in column.counts if text.strip().casefold() == _NOT_APPLICABLE]
    rows = sum(column.counts[text] for text in said)
    if column.blanks or column.nulls or rows < max(_AGAIN, _FREQUENT * column.filled):
        return []
    others = [text for text in column.counts if text not in said]
    different = {text.strip().casefold() for text in others}
    listed = 2 <= len(different) <= _FEW_WORDS and _EACH * len(different) <= column.filled - rows
    if not listed or different & _STANDINS or any(re.search(r"\d", text) or is_value(text) for text in others):
        return []
    return said


def _among_codes(column: TextColumn, others: list[str]) -> set[str]:
    """ "null" where it is longer than all codes, nearly all of which are as long: countries, and not WT and HET."""
    lengths = Counter[int]()
    for text in others:
        lengths[len(text) if text.isalpha() and text.isupper() else 0] += column.counts[text]
    length, rows = lengths.most_common(1)[0]
    alike = 2 <= length == max(map(len, others)) < len("null") and rows >= _SAME_LENGTH * lengths.total()
    return {"null"} if alike and len(others) >= _SEVERAL_CODES else set()


def _is_no_number(column: TextColumn) -> bool:
    """Whether -1 stands again and again in a column of words, as programs write what they did not find."""
    if column.counts[_NO_NUMBER] < _AGAIN:
        return False
    return all(text == _NO_NUMBER or re.search(r"[^\W\d_]{2}", text) for text in column.counts)


def _before_units(column: TextColumn) -> set[str]:
    """`null bhp` where most cells are a number and bhp."""
    units = Counter[str]()
    for text, count in column.counts.items():
        if measured := _WITH_UNIT.fullmatch(text):
            units[measured[1].casefold()] += count
    usual = {unit for unit, count in units.items() if count >= _NUMERIC * column.filled}
    parts = ((text.casefold(), *text.casefold().split(" ")) for text in column.counts) if usual else ()
    return {folded for folded, *words in parts if len(words) == 2 and words[0] in _SAFE and words[1] in usual}


_GUESSED = RepairRule(
    name="blank_null_words_in_{columns}",
    issue="{stand} for a missing value in {columns}.",
    doc="Make cells {empty} that hold only a word for nothing.",
    fix=_blank_out,
    examples=16,
)
RULES = (
    RepairRule(
        name="name_missing_values_in_{columns}",
        issue="Missing values in {columns} should read {nothing!r}, as was asked for.",
        doc="Write {nothing!r} where a cell is blank or holds a word for nothing.",
        fix=_say_nothing,
        look=_look_for_declared,
        examples=16,
    ),
    find,
)
