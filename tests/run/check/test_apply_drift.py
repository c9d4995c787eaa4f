"""A function that does more to the data than where it was proved: the apply stops, or goes on if that is accepted."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.candidate import Candidate, Contract, Shape
from orchestrator.core.effects import ColumnEffect, Effects
from orchestrator.core.errors import ApplyDrifted
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.run.apply.apply import ApplyOutcome, apply_functions
from orchestrator.run.apply.drift import least, most

PROVED = Effects(rows=300, columns=(ColumnEffect(name="city", cells=300, changed=15, distinct=100, lost=5),))


def promoted(body: str, effects: Effects | None = PROVED, detect: str = "", **contract: Any) -> Promoted:
    """`body` makes the new column `city`; `detect` the flags."""
    source = f"import pandas as pd\n\ndef clean(df):\n    {body}\n"
    source += f"\ndef detect(df):\n    return {detect}\n" if detect else ""
    contract = {"modifies": ("city",)} | contract
    candidate = Candidate(source=source, name="clean", contract=Contract(**contract), has_detect=bool(detect))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=(), effects=effects)
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


def apply(folder: Path, access: SandboxAccess, function: Promoted, dirty: int, **options: Any) -> ApplyOutcome:
    """1,000 rows, of which the first `dirty` have a blank in front."""
    data = folder / "data.csv"
    rows = "".join(f"{' ' * (row < dirty)}Rome {row},{row % 10}\n" for row in range(1000))
    data.write_text("city,n\n" + rows)
    return apply_functions(data, [function], folder / "out.csv", access, **options)


STRIP = "return df.assign(city=df['city'].str.strip())"


@pytest.mark.parametrize("dirty", [0, 50, 150])
def test_inside_of_the_band(tmp_path: Path, access: SandboxAccess, dirty: int) -> None:
    """Positive control: none, as many, or three times as many changes as in the sample are applied in silence."""
    outcome = apply(tmp_path, access, promoted(STRIP), dirty)
    assert (outcome.rows_out, outcome.drifted, outcome.without_band) == (1000, (), ())


@pytest.mark.parametrize(
    ("body", "effects", "says"),
    [
        (STRIP, PROVED, r"clean changes 900 of 1,000 cells of 'city' \(90.0%\), and 15 of 300 where it was proved"),
        ("return df.assign(city=df['city'].where(df['n'] > '2', ''))", PROVED, r"clean empties 300 of 1,000 cells"),
        ("return df.assign(city=df['city'].where(df['n'] > '2', None))", PROVED, r"clean empties 300 of"),
        ("return df.assign(city=df['city'].where(df['n'] > '2', '=A1'))", PROVED, r"makes formulas of 300 of 1,000"),
        (
            "return df.assign(city='Rome')",
            Effects(rows=300, columns=(ColumnEffect(name="city", cells=300, changed=300, distinct=300, lost=0),)),
            r"clean loses 299 of 300 different values of 'city'",
        ),
    ],
)  # fmt: skip
def test_outside_of_the_band(tmp_path: Path, access: SandboxAccess, body: str, effects: Effects, says: str) -> None:
    """What it does too much is named, the first rows are shown, and nothing is written."""
    with pytest.raises(ApplyDrifted, match=says) as stopped:
        apply(tmp_path, access, promoted(body, effects), 900)
    assert "Rows: {'city': ' Rome 0'} → {'city': " in stopped.value.message
    assert "--drift accept" in stopped.value.advice
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv"]


def test_drift_that_is_accepted_is_said(tmp_path: Path, access: SandboxAccess) -> None:
    """It goes on, and each kind is told once, however many batches have it."""
    outcome = apply(tmp_path, access, promoted(STRIP), 900, accept_drift=True, batch_rows=100)
    assert outcome.rows_out == 1000
    assert len(outcome.drifted) == 1
    assert outcome.drifted[0].startswith("clean changes 100 of 100 cells of 'city'")


def test_dropped_rows_are_counted(tmp_path: Path, access: SandboxAccess) -> None:
    """A function that may drop rows drops about as many as where it was proved."""
    effects = Effects(rows=300, dropped=15)
    for limit, stops in ((100, False), (700, True)):
        function = promoted(f"return df[df['city'].str[5:].astype(int) >= {limit}]", effects, drops_rows=True)
        if stops:
            with pytest.raises(ApplyDrifted, match=r"clean drops 700 of 1,000 rows .*'n': '0'} dropped"):
                apply(tmp_path, access, function, 0)
        else:
            assert apply(tmp_path, access, function, 0).rows_out == 900


def test_only_rows_that_detect_flags(tmp_path: Path, access: SandboxAccess) -> None:
    """Where every change was flagged by the function's own detect, one that is not flagged stops the apply."""
    effects = PROVED.model_copy(update={"unflagged": 0})
    flags = "df['city'].str.startswith(' ')"
    assert apply(tmp_path, access, promoted(STRIP, effects, flags), 50).rows_out == 1000
    spoils = "city = df['city'].str.strip()\n    return df.assign(city=city.where(city != 'Rome 500', 'Rom'))"
    with pytest.raises(ApplyDrifted, match=r"clean changes 1 of 1,000 rows that its own detect does not flag") as told:
        apply(tmp_path, access, promoted(spoils, effects, flags), 50)
    assert "Rows: {'city': 'Rome 500'} → {'city': 'Rom'}." in told.value.message


def test_records_are_held_to_the_band(tmp_path: Path, access: SandboxAccess) -> None:
    """The same for functions of single records, with and without detect."""
    body = "return df | {'city': df['city'].strip()}"
    effects = PROVED.model_copy(update={"unflagged": 0})
    function = promoted(body, effects, "df['city'].startswith(' ')", shape=Shape.RECORD)
    assert apply(tmp_path, access, function, 50).rows_out == 1000
    with pytest.raises(ApplyDrifted, match="clean changes 900 of 1,000 cells of 'city'"):
        apply(tmp_path, access, function, 900)
    lying = promoted(body, effects, "False", shape=Shape.RECORD)
    with pytest.raises(ApplyDrifted, match="clean changes 50 of 1,000 rows that its own detect does not flag"):
        apply(tmp_path, access, lying, 50)


def test_evidence_without_effects_is_said(tmp_path: Path, access: SandboxAccess) -> None:
    """A function that was promoted before effects were recorded is applied, and named."""
    outcome = apply(tmp_path, access, promoted(STRIP, None), 900)
    assert (outcome.rows_out, outcome.without_band) == (1000, ("clean",))


def test_the_bounds_are_one_sided() -> None:
    """Less is always inside; little evidence allows much; few rows speak for little."""
    assert least(3, 3) < most(15, 300) < 0.35
    assert most(0, 300) < 0.12
    assert most(0, 5000) < 0.01
    assert most(5, 10) > 0.95
    assert most(0, 0) == 1.0
    assert least(0, 1000) == 0.0
    assert most(300, 300) == 1.0
