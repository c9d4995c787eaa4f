"""Which columns a prompt shows in full, and which in a line. Called by `prompt_context`.

In full: what the question is about, what the instruction or a convention names or means, where the host still finds
something, and, as far as there is room, columns that mix forms. Everything here only decides what is shown: a column
that is left to a line is still there to be cleaned.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from orchestrator.core.requests import ProposalRequest
from orchestrator.core.wording import counted
from orchestrator.data.cells import is_text
from orchestrator.data.profile.quality import ColumnLook, look_at
from orchestrator.data.record_tables import is_records, texts_in
from orchestrator.propose.prompting.column_profile import TRUE_TYPE
from orchestrator.propose.prompting.form_kinds import mixed_forms, unmarked

_WORD = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SHORTEST = 3  # letters of a word that is looked for
_FEW = 6  # columns that are all shown in full: to leave some out saves nothing
_RARE = 0.05  # share of cells up to which other forms than the usual one are worth a look
_KINDS = (
    ({"phone", "telephone", "tel", "mobile", "fax", "e164"}, {"phone", "tel", "telephone", "mobile", "cell", "fax"}),
    ({"date", "dates", "iso", "day", "days", "timestamp"}, {"date", "day", "dob", "birth", "born", "time", "at", "on"}),
    ({"price", "prices", "money", "amount", "amounts", "currency"}, {"price", "amount", "cost", "total", "fee", "pay"}),
    ({"mail", "email", "emails", "mails", "address"}, {"mail", "email", "address", "street"}),
    ({"name", "names"}, {"name", "customer", "person", "city", "author", "title"}),
    ({"country", "countries"}, {"country", "nation", "land"}),
    ({"zip", "postcode", "postal"}, {"zip", "postcode", "postal", "plz"}),
)


class Focus(NamedTuple):
    """Columns in full, the most relevant first; `found`: by column, what the host still finds in it, in words."""

    columns: tuple[str, ...]
    found: dict[str, str]


def focus_of(request: ProposalRequest, table: pa.Table, most: int) -> Focus:
    """At most so many columns of the table. Those that the question is about come alone, where it names any."""
    names = [*dict.fromkeys(table.column_names)]
    looks = {name: _look(table, name) for name in names}
    found = {name: words for name, look in looks.items() if (words := _left(look, rare_forms(look.patterns)))}
    if about := [name for name in request.focus if name in names]:
        return Focus(tuple(about[:most]), found)
    if len(names) <= _FEW:
        return Focus(tuple(names), found)
    named, alike = wanted_columns(request, names)
    meant = [name for name in alike if name in found]
    others = _paged([name for name in found if name not in {*named, *meant}], request, most - len(named) - len(meant))
    first = [*named, *meant, *others]
    mixed = [n for n in names if n not in first and _is_text(table, n) and mixed_forms(looks[n].patterns)]
    return Focus(tuple([*first, *_paged(mixed, request, most - len(first))][:most]), found)


def _paged(names: list[str], request: ProposalRequest, room: int) -> list[str]:
    """In an order that moves on with the chunk and the iteration: no column waits for ever behind those before it."""
    if not 0 < room < len(names):
        return names
    start = (request.chunk_index * room) % len(names)
    return [*names[start:], *names[:start]]


def wanted_columns(request: ProposalRequest, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The columns that the instruction or a convention names, and those that the instruction may mean."""
    asked = _words(_without_names(request.instruction, names))
    said = request.conventions.columns if request.conventions is not None else {}
    named = [name for name in names if name in said or _is_named(name, asked, request.instruction)]
    return named, [name for name in names if name not in named and _is_meant(name, asked)]


def still_found(request: ProposalRequest) -> dict[str, str]:
    """What the host finds in the rows, by column: null words and stray blanks, and other forms where they are wanted.

    Rare forms in columns that the instruction names or means, and at any share in those that it names.
    """
    names = [*dict.fromkeys(request.rows.column_names)]
    named, meant = wanted_columns(request, names)
    may = may_mix(request)
    told = {}
    for name in names:
        look = _look(request.rows, name)
        rare = rare_forms(look.patterns) if name in named or name in meant else {}
        told[name] = _left(look, rare, mixed_forms(look.patterns) if name in may and not rare else {})
    return {name: words for name, words in told.items() if words}


def may_mix(request: ProposalRequest) -> list[str]:
    """The columns of texts that the instruction or a convention names, without those that are to be left alone.

    What mixes forms there may be what was asked for and not done. It may also be right: it is asked about, no more.
    """
    named, _ = wanted_columns(request, [*dict.fromkeys(request.rows.column_names)])
    said = request.conventions.columns if request.conventions is not None else {}
    return [n for n in named if _is_text(request.rows, n) and not (n in said and said[n].leave)]


def _left(look: ColumnLook, rare: dict[str, int], mixed: dict[str, int] | None = None) -> str:
    """What the host finds in a column, in words: null words, stray blanks, other forms; empty for nothing."""
    told = []
    if look.null_tokens:
        told.append(counted(look.null_tokens, "null word"))
    if look.untrimmed:
        told.append(f"{look.untrimmed} with stray blanks")
    if rare:
        told.append(f"{counted(sum(rare.values()), 'cell')} in {counted(len(rare), 'rare form')}")
    if mixed:
        told.append(f"{counted(sum(mixed.values()), 'cell')} in another form than most, which may be right")
    return ", ".join(told)


def _look(table: pa.Table, name: str) -> ColumnLook:
    """The measures of a column; of one that holds patterns, those of cells that look like them."""
    place = table.column_names.index(name)
    column, metadata = table.column(place), table.schema.field(place).metadata
    texts = texts_in(column) if is_records(table) else column
    if metadata and TRUE_TYPE in metadata:
        texts = pa.array([None if text is None else unmarked(text) for text in texts.to_pylist()], pa.string())
    return look_at(texts, values=False)


def _is_text(table: pa.Table, name: str) -> bool:
    """Whether a column holds texts; those of records and of a table of patterns may."""
    field = table.schema.field(table.column_names.index(name))
    true = (field.metadata or {}).get(TRUE_TYPE)
    return is_text(field.type) if true is None else b"string" in true or true == b"record"


def rare_forms(patterns: dict[str, int]) -> dict[str, int]:
    """The forms beside the usual one, where there is a usual one and the others are few."""
    by_form = Counter(patterns)
    if len(by_form) < 2:
        return {}
    usual, most = by_form.most_common(1)[0]
    if by_form.total() - most > _RARE * by_form.total():
        return {}
    return {form: n for form, n in by_form.items() if form != usual}


def mentioned(names: list[str], text: str) -> list[str]:
    """The names that stand in a text, such as a source or a message."""
    return [name for name in names if name and name in text]


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))}


def _is_named(name: str, asked: set[str], instruction: str) -> bool:
    if len(name) >= _SHORTEST and name.lower() in instruction.lower():
        return True
    own = {word for word in _words(name) if len(word) >= _SHORTEST}
    return bool(own) and all(_stem(word) in {_stem(one) for one in asked} for word in own)


def _is_meant(name: str, asked: set[str]) -> bool:
    own = _words(name)
    return any(asked & wanted and own & columns for wanted, columns in _KINDS)


def _without_names(text: str, names: Sequence[str]) -> str:
    """The text without the columns' names in it: `order_date` does not name `order_no`."""
    found = sorted((name for name in names if len(name) >= _SHORTEST), key=len, reverse=True)
    return re.sub("|".join(map(re.escape, found)) or r"(?!)", " ", text, flags=re.IGNORECASE)


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s|y)$", "", word) if len(word) > _SHORTEST else word
