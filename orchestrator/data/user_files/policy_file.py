"""Reads the policy's YAML file. Called by the library and the commands before any work starts."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from orchestrator.core.errors import UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.settings import Settings
from orchestrator.data.text import clean_text

_MAX_POLICY = 2**20
_SECTIONS = ("container", "limits", "screen", "gate", "columns", "audit", "model")


def read_policy(path: Path | None, *, runtime: str | None = None, strict: bool = False) -> Policy:
    """The default policy, changed by the YAML file. Raises UsageError that names the invalid setting.

    `runtime` overrides the file, and the file overrides CLEANROOM_RUNTIME; `strict` can only be switched on.
    """
    overrides = {} if path is None else _read_yaml(path)
    container = dict(overrides.get("container", {}))
    if chosen := runtime or container.get("runtime") or Settings.read().runtime:
        overrides = {**overrides, "container": {**container, "runtime": chosen}}
    if strict:
        overrides = {**overrides, "strict": True}
    try:
        return Policy.model_validate(overrides)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = clean_text(".".join(str(part) for part in first["loc"]), 100)
        what = clean_text(first["msg"].removeprefix("Value error, "), 200)
        raise UsageError(
            f"The policy is wrong at {where}: {what}.", advice=f"Correct {path or 'CLEANROOM_RUNTIME'}."
        ) from error


def check_rules(policy: Policy, columns: Sequence[str]) -> None:
    """Refuse rules for columns that are not in the data. Raises UsageError."""
    unknown = next((name for name in policy.columns if name not in columns), None)
    if unknown is not None:
        near = get_close_matches(unknown, columns, n=1)
        has = f"It has {clean_text(', '.join(columns), 300)}."
        raise UsageError(
            f"The policy has a rule for the column {clean_text(unknown, 80)!r}, which the data does not have.",
            advice=f"Did you mean {clean_text(near[0], 80)!r}?" if near else has,
        )


def _read_yaml(path: Path) -> dict[str, Any]:
    import yaml

    from orchestrator.data.user_files.yaml_text import read_yaml, why_unreadable

    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_POLICY + 1)
        if len(raw) > _MAX_POLICY:
            raise UsageError(f"The policy {path} is larger than 1 MiB.", advice="Name a YAML file.")
        content = read_yaml(raw.decode("utf-8-sig"))
    except (OSError, ValueError, yaml.YAMLError, RecursionError) as error:
        reason = why_unreadable(error)
        raise UsageError(
            f"The policy {path} cannot be read: {reason}.", advice="Correct it, or name another."
        ) from error
    if not isinstance(content, dict) or not all(isinstance(content.get(name, {}), dict) for name in _SECTIONS):
        raise UsageError(f"The policy {path} is not a mapping of sections.", advice="Start with `limits:` or `gate:`.")
    return content
