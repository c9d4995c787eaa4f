"""No input that such columns may one day hold breaks a law."""

from collections.abc import Iterator, Sequence

from orchestrator.core.verdict import CheckResult, Concern
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.outcome import Violation, failed, held, passed, row_example
from orchestrator.gate.information.changes import both_text
from orchestrator.gate.information.value_kinds.number_parsing import loses_precision
from orchestrator.gate.judge.observations import CaseObservation, Observations
from orchestrator.gate.properties import property_laws
from orchestrator.gate.properties.fresh_words import replaced_words

ID = "properties"
LAW = "On rows drawn from the columns' profiles, among any and any number of other rows, the laws hold."


def check(observations: Observations) -> CheckResult | None:
    cases = [case for case in observations.cases.values() if case.id.partition("~")[0] in property_laws.CASE_PREFIXES]
    if not cases:
        return None
    found = next(property_laws.find(observations), None)
    rows = sum(case.input.num_rows for case in cases)
    if found is not None:
        return failed(ID, with_law(found.law, found.violation), len(cases))
    raised = [concern for case in observations.present("usual") for concern in _rounded(observations, case)]
    raised += [concern for case in cases if case.id.startswith("fresh~") for concern in _replaced(observations, case)]
    return held(ID, raised, len(cases)) if raised else passed(ID, len(cases), f"{rows:,} rows drawn")


def _rounded(observations: Observations, case: CaseObservation) -> Iterator[Concern]:
    """Columns in which drawn numbers lose decimals. Somebody may want whole numbers, so that it is no broken law."""
    for name, mask in case.masks.items():
        shown = [(w.input, w.output) for w in observations.witnesses if isinstance(w.output, dict)]
        if any(loses_precision(before.get(name), after.get(name)) for before, after in shown):
            continue
        before, after = case.values(case.kept_input, name), case.values(case.result, name)
        lost = [row for row in mask.nonzero()[0].tolist() if loses_precision(before[row], after[row])]
        if lost:
            detail = "a number that the gate made up for this trial loses precision"
            yield _concern(case, name, "precision-lost", detail, lost[:1], "the number whole")


def _replaced(observations: Observations, case: CaseObservation) -> Iterator[Concern]:
    """Words that the sample does not hold and that become others. Somebody may want it, so that it is no broken law."""
    known, position = observations.orders[case.id]
    name = case.input.column_names[position]
    if case.result is None or name not in case.result.column_names:
        return
    shown = [(one.input[name], one.output[name]) for one in observations.shown(name)]
    texts = [pair for pair in shown if both_text(pair)]
    if rows := replaced_words(case, name, known, texts):
        detail = "a word that the gate made up for this trial becomes another one"
        yield _concern(case, name, "word-replaced", detail, rows, "the word as it was")


def _concern(case: CaseObservation, name: str, kind: str, detail: str, rows: Sequence[int], wanted: str) -> Concern:
    before, after = (case.values(table, name)[rows[0]] for table in (case.kept_input, case.result))
    return Concern(
        kind=kind,
        check=ID,
        detail=f"in column {name[:60]!r} {detail}",
        settles=f"Confirm that {before!r}, made up by the gate for this trial, is right as {after!r} in column "
        f"{name[:60]!r}."[:700],
        columns=(name,),
        counterexample=row_example(case, rows[0], wanted, [name]),
        rows=len(rows),
    )


def with_law(law: str, violation: Violation) -> Violation:
    """The violation with the law that it breaks."""
    return Violation(f"{law}: {violation.detail}", violation.counterexample)


def not_applicable(scope: VerdictScope) -> str:
    return scope.not_drawn


CHECK = Check(ID, LAW, check, not_applicable)
