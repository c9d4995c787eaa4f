"""Functions that change how something is said, not what: the part of the corpus that tries the gate's suspicions.

    from benchmarks.gate.meaning import meanings
    for one in meanings():
        one.good, one.examples, one.wrong

`meaning/*.yaml` holds one entry per good function: `cells` (spellings as in tables.yaml) of one `column`, or `record`
(as in records.yaml) and its `key`; `one`, the body of a helper from one text (of a record: from the value of the key)
to another, or a whole `source`; `shows`, what a user's examples show; `wrong`, edits of the source that make a function
of it that loses or changes something: kind, text, text instead. An entry with `table` has several columns, as
tables.yaml writes them, and its `shows` are pairs of rows. `unseen_fortieth*.yaml`, once somebody has written them, are
held out: nobody may look at how the gate judges them while the gate is tuned, and after that somebody else writes
others. All other `unseen*.yaml` and half of `ordinary*.yaml` were held out before, and have been looked at since.
Called by the bench, by corpus.py for the data, and by tests.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.gate.yaml_files import read_yaml
from orchestrator.core.candidate import Example
from orchestrator.gate.candidate_file import read

HERE = Path(__file__).parent / "meaning"
HELD_OUT = "unseen_fortieth"
_KEY = {"id": {"full": ["K{n:05}"]}}
_TABLE = '''"""{issue}"""
{head}
CONTRACT = {{"modifies": ["{column}"]}}


def _one(text):
{one}


def detect(df):
    return df["{column}"].map(lambda v: isinstance(v, str) and _one(v) != v).astype(bool)


def {name}(df):
    """{issue}"""
    out = df.copy()
    out["{column}"] = out["{column}"].map(lambda v: _one(v) if isinstance(v, str) else v)
    return out
'''
_TEXT = '''"""{issue}"""
{head}
CONTRACT = {{"shape": "text", "modifies": ["{column}"]}}


def _one(text):
{one}


def detect(text):
    return _one(text) != text


def {name}(text):
    """{issue}"""
    return _one(text)
'''
_RECORD = '''"""{issue}"""
{head}
CONTRACT = {{"shape": "record", "modifies": ["{key}"]}}


def _one(value):
{one}


def detect(record):
    return "{key}" in record and _one(record["{key}"]) != record["{key}"]


def {name}(record):
    """{issue}"""
    return {{**record, "{key}": _one(record["{key}"])}} if detect(record) else record
'''


@dataclass(frozen=True)
class Edited:
    """A wrong form of a good function. `kind`: its class in the bench's table."""

    name: str
    kind: str
    source: str


@dataclass(frozen=True)
class Meaning:
    """A good function, the user's examples that show its change, and its wrong forms. `kind`: its file's name."""

    name: str
    kind: str
    source: str
    examples: tuple[Example, ...]
    wrong: tuple[Edited, ...]

    @property
    def held_out(self) -> bool:
        """Whether it was written after the gate was tuned, and nobody looked at it since."""
        return self.kind.startswith(HELD_OUT)


@cache
def _entries() -> dict[str, tuple[str, dict[str, Any]]]:
    made: dict[str, tuple[str, dict[str, Any]]] = {}
    for file in sorted(HERE.glob("*.yaml")):
        for name, entry in read_yaml(file).items():
            if name in made:
                raise ValueError(f"{file.name}: {name} stands in {made[name][0]}.yaml, too")
            made[name] = (file.stem, entry)
    return made


@cache
def meanings() -> tuple[Meaning, ...]:
    """Every entry, in the order of the files."""
    return tuple(_meaning(name, kind, entry) for name, (kind, entry) in _entries().items())


def columns() -> dict[str, dict[str, Any]]:
    """The columns of each entry's table, as tables.yaml writes them."""
    one_column = {
        name: {**_KEY, entry["column"]: {"of": entry["cells"], **({"type": entry["type"]} if "type" in entry else {})}}
        for name, (_, entry) in _entries().items()
        if "cells" in entry
    }
    return one_column | {name: entry["table"] for name, (_, entry) in _entries().items() if "table" in entry}


def records() -> dict[str, Mapping[str, Any]]:
    """The records of each entry that is of records, as records.yaml writes them."""
    return {name: entry["record"] for name, (_, entry) in _entries().items() if "record" in entry}


def _meaning(name: str, kind: str, entry: Mapping[str, Any]) -> Meaning:
    source = _source(name, entry)
    wrong = []
    for number, (of_kind, old, new) in enumerate(entry.get("wrong", ()), 1):
        if old not in source:
            raise ValueError(f"{name}: {old} is not in the source")
        wrong.append(Edited(f"{name}~{number}", of_kind, source.replace(old, new)))
    return Meaning(name, kind, source, _examples(entry), tuple(wrong))


def _source(name: str, entry: Mapping[str, Any]) -> str:
    if "source" in entry:
        return str(entry["source"])
    form = _RECORD if "record" in entry else _TEXT if entry.get("shape") == "text" else _TABLE
    one = "\n".join(f"    {line}" for line in entry["one"].splitlines())
    given = {"column": "", "key": "", "head": "", **entry, "one": one, "name": name}
    return form.format(**given)


def with_operation(operation: str) -> dict[str, tuple[str, list[str]]]:
    """For each entry with one column of texts: the source of a function that does another operation, and the cells.

    `operation`: a Python expression of `text`, which may use `re`.
    """
    return {
        name: (
            _source(
                name,
                {"issue": entry["issue"], "column": entry["column"], "head": "import re", "one": f"return {operation}"},
            ),
            cells,
        )
        for name, (_, entry) in _entries().items()
        if "cells" in entry
        and "type" not in entry
        and entry.get("shape") != "text"
        and (cells := [cell for cell in entry["cells"] if isinstance(cell, str) and "{" not in cell])
    }


def _examples(entry: Mapping[str, Any]) -> tuple[Example, ...]:
    """What a user would write: rows that show only the column, or the text itself."""
    shows = entry["shows"]
    pairs = list(shows.items()) if isinstance(shows, dict) else shows
    if entry.get("shape") == "text":
        return tuple(Example(input=before, output=after) for before, after in pairs)
    if "table" in entry:
        return tuple(Example(input=before, output=after) for before, after in pairs)
    key = entry.get("key") or entry["column"]
    return tuple(Example(input={key: before}, output={key: after}) for before, after in pairs)


def changes(source: str, rows: Any, examples: Sequence[Example] = ()) -> Iterator[tuple[list[Any], list[Any]]]:
    """For each column that a function of tables modifies: its cells before and after, and the pairs that examples show.

    The function is our own, trusted code, and runs here.
    """
    candidate, space = read(source), dict[str, Any]()
    exec(compile(source, "candidate", "exec"), space)  # noqa: S102 - our own code
    frame = rows.to_pandas()
    result = space[candidate.name](frame.copy())
    for name in candidate.contract.modifies or ():
        shown = [(example.input[name], example.output[name]) for example in examples]
        yield list(zip(map(_plain, frame[name]), map(_plain, result[name]), strict=True)), shown


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) or value == value else None  # noqa: PLR0124 - NaN
