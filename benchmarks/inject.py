"""Spoils a clean table in known ways, so that cleaning is measured on errors that no rule was made for.

Called by `benchmarks.clean` and by tests. Every kind of error goes where it can occur: typos into
words, units into numbers, other formats into dates. The same table and seed give the same errors.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime

import pandas as pd

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DATE_FORMATS = ("%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y", "%m/%d/%y")
_OTHER_FORMATS = ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%Y/%m/%d")
Spoil = Callable[[str, random.Random, list[str]], str]


def inject(clean: pd.DataFrame, seed: int, share: float = 0.01) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The spoilt table, and its errors as rows of row, column, kind: about `share` of the cells per kind and column."""
    rng = random.Random(seed)
    spoilt = clean.copy()
    errors: list[tuple[int, str, str]] = []
    for place, column in enumerate(clean.columns):
        cells = clean[column].tolist()
        taken: set[int] = set()
        for kind, rows, spoil in _kinds(cells):
            free = [row for row in rows if row not in taken]
            for row in rng.sample(free, min(len(free), max(2, round(share * len(free))))):
                wrong = spoil(cells[row], rng, cells)
                if wrong != cells[row]:
                    taken.add(row)
                    spoilt.iat[row, place] = wrong
                    errors.append((row, column, kind))
    return spoilt, pd.DataFrame(errors, columns=["row", "column", "kind"])


def _kinds(cells: list[str]) -> Iterator[tuple[str, list[int], Spoil]]:
    """The kinds of error that fit the column, and the rows that can have them."""
    filled = [row for row, cell in enumerate(cells) if cell.strip()]
    counts = Counter(cells[row] for row in filled)
    if len(filled) < 20:
        return
    repeated = [row for row in filled if counts[cells[row]] >= 3]
    form = _date_format(list(counts))
    numbers = sum(bool(re.fullmatch(r"-?\d+(\.\d+)?", text)) for text in counts) >= 0.98 * len(counts)
    if form:
        yield "other date format", filled, lambda cell, rng, _: _redate(cell, form, rng)
    elif numbers and len(counts) > 10 and max(map(len, counts)) < 12 and not _is_code(list(counts)):
        yield "unit", filled, lambda cell, _, __: f"{cell} kg"
        yield "thousands", [row for row in filled if re.fullmatch(r"[1-9]\d{4,8}", cells[row])], _thousands
    if form or numbers:
        yield "null word", [row for row, cell in enumerate(cells) if not cell.strip()], _null_word
    else:
        words = [row for row in repeated if len(cells[row]) >= 6 and sum(map(str.isalpha, cells[row])) >= 5]
        yield "typo", words, _typo
        yield "case", [row for row in words if len(counts) < 0.5 * len(filled)], _other_case
        yield "separators", [row for row in words if " " in cells[row] or "-" in cells[row]], _separators
        yield "mojibake", [row for row in filled if not cells[row].isascii()], _mojibake
    yield "letter x", [row for row in repeated if len(cells[row]) >= 4], _letter_x
    yield "blanks", filled, _blanks
    if 5 <= len(counts) <= 0.2 * len(filled) and not form:
        yield (
            "another value",
            repeated,
            lambda cell, rng, all_: rng.choice([c for c in all_ if c.strip() and c != cell]),
        )


def _date_format(texts: list[str]) -> str | None:
    return next((form for form in _DATE_FORMATS if all(_date(text, form) for text in texts)), None)


def _date(text: str, form: str) -> date | None:
    try:
        return datetime.strptime(text, form).date()  # noqa: DTZ007 - days have no time zone
    except ValueError:
        return None


def _redate(cell: str, form: str, rng: random.Random) -> str:
    day = _date(cell, form)
    return day.strftime(rng.choice([other for other in _OTHER_FORMATS if other != form])) if day else cell


def _is_code(texts: list[str]) -> bool:
    """Digits of one length (ZIP codes, telephone numbers): no amounts."""
    return len({len(text) for text in texts}) == 1


def _thousands(cell: str, _: random.Random, __: list[str]) -> str:
    return f"{int(cell):,}"


def _null_word(_: str, rng: random.Random, __: list[str]) -> str:
    return rng.choice(["N/A", "null", "-", "NaN", "unknown"])


def _typo(cell: str, rng: random.Random, _: list[str]) -> str:
    """One letter lost, doubled, replaced, or swapped with the next one; never the first of a word."""
    places = [m.start() + 1 for m in re.finditer(r"(?<=[A-Za-z])[A-Za-z](?=[A-Za-z])", cell[:-1])]
    if not places:
        return cell
    at = rng.choice(places) - 1
    letter = rng.choice(_LETTERS)
    letter = letter.upper() if cell[at].isupper() else letter
    return rng.choice([
        cell[:at] + cell[at + 1 :],
        cell[:at] + cell[at] + cell[at:],
        cell[:at] + letter + cell[at + 1 :],
        cell[:at] + cell[at + 1] + cell[at] + cell[at + 2 :],
    ])  # fmt: skip


def _letter_x(cell: str, rng: random.Random, _: list[str]) -> str:
    at = rng.choice([place for place, sign in enumerate(cell) if not sign.isspace()])
    return cell[:at] + "x" + cell[at + 1 :]


def _other_case(cell: str, rng: random.Random, _: list[str]) -> str:
    return rng.choice([cell.upper(), cell.lower(), cell.swapcase(), cell.title()])


def _separators(cell: str, rng: random.Random, _: list[str]) -> str:
    """Another way to write the same: underscores or hyphens for blanks, "and" for "&", quotes around."""
    return rng.choice([
        cell.replace(" ", "_"), cell.replace(" ", "-"), cell.replace("&", "and"), f'"{cell}"', cell.replace("-", " ")
    ])  # fmt: skip


def _mojibake(cell: str, _: random.Random, __: list[str]) -> str:
    return cell.encode("utf-8").decode("cp1252", "ignore")


def _blanks(cell: str, rng: random.Random, _: list[str]) -> str:
    return rng.choice([f" {cell}", f"{cell} ", f"{cell}\u00a0", cell.replace(" ", "  ", 1)])
