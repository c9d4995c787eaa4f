"""Reads the YAML files of the bench: there are many, and Python's own reader takes seconds. Called beside it."""

from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C, where PyYAML was built with it: ten times as fast


def read_yaml(path: Path) -> Any:
    return yaml.load(path.read_text("utf-8"), Loader=_LOADER)  # noqa: S506 - both loaders are the safe one
