"""Examples and an instruction that shows examples of its own."""

import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.errors import DataError
from orchestrator.data.user_files.instruction_examples import check_instruction


def _example(**cells: tuple[str, str | None]) -> Example:
    return Example(
        input={name: before for name, (before, _) in cells.items()},
        output={name: after for name, (_, after) in cells.items()},
    )


@pytest.mark.parametrize(
    "instruction",
    ['Towns in full: "N.Y." -> "New York".', "Towns:\n- `N.Y.` => `New York`", "'N.Y.' becomes 'New York', please"],
)
def test_example_against_the_instruction_is_refused_in_a_sentence(instruction: str) -> None:
    """Both are named before any work starts, however the instruction writes its example."""
    with pytest.raises(
        DataError, match=r"contradicts the instruction: 'N\.Y\.' is to become 'NYC', .* 'New York' of it"
    ):
        check_instruction(instruction, [_example(town=("N.Y.", "NYC"))])


@pytest.mark.parametrize(
    "example",
    [
        _example(town=("N.Y.", "New York")),
        _example(town=("N.Y.", "N.Y.")),
        _example(town=("L.A.", "Los Angeles")),
        _example(town=("N.Y.", "New York"), state=("N.Y.", "NY")),
        Example(input="N.Y. is large", output="New York is large"),
    ],
)
def test_what_can_be_meant_beside_the_instruction_is_no_contradiction(example: Example) -> None:
    """An example of the same change, of another text, or of a second column that holds the text as well."""
    check_instruction('Write "N.Y." -> "New York".', [example])


def test_words_without_an_example_are_not_compared() -> None:
    """Only a model understands the words of an instruction, and one that shows two results says nothing certain."""
    check_instruction("N.Y. becomes New York", [_example(town=("N.Y.", "NYC"))])
    check_instruction('"a" -> "b" here and "a" -> "c" there', [_example(town=("a", "d"))])
