"""The examples that concern a candidate as one case, and whose they are. Called by the verifier.

The candidate's own examples are claims. The user's and the tester's are witnesses; so is what the conventions declare,
which is only shown and not run, because a function need not be about it. So is an example of other columns, which shows
a function that drops rows one that stays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.candidate import Candidate, Example, ExampleSource, Shape
from orchestrator.core.witnesses import concerns, shows_dropped, shows_staying
from orchestrator.data.cells import is_text
from orchestrator.data.record_tables import cell_of, row_of, table_of
from orchestrator.data.typed_cells import typed_cell
from orchestrator.gate.fitted.agreement import AgreedAnswers
from orchestrator.gate.information.null_tokens import holds_something

if TYPE_CHECKING:
    from orchestrator.core.conventions import ColumnConvention, Conventions

_MOST_WORDS = 100
WHOSE = {  # without a letter that stands alone ("user's"): in masked messages a fake takes its place
    ExampleSource.OWN: "the example in its CONTRACT",
    ExampleSource.USER: "the example of the user",
    ExampleSource.TESTER: "the example of the independent tester",
}


@dataclass(frozen=True)
class ExampleCase:
    """Examples as one table, and in the same order whose they are, and which of theirs. `problems`: do not fit.

    `declared`: what the conventions show and rows that stay, and `instruction`: the user's words; neither is in the
    table. `agreed`: answers that the rows themselves support. `conventions`: of the columns that it modifies.
    """

    table: pa.Table | None = None
    used: tuple[Example, ...] = ()
    sources: tuple[ExampleSource, ...] = ()
    numbers: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()
    declared: tuple[Example, ...] = ()
    instruction: str = ""
    agreed: dict[str, AgreedAnswers] = field(default_factory=dict)
    conventions: "dict[str, ColumnConvention]" = field(default_factory=dict)


def example_case(
    candidate: Candidate,
    user: Sequence[Example],
    schema: pa.Schema,
    tests: Sequence[Example] = (),
    conventions: "Conventions | None" = None,
    sample: Sequence[pa.Table] = (),
) -> ExampleCase:
    """The examples that concern this candidate, as one table of the sample's schema.

    `sample`: its rows, in which words for nothing are looked for that the conventions have another word for.
    """
    contract = candidate.contract
    given = [(ExampleSource.OWN, n, _as_rows(example, candidate)) for n, example in enumerate(contract.examples, 1)]
    for source, examples in ((ExampleSource.USER, user), (ExampleSource.TESTER, tests)):
        concern = [(n, example) for n, example in enumerate(examples, 1) if concerns(contract, example)]
        given += [(source, n, _as_rows(_claimed(example, candidate), candidate)) for n, example in concern]
    used: list[Example] = []
    rows: list[dict[str, Any]] = []
    whose: list[tuple[ExampleSource, int]] = []
    problems: list[str] = []
    for source, number, example in given:
        problem = _problem(example, candidate, schema)
        if problem:
            problems.append(f"{WHOSE[source]} (number {number}) {problem}")
            continue
        used.append(example)
        rows.append(example.input)
        whose.append((source, number))
    made = ExampleCase(
        used=tuple(used),
        sources=tuple(source for source, _ in whose),
        numbers=tuple(number for _, number in whose),
        problems=tuple(problems),
        declared=(*_declared(conventions, schema, sample), *_staying(candidate, (*user, *tests))),
        conventions={} if conventions is None else {name: conventions.of(name) for name in contract.modifies or ()},
    )
    if not rows:
        return made
    if candidate.contract.shape.by_row:
        return replace(made, table=table_of([row_of(row) for row in rows], schema.names))
    arrays = [pa.array([typed_cell(row.get(f.name), f.type) for row in rows], f.type) for f in schema]
    return replace(made, table=pa.table(arrays, names=schema.names))


def _declared(conventions: "Conventions | None", schema: pa.Schema, sample: Sequence[pa.Table]) -> Iterator[Example]:
    """The spellings and the words for nothing that the user has declared, as rows before and after.

    Where a word for nothing is declared, an empty cell and every other word for nothing in the sample are to become it.
    """
    if conventions is None:
        return
    for name in schema.names:
        column = conventions.of(name)
        for wrong, right in column.spellings.items():
            yield Example(input={name: wrong}, output={name: right})
        for word in column.null_words:
            yield Example(input={name: word}, output={name: column.null})
        if column.null:
            yield Example(input={name: ""}, output={name: column.null})
            yield from (Example(input={name: word}, output={name: column.null}) for word in _nothings(sample, name))


def _staying(candidate: Candidate, examples: Sequence[Example]) -> Iterator[Example]:
    """The rows that stay, of examples of columns that are for other functions to clean."""
    for example in examples:
        if shows_staying(candidate.contract, example):
            yield Example(input=example.input, output={**example.input, **example.output})


def _nothings(sample: Sequence[pa.Table], name: str) -> list[str]:
    """The different texts of the column that say that there is nothing, or the first of them."""
    words: set[str] = set()
    for table in sample:
        column = table.column(name)
        texts = pc.unique(column).to_pylist() if is_text(column.type) else []
        words |= {text for text in texts if text and text.strip() and not holds_something(text)}
    return sorted(words)[:_MOST_WORDS]


def _as_rows(example: Example, candidate: Candidate) -> Example:
    """An example of texts as one of records: it holds in the first column that the function cleans."""
    contract = candidate.contract
    if contract.shape is not Shape.TEXT or not isinstance(example.input, str) or not contract.modifies:
        return example
    column = contract.modifies[0]
    return Example(input={column: example.input}, output={column: example.output})


def _claimed(example: Example, candidate: Candidate) -> Example:
    """A user's example in the columns that the function is about: other columns are for other functions to clean.

    A column that the function drops and that the row afterwards does not name stands before only if it is shown to go.
    """
    contract = candidate.contract
    if not isinstance(example.output, dict) or not isinstance(example.input, dict):
        return example
    names = {*(example.output if contract.modifies is None else contract.modifies), *contract.adds, *contract.drops}
    open_ones = set() if shows_dropped(contract, example) else set(contract.drops) - set(example.output)
    return Example(
        input={name: cell for name, cell in example.input.items() if name not in open_ones},
        output={name: cell for name, cell in example.output.items() if name in names},
    )


def _problem(example: Example, candidate: Candidate, schema: pa.Schema) -> str:
    if not isinstance(example.input, dict) or not (example.output is None or isinstance(example.output, dict)):
        return "is not made of rows: input and output must be dicts of column and value"
    unknown = [name for name in example.input if name not in schema.names]
    if unknown:
        return f"names the column {unknown[0][:60]!r}, which the data does not have"
    added = [n for n in example.output or {} if n not in schema.names and n not in candidate.contract.adds]
    if added:
        return f"expects the column {added[0][:60]!r}, which is neither in the data nor in `adds`"
    if candidate.contract.shape.by_row:
        return _unwritable(example)
    for name, value in example.input.items():
        kind = schema.field(name).type
        try:
            pa.array([typed_cell(value, kind)], kind)
        except (ValueError, TypeError, OverflowError, pa.ArrowNotImplementedError):
            return f"has a value for {name[:60]!r} that is no {kind}"
    return ""


def _unwritable(example: Example) -> str:
    for name, value in example.input.items():
        try:
            str(cell_of(value)).encode()
        except (ValueError, RecursionError):  # UnicodeEncodeError is a ValueError
            return f"has a value for {name[:60]!r} that JSON cannot carry"
    return ""
