"""What a model may see of the data: raw, masked by shape-keeping fakes, or only a profile of patterns and counts.

Called by every role (`proposer`, `tester`, `explorer`, `planner`), each time before anything of
a request or of a verdict is put into a prompt. Cells are replaced first, so that whatever is made of them later
(sample, profile, probe output, examples) is made of fakes. Error texts and details come from untrusted code, and any
word in them may be a cell: a word stays only if it is one of `vocabulary`, of the columns' names or of the
candidate's own source, which the model has written itself. What a candidate made of an example of the model's own is
no better: it may have remembered cells. Symbols in which cells could be spelt out are replaced too, and long messages
cut. Column names, the instruction and conventions are shown as they are; file names are never shown.
"""

import json
import re
import unicodedata
from typing import Any, Literal, Protocol

import pyarrow as pa

from orchestrator.core.verdict import CheckResult, Counterexample, Verdict
from orchestrator.data.records import is_records
from orchestrator.propose.privacy.masking import Masker
from orchestrator.propose.privacy.record_views import replace_value, replace_values
from orchestrator.propose.privacy.vocabulary import WORDS
from orchestrator.propose.prompting.column_profile import TRUE_TYPE, pattern

Privacy = Literal["raw", "masked", "profile"]

_RUN = re.compile(r"\d+|[^\W\d_]+")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_MAX_WORDS = 200  # characters of a message: enough to say what is wrong, too few to tell rows
_ODD = "\u25a1"  # stands for a symbol that is not shown
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")


class PrivacyView(Protocol):
    """What is left of data and verdicts for a model."""

    @property
    def rows_shown(self) -> bool:
        """False where no single row may be shown, not even with replaced values."""
        ...

    def table(self, table: pa.Table) -> pa.Table:
        """The rows as the model may know them."""
        ...

    def verdict(self, verdict: Verdict, columns: list[str], source: str) -> Verdict:
        """The verdict on a source that the model wrote (or knows), as the model may know it."""
        ...


def view_of(privacy: Privacy, key: bytes) -> PrivacyView:
    """The view of that name. Under the same key the same value gets the same fake."""
    if privacy == "raw":
        return RawView()
    return _MaskedView(Masker(key)) if privacy == "masked" else _ProfileView(Masker(key))


class RawView:
    """Everything as it is."""

    rows_shown = True

    def table(self, table: pa.Table) -> pa.Table:
        return table

    def verdict(self, verdict: Verdict, columns: list[str], source: str) -> Verdict:
        del columns, source
        return verdict


class _MaskedView:
    """Fakes for values; the same fakes in rows, counterexamples and error texts."""

    rows_shown = True

    def __init__(self, masker: Masker) -> None:
        self._masker = masker

    def table(self, table: pa.Table) -> pa.Table:
        if is_records(table):
            return replace_values(table, self._masker.cell, self._masker.text)
        return self._masker.table(table)

    def verdict(self, verdict: Verdict, columns: list[str], source: str) -> Verdict:
        known = WORDS.union(*(_LETTERS.findall(text) for text in (source, *columns)))
        checks = tuple(self._check(check, known, source, columns) for check in verdict.checks)
        return verdict.model_copy(update={"checks": checks, "samples": ()})

    def _check(self, check: CheckResult, known: frozenset[str], source: str, columns: list[str]) -> CheckResult:
        shown = check.counterexample
        if shown is not None:
            if check.id == "examples" and _written_in(source, shown):
                own = frozenset(run.lower() for run in _RUN.findall(source))

                def cell(value: Any) -> Any:
                    return self._own(value, own)

                wanted = self._own(shown.wanted, own)
            else:

                def cell(value: Any) -> Any:
                    return self._shown(value, known)

                wanted = self._words(shown.wanted, known)
            plain = _symbols(source, *columns, *(str(value) for row in shown.input for value in row.values()))
            rows = [
                tuple(
                    {
                        n if n in columns else _spelt(self._words(n, known), plain): _spelt(cell(value), plain)
                        for n, value in row.items()
                    }
                    for row in side
                )
                for side in (shown.input, shown.output)
            ]
            shown = Counterexample(input=rows[0], output=rows[1], wanted=_spelt(wanted, plain))
        detail = _spelt(self._words(check.detail[:_MAX_WORDS], known), _symbols(source, *columns))
        return check.model_copy(update={"detail": detail, "counterexample": shown})

    def _own(self, value: Any, own: frozenset[str]) -> Any:
        """A value in which only what the model wrote itself stays."""
        if not isinstance(value, str):
            return self._cell(value)
        return _RUN.sub(lambda m: m.group() if m.group().lower() in own else self._run(m.group()), value)

    def _shown(self, value: Any, known: frozenset[str]) -> Any:
        """A value of a counterexample; lists and objects are JSON text there."""
        nested = _nested(value)
        if nested is None:
            return self._cell(value)
        return json.dumps(replace_value(nested, self._cell, lambda key: self._words(key, known)), ensure_ascii=False)

    def _words(self, text: str, known: frozenset[str]) -> str:
        """A message with what may be a cell masked: quoted words and numbers as cells are, other numbers as #."""
        made, end = [], 0
        for quote in _QUOTED.finditer(text):
            made.append(self._unknown(text[end : quote.start()], known, "#"))
            made.append(self._unknown(quote.group(), known, ""))
            end = quote.end()
        return "".join(made) + self._unknown(text[end:], known, "#")

    def _unknown(self, text: str, known: frozenset[str], number: str) -> str:
        def one(match: re.Match[str]) -> str:
            run = match.group()
            if run in known:
                return run
            return number if number and run.isdigit() else self._run(run)

        return _RUN.sub(one, "".join(c if c.isascii() or unicodedata.category(c)[0] != "M" else _ODD for c in text))

    def _cell(self, value: Any) -> Any:
        return self._masker.cell(value)

    def _run(self, run: str) -> str:
        return self._masker.run(run)


class _ProfileView(_MaskedView):
    """Patterns for values: no row is shown, only how often which pattern occurs in which column."""

    rows_shown = False

    def table(self, table: pa.Table) -> pa.Table:
        if is_records(table):
            made = replace_values(table, _form, pattern)
            fields = [field.with_metadata({TRUE_TYPE: b"record"}) for field in made.schema]
            return pa.table(made.columns, schema=pa.schema(fields, metadata=made.schema.metadata))
        columns = [
            pa.array([None if v is None else pattern(v) for v in column.to_pylist()], pa.string())
            for column in table.columns
        ]
        fields = [pa.field(f.name, pa.string(), metadata={TRUE_TYPE: str(f.type)}) for f in table.schema]
        return pa.table(columns, schema=pa.schema(fields))

    def _cell(self, value: Any) -> Any:
        return value if value is None or isinstance(value, bool) else pattern(value)

    def _run(self, run: str) -> str:
        return pattern(run)


def _form(value: Any) -> Any:
    """The pattern of a value in a record; that of a number after its kind."""
    if value is None or isinstance(value, bool | str):
        return pattern(value) if isinstance(value, str) else value
    return f"{type(value).__name__} {pattern(value)}"


def _nested(value: Any) -> Any:
    """The list or object that a text is the JSON of; None where it is none."""
    if not isinstance(value, str) or not value.startswith(("[", "{")):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _symbols(*texts: str) -> frozenset[str]:
    """The characters of the texts that are neither letter, digit nor ASCII."""
    return frozenset(c for text in texts if not text.isascii() for c in text if not c.isascii() and not c.isalnum())


def _spelt(value: Any, plain: frozenset[str]) -> Any:
    """A text without symbols other than ASCII's and these: cells could be spelt out in them."""
    if not isinstance(value, str) or (value.isascii() and value.isprintable()):
        return value
    return "".join(c if _is_plain(c) or c in plain else _ODD for c in value)


def _is_plain(char: str) -> bool:
    """Whether it is one of the characters that are masked, or one of ASCII's that are shown."""
    return char.isalnum() or " " <= char <= "~" or char in "\t\n\r" or unicodedata.category(char)[0] == "M"


def _written_in(source: str, shown: Counterexample) -> bool:
    """Whether the rows are an example of the candidate's own source, so written by the model."""
    cells = [value for row in shown.input for value in row.values() if value is not None]
    return bool(cells) and all(isinstance(value, str) and repr(value)[1:-1] in source for value in cells)
