"""How a process of our own is started: from the tree that this file is in. Used by whoever starts one; also a script.

`python -m orchestrator...` imports the package that is installed, where the command that starts it runs from another
tree: then not what runs would judge. As a script, `MODULE ARGUMENTS`: runs the module as the program, like `-m`.
"""

import importlib.util
import runpy
import sys
from importlib.machinery import PathFinder
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]
_NOTHING_OF_THE_CURRENT_FOLDER = ("-P",)


def own_command(module: str, *arguments: str, flags: tuple[str, ...] = _NOTHING_OF_THE_CURRENT_FOLDER) -> list[str]:
    """The command that runs a module of ours. `flags`: of Python."""
    return [sys.executable, *flags, str(Path(__file__).resolve()), module, *arguments]


def _load_own_package() -> None:
    """The package that this file is in, also where another one of its name is installed.

    Its folder is not put at the front of the path, where its neighbours would stand in for Python's own modules.
    """
    spec = PathFinder.find_spec(_PACKAGE.name, [str(_PACKAGE.parent)])
    if spec is None or spec.loader is None:
        raise ImportError(f"{_PACKAGE} cannot be imported")
    package = sys.modules[_PACKAGE.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)


if __name__ == "__main__":
    _load_own_package()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
