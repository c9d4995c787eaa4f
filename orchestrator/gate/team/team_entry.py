"""The entry of the process in which a team's own checks run: `orchestrator.gate.team.team_entry:judge`. Wired by
bootstrap.

The team's file is trusted and is imported once, with the user's rights: it may read reference data while it is loaded.
The data that it checks later was written by a candidate. So every verdict runs in a forked child without privileges,
under limits, and apart from the judge: a check that crashes or never ends is not mistaken for a candidate that breaks
the judge.
"""

import inspect
import sys
from pathlib import Path
from types import ModuleType

from orchestrator.gate.checks import user_checks
from orchestrator.gate.judge.judge import observed
from orchestrator.gate.judge.judge_entry import decode, warm, warm_decode, warm_judge
from orchestrator.gate.judge.protocol import pack
from orchestrator.gate.team.checks import PREFIX, TeamCheck, TeamChecks, TeamFile

_loaded: list[TeamFile] = []
_problems: list[str] = []

__all__ = ["decode", "judge", "load", "warm", "warm_decode", "warm_judge"]


def load(path: str) -> None:
    """Import the file at the path. What is wrong with it is the answer to the first, empty request."""
    try:
        _loaded.append(_read(Path(path)))
    except BaseException as error:  # noqa: BLE001 - a file may raise SystemExit, too, and the user must be told
        _problems.append(str(error) if isinstance(error, _Unfit) else f"{type(error).__name__}: {error}")


class _Unfit(Exception):
    """The file is no file of checks."""


def _read(path: Path) -> TeamFile:
    source = path.read_text(encoding="utf-8-sig")
    sys.path.append(str(path.parent))  # last: a file beside the checks stands in for no module of Python or pandas
    module = ModuleType("team_checks")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    exec(compile(source, str(path), "exec"), module.__dict__)  # noqa: S102 - the team's own file, which it trusts
    checks = {name: value for name, value in vars(module).items() if name.startswith(PREFIX) and callable(value)}
    if not checks:
        raise _Unfit(f"it has no function whose name starts with {PREFIX}")
    for name, check in checks.items():
        _check_signature(name, check)
    return TeamFile(checks, str(path), source.splitlines())


def _check_signature(name: str, check: TeamCheck) -> None:
    try:
        inspect.signature(check).bind(None, None)
    except TypeError:
        raise _Unfit(f"{name} must take two arguments: before and after") from None


def judge(request: bytes) -> bytes:
    """Judge one candidate by the rules and the team's checks. An empty request asks whether the file was loaded."""
    if not request:
        return pack({"problem": _problems[0] if _problems else ""})
    _, observations = observed(request)
    result = user_checks.result(observations, TeamChecks(_loaded[0]))
    return pack({"checks": [] if result is None else [result.model_dump(mode="json")]})
