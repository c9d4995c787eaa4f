"""What a fitted function learns of parts adds up to what it learns of the whole, however the rows are cut."""

from orchestrator.core.verdict import CheckResult, Counterexample
from orchestrator.data.hostile.states import read_state
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.fitted_checks.learns import difference, only_fitted, unlearnt
from orchestrator.gate.checks.outcome import Violation, failed, passed
from orchestrator.gate.fitted.learning_plan import NONE, SUMS, SUMS_OF_MANY, UNSEEN, WHOLE
from orchestrator.gate.judge.observations import Observations

ID = "merges"
LAW = (
    "merge is associative and commutative, the state of no row changes nothing, and fit(a ++ b) is "
    "merge(fit(a), fit(b)), byte for byte."
)
_SHOWN = 400
_WORDS = {
    "fit-a": "fit(a)", "fit-b": "fit(b)", "fit-c": "fit(c)", "fit-ab": "fit(a ++ b)", "fit-bc": "fit(b ++ c)",
    "fit-one": "fit(one row)", "fit-others": "fit(the other rows)", "fit-odd": "fit(odd cells)",
    "fit-odder": "fit(sample ++ odd cells)", WHOLE: "fit(sample)", NONE: "fit(no rows)",
}  # fmt: skip


def check(observations: Observations) -> CheckResult | None:
    if not observations.final or UNSEEN not in observations.cases:
        return None
    sums = {**SUMS, **{name: one for name, one in SUMS_OF_MANY.items() if name in observations.cases}}
    for name, (wanted, parts) in sums.items():
        case, whole = observations.cases[name], observations.cases[wanted].result
        found = unlearnt(case, "merge")
        if found is None and case.result is not None and whole is not None:
            found = _sum(observations, parts, wanted, read_state(whole), read_state(case.result))
        if found is not None:
            return failed(ID, found, len(sums))
    return passed(ID, len(sums))


def _sum(observations: Observations, parts: tuple[str, ...], wanted: str, whole: str, got: str) -> Violation | None:
    if (found := difference(whole, got)) == "":
        return None
    made = f"merge({', '.join(_words(observations, part) for part in parts)})"
    hint = "keep counts and exact sums (int, Fraction as text), no means, no first or last value"
    if wanted not in _WORDS:
        hint += ", and as much of many rows and values as of few"
    states = Counterexample(output=({"state": got[:_SHOWN]},), wanted=whole[:_SHOWN])
    return Violation(f"{made} is not {_words(observations, wanted)}: {found}; {hint}", states)


def _words(observations: Observations, name: str) -> str:
    return _WORDS.get(name) or f"fit({observations.cases[name].input.num_rows:,} rows)"


CHECK = Check(ID, LAW, check, only_fitted, structural=True)
