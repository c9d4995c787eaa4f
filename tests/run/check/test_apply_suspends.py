"""A function that the audit finds to act up is out of use from then on, wherever it was taken from."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator import bootstrap
from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import ApplyAuditFailed, NotVerified, UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.registry.bundle import export_bundle
from orchestrator.registry.functions import functions_in
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.apply.step import apply_step
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox

BOMB = "def bomb(df):\n    return df.assign(city=[f'{place} {city}' for place, city in enumerate(df['city'])])\n"
TRIM = "def trim(df):\n    return df.assign(city=df['city'].str.strip())\n"


@pytest.fixture(scope="module")
def services(local_sandbox: LocalSandbox, decoder: DisposableProcess) -> Services:
    return Services(local_sandbox, lambda: pytest.fail("no gate"), decoder, Policy(), "", bootstrap.open_registry)


def fill(folder: Path) -> None:
    """A registry with both functions, and the bundle that a run writes beside it."""
    with bootstrap.open_registry(folder) as registry:
        for name, source in (("trim", TRIM), ("bomb", BOMB)):
            candidate = Candidate(source=source, name=name, contract=Contract(modifies=("city",)))
            verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
            registry.promote(candidate, Evidence(verdict=verdict, policy_sha256="", proposer="test"))
        export_bundle(registry.functions(), folder)


def apply(
    folder: Path, services: Services, registry: Path, functions: Sequence[Promoted] | None = None
) -> ApplyAuditFailed:
    data = folder / "data.csv"
    data.write_text("city\n" + " Rome\n" * 500)
    with pytest.raises(ApplyAuditFailed, match="bomb makes one thing") as stopped:
        apply_step(data, functions or functions_in(registry), folder / "out.csv", services, registry=registry)
    assert not (folder / "out.csv").exists()
    return stopped.value


@pytest.mark.parametrize("inner", ["registry", "."])
def test_it_is_suspended(tmp_path: Path, services: Services, inner: str) -> None:
    """What is in use has only the others left, the history says why, and the user is told."""
    fill(tmp_path / "run" / inner)
    stopped = apply(tmp_path, services, tmp_path / "run")
    assert "Nothing was written. bomb, version 1, is suspended in the registry " in stopped.advice
    assert [function.name for function in functions_in(tmp_path / "run")] == ["trim"]
    with SqlRegistry(f"sqlite:///{tmp_path / 'run' / inner / 'registry.db'}", create=False) as registry:
        assert [function.name for function in registry.functions()] == ["trim"]
        last = registry.history("bomb")[-1].events[-1]
    assert last.status == "suspended"
    assert last.reason.startswith("The audit stopped the apply: bomb makes one thing")


@pytest.mark.parametrize(("end", "written"), [("revoke", False), ("suspend", False), ("supersede", True)])
def test_a_function_that_is_withdrawn_meanwhile_writes_nothing(
    tmp_path: Path, services: Services, end: str, written: bool
) -> None:
    """An apply may take hours. A version that another took the place of was not found wrong, and is applied."""
    fill(tmp_path / "run")
    (tmp_path / "data.csv").write_text("city\n" + " Rome\n" * 500)

    def withdraw(_: object) -> None:
        with bootstrap.open_registry(tmp_path / "run") as registry:
            if end == "supersede":
                candidate = Candidate(source=TRIM + "# newer\n", name="trim", contract=Contract(modifies=("city",)))
                verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
                registry.promote(candidate, Evidence(verdict=verdict, policy_sha256="", proposer="test"))
            else:
                getattr(registry, end)("trim", "it is wrong")

    one = [function for function in functions_in(tmp_path / "run") if function.name == "trim"]
    with nullcontext() if written else pytest.raises(NotVerified, match=r"^trim was taken out of use while"):
        apply_step(
            tmp_path / "data.csv", one, tmp_path / "out.csv", services, registry=tmp_path / "run", on_progress=withdraw
        )
    assert (tmp_path / "out.csv").exists() is written


def test_a_bundle_alone_cannot_be_marked(tmp_path: Path, services: Services) -> None:
    """Without a registry the user is told that there is none."""
    fill(tmp_path / "run")
    (tmp_path / "run" / "registry.db").unlink()
    stopped = apply(tmp_path, services, tmp_path / "run")
    assert "There is no registry in which bomb could be suspended" in stopped.advice
    assert "do not use it" in stopped.advice


def test_what_stops_the_suspension_is_said(tmp_path: Path, services: Services) -> None:
    """A registry that cannot be read does not hide why the apply was stopped."""
    fill(tmp_path / "run")
    functions = functions_in(tmp_path / "run")
    (tmp_path / "run" / "registry.db").write_bytes(b"no database at all" * 100)
    stopped = apply(tmp_path, services, tmp_path / "run", functions)
    assert "bomb could not be suspended in" in stopped.advice


def test_a_namesake_is_not_suspended(tmp_path: Path, services: Services) -> None:
    """Where another registry stands in its place by then, its function of the same name and version stays in use."""
    fill(tmp_path / "run")
    functions = functions_in(tmp_path / "run")
    for file in (tmp_path / "run").glob("registry.db*"):
        file.unlink()
    candidate = Candidate(source="def bomb(df):\n    return df\n", name="bomb", contract=Contract(modifies=("city",)))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    with SqlRegistry(f"sqlite:///{tmp_path / 'run' / 'registry.db'}") as registry:
        registry.promote(candidate, Evidence(verdict=verdict, policy_sha256="", proposer="test"))
        stopped = apply(tmp_path, services, tmp_path / "run", functions)
        assert "bomb, version 1, is not in use in the registry " in stopped.advice
        assert [function.name for function in registry.functions()] == ["bomb"]


def test_a_strict_policy_applies_nothing_that_was_proved_under_a_weaker_one(tmp_path: Path, services: Services) -> None:
    """Whoever is strict hears which layer was missing then; nothing is read or written."""
    fill(tmp_path / "run")
    (one, _) = functions_in(tmp_path / "run")
    weak = one.evidence.verdict.model_copy(update={"weakened": ("container.child_filter: off (default required)",)})
    weaker = one.model_copy(update={"evidence": one.evidence.model_copy(update={"verdict": weak})})
    strict = replace(services, policy=Policy(strict=True))
    with pytest.raises(UsageError, match="trim, version 1, was proved where the policy was weaker: container"):
        apply_step(tmp_path / "none.csv", [weaker], tmp_path / "out.csv", strict)


@pytest.mark.parametrize(("proved", "here", "said"), [("a", "b", True), ("a", "a", False), ("", "b", False)])
def test_functions_that_were_proved_with_other_libraries_are_named(
    tmp_path: Path, services: Services, proved: str, here: str, said: bool
) -> None:
    """The source is the same with another pandas, and what it does need not be; old evidence does not say."""
    fill(tmp_path / "run")
    (one, *_) = functions_in(tmp_path / "run")
    box = one.evidence.verdict.sandbox.model_copy(update={"libraries": proved})
    verdict = one.evidence.verdict.model_copy(update={"sandbox": box})
    other = one.model_copy(update={"evidence": one.evidence.model_copy(update={"verdict": verdict})})
    data = tmp_path / "data.csv"
    data.write_text("city\n Rome\n")
    step = apply_step(data, [other], tmp_path / "out.csv", replace(services, libraries=here))
    assert step.other_libraries == ((one.name,) if said else ())
    assert any("other versions of Python or its packages" in note for note in step.notes) is said
