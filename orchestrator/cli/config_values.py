"""What a configuration file may hold: the type and range of each setting, no secrets, nothing from unknown people.

The settings are options of the command line, so their types and ranges are read from there. Called by `defaults`
and `config`.
"""

import json
import os
import re
import stat
from pathlib import Path
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin

from orchestrator.cli.options import SETTABLE
from orchestrator.core.errors import UsageError
from orchestrator.propose.llm.model_address import without_secrets


class Setting(NamedTuple):
    """An option as a file sets it."""

    name: str
    group: str
    kind: type
    words: tuple[str, ...]
    least: float | None
    most: float | None

    @property
    def wanted(self) -> str:
        """What a value must be, in words."""
        if self.words:
            return f"one of {', '.join(self.words)}"
        kinds = {
            bool: "true or false",
            int: "a whole number",
            float: "a number",
            str: "a text",
            Path: "the name of a file",
        }
        bounds = [f"at least {self.least:.15g}"] if self.least is not None else []
        bounds += [f"at most {self.most:.15g}"] if self.most is not None else []
        return " ".join([kinds[self.kind], " and ".join(bounds)]).strip()


def _setting(option: Any) -> Setting:
    kind, info = get_args(option)
    if get_origin(kind) is not Literal:
        kind = next(one for one in (*get_args(kind), kind) if one is not NoneType)
    words = get_args(kind) if get_origin(kind) is Literal else ()
    plain = str if words else kind
    return Setting(info.default[2:], info.rich_help_panel.lower(), plain, words, info.min, info.max)


SETTINGS = {setting.name: setting for setting in map(_setting, SETTABLE)}


def setting_of(parameter: Any) -> Setting | None:
    """What a file sets of a parameter of a command: an option in another group of its help is another one.

    (`--lanes` of `serve` are jobs, those of `run` questions to a model.)
    """
    found = next((SETTINGS[option[2:]] for option in parameter.opts if option[2:] in SETTINGS), None)
    panel = getattr(parameter, "rich_help_panel", None)
    return found if found is None or panel is None or panel.lower() == found.group else None


_MOST_BITS = 1024  # of a number: Python refuses to write one of thousands of digits
_SECRET_NAME = re.compile(r"api.?key|^key$|secret|passw|credential|(^|[-_])token$|auth", re.IGNORECASE)
_SECRET_VALUE = re.compile(
    r"(^|\W)((sk|pk|rk|gsk|hf|xai|gh[a-z]|github_pat|glpat|xox[a-z])[-_]|AKIA|AIza|eyJ)[-_A-Za-z0-9]{16,}"
    r"|://[^/\s]*@|^Bearer "
)
_ADVICE = {
    "model": "Set CLEANROOM_API_KEY, or the variable of the provider such as OPENAI_API_KEY, instead.",
    "output": "Take it out; OTEL_EXPORTER_OTLP_HEADERS of the environment may hold it, where it is for a collector.",
}


def check_no_secrets(path: Path, table: dict[str, Any]) -> None:
    """Raise UsageError where a name or a value looks like a key or a password. The value is not repeated.

    A key with thousands of dots makes tables as deep as that: they are not walked by recursion.
    """
    left = [("", table)]
    while left:
        group, entries = left.pop()
        for name, value in entries.items():
            if isinstance(value, dict):
                left.append((group or name, value))
            if _SECRET_NAME.search(name) or (isinstance(value, str) and _is_secret(name, value)):
                raise UsageError(
                    f"'{name[:60]}' in {path} looks like a secret, and secrets do not belong in a configuration file.",
                    advice=_ADVICE.get(group, "Take it out. Keys of models are taken from CLEANROOM_API_KEY."),
                )


def _is_secret(name: str, value: str) -> bool:
    """Whatever is asked of a model's address may be a key."""
    return bool(_SECRET_VALUE.search(value)) or (name == "api-base" and without_secrets(value) != value)


def checked(path: Path, setting: Setting, value: Any, *, named: bool) -> Any:
    """The value as the option takes it; the names of files are relative to the configuration. Raises UsageError."""
    if not _fits(setting, value):
        raise UsageError(
            f"'{setting.name}' in {path} is {spelt(value)[:60]}, and must be {setting.wanted}.",
            advice="Correct the file.",
        )
    if setting.name == "checks" and not named:
        raise UsageError(
            f"'checks' in {path} is Python code that runs outside of the sandbox, and nobody named this file.",
            advice=f"Name it if you trust it: --config {path}.",
        )
    if setting.name == "on-hold" and value == "accept" and not named:
        raise UsageError(
            f"'on-hold' in {path} would let functions with concerns into use, and nobody named this file.",
            advice=f"Name it if you trust it: --config {path}.",
        )
    if setting.name.endswith("model") and "://" in value:
        raise UsageError(f"'{setting.name}' in {path} holds an address.", advice="Write it as api-base.")
    if setting.name.endswith("model") and value.startswith("replay:") and not named:
        raise UsageError(
            f"'{setting.name}' in {path} is a recording, which says what the gate draws, and nobody named this file.",
            advice=f"Name it if you trust it: --config {path}.",
        )
    if setting.kind is not Path:
        return value
    folder = path.parent
    if not named and not (folder / value).resolve().is_relative_to(folder.resolve()):
        raise UsageError(
            f"'{setting.name}' in {path} leads out of the folder, and nobody named this file.",
            advice=f"Name it if you trust it: --config {path}.",
        )
    if not named and (folder / value).exists() and not (folder / value).is_file():  # opening a pipe has no end
        raise UsageError(f"'{setting.name}' in {path} is not a regular file.", advice="Name another one with --config.")
    return str(folder / value)


def spelt(value: Any) -> str:
    """A value as the file has it; of a list or a table only what it is."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(value) if value.bit_length() <= _MOST_BITS else "of far too many digits"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def shown(value: Any) -> str:
    """The same without the quotation marks of a text."""
    return value if isinstance(value, str) else spelt(value)


def refuse_untrusted(path: Path) -> None:
    """Raise UsageError where a file that was found, not named, could have been put there by another user."""
    try:
        found = path.stat()
    except OSError as error:
        raise UsageError(
            f"The configuration {path} cannot be read: {error.strerror}.", advice="Check its rights."
        ) from None
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(f"The configuration {path} is not a regular file.", advice="Name another one with --config.")
    if found.st_uid not in (0, os.geteuid()) or found.st_mode & stat.S_IWOTH:
        raise UsageError(
            f"The configuration {path} belongs to another user, or everybody may change it.",
            advice=f"Name it if you trust it: --config {path}.",
        )


def _fits(setting: Setting, value: Any) -> bool:
    if setting.words:
        return value in setting.words
    if setting.kind is bool or isinstance(value, bool):
        return setting.kind is bool and isinstance(value, bool)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return False
    if setting.kind in (str, Path):
        return isinstance(value, str) and bool(value.strip()) and "\0" not in value
    if not isinstance(value, int if setting.kind is int else int | float):
        return False
    return (setting.least is None or value >= setting.least) and (setting.most is None or value <= setting.most)
