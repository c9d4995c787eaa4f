"""What comes out of an apply, where it is unlike what came out where functions were proved: said, nothing stopped."""

import math
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.steps import ApplyStep
from orchestrator.core.steps.run_steps import DataDrift
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.core.witnesses import Witnesses
from orchestrator.data.profile.baseline_counts import count_baseline
from orchestrator.run.apply.apply import apply_functions
from orchestrator.run.rows.contract import CheckedBatch
from orchestrator.run.rows.drift_finding import DriftKind
from orchestrator.run.rows.drifting import SeenRows, drifts, mended
from orchestrator.run.rows.share_ratio import chance_of_none
from orchestrator.run.rows.turned_dates import turned_dates

ISO = r"""def iso(df):
    out = df.copy()
    parts = df['day'].str.extract(r'^(\d\d)/(\d\d)/(\d{4})$')
    good = parts[1].fillna('99').astype(int) <= 12
    out.loc[good, 'day'] = parts[2] + '-' + parts[1] + '-' + parts[0]
    return out
"""
CODES = r"""def codes(df):
    return df.assign(day=df['day'].str.replace('A-', 'A').str.replace('B-', 'B/'))
"""
PLAIN = [f"2024-05-{row % 28 + 1:02}" for row in range(100)]
DAY_FIRST = [f"{row % 28 + 1:02}/03/2024" for row in range(30)]
MONTH_FIRST = [f"06/{row % 28 + 1:02}/2024" for row in range(30)]


def iso(cell: str) -> str:
    """What the function makes of a cell."""
    parts = cell.split("/")
    return "-".join(reversed(parts)) if len(parts) == 3 and int(parts[1]) <= 12 else cell


def proved(source: str, before: list[str], after: list[str], reads: tuple[str, ...] = ()) -> Promoted:
    """A function whose evidence holds these rows; `reads`: columns that it looks at besides."""
    table = pa.table({"day": before, "n": [str(row) for row in range(len(before))]})
    made = table.set_column(0, "day", pa.array(after))
    masks = {"day": np.array([one != other for one, other in zip(before, after, strict=True)])}
    baseline = count_baseline(table, made, np.arange(len(before)), masks, None, ["day", *reads], "salt")
    name = source.partition("(")[0].removeprefix("def ")
    candidate = Candidate(source=source, name=name, contract=Contract(modifies=("day",)))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=(), baseline=baseline)
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


def found(folder: Path, access: SandboxAccess, function: Promoted, cells: list[str]) -> dict[str, DataDrift]:
    """What an apply says of a file with these cells, by kind."""
    lines = [f"{cell},{row}" for row, cell in enumerate(cells)]
    (folder / "in.csv").write_text("\n".join(["day,n", *lines]) + "\n")
    outcome = apply_functions(folder / "in.csv", [function], folder / "out.csv", access)
    assert outcome.rows_out == len(cells)
    return {one.kind: one for one in outcome.data_drift}


def dates(reads: tuple[str, ...] = ()) -> Promoted:
    """Reads the day first; where it was proved it left no date with slashes."""
    cells = [*PLAIN, *DAY_FIRST]
    return proved(ISO, cells, [iso(cell) for cell in cells], reads)


def test_dates_that_are_left_and_turned_are_said(tmp_path: Path, access: SandboxAccess) -> None:
    """Next month the month is first: what stays as it is, and what is read in the wrong order, with a cell of each."""
    said = found(tmp_path, access, dates(), [*PLAIN, *MONTH_FIRST])
    assert {*said} == {"leaves-pattern", "order-of-dates"}
    left, turned = said["leaves-pattern"], said["order-of-dates"]
    assert (left.before, left.now, left.value) == ((0, 30), (16, 30), "9/9/9")
    assert left.said.endswith("where it was proved, such as '06/13/2024'")
    assert turned.now == (13, 130)  # 06/06/2024 is the same date in both orders
    step = ApplyStep(at=datetime.now(UTC), seconds=0.0, data_drift=(turned,))
    [note] = step.notes
    assert note.startswith("unlike what iso was proved on, 'day': 13 dates may be read in the wrong order, such as ")
    assert note.endswith("'06/01/2024' as '2024-01-06': most others have the month first")


def test_more_of_the_same_is_not_mentioned(tmp_path: Path, access: SandboxAccess) -> None:
    """More dates in the order that it was proved on, and a single one that is none, are no news."""
    assert found(tmp_path, access, dates(), [*PLAIN, *DAY_FIRST, *DAY_FIRST, "31/31/2024"]) == {}


def test_few_dates_of_the_other_order_are_enough(tmp_path: Path, access: SandboxAccess) -> None:
    """Two that are left are too few to tell from chance; that one which is not left is read against them is said."""
    said = found(tmp_path, access, dates(), [*PLAIN, "06/17/2024", "06/18/2024", "06/07/2024"])
    assert {*said} == {"order-of-dates"}


def test_dates_that_are_left_for_their_order_are_named(tmp_path: Path, access: SandboxAccess) -> None:
    """They are too few to doubt how most are read, and of these some may have the same order."""
    said = found(tmp_path, access, dates(), [*PLAIN, *DAY_FIRST, "06/17/2024", "06/18/2024"])
    assert {*said} == {"dates-of-other-order"}
    left = said["dates-of-other-order"]
    assert left.now == (2, len(PLAIN) + len(DAY_FIRST) + 2)
    assert "that have the month first, such as '06/17/2024'" in left.said


def test_what_may_know_the_order_otherwise_is_not_suspected(tmp_path: Path, access: SandboxAccess) -> None:
    """A function that looks at another column, too, may be told there which order a row has."""
    assert "order-of-dates" not in found(tmp_path, access, dates(reads=("n",)), [*PLAIN, *MONTH_FIRST])


def test_what_somebody_has_settled_is_not_suspected(tmp_path: Path, access: SandboxAccess) -> None:
    """Where a person has said what is right, the function may have been proved in spite of what a file shows."""
    function = dates()
    evidence = function.evidence.model_copy(update={"witnesses": Witnesses(instruction="the day is first")})
    signed = function.model_copy(update={"evidence": evidence, "envelopes": ("signed",)})
    assert {*found(tmp_path, access, signed, [*PLAIN, *MONTH_FIRST])} == {"leaves-pattern"}


def test_forms_that_were_never_made_are_said(tmp_path: Path, access: SandboxAccess) -> None:
    """What comes in looks as before, and what comes out does not."""
    cells = [f"A-{row}" for row in range(100)]
    function = proved(CODES, cells, [cell.replace("-", "") for cell in cells])
    assert found(tmp_path, access, function, cells) == {}
    said = found(tmp_path, access, function, [*cells, *[f"B-{row}" for row in range(100)]])
    assert said["makes-pattern"].value == "A/9"
    assert "such as 'B/0'" in said["makes-pattern"].said


def test_a_check_names_what_is_left() -> None:
    """Once: that such cells come out as well is the same thing; of a form that was left before, nothing is said."""
    function = dates()
    baseline = function.evidence.verdict.baseline
    assert baseline is not None
    assert mended(baseline.columns[0]) == {"9/9/9": 30}
    seen = cleaned_by_iso([*PLAIN, *MONTH_FIRST])
    [one] = [one for one in drifts(baseline, seen, 0.0001) if one.value == "9/9/9"]
    assert (one.kind, one.examples[0].cell) == (DriftKind.LEAVES_PATTERN, "06/13/2024")
    assert "times as many" not in one.said
    some_left = proved(ISO, [*PLAIN, *DAY_FIRST, "06/13/2024"], [*PLAIN, *map(iso, DAY_FIRST), "06/13/2024"])
    baseline = some_left.evidence.verdict.baseline
    assert baseline is not None
    assert mended(baseline.columns[0]) == {}


def test_cells_that_stay_as_they_are_are_not_said_to_be_made() -> None:
    """Where it had seen too few to be told from chance it was said to make them; the control is what it does make."""
    few = DAY_FIRST[:2]
    baseline = proved(ISO, [*PLAIN, *few], [*PLAIN, *map(iso, few)]).evidence.verdict.baseline
    assert baseline is not None
    seen = cleaned_by_iso([*PLAIN, *["06/13/2024"] * 30])
    said = {one.kind: one.said for one in drifts(baseline, seen, 0.0001)}
    assert said[DriftKind.LEAVES_MORE].startswith("'day': it leaves more cells like '9/9/9' as they are: 30 of 130")
    assert DriftKind.MAKES_PATTERN not in said
    slashed = [cell.replace("-", "/") for cell in PLAIN]
    baseline = proved(ISO, slashed, slashed).evidence.verdict.baseline
    assert baseline is not None
    assert DriftKind.MAKES_PATTERN in {one.kind for one in drifts(baseline, cleaned_by_iso(DAY_FIRST * 3), 0.0001)}


def cleaned_by_iso(cells: list[str]) -> SeenRows:
    """What the function makes of these cells, as a check sees it."""
    table = pa.table({"day": cells, "n": ["1"] * len(cells)})
    after, rows = [iso(cell) for cell in cells], np.arange(len(cells))
    mask = np.array([one != other for one, other in zip(cells, after, strict=True)])
    batch = CheckedBatch(table, table.set_column(0, "day", pa.array(after)), rows, {"day": mask})
    return SeenRows(table, batch, rows, header=1)


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("06/04/2013", "2013-04-06", 1),
        ("06/04/2013", "2013-06-04", 0),  # as the others are written
        ("06.04.2013", "2013-04-06", 0),  # no date with stops shows an order
        ("06/06/2013", "2013-06-06", 0),
        (None, "2013-04-06", 0),
    ],
)
def test_dates_are_held_against_those_of_the_same_signs(before: str | None, after: str, count: int) -> None:
    """Only what can be read either way, and was read against the file's own dates."""
    cells, made = [before, "01/17/2016", "01/18/2016"], [after, "01/17/2016", "01/18/2016"]
    mask = np.array([True, False, False])
    turned = turned_dates(pa.chunked_array([cells]), pa.chunked_array([made]), mask)
    assert (0 if turned is None else turned.cells) == count


def test_where_both_orders_are_frequent_that_is_said() -> None:
    """Neither is the usual one then."""
    cells = ["06/04/2013", "01/17/2016", "17/01/2016"]
    turned = turned_dates(pa.chunked_array([cells]), pa.chunked_array([["2013-04-06", *cells[1:]]]), np.arange(3) == 0)
    assert turned is not None
    assert turned.said.endswith("some others have the other order")


def test_the_chance_is_that_of_fisher() -> None:
    """All that were left fell on the new rows: by counting the ways in which they could."""
    assert chance_of_none(13, (12, 16)) == pytest.approx(math.comb(16, 12) / math.comb(29, 12))
    assert chance_of_none(13, (0, 16)) == 1.0
    assert chance_of_none(1_000, (500, 500)) == 0.0
