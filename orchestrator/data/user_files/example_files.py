"""Examples that a user gives: rows before and after. Called by `run` and `verify`.

Three forms: JSON or JSON Lines of {"input": …, "output": …}, answered questions among them; one table whose columns are
named `city__dirty` and `city__clean`; two tables of the same rows, the dirty one first. docs/verify.md shows them.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from orchestrator.core.candidate import Example
from orchestrator.core.errors import DataError
from orchestrator.core.wording import counted
from orchestrator.data.formats import FORMATS, open_dataset
from orchestrator.data.text import clean_text
from orchestrator.data.typed_cells import json_cell
from orchestrator.data.user_files.answers import as_example, is_answer, problem

DIRTY, CLEAN = "__dirty", "__clean"
MAX_EXAMPLES = 2_000
MAX_BYTES = 4 * 2**20  # all examples together, as JSON: they are part of every request to the judge
_MAX_FILE = 4 * MAX_BYTES  # with blanks and line ends; values of Python take up to thirty times as much
_ADVICE = 'Write one {"input": {...}, "output": {...}} per line, or a JSON list of them.'
_TABLES = f"Name columns city{DIRTY} and city{CLEAN}, or give two files with the same rows: dirty, then clean."

ExampleRow = dict[str, Any]


def read_examples(*paths: Path) -> tuple[Example, ...]:
    """The examples in the files. Raises DataError that names the file and the entry at fault."""
    tables = [path for path in paths if _is_table(path)]
    if len(tables) == len(paths) == 2 and not any(_has_pairs(path) for path in paths):
        return _bounded(_side_by_side(*paths), paths[0])
    return _bounded((e for path in paths for e in (_paired(path) if path in tables else _entries(path))), paths[0])


def _bounded(examples: Iterable[Example], path: Path) -> tuple[Example, ...]:
    found: list[Example] = []
    known: dict[str, Example] = {}
    size = 0
    for example in examples:
        found.append(example)
        first = known.setdefault(json.dumps(example.input, sort_keys=True), example)
        if _contradict(first.output, example.output):
            row, one, other = (clean_text(json.dumps(v), 200) for v in (example.input, first.output, example.output))
            told = f"{path}: two examples contradict each other: {row} is to become {one} and {other}."
            raise DataError(told, advice="Keep the right one.")
        size += len(example.model_dump_json())
        if len(found) > MAX_EXAMPLES or size > MAX_BYTES:
            limit = f"{MAX_EXAMPLES:,} examples and {MAX_BYTES // 2**20} MiB"
            raise DataError(f"{path} holds more than {limit}.", advice="Keep the most informative ones.")
    if not found:
        raise DataError(f"{path} holds no examples.", advice=_ADVICE)
    return tuple(found)


def _contradict(one: Any, other: Any) -> bool:
    """Whether no result can be both; outputs may name different columns."""
    if isinstance(one, dict) and isinstance(other, dict):
        return any(one[name] != other[name] for name in one.keys() & other.keys())
    return bool(one != other)


def _is_table(path: Path) -> bool:
    """Whether the file holds rows of data rather than examples; JSON Lines can be either."""
    suffix = path.suffix.lower()
    known = next((known for known in FORMATS.values() if suffix in known.suffixes), None)
    if known is not None and known.records:
        first = next((line for line in _text(path).split("\n") if line.strip()), "")
        try:
            entry = json.loads(first)
        except (ValueError, RecursionError):
            return False
        return isinstance(entry, dict) and not {"input", "output"} & set(entry) and bool(entry)
    return known is not None and suffix != ".txt"  # a text file may hold JSON


def _has_pairs(path: Path) -> bool:
    return any(name.endswith((DIRTY, CLEAN)) for name in open_dataset(path).columns)


def _paired(path: Path) -> Iterable[Example]:
    """One table: `x__dirty` goes in, `x__clean` is wanted, a column without either ending is an unchanged input."""
    columns = open_dataset(path).columns
    if not any(name.endswith(CLEAN) for name in columns):
        raise DataError(f"{path} has no column whose name ends in {CLEAN}.", advice=_TABLES)
    given = {name.removesuffix(DIRTY): name for name in columns if not name.endswith(CLEAN)}
    wanted = {name.removesuffix(CLEAN): name for name in columns if name.endswith(CLEAN)}
    if len(given) < sum(not name.endswith(CLEAN) for name in columns):
        raise DataError(f"{path} names a column twice, with and without {DIRTY}.", advice=_TABLES)
    for row in _rows(path):
        yield _example({n: row[name] for n, name in given.items()}, {n: row[name] for n, name in wanted.items()}, path)


def _side_by_side(dirty: Path, clean: Path) -> Iterable[Example]:
    """Two tables: row i of the first becomes row i of the second, in the columns that the second has."""
    before, after = _rows(dirty), _rows(clean)
    if len(before) != len(after):
        raise DataError(
            f"{dirty} has {counted(len(before), 'row')} and {clean} has {len(after)}: they cannot be paired.",
            advice='Give rows that are to be dropped as JSON, with "output": null.',
        )
    if not set(open_dataset(dirty).columns) & set(open_dataset(clean).columns):
        raise DataError(f"{dirty} and {clean} have no column in common.", advice=_TABLES)
    for given, wanted in zip(before, after, strict=True):
        yield _example(given, wanted, clean)


def _rows(path: Path) -> list[ExampleRow]:
    found: list[ExampleRow] = []
    for table in open_dataset(path).batches():
        found += table.slice(0, MAX_EXAMPLES + 1 - len(found)).to_pylist()
        if len(found) > MAX_EXAMPLES:
            break
    return found


def _example(given: ExampleRow, wanted: ExampleRow, path: Path) -> Example:
    try:
        return Example.model_validate({"input": _json(given), "output": _json(wanted)})
    except ValidationError as error:
        raise DataError(f"{path} holds a value that an example cannot hold.", advice=_ADVICE) from error


def _json(row: ExampleRow) -> ExampleRow:
    """The row as plain JSON: NaN becomes None, like any other missing cell."""
    cells = {name: json_cell(cell) for name, cell in row.items()}
    return {name: None if isinstance(cell, float) and math.isnan(cell) else cell for name, cell in cells.items()}


def _entries(path: Path) -> Iterable[Example]:
    for number, entry in enumerate(_json_entries(_text(path), path), start=1):
        if is_answer(entry) and (why := problem(entry)):
            raise DataError(f"Question {number} in {path} {why}.", advice="Or leave the line out.")
        try:
            yield Example.model_validate(as_example(entry) if is_answer(entry) else entry)
        except ValidationError as error:
            raise DataError(f"Example {number} in {path} is not an input with an output.", advice=_ADVICE) from error


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_FILE + 1)
        if len(raw) > _MAX_FILE:
            raise DataError(
                f"The examples in {path} are larger than {_MAX_FILE // 2**20} MiB.",
                advice="Keep the most informative ones.",
            )
        return raw.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"The examples in {path} cannot be read.", advice=_ADVICE) from error


def _json_entries(text: str, path: Path) -> list[Any]:
    """Lines end with a line feed only: a text in JSON may hold other signs for it as they are, such as U+2028."""
    try:
        if not text.lstrip().startswith("["):
            with suppress(json.JSONDecodeError):  # it may be one example in several lines
                return [_decoded(line) for line in text.split("\n") if line.strip()]
        found = _decoded(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise DataError(f"{path} is neither JSON nor JSONL.", advice=_ADVICE) from error
    except ValueError as error:
        raise DataError(f"{path} holds {error}.", advice=_ADVICE) from error
    return found if isinstance(found, list) else [found]


def _decoded(text: str) -> Any:
    """Raises ValueError for what is no JSON, or says two things at once."""
    found = json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair, which is no text") from None
    return found


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        name = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key '{clean_text(name, 80)}' twice in one object")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name}, which is no JSON")
