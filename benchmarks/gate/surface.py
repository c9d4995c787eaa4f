"""Writes the screen's lists, from the modules that are installed: `python -m benchmarks.gate.surface`.

A surface is what a cleaning function may read from a module: its public, documented names, without modules and without
what reads, writes, evaluates text, walks by a name that is made at run time, or changes the process for others. Look at
the difference before you commit it: a new release of pandas brings new names.
"""

import gc
import importlib
import json
import sys
import textwrap
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
SYNTAX = ROOT / "orchestrator" / "gate" / "syntax"
TARGET, PRIVATE = SYNTAX / "surface.json", SYNTAX / "private_names.txt"

MODULES = """
    __future__ cleanroom_dates_v1 cleanroom_numbers_v1 cleanroom_phones_v1 collections collections.abc copy dataclasses
    datetime decimal difflib enum fractions functools html itertools json json.decoder math numbers numpy numpy.char
    numpy.dtypes numpy.exceptions numpy.fft numpy.linalg numpy.ma numpy.polynomial numpy.random numpy.strings
    numpy.typing operator pandas pandas.api.indexers pandas.api.types pandas.api.typing pandas.arrays pandas.errors
    pandas.offsets pandas.tseries.offsets re statistics string textwrap typing unicodedata urllib.parse zoneinfo
""".split()  # noqa: SIM905 - read more easily than a list

# What public names are left out, and why.
LEFT_OUT = {
    "reads, writes, or shows what the machine has": """
        numpy.load numpy.save* numpy.*txt numpy.fromfile numpy.fromregex numpy.memmap numpy.info numpy.show_*
        numpy.test numpy.get_include numpy.*.test pandas.read_* pandas.to_pickle pandas.HDFStore pandas.Excel*
        pandas.show_versions pandas.test pandas.api.typing.*Reader json.load json.dump
        zoneinfo.reset_tzpath zoneinfo.TZPATH
    """,
    "evaluates text": "pandas.eval typing.get_type_hints typing.ForwardRef functools.singledispatch*",
    "gives what an annotation holds: classes as values, texts that can be evaluated": """
        typing.get_args typing.get_origin typing.get_overloads typing.clear_overloads
    """,
    "reads or sets attributes by a name that is made at run time": """
        operator.attrgetter operator.methodcaller string.Formatter functools.wraps functools.update_wrapper
        functools.WRAPPER_*
    """,
    "makes classes whose special methods the screen cannot see": """
        dataclasses.make_dataclass enum.Enum[MTC]* enum.global_* enum.property
    """,
    "reaches memory that is not its own": "numpy.from_dlpack",
    "changes the process for others": """
        decimal.getcontext decimal.setcontext decimal.DefaultContext decimal.BasicContext decimal.ExtendedContext
        numpy.set_* numpy.setbufsize numpy.seterr
        numpy.seterrcall numpy.random.seed numpy.random.set_state pandas.set_* pandas.reset_option pandas.option_context
        pandas.options pandas.describe_option numpy.polynomial.set_*
    """,
}

# Public names of later releases of Python than the one that this was run with.
LATER = {
    "collections.abc": "Buffer",
    "copy": "replace",
    "functools": "Placeholder",
    "itertools": "batched",
    "math": "fma fmax fmin sumprod",
    "re": "PatternError",
    "statistics": "kde kde_random",
    "typing": "NoDefault ReadOnly TypeAliasType TypeIs override",
}


def surface(name: str) -> list[str]:
    """The public names of a module that are on its list."""
    module = importlib.import_module("pandas.tseries.offsets" if name == "pandas.offsets" else name)
    left_out = [pattern for patterns in LEFT_OUT.values() for pattern in patterns.split()]
    found = {each for each in _public(module) if not isinstance(getattr(module, each), ModuleType)}
    found |= set(LATER.get(name, "").split())
    return sorted(each for each in found if not any(fnmatchcase(f"{name}.{each}", pattern) for pattern in left_out))


def _public(module: ModuleType) -> list[str]:
    listed = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if getattr(value, "__module__", module.__name__) == module.__name__
    ]
    if module.__name__ == "pandas.api.types":  # its list of public names leaves out the functions that are documented
        listed = dir(module)
    return [name for name in listed if not name.startswith("_") and hasattr(module, name)]


def private_names() -> list[str]:
    """The private names of all classes that the modules bring: what a source may not call an attribute of its own."""
    classes = [each for each in gc.get_objects() if isinstance(each, type)]
    names = {name for each in classes for name in vars(each) if isinstance(name, str) and name.startswith("_")}
    return sorted(name for name in names if not (name.startswith("__") and name.endswith("__")) and name.isidentifier())


def main() -> None:
    sys.path.append(str(ROOT / "sandbox_image"))  # the helper modules
    lines = {name: textwrap.wrap(" ".join(surface(name)), 112) for name in MODULES}
    TARGET.write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")
    PRIVATE.write_text(textwrap.fill(" ".join(private_names()), 120, break_on_hyphens=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
