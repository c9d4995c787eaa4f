"""What callers of the library hand in, whatever their type checker let through. Called by `api` and `api_services`.

Everything here raises UsageError that names the argument.
"""

import errno
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from orchestrator.core.candidate import Example, Shape
from orchestrator.core.conventions import Conventions
from orchestrator.core.errors import UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.privacy import Header, Privacy
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.user_files.conventions_file import read_conventions
from orchestrator.data.user_files.policy_file import read_policy
from orchestrator.model_choice import ModelChoice
from orchestrator.propose.llm.budget import BudgetLimits
from orchestrator.run.loop.run_context import OnHold
from orchestrator.run.loop.stopping import RunLimits
from orchestrator.run.verify.candidate_files import read
from orchestrator.scale.cluster_address import ClusterAddress, read_address

Drift = Literal["stop", "accept", "strict"]


@dataclass(frozen=True)
class DataFile:
    """A file, an address or stdin, and how it shall be read where its name does not say it.

    `format`: csv, tsv, jsonl, json, … `encoding`: of its text. `sheet`: of a workbook. `array`: of a JSON document, the
    keys that lead to the rows, with points between. `parser`: what reads a file of another format: a Python file with
    `parse`, or "fixed-width", "fixed-width:8,20,6". `delimiter`: of CSV and TSV, where it is guessed wrong.
    """

    path: Path | str
    format: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    array: str | None = None
    parser: str | None = None
    delimiter: str | None = None

    @property
    def reading(self) -> dict[str, Any]:
        """All but the place and the parser, as arguments of `open_source`."""
        return {name: value for name, value in vars(self).items() if name not in {"path", "parser"}}


def file_of(data: Path | str | DataFile) -> DataFile:
    """The file, with nothing said of how it shall be read unless the caller did."""
    if not isinstance(data, DataFile):
        return DataFile(data)
    for name, value in (data.reading | {"parser": data.parser}).items():
        if not isinstance(value, str | None):
            raise UsageError(f"Invalid argument '{name}': {value!r:.60} is not a text.", advice="Give a str.")
    return data


def check_model(model: object) -> None:
    """Refuse an object that is neither a ModelChoice nor can generate."""
    if not isinstance(model, ModelChoice) and not callable(getattr(model, "generate", None)):
        raise UsageError("Invalid argument 'model': it has no method `generate`.", advice="docs/library.md shows one.")


def privacy_of(given: Privacy) -> Privacy:
    """One of the three words."""
    _one_of(get_args(Privacy), given, "privacy")
    return given


def header_of(given: Header) -> Header:
    """One of the two words."""
    _one_of(get_args(Header), given, "header")
    return given


def drift_of(given: Drift) -> Drift:
    """One of the three words."""
    _one_of(get_args(Drift), given, "drift")
    return given


def on_hold_of(given: OnHold) -> OnHold:
    """One of the three words."""
    _one_of(get_args(OnHold), given, "on_hold")
    return given


def _one_of(words: tuple[str, ...], given: object, name: str) -> None:
    if given not in words:
        raise UsageError(f"Invalid argument '{name}': {given!r:.60}.", advice=f"Use one of {', '.join(words)}.")


def flag_of(given: bool, name: str) -> bool:
    """True or False themselves: the text "no" counts as true in Python."""
    if not isinstance(given, bool):
        raise UsageError(f"Invalid argument '{name}': {given!r:.60}.", advice="Give True or False.")
    return given


def instruction_of(given: str, examples: Sequence[Example]) -> str:
    """The words, if no example contradicts what they show."""
    if not isinstance(given, str):
        raise UsageError(f"Invalid argument 'instruction': {given!r:.60}.", advice="Give a text.")
    if given and examples:
        from orchestrator.data.user_files.instruction_examples import check_instruction  # few have both

        check_instruction(given, examples)
    return given


def examples_of(given: Sequence[Example]) -> tuple[Example, ...]:
    """The examples. A generator is refused: who looks at it uses it up."""
    if not isinstance(given, Sequence) or any(not isinstance(example, Example) for example in given):
        raise UsageError("Invalid argument 'examples'.", advice="Give a sequence of Example(input=…, output=…).")
    return tuple(given)


def columns_of(given: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """Names by names."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or any(not isinstance(name, str) for pair in given.items() for name in pair):
        raise UsageError(
            f"Invalid argument 'columns': {given!r:.60}.",
            advice="Give a dict: by the name that functions know, that in this file.",
        )
    return given


def check_values(budget: BudgetLimits | None, limits: RunLimits | None) -> None:
    """Refuse what is none of either."""
    if budget is not None and not isinstance(budget, BudgetLimits):
        raise UsageError("Invalid argument 'budget'.", advice="Give a BudgetLimits.")
    if limits is not None and not isinstance(limits, RunLimits):
        raise UsageError("Invalid argument 'limits'.", advice="Give a RunLimits.")


def check_reach(model: object, api_base: str | None, budget: BudgetLimits | None = None) -> None:
    """Refuse for an object of the caller's what only a model with a name has: its calls are the caller's own."""
    given = [name for name, value in (("api_base", api_base), ("budget", budget)) if value is not None]
    if given and not isinstance(model, str | ModelChoice | None):
        raise UsageError(
            f"Argument '{given[0]}' is for a model with a name, and not for an object of yours.",
            advice="Have the object itself see to it.",
        )
    if not isinstance(api_base, str | None):
        raise UsageError(f"Invalid argument 'api_base': {api_base!r:.60}.", advice="Give the address as a str.")


def path_of(value: Path | str, name: str) -> Path:
    """The path, of a type that is one, without a zero byte and of a length that the file system takes."""
    if any(kind.__name__ == "DataFrame" for kind in type(value).__mro__):
        raise UsageError(
            f"Invalid argument '{name}': it is a DataFrame, and not a path.",
            advice="Write it to a file, as with df.to_parquet, and give that file's path; functions are applied to a "
            "DataFrame of pandas itself by df.cleanroom.apply (import orchestrator.pandas_accessor).",
        )
    if not isinstance(value, Path | str) or "\0" in str(value):
        shown = " ".join(repr(value).split())
        raise UsageError(f"Invalid argument '{name}': {shown:.60} is not a path.", advice="Give a Path or a str.")
    try:
        os.lstat(value)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise UsageError(
                f"Invalid argument '{name}': {Path(value).name:.60}… is too long.", advice="Name a shorter one."
            ) from None
    return Path(value)


def data_of(value: Path | str, name: str = "data") -> Path | DataAddress:
    """The path or the address, which is not repeated when it is wrong, because a password can be in it."""
    if isinstance(value, str) and "://" in value:
        return location(value)
    return location(path_of(value, name))


def place_of(value: Path | str, name: str) -> Path | str:
    """The name of a registry or a bundle, which may be a URL: it is not repeated, because a password can be in it."""
    if not isinstance(value, Path | str) or "\0" in str(value):
        raise UsageError(f"Invalid argument '{name}'.", advice="Give a folder, a file or a postgresql:// URL.")
    return value if "://" in str(value) else path_of(value, name)


def policy_of(given: Path | str | Policy | None, *, strict: bool) -> Policy:
    """The policy, read where it is a file."""
    flag_of(strict, "strict")
    if isinstance(given, Policy):
        return given.model_copy(update={"strict": True}) if strict else given
    return read_policy(None if given is None else path_of(given, "policy"), strict=strict)


def cluster_of(cluster: str | None, tls: Path | None) -> ClusterAddress | None:
    """The cluster; None where this machine shall do the work."""
    if cluster is None:
        if tls is not None:
            raise UsageError(
                "Argument 'tls' is for 'cluster'.", advice='Name the scheduler: cluster="tls://HOST:PORT".'
            )
        return None
    if not isinstance(cluster, str):
        raise UsageError(f"Invalid argument 'cluster': {cluster!r:.60}.", advice='Give "local:2" or "tls://HOST:PORT".')
    return read_address(cluster, tls)


def shape_of(given: Shape | str) -> Shape:
    """Raises UsageError for what no run can be for: fitted functions are proposed in runs for tables."""
    possible = [shape for shape in Shape if shape is not Shape.FITTED]
    if given not in possible:
        raise UsageError(f"Invalid argument 'shape': {given!r:.60}.", advice=f"Use one of {', '.join(possible)}.")
    return Shape(given)


def conventions_of(given: Conventions | Path | str | None) -> Conventions | None:
    if given is None or isinstance(given, Conventions):
        return given
    return read_conventions(path_of(given, "conventions"))


def source_of(given: Path | str) -> str:
    """The text of a function: a str itself, or what is in the file. Raises UsageError where that cannot be read."""
    if isinstance(given, str):
        if given.strip().endswith(".py") and "\n" not in given.strip():
            raise UsageError(
                f"Invalid argument 'function': a str is source text, and {given!r:.60} looks like the name of a file.",
                advice="Give a Path for a file.",
            )
        return given
    path = path_of(given, "function")
    source = read(path)
    if source.problem:
        raise UsageError(f"{path}: {source.problem}.", advice="Name a Python file.")
    return source.text
