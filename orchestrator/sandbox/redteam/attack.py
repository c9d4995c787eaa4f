"""One attack of the corpus as a value: what it does, how it must end, and the control that shows that it is real.

Read by `corpus`, run by `redteam_runner`. An attack states what must hold; it never describes what happens to hold
today.
"""

from enum import StrEnum
from typing import Any, Self

from pydantic import Field, model_validator

from orchestrator.core.jobs import Limits
from orchestrator.core.value import Value

BROKE = "broke"
"""An end that no supervisor reports: the container itself went away (core.jobs.Ended has the others)."""


class ExpectedEnd(StrEnum):
    """How an attack must end."""

    KILLED = "K"  # at the deadline
    DENIED = "D"
    BOUNDED = "B"  # a limit was hit, nobody else was affected
    FAILS = "F"  # the gate rejects it, or the infrastructure refuses
    NO_TRACE = "N"  # nothing is left for the next case or candidate
    UNAFFECTED = "J"  # the judge, the host and their users are not led astray


END_WORDS = {
    ExpectedEnd.KILLED: "killed at the deadline",
    ExpectedEnd.DENIED: "denied",
    ExpectedEnd.BOUNDED: "bounded",
    ExpectedEnd.FAILS: "rejected",
    ExpectedEnd.NO_TRACE: "no trace",
    ExpectedEnd.UNAFFECTED: "judge unaffected",
}


class Form(StrEnum):
    """What the source is."""

    PROBE = "probe"  # defines attempt(): tries one thing; an OSError means that it was denied
    FUNCTION = "function"  # defines f(df), run as a job; it reports in a column `said`
    CANDIDATE = "candidate"  # a whole candidate file, put before the gate without the screen
    SCRIPT = "script"  # our own code on the host, attacking what stands around the sandbox; it prints what it saw


class LiftedLock(StrEnum):
    """A lock that a probe's control container lacks. The limits on the guest's child are always lifted there."""

    SECCOMP = "seccomp"
    CAPABILITIES = "capabilities"  # those that a probe could need, as root of the container
    READ_ONLY = "read-only"
    IPC = "ipc"
    LIMITS = "limits"  # of single processes: locked memory, message queues, priorities
    EXEC = "exec"  # programs may be run from the scratch space
    MASKS = "masks"  # /proc and /sys as the kernel shows them


class Expect(Value):
    """What must be seen from outside."""

    ended: tuple[str, ...] = ()  # the ends that are allowed for every child (for `N`: for the last one)
    says: str = ""  # a regular expression for the whole of what the last child reported
    verdict: str = ""
    checks: tuple[str, ...] = ()  # one of these checks must have failed
    because: str = ""  # why another end than the attack's is no harm


class Control(Value):
    """The same in a harmless form, or with one lock lifted: it must succeed, or the attack proves nothing."""

    dose: Any = None  # the harmless value of DOSE
    limits: dict[str, float] = Field(default_factory=dict)
    lift: tuple[LiftedLock, ...] = ()
    source: str = ""  # instead of the attack's source
    says: str = ""
    absent: tuple[str, ...] = ()  # errors that say: this machine has no such thing at all
    absent_runsc: tuple[str, ...] = ()  # the same of gVisor's kernel, which refuses many a call to everybody


class Attack(Value):
    """One program. `name` is its file's name, `kind` its folder's."""

    kind: str
    name: str
    title: str
    end: ExpectedEnd
    form: Form
    source: str
    dose: Any = None  # the value of the word DOSE in the source
    uses: tuple[str, ...] = ()  # helpers from corpus/_shared that are put before the source
    children: int = 1
    limits: dict[str, float] = Field(default_factory=dict)
    expect: Expect = Expect()
    runsc: Expect | None = None  # where gVisor must end otherwise
    control: Control
    seconds: float = 60.0  # the longest that the whole attack may take

    @model_validator(mode="after")
    def _is_checkable(self) -> Self:
        wanted = self.expected("runc")
        if self.form is Form.CANDIDATE and not wanted.verdict:
            raise ValueError("a candidate needs the verdict that it must get")
        if wanted.verdict == "fail" and not wanted.checks:
            raise ValueError("a failing verdict needs the checks that may find it")
        if self.form is not Form.CANDIDATE and not (wanted.ended or wanted.says):
            raise ValueError("nothing is expected of it")
        return self

    @property
    def key(self) -> str:
        return f"{self.kind}/{self.name}"

    @property
    def shares_a_container(self) -> bool:
        """Whether it may run in one container with its like: a probe that must be denied something, no more."""
        return self.form is Form.PROBE and self.end is ExpectedEnd.DENIED and not self.limits

    def expected(self, runtime: str) -> Expect:
        """What must be seen under the runtime: as declared, and by the letter where nothing is."""
        declared = self.runsc if runtime == "runsc" and self.runsc is not None else self.expect
        usual = _USUAL.get((self.end, self.form), Expect())
        return Expect(
            ended=declared.ended or usual.ended,
            says=declared.says or usual.says,
            verdict=declared.verdict or usual.verdict,
            checks=declared.checks,
            because=declared.because,
        )

    def absent(self, runtime: str) -> tuple[str, ...]:
        """The control's errors that say that there is no such thing under the runtime."""
        return self.control.absent + (self.control.absent_runsc if runtime == "runsc" else ())

    def limits_of(self, control: bool = False) -> Limits:
        """What one child may use: short deadlines, so that the whole corpus takes minutes."""
        usual: dict[str, Any] = _CANDIDATE if self.form is Form.CANDIDATE else _JOB
        return Limits.model_validate(usual | self.limits | (self.control.limits if control else {}))


MIB = 2**20
# Time to spare on a busy machine: attacks that a deadline must end have one of their own, or use up processor time.
_JOB = {"wall_s": 10.0, "cpu_s": 3.0, "memory_bytes": 256 * MIB, "output_bytes": MIB}
_CANDIDATE = {"wall_s": 15.0, "cpu_s": 5.0, "memory_bytes": 512 * MIB, "output_bytes": 16 * MIB}
_USUAL = {
    (ExpectedEnd.KILLED, Form.FUNCTION): Expect(ended=("timeout",)),
    (ExpectedEnd.KILLED, Form.PROBE): Expect(ended=("timeout",)),
    (ExpectedEnd.DENIED, Form.PROBE): Expect(ended=("ok",), says=r"denied .*"),
    (ExpectedEnd.DENIED, Form.FUNCTION): Expect(ended=("ok",), says=r"denied .*"),
    (ExpectedEnd.DENIED, Form.SCRIPT): Expect(says=r"denied.*"),
    (ExpectedEnd.NO_TRACE, Form.FUNCTION): Expect(ended=("ok",), says=r"clean"),
    (ExpectedEnd.NO_TRACE, Form.SCRIPT): Expect(says=r"clean"),
    (ExpectedEnd.FAILS, Form.CANDIDATE): Expect(verdict="fail"),
    (ExpectedEnd.KILLED, Form.CANDIDATE): Expect(verdict="fail", checks=("executed",)),
    (ExpectedEnd.BOUNDED, Form.CANDIDATE): Expect(verdict="fail", checks=("executed",)),
    (ExpectedEnd.UNAFFECTED, Form.SCRIPT): Expect(says=r"unaffected"),
}  # fmt: skip
