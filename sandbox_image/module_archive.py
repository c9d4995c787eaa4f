"""The compiled code of all modules that a guest imports, in one file. Called by guest.py, and when the image is built.

Importing pandas is most of what a sandbox costs, and a fifth of that goes into finding five hundred modules and reading
them one by one: here they lie in one file, whose equal constants are read once. What the archive does not hold (a
module that only a candidate asks for; all of them outside the image) is imported from its own file as always.

Run as a script, with the folder of the new root file system, it writes the archives: `light` for guests without pandas
and `full` for what pandas adds.
"""

import marshal
import os
import sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_PACKAGES = "/usr/lib/python3/dist-packages"
Entry = tuple[str, bool, CodeType | None]
"""A module's file, whether it is a package, and its code; None: it is a shared library."""


class _Loader(SourceFileLoader):
    """A module's own loader in all but where its code comes from."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code: CodeType | None = code

    def get_code(self, fullname: str) -> CodeType | None:
        code, self._code = self._code, None  # wanted once: whoever asks again reads the file
        return code or super().get_code(fullname)


class ArchiveFinder:
    """Finds the modules of the archives that were added, before Python looks for them in folders."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        sys.meta_path.insert(sys.meta_path.index(PathFinder), self)

    def add(self, name: str) -> None:
        """Take in one archive, if it is there."""
        try:
            with open(_path(name), "rb") as file:
                self._entries |= marshal.loads(file.read())  # noqa: S302 - part of the image; `load` would read it bit by bit
        except FileNotFoundError:
            pass

    def close(self) -> None:
        """Leave Python as it was."""
        sys.meta_path.remove(self)
        self._entries.clear()

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """As importlib asks for it."""
        entry = self._entries.pop(name, None)
        if entry is None:
            return None
        origin, is_package, code = entry
        loader = ExtensionFileLoader(name, origin) if code is None else _Loader(name, origin, code)
        spec = ModuleSpec(name, loader, origin=origin, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(origin)]
        return spec


def _path(name: str) -> str:
    return os.path.join(_FOLDER, f"{name}.modules")


def write(root: str, already: set[str]) -> None:
    """Write both archives; `already`: the modules that Python imports before the guest does anything."""
    sys.path[:0] = [_FOLDER, root + _PACKAGES]
    import guest  # noqa: F401 - with all modules of its own
    import warmup

    for name, light in (("light", True), ("full", False)):
        warmup.up(light=light)
        found = {key: entry for key, module in sys.modules.items() if (entry := _entry(key, module, root))}
        with open(_path(name), "wb") as file:
            marshal.dump({key: entry for key, entry in found.items() if key not in already}, file)
        already |= set(found)


def _entry(name: str, module: ModuleType, root: str) -> Entry | None:
    spec: Any = getattr(module, "__spec__", None)
    if spec is None or spec.name != name or not spec.has_location:
        return None
    origin = spec.origin.removeprefix(root)
    if not origin.startswith(_FOLDER) and not os.path.exists(root + origin):
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
    write(sys.argv[1], {"guest", "module_archive", *sys.modules})
