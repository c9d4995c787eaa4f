"""The host side of a team's own checks: starts their process and asks it. Called by bootstrap and the verifier."""

from pathlib import Path

from pydantic import TypeAdapter

from orchestrator.core.errors import DisposableDied, PostureError, SandboxError, UsageError
from orchestrator.core.ports import Disposable
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.data.disposable.disposable_process import DisposableLimits, DisposableProcess
from orchestrator.data.text import clean_text
from orchestrator.gate.judge.protocol import unpack

ENTRY = "orchestrator.gate.team.team_entry:judge"  # not imported here: it brings pandas
_CHECKS = TypeAdapter(tuple[CheckResult, ...])
_LIMITS = DisposableLimits(wall_s=30.0, cpu_s=30)  # of code that may sleep
_ADVICE = "Write functions check_*(before, after) that return None, or a text that says what is wrong."


def team_process(path: Path, *, strict: bool = False) -> DisposableProcess:
    """A process that has loaded the file, ready to judge. Raises UsageError where the file is no file of checks."""
    if not path.is_file():
        raise UsageError(f"There is no file {path}.", advice=_ADVICE)
    process = DisposableProcess(ENTRY, _LIMITS, subject=str(path.resolve()), strict=strict)
    try:
        problem = str(unpack(process.call(b""))[0].get("problem", ""))
    except PostureError:
        process.close()
        raise
    except (SandboxError, DisposableDied) as error:
        problem = f"Python ended while it loaded them ({error.message.rstrip('.')})"
    except ValueError:
        problem = "what their process answered cannot be read"
    if problem:
        process.close()
        raise UsageError(f"The checks in {path} cannot be used: {clean_text(problem, 300)}.", advice=_ADVICE)
    return process


def ask_team(process: Disposable, request: bytes) -> tuple[CheckResult, ...]:
    """The result of the team's checks for a candidate. A check that does not end is not a pass."""
    try:
        return _CHECKS.validate_python(unpack(process.call(request))[0].get("checks"))
    except DisposableDied as error:
        outcome, detail = Outcome.FAIL, f"the team's checks came to no answer: {error.message}"
    except SandboxError as error:
        outcome, detail = Outcome.INFRA, error.message
    except ValueError:  # their code runs in the process that answers
        outcome, detail = Outcome.FAIL, "the team's checks gave an answer that cannot be read"
    return (CheckResult(id="user-checks", outcome=outcome, detail=detail, cases=1),)
