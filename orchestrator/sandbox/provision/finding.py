"""One line of `cleanroom doctor`. Made by doctor.py and the probes, printed by the command."""

from typing import Literal

from orchestrator.core.value import Value

State = Literal["ok", "info", "warn", "bad"]


class DoctorFinding(Value):
    """`info` is worth knowing, `warn` fails `--strict`, `bad` means that no run is possible."""

    name: str
    value: str
    state: State = "ok"
    advice: str = ""


class Diagnosis(Value):
    """All findings about a machine."""

    findings: tuple[DoctorFinding, ...]

    @property
    def ready(self) -> bool:
        """Whether runs are possible."""
        return all(finding.state != "bad" for finding in self.findings)

    @property
    def warned(self) -> bool:
        return any(finding.state in ("warn", "bad") for finding in self.findings)
