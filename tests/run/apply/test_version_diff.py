"""Two versions of a function side by side, with the real guest and the real disposable process."""

from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.differences import CellDiff, VersionDiff
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.formats import open_dataset
from orchestrator.run.apply.version_diff import version_diff
from tests.run.apply import majority_vote

Diff = Callable[[Promoted, Promoted], VersionDiff]
CITIES = [" Bonn", "KIEL", "ulm ", "Trier"]


@pytest.fixture(scope="module")
def diff(tmp_path_factory: pytest.TempPathFactory, access: SandboxAccess) -> Diff:
    data = tmp_path_factory.mktemp("diff") / "data.csv"
    data.write_text("city,n\n" + "".join(f"{city},{n}\n" for n, city in enumerate(CITIES)))
    dataset = open_dataset(data)
    return lambda old, new: version_diff(dataset, old, new, access)


def version(number: int, body: str, **contract: object) -> Promoted:
    source = f"def tidy(df):\n    out = df.copy()\n    {body}\n    return out\n"
    candidate = Candidate(source=source, name="tidy", contract=Contract.model_validate(contract))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted.model_validate(
        {"candidate": candidate, "evidence": evidence, "order": 1, "version": number, "promoted_at": "2026-01-01"}
    )


TRIM = version(1, 'out["city"] = out["city"].str.strip()', modifies=["city"])
TITLE = version(2, 'out["city"] = out["city"].str.strip().str.title()', modifies=["city"])


def test_cells_that_differ_are_counted_and_shown(diff: Diff) -> None:
    """Each differing cell is named with its row in the data set and what both versions make of it."""
    found = diff(TRIM, TITLE)
    assert found.changed == {"city": 2}
    assert found.examples == (
        CellDiff(row=2, file_row=3, column="city", before="KIEL", old="KIEL", new="Kiel"),
        CellDiff(row=3, file_row=4, column="city", before="ulm ", old="ulm", new="Ulm"),
    )
    assert not found.same


def test_the_same_function_makes_no_difference(diff: Diff) -> None:
    """Other source text that does the same is no difference."""
    again = version(2, 'out["city"] = out["city"].str.strip()  # as before', modifies=["city"])
    assert diff(TRIM, again).same


def test_fitted_versions_learn_of_the_data_that_they_are_compared_on(tmp_path: Path, access: SandboxAccess) -> None:
    """With what each had learnt where it was proved, cells differed that do not, and others did not."""
    (tmp_path / "in.csv").write_text(majority_vote.ROWS, encoding="utf-8")
    careful = majority_vote.MAJORITY.replace("if k in state else", "if len(state.get(k, {})) == 1 else")
    old, new = majority_vote.promoted(majority_vote.MAJORITY), majority_vote.promoted(careful, '{"b":{"Bonn":1}}')
    found = version_diff(open_dataset(tmp_path / "in.csv"), old, new, access)
    assert [(cell.before, cell.old, cell.new) for cell in found.examples] == [
        ("Rom", "Rome", "Rom"), ("Olso", "Oslo", "Olso"),
    ]  # fmt: skip


def test_rows_are_matched_by_their_place(diff: Diff) -> None:
    """A version that drops rows is compared on the rows that both keep, and the dropped ones are counted."""
    dropping = version(2, 'out = out[out["city"] != "KIEL"]', modifies=["city"], drops_rows=True)
    found = diff(TRIM, dropping)
    assert found.new_dropped == 1
    assert [(cell.row, cell.old, cell.new) for cell in found.examples] == [(1, "Bonn", " Bonn"), (3, "ulm", "ulm ")]


def test_rows_that_fail_are_counted(diff: Diff) -> None:
    """A version that raises on a row is not silently better: its failed rows stand in the result."""
    picky = version(
        2, 'assert "KIEL" not in set(out["city"]); out["city"] = out["city"].str.strip()', modifies=["city"]
    )
    found = diff(TRIM, picky)
    assert (found.old_failed, found.new_failed) == (0, 1)
    assert not found.same
