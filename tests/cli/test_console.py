"""What commands print is harmless on a terminal, whatever stands in it."""

import json

import pytest

from orchestrator.cli.console import echo_json
from orchestrator.core.proposals import Issue


def test_json_holds_the_same_value_without_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    """Escape sequences of one character, bidi marks and the like stand escaped; letters of all scripts as they are."""
    text = "München \x1b]0;x\x07 \x9b31m \u202e \x7f \U000e0001"
    echo_json(Issue(id="1", description=text))
    out = capsys.readouterr().out
    assert json.loads(out)["description"] == text
    assert out.rstrip("\n").isprintable()
    assert "München" in out
