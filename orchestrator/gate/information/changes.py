"""What the information heuristics share: changed cells as they are compared, and what was found about one of them."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any
from urllib.parse import unquote_plus

from orchestrator.gate.information.null_tokens import is_missing

# Zero-width spaces, soft hyphens, byte order marks, marks of direction. Joiners are none: they make other letters.
UNSEEN = dict.fromkeys([0xAD, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF])
DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))  # as a hyphen
NAMES, NAMED = 100, 5_000  # keys of an object, and characters of a text in which each of them is looked for
LONG, GAP = 200, 20  # characters of a text, and of a run of blanks in it
# UTF-8 read as Latin-1 that holds a soft hyphen: `\u00c3\u00ad` is `\u00ed`
_MISREAD = re.compile(r"[\u00c2-\u00df]\u00ad|[\u00e0-\u00ef](?:\u00ad[^\x00-\x7f]|[^\x00-\x7f]\u00ad)")
_GAP = re.compile(rf"[ \t\u00a0]{{{GAP},}}")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[@-~]")  # colours of a terminal
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_DECIMALS = re.compile(r"(?<![\d.])(\d+\.\d+?)0+(?![\d.])")  # with zeros that a number does not have
_COMMA_DECIMALS = re.compile(r"(?<![\d.,])\d{1,15},\d{0,15}0(?![\d.,])")
_NO_DECIMALS = re.compile(r"(?<![\d.])(\d+)\.0+(?![\d.])")
Change = tuple[Any, Any]  # a cell before and after
Found = tuple[str, Change]  # what is wrong, in a sentence, and the cell that shows it


def cell_key(change: Change) -> tuple[str, str]:
    """By which equal changes are found."""
    one, other = ((value if isinstance(value, str) else repr(value)) for value in change)
    return one, other


def moved(change: Change) -> bool:
    """Whether the cell is another one afterwards: 152 is not the text `152`."""
    one, other = cell_key(change)
    return one != other or isinstance(change[0], str) != isinstance(change[1], str)


def seen(change: Change) -> Change:
    """The change as people see it: without what has no width, and none where only blanks around a text went.

    Signs that nobody sees count where they were put in.
    """
    before, after = map(_without_long_gaps, change)
    if not (isinstance(before, str) and isinstance(after, str)) or before == after:
        return before, after
    if "\x1b" in before and "\x1b" not in after:
        before = _ESCAPE.sub("", before)
    if after.translate(UNSEEN) == after and not _repaired(before, after):
        before = before.translate(UNSEEN)
    return (after, after) if before.strip() == after else (before, after)


def _repaired(before: str, after: str) -> bool:
    """Whether a soft hyphen of the text is a byte of a letter that stands afterwards in its place."""
    found = [one[0] for one in _MISREAD.finditer(before)]
    read = {one.encode(codec, "replace").decode("utf-8", "replace") for one in found for codec in ("cp1252", "latin-1")}
    return not read.isdisjoint(after)


def _without_long_gaps(value: Any) -> Any:
    """A long text with no run of blanks beyond GAP: many expressions take quadratic time on such a run."""
    return _GAP.sub(" " * GAP, value) if isinstance(value, str) and len(value) > LONG else value


def both_text(change: Change) -> bool:
    """Whether it is a text before and after, and not an empty one."""
    return all(isinstance(value, str) and value for value in change)


def unchanged_texts(cells: Iterable[Change]) -> set[str]:
    """What the cells of texts say that stay as they are."""
    return {one for one, other in cells if isinstance(one, str) and one == other}


def written(change: Change) -> Change:
    """A text that became a number, a flag or parts, as texts: its sign and its figures are those of the text."""
    before, after = change
    if isinstance(after, list | dict) and type(before) in (int, float):
        before = str(before)
    if not isinstance(before, str) or isinstance(after, str):
        return change
    if isinstance(after, list | dict):
        parts = map(leaves, after) if isinstance(after, list) else _of_object(after, before)
        texts = [[f"{leaf:.15g}" if isinstance(leaf, float) else str(leaf) for leaf in part] for part in parts]
        if _PERCENT.search(before) and not any(_PERCENT.search(text) for part in texts for text in part):
            before = unquote_plus(before)
        if floats := {leaf for leaf in leaves(after) if isinstance(leaf, float)}:
            before = _COMMA_DECIMALS.sub(lambda found: _without_zeros(found[0], floats), before)
            before = _NO_DECIMALS.sub(r"\1", _DECIMALS.sub(r"\1", before))
        inside = ", " if ";" in before and "," in before else " "  # of the parts of one item
        return before, ("; " if ";" in before else ", ").join(inside.join(part) for part in texts if part)
    if isinstance(after, bool):
        return before, str(after).lower()
    if isinstance(after, float):
        return before, f"{after:.15g}"
    return before, str(after) if isinstance(after, int | Decimal) else after


def _without_zeros(number: str, floats: set[float]) -> str:
    """A number with a comma as its float is written, where it is one of these: `2,20` as `2,2`."""
    value = float(number.replace(",", "."))
    return f"{value:.15g}".replace(".", ",") if value in floats else number


def _of_object(value: dict[str, Any], text: str) -> Iterator[list[Any]]:
    """What stands in an object, each with its name where the text says it: `a=1&b=2`, `2 adults` as `{"adults": 2}`."""
    small = len(value) <= NAMES and len(text) <= NAMED
    for name, one in value.items():
        first, *others = leaves(one) or [None]
        word, said = re.escape(str(name)), re.escape(str(first))
        if small and re.search(rf"(?i)(?<![^\W_]){word}\s*(?:[=:&]|$)", text):
            yield [name] if first is None else [name, first]
        elif small and first is not None and re.search(rf"(?<![^\W_]){said}\s*{word}(?![^\W_])", text):
            yield [first, name]
        elif first is not None:
            yield [first]
        yield from [[leaf] for leaf in others]


def leaves(value: Any) -> list[Any]:
    """What stands in a list or an object and the ones inside it, but for what is missing."""
    if isinstance(value, list | dict):
        return [leaf for one in (value.values() if isinstance(value, dict) else value) for leaf in leaves(one)]
    return [] if is_missing(value) else [value]
