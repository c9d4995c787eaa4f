"""Writes `cleaning_functions.py`: the promoted functions as one file that runs without cleanroom.

Called by `run.outputs`. Each function's source is in the file verbatim, as text, and is loaded into a module of its
own, exactly as the sandbox loads it (docs/decisions/0007-export-verbatim.md says why); so is each helper module that
one of them imports. The rest is the text of `standalone.py` and the modules beside it whose names begin so, of the
formats' modules that `_formats` names, and of the sandbox's own `lost_types.py` and `frozen_module.py`.
"""

import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import RegistryError
from orchestrator.core.jobs import Program
from orchestrator.core.needs import needs_of
from orchestrator.core.promoted import Promoted
from orchestrator.data.assets import asset
from orchestrator.data.helper_modules import helper_sha256, helper_text, helper_trouble, helpers_of
from orchestrator.registry.export.literal import literal, name_literal, one_line

_RECORD = "    record = cleaning_functions.clean_record({...})"
_DOCSTRING = re.compile(r'\A""".*?"""\n+', re.DOTALL)


def export_functions(functions: Sequence[Promoted]) -> str:
    """The text of `cleaning_functions.py`; the same functions always give the same text. Raises RegistryError."""
    if len({promoted.candidate.contract.shape.by_row for promoted in functions}) > 1:
        raise RegistryError(
            "Functions of tables and functions of records or texts cannot be written into one file.",
            advice="Keep them in registries of their own.",
        )
    for promoted in functions:
        if not promoted.name.isidentifier():
            raise RegistryError(f"'{one_line(promoted.name, 60)}' is not a valid function name.", advice="Revoke it.")
        if trouble := helper_trouble(promoted.candidate.source, promoted.evidence.verdict.helpers):
            raise RegistryError(f"{promoted.name} cannot be exported: {trouble}.", advice="Verify it again.")
    lost_types = _without_docstring(asset("sandbox_image") / "lost_types.py")
    text = _between("lost types", _template("standalone"), f"\n{lost_types}\n\n")
    apart = "\n\n".join(
        [
            _template("standalone_contract"),
            _between("contract", _template("standalone_apart"), ""),
            _template("standalone_learning"),
        ]
    )
    text = _between("apart", text, f"\n{apart}\n\n")
    text = _between("formats", text, f"\n{_formats()}\n")
    text = _between("helpers", text, _helpers(functions))
    return _docstring(functions) + _between("functions", text, _functions(functions))  # untrusted text comes last


def _formats() -> str:
    """What reads and writes files: each module once, before those that import it."""
    data = files("orchestrator.data.formats")
    json = [
        _without_docstring(data.joinpath("json", f"json_{part}.py"))
        for part in ("cells", "members", "key_kinds", "scan")
    ]
    files_, *kinds = (_template(f"standalone_{part}") for part in ("files", "csv", "json", "parquet"))
    csv = [_without_docstring(data.joinpath("csv", f"csv_{part}.py")) for part in ("preamble", "backslash")]
    sentences = _without_docstring(data.joinpath("documents", "sentences.py"))
    parts = [files_, *csv, sentences, *json, *(_between("parts", kind, "") for kind in kinds)]
    text = _between("parts", _template("standalone_formats"), "\n\n\n".join(["", *map(str.strip, parts), ""]))
    return text.split("__all__ = ", 1)[0].rstrip() + "\n\n"


def _template(name: str) -> str:
    """The text of a module of this package."""
    return _without_docstring(files(__package__).joinpath(f"{name}.py"))


def _without_docstring(module: Traversable) -> str:
    return _DOCSTRING.sub("", module.read_text(encoding="utf-8"), count=1)


def _between(marker: str, text: str, new: str) -> str:
    """The text with everything between the two markers replaced."""
    before, rest = text.split(f"# --- {marker} ---\n", 1)
    after = rest.split(f"# --- end of {marker} ---\n", 1)[1]
    return f"{before}{new}{after.lstrip()}"


def _docstring(functions: Sequence[Promoted]) -> str:
    lines = [
        '"""Cleaning functions that cleanroom proved before it wrote them here. Needs pandas 3; for Parquet, pyarrow.',
        "",
        "    import cleaning_functions; clean_frame = cleaning_functions.clean(frame)",
        *([_RECORD] if functions and functions[0].candidate.contract.shape.by_row else []),
        "    python cleaning_functions.py IN OUT",
        "",
        "Each function stands below as the text that passed its checks, in a namespace of its own. Here they run in",
        "your process, without the sandbox; `cleanroom apply` runs the same functions locked away. As a program it",
        "refuses to run unless the signed manifest in the folder of its export names it as it is.",
        "",
        "Applied in this order:" if functions else "No function was promoted: `clean` returns what it is given.",
    ]
    for number, promoted in enumerate(functions, start=1):
        issue = one_line(promoted.candidate.issue or promoted.candidate.docstring)
        lines.append(f"{number:4}. {one_line(promoted.name, 80)}{': ' if issue else ''}{issue}")
    return "\n".join([*lines, '"""\n\n'])


def _helpers(functions: Sequence[Promoted]) -> str:
    """The helper modules that the functions import, as texts, and what loads them; empty where there are none."""
    names = sorted({name for promoted in functions for name in helpers_of(promoted.candidate.source)})
    if not names:
        return ""
    frozen = _without_docstring(asset("sandbox_image") / "frozen_module.py")
    text = _between("frozen module", _template("standalone_helpers"), f"\n{frozen}\n\n")
    loaded = (
        f'_load_helper(\n    "{name}",\n    "{helper_sha256(name)}",\n    {literal(chr(10) + helper_text(name))},\n)\n'
        for name in names
    )
    return "\n" + _between("helper texts", text, "".join(loaded) + "\n\n")


def _shape(promoted: Promoted) -> str:
    """The further arguments of `_load`: the shape where it is not `table`, and what the function declares."""
    contract = promoted.candidate.contract
    lines = [] if contract.shape is Shape.TABLE else [f'    "{contract.shape}",\n']
    if contract.shape is Shape.FITTED:
        if promoted.state is None:
            raise RegistryError(f"{promoted.name} has learnt nothing.", advice="Promote it again.")
        entry = promoted.candidate.function_name
        lines.append(f'    entry="{entry}",\n    state={literal(promoted.state.text)},\n')
    elif contract.shape.by_row and (columns := Program.of(promoted.candidate).columns):
        lines.append(f"    {_names(columns)},\n")
    if contract.modifies is not None:
        lines.append(f"    modifies={_names(contract.modifies)},\n")
    others = {"adds": contract.adds, "drops": contract.drops}
    lines += [f"    {key}={_names(names)},\n" for key, names in others.items() if names]
    return "".join(lines) + ("    drops_rows=True,\n" if contract.drops_rows else "")


def _names(names: Iterable[str]) -> str:
    lines = "".join(f"        {name_literal(name)},\n" for name in names)
    return f"(\n{lines}    )" if lines else "()"


def _functions(functions: Sequence[Promoted]) -> str:
    blocks, added = [], set[str]()
    for number, promoted in enumerate(functions, start=1):
        candidate = promoted.candidate
        rule = "─" * max(4, 100 - len(candidate.name))
        needs = sorted(needs_of(candidate).needed - added) if not candidate.contract.shape.by_row else []
        added |= set(candidate.contract.adds)
        needed = f"    needs={_names(needs)},\n" if needs else ""
        named = "not declared" if candidate.contract.modifies is None else "no column"
        columns = ", ".join(one_line(c, 60) for c in candidate.contract.named) or named
        blocks.append(
            f"\n# ── {number}. {candidate.name} {rule}\n"
            f"# {one_line(candidate.issue)}\n"
            f"# version {promoted.version}, changes: {one_line(columns)}\n"
            f'_function_{number} = _load(\n    "{candidate.name}",\n    "{candidate.sha256}",\n'
            f"    {literal(chr(10) + candidate.source)},\n{_shape(promoted)}{needed})\n"
        )
    names = "".join(f"    _function_{number},\n" for number in range(1, len(functions) + 1))
    value = f"(\n{names})" if names else "()"
    return "".join(blocks) + f"\nFUNCTIONS: tuple[Function, ...] = {value}\n\n\n"
