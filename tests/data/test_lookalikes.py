"""Names that pass for others are seen as what they are; words of other scripts are left alone."""

from collections.abc import Callable

import pytest
import regex

from orchestrator.cli.console import plain
from orchestrator.data.text import visible_text
from orchestrator.data.writing.lookalikes import hidden_places, marked, passes_for_ascii
from orchestrator.propose.prompting.fencing import encode
from orchestrator.registry.export.literal import literal, one_line
from orchestrator.run.report.visible import shown

UNSEEN = [*regex.findall(r"\p{Default_Ignorable_Code_Point}", "".join(map(chr, range(0x110000)))), "\u2800"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\u0441ity", r"\u0441ity"),
        ("\u0441\u043e\u0440", r"\u0441\u043e\u0440"),
        ("column \u0441ity of caf\u00e9", r"column \u0441ity of café"),
        ("\u0397ello", r"\u0397ello"),
        ("a\u3164b\ufe0f", r"a\u3164b\ufe0f"),
        ("c\U000e0101", r"c\U000e0101"),
        ("M\u00fcnchen \u041c\u043e\u0441\u043a\u0432\u0430 \u6771\u4eac", "München Москва 東京"),
        ("\u0441 \u043f\u0440\u043e\u0431\u0435\u043b\u0430\u043c\u0438", "с пробелами"),
        ("K\u0131r\u0131kkale 1\u00aa \u00b5m \u00bd", "Kırıkkale 1ª µm ½"),
        ("plain", "plain"),
    ],
)
def test_what_passes_for_another_is_escaped(text: str, shown: str) -> None:
    """Mixed scripts and whole words of look-alikes; not words that only another script can write."""
    assert marked(text) == shown
    assert bool(hidden_places(text)) is (text != shown)


def test_a_name_is_judged_as_a_whole() -> None:
    """One letter that no ASCII letter looks like is enough to see the script."""
    assert passes_for_ascii("tr\u0456m")
    assert not passes_for_ascii("\u0442\u0440\u0438\u043c")
    assert not passes_for_ascii("trim")


@pytest.mark.parametrize("filtered", [marked, visible_text, plain, shown, one_line, literal, encode])
def test_no_output_shows_a_character_for_which_nothing_is_drawn(filtered: Callable[[str], str]) -> None:
    """All that Unicode lets fonts ignore, such as U+180F, or variation selectors, which can carry bytes."""
    assert len(UNSEEN) > 4_000
    assert not [f"U+{ord(char):04X}" for char in UNSEEN if char in filtered(f"trim{char}x")]
