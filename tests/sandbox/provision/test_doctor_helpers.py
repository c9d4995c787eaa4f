"""What doctor says of the host's own processes that read hostile bytes."""

import pytest

from orchestrator.core.errors import SandboxError
from orchestrator.data.disposable import confinement, proof
from orchestrator.data.disposable.proof import ConfinementProof
from orchestrator.sandbox.provision import helper_findings
from orchestrator.sandbox.provision.finding import Diagnosis

DENIED = {"read a file": "denied PermissionError", "connect": "denied PermissionError"}
GRANTED = dict.fromkeys(DENIED, "granted")


def test_all_denied_is_one_good_line() -> None:
    """It says how many attempts were made."""
    (line,) = helper_findings.lines(ConfinementProof(DENIED, GRANTED, ()))
    assert (line.state, line.value) == ("ok", "2 of 2 attempts denied that succeed outside")


def test_what_is_granted_is_named_and_warned_of() -> None:
    """One attempt that succeeds is a warning, which fails `--strict`."""
    (line,) = helper_findings.lines(ConfinementProof(DENIED | {"connect": "granted"}, GRANTED, ()))
    assert (line.state, line.value) == ("warn", "can connect")
    assert Diagnosis(findings=(line,)).warned


def test_what_nobody_may_proves_nothing() -> None:
    """An attempt that is denied outside as well is not counted, and is named."""
    (line,) = helper_findings.lines(ConfinementProof(DENIED, GRANTED | {"connect": "denied OSError"}, ()))
    assert line.value == "1 of 2 attempts denied that succeed outside"
    assert "connect" in line.advice


@pytest.mark.parametrize("layer", confinement.LAYERS)
def test_every_missing_layer_has_a_line_with_advice(layer: str) -> None:
    """By its name, as a warning."""
    _, line = helper_findings.lines(ConfinementProof(DENIED, GRANTED, (layer,)))
    assert (line.state, line.value) == ("warn", f"there is no {layer} here")
    assert line.advice


def test_a_proof_that_cannot_be_made_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is taken for granted where nothing could be tried."""

    def broken(engine: str = "") -> ConfinementProof:
        raise SandboxError("it could not be started")

    monkeypatch.setattr(helper_findings, "prove", broken)
    (line,) = helper_findings.helper_findings()
    assert line.state == "warn"
    assert "could not be started" in line.value
    assert proof.prove is not broken
