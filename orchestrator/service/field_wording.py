"""Says what went wrong with a job in words of its client: fields of the service, and the name of the uploaded file.

Called by the worker for problems and notes: the code of the commands names options, and files as they lie on disk.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from orchestrator.core.option_wording import OptionWording
from orchestrator.core.wording import joined_by_and, plural, without_quarantine
from orchestrator.data.text import clean_text, visible_text

_FIELDS = {
    "encoding": "encoding",
    "delimiter": "delimiter",
    "format": "format",
    "sheet": "sheet",
    "path": "array",
    "drift": "accept_drift",
}
_ONLY_AT_A_COMMAND_LINE = ("conventions", "parser", "header", "max-iterations", "max-rejected")
_COMMAND = "cleanroom run"
_SAID = {"accept_drift": "true"}
_VARIABLE = re.compile(r"\b([Rr])aise (it with )?(CLEANROOM_[A-Z_]+)")
_REGISTRY = re.compile(r" --registry (?:'[^']*'|[^\s`]+)(?=[^`]*`)")  # of a command; where it is, is nobody's business
_SHOWN_NAME = 120


def _given(name: str, value: str) -> str:
    return f"`{name}{' ' if name.startswith(_COMMAND) else '='}{_SAID.get(name, value)}`"


def _mapped(columns: Mapping[str, str]) -> str:
    lines = [f"`{clean_text(f'{known}={own}', 200)}`" for known, own in columns.items()]
    return f"the {plural(len(lines), 'line')} {joined_by_and(lines)} in the field `columns`"


_WORDING = OptionWording(
    _FIELDS | {option: f"{_COMMAND} --{option}" for option in _ONLY_AT_A_COMMAND_LINE}, _given, _mapped
)


def in_fields(text: str) -> str:
    """The same advice for somebody who sends forms, and who cannot set what is set where the service runs."""
    text = _REGISTRY.sub("", _VARIABLE.sub(_by_the_operator, _WORDING.of(without_quarantine(text))))
    return text.replace("Keep such rows apart with --quarantine FILE, or revoke", "Leave such rows out, or revoke")


def naming_the_upload(text: str, folder: Path, request: Mapping[str, Any]) -> str:
    """The same text without the place of the job's files, with the name under which the data was sent.

    On disk they have names of ours, which no cell has by chance.
    """
    named = visible_text(clean_text(str(request.get("named", "")), _SHOWN_NAME))
    text = text.replace(f"{folder}/", "").replace(str(folder), "the request")
    for stored, own in ((request.get("data"), named or "the data"), (request.get("examples"), "the examples")):
        if stored:
            told = own.replace("\\", r"\\")
            text = re.sub(rf"(?<![\w./-]){re.escape(str(stored))}(?![\w/-])", told, text)
    return text


def _by_the_operator(found: re.Match[str]) -> str:
    ask = "Ask" if found[1] == "R" else "ask"
    return f"{ask} the operator of the service to raise {found[2] or ''}{found[3]}"
