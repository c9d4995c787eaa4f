"""Questions that somebody has answered, as examples. Called by `example_files`; `cleanroom verify` writes them.

An answer is an example with the key `right`. Who has not looked at it must not become a witness by giving the file
back, so it is refused until `right` is true.
"""

from typing import Any

ANSWER = "right"
UNANSWERED: dict[str, Any] = {ANSWER: None}
_SHOWN = ("function", "column", "before", "after")  # for the reader of the file


def is_answer(entry: Any) -> bool:
    """Whether the entry is a question, answered or not."""
    return isinstance(entry, dict) and ANSWER in entry  # an example has two keys, `input` and `output`


def problem(entry: dict[str, Any]) -> str:
    """Why the entry is no example yet; "" for one that is."""
    if entry[ANSWER] is True:
        return ""
    if entry[ANSWER] is False:
        return 'is answered with false: write into "output" what is right, and set "right" to true'
    return 'has no answer: look at "before" and "after", correct "output" where it is wrong, and set "right" to true'


def as_example(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry without what is only there to be read."""
    return {key: value for key, value in entry.items() if key not in (ANSWER, *_SHOWN)}
