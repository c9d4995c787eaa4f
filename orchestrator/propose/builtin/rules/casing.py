"""Upper and lower case: what the instruction asks for, codes in small letters, and names in capitals.

Closed lists of words are left to the spelling rule. Here: long lists (names, places), and names of persons, in which a
few texts are written all in capitals or all small although the column is not, and whose words all stand elsewhere in
the column in mixed case; and codes (ORD-100031) whose letters are capitals but for a few.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from orchestrator.propose.builtin.names import listed, slug, slugs
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.rules import lookalikes, spelling
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MOST_WORDS = 1500
_HABIT = 2  # different texts in the wrong case: a single one may be meant so


def _in_case(value: str, style: str) -> str:
    """The text in upper, lower or title case; as it is where that would change it again the next time."""
    if style != "title":
        return value.upper() if style == "upper" else value.lower()
    word = r"[^\W\d_]+(?:'[^\W\d_]+)?"
    cased = re.sub(word, lambda found: found[0].capitalize(), value)
    return cased if re.sub(word, lambda found: found[0].capitalize(), cased) == cased else value


def _code_case(value: str, shapes: list[str], style: str) -> str:
    """A code of a known shape in the column's case; any other text as it is."""
    cased = value.upper() if style == "upper" else value.lower()
    return cased if value.isascii() and re.sub(r"\d+", "0", re.sub("[A-Za-z]", "A", value)) in shapes else value


def _name_case(value: str, words: dict[str, str], least: int) -> str:
    """So many words or more, all in capitals or all small, as the column writes them; left where one is unknown."""
    if value not in (value.upper(), value.lower()) or value.count(" ") < least - 1:
        return value
    known = [words.get(word.lower(), "") for word in value.split(" ")]
    return " ".join(known) if all(known) else value


def find(table: WorkingRows, wishes: Preferences) -> Iterator[Remedy]:
    for style in ("upper", "lower", "title"):
        asked = tuple(
            c.name
            for c in table.columns
            if wishes[c.name].case == style and any(_in_case(t, style) != t for t in c.counts)
        )
        if asked:
            yield Remedy(
                rule="casing",
                name=f"{style}_case_in_{slugs(asked)}",
                issue=f"{listed(asked)} should be in {style} case, as was asked for.",
                doc=f"Write texts in {style} case.",
                columns=asked,
                fix=_in_case,
                settings={"style": style},
                imports=("re",),
            )
    for column in table.columns:
        if wishes[column.name].case is None and (remedy := _codes(column) or _names(column)) is not None:
            yield remedy


def _codes(column: TextColumn) -> Remedy | None:
    """Codes: letters and digits without blanks, of a few shapes, nearly all in one case."""
    shapes: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in column.counts.items():
        if not text.isascii() or not re.fullmatch(r"[A-Za-z0-9/._-]*[A-Za-z][A-Za-z0-9/._-]*", text):
            continue
        shape = re.sub(r"\d+", "0", re.sub("[A-Za-z]", "A", text))
        if "0" in shape or len(text) <= 3:
            shapes[shape]["upper" if text.isupper() else "lower" if text.islower() else "mixed"] += count
    cases = sum(shapes.values(), Counter[str]())
    if cases.total() < 0.9 * column.filled or not cases:
        return None
    style, rows = cases.most_common(1)[0]
    others = cases.total() - rows
    if style == "mixed" or not others or rows < 0.9 * cases.total() or cases["mixed"] > 0.3 * others:
        return None
    known = sorted(shape for shape, used in shapes.items() if used[style] >= 3 and used[style] >= 0.8 * used.total())
    return Remedy(
        rule="casing",
        name=f"{style}_case_codes_in_{slug(column.name)}",
        issue=f"A few codes in {column.name} are not in {style} case.",
        doc=f"Write codes in {style} case.",
        columns=(column.name,),
        fix=_code_case,
        settings={"shapes": known, "style": style},
        imports=("re",),
    )


def _names(column: TextColumn) -> Remedy | None:
    """Names of several words, of persons also of one: nearly all in mixed case, a few all in capitals or all small."""
    persons = lookalikes.are_persons(column)
    least = 1 if persons else 2
    mixed = column.rows(lambda text: not text.isupper() and not text.islower() and text[0].isupper())
    flat = [text for text in column.counts if (text.isupper() or text.islower()) and text.count(" ") >= least - 1]
    if not flat or mixed < 0.85 * column.filled or (not persons and spelling.is_closed_list(column)):
        return None
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in column.counts.items():
        if not text.isupper() and not text.islower():
            for word in text.split(" "):
                forms[word.lower()][word] += count
    words = {
        word: best
        for word, used in forms.items()
        if (best := used.most_common(1)[0][0]) and used[best] >= max(2, 0.95 * used.total())
    }
    needed = {word for text in flat for word in text.lower().split(" ")}
    if len(words) > _MOST_WORDS:
        words = {word: words[word] for word in sorted(needed) if word in words}
    cased = {text: new for text in flat if (new := _name_case(text, words, least)) != text}
    if len(words) > _MOST_WORDS or not (len(cased) >= _HABIT or any(new in column.counts for new in cased.values())):
        return None
    return Remedy(
        rule="casing",
        name=f"mixed_case_in_{slug(column.name)}",
        issue=f"Some texts in {column.name} are all in capitals or all in small letters.",
        doc="Write words as the rest of the column writes them where a text is all in capitals or all small.",
        columns=(column.name,),
        fix=_name_case,
        settings={"words": dict(sorted(words.items())), "least": least},
    )
