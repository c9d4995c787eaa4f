"""Where the data of an apply is unlike the rows on which its functions were proved: said, counted, nothing stopped."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.steps import ApplyStep
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.profile.baseline_counts import count_baseline
from orchestrator.run.apply.apply import ApplyOutcome, apply_functions

SOURCE = "def trim(df):\n    return df.assign(day=df['day'].str.strip())\n"


def days(count: int, form: str = "2024-05-{:02}") -> list[str]:
    return [f"{' ' * (row % 3 == 0)}{form.format(row % 28 + 1)}" for row in range(count)]


@pytest.fixture(scope="module")
def function() -> Promoted:
    """Proved on 400 rows of days in one form, none of them blank."""
    rows = pa.table({"day": days(400), "n": [str(row) for row in range(400)]})
    made = rows.set_column(0, "day", pa.array([day.strip() for day in days(400)]))
    masks = {"day": np.array([day.startswith(" ") for day in days(400)])}
    baseline = count_baseline(rows, made, np.arange(400), masks, None, ["day"], "salt")
    candidate = Candidate(source=SOURCE, name="trim", contract=Contract(modifies=("day",)))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=(), baseline=baseline)
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


def applied(folder: Path, access: SandboxAccess, function: Promoted, header: str, cells: list[str]) -> ApplyOutcome:
    extra = "," * (header.count(",") - 1)
    lines = [f"{cell},{row}{extra}" for row, cell in enumerate(cells)]
    (folder / "in.csv").write_text("\n".join([header, *lines]) + "\n")
    return apply_functions(folder / "in.csv", [function], folder / "out.csv", access, batch_rows=500)


def test_more_of_the_same_is_not_mentioned(tmp_path: Path, access: SandboxAccess, function: Promoted) -> None:
    """The same kinds of cells, as often as before."""
    outcome = applied(tmp_path, access, function, "day,n", days(1000))
    assert (outcome.data_drift, outcome.new_columns) == ((), ())


def test_new_patterns_blanks_and_columns_are_said(tmp_path: Path, access: SandboxAccess, function: Promoted) -> None:
    """A format that was never seen, cells that are missing more often, a column that was not there; all is applied."""
    cells = [*days(700), *days(150, "{}.5.2024"), *[""] * 150]
    outcome = applied(tmp_path, access, function, "day,n,shop", cells)
    found = {(one.column, one.kind, one.value) for one in outcome.data_drift}
    assert {("day", "new-pattern", "9.9.9"), ("day", "more-missing", "")} <= found
    assert outcome.new_columns == ("shop",)
    assert outcome.rows_out == 1000


def test_a_person_reads_it_in_sentences(tmp_path: Path, access: SandboxAccess, function: Promoted) -> None:
    """In the notes of the step, with counts; the JSON has the same, and leaves out what was not found."""
    outcome = applied(tmp_path, access, function, "day,n", [*days(300), *days(300, "{}/5")])
    step = ApplyStep(at=datetime.now(UTC), seconds=0.0, data_drift=outcome.data_drift)
    [note] = [note for note in step.notes if "'9/9'" in note]
    assert note.startswith("unlike what trim was proved on, 'day': cells like '9/9' are new: ")
    assert "data_drift" in step.model_dump(mode="json")
    assert "data_drift" not in ApplyStep(at=datetime.now(UTC), seconds=0.0).model_dump(mode="json")


@pytest.mark.parametrize("looks_on", [True, False])
def test_a_column_of_another_type_is_said(
    looks_on: bool, tmp_path: Path, access: SandboxAccess, function: Promoted
) -> None:
    """A function can tell texts from numbers, and the audit, which has the same file, finds nothing in that. Of columns
    at which it cannot look, by its source, nothing is said; nor of the same values stored otherwise."""
    alone = "def trim(df):\n    out = df.copy()\n    out['day'] = df['day'].str.strip()\n    return out\n"
    if not looks_on:
        candidate = function.candidate.model_copy(update={"source": alone})
        function = function.model_copy(update={"candidate": candidate})
    texts = pa.array(days(300)).dictionary_encode()
    for name, numbers in (("same", pa.array([str(n) for n in range(300)], pa.large_string())), ("other", range(300))):
        pq.write_table(pa.table({"day": texts, "n": numbers}), tmp_path / f"{name}.parquet")
        path = tmp_path / f"{name}.parquet"
        outcome = apply_functions(path, [function], tmp_path / "out.parquet", access)
        said = [one.said for one in outcome.data_drift]
        wanted = ["'n': it has whole numbers, and had texts where it was proved"]
        assert said == (wanted if looks_on and name == "other" else [])


def test_evidence_from_before_types_were_kept_says_nothing(
    tmp_path: Path, access: SandboxAccess, function: Promoted
) -> None:
    """And reads as it did: the field is not there."""
    assert function.evidence.verdict.baseline is not None
    old = function.evidence.verdict.baseline.model_copy(update={"types": ()})
    assert "types" not in old.model_dump(mode="json")
    verdict = function.evidence.verdict.model_copy(update={"baseline": old})
    function = function.model_copy(update={"evidence": function.evidence.model_copy(update={"verdict": verdict})})
    pq.write_table(pa.table({"day": days(300), "n": range(300)}), tmp_path / "in.parquet")
    outcome = apply_functions(tmp_path / "in.parquet", [function], tmp_path / "out.parquet", access)
    assert "other-type" not in {one.kind for one in outcome.data_drift}
