"""A source in the lines that Python reads. Called by what shows sources to people.

Python ends a line at a lone carriage return, but not at a form feed or U+2028, at which `str.splitlines` does: shown by
those, a comment would look like code, or code like a part of the comment before it.
"""

import re

_LINE_END = re.compile("\r\n|\r|\n")


def source_lines(source: str) -> list[str]:
    """The lines without their ends; none for what follows the last end."""
    lines = _LINE_END.split(source)
    return lines if lines[-1] else lines[:-1]
