"""The instruction as it is typed: words, or a file of words."""

import pytest

from orchestrator.cli.run_command import instruction_text
from orchestrator.core.errors import UsageError


def test_bytes_that_are_no_text_are_refused() -> None:
    """Before anything is started, not by the client of the model in the middle of a run."""
    assert instruction_text("Städte trimmen, 请清理") == "Städte trimmen, 请清理"
    with pytest.raises(UsageError, match="bytes that are no text"):
        instruction_text("trim \udcff city")
