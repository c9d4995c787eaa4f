"""Examples that a user gives: rows before and after, from JSON or JSONL. Called by `run` and `verify`."""

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from orchestrator.core.candidate import Example
from orchestrator.core.errors import DataError

_ADVICE = 'Write one {"input": {...}, "output": {...}} per line, or a JSON list of them.'


def read_examples(path: Path) -> tuple[Example, ...]:
    """The examples in the file. Raises DataError that names the entry at fault."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"The examples in {path} cannot be read.", advice=_ADVICE) from error
    entries = _entries(text, path)
    if not entries:
        raise DataError(f"{path} holds no examples.", advice=_ADVICE)
    examples = []
    for number, entry in enumerate(entries, start=1):
        try:
            examples.append(Example.model_validate(entry))
        except ValidationError as error:
            raise DataError(f"Example {number} in {path} is no input with an output.", advice=_ADVICE) from error
    return tuple(examples)


def _entries(text: str, path: Path) -> list[Any]:
    try:
        if text.lstrip().startswith("["):
            found = json.loads(text)
            return found if isinstance(found, list) else [found]
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is neither JSON nor JSONL.", advice=_ADVICE) from error
