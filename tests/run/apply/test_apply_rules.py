"""The policy's rules for columns hold while functions are applied, wherever these were proved and on which rows."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.candidate import Candidate, Contract, Shape
from orchestrator.core.errors import DataError, RowsFailed
from orchestrator.core.policy import ColumnRule
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.run.apply.apply import apply_functions

Apply = Callable[..., str]
CHANGES = "df.assign(status=df['status'].str.strip().where(df['id'] != '77', {}))"


def promoted(body: str, **contract: Any) -> Promoted:
    argument = "row" if contract.get("shape") is Shape.RECORD else "df"
    source = f"import pandas as pd\n\ndef clean({argument}):\n    return {body}\n"
    declared = Contract(**({"modifies": ("id", "status")} | contract))
    candidate = Candidate(source=source, name="clean", contract=declared, has_detect=False)
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


@pytest.fixture
def apply(tmp_path: Path, access: SandboxAccess) -> Apply:
    """What is written of 200 rows under a policy with rules; what is set aside is in `aside.csv`."""

    def run(body: str, rules: dict[str, ColumnRule], *, aside: bool = False, **contract: Any) -> str:
        (tmp_path / "data.csv").write_text("id,status\n" + "".join(f"{row}, open\n" for row in range(200)))
        apply_functions(
            tmp_path / "data.csv",
            [promoted(body, **contract)],
            tmp_path / "out.csv",
            access._replace(columns=rules),
            quarantine=tmp_path / "aside.csv" if aside else None,
        )
        return (tmp_path / "out.csv").read_text()

    return run


@pytest.mark.parametrize(
    ("body", "rules", "said"),
    [
        (
            "df.assign(id=df['id'].where(df['id'] != '77', '78'))",
            {"id": ColumnRule(never_changes=True)},
            "'id' changed",
        ),
        (CHANGES.format("''"), {"status": ColumnRule(not_null=True)}, "it leaves nothing in 'status'"),
        (CHANGES.format("'shut'"), {"status": ColumnRule(allowed=("open", "closed"))}, "it leaves a value in 'status'"),
    ],
)
def test_one_cell_against_a_rule_is_not_written(
    apply: Apply, tmp_path: Path, body: str, rules: dict[str, ColumnRule], said: str
) -> None:
    """The row is named, and can be set aside. Positive control: without the rule it is written."""
    with pytest.raises(RowsFailed, match=f"Row 79 of data.csv.*{said}"):
        apply(body, rules)
    assert not (tmp_path / "out.csv").exists()
    assert apply(body, rules, aside=True).count("\n") == 200
    assert "77, open" in (tmp_path / "aside.csv").read_text()
    assert apply(body, {}).count("\n") == 201


def test_cells_that_no_function_changed_are_nobody_s_doing(apply: Apply) -> None:
    """However they are: a new month may have other values."""
    rules = {"status": ColumnRule(allowed=("closed",), not_null=True), "id": ColumnRule(never_changes=True)}
    assert apply("df", rules).count(" open") == 200


def test_a_column_with_a_rule_is_not_dropped(apply: Apply) -> None:
    """Whatever the contract says."""
    with pytest.raises(DataError, match="drops the column 'id', for which the policy has a rule"):
        apply("df[['status']]", {"id": ColumnRule(never_changes=True)}, drops=("id",))


def test_keys_of_records_are_held_to_it_as_well(apply: Apply) -> None:
    """By their values, not by how they are kept."""
    rules = {"status": ColumnRule(allowed=("open",))}
    body = "row | {'status': row['status'].strip() if row['id'] != WRONG else 'shut'}"
    assert apply(body.replace("WRONG", "'no'"), rules, shape=Shape.RECORD).count(",open") == 200
    with pytest.raises(RowsFailed, match="Row 79"):
        apply(body.replace("WRONG", "'77'"), rules, shape=Shape.RECORD)
