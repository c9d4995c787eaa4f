"""The form fields that say how a job's data is read, and which columns have other names in it. Taken by every route
that starts a job, of the API and of the pages.

What can be known to be wrong before the data is read is refused at once, so that no job is made that can only fail.
"""

import re
from collections.abc import Mapping
from typing import Annotated

from fastapi import Depends, Form

from orchestrator.data.formats import FORMATS
from orchestrator.data.formats.csv.csv_preamble import named_delimiter
from orchestrator.data.formats.text_source import codec_of
from orchestrator.data.text import clean_text
from orchestrator.service.denied import Denied

_LINE_END = re.compile(r"\r\n|\n|\r")
_WORD = r"^[\w.:-]*$"
READ = [kind for kind, known in FORMATS.items() if known.read is not None]


def _reading(
    format: Annotated[  # noqa: A002 - the usual word, and the option's
        str, Form(pattern=_WORD, max_length=40, description=f"Where its name does not say it: {', '.join(READ)}.")
    ] = "",
    encoding: Annotated[
        str, Form(pattern=_WORD, max_length=40, description="Of text that is not UTF-8: cp1252, utf-16-le, …")
    ] = "",
    delimiter: Annotated[
        str, Form(max_length=40, description=r"Of CSV and TSV, where it is guessed wrong: one character, or \t.")
    ] = "",
    sheet: Annotated[str, Form(max_length=200, description="Of a workbook; else the first.")] = "",
    array: Annotated[
        str, Form(max_length=400, description="Where in a JSON document the rows are: result.items.")
    ] = "",
) -> Mapping[str, str]:
    """What was said of these, by the names that `open_dataset` has for them. Raises Denied, UsageError."""
    if format and format not in READ:
        raise Denied(422, f"The field format is '{format}', and no such format is read.", f"Use {', '.join(READ)}.")
    if encoding:
        codec_of(encoding)
    if delimiter:
        _check_delimiter(delimiter)
    said = {"format": format, "encoding": encoding, "delimiter": delimiter, "sheet": sheet, "array": array}
    return {name: value for name, value in said.items() if value}


def _check_delimiter(delimiter: str) -> None:
    try:
        named_delimiter(delimiter)
    except ValueError:
        said = f"The field delimiter is {delimiter!a:.60}, which is no delimiter."
        raise Denied(422, said, "Send one character, such as ; or |, or \\t for a tab.") from None


def _columns(
    columns: Annotated[
        str,
        Form(
            max_length=20_000,
            description="For columns with another name in this data: one line `known=own` for each, "
            "the name that the functions know before the one in the data.",
        ),
    ] = "",
) -> Mapping[str, str]:
    """The names in the data, by the names that functions know. Raises Denied."""
    made: dict[str, str] = {}
    for line in filter(None, _LINE_END.split(columns)):
        known, _, own = line.partition("=")
        if not known or not own or known in made:
            wrong = f"'{clean_text(line, 80)}' is not known=own" if known not in made else "it maps a name twice"
            raise Denied(422, f"The field columns is wrong: {wrong}.", "Write one line for each, such as city=town.")
        made[known] = own
    return made


ReadingFields = Annotated[Mapping[str, str], Depends(_reading)]
ColumnsField = Annotated[Mapping[str, str], Depends(_columns)]


def check_fits(kind: str, reading: Mapping[str, str]) -> None:
    """Raises Denied for a field that data of this format has no use for."""
    for name in reading:
        if name != "format" and name not in FORMATS[kind].options:
            raise Denied(422, f"The field {name} means nothing for {FORMATS[kind].title}.", "Leave it out.")
