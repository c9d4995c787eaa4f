"""Doctor's lines about the posture: one per layer, with what differs."""

import pytest

from orchestrator.sandbox.posture.proof.prove import PostureProof
from orchestrator.sandbox.provision.proof_findings import lines, proof_findings


def test_a_line_per_layer() -> None:
    """Deviations are bad and named; a layer that is merely missing is a warning."""
    found = lines("runc", PostureProof((), ("ptrace reaches the kernel",), (), ("there is no Landlock here",)), "bad")
    assert [one.state for one in found] == ["ok", "bad", "ok", "warn"]
    assert "ptrace" in found[1].value
    assert "Landlock" in found[3].value


@pytest.mark.docker
def test_the_real_engine_is_proved(image: str) -> None:
    """Under runc all layers are as asked; a runtime that the engine does not know is told, not raised."""
    found = proof_findings(("runc", "no-such-runtime"), image)
    assert [one.state for one in found if one.name.startswith("runc:")][:3] == ["ok", "ok", "ok"]
    assert found[-1].state == "warn"
    assert "runtime" in found[-1].value
