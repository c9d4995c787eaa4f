"""What a fitted function learns is bounded JSON, and depends on the rows alone, not on their order."""

import json
from typing import Any

from orchestrator.core.candidate import Shape
from orchestrator.core.jobs import Ended
from orchestrator.core.verdict import CheckResult
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.states import read_state
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.outcome import Violation, failed, passed
from orchestrator.gate.fitted.learning_plan import (
    AGAIN,
    APPLIED,
    GROWN,
    LEARNT,
    MORE,
    SAME_ROWS,
    STRANGERS,
    SUMS,
    SUMS_OF_MANY,
    UNSEEN,
    WHOLE,
)
from orchestrator.gate.fitted.many_rows import BESIDE, TOGETHER
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "learns"
LAW = (
    "A fitted function learns a bounded JSON state of any rows, the same one of the same rows: in another order, in "
    "another process, with another hash seed."
)
_SHOWN = 60
_MISSING = object()
_ENDINGS = {
    Ended.TIMEOUT: "it was stopped after {wall_s:.1f} s",
    Ended.MEMORY: "it used more memory than it may",
    Ended.OUTPUT_LIMIT: "it wrote more output than it may",
    Ended.KILLED: "its process was killed, or left before its work was done",
}
_ROWS = {
    WHOLE: "the sample",
    "fit-none": "a table without rows",
    "fit-one": "one row",
    "fit-odd": "null, blank, odd and extreme cells",
    "fit-odder": "the sample and odd, huge and extreme cells",
    "fit-shuffled": "the shuffled sample",
    "fit-repeat": "the sample, in another process",
    AGAIN: "the sample, in a second container",
    MORE: "the states of its parts, merged many times over",
    UNSEEN: "the sample, with the state of no row",
    LEARNT: "the sample, with its state",
    GROWN: "the sample, with the state of the same rows many times over",
    **dict.fromkeys(
        (*BESIDE, *TOGETHER, STRANGERS), "more rows than the sample has, as many as a batch where it is applied"
    ),
}
_NO_PARTS = {*SUMS, *SUMS_OF_MANY, *APPLIED, MORE, STRANGERS, *BESIDE, *TOGETHER}
"""Where there need not be a state of `fit`: that of very many different rows may be larger than is allowed."""


def check(observations: Observations) -> CheckResult | None:
    if WHOLE not in observations.cases:
        return None
    found = _ended(observations)
    fitted = [case for name, case in observations.cases.items() if name not in _NO_PARTS]
    for case in fitted if found is None else ():
        found = found or unlearnt(case, "fit")
    if found is None and not observations.final:
        return None
    for name in (*SAME_ROWS, AGAIN) if found is None else ():
        found = found or _another(observations, name)
    return passed(ID, len(fitted)) if found is None else failed(ID, found, len(fitted))


def unlearnt(case: CaseObservation, part: str) -> Violation | None:
    """Why a case gave no state."""
    result = case.result
    if result is None:
        why = case.results["f"].error if "f" in case.results else "it did not get that far"
        return Violation(f"{part} gave no state for {_words(case.id)}: {why[:500]}")
    try:
        read_state(result)
    except HostileOutput as error:
        return Violation(f"{part} gave no state for {_words(case.id)}: {error}")
    return None


def difference(wanted: str, got: str) -> str:
    """Where two states part first, for a sentence; empty where they are the same."""
    if wanted == got:
        return ""
    keys, one, other = _parted(json.loads(wanted), json.loads(got))
    place = "".join(f"[{_shown(key)}]" for key in keys)
    return f"{f'at {place} it holds ' if keys else ''}{_shown(other)} instead of {_shown(one)}"


def _parted(wanted: Any, got: Any) -> tuple[list[str | int], Any, Any]:
    """The keys and places that lead to the first difference, and what the two hold there."""
    keys: list[str | int] = []
    while True:
        if isinstance(wanted, dict) and isinstance(got, dict):
            ours, theirs = wanted, got
        elif isinstance(wanted, list) and isinstance(got, list):
            ours, theirs = dict(enumerate(wanted)), dict(enumerate(got))
        else:
            return keys, wanted, got
        key = next(key for key in sorted({*ours, *theirs}) if _text(ours, key) != _text(theirs, key))
        keys.append(key)
        wanted, got = ours.get(key, _MISSING), theirs.get(key, _MISSING)


def _text(held: dict[Any, Any], key: str | int) -> str:
    """As it is compared: for Python 1, 1.0 and true are equal, in a state they are not."""
    return json.dumps(held[key], sort_keys=True) if key in held else ""


def _shown(value: Any) -> str:
    text = "nothing" if value is _MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _another(observations: Observations, name: str) -> Violation | None:
    whole, other = observations.cases[WHOLE].result, observations.cases[name].result
    if whole is None or other is None:
        return Violation(f"fit gave no state for {_words(name)}")
    if (found := difference(read_state(whole), read_state(other))) == "":
        return None
    return Violation(f"fit gave another state for {_words(name)}: {found}; sort what has no order, and count")


def _ended(observations: Observations) -> Violation | None:
    for end in observations.ends:
        if end.broken:
            return Violation(f"hostile-output: {end.broken}")
        if end.ended is not Ended.OK:
            how = _ENDINGS.get(end.ended, "it did not end normally").format(wall_s=end.wall_s)
            return Violation(f"{how} while it was at {_words(end.case)}")
    return None


def _words(name: str) -> str:
    return _ROWS.get(name, "a merge of states" if name in SUMS or name in SUMS_OF_MANY else "a part of the sample")


def only_fitted(scope: VerdictScope) -> str:
    """Why a check of learning does not apply."""
    return "" if scope.contract.shape is Shape.FITTED else "it learns nothing: its shape is not `fitted`"


CHECK = Check(ID, LAW, check, only_fitted, structural=True)
