"""Whether the names of columns look like data: a file without a header has a person's row in their place.

Names of columns are shown to a model whatever is masked, so it is asked about before. Keys of objects are judged by
`is_value` too. Called by `model_choice`, `agents` and `propose/privacy`.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import pyarrow as pa

from orchestrator.core.errors import UsageError
from orchestrator.data.cells import as_text
from orchestrator.data.profile.missing_words import NULL_TOKENS
from orchestrator.data.text import clean_text

if TYPE_CHECKING:
    from orchestrator.data.formats import Dataset

_LOOKED_AT = 1_000  # rows
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?:[-/](?:19|20)?[0-9]{2})?(?![0-9])(?![-/][0-9])")
_DATE = re.compile(
    r"(?<![0-9])(?:[0-9]{1,2}([-./])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})|[0-9]{4}([-./])[0-9]{1,2}\2[0-9]{1,2})(?![0-9])"
)
_ADDRESS = re.compile(r"[^\s@]{1,64}@[^\s@]+\.[^\s@]+")  # bounded: a long name would cost the square of its length
_WHOLE = re.compile(r"[+-]?[0-9]{1,3}")
_AMOUNT = re.compile(r"[$€£]?\s?[+-]?[0-9]+[.,][0-9]+\s?[%$€£]?|[$€£]\s?[0-9]+")
_DIGITS = 6  # so many make a value; so many fewer where there is no letter
_DIGITS_ALONE = 4
_LIKE = 0.2  # so many cells of a column have the form of its name, where the name is one of them
_MOSTLY = 0.6  # of the names that are like the cells under them, and of the cells that are numbers
_UNIT = 2  # letters beside a number
_MANY = 12  # keys that few records have: so many may be entries of a table
_FIELD = re.compile(r"[a-z$@_]\w*(?:[-.:]\w+)*")  # such as order_id, lastSeen
_UNNAMED = re.compile(r"Unnamed: [0-9]+")  # what the readers call a column without a name
_TYPICAL = frozenset(
    """
    id key name names first last given family middle full mail email phone tel mobile fax address street city town state
    province county country region zip postal postcode code date time year month day birth born age sex gender title
    type kind category class status description text note comment price amount total sum cost value quantity qty count
    number no nr company firm organisation organization department product item brand model colour color size weight
    height width length unit currency language lang url website link image user customer client person order invoice
    account owner author publisher journal genre artist album song team player score rating rank group level grade
    school university course subject job occupation profession role position remark column field label index place
    vorname nachname ort stadt straße strasse plz land datum betrag preis menge telefon geburtsdatum kunde firma artikel
    """.split()  # noqa: SIM905 - prose is easier to keep than a hundred quoted words
)


def is_value(name: str) -> bool:
    """Whether it looks like a number, an amount, a date or an address, and not like a name. Years may be names."""
    rest = _YEAR.sub("", name.strip())
    digits = sum(char.isdecimal() for char in rest)
    lettered = any(char.isalpha() for char in rest)
    return bool(
        _ADDRESS.search(name)
        or _DATE.search(name)
        or _AMOUNT.fullmatch(rest)
        or digits >= _DIGITS
        or (digits >= _DIGITS_ALONE and not lettered)
    )


def data_in_header(rows: pa.Table) -> tuple[str, ...]:
    """The names of columns that look like data, beside the first rows; none where they look like a header."""
    names = rows.column_names
    cells = {name: as_text(column).to_pylist() for name, column in zip(names, rows.columns, strict=True)}
    numbers = [name for name in names if _WHOLE.fullmatch(name)]
    values = [name for name in names if is_value(name)]
    if not values and not _are_positions(numbers):
        values = [name for name in numbers if _is_like(name, cells[name])]
    if values or numbers:
        return tuple(values)
    named = [name for name in names if name.strip().lower() not in NULL_TOKENS and not _UNNAMED.fullmatch(name)]
    if not named:
        return ()
    repeated = frozenset(row for row, one in enumerate(zip(*cells.values(), strict=True)) if list(one) == names)
    among = {name for name in named if _among(name, cells[name], repeated)}
    if any(_is_usual(name) for name in named if name not in among):
        return ()
    above_numbers = (name for name in named if _names_numbers(name, cells[name]))
    if len(list(islice(above_numbers, 2))) > 1:  # one may be a word for nothing
        return ()
    alike = among | {name for name in named if name not in among and _is_like(name, cells[name])}
    usual = [name for name in named if _has_usual_word(name)]
    if 2 * len(usual) >= len(named) and not alike.issuperset(usual):  # Anna Price, Station Street
        return ()
    return tuple(names) if len(alike) >= _MOSTLY * len(named) else ()


def refuse_data(rows: pa.Table, where: str) -> None:
    """Raise UsageError where the names of columns look like data. `where`: the file, as the message names it."""
    found = data_in_header(rows)
    if found:
        example = clean_text(found[0], 40)
        raise UsageError(
            f"The names of columns in {where} look like data ({example!r}), and a model is shown them as they are.",
            advice="Put a line with names above the data, or say --header names if these are names.",
        )


def refuse_names(dataset: "Dataset", *, by_row: bool) -> None:
    """Raise UsageError where the names of columns of a data set look like data. `by_row`: it is read as records.

    Keys of JSON records are names of columns where they are read as a table; of records, fakes of such keys are shown.
    """
    from orchestrator.data.formats import FORMATS

    rows = next(dataset.batches(_LOOKED_AT), None)
    if rows is None:
        return
    where = str(dataset.place)
    refuse_data(rows, where)
    known = FORMATS.get(dataset.format)
    if not by_row and known is not None and known.records and (found := _entries(rows)):
        raise UsageError(
            f"Keys of records in {where} look like data ({clean_text(found[0], 40)!r}): they are many, and few records "
            "have each. In a table they are names of columns, which a model is shown as they are.",
            advice="Say --shape record, under which such keys are replaced, or --header names if these are names.",
        )


def _entries(rows: pa.Table) -> list[str]:
    """The keys that few records have, where they are many and most of them do not look like names of fields."""
    cells = zip(rows.column_names, rows.columns, strict=True)
    rare = [name for name, column in cells if 2 * column.null_count > rows.num_rows]
    found = [name for name in rare if not _FIELD.fullmatch(name) and not _has_usual_word(name)]
    return found if len(rare) >= _MANY and len(found) >= _MOSTLY * len(rare) else []


def _are_positions(numbers: Sequence[str]) -> bool:
    """Whether small whole numbers count the columns."""
    found = sorted(map(int, numbers))
    return len(found) > 1 and found == list(range(found[0], found[0] + len(found)))


def _is_like(name: str, cells: Sequence[str | None]) -> bool:
    """Whether a name has the form of the cells under it."""
    texts = Counter(_filled(cells))
    form = _form(name.strip())
    begin_so = {first for first in {text[0] for text in texts} if form.startswith(_form(first))}
    alike = sum(count for text, count in texts.items() if text[0] in begin_so and _form(text) == form)
    return alike >= max(1, _LIKE * texts.total())


def _among(name: str, cells: Sequence[str | None], repeated: Collection[int]) -> bool:
    """Whether the name is a cell of its column, but for rows in which all names stand again."""
    return any(cell == name for row, cell in enumerate(cells) if row not in repeated)


def _names_numbers(name: str, cells: Sequence[str | None]) -> bool:
    """Whether a name without figures stands above cells with figures and hardly a letter."""
    if not any(map(str.isalpha, name)) or any(map(str.isdecimal, name)):
        return False
    filled = _filled(cells)
    numbers = sum(any(map(str.isdecimal, cell)) and sum(map(str.isalpha, cell)) <= _UNIT for cell in filled)
    return numbers > _MOSTLY * len(filled)


def _filled(cells: Sequence[str | None]) -> list[str]:
    return [text.strip() for text in cells if text and text.strip()]


def _form(text: str) -> str:
    """The kinds of characters, each once in a row."""
    kinds = ("9" if c.isdecimal() else "A" if c.isupper() else "a" if c.isalpha() else c for c in text[:100])
    return re.sub(r"(.)\1+", r"\1", "".join(kinds))


def _has_usual_word(name: str) -> bool:
    return any(map(_is_typical, _words(name)))


def _is_usual(name: str) -> bool:
    return bool(words := _words(name)) and all(map(_is_typical, words))


def _is_typical(word: str) -> bool:
    return word in _TYPICAL or word.removesuffix("s") in _TYPICAL


def _words(name: str) -> Sequence[str]:
    split = re.sub(r"(?<=[a-zß-ÿ])(?=[A-Z])", " ", name)
    return re.findall(r"[^\W\d_]+", split.lower())
