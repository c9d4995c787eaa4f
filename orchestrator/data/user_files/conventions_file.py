"""Reads the YAML file of `--conventions`. Called by `run` and `analyze` before any work starts.

Every scalar is read as text, as it is written: `null: NO` is the word NO and `null: -1` is "-1".
"""

from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from orchestrator.core.conventions import Conventions
from orchestrator.core.errors import UsageError
from orchestrator.data.text import clean_text

_MAX_BYTES = 2**18
_ADVICE = "See docs/conventions.md for what a conventions file can hold."


def read_conventions(path: Path) -> Conventions:
    """The conventions in the file. Raises UsageError that names the setting at fault."""
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
        if len(raw) > _MAX_BYTES:
            raise UsageError(f"The conventions in {path} are larger than 256 KiB.", advice="Name a small YAML file.")
        content = _plain(yaml.compose(raw.decode("utf-8-sig"), Loader=yaml.BaseLoader))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The conventions in {path} cannot be read.", advice="Name a UTF-8 YAML file.") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        what = clean_text(str(error), 200)
        raise UsageError(f"The conventions in {path} are not usable YAML: {what}.", advice=_ADVICE) from error
    if not isinstance(content, dict):
        raise UsageError(f"The conventions in {path} are not a mapping.", advice="Start with `all:` or `columns:`.")
    try:
        return Conventions.model_validate(content)
    except ValidationError as error:
        raise UsageError(f"The conventions in {path} are wrong at {_first(error)}.", advice=_ADVICE) from error


def check_columns(conventions: Conventions, columns: tuple[str, ...]) -> None:
    """Refuse conventions on columns that the data do not have. Raises UsageError."""
    if unknown := conventions.unknown(columns):
        near = get_close_matches(unknown[0], columns, n=1)
        has = f"They have {clean_text(', '.join(columns), 300)}."
        advice = f"Did you mean {clean_text(near[0], 80)!r}?" if near else has
        raise UsageError(
            f"The conventions are for the column {clean_text(unknown[0], 80)!r}, which the data do not have.",
            advice=advice,
        )


def _plain(node: Any) -> Any:
    """A YAML tree as plain values; a key that occurs twice is an error, and so is a reference (&, *)."""
    return _Builder().build(node)


class _Builder:
    def __init__(self) -> None:
        self._seen: set[int] = set()

    def build(self, node: Any) -> Any:
        if node is None:
            return {}
        if not isinstance(node, yaml.ScalarNode) and id(node) in self._seen:
            raise ValueError("references (&, *) are not allowed")
        self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            found: dict[Any, Any] = {}
            for key_node, value_node in node.value:
                key = self.build(key_node)
                if not isinstance(key, str) or key in found:
                    raise ValueError(f"{key!r} occurs twice" if isinstance(key, str) else "a key is not text")
                found[key] = self.build(value_node)
            return found
        return [self.build(item) for item in node.value] if isinstance(node, yaml.SequenceNode) else node.value


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = clean_text(".".join(str(part) for part in first["loc"]), 100)
    what = "there is no such setting" if first["type"] == "extra_forbidden" else first["msg"]
    return f"{where}: {clean_text(what.removeprefix('Value error, '), 250)}"
