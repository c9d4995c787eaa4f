"""No answer of the judge can turn a check that was not passed into a verdict that passes."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import pytest

from orchestrator.core.candidate import Contract, Shape
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import CheckResult, Concern, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate import checks
from orchestrator.gate.checks.catalog import CHECKS, ORDER
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.judge.protocol import pack, unpack
from orchestrator.gate.verdict_builder import VerdictBuilder
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"].notna() & (df["city"] != df["city"].str.strip())
def trim_city(df):
    """Strip blanks."""
    return df.assign(city=df["city"].str.strip())
'''
SPOIL = TRIM.replace(".str.strip())\n", ".str.strip() + '!')\n", 2)

Answer = list[dict[str, Any]]
Edit = Callable[[Answer], Answer]


class EditedJudge:
    """The real judge, whose answers are edited on their way."""

    def __init__(self, inner: DisposableProcess, edit: Edit) -> None:
        self._inner, self._edit = inner, edit

    def call(self, request: bytes) -> bytes:
        answer, blobs = unpack(self._inner.call(request))
        return pack(answer | {"checks": self._edit(answer["checks"])}, blobs)

    def close(self) -> None:
        """Nothing of its own to close."""


def _without(name: str) -> Edit:
    return lambda answer: [check for check in answer if check["id"] != name]


def _with(check: dict[str, Any]) -> Edit:
    return lambda answer: [*answer, check]


def _skipping(answer: Answer) -> Answer:
    return [check | {"outcome": "skip", "detail": "does not apply"} for check in answer]


def _renaming(answer: Answer) -> Answer:
    """Every FAIL under an id that nobody knows: what a check that is missing in a second list used to look like."""
    return [check | {"id": f"new-{check['id']}"} if check["outcome"] == "fail" else check for check in answer]


def _twice(answer: Answer) -> Answer:
    return [*({"id": check["id"], "outcome": "fail"} for check in answer), *answer]


@pytest.fixture
def verdict_of(local_sandbox: LocalSandbox, disposable: DisposableProcess, sample: Sample) -> Callable[..., Verdict]:
    def ask(edit: Edit, source: str = TRIM) -> Verdict:
        judge = EditedJudge(disposable, edit)
        return Verifier(local_sandbox, judge).verify(VerifyRequest(source, sample, quick=True))

    return ask


def _infra(verdict: Verdict) -> dict[str, str]:
    return {check.id: check.detail for check in verdict.checks if check.outcome is Outcome.INFRA}


def test_the_judge_s_own_answer_passes(verdict_of: Callable[..., Verdict]) -> None:
    """The positive control: unedited, the good function passes and the bad one fails."""
    assert verdict_of(lambda answer: answer).verdict is Outcome.PASS
    assert verdict_of(lambda answer: answer, SPOIL).verdict is Outcome.FAIL


def test_an_unknown_failed_check_is_infra(verdict_of: Callable[..., Verdict]) -> None:
    """A FAIL under an id that no list holds is not dropped, and the id is named."""
    verdict = verdict_of(_with({"id": "brand-new", "outcome": "fail"}))
    assert verdict.verdict is Outcome.INFRA
    assert "brand-new" in " ".join(_infra(verdict).values())
    assert verdict_of(_renaming, SPOIL).verdict is Outcome.INFRA


def test_a_judge_that_skips_everything_is_infra(verdict_of: Callable[..., Verdict]) -> None:
    """The judge cannot leave out a check that applies."""
    verdict = verdict_of(_skipping)
    assert verdict.verdict is Outcome.INFRA
    assert "skipped a check that applies" in _infra(verdict)["executed"]


@pytest.mark.parametrize("name", ["executed", "precise", "idempotent", "holdout", "confirmed"])
def test_a_check_without_an_answer_is_infra(name: str, verdict_of: Callable[..., Verdict]) -> None:
    """Every mandatory check needs its own result."""
    verdict = verdict_of(_without(name))
    assert verdict.verdict is Outcome.INFRA
    assert name in _infra(verdict)


def test_an_empty_answer_is_infra(verdict_of: Callable[..., Verdict]) -> None:
    """A judge that says nothing at all has found nothing right."""
    assert verdict_of(lambda _: []).verdict is Outcome.INFRA


def test_two_different_results_for_one_check_are_infra(verdict_of: Callable[..., Verdict]) -> None:
    """Whichever comes first, a check that both failed and passed is neither."""
    for edit in (_twice, lambda answer: _twice(answer)[::-1]):
        verdict = verdict_of(edit)
        assert verdict.verdict is Outcome.INFRA
        assert "executed" in _infra(verdict)


def test_one_skipped_check_is_infra(verdict_of: Callable[..., Verdict]) -> None:
    """One skip among passes is enough."""

    def edit(answer: Answer) -> Answer:
        return [check | {"outcome": "skip"} if check["id"] == "edges" else check for check in answer]

    assert list(_infra(verdict_of(edit))) == ["edges"]


def test_a_canary_that_is_only_skipped_blames_nobody(
    local_sandbox: LocalSandbox, disposable: DisposableProcess, sample: Sample
) -> None:
    """An unreadable answer is the candidate's fault only if the canary's checks all pass."""

    class Unreadable(EditedJudge):
        def call(self, request: bytes) -> bytes:
            return super().call(request) if b'"text"' in request else b"nothing that can be read"

    for edit, outcome in ((lambda answer: answer, Outcome.FAIL), (_skipping, Outcome.INFRA)):
        judge = Unreadable(disposable, edit)
        assert Verifier(local_sandbox, judge).verify(VerifyRequest(TRIM, sample, quick=True)).verdict is outcome


def test_only_what_does_not_apply_may_be_left_out() -> None:
    """With everything in scope no check may be skipped; each reason to skip one is one fact of the scope."""
    contract = Contract(shape=Shape.FITTED, modifies=("a",))
    whole = VerdictScope(contract, has_detect=True, examples=1, holdout_rows=1, promoted=1, demands=True)
    assert [check.id for check in CHECKS if check.not_applicable(whole)] == []
    bare = VerdictScope(Contract(shape=Shape.TEXT), screened=False, not_drawn="quick")
    assert {check.id for check in CHECKS if check.not_applicable(bare)} == {
        "screen", "learns", "merges", "leaves-unseen", "learns-more",
        "rows-kept", "columns-kept", "touches-only-declared", "precise", "examples", "user-checks",
        "properties", "holdout", "composes", "resources",
    }  # fmt: skip


def test_all_pass_is_a_pass_and_one_less_is_none() -> None:
    """The builder alone: a pass takes a result for every check of the catalog."""
    for left_out in (None, *ORDER):
        builder = VerdictBuilder("", None)
        builder.note(CheckResult(id=name, outcome=Outcome.PASS) for name in ORDER if name != left_out)
        verdict = builder.verdict()
        assert verdict.verdict is (Outcome.PASS if left_out is None else Outcome.INFRA)
        assert tuple(check.id for check in verdict.checks) == ORDER


def test_a_source_that_is_no_candidate_is_told_by_its_function() -> None:
    """Whatever is wrong with the rest of it."""
    source = "CONTRACT = {1: 2}\ndef detect(df): ...\ndef trim_city(df): ...\n"
    assert VerdictBuilder(source, None).verdict().candidate.name == "trim_city"
    assert VerdictBuilder("x = 1", None).verdict().candidate.name == "unreadable"


def test_a_check_that_holds_is_neither_a_pass_nor_a_fail() -> None:
    """With every law kept and one concern the verdict is `hold`; a broken law or machine counts for more."""
    concern = Concern(kind="figures-vanish", check="?", detail="d", settles="s", columns=("a",), rows=2)
    hold = CheckResult(id="keeps-information", outcome=Outcome.HOLD, concerns=(concern,))
    again = CheckResult(id="holdout", outcome=Outcome.HOLD, concerns=(concern,))

    def verdict_with(*more: CheckResult) -> Verdict:
        builder = VerdictBuilder("", None)
        known = {check.id for check in more}
        builder.note([*more, *(CheckResult(id=name, outcome=Outcome.PASS) for name in ORDER if name not in known)])
        return builder.verdict()

    held = verdict_with(hold, again)
    assert held.held
    assert not held.passed
    assert not held.failures
    assert [(c.check, c.rows) for c in held.concerns] == [("keeps-information", 4)]
    assert verdict_with(hold, CheckResult(id="pure", outcome=Outcome.FAIL)).verdict is Outcome.FAIL
    assert verdict_with(hold, CheckResult(id="pure", outcome=Outcome.INFRA)).verdict is Outcome.INFRA
    assert verdict_with(hold.model_copy(update={"concerns": ()})).verdict is Outcome.INFRA
    assert verdict_with(hold.model_copy(update={"outcome": Outcome.PASS})).verdict is Outcome.INFRA


def test_every_check_module_is_in_the_catalog() -> None:
    """A module that declares a check and is not listed would never be asked, whichever folder it is in."""
    found = pkgutil.walk_packages(checks.__path__, f"{checks.__name__}.")
    modules = [importlib.import_module(module.name) for module in found]
    declared = {module.CHECK.id for module in modules if isinstance(getattr(module, "CHECK", None), Check)}
    assert declared | {"screen"} == set(ORDER)
    assert len(set(ORDER)) == len(ORDER)


def test_the_ids_of_the_checks_are_stable() -> None:
    """Evidence, journals and reports name checks by these ids; the order is that of a printed verdict."""
    assert ORDER == (
        "screen", "learns", "merges", "leaves-unseen", "learns-more",
        "executed", "returns-shape", "rows-kept", "columns-kept", "dtypes-kept", "touches-only-declared",
        "effective", "precise", "keeps-information", "idempotent", "deterministic", "split-invariant",
        "order-equivariant", "stateless", "pure", "examples", "user-checks", "edges", "properties", "holdout",
        "composes", "resources", "confirmed",
    )  # fmt: skip
