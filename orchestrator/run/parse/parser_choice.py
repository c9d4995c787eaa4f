"""Which parser is meant: a Python file, or `fixed-width`, for which one is made. Called by those who name one."""

from pathlib import Path

from orchestrator.core.errors import UsageError
from orchestrator.data.raw_file import RawFile
from orchestrator.run.parse.fixed_width import fixed_width_parser
from orchestrator.run.verify.candidate_files import read

FIXED_WIDTH = "fixed-width"


def parser_source(named: str, file: RawFile, encoding: str | None = None) -> str:
    """The text of the parser for the file. `fixed-width:8,20,6` says how wide the columns are.

    Raises UsageError, DataError where no columns can be found.
    """
    kind, _, widths = named.partition(":")
    if kind == FIXED_WIDTH:
        return fixed_width_parser(file, widths or None, encoding)
    if encoding is not None:
        raise UsageError("The parser decodes the data itself.", advice="Leave out --encoding.")
    return parser_text(Path(named))


def absolute_name(named: str) -> str:
    """The same from every folder."""
    return named if named.partition(":")[0] == FIXED_WIDTH else str(Path(named).absolute())


def parser_text(path: Path) -> str:
    """The text of the file. Raises UsageError."""
    found = read(path)
    if found.problem:
        raise UsageError(f"{path}: {found.problem}.", advice=f"Name a Python file, or {FIXED_WIDTH}.")
    return found.text
