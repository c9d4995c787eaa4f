"""Every error that a caller can get, as one tree.

    CleanroomError
    ├── UsageError                 invalid arguments or files (exit 2)
    │   └── DataError              unreadable, wrong encoding, ragged rows: with file, row and column (exit 2)
    │       ├── DataChanged        somebody wrote to the data while they were read
    │       ├── ColumnsMissing     promoted functions need columns that the data have not
    │       └── RowsFailed         promoted functions fail on some of the rows
    ├── ProposalError              the model side
    │   ├── ReplyError             the reply could not be read as a candidate (feedback to the model)
    │   ├── ModelUnavailable       temporary: retried with backoff
    │   ├── ModelRefused           permanent: wrong key, unknown model, bad request
    │   └── BudgetExceeded         calls, tokens or money used up
    ├── CandidateError             a candidate that cannot be run at all (screen)
    ├── SandboxError               infrastructure (exit 3)
    │   ├── EngineUnavailable | ImageMissing | PostureError | GuestProtocolError | SetupError
    ├── RegistryError              integrity, conflict, no database
    │   └── NotVerified            unsigned, signed by nobody who is trusted, not in the log, not approved (exit 1)
    ├── OutputError                the result could not be written: no space, no permission (exit 3)
    │   └── OutputUnknown          the connection broke at the very end: the result may be there
    ├── ApplyAuditFailed           rows came out otherwise when they were run again: nothing is written (exit 1)
    ├── ApplyDrifted               a function does more than its evidence allows: nothing is written (exit 1)
    ├── DisposableDied             the process that read hostile bytes died (a candidate failure once judged)
    ├── JobRefused                 the service takes no such job: no room, a key that was used (a status of HTTP)
    └── RunInterrupted             resumable (exit 130)

A candidate's failure is a value (a verdict), never one of these. Every message is one sentence that says what happened;
`advice` says what to do next. The command line prints both and nothing else.
"""

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from orchestrator.core.exchanges import Exchange, TokenUsage


class CleanroomError(Exception):
    """Base of all errors that cleanroom raises on purpose."""

    exit_code: ClassVar[int] = 3
    temporary: ClassVar[bool] = False

    def __init__(self, message: str, *, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice


class UsageError(CleanroomError):
    """Invalid arguments: a missing file, an unknown option value, a contradiction."""

    exit_code = 2


class DataError(UsageError):
    """The data cannot be read; the message names file, row and column where they are known."""


class DataChanged(DataError):
    """The data are not what they were when cleanroom began to work on them."""


class ColumnsMissing(DataError):
    """Promoted functions need columns that the data have not. `unmapped`: the advice where nothing can be mapped."""

    def __init__(self, message: str, *, advice: str, unmapped: str) -> None:
        super().__init__(message, advice=advice)
        self.unmapped = unmapped


class RowsFailed(DataError):
    """Promoted functions fail on some of the rows, which could be set aside."""


class ProposalError(CleanroomError):
    """The model side failed. `usage`: the cost of the answers before the failure, for the run's totals.

    `exchanges`: the questions and answers themselves.
    """

    usage: "TokenUsage | None" = None
    exchanges: "tuple[Exchange, ...]" = ()


class ReplyError(ProposalError):
    """The reply could not be read as a candidate; its message is fit to be shown to the model."""


class ModelUnavailable(ProposalError):
    """Rate limit, timeout, 5xx or refused connection: another attempt may succeed."""

    temporary = True


class ModelRefused(ProposalError):
    """Wrong key, unknown model, bad request: another attempt would fail in the same way."""


class BudgetExceeded(ProposalError):
    """Calls, tokens or money are used up."""


class CandidateError(CleanroomError):
    """The source cannot be run at all (found by the screen); its message is fit to be shown to the proposer."""

    exit_code = 1


class SandboxError(CleanroomError):
    """The infrastructure failed; says nothing about the candidate. `worker`: of a cluster, where it did."""

    worker: str = ""


class EngineUnavailable(SandboxError):
    """No container engine answers, or it stopped answering."""

    temporary = True


class ImageMissing(SandboxError):
    """The sandbox image is not there, or is not the one this version was built with."""


class PostureError(SandboxError):
    """A container could not be given every limit that the policy demands."""


class GuestProtocolError(SandboxError):
    """The guest's supervisor violated the wire protocol or ended: the container is lost, and so is its result."""

    temporary = True


class SetupError(SandboxError):
    """`cleanroom setup` could not prepare this machine."""


class RegistryError(CleanroomError):
    """Integrity or conflict in the registry, or a database that cannot be used."""


class NotVerified(RegistryError):
    """What is stored cannot be shown to be what a trusted person promoted; it is not used."""

    exit_code = 1


class OutputError(CleanroomError):
    """The result could not be written; nothing half-written was left behind."""


class OutputUnknown(OutputError):
    """Nobody knows whether the result was written; if so, it is whole."""


class ApplyAuditFailed(CleanroomError):
    """Rows came out otherwise when they were run again while applying; nothing was written.

    `function`, `version`: whose fault it is. `workers`: those of a cluster that do not agree, where the fault may be
    that of one of them; the function is not blamed then.
    """

    exit_code = 1

    def __init__(
        self, message: str, *, function: str, version: int, advice: str = "", workers: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, advice=advice)
        self.function = function
        self.version = version
        self.workers = workers


class ApplyDrifted(CleanroomError):
    """A function does more to the data than its evidence allows; nothing was written. `function`: which."""

    exit_code = 1

    def __init__(self, message: str, *, function: str, advice: str = "") -> None:
        super().__init__(message, advice=advice)
        self.function = function


class JobRefused(CleanroomError):
    """The service does not take the job. `status`: of HTTP; `retry_after_s`: when asking again may help."""

    def __init__(self, message: str, *, status: int, advice: str = "", retry_after_s: int | None = None) -> None:
        super().__init__(message, advice=advice)
        self.status = status
        self.retry_after_s = retry_after_s


class RunInterrupted(CleanroomError):
    """Interrupted by the user; what was promoted so far is kept."""

    exit_code = 130


class DisposableDied(CleanroomError):
    """The process that read hostile bytes died or exceeded its limits; a verdict calls it `hostile-output`."""
