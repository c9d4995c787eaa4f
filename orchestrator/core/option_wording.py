"""Says of errors what somebody can do who has no command line: names of theirs, where messages name options.

Called by `api_wording`, for programs that call the library, and by `service.field_wording`, for clients of the service.
A command that stands whole in a message (`cleanroom registry …`) stays as it is.
"""

import codecs
import re
import shlex
from collections.abc import Callable, Mapping
from typing import NamedTuple

_VALUES = {
    "drift": "accept|stop",
    "on-hold": "accept",
    "privacy": "masked|profile|raw",
    "header": "names",
    "format": "[a-z]+",
    "encoding": r"[a-z0-9_-]+",
    "delimiter": r"'[^']+'|\"[^\"]+\"",
    "parser": "fixed-width",
    "protocol": "xml",
    "path": r"[^\s.,;:]+(?:\.[^\s.,;:]+)*",
    "model": r"[a-z]+/[^\s.,;:]+",
}
"""By option, what after it is a value, and not the next word of the sentence."""
_COMMAND = re.compile(r"(`[^`]*`)")
_WORD = r"""(?:'[^']*'|"[^"]*"|[^\s'"])+"""  # as a shell reads it, and `shlex.quote` writes it
_MAPS = re.compile(rf"(?<![\w-])--map {_WORD}(?: --map {_WORD})*")
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)\b(?: [A-Z]{3,}\b)?")
_TOLD_TWICE = re.compile(r"(`(\w+)`) \(`\2`\)")


class OptionWording(NamedTuple):
    """`names`: by option, what it is called there. `given`: such a name with a value. `columns`: several `--map`."""

    names: Mapping[str, str]
    given: Callable[[str, str], str]
    columns: Callable[[Mapping[str, str]], str]

    def of(self, text: str) -> str:
        """The same text in these words; options that have no name there stay."""
        with_values = _outside_commands(self._with_values, text)
        return _TOLD_TWICE.sub(r"\1", _outside_commands(self._alone, with_values))

    def _alone(self, text: str) -> str:
        return _OPTION.sub(lambda found: f"`{self.names[found[1]]}`" if found[1] in self.names else found[0], text)

    def _with_values(self, text: str) -> str:
        text = _MAPS.sub(self._columns, text)
        for option, values in _VALUES.items():
            if option in self.names:
                text = re.sub(rf"(?<![\w-])--({option}) ({values})(?![\w=])", self._given, text)
        return text

    def _given(self, found: re.Match[str]) -> str:
        option, value = found[1], found[2]
        if option == "encoding" and not _is_encoding(value):
            return found[0]
        return self.given(self.names[option], value.strip("'\""))

    def _columns(self, found: re.Match[str]) -> str:
        text, end = (found[0][:-1], found[0][-1]) if found[0][-1] in ".,:;" else (found[0], "")
        pairs = [word.partition("=") for word in shlex.split(text) if word != "--map"]
        return self.columns({known: own for known, _, own in pairs}) + end


def _outside_commands(change: Callable[[str], str], text: str) -> str:
    parts = _COMMAND.split(text)
    parts[::2] = [change(part) for part in parts[::2]]
    return "".join(parts)


def _is_encoding(word: str) -> bool:
    try:
        codecs.lookup(word)
    except LookupError:
        return False
    return True
