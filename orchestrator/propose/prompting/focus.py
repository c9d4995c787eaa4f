"""Which columns a prompt shows in full, and which in a line. Called by `prompt_context`.

In full: what the question is about, what the instruction or a convention names or means, where the host still finds
something, and, as far as there is room, columns that mix forms. What a function has cleaned and has one form now comes
behind the others. Everything here only decides what is shown: a column that is left to a line is still there to be
cleaned.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from orchestrator.core.candidate import Shape
from orchestrator.core.requests import ProposalRequest
from orchestrator.core.wording import counted
from orchestrator.data.cells import is_text
from orchestrator.data.profile.nested_texts import MARKS, Place
from orchestrator.data.profile.quality import ColumnLook, look_at
from orchestrator.data.record_tables import is_records, places_in
from orchestrator.propose.prompting.column_profile import TRUE_TYPE
from orchestrator.propose.prompting.form_kinds import kinds_of, mixed_forms, unmarked

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
_FORMS = (  # words of an instruction, and what the forms of a column are like that it then means
    ({"date", "dates", "day", "days", "timestamp"}, re.compile(r"9\+?([-/.])9{1,2}\1 ?9")),
    ({"mail", "email", "emails", "mails"}, re.compile("@")),
)


class Focus(NamedTuple):
    """Columns in full, the most relevant first; `found`: by place, what the host finds in it, or "".

    `asked`: of the columns in full those that the instruction names or means; all, where it names none.
    """

    columns: tuple[str, ...]
    found: dict[Place, str]
    asked: tuple[str, ...]


def focus_of(request: ProposalRequest, table: pa.Table, most: int) -> Focus:
    """At most so many columns of the table, twice as many where the instruction means them.

    Those that the question is about come alone, where it names any.
    """
    names = [*dict.fromkeys(table.column_names)]
    looks = {name: looks_of(table, name, request.shape) for name in names}
    at = {place: look for found in looks.values() for place, look in found.items()}
    found = {place: _left([_Found(look, rare_forms(look.patterns), {})]) for place, look in at.items()}
    named, alike = wanted_columns(request, names, [*at])
    chosen = [name for name in request.focus if name in names] or (names if len(names) <= _FEW else [])
    if not chosen:
        left = {place[0] for place, words in found.items() if words}
        several = {place[0] for place, look in at.items() if len(kinds_of(look.patterns)) > 1}
        by_form = {place[0] for place, look in at.items() if _is_meant_by_form(look.patterns, request.instruction)}
        alike = [name for name in names if name in alike or (name in by_form and name not in named)]
        meant = [name for name in alike if name in left or name in several]
        others = [name for name in names if name in left and name not in {*named, *meant}]
        first = [*named, *meant, *_paged(others, request, most - len(named) - len(meant))]
        mix = {place[0] for place, look in at.items() if mixed_forms(look.patterns)}
        mixed = [name for name in names if name in mix and name not in first and _is_text(table, name)]
        cleaned = {name for function in request.promoted for name in function.columns} - left - several
        chosen = sorted([*first, *_paged(mixed, request, most - len(first))], key=lambda name: name in cleaned)
        most = max(most, min(2 * most, len({*named, *meant} - cleaned)))
    full = tuple(chosen if len(names) <= _FEW and not request.focus else chosen[:most])
    asked = tuple(name for name in full if name in named or name in alike)
    return Focus(full, found, asked or full)


def _paged(names: list[str], request: ProposalRequest, room: int) -> list[str]:
    """In an order that moves on with the chunk: no column waits for ever behind those before it."""
    if not 0 < room < len(names):
        return names
    start = (request.chunk_index * room) % len(names)
    return [*names[start:], *names[:start]]


def wanted_columns(
    request: ProposalRequest, names: Sequence[str], places: Sequence[Place] = ()
) -> tuple[list[str], list[str]]:
    """The columns that the instruction or a convention names, and those that the instruction may mean.

    `places`: in records, those of the texts. A column with such a place comes behind those that are named themselves.
    """
    named, meant = _named_and_meant(request, names)
    inner, likely = wanted_places(request, places)
    named += [name for name in names if name in {place[0] for place in inner} and name not in named]
    meant += [name for name in names if name in {place[0] for place in likely} and name not in meant]
    return named, [name for name in names if name in meant and name not in named]


def wanted_places(request: ProposalRequest, places: Sequence[Place]) -> tuple[list[Place], list[Place]]:
    """The same of places: by the keys inside of a column, where the instruction names any; else by its own name."""
    columns = [*dict.fromkeys(place[0] for place in places)]
    keys = [*dict.fromkeys(key for place in places for key in place[1:] if key not in MARKS)]
    named, meant = map(set, _named_and_meant(request, columns))
    named_keys, meant_keys = map(set, _named_and_meant(request._replace(conventions=None), keys))
    inner = {place for place in places if named_keys & {*place[1:]}}
    narrower = {place[0] for place in inner}
    chosen = [p for p in places if p in inner or (p[0] in named and p[0] not in narrower)]
    return chosen, [p for p in places if p not in chosen and (p[0] in meant or meant_keys & {*p[1:]})]


def _named_and_meant(request: ProposalRequest, names: Sequence[str]) -> tuple[list[str], list[str]]:
    asked = _words(_without_names(request.instruction, names))
    said = request.conventions.columns if request.conventions is not None else {}
    named = [name for name in names if name in said or _is_named(name, asked, request.instruction)]
    return named, [name for name in names if name not in named and _is_meant(name, asked)]


def still_found(request: ProposalRequest) -> dict[str, str]:
    """What the host finds in the rows, by column: null words and stray blanks, and other forms where they are wanted.

    Rare forms in places that the instruction names or means, and at any share in those that it names.
    """
    looks = {name: looks_of(request.rows, name, request.shape) for name in dict.fromkeys(request.rows.column_names)}
    wanted = wanted_in(request, [place for found in looks.values() for place in found])
    told = {name: _left([_forms_of(place, look, wanted) for place, look in looks[name].items()]) for name in looks}
    return {name: words for name, words in told.items() if words}


class WantedPlaces(NamedTuple):
    """The places that the instruction names or means, and of those that it names the texts, which may mix forms.

    What mixes forms there may be what was asked for and not done. It may also be right: it is asked about, no more.
    """

    named_or_meant: frozenset[Place] = frozenset()
    may_mix: frozenset[Place] = frozenset()


def wanted_in(request: ProposalRequest, places: Sequence[Place]) -> WantedPlaces:
    """Which of these places of the rows are wanted; what a convention leaves alone may hold any forms."""
    named, meant = wanted_places(request, places)
    said = request.conventions.columns if request.conventions is not None else {}
    may = [p for p in named if _is_text(request.rows, p[0]) and not (p[0] in said and said[p[0]].leave)]
    return WantedPlaces(frozenset((*named, *meant)), frozenset(may))


class _Found(NamedTuple):
    """What the host finds at one place."""

    look: ColumnLook
    rare: dict[str, int]
    mixed: dict[str, int]


def _forms_of(place: Place, look: ColumnLook, wanted: WantedPlaces) -> _Found:
    rare = rare_forms(look.patterns) if place in wanted.named_or_meant else {}
    return _Found(look, rare, mixed_forms(look.patterns) if place in wanted.may_mix and not rare else {})


def _left(found: Sequence[_Found]) -> str:
    """What the host finds at these places, in words: null words, stray blanks, other forms; empty for nothing."""
    told = []
    if words := sum(one.look.null_tokens for one in found):
        told.append(counted(words, "null word"))
    if blanks := sum(one.look.untrimmed for one in found):
        told.append(f"{blanks} with stray blanks")
    if rare := [cells for one in found for cells in one.rare.values()]:
        told.append(f"{counted(sum(rare), 'cell')} in {counted(len(rare), 'rare form')}")
    if mixed := [cells for one in found for cells in one.mixed.values()]:
        told.append(f"{counted(sum(mixed), 'cell')} in another form than most, which may be right")
    return ", ".join(told)


def looks_of(table: pa.Table, name: str, shape: Shape) -> dict[Place, ColumnLook]:
    """The measures of a column by place; of one that holds patterns, those of cells that look like them.

    In records each place in lists and objects has its own, unless the functions are ones of texts: these never get it.
    """
    at = table.column_names.index(name)
    column, metadata = table.column(at), table.schema.field(at).metadata
    found: dict[Place, Any] = {(name,): column}
    if is_records(table):
        within = places_in(column, name)
        found = {p: texts for p, texts in within.items() if len(p) == 1} if shape is Shape.TEXT else within
    if metadata and TRUE_TYPE in metadata:
        found = {
            place: pa.array([None if text is None else unmarked(text) for text in texts.to_pylist()], pa.string())
            for place, texts in found.items()
        }
    return {place: look_at(texts, values=False) for place, texts in found.items()}


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


def stems(text: str) -> set[str]:
    """The words of a text or name without their endings."""
    return {*map(_stem, _words(text))}


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))}


def _is_named(name: str, asked: set[str], instruction: str) -> bool:
    if len(name) >= _SHORTEST and name.lower() in instruction.lower():
        return True
    own = {word for word in _words(name) if len(word) >= _SHORTEST}
    return bool(own) and {*map(_stem, own)} <= {*map(_stem, asked)}


def _is_meant(name: str, asked: set[str]) -> bool:
    own = _words(name)
    return any(asked & wanted and own & columns for wanted, columns in _KINDS)


def _is_meant_by_form(forms: dict[str, int], instruction: str) -> bool:
    asked, total = _words(instruction), sum(forms.values())
    wanted = [form for words, form in _FORMS if asked & words]
    return any(2 * sum(n for one, n in forms.items() if form.search(one)) > total for form in wanted)


def _without_names(text: str, names: Sequence[str]) -> str:
    """The text without the columns' names in it: `order_date` does not name `order_no`."""
    found = sorted((name for name in names if len(name) >= _SHORTEST), key=len, reverse=True)
    return re.sub("|".join(map(re.escape, found)) or r"(?!)", " ", text, flags=re.IGNORECASE)


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s|y)$", "", word) if len(word) > _SHORTEST else word
