"""What `cleaning_functions.py` has in addition where a function imports helper modules. Read as text by `export`."""

import hashlib
import linecache
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

# --- frozen module ---
if TYPE_CHECKING:
    from frozen_module import freeze  # noqa: TC004 - `export` puts the text of sandbox_image/frozen_module.py here
# --- end of frozen module ---


def _load_helper(name: str, sha256: str, text: str) -> None:
    """Make the helper module known under its name. Refuses a text other than that which the functions were proved with.

    One of another export has the same text under this name: a name stands for one version.
    """
    source = text[1:]
    if hashlib.sha256(source.encode()).hexdigest() != sha256:
        raise ImportError(f"{name} is not the text that was proved: it was changed after its export")
    module = ModuleType(name)
    filename = f"<{name} of {Path(__file__).name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec", dont_inherit=True, optimize=0), module.__dict__)  # noqa: S102 - as the functions below
    freeze(module)
    sys.modules[name] = module


# --- helper texts ---
# --- end of helper texts ---
