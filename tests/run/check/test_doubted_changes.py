"""A function that does to some cells of the data what the gate would have doubted: that is said, or stops the apply."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.candidate import Candidate, Contract, Example, Shape
from orchestrator.core.errors import ApplyDrifted
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.steps.run_steps import DataDrift
from orchestrator.core.verdict import CandidateInfo, Concern, Outcome, Verdict
from orchestrator.core.witnesses import Witnesses
from orchestrator.run.apply.apply import apply_functions

Apply = Callable[..., tuple[DataDrift, ...]]
CITIES = ("Paris", " Rome", "Berlin ", "  Madrid")
SLEEPER = "return df.assign(city=df['city'].str.strip().where(df['n'] != '777', 'Moscow'))"
STRIP = "return df.assign(city=df['city'].str.strip())"


def promoted(
    body: str, concerns: tuple[Concern, ...] = (), examples: tuple[Example, ...] = (), **contract: Any
) -> Promoted:
    source = f"import pandas as pd\n\ndef clean(df):\n    {body}\n"
    contract = {"modifies": ("city",)} | contract
    candidate = Candidate(source=source, name="clean", contract=Contract(**contract), has_detect=False)
    outcome = Outcome.HOLD if concerns else Outcome.PASS
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=outcome, checks=(), concerns=concerns)
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test", witnesses=Witnesses(examples=examples))
    signed = ("signed",) if examples else ()
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC), envelopes=signed)


@pytest.fixture
def apply(tmp_path: Path, access: SandboxAccess) -> Apply:
    """What was doubted of 1,000 rows in batches of 100."""

    def run(
        function: Promoted, cells: tuple[str, ...] = CITIES, data: Path | None = None, **options: Any
    ) -> tuple[DataDrift, ...]:
        if data is None:
            data = tmp_path / "data.csv"
            data.write_text("city,n\n" + "".join(f"{cells[row % len(cells)]},{row}\n" for row in range(1000)))
        outcome = apply_functions(data, [function], tmp_path / "out.csv", access, batch_rows=100, **options)
        return tuple(one for one in outcome.data_drift if one.kind == "doubted-change")

    return run


def test_one_cell_of_all_that_becomes_something_else_is_named(apply: Apply, tmp_path: Path) -> None:
    """The row is in the eighth batch, and none like it was in those before."""
    (doubt,) = apply(promoted(SLEEPER))
    assert (doubt.function, doubt.column) == ("clean", "city")
    assert doubt.said.endswith("' Rome' → 'Moscow'")
    assert "Moscow" in (tmp_path / "out.csv").read_text()


def test_with_strict_nothing_is_written(apply: Apply, tmp_path: Path) -> None:
    """The message names the change and what would settle it."""
    with pytest.raises(ApplyDrifted, match=r"The gate doubts what clean does here: 'city': .*'Moscow'") as stopped:
        apply(promoted(SLEEPER), refuse_doubts=True)
    assert "--drift stop" in stopped.value.advice
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv"]


@pytest.mark.parametrize("cells", [CITIES, ("Paris", " New York", "\tSt. Louis", "O'Fallon ", "77 Sunset  ")])
def test_nothing_is_said_of_a_right_function(apply: Apply, cells: tuple[str, ...]) -> None:
    """Positive control: also of values that no other month has had."""
    assert apply(promoted(STRIP), cells, refuse_doubts=True) == ()


def test_what_a_user_has_shown_is_not_doubted(apply: Apply) -> None:
    """The example is signed with the evidence."""
    shown = Example(input={"city": " Rome", "n": "777"}, output={"city": "Moscow", "n": "777"})
    assert apply(promoted(SLEEPER, examples=(shown,)), refuse_doubts=True) == ()


def test_what_a_person_has_approved_is_not_said_again(apply: Apply) -> None:
    """The verdict has the concern: somebody has settled it, or the function would not be in use."""
    (doubt,) = apply(promoted(SLEEPER))
    concern = Concern(kind=doubt.value, check="keeps-information", detail="", settles="", columns=("city",))
    said = [one.value for one in apply(promoted(SLEEPER, concerns=(concern,)))]
    assert doubt.value not in said


def test_a_fault_of_the_gate_s_own_is_told_and_loses_nothing(
    apply: Apply, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who refuses doubts is not to go on without knowing."""

    def broken(*_: object) -> None:
        raise IndexError

    monkeypatch.setattr("orchestrator.run.rows.row_doubts.row_doubts", broken)
    (said,) = apply(promoted(STRIP))
    assert "could not be looked at (IndexError)" in said.said
    assert (tmp_path / "out.csv").is_file()
    with pytest.raises(ApplyDrifted, match="could not be looked at"):
        apply(promoted(STRIP), refuse_doubts=True)


def test_functions_that_the_gate_has_seen_on_all_rows_are_left_out(apply: Apply) -> None:
    """A run that has looked at nearly all rows of its file need not look again."""
    assert apply(promoted(SLEEPER), proved_on_it={"clean"}) == ()


@pytest.mark.parametrize("spoilt", ["a875.17", "a8771.5", "=a877.15", "\u0430877.15"])
def test_a_cell_that_looks_like_the_others_is_named(apply: Apply, spoilt: str) -> None:
    """Two figures change places, a point moves, a formula, a letter of another script."""
    body = f"return df.assign(city=df['city'].str.strip().where(df['n'] != '777', {spoilt!r}))"
    (doubt,) = apply(promoted(body), tuple(f" a{100 + number}.15" for number in range(1000)))
    assert doubt.said.endswith(f"' a877.15' → {spoilt!r}")


def test_functions_of_records_are_looked_at_as_well(apply: Apply) -> None:
    """Of 1,000 records one is spoilt."""
    body = "return df | {'city': 'Moscow' if df['n'] == '777' else df['city'].strip()}"
    (doubt,) = apply(promoted(body, shape=Shape.RECORD))
    assert doubt.said.endswith("' Rome' → 'Moscow'")


def test_a_cell_that_is_emptied_is_doubted(apply: Apply) -> None:
    """What held something holds nothing any more."""
    body = "return df.assign(city=df['city'].str.strip().where(df['n'] != '777', ''))"
    (doubt,) = apply(promoted(body))
    assert "' Rome' → ''" in doubt.said


DROPS = "return df[(df['city'].fillna('').str.strip() != '') & (df['n'] != '777')]"
GONE = Example(input={"city": "Oslo", "n": "777"}, output=None)


@pytest.fixture
def with_blank_lines(tmp_path: Path) -> Path:
    """1,000 rows, of which each fifth holds nothing."""
    cells = (",\n" if row % 5 == 0 else f"Oslo,{row}\n" for row in range(1000))
    (tmp_path / "rows.csv").write_text("".join(["city,n\n", *cells]))
    return tmp_path / "rows.csv"


def test_a_dropped_row_that_holds_something_is_named(apply: Apply, with_blank_lines: Path) -> None:
    """Where it was proved, the function dropped blank lines."""
    (doubt,) = apply(promoted(DROPS, drops_rows=True), data=with_blank_lines)
    assert (doubt.value, doubt.column, doubt.now) == ("rows-dropped", "", (1, 201))
    assert doubt.said.endswith("nobody asked for: {'city': 'Oslo', 'n': '777'}")
    with pytest.raises(ApplyDrifted, match="it drops rows with values"):
        apply(promoted(DROPS, drops_rows=True), data=with_blank_lines, refuse_doubts=True)


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("return df[df['city'].fillna('').str.strip() != '']", {}),
        (DROPS, {"examples": (GONE,)}),
        (DROPS, {"concerns": (Concern(kind="rows-dropped", check="keeps-information", detail="", settles=""),)}),
    ],
    ids=["blank", "shown", "approved"],
)
def test_rows_that_may_go_are_not_doubted(
    apply: Apply, with_blank_lines: Path, body: str, more: dict[str, Any]
) -> None:
    """Lines without anything, those that are shown, and what a person has approved."""
    assert apply(promoted(body, drops_rows=True, **more), data=with_blank_lines, refuse_doubts=True) == ()


def test_one_column_of_very_many_is_found(tmp_path: Path, access: SandboxAccess) -> None:
    """Blanks go from 60 columns, of which not all are looked at: first those in which letters become other ones."""
    names = [f"c{number}" for number in range(60)]
    rows = [",".join(f" Rome {row}" for _ in names) for row in range(100)]
    (tmp_path / "data.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    spoils = "out['c57'] = out['c57'].where(out['c57'] != 'Rome 77', 'Moscow')"
    body = f"out = df.apply(lambda cells: cells.str.strip())\n    {spoils}\n    return out"
    function = promoted(body, modifies=tuple(names))
    outcome = apply_functions(tmp_path / "data.csv", [function], tmp_path / "out.csv", access)
    assert [one.said.rpartition(": ")[2] for one in outcome.data_drift] == ["' Rome 77' → 'Moscow'"]
