"""Parses one line of JSON Lines to an object, with a sentence for each kind of error. Used by the JSONL reader."""

import json
from pathlib import Path
from typing import Any, NoReturn

from orchestrator.core.errors import DataError
from orchestrator.core.wording import KEEP_APART
from orchestrator.data.formats.looks_like import table_of
from orchestrator.data.text import clean_text

_ADVICE = f'JSON Lines needs one object per line, like {{"name": "Ann"}}. {KEEP_APART}'
_DOCUMENT = "It looks like one JSON document: say --format json."
_KINDS = {list: "a list", str: "a text", bool: "a truth value", int: "a number", float: "a number"}


def _constant(word: str) -> NoReturn:
    raise ValueError(f"it holds {word}, which is not JSON; write null, or a text")


_decode = json.JSONDecoder(parse_constant=_constant).raw_decode


def parse_line(line: bytes, number: int, path: Path) -> dict[str, Any]:
    """The object in the line (UTF-8, without blanks around it). Raises DataError that names the line."""
    text = line.decode("utf-8")
    try:
        item, end = _decode(text)
    except (ValueError, RecursionError):
        end = -1
    if end != len(text):
        raise _unreadable(text, number, path)
    if not isinstance(item, dict):
        what = _KINDS.get(type(item), "null")
        raise DataError(f"{path}, line {number}: {what} instead of an object.", advice=_advice(text, number))
    return item


def refuse_double_keys(line: bytes, number: int, path: Path) -> None:
    """Raise DataError when an object in the line has a key twice: one of the two values would be lost."""

    def check(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(
                f"{path}, line {number}: the key '{clean_text(twice, 80)}' occurs twice.", advice="Rename one of them."
            )
        return dict(pairs)

    json.loads(line, object_pairs_hook=check)


def refuse_lone_surrogates(item: dict[str, Any], number: int, path: Path) -> None:
    """Raise DataError when a text holds half of a surrogate pair, which no file and no table can carry."""
    try:
        json.dumps(item, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"{path}, line {number}: a text holds {error.object[error.start]!a}, which is not a character.",
            advice="Write the character itself, or both halves of the pair.",
        ) from None


def _unreadable(text: str, number: int, path: Path) -> DataError:
    try:
        json.loads(text, parse_constant=_constant)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at column {error.colno}"
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError as error:
        said = str(error)
        reason = "a number in it has thousands of digits" if "integer string" in said else clean_text(said, 100)
    else:
        reason = "more than one value"
    return DataError(f"{path}, line {number}: not a JSON object: {reason}.", advice=_advice(text, number))


def _advice(text: str, number: int) -> str:
    if number == 1 and (kind := table_of(text)):
        return f"It looks like a table: say --format {kind}."
    return _DOCUMENT if number == 1 and (text.startswith("[") or text == "{") else _ADVICE
