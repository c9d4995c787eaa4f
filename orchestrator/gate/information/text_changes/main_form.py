"""Changed cells that come close to how all others are written, and miss it: a year of two figures. Called by laws.py.

What brings cells into one form ends in the form of the cells that it leaves alone.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.tokens import all_figures, layout
from orchestrator.gate.information.value_kinds.moments import moments
from orchestrator.gate.information.value_kinds.number_parsing import reading

ENOUGH = 4  # different cells that show a form
SHORT = 3  # letters of a word
CODES = 5  # that show of how many figures the groups of a code are
MOSTLY = 0.7  # of the codes in groups
_IN_GROUPS = re.compile(r"\d+(?:[-/ \u2013]\d+){1,4}")
_GROUP = re.compile(r"\d+")
_PARTED = re.compile(r"\d[^\d.,]+\d")
_DECIMAL = re.compile(r"\d\.(\d+)")
_WHOLE = re.compile(r"-?(\d{1,18})(\s*[^\W\d_]*)")
_GROUPED = re.compile(r"(-?\d{1,3}),(\d{3})(\s*[^\W\d_]*)")
_DECIMAL_COMMA = re.compile(r"\d,(?:\d{1,2}|\d{4,})(?!\d)|(?<!\d)0,\d")
SCALE = 30  # how many times smaller or larger a number may be than the usual one
_LISTED = re.compile(r"[;|,]")
_CODE = re.compile(r"[^\W\d_]{1,4}\d{1,6}")
_APART = re.compile(r"[\s,;/|+&]+")


def width_missed(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Fewer figures in a part than all other cells have there: `16-03-02` beside `2023-05-15`."""
    forms: dict[str, set[str]] = defaultdict(set)
    for text in unchanged_texts(cells):
        if _PARTED.search(text):
            forms[layout(text)].add(text)
    widths = {form: {_widths(text) for text in texts} for form, texts in forms.items() if len(texts) >= ENOUGH}
    for before, after in changed:
        shown = widths.get(layout(after), set())
        changed_figures = all_figures(before) != all_figures(after)
        if changed_figures and len(shown) == 1 and sum(_widths(after)) < sum(next(iter(shown))):
            return "fewer figures stand in a part than in all other cells", (before, after)
    return None


def _widths(text: str) -> tuple[int, ...]:
    return tuple(map(len, _GROUP.findall(text)))


def decimals_missed(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A number that loses decimals which all others have: 98.6 F as `37 C` beside `36.9 C`."""
    forms: dict[str, set[str]] = defaultdict(set)
    for text in unchanged_texts(cells):
        if _DECIMAL.search(text):
            forms[layout(text)].add(text)
    whole = {layout(text) for text in unchanged_texts(cells)}
    full = {
        form.replace("9.9", "9") for form, texts in forms.items() if len(texts) >= ENOUGH and form.count("9.9") == 1
    }
    for before, after in changed:
        found = _DECIMAL.search(before)
        if not found or not found[1].strip("0") or layout(after) not in full - whole or _moved_only(before, after):
            continue
        if reading(before) != reading(after):
            return "a number loses the decimals that all others have", (before, after)
    return None


def _moved_only(before: str, after: str) -> bool:
    """Whether only the decimal point moved, as between units: 8.7 GBq as 8700 MBq."""
    return all_figures(before).strip("0") == all_figures(after).strip("0")


def thousands_misread(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A mark between thousands that becomes a decimal point: `97,853 kWh` as `97.853 kWh` beside `52188 kWh`."""
    whole: dict[str, list[int]] = defaultdict(list)
    for text in unchanged_texts(cells):
        if match := _WHOLE.fullmatch(text.strip()):
            whole[match[2]].append(int(match[1]))
    commas = {_unit(one) for one, _ in cells if isinstance(one, str) and _DECIMAL_COMMA.search(one)}
    for before, after in changed:
        match = _GROUPED.fullmatch(before.strip())
        others = whole[match[3]] if match and match[3].strip() not in commas else []
        if match and len(others) >= ENOUGH and after.strip() in _with_decimals(*match.groups()):
            usual = sorted(others)[len(others) // 2]
            if int(match[1]) * SCALE < usual <= int(match[1] + match[2]) * SCALE:
                return "a mark between thousands becomes a decimal point", (before, after)
    return None


def _unit(text: str) -> str:
    return re.sub(r"[\d.,\s+-]+", "", text)


def _with_decimals(thousands: str, rest: str, unit: str) -> set[str]:
    return {f"{thousands}.{rest}{unit}", f"{thousands}.{rest.rstrip('0')}".rstrip(".") + unit}


def cut_unlike_others(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Figures in groups of other lengths than most codes had: `309-774393` beside `30-9774393`."""
    shapes = Counter(shape for one, _ in cells if isinstance(one, str) and (shape := _shape(one)))
    usual, count = shapes.most_common(1)[0] if shapes else ("", 0)
    if count < CODES or MOSTLY * sum(shapes.values()) > count:
        return None
    for before, after in changed:
        if moments(after) or _GROUP.findall(before) == _GROUP.findall(after):
            continue  # a date has its parts in another order; what was in groups before may be as it is
        shape = _shape(after)
        as_many = shape.count("-") == usual.count("-") > 0 and shape.count("9") <= usual.count("9")
        if shape != usual and as_many and sum(map(str.isdigit, before)) == usual.count("9"):
            return "a code is cut elsewhere than the others", (before, after)
    return None


def _shape(text: str) -> str:
    """Figures as 9 and what parts their groups as a dash; empty where the text is no code in groups."""
    text = text.strip()
    return re.sub(r"[/ \u2013]", "-", re.sub(r"\d", "9", text)) if _IN_GROUPS.fullmatch(text) else ""


def items_joined(changed: Sequence[Change]) -> Found | None:
    """The words of a list that are written as one: `lamp; desk` as `lampdesk`."""
    for before, after in changed:
        parts = [part for part in map(str.strip, _LISTED.split(before)) if part]
        if len(parts) > 1 and after == "".join(parts) and all(_is_item(part) for part in parts):
            return "the items of a list are joined", (before, after)
    return None


def _is_item(part: str) -> bool:
    """A word, or one capital that stands for something."""
    return part.isalpha() and (len(part) >= SHORT or (len(part) == 1 and part.isupper()))


def codes_joined(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Several codes that are written as one: `C23 C25` as `C23C25`, where other cells hold one such code."""
    stay = {layout(text) for text in unchanged_texts(cells)}
    one_code = {layout(text) for text in unchanged_texts(cells) if _CODE.fullmatch(text)}
    for before, after in changed:
        parts = [part for part in _APART.split(before.strip()) if part]
        alike = len({layout(part.upper()) for part in parts}) == 1 and all(map(_CODE.fullmatch, parts))
        joined = alike and after.casefold() == "".join(parts).casefold()
        if len(parts) > 1 and joined and layout(parts[0].upper()) in one_code and layout(after) not in stay:
            return "several codes are joined", (before, after)
    return None
