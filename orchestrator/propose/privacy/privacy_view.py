"""What a model may see of the data: raw, masked by shape-keeping fakes, or only a profile of patterns and counts.

Called by every role (`model_proposer`, `tester`, `explorer`, `model_planner`), each time before anything of
a request or of a verdict is put into a prompt. Cells are replaced first, so that whatever is made of them later
(sample, profile, probe output, examples) is made of fakes; verdicts by `feedback_masking`. Column names, the
instruction and conventions are shown as they are; file names are never shown.
"""

import hashlib
import re
from collections.abc import Collection
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from orchestrator.core.privacy import Header, Privacy
from orchestrator.core.verdict import CheckResult, Concern, Verdict
from orchestrator.data.profile.header_check import refuse_data
from orchestrator.data.record_tables import is_records
from orchestrator.propose.privacy.feedback_masking import masked_verdict
from orchestrator.propose.privacy.masking import HIDDEN, Masker
from orchestrator.propose.privacy.model_knowledge import ModelKnowledge
from orchestrator.propose.privacy.record_views import replace_values
from orchestrator.propose.prompting.column_profile import TRUE_TYPE, pattern

_Finding = TypeVar("_Finding", CheckResult, Concern)
_LOOKED_AT = 1_000  # rows, to know whether the names of columns are data


class PrivacyView(Protocol):
    """What is left of data and verdicts for a model."""

    @property
    def privacy(self) -> Privacy:
        """What it is called: prompts say it, and rows in doubt are shown in the raw one only."""
        ...

    @property
    def rows_shown(self) -> bool:
        """False where no single row may be shown, not even with replaced values."""
        ...

    def table(self, table: pa.Table, made: Collection[str] = ()) -> pa.Table:
        """The rows as the model may know them. `made`: columns that promoted functions added."""
        ...

    def verdict(self, verdict: Verdict, rows: pa.Table, source: str, unshown: Collection[str] = ()) -> Verdict:
        """The verdict on a source that the model wrote (or knows), as the model may know it.

        `rows`: what `table` gave for the rows of the same prompt; `unshown`: symbols that are not shown in them.
        """
        ...


def view_of(privacy: Privacy, key: bytes, header: Header = "names") -> PrivacyView:
    """The view of that name. Under the same key the same value gets the same fake.

    `header`: "check" where a table whose columns' names look like data is refused (UsageError).
    """
    if privacy == "raw":
        return RawView()
    view = _MaskedView(key) if privacy == "masked" else _ProfileView()
    return _CheckedNames(view) if header == "check" else view


class RawView:
    """Everything as it is."""

    privacy: Privacy = "raw"
    rows_shown = True

    def table(self, table: pa.Table, made: Collection[str] = ()) -> pa.Table:
        del made
        return table

    def verdict(self, verdict: Verdict, rows: pa.Table, source: str, unshown: Collection[str] = ()) -> Verdict:
        del rows, source, unshown
        return verdict


class _CheckedNames:
    """Another view, of tables whose columns have names."""

    def __init__(self, view: PrivacyView) -> None:
        self._view = view
        self.privacy = view.privacy
        self.rows_shown = view.rows_shown

    def table(self, table: pa.Table, made: Collection[str] = ()) -> pa.Table:
        if not is_records(table):
            refuse_data(
                table.slice(0, _LOOKED_AT).drop_columns([n for n in table.column_names if n in made]), "the data"
            )
        return self._view.table(table, made)

    def verdict(self, verdict: Verdict, rows: pa.Table, source: str, unshown: Collection[str] = ()) -> Verdict:
        return self._view.verdict(verdict, rows, source, unshown)


class _MaskedView:
    """Fakes for values; the same fakes in the rows of counterexamples."""

    privacy: Privacy = "masked"
    rows_shown = True

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._masker = Masker(key)

    def table(self, table: pa.Table, made: Collection[str] = ()) -> pa.Table:
        if is_records(table):
            return replace_values(table, self._masker.cell, self._masker.text, made)
        masked = self._masker.table(table)
        return _hidden(masked, table.schema, made)

    def verdict(self, verdict: Verdict, rows: pa.Table, source: str, unshown: Collection[str] = ()) -> Verdict:
        return masked_verdict(verdict, ModelKnowledge(rows, source, unshown), self._masker, self._masker_apart)

    def _masker_apart(self, name: str) -> Masker:
        return Masker(hashlib.sha256(self._key + name.encode("utf-8", "surrogatepass")).digest())


class _ProfileView:
    """Patterns for values: no row is shown, only how often which pattern occurs in which column."""

    privacy: Privacy = "profile"
    rows_shown = False

    def table(self, table: pa.Table, made: Collection[str] = ()) -> pa.Table:
        if is_records(table):
            records = replace_values(table, _form, pattern, made)
            fields = [field.with_metadata({TRUE_TYPE: b"record"}) for field in records.schema]
            return pa.table(records.columns, schema=pa.schema(fields, metadata=records.schema.metadata))
        columns = [
            pa.array([None if v is None else pattern(v) for v in column.to_pylist()], pa.string())
            for column in table.columns
        ]
        fields = [pa.field(f.name, pa.string(), metadata={TRUE_TYPE: str(f.type)}) for f in table.schema]
        return _hidden(pa.table(columns, schema=pa.schema(fields)), table.schema, made)

    def verdict(self, verdict: Verdict, rows: pa.Table, source: str, unshown: Collection[str] = ()) -> Verdict:
        known = ModelKnowledge(rows, source, unshown)
        masked = masked_verdict(verdict, known, _Patterns(), lambda _: _Patterns())
        checks = tuple(
            _without_rows(check).model_copy(update={"concerns": tuple(map(_without_rows, check.concerns))})
            for check in masked.checks
        )
        return masked.model_copy(update={"checks": checks, "concerns": tuple(map(_without_rows, masked.concerns))})


class _Patterns:
    """Patterns in place of fakes."""

    def cell(self, value: Any) -> Any:
        return value if value is None or isinstance(value, bool) else pattern(value)

    def token(self, match: re.Match[str]) -> str:
        return pattern(match.group())


def _without_rows(found: _Finding) -> _Finding:
    """With cells of one column in place of rows: the first that differs. Nothing where none does."""
    shown = found.counterexample
    if shown is None:
        return found
    pairs = list(zip(shown.input, shown.output, strict=False))
    changed = next((name for one, other in pairs for name in other if other[name] != one.get(name)), None)
    only = [tuple({changed: row[changed]} for row in side if changed in row) for side in (shown.input, shown.output)]
    if changed is None:
        only = [(), ()]
    cells = shown.model_copy(update={"input": only[0], "output": only[1]})
    return found.model_copy(update={"counterexample": cells})


def _hidden(table: pa.Table, true: pa.Schema, made: Collection[str]) -> pa.Table:
    """The table without the cells of columns that functions made: each of them could carry a digit of another cell."""
    for place, name in enumerate(table.column_names):
        if name in made:
            field = pa.field(name, pa.string(), metadata={TRUE_TYPE: str(true.field(place).type)})
            table = table.set_column(place, field, pa.array([HIDDEN] * table.num_rows, pa.string()))
    return table


def _form(value: Any) -> Any:
    """The pattern of a value in a record; that of a number after its kind."""
    if value is None or isinstance(value, bool | str):
        return pattern(value) if isinstance(value, str) else value
    return f"{type(value).__name__} {pattern(value)}"
