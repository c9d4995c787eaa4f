"""Examples in the instruction: refuses others that contradict them. Called before any work starts, and by the rules.

Only what is written as one is read: two values in quotes with an arrow between them, as in `"N.Y." -> "New York"`. What
else an instruction says only a model understands.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from orchestrator.core.candidate import Example
from orchestrator.core.errors import DataError
from orchestrator.data.text import clean_text

_VALUE = r"(?:\"([^\"\n]*)\"|'([^'\n]*)'|`([^`\n]*)`)"
_PAIR = re.compile(rf"{_VALUE}\s*(?:->|=>|\u2192|\u21d2|\bbecomes\b)\s*{_VALUE}")


def check_instruction(instruction: str, examples: Sequence[Example]) -> None:
    """Raises DataError for an example that makes something else of a text, in every column that holds it."""
    said: dict[str, set[str]] = defaultdict(set)
    for written, asked in shown_pairs(instruction):
        said[written].add(asked)
    shown = [(number, *pair) for number, example in enumerate(examples, 1) for pair in _texts(example)]
    for number, before, after in shown:
        wanted = said.get(before, set())
        if len(wanted) != 1 or any(one == before and (other or "") in wanted for _, one, other in shown):
            continue  # another column may hold the same text and mean something else by it
        if after != before:
            one, other, asked = (_quoted(text) for text in (before, after, next(iter(wanted))))
            raise DataError(
                f"Example {number} contradicts the instruction: {one} is to become {other}, and the instruction makes "
                f"{asked} of it.",
                advice="Change the example or the instruction; nothing was started.",
            )


def shown_pairs(instruction: str) -> Iterator[tuple[str, str]]:
    """Each text and what is to become of it."""
    for match in _PAIR.finditer(instruction):
        before, after = (next((value for value in match.groups()[n : n + 3] if value is not None), "") for n in (0, 3))
        yield before, after


def _texts(example: Example) -> Iterator[tuple[str, str | None]]:
    """What becomes of each text of the example that it says something of."""
    if isinstance(example.input, dict) and isinstance(example.output, dict):
        for name, before in example.input.items():
            after = example.output.get(name, before)
            if isinstance(before, str) and (after is None or isinstance(after, str)):
                yield before, after
    elif isinstance(example.input, str) and isinstance(example.output, str):
        yield example.input, example.output


def _quoted(text: str | None) -> str:
    return "nothing" if text is None else f"'{clean_text(text, 60)}'"
