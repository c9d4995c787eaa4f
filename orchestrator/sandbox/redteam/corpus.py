"""Reads the corpus: one YAML file per attack, in a folder per class. Called by the command and by the tests."""

from collections.abc import Collection
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import yaml

from orchestrator.core.errors import UsageError
from orchestrator.sandbox.redteam.attack import Attack

KINDS = (
    "processes", "cpu", "memory", "disk", "output", "network", "kernel", "objects", "harness", "verdict", "reply",
    "apply", "around", "helpers",
)  # fmt: skip
_SHARED = "_shared"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C, where PyYAML was built with it: ten times as fast


def load(kinds: Collection[str] = ()) -> tuple[Attack, ...]:
    """The attacks of the classes (none: all), in the order of KINDS. Raises UsageError for an unknown class."""
    if unknown := sorted(set(kinds) - set(KINDS)):
        raise UsageError(f"There is no class {unknown[0]!r} of attacks.", advice=f"Choose of: {', '.join(KINDS)}.")
    return tuple(attack for kind in KINDS if not kinds or kind in kinds for attack in _folder(kind))


@cache
def shared(name: str) -> str:
    """Source text that several attacks use."""
    return (_root() / _SHARED / f"{name}.txt").read_text("utf-8")


@cache
def _folder(kind: str) -> tuple[Attack, ...]:
    paths = sorted((_root() / kind).iterdir(), key=lambda path: path.name)
    return tuple(_read(kind, path) for path in paths if path.name.endswith(".yaml"))


def _read(kind: str, path: Traversable) -> Attack:
    content = yaml.load(path.read_text("utf-8"), Loader=_LOADER)  # noqa: S506 - both loaders are the safe one
    return Attack.model_validate(content | {"kind": kind, "name": path.name.removesuffix(".yaml")})


def _root() -> Traversable:
    return files(__package__) / "corpus"
