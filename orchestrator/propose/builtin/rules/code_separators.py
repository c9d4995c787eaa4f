"""Codes of which nearly all are built alike get the same signs between their parts, or none: "AB12CDE" → "AB12 CDE",
"ATU 12345678" → "ATU12345678".

The letters and digits stay. Telephone numbers with the code of a country say nothing of the national ones beside them,
and stay. Left alone: numbers, times and dates, where a sign is a value or another order of the parts; codes that are
parted elsewhere; and columns of keys in which the new code is there already.
"""

import re
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.dates import looks_like_date
from orchestrator.propose.builtin.rules.exemptions.exact_texts import are_exact
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_NEARLY_ALL = 0.8  # of the rows are built alike
_LONG = 11  # figures
_USUAL = 0.3  # of them, where all have the same letters and digits
_KNOWN = 0.95  # of them are, or become so
_DIFFERENT, _FEW = 10, 2  # codes that are
_OFTEN = 3  # rows of a second way to part them
_SHORTEST = 6  # letters and digits: `2-1` may be a score
_SHORTEST_WHOLE = 6  # of one part
_BOOK = "9" * 13
_TELEPHONE = 9  # figures, all in groups of three: of amounts not nearly all have so many
_FOREIGN = 0.4  # of the rows, at most, that say nothing of the others
_ABROAD = re.compile(r"(?:\+|00)[1-9][\d ()./-]{7,20}", re.ASCII)
_CODE = re.compile(r"\+?[0-9A-Za-z]+(?:[ ./:_-][0-9A-Za-z]+)*")
_NUMBER = re.compile(r"9+\.9+|9{1,3}(?:[ .]999)+|9+(?::9+)+")  # also times


def _same_separators(value: str, form: str) -> str:
    """The letters (A) and digits (9) of a code, parted as in the form; a text that is built otherwise, as it is."""
    if re.fullmatch(r"\+?[0-9A-Za-z]+(?:[ ./:_-]{1,3}[0-9A-Za-z]+)*", value) is None or (value[0] == "+") != (
        form[0] == "+"
    ):
        return value
    if form.isdecimal() and not re.fullmatch(r"\d+( \d+)+" if len(form) < 9 else r"\d+([ -]\d+)+", value):
        return value  # 123.4567 is no seven figures, and 123-456 perhaps from one number to another
    signs = "".join(re.findall(r"[0-9A-Za-z]", value))
    kinds = "".join("9" if sign.isdigit() else "A" for sign in signs)
    parts = [len(part) for part in re.findall(r"[0-9A-Za-z]+", value)]
    wanted = [len(part) for part in re.findall(r"[9A]+", form)]
    ends = {sum(parts[:count]) for count in range(1, len(parts))}
    elsewhere = ends - {sum(wanted[:count]) for count in range(1, len(wanted))}
    if kinds != "".join(re.findall(r"[9A]", form)) or (elsewhere and len(wanted) > 1):
        return value
    left = iter(signs)
    return "".join(next(left) if sign in "9A" else sign for sign in form)


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: _CODE.fullmatch(text) is not None) or are_exact(column):
        return None
    forms = Counter[str]()
    for text, count in column.counts.items():
        if len(text) < 40 and _CODE.fullmatch(text):
            forms[_form(text)] += count
    form, rows = forms.most_common(1)[0] if forms else ("", 0)
    if not form.isdecimal() and column.may_be(_is_book) and column.share(_is_book) >= _NEARLY_ALL:
        form, rows = _BOOK, forms[_BOOK]
    filled = column.filled - _of_other_countries(form, column)
    alone = _differ_in_signs_alone(forms, column.filled) and (form == _BOOK or not _says_where_parts_end(form, forms))
    nearly_all, different = (_USUAL, _FEW) if alone else (_NEARLY_ALL, _DIFFERENT)
    alike = [text for text in column.counts if len(text) == len(form) and _form(text) == form]
    if (
        rows < nearly_all * filled
        or len(alike) < different
        or not (_is_parted_code(form, alike) or (alone and _is_short_code(form)))
    ):
        return None
    new = {text: made for text in column.counts if (made := _same_separators(text, form)) != text}
    are_keys = len(column.counts) == column.filled
    if not new or (are_keys and any(made in column.counts for made in new.values())):
        return None
    known = rows + sum(column.counts[text] for text in new) >= _KNOWN * filled
    return RuleFinding({"form": form}) if known else None


def _of_other_countries(form: str, column: TextColumn) -> int:
    """How many rows hold a telephone number with a country's code where the form is that of national ones."""
    if not re.fullmatch(r"9+(?:[ ./-]9+)+", form) or form.count("9") < _TELEPHONE:
        return 0
    abroad = column.rows(lambda text: _ABROAD.fullmatch(text) is not None)
    return abroad if abroad <= _FOREIGN * column.filled else 0


def _differ_in_signs_alone(forms: Counter[str], filled: int) -> bool:
    """Whether nearly all cells are the same letters and digits, in several ways parted."""
    signs = Counter[str]()
    for form, rows in forms.items():
        signs["".join(filter(str.isalnum, form))] += rows
    same, rows = signs.most_common(1)[0] if signs else ("", 0)
    return (("A" in same and "9" in same) or len(same) >= _LONG) and rows >= _KNOWN * filled


def _is_book(text: str) -> bool:
    """Whether it is the number of a book, whose parts are of other lengths from publisher to publisher."""
    figures = "".join(filter(str.isalnum, text))
    return len(figures) == len(_BOOK) and figures.startswith(("978", "979")) and figures.isdecimal()


def _says_where_parts_end(form: str, forms: Counter[str]) -> bool:
    """Whether most are whole, and others parted in several places, as VK 340 56600 and VK 3405 6600."""
    parted = Counter[tuple[int, ...]]()
    for other, rows in forms.items():
        parts = tuple(map(len, re.findall("[9A]+", other)))
        parted[parts] += rows if len(parts) > 1 else 0
    often = parted.most_common(2)
    return form.isalnum() and len(often) > 1 and often[1][1] >= _OFTEN


def _is_short_code(form: str) -> bool:
    """Letters and a number, as AA 881 and WH-1; no A-1, which is another mark than A1."""
    return re.fullmatch(r"A{2,}[ _-]?9+|A[ _-]?9{2,}", form) is not None


def _is_parted_code(form: str, texts: list[str]) -> bool:
    """Whether the form is that of a code, of many figures or of several parts; no number, time or date."""
    signs = sum(map(str.isalnum, form))
    form = form.removeprefix("+")
    whole = signs == len(form) and not ("9" in form and signs >= _SHORTEST_WHOLE)
    if whole or signs < _SHORTEST or (_NUMBER.fullmatch(form) and not (" " in form and signs >= _TELEPHONE)):
        return False
    return 2 * sum(map(looks_like_date, texts)) < len(texts)


def _form(text: str) -> str:
    return re.sub(r"[A-Za-z]", "A", re.sub(r"[0-9]", "9", text))


RULE = RepairRule(
    name="same_separators_in_{columns}",
    issue="Some codes in {columns} have other signs between their parts than most, or none.",
    doc="Write codes with the signs of the form {form!r} between their parts.",
    fix=_same_separators,
    look=_look,
    imports=("re",),
)
