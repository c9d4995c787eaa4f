"""What a function may read from the modules that it may import: the surface list, and what a policy adds to it.

Called by the screen. The list is data (`surface.json`), made from the real modules by `benchmarks/gate/surface.py`. A
module inside a module is not on it: `enum.bltns` is how a function would reach `exec`.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from orchestrator.data.helper_modules import PREFIX, helper_names, helper_signatures

ANY = "*"
_INSTEAD = {"dateutil": "; `datetime.datetime.strptime` and `pandas.to_datetime` with a format read dates"}


class Surface:
    """The modules that are known, and the names that may be read from each."""

    def __init__(self, added: Mapping[str, tuple[str, ...]]) -> None:
        self._names = dict(_listed())
        for module, names in added.items():
            self._names[module] = self._names.get(module, frozenset()) | frozenset(names)
        parts = [module.split(".") for module in self._names]
        self.modules = frozenset(".".join(path[:n]) for path in parts for n in range(1, len(path) + 1))

    def has(self, module: str) -> bool:
        """Whether there is a list for the module; without one it cannot be imported."""
        return module in self._names

    def allows(self, module: str, name: str) -> bool:
        names = self._names.get(module, frozenset())
        return name in names or (ANY in names and not name.startswith("_"))


def what_is_there(module: str) -> str:
    """The end of a sentence that refuses a name: the names that there are in a helper module; empty for others."""
    if module in helper_names():
        return f"; {module} has {', '.join(one.partition('(')[0] for one in helper_signatures(module))}"
    return ""


def instead_of(module: str) -> str:
    """What does the same as a module that many would import, and may be imported; empty where nothing is known."""
    return _INSTEAD.get(module.partition(".")[0], "")


def unlisted(module: str) -> str:
    """The same of a module of which nothing may be used: of a helper that there is not, the helpers that there are."""
    if module.startswith(PREFIX):
        return f"; the helper modules are {', '.join(helper_names())}"
    return ": no list says what may be used of it (screen.surface)"


@cache
def others_private() -> frozenset[str]:
    """Private names of classes that the modules have: one's own may not be called so (`ForwardRef._evaluate`)."""
    return frozenset(files(__package__).joinpath("private_names.txt").read_text(encoding="utf-8").split())


@cache
def _listed() -> Mapping[str, frozenset[str]]:
    text = files(__package__).joinpath("surface.json").read_text(encoding="utf-8")
    return {module: frozenset(" ".join(lines).split()) for module, lines in json.loads(text).items()}
