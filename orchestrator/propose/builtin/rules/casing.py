"""Upper and lower case: the case that the user asked for, codes ("ord-100031" → "ORD-100031"), names in capitals
("ANNA STONE" → "Anna Stone").

Codes are repaired where nearly the whole column is in another case (letters with a long number: where most of it is),
names only if every word occurs in mixed case elsewhere in the column. So are short codes without a digit among small
ones: "MG" beside "mg", and not "IU", which nobody wrote "iu", nor "mM", which is another unit. Left alone: codes whose
case is their meaning, closed lists of words (the spelling rule has these), a single name in capitals, and columns with
no clear majority.
"""

import re
from collections import Counter, defaultdict
from typing import Any

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules import spelling
from orchestrator.propose.builtin.rules.exemptions import exact_texts, meant_case, spelling_exceptions
from orchestrator.propose.builtin.rules.exemptions.two_in_case import are_named
from orchestrator.propose.builtin.rules.usual_case import INNER_CAPITAL
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MOST_WORDS = 1500
_CODE = re.compile(r"[0-9/._-]*[A-Za-z][A-Za-z0-9/._-]*( [A-Za-z0-9/._-]+)?( [0-9]+)*")
_MOST_CODES = 0.6
_MOST_PERSONS, _MOST_NAMES = 0.3, 0.6  # of the cells are in mixed case
_LETTER = re.compile(r"[^\W\d_]")
_FIGURES = 3  # of the number of a code
_SMALL_WORD = re.compile(r"(?<= )(?:van|von|zu|de|der|den|del|della|di|da|du|la|las|los)(?= (?:[a-z]+ )?[A-Z])")
_HABIT = 2  # different texts in the wrong case: a single one may be meant so


def _in_case(value: str, style: str, small: list[str]) -> str:
    """The text in upper, lower or title case; as it is where that would change it again the next time."""
    if style != "title":
        return value.upper() if style == "upper" else value.lower()
    cased = _title(value, small)
    return cased if _title(cased, small) == cased else value


def _title(value: str, small: list[str]) -> str:
    """Each word with a capital, but for the `small` ones of names that are small, or in capitals as all others."""
    text = value.lower() if value.isupper() else value
    return re.sub(
        r"[^\W\d_]+(?:'[^\W\d_]+)*",
        lambda found: found[0] if found[0] in small and found.start() else _capitalized(found),
        text,
    )


def _capitalized(found: "re.Match[str]") -> str:
    """A word with its first letter as a capital, and O'Neil; a name with a capital inside, as McDonald, as it is."""
    word = found[0]
    steps = [(word[at - 1].isupper(), word[at].isupper()) for at in range(1, len(word))]
    inner = (False, True) in steps and (True, True) not in steps
    if word[:1].isupper() and word[-1:].islower() and inner:
        return word
    at = 2 if len(word) > 3 and word[:2].upper() in ("O'", "D'", "L'") else 0
    return word[:at].upper() + word[at:].capitalize()


def _code_case(value: str, shapes: list[str], style: str, short: dict[str, str]) -> str:
    """A code of a known shape, or one of the `short` ones, in the column's case; any other text as it is."""
    cased = value.upper() if style == "upper" else value.lower()
    if value in short:
        return short[value]
    return cased if value.isascii() and _shape(value) in shapes else value


def _name_case(value: str, words: dict[str, str], least: int) -> str:
    """So many words or more, all in capitals or all small, as the column writes them; left where one is unknown.

    Figures, as those of a house, need not be known.
    """
    if value not in (value.upper(), value.lower()) or value.count(" ") < least - 1:
        return value
    known = [words.get(word.lower(), "" if re.search(r"[^\W\d_]", word) else word) for word in value.split(" ")]
    return " ".join(known) if all(known) else value


def _shape(text: str) -> str:
    """Letters as A, numbers as 0; of many letters and figures in any order, as of vehicles, only how many these are."""
    if len(text) >= 10 and text.isalnum() and re.search(r"\d[A-Za-z]+\d|[A-Za-z]\d+[A-Za-z]", text):
        return f"0{len(text)}"
    return re.sub(r"\d+", "0", re.sub("[A-Za-z]", "A", text))


def _look_for_wanted_case(column: TextColumn, convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    style = convention.case
    small = sorted({word for text in column.counts for word in _SMALL_WORD.findall(text)})
    if style is None or all(_in_case(text, style, small) == text for text in column.counts):
        return None
    return RuleFinding({"style": style, "small": small})


def _look_for_codes(column: TextColumn, convention: ColumnConvention, table: WorkingRows) -> RuleFinding | None:
    """Codes: letters and digits with one blank, or figures in groups behind, of few shapes, nearly all in one case."""
    if convention.case is not None or exact_texts.are_exact(column):
        return None
    shapes: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in column.counts.items():
        if not text.isascii() or not _CODE.fullmatch(text):
            continue
        shape = _shape(text)
        if "0" in shape or len(text) <= 3:
            shapes[shape]["upper" if text.isupper() else "lower" if text.islower() else "mixed"] += count
    cases = sum(shapes.values(), Counter[str]())
    worded = column.rows(lambda text: any(map(str.isalnum, text)))  # a dash contradicts no case
    if cases.total() < 0.9 * worded or not cases:
        return None
    style, rows = cases.most_common(1)[0]
    others = cases.total() - rows
    most, of_shape = (_MOST_CODES, _MOST_CODES) if all(map(_is_numbered, column.counts)) else (0.9, 0.8)
    if style == "mixed" or not others or rows < most * cases.total() or cases["mixed"] > 0.3 * others:
        return None
    known = sorted(
        shape for shape, used in shapes.items() if used[style] >= 3 and used[style] >= of_shape * used.total()
    )
    meant = meant_case.codes_in_case(column)
    if style == "upper":
        plain = {_shape(text) for text in meant}
        settings: dict[str, Any] = {"shapes": [shape for shape in known if shape not in plain], "short": {}}
    else:
        short = [text for text, count in column.counts.items() if text.islower() and count >= 3 and text not in meant]
        short = sorted(text for text in short if _shape(text) in known and "0" not in _shape(text))
        settings = {"shapes": [shape for shape in known if "0" in shape], "short": _other_forms(short, column)}
    settings["style"] = style
    new = {text: _code_case(text, **settings) for text in column.counts}
    cased = {*new.values()}
    twins = [(text, code) for text, code in new.items() if code != text and code in column.counts]
    if (
        cased == {*column.counts}
        or (len(cased) < len(column.counts) == column.filled)
        or are_named(table, column, twins)
    ):
        return None  # keys of rows stay keys
    return RuleFinding(settings)


def _is_numbered(text: str) -> bool:
    """Whether it is letters and a number of several figures, as ORD-100031 and E0001, which no unit or name is."""
    return text[0].isalpha() and sum(map(str.isdigit, text)) >= _FIGURES


def _other_forms(short: list[str], column: TextColumn) -> dict[str, str]:
    """Codes in capitals, or with a capital in front, as they should be; among units not Mg, which is no mg."""
    units = meant_case.are_units(column)
    forms = [(form, text) for text in short for form in (text.upper(), text.capitalize()) if form != text]
    return {
        form: text
        for form, text in forms
        if not (units and meant_case.are_two_units(form, text)) or column.counts[form] == 1
    }


def _is_capitalized(text: str) -> bool:
    """Whether its first letter, behind any house number, is a capital, and not all are."""
    first = _LETTER.search(text)
    return first is not None and first[0].isupper() and not text.isupper()


def _look_for_names(column: TextColumn, convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    """Names of several words, of persons also of one: nearly all in mixed case, a few all in capitals or all small."""
    if convention.case is not None or exact_texts.are_exact(column):
        return None
    persons = spelling_exceptions.are_persons(column)
    least = 1 if persons else 2
    mixed = column.rows(_is_capitalized)
    flat = [text for text in column.counts if (text.isupper() or text.islower()) and text.count(" ") >= least - 1]
    if (
        not flat
        or mixed < (0.3 if persons else 0.6) * column.filled
        or (not persons and spelling.is_closed_list(column))
    ):
        return None
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in column.counts.items():
        if not text.isupper() and not text.islower():
            for word in filter(_LETTER.search, text.split(" ")):
                forms[word.lower()][word] += count
    words = {
        word: best
        for word, used in forms.items()
        if (best := used.most_common(1)[0][0])
        and used[best] >= max(2, 0.95 * used.total())
        and (INNER_CAPITAL.search(best) or not any(map(INNER_CAPITAL.search, used)))  # Macdonald beside a MacDonald
    }
    needed = {word for text in flat for word in text.lower().split(" ")}
    if len(words) > _MOST_WORDS:
        words = {word: words[word] for word in sorted(needed) if word in words}
    cased = {text: new for text in flat if (new := _name_case(text, words, least)) != text}
    if len(words) > _MOST_WORDS or not (len(cased) >= _HABIT or any(new in column.counts for new in cased.values())):
        return None
    return RuleFinding({"words": dict(sorted(words.items())), "least": least})


RULES = (
    RepairRule(
        name="{style}_case_in_{columns}",
        issue="{columns} should be in {style} case, as was asked for.",
        doc="Write texts in {style} case.",
        fix=_in_case,
        look=_look_for_wanted_case,
        helpers=(_title, _capitalized),
        imports=("re",),
    ),
    RepairRule(
        name="{style}_case_codes_in_{columns}",
        issue="A few codes in {columns} are not in {style} case.",
        doc="Write codes in {style} case.",
        fix=_code_case,
        look=_look_for_codes,
        helpers=(_shape,),
        imports=("re",),
    ),
    RepairRule(
        name="mixed_case_in_{columns}",
        issue="Some texts in {columns} are all in capitals or all in small letters.",
        doc="Write words as the rest of the column writes them where a text is all in capitals or all small.",
        fix=_name_case,
        look=_look_for_names,
        imports=("re",),
    ),
)
