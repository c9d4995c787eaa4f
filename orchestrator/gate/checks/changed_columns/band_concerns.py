"""Words of an added column that a number of their row decides: one comes back further up the scale, or is missing.

A concern; an example of a row of that band settles it. Called by `keeps_information`.
"""

from collections.abc import Iterable, Iterator

from orchestrator.core.candidate import Example
from orchestrator.core.verdict import Concern
from orchestrator.data.cells import has_column
from orchestrator.gate.checks.outcome import row_example, words
from orchestrator.gate.information.null_tokens import is_missing
from orchestrator.gate.information.row_evidence.bands import Band, band_come_back, band_without_word
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.judge.observations import CaseObservation

KIND = "bands-apart"
MOST_COLUMNS, MOST_ROWS = 20, 5_000


def band_concerns(case: CaseObservation, check: str, witnesses: Iterable[Example]) -> Iterator[Concern]:
    """One for each added column, with the first row of such a band. `check`: which raises it."""
    shown = list(witnesses)
    for name in case.contract.adds:
        found = _found(case, name)
        if found is None or any(_shows(one, name, *found) for one in shown):
            continue
        source, band = found
        wrong = "a word comes back for larger" if band.word else "there is no word for some of the numbers of"
        yield Concern(
            kind=KIND,
            check=check,
            detail=f"in the new column {name[:60]!r} {wrong} {source[:60]!r}, on {words(case)}",
            settles=f"Confirm that {band.word!r} is right where {source!r} is {band.low} to {band.high}."[:700],
            columns=(name, source),
            counterexample=row_example(case, band.row, "each word for one range of numbers", [name, source]),
            rows=1,
        )


def _found(case: CaseObservation, name: str) -> tuple[str, Band] | None:
    if case.result is None or case.kept_input is None or not has_column(case.result, name):
        return None
    made = case.values(case.result.slice(0, MOST_ROWS), name)
    for source in case.kept_input.column_names[:MOST_COLUMNS]:
        cells = case.values(case.kept_input.slice(0, MOST_ROWS), source)
        band = band_come_back(made, cells) or band_without_word(made, cells)
        if band is not None:
            return source, band
    return None


def _shows(one: Example, name: str, source: str, band: Band) -> bool:
    """Whether an example has the word, or none, for a number of the band."""
    if not isinstance(one.input, dict) or not isinstance(one.output, dict) or name not in one.output:
        return False
    word = one.output[name]
    if word != band.word and not (is_missing(word) and not band.word):
        return False
    number = reading(one.input.get(source))
    return number is not None and band.low <= number <= band.high
