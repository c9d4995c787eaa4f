"""What a model may know of a verdict whose rows are confidential. Called by `privacy_view`.

Error texts and what a function made of the rows come from untrusted code, and any word in them may be a cell. Three
rules hold them back:

- A word of a message stays only if it is one of the gate, of Python and pandas, of the columns' names, or of the
  candidate's own source, which the model has written itself.
- What stands in the input rows that are shown has the fake that it has in the prompt. Everything else that a message
  or an output row says has a fake that is made for this check alone: who guesses cells and has them repeated learns
  nothing by comparing. One exception: a single quoted cell per verdict, as Python's own messages name it.
- Of a column that the function made, nothing is shown, since each of its cells could carry a digit of another; of
  booleans, only those that it left as they were.

Symbols in which cells could be spelt out are replaced, and long messages cut.
"""

import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any, Protocol

from orchestrator.core.verdict import CheckResult, Concern, Counterexample, Verdict
from orchestrator.propose.privacy.date_fakes import identity
from orchestrator.propose.privacy.masking import HIDDEN, TOKEN, is_kept
from orchestrator.propose.privacy.model_knowledge import ModelKnowledge
from orchestrator.propose.privacy.record_views import replace_value
from orchestrator.propose.privacy.run_fakes import RUN
from orchestrator.propose.privacy.unused_symbols import ODD, symbols_of, without_unused

_CHANGED_BOOLEAN = "(true or false)"
_MAX_CHARS = 200  # of a message: enough to say what is wrong, too few to tell rows
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")


class Fakes(Protocol):
    """What stands for values and for parts of texts: those of `Masker`, or patterns."""

    def cell(self, value: Any) -> Any:
        """What stands for a cell."""
        ...

    def token(self, match: re.Match[str]) -> str:
        """What stands for a match of TOKEN in a text."""
        ...


def masked_verdict(
    verdict: Verdict, known: ModelKnowledge, fakes: Fakes, fakes_apart: Callable[[str], Fakes]
) -> Verdict:
    """The verdict as it may be shown. `fakes`: those of the prompt; `fakes_apart`: others, one set for each name."""
    left = _QuotesLeft()

    def masker(name: str, shown: Counterexample | None, *, own: bool = False) -> _CheckMasker:
        return _CheckMasker(known, shown, fakes, fakes_apart(f"{name} {known.source}"), left, own=own)

    def concern(given: Concern) -> Concern:
        masks = masker(f"{given.check} {given.kind}", given.counterexample)
        said = {"detail": masks.message(given.detail), "settles": masks.message(given.settles)}
        columns = tuple(masks.name(name) for name in given.columns)
        return given.model_copy(update={**said, "columns": columns, "counterexample": masks.rows()})

    def check(given: CheckResult) -> CheckResult:
        shown = given.counterexample
        masks = masker(given.id, shown, own=given.id == "examples" and shown is not None and known.wrote(shown))
        masked = {"detail": masks.message(given.detail[:_MAX_CHARS]), "counterexample": masks.rows()}
        return given.model_copy(update={**masked, "concerns": tuple(map(concern, given.concerns)), "questions": ()})

    checks = tuple(map(check, verdict.checks))
    concerns = tuple(map(concern, verdict.concerns))
    return verdict.model_copy(update={"checks": checks, "concerns": concerns, "questions": (), "samples": ()})


class _QuotesLeft:
    """How many more cells of a verdict's messages may be named."""

    number = 1


class _CheckMasker:
    """Masks what one check or concern says. `own`: its rows are an example that the model has written."""

    def __init__(
        self,
        known: ModelKnowledge,
        shown: Counterexample | None,
        fakes: Fakes,
        apart: Fakes,
        left: _QuotesLeft,
        *,
        own: bool,
    ) -> None:
        self._known = known
        self._shown = shown
        self._fakes = fakes
        self._apart = apart
        self._left = left
        self._own = own
        self._given = shown.input if shown is not None else ()
        cells = [str(value) for row in self._given for value in row.values() if value is not None]
        self._seen = frozenset(identity(match.group()) for cell in cells for match in TOKEN.finditer(cell))
        self._plain = symbols_of(known.source, *known.columns, *cells) - known.unshown

    def rows(self) -> Counterexample | None:
        """The counterexample."""
        shown = self._shown
        if shown is None:
            return None
        there = ({name for row in self._given for name in row} | self._known.columns) - self._known.hidden

        def row(cells: dict[str, Any], mask: Callable[[str, Any], Any]) -> dict[str, Any]:
            named = {n: self._given_name(n) if n in there else self.name(n) for n in cells}
            return {named[n]: self._spelt(mask(n, cell)) if n in there else HIDDEN for n, cell in cells.items()}

        before = tuple(row(cells, lambda _, cell: self._input(cell)) for cells in self._given)
        after = tuple(row(cells, self._output) for cells in shown.output)
        wanted = self._spelt(self._own_text(shown.wanted)) if self._own else self.message(shown.wanted)
        return Counterexample(input=before, output=after, wanted=wanted)

    def name(self, name: str) -> str:
        """The name of a column or the key of an object."""
        if name in self._known.shown_names:
            return name
        return str(self._spelt(RUN.sub(lambda m: m.group() if m.group() in self._known.words else self._new(m), name)))

    def _given_name(self, name: str) -> str:
        """The name of a column, or the key of an object, of the input rows: as the rows of the prompt have it."""
        fake = str(self._fakes.cell(name))
        return fake if name not in self._known.columns and fake in self._known.shown_names else self.name(name)

    def message(self, text: str) -> str:
        """A text of the gate, in which numbers outside of quotes become #."""
        text = "".join(c if c.isascii() or unicodedata.category(c)[0] != "M" else ODD for c in text)
        unknown = [quote for quote in _QUOTED.findall(text) if not self._known.says(quote[1:-1])]
        cell = self._named_cell(unknown[0]) if len(unknown) == 1 else None
        made, end = [], 0
        for quote in _QUOTED.finditer(text):
            made.append(self._words(text[end : quote.start()], number="#"))
            named = cell is not None and quote.group() == unknown[0]
            made.append(repr(cell) if named else self._words(quote.group()))
            end = quote.end()
        return str(self._spelt("".join(made) + self._words(text[end:], number="#")))

    def _named_cell(self, quote: str) -> str | None:
        """The fake of the cell that is quoted; None where it is none, or one was named before."""
        fake = self._fakes.cell(quote[1:-1])
        if not self._left.number or fake not in self._known.cells:
            return None
        self._left.number -= 1
        return str(fake)

    def _words(self, text: str, number: str = "") -> str:
        """The text with everything replaced that is no column's name and no known word."""
        made, end = [], 0
        for name in self._known.names.finditer(text):
            made += [self._tokens(text[end : name.start()], number), name.group()]
            end = name.end()
        return "".join(made) + self._tokens(text[end:], number)

    def _tokens(self, text: str, number: str) -> str:
        def one(match: re.Match[str]) -> str:
            if match.group() in self._known.words:
                return match.group()
            if number and any(run.isdigit() for run in RUN.findall(match.group())):
                return RUN.sub(lambda m: number if m.group().isdigit() else self._new(m), match.group())
            return self._token(match)

        return TOKEN.sub(one, text)

    def _token(self, match: re.Match[str]) -> str:
        """The fake of the prompt where the input rows say the same, else one that is made for this check."""
        return (self._fakes if identity(match.group()) in self._seen else self._apart).token(match)

    def _new(self, match: re.Match[str]) -> str:
        return TOKEN.sub(self._apart.token, match.group())

    def _input(self, value: Any) -> Any:
        """A cell of an input row; lists and objects are JSON text there."""
        if self._own and isinstance(value, str):
            return self._own_text(value)
        nested = _nested(value)
        if nested is None:
            return self._fakes.cell(value)
        return json.dumps(replace_value(nested, self._fakes.cell, self._given_name), ensure_ascii=False)

    def _output(self, column: str, value: Any) -> Any:
        """A cell that the function made or left."""
        if any(type(row.get(column)) is type(value) and row.get(column) == value for row in self._given):
            return self._input(value)
        if self._own and isinstance(value, str):
            return self._own_text(value)
        nested = _nested(value)
        if nested is None:
            return self._made(value)
        return json.dumps(replace_value(nested, self._made, self.name), ensure_ascii=False)

    def _made(self, value: Any) -> Any:
        if isinstance(value, bool):
            return _CHANGED_BOOLEAN
        if not isinstance(value, str):
            return (self._fakes if identity(str(value)) in self._seen else self._apart).cell(value)
        if is_kept(value) and (not value.strip() or identity(value) in self._seen):
            return value
        return TOKEN.sub(self._token, value)

    def _own_text(self, text: str) -> str:
        """A text in which only what the model wrote itself stays."""
        return RUN.sub(lambda m: m.group() if m.group().lower() in self._known.own_words else self._new(m), text)

    def _spelt(self, value: Any) -> Any:
        """A text without symbols other than ASCII's and those that are in use: cells could be spelt out in them."""
        return without_unused(value, self._plain) if isinstance(value, str) else value


def _nested(value: Any) -> Any:
    """The list or object that a text is the JSON of; None where it is none."""
    if not isinstance(value, str) or not value.startswith(("[", "{")):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None
