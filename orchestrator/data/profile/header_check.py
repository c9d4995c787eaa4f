"""Whether the names of columns look like data: a file without a header has a person's row in their place.

Names of columns are shown to a model whatever is masked, so it is asked about before. Keys of objects are judged by
`is_value` too. Called by `model_choice` and `propose/privacy`.
"""

import re
from collections import Counter
from collections.abc import Sequence

import pyarrow as pa

from orchestrator.core.errors import UsageError
from orchestrator.data.cells import as_text
from orchestrator.data.text import clean_text

_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?:[-/](?:19|20)?[0-9]{2})?(?![0-9])(?![-/][0-9])")
_ADDRESS = re.compile(r"[^\s@]{1,64}@[^\s@]+\.[^\s@]+")  # bounded: a long name would cost the square of its length
_WHOLE = re.compile(r"[+-]?[0-9]{1,3}")
_AMOUNT = re.compile(r"[$€£]?\s?[+-]?[0-9]+[.,][0-9]+\s?[%$€£]?|[$€£]\s?[0-9]+")
_DIGITS = 6  # so many make a value; so many fewer where there is no letter
_DIGITS_ALONE = 4
_LIKE = 0.2  # so many cells of a column have the form of its name, where the name is one of them
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
        or _AMOUNT.fullmatch(rest)
        or digits >= _DIGITS
        or (digits >= _DIGITS_ALONE and not lettered)
    )


def data_in_header(rows: pa.Table) -> tuple[str, ...]:
    """The names of columns that look like data, beside the first rows; none where they look like a header."""
    names = rows.column_names
    numbers = [name for name in names if _WHOLE.fullmatch(name)]
    values = [name for name in names if is_value(name)]
    if not values and not _are_positions(numbers):
        values = [name for name in numbers if _is_like(name, rows.column(names.index(name)))]
    if values or numbers:
        return tuple(values)
    if not names or any(word in _TYPICAL for name in names for word in _words(name)):
        return ()
    alike = all(_is_like(name, rows.column(place)) for place, name in enumerate(names))
    return tuple(names) if alike else ()


def refuse_data(rows: pa.Table, where: str) -> None:
    """Raise UsageError where the names of columns look like data. `where`: the file, as the message names it."""
    found = data_in_header(rows)
    if found:
        example = clean_text(found[0], 40)
        raise UsageError(
            f"The names of columns in {where} look like data ({example!r}), and a model is shown them as they are.",
            advice="Put a line with names above the data, or say --header names if these are names.",
        )


def _are_positions(numbers: Sequence[str]) -> bool:
    """Whether small whole numbers count the columns."""
    found = sorted(map(int, numbers))
    return len(found) > 1 and found == list(range(found[0], found[0] + len(found)))


def _is_like(name: str, column: pa.ChunkedArray) -> bool:
    """Whether a name has the form of the cells under it."""
    forms = Counter(_form(text) for text in as_text(column).to_pylist() if text and text.strip() and text != name)
    return forms[_form(name)] >= max(1, _LIKE * forms.total())


def _form(text: str) -> str:
    """The kinds of characters, each once in a row."""
    kinds = ("9" if c.isdecimal() else "A" if c.isupper() else "a" if c.isalpha() else c for c in text[:100])
    return re.sub(r"(.)\1+", r"\1", "".join(kinds))


def _words(name: str) -> Sequence[str]:
    split = re.sub(r"(?<=[a-zß-ÿ])(?=[A-Z])", " ", name)
    words = re.findall(r"[^\W\d_]+", split.lower())
    return [*words, *(word.removesuffix("s") for word in words)]
