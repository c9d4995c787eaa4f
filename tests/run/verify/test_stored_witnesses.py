"""Functions that were promoted on somebody's word are judged again by that word: where it is signed, for no more."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator.core.candidate import Contract, Example
from orchestrator.core.conventions import ColumnConvention, Conventions
from orchestrator.core.policy import Policy
from orchestrator.core.ports import VerifyRequest
from orchestrator.core.promoted import Promoted
from orchestrator.core.verdict import OnCheck, Outcome, SettledConcerns, Verdict
from orchestrator.core.witnesses import Witnesses
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.formats import open_dataset
from orchestrator.gate.verifier import Verifier
from orchestrator.registry.bundle import export_archive, load_functions
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.services import Services
from orchestrator.run.verify.adoption import functions_to_adopt
from orchestrator.run.verify.candidate_files import named_sources
from orchestrator.run.verify.import_functions import ImportedFunctions, import_functions, import_trusted
from orchestrator.run.verify.stored import JudgedAgain, judge_again
from orchestrator.run.verify.verify import Verification
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.registry.people import identity

SOURCE = '''"""Figures that do not belong into the column."""
CONTRACT = {{"modifies": ["{column}"]}}
def {name}(df):
    """Keep the word."""
    return df.assign({column}=df["{column}"].str.replace(r"^\\d+ ", "", regex=True))
'''
WORDS = tuple(f"{one}{two}" for one in ("apple", "pear", "plum", "fig", "date", "lime") for two in "abcdefghij")
SHOWN = Example(input={"fruit": "12 apples"}, output={"fruit": "apples"})


class QuickGate(Verifier):
    """Leaves out the slow checks, which raise no concerns."""

    def verify(self, request: VerifyRequest, on_check: OnCheck | None = None) -> Verdict:
        return super().verify(replace(request, quick=True), on_check)


class Place:
    """A folder with data, candidates and a registry of Ana's, in which one function was promoted by an example of hers
    and another one by her approval."""

    def __init__(
        self, folder: Path, sandbox: LocalSandbox, judge: DisposableProcess, decoder: DisposableProcess
    ) -> None:
        self.folder = folder
        gate = QuickGate(sandbox, judge, seed=lambda: 7)
        self.first = self.registry("first")
        self.services = Services(sandbox, lambda: gate, decoder, Policy(), "0" * 64, lambda _: nullcontext(self.first))
        rows = (f"{n} {word},{n + 3} {word[::-1]},{7 * n}\n" for n, word in enumerate(WORDS, 2))
        (folder / "d.csv").write_text(f"fruit,tree,n\n{''.join(rows)}plums,elms,1\n")
        (folder / "e.jsonl").write_text(SHOWN.model_dump_json())
        for name, column in (("fruits", "fruit"), ("trees", "tree")):
            (folder / f"{name}.py").write_text(SOURCE.format(name=name, column=column))
        self.dataset = open_dataset(folder / "d.csv")

    def registry(self, name: str, *, approvals: int = 0) -> SqlRegistry:
        """A registry of this name, opened by Ana."""
        (self.folder / name).mkdir(exist_ok=True)
        return SqlRegistry(
            f"sqlite:///{self.folder / name / 'registry.db'}", identity=identity("ana", approvals=approvals)
        )

    def verify(self, name: str, *examples: str) -> tuple[Outcome, bool]:
        """The verdict, and whether the function is kept for somebody to approve."""
        request = Verification(
            named=named_sources([self.folder / name]),
            data=self.folder / "d.csv",
            examples=tuple(self.folder / example for example in examples),
            registry=str(self.folder),
        )
        [one] = request.check().run(self.services)
        return one.verdict.verdict, one.kept

    def again(self, functions: Sequence[Promoted], *examples: Example) -> dict[str, tuple[str, bool]]:
        """Verdict by name, and whether the function may be used."""
        judged = judge_again(functions, self.dataset, self.services, examples=examples)
        return {one.function.name: (str(one.verdict.verdict), one.usable) for one in judged}

    def taken(self, functions: Sequence[Promoted], registry: SqlRegistry, *examples: Example) -> ImportedFunctions:
        """The functions in another registry."""
        seen: list[JudgedAgain] = []
        return import_functions(
            functions, self.dataset, self.services, registry, after=(), on_verdict=seen.append, examples=examples
        )


@pytest.fixture(scope="module")
def place(
    tmp_path_factory: pytest.TempPathFactory,
    local_sandbox: LocalSandbox,
    decoder: DisposableProcess,
    judge: DisposableProcess,
) -> Place:
    made = Place(tmp_path_factory.mktemp("place"), local_sandbox, judge, decoder)
    assert made.verify("fruits.py", "e.jsonl") == (Outcome.PASS, False)
    for _ in range(2):  # what is kept is kept once
        assert made.verify("trees.py") == (Outcome.HOLD, True)
    assert len(made.first.held()) == 1
    made.first.approve("trees", "the figures are positions")
    return made


def both(taken: ImportedFunctions) -> tuple[list[str], list[str]]:
    """The names of what is in use, and of what waits."""
    return [function.name for function in taken.used], [function.name for function in taken.held]


def test_signed_words_count_when_functions_are_judged_again(place: Place) -> None:
    """The example settles the concern once more, and the approval lets the held one stay in use."""
    assert place.again(place.first.functions()) == {"fruits": ("pass", True), "trees": ("hold", True)}


def test_words_that_nobody_signed_do_not_count(place: Place) -> None:
    """Both are held, unless the user shows the change today."""
    unsigned = [function.model_copy(update={"envelopes": ()}) for function in place.first.functions()]
    assert place.again(unsigned) == {"fruits": ("hold", False), "trees": ("hold", False)}
    assert place.again(unsigned, SHOWN)["fruits"] == ("pass", True)


def test_an_approval_settles_only_what_it_was_about(place: Place) -> None:
    """A concern of another kind than those that were accepted holds the function back."""
    [held] = [function for function in place.first.functions() if function.name == "trees"]
    other = tuple(c.model_copy(update={"kind": "sign"}) for c in held.evidence.verdict.concerns)
    verdict = held.evidence.verdict.model_copy(update={"concerns": other})
    changed = held.model_copy(update={"evidence": held.evidence.model_copy(update={"verdict": verdict})})
    assert place.again([changed]) == {"trees": ("hold", False)}


def test_they_go_into_other_registries(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Adopted and imported, judged again or not: in use, with their words, and so once more from there."""
    monkeypatch.setattr("orchestrator.registry.store.Identity", lambda: identity("ana"))
    with place.registry("second") as second, place.registry("third") as third, place.registry("fourth") as fourth:
        found = functions_to_adopt(str(place.folder / "first"), elsewhere=True)
        assert both(place.taken(found, second)) == (["fruits", "trees"], [])
        assert second.functions()[0].witnesses.examples == (SHOWN,)
        export_archive(second.functions(), place.folder / "b.zip", log=second.log_proof(), identity=identity("ana"))
        loaded = load_functions(place.folder / "b.zip", identity("ana"), importing=True)
        assert both(place.taken(loaded, third)) == (["fruits", "trees"], [])
        assert both(import_trusted(loaded, fourth)) == (["fruits", "trees"], [])
        for registry in (third, fourth):
            assert place.again(registry.functions()) == {"fruits": ("pass", True), "trees": ("hold", True)}


def test_what_nobody_vouches_for_is_kept_out_of_use(place: Place) -> None:
    """Adopted without signatures, both wait for an approval; trying again adds nothing."""
    unsigned = [function.model_copy(update={"envelopes": ()}) for function in place.first.functions()]
    with place.registry("fifth") as registry:
        for _ in range(2):
            assert both(place.taken(unsigned, registry)) == ([], ["fruits", "trees"])
        assert (registry.functions(), len(registry.held())) == ((), 2)


def test_where_others_must_approve_an_import_waits_for_them(place: Place) -> None:
    """The approval that came with it was somebody's elsewhere: here a colleague has to look."""
    with place.registry("sixth", approvals=1) as registry:
        assert both(import_trusted(place.first.functions(), registry)) == (["fruits"], ["trees"])


def test_only_what_concerns_the_function_is_kept() -> None:
    """Examples and conventions of other columns are not in its evidence; what is written is read as it was."""
    conventions = Conventions(
        all=ColumnConvention(null=""),
        columns={"fruit": ColumnConvention(leave=True), "tree": ColumnConvention(spellings={"oak": "oaks"})},
    )
    other = Example(input={"tree": "x"}, output={"tree": "y"})
    said = Witnesses(examples=(SHOWN, other), tests=(other,), instruction="Clean.", conventions=conventions)
    about = said.about(Contract(modifies=("fruit",)))
    assert (about.examples, about.tests, about.instruction) == ((SHOWN,), (), "Clean.")
    assert about.conventions is not None
    assert list(about.conventions.columns) == ["fruit"]
    read = Witnesses.model_validate(json.loads(about.model_dump_json()))
    assert read == about
    assert read.conventions is not None
    assert read.conventions.of("fruit") == about.conventions.of("fruit")
    assert Witnesses().model_dump() == {}


def test_what_a_model_settled_is_still_said_of_a_function_that_is_judged_again(place: Place) -> None:
    """Its word counts again where it is signed, and so it is said; where it does not count, nothing is."""
    [fruits] = [one for one in place.first.functions() if one.name == "fruits"]
    said = SettledConcerns(by="a-model", also_proposed=True)
    verdict = fruits.evidence.verdict.model_copy(update={"settled": said})
    for tests, settled in (((SHOWN,), said), ((), None)):
        evidence = fruits.evidence.model_copy(
            update={"verdict": verdict, "witnesses": Witnesses(examples=(SHOWN,), tests=tests)}
        )
        told = fruits.model_copy(update={"evidence": evidence})
        [judged] = judge_again([told], place.dataset, place.services)
        assert judged.evidence.verdict.settled == settled
