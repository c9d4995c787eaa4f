"""Reads YAML in which no name stands twice. Called by everything that reads a YAML file of the user's.

PyYAML takes the last of two values in silence: whoever looks at `approvals: 2` at the top of a long file does not see
the `approvals: 0` at its end.
"""

from typing import Any

import yaml

from orchestrator.data.text import clean_text


class _Loader(yaml.SafeLoader):
    """A safe loader that refuses a name that stands twice in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in seen:
                    raise yaml.constructor.ConstructorError(None, None, "a name stands twice", key.start_mark)
                seen.add((key.tag, key.value))
        return super().construct_mapping(node, deep)


def read_yaml(text: str) -> Any:
    """The value. Raises ValueError, yaml.YAMLError, RecursionError for what is no such YAML."""
    return yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe one


def why_unreadable(error: Exception) -> str:
    """What is wrong with a file that is not there or no such YAML: some words, with the line if it is known."""
    if isinstance(error, OSError):
        return error.strerror or "it cannot be opened"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    if mark is None or not problem:
        return "it is no YAML"
    return f"{clean_text(problem, 150)}, in line {mark.line + 1}"
