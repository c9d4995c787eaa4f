"""What Typer says of a value that does not fit, in the words of a command line. Used by `repeated_options`.

Typer lets pydantic speak, whose sentences are for programmers: "Input should be a valid integer, unable to parse …".
"""

import re

_WORDS = (
    (r"^Value error, ", ""),
    (r"^Input should be a valid integer\b.*", "it must be a whole number"),
    (r"^Input should be a valid number\b.*", "it must be a number"),
    (r"^Input should be a finite number\b.*", "it must be a number"),
    (r"^Input should be greater than or equal to ", "it must be at least "),
    (r"^Input should be less than or equal to ", "it must be at most "),
    (r"^Input should be greater than ", "it must be more than "),
    (r"^Input should be less than ", "it must be less than "),
)


def in_words(message: str) -> str:
    """The same said plainly, on one line; other messages stay as they are."""
    text = " ".join(message.split())
    for pattern, words in _WORDS:
        text = re.sub(pattern, words, text)
    return text
