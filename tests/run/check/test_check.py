"""Next month's file is held against the proof: what still holds, what is new in the data, what fails."""

import random
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from orchestrator import bootstrap
from orchestrator.core.effects import ColumnEffect, Effects
from orchestrator.core.errors import ApplyDrifted
from orchestrator.core.policy import Policy
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.formats import open_dataset
from orchestrator.gate.verifier import Verifier
from orchestrator.registry.check_store import checks_in
from orchestrator.registry.functions import functions_in
from orchestrator.run.apply.apply import apply_functions
from orchestrator.run.check.check_report import CheckReport, ProofState, refuse_invalid
from orchestrator.run.check.proof_check import check_proofs
from orchestrator.run.check.recorded import record
from orchestrator.run.rows.drift_finding import DriftKind
from orchestrator.run.services import Services
from orchestrator.run.verify.candidate_files import CandidateFile, NamedSources
from orchestrator.run.verify.verify import Verification
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = """CONTRACT = {"modifies": ["NAME"]}
def detect(df):
    return df["NAME"] != df["NAME"].str.strip()
def trim_NAME(df):
    'Strip blanks.'
    return df.assign(NAME=df["NAME"].str.strip())
"""
PICKY = TRIM.replace("    return df.assign", "    assert not df['NAME'].str.contains('/').any()\n    return df.assign")


@pytest.fixture(scope="module")
def services(local_sandbox: LocalSandbox, decoder: DisposableProcess, judge: DisposableProcess) -> Iterator[Services]:
    policy = Policy()
    with closing(Verifier(local_sandbox, judge, policy)) as gate:
        yield Services(local_sandbox, lambda: gate, decoder, policy, "", bootstrap.open_registry)


def rows(
    path: Path, count: int, seed: int, *, other: float = 0.0, header: str = "id,day,city", lines: str = ""
) -> Path:
    """Days of one format but for a share of them, and few cities; one cell in ten has a blank."""
    draw = random.Random(seed)  # noqa: S311 - data for a test
    made = [header]
    for number in range(count):
        day = f"2024-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}"
        if draw.random() < other:
            day = "/".join(reversed(day.split("-")))
        city = draw.choice(["Rome", "Oslo", "Lima"])
        made.append(f"{number},{day}{' ' * (draw.random() < 0.1)},{' ' * (draw.random() < 0.1)}{city}")
    path.write_text("\n".join(made) + "\n" + lines)
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, services: Services) -> Path:
    """A registry with two functions that were proved on 3,000 rows."""
    folder = tmp_path_factory.mktemp("proved")
    sources = [TRIM.replace("NAME", name) for name in ("city", "day")]
    named = NamedSources(tuple(CandidateFile(folder / f"{n}.py", text) for n, text in enumerate(sources)))
    asked = Verification(named, rows(folder / "proved.csv", 3_000, 1), quick=True, registry=str(folder / "registry"))
    assert all(one.verdict.passed for one in asked.check().run(services))
    return folder / "registry"


def check(place: Path, services: Services, data: Path) -> CheckReport:
    return check_proofs(open_dataset(data), functions_in(place), services)


def test_more_of_the_same_is_valid(tmp_path: Path, place: Path, services: Services) -> None:
    """Other rows of the same kind, few or many: nothing is said."""
    for count in (200, 4_000):
        report = check(place, services, rows(tmp_path / "new.csv", count, 2))
        assert [(one.name, one.state, one.said) for one in report.functions] == [
            ("trim_city", ProofState.VALID, ()),
            ("trim_day", ProofState.VALID, ()),
        ]
        refuse_invalid(report)


def test_a_function_that_adds_a_column_has_something_to_do(tmp_path: Path, services: Services) -> None:
    """It changes no cell that was there; that somebody wanted its column was decided when it was promoted."""
    source = """CONTRACT = {"modifies": [], "adds": ["month"]}
def add_month(df):
    'Add the month.'
    return df.assign(month=df["day"].str[5:7])
"""
    named = NamedSources((CandidateFile(tmp_path / "month.py", source),))
    shown = tmp_path / "shown.jsonl"
    shown.write_text('{"input": {"id": "7", "day": "2024-03-01", "city": "Rome"}, "output": {"month": "03"}}\n')
    data, folder = rows(tmp_path / "proved.csv", 400, 1), tmp_path / "registry"
    asked = Verification(named, data, quick=True, registry=str(folder), examples=(shown,))
    assert all(one.verdict.passed for one in asked.check().run(services))
    [judged] = check(folder, services, rows(tmp_path / "new.csv", 300, 2)).functions
    assert (judged.state, judged.notes) == (ProofState.VALID, ())


def test_a_new_format_is_found_and_named(tmp_path: Path, place: Path, services: Services) -> None:
    """In half a percent of the rows: the column, the pattern, how many rows of the whole file, and some of them."""
    data = rows(tmp_path / "new.csv", 15_000, 3, other=0.005)
    report = check(place, services, data)
    assert report.state is ProofState.STALE
    city, day = report.functions
    assert city.state is ProofState.VALID
    [found] = day.drift
    assert (found.kind, found.column, found.value) == (DriftKind.NEW_PATTERN, "day", "9/9/9")
    lines = data.read_text().splitlines()[1:]
    days = [line.split(",")[1] for line in lines]
    assert found.file_rows == sum(day.count("/") == 2 and not day.endswith(" ") for day in days)
    for one in found.examples:
        assert lines[one.row - 1].split(",")[1] == one.cell
        assert data.read_text().splitlines()[one.file_row - 1].split(",")[1] == one.cell
    assert report.how_rows_count == "the header is row 1"
    assert found.low > 1
    with pytest.raises(ApplyDrifted, match="trim_day is stale: 'day': cells like '9/9/9' are new"):
        refuse_invalid(report)


def test_one_row_is_no_proof_but_is_said(tmp_path: Path, place: Path, services: Services) -> None:
    """A single new pattern cannot be told from chance; it is a note with its row."""
    report = check(place, services, rows(tmp_path / "new.csv", 200, 2, lines="200,01/02/2024,Rome\n"))
    assert report.valid
    assert any(
        "look like '9/9/9', which is new (row 202; the header is row 1)" in note for note in report.functions[1].notes
    )


def test_a_new_category_and_more_missing_cells(tmp_path: Path, place: Path, services: Services) -> None:
    """A value that was not there is named in the report, of its column's function alone; the registry keeps no cell."""
    lines = "".join(f"{n},2024-01-01,Quito\n" for n in range(60)) + "9,2024-01-01,\n" * 90
    report = check(place, services, rows(tmp_path / "new.csv", 1_000, 4, lines=lines))
    found = {one.kind: one for one in report.functions[0].drift}
    assert found[DriftKind.NEW_CATEGORY].value == "Quito"
    assert found[DriftKind.MORE_MISSING].now[0] == 90
    assert report.functions[1].state is ProofState.VALID  # proved after the other one, and never reads its column
    assert record(report, place) == ""
    last = [one for one in checks_in(place) if one.name == "trim_city"][-1]
    assert (last.state, last.data, last.rows) == ("stale", "new.csv", 1_150)
    assert any("more cells are missing" in text for text in last.findings)
    assert "Quito" not in last.model_dump_json()
    assert checks_in(place, name="trim_city", since=datetime.now(UTC)) == []


def test_a_function_that_raises_is_broken(tmp_path: Path, place: Path, services: Services) -> None:
    """What fails on new rows, and what lacks a column, is broken, with the row or the column."""
    function = functions_in(place)[1]
    candidate = function.candidate.model_copy(update={"source": PICKY.replace("NAME", "day")})
    picky = [function.model_copy(update={"candidate": candidate})]
    data = rows(tmp_path / "new.csv", 300, 5, lines="300,1/2/2024,Rome\n")
    report = check_proofs(open_dataset(data), picky, services)
    assert report.state is ProofState.BROKEN
    assert any(
        text.startswith("it fails on row 302 (the header is row 1): AssertionError")
        for text in report.functions[0].broken
    )
    data = rows(tmp_path / "new.csv", 300, 5, header="id,date,city")
    report = check_proofs(open_dataset(data), picky, services)
    said = "the data has no column 'day', which it needs; if it has another name here, it can be mapped to that"
    assert report.functions[0].broken == (said,)
    looks = TRIM.replace("NAME", "day").replace("    return df.assign", "    df[WORDS[0]]\n    return df.assign")
    candidate = candidate.model_copy(update={"source": f"WORDS = ['town']\n{looks}"})
    picky = [function.model_copy(update={"candidate": candidate})]
    report = check_proofs(open_dataset(rows(tmp_path / "new.csv", 300, 5)), picky, services)
    assert said.replace("day", "town") in report.functions[0].broken


def test_what_a_broken_function_left_undone_makes_no_other_stale(
    tmp_path: Path, place: Path, services: Services
) -> None:
    """Cells come as it leaves them, and so with their blanks; the control is a function of another column."""
    city, day = functions_in(place)
    source = TRIM.replace('df["NAME"] !=', 'df["town"] + df["land"] !=').replace("NAME", "city")
    first = city.model_copy(update={"candidate": city.candidate.model_copy(update={"source": source, "name": "first"})})
    lines = "".join(f"{n},01/02/2024,Quito\n" for n in range(60))
    data = rows(tmp_path / "new.csv", 300, 5, lines=lines)
    broken, after, other = check_proofs(open_dataset(data), [first, city, day], services).functions
    mapped = "which it needs; if they have other names here, they can be mapped to those"
    assert broken.broken == (f"the data has no columns 'land' and 'town', {mapped}",)
    assert (after.state, after.said) == (ProofState.VALID, ())
    assert "'city' is not compared: first, which would clean that before, is broken" in after.notes
    assert other.state is ProofState.STALE
    assert check_proofs(open_dataset(data), [city], services).state is ProofState.STALE, "the control"


def test_what_apply_would_stop_at_is_not_valid(
    tmp_path: Path, place: Path, services: Services, access: SandboxAccess
) -> None:
    """Where a function does more than its evidence allows, check says so, as apply does, also if nothing is new."""
    function = functions_in(place)[0]
    half = Effects(rows=400, columns=(ColumnEffect(name="city", cells=400, changed=200, distinct=6, lost=3),))
    verdict = function.evidence.verdict.model_copy(update={"effects": half, "baseline": None})
    evidence = function.evidence.model_copy(update={"verdict": verdict})
    known = [function.model_copy(update={"evidence": evidence})]
    data = tmp_path / "new.csv"
    for blanks, state in ((100, ProofState.VALID), (300, ProofState.STALE)):
        cities = (f"{n},2024-01-01,{' ' * (n < blanks)}Rome\n" for n in range(300))
        data.write_text("id,day,city\n" + "".join(cities))
        report = check_proofs(open_dataset(data), known, services)
        assert report.state is state
    said = "changes 300 of 300 cells of 'city' (100.0%), and 200 of 400 where it was proved"
    assert report.functions[0].beyond == (f"it {said}: beyond what apply accepts by itself",)
    with pytest.raises(ApplyDrifted, match=re.escape(said)):
        apply_functions(data, known, tmp_path / "out.csv", access)


def test_rows_that_were_set_aside_count(tmp_path: Path, place: Path, services: Services) -> None:
    """A row that is named has its number in the file, also below rows that could not be read."""
    data = rows(tmp_path / "new.csv", 200, 2, lines="200,01/02/2024,Rome\n")
    head, *rest = data.read_text().splitlines()
    data.write_text("\n".join([head, *rest[:50], "short", *rest[50:90], "short", *rest[90:]]) + "\n")
    report = check_proofs(open_dataset(data, set_aside=True), functions_in(place), services)
    assert any(
        "look like '9/9/9', which is new (row 204; the header is row 1)" in note for note in report.functions[1].notes
    )


def test_clean_rows_are_no_failure(tmp_path: Path, place: Path, services: Services) -> None:
    """A month without any mistake leaves a function nothing to do; that is said, and valid."""
    clean = tmp_path / "new.csv"
    clean.write_text("id,day,city\n" + "".join(f"{n},2024-01-{n % 28 + 1:02d},Rome\n" for n in range(50)))
    report = check(place, services, clean)
    assert [one.state for one in report.functions] == [ProofState.VALID] * 2
    assert all("it has nothing to do on these rows" in one.notes for one in report.functions)


def test_old_evidence_says_that_it_has_no_baseline(tmp_path: Path, place: Path, services: Services) -> None:
    """Functions of an older release are judged by the laws alone."""
    old = [_without_baseline(function) for function in functions_in(place)]
    report = check_proofs(open_dataset(rows(tmp_path / "new.csv", 300, 3, other=0.5)), old, services)
    assert [(one.state, one.baseline) for one in report.functions] == [(ProofState.VALID, False)] * 2
    assert all(any(note.startswith("no baseline") for note in one.notes) for one in report.functions)


def test_columns_that_are_new_or_moved(tmp_path: Path, place: Path, services: Services) -> None:
    """Both are in the report; neither makes a function stale."""
    data = tmp_path / "new.csv"
    data.write_text("city,id,day,note\n" + "".join(f"Rome,{n},2024-01-01,x\n" for n in range(30)))
    report = check(place, services, data)
    assert (report.new_columns, set(report.reordered)) == (("note",), {"city", "id", "day"})
    assert report.valid


def test_a_missing_column_is_in_the_report_with_what_may_be_it(tmp_path: Path, place: Path, services: Services) -> None:
    """So that a program can map it, as a person does who reads the terminal."""
    report = check(place, services, rows(tmp_path / "new.csv", 300, 2, header="id,day,City name"))
    assert report.suggested == {"city": "City name"}
    mapped = check_proofs(open_dataset(tmp_path / "new.csv"), functions_in(place), services, columns=report.suggested)
    assert (mapped.valid, mapped.suggested) == (True, {})


def _without_baseline(function: Promoted) -> Promoted:
    verdict = function.evidence.verdict.model_copy(update={"baseline": None})
    return function.model_copy(update={"evidence": function.evidence.model_copy(update={"verdict": verdict})})
