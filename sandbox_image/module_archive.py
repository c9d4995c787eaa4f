"""Finds the code of all modules that a guest imports in one file, which `archive_writer` made. Called by guest.py.

Importing pandas is most of what a sandbox costs, and a fifth of that goes into finding five hundred modules and reading
them one by one: here they lie in one file, whose equal constants are read once. What the archive does not hold (a
module that only a candidate asks for; all of them outside the image) is imported from its own file as always.
"""

import marshal
import os
import sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType

FOLDER = os.path.dirname(os.path.abspath(__file__))
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
            with open(path_of(name), "rb") as file:
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


def path_of(name: str) -> str:
    return os.path.join(FOLDER, f"{name}.modules")
