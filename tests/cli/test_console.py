"""What commands print is harmless on a terminal, whatever stands in it."""

import json
import re

import pytest

from orchestrator.cli.console import echo_json, plain, say_error
from orchestrator.core.proposals import Issue


def test_json_holds_the_same_value_without_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    """Escape sequences of one character, bidi marks and the like stand escaped; letters of all scripts as they are."""
    text = "München \x1b]0;x\x07 \x9b31m \u202e \x7f \U000e0001"
    echo_json(Issue(id="1", description=text))
    out = capsys.readouterr().out
    assert json.loads(out)["description"] == text
    assert out.rstrip("\n").isprintable()
    assert "München" in out


def test_json_holds_half_a_surrogate_pair(capsys: pytest.CaptureFixture[str]) -> None:
    """As the source of a candidate can, and UTF-8 cannot: it stands escaped."""
    issue = Issue(id="1", description="a\ud800b")
    echo_json(issue)
    out = capsys.readouterr().out
    assert Issue.model_validate(json.loads(out)) == issue
    assert out.isascii()


@pytest.mark.parametrize(
    "text",
    ["::add-mask::secret", "x\n::stop-commands::t", "\t:: error ::", "##[add-mask]x", "a ##[error]b", ":::warning::"],
)
def test_no_text_gives_orders_to_a_ci_system(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither `::name::` nor `##[name]` reaches a line of output, on its own, in an error or in JSON."""
    say_error(text, text)
    echo_json({"text": text})
    captured = capsys.readouterr()
    lines = [plain(text), *captured.err.splitlines(), *captured.out.splitlines()]
    assert not [line for line in lines if re.match(r"\s*::\s*[a-z]", line) or "##[" in line]
    assert not [line for line in lines[:-1] if re.search(r"::\s*[a-z]", line)]
    assert json.loads(captured.out) == {"text": text}


@pytest.mark.parametrize("text", ["a::2", "12:30", "## title", "#[x]", "::"])
def test_what_is_no_order_stays(text: str) -> None:
    """Times, slices and headings are shown as they are."""
    assert plain(text) == text
