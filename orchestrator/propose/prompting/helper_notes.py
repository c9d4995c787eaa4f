"""Which helper modules a prompt tells of: those for what its columns hold and is not yet plain. Called by
`prompt_context`.

A column is one of dates when half of its different values look like dates; where all of them are ISO dates, nothing is
to be told. Numbers and phone numbers likewise.
"""

import re
from collections.abc import Collection
from fnmatch import fnmatchcase

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.helper_modules import PREFIX, helper_names, helper_signatures
from orchestrator.data.record_tables import is_records, texts_in

_MOST = 500  # different values of a column that are looked at
_LONGEST = 64
_MONTH = r"(?:jan|feb|mar|mär|mai|may|apr|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zäé]*\.?"
_DATE = (
    rf"(?:[a-z]+, ?)?(?:[0-9]{{1,4}}([./-]) ?[0-9]{{1,2}}\1 ?[0-9]{{1,4}}|(?:19|20)[0-9]{{6}}"
    rf"|[0-9]{{1,4}}[a-z.]*[ -]{_MONTH}[ -][0-9]{{1,4}}|{_MONTH} [0-9]{{1,2}}[a-z]*,? [0-9]{{4}})(?:[t ,].*)?"
)
_NUMBER = (
    r"(?!\+[0-9]{7})[(+\-−]?(?:[$€£¥]|[a-z]{3} )? ?[0-9]{1,3}(?:[0-9]*|(?:[,.' ][0-9]{3})+)(?:[.,][0-9]+)? ?"
    r"(?:[a-z$€£¥°]{1,6}[23²³]?\.?|%)?\)?"
)
_PHONE = (
    r"(?:tel:? ?)?(?=(?:[^0-9]*[0-9]){7,15}[^0-9]*(?:x|ext|$))[+(0-9][0-9 ()./-]{6,24}"
    r"(?:,? ?(?:x|ext).*)?"
)
# By kind, the first that fits: what looks like one, and what is plain already.
_PATTERNS = {
    "dates": (re.compile(_DATE, re.IGNORECASE), re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ].*)?")),
    "numbers": (re.compile(_NUMBER, re.IGNORECASE), re.compile(r"-?[0-9]+(?:\.[0-9]+)?")),
    "phones": (re.compile(_PHONE, re.IGNORECASE), re.compile(r"\+[0-9]{7,15}")),
}


def helper_notes(table: pa.Table, names: Collection[str], imports: Collection[str]) -> str:
    """The newest helper modules for what these columns hold, as far as they may be imported, with their signatures."""
    kinds = {kind for name in names if (kind := _kind(table, name))}
    told = []
    for kind in sorted(kinds):
        versions = [name for name in helper_names() if name.startswith(f"{PREFIX}{kind}_v")]
        name = max(versions, key=lambda name: int(name.rpartition("_v")[2]))
        if any(fnmatchcase(name, pattern) for pattern in imports):
            told += [f"from {name}:", *helper_signatures(name)]
    return "\n".join(told)


def _kind(table: pa.Table, name: str) -> str:
    """What the column holds and not in its plain form; empty for anything else."""
    column = table.column(table.column_names.index(name))
    texts = texts_in(column) if is_records(table) else column
    if not (pa.types.is_string(texts.type) or pa.types.is_large_string(texts.type)):
        return ""
    values = pc.unique(texts.drop_null())[:_MOST].to_pylist()
    texts = [text for value in values if (text := value.strip()) and len(text) <= _LONGEST]
    for kind, (like, plain) in _PATTERNS.items():
        alike = [text for text in texts if like.fullmatch(text)]
        if alike and 2 * len(alike) >= len(texts):
            return kind if any(not plain.fullmatch(text) for text in texts) else ""
    return ""


def libraries(imports: Collection[str]) -> str:
    """The other modules that may be imported, as one line; those inside of one that is named are not named again."""
    own = [name for name in imports if not name.startswith(PREFIX)]
    return ", ".join(name for name in own if name.removesuffix(".*") == name or name.removesuffix(".*") not in own)
