"""Each name has one meaning: whoever searches for a file or a type finds one."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAME_BY_CONVENTION = {
    "__init__",
    "wire",  # the two sides of docs/wire.md: the host's, and the guest's, which share no code
}


def _sources() -> dict[str, str]:
    files = [*ROOT.glob("orchestrator/**/*.py"), *ROOT.glob("sandbox_image/**/*.py")]
    return {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}


def repeated_files(paths: Iterable[str]) -> dict[str, list[str]]:
    """The names of files that are there several times, with the paths."""
    return _repeated((Path(path).stem, path) for path in paths if Path(path).stem not in SAME_BY_CONVENTION)


def repeated_types(sources: Mapping[str, str]) -> dict[str, list[str]]:
    """The names of public classes and aliases that are there several times, with the paths.

    A type variable belongs to its module. Several modules may have one of the same name, but none that of a type.
    """
    found = [(name, path, variable) for path, text in sources.items() for name, variable in _types(text)]
    variables = {(name, "a type variable") for name, _, variable in found if variable}
    return _repeated([*((name, path) for name, path, variable in found if not variable), *variables])


def _types(text: str) -> Iterator[tuple[str, bool]]:
    """The public types that a module defines, and whether each is a type variable."""
    for node in ast.parse(text).body:
        match node:
            case ast.ClassDef(name=name):
                variable = False
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name[:1].isupper() and not name.isupper():
                variable = isinstance(value, ast.Call) and ast.unparse(value.func).endswith("TypeVar")
            case _:
                continue
        if not name.startswith("_"):
            yield name, variable


def _repeated(places: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    by_name = defaultdict(list)
    for name, place in places:
        by_name[name].append(place)
    return {name: sorted(there) for name, there in by_name.items() if len(there) > 1}


def test_no_file_name_repeats() -> None:
    """Not even in another folder: a traceback and a search show the name without it."""
    sources = _sources()
    assert len(sources) > 500
    assert repeated_files(sources) == {}


def test_no_name_of_a_type_repeats() -> None:
    """Public classes and aliases. What is the same is imported; what is not says in its name which it is."""
    assert repeated_types(_sources()) == {}


def test_names_that_repeat_are_noticed() -> None:
    """The negative control."""
    assert repeated_files(["a/client.py", "b/client.py", "b/server.py", "a/__init__.py", "b/__init__.py"]) == {
        "client": ["a/client.py", "b/client.py"]
    }
    sources = {
        "a.py": 'class Row: ...\nclass _Own: ...\nItem = TypeVar("Item")\nKind = TypeVar("Kind")\nLIMIT = 1\n',
        "b.py": 'Row = dict[str, str]\nclass _Own: ...\nItem = TypeVar("Item")\nclass Kind: ...\nLIMIT = 2\n',
    }
    assert repeated_types(sources) == {"Row": ["a.py", "b.py"], "Kind": ["a type variable", "b.py"]}
