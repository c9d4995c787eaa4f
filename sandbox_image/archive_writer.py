"""Writes the archives of compiled modules that `module_archive` reads. Run once, when the image is built.

It takes the folder of the new root file system, and writes two: `light` for guests without pandas and `full` for what
pandas adds.
"""

import marshal
import os
import sys
from importlib.machinery import ExtensionFileLoader, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # an isolated interpreter does not look there
from module_archive import FOLDER, Entry, path_of

_PACKAGES = "/usr/lib/python3/dist-packages"


def write(root: str, already: set[str]) -> None:
    """Write both archives; `already`: the modules that Python imports before the guest does anything."""
    sys.path.insert(1, root + _PACKAGES)
    import guest  # noqa: F401 - with all modules of its own
    import warmup

    for name, light in (("light", True), ("full", False)):
        warmup.up(light=light)
        found = {key: entry for key, module in sys.modules.items() if (entry := _entry(key, module, root))}
        with open(path_of(name), "wb") as file:
            marshal.dump({key: entry for key, entry in found.items() if key not in already}, file)
        already |= set(found)


def _entry(name: str, module: ModuleType, root: str) -> Entry | None:
    spec: Any = getattr(module, "__spec__", None)
    if spec is None or spec.name != name or not spec.has_location:
        return None
    origin = spec.origin.removeprefix(root)
    if not origin.startswith(FOLDER) and not os.path.exists(root + origin):
        return None  # the image leaves it out
    if isinstance(spec.loader, ExtensionFileLoader):
        return origin, spec.loader.is_package(name), None
    if not isinstance(spec.loader, SourceFileLoader):
        return None
    return origin, spec.loader.is_package(name), _placed(spec.loader.get_code(name), origin)


def _placed(code: Any, origin: str) -> CodeType:
    """The code as if it had been compiled where it will lie."""
    inner = tuple(_placed(one, origin) if isinstance(one, CodeType) else one for one in code.co_consts)
    placed: CodeType = code.replace(co_filename=origin, co_consts=inner)
    return placed


if __name__ == "__main__":
    write(sys.argv[1], {"guest", *sys.modules})
