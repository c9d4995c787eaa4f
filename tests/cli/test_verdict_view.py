"""A verdict in the terminal: what differs can be seen, without colour, however wide, whatever the cells hold."""

from pathlib import Path

import pytest

from orchestrator.cli.views import verdict_view
from orchestrator.core.jobs import SandboxInfo
from orchestrator.core.verdict import (
    CandidateInfo,
    CheckResult,
    Concern,
    Counterexample,
    DistinctChange,
    Outcome,
    Question,
    Verdict,
)
from orchestrator.run.verify.candidate_files import CandidateFile
from orchestrator.run.verify.verify import VerifiedCandidate


def _shown(capsys: pytest.CaptureFixture[str], before: object, after: object, wanted: str = "w") -> list[str]:
    shown = Counterexample(
        input=(before,) if before is not None else (),  # type: ignore[arg-type] # rows, as the tests write them
        output=(after,) if after is not None else (),  # type: ignore[arg-type] # the same
        wanted=wanted,
    )
    check = CheckResult(id="edges", outcome=Outcome.FAIL, detail="it is wrong", counterexample=shown)
    candidate = CandidateInfo(name="f", sha256="0" * 64)
    verdict = Verdict(candidate=candidate, verdict=Outcome.FAIL, checks=(check,), sandbox=SandboxInfo(image="x"))
    verdict_view.show_verdict(verdict, "f.py", brief=True)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "fail  edges: it is wrong"
    assert lines[1] == f"      wanted: {wanted}".rstrip()
    return lines[2:-2]


def test_a_new_cell_is_shown_with_those_it_is_made_of(capsys: pytest.CaptureFixture[str]) -> None:
    """`null` as `2020` tells nobody whether that is right."""
    lines = _shown(capsys, {"day": "1 May 2020"}, {"day": "1 May 2020", "year": "2020"})
    assert lines == [
        "              year    day",
        "      before  null    1 May 2020",
        "      after   → 2020  1 May 2020",
    ]


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of its own for each test, so that what it prints is caught."""
    from orchestrator.cli import console

    monkeypatch.setenv("COLUMNS", "80")
    console.stdout.cache_clear()


def test_changes_to_be_confirmed_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """The first ten, each cell visible, and what to do with all of them where the command has the option for it."""
    cells = [("a\u202e", None), ("b ", 1), *((f"x{n}", f"y{n}") for n in range(10))]
    asked = tuple(Question(column="c", input={"c": one}, output={"c": two}, why="w") for one, two in cells)
    held = Verdict(candidate=CandidateInfo(name="f", sha256="0" * 64), verdict=Outcome.HOLD, checks=(), questions=asked)
    verdict_view.show_verdict(held, "f.py")
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0].startswith("to be confirmed: 12 changes (the first 10 of them here); --questions FILE writes them")
    assert lines[1:4] == ["      column  before   after", r"      c       a\u202e  null", "      c       'b '     1"]
    assert lines[11] == "      c       x7       y7"
    verdict_view.show_verdict(held)  # as `registry show`, `import`, `adopt` and `verify` do
    assert "--questions" not in capsys.readouterr().out


def test_filled_cell_is_listed_with_its_row(capsys: pytest.CaptureFixture[str]) -> None:
    """Whether nothing should become this can only be told from the row."""
    asked = (Question(column="c", input={"c": "", "age": 7}, output={"c": "child"}, why="w"),)
    held = Verdict(candidate=CandidateInfo(name="f", sha256="0" * 64), verdict=Outcome.HOLD, checks=(), questions=asked)
    verdict_view.show_verdict(held, brief=True)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[:3] == [
        "to be confirmed: 1 change",
        "      column  before  after  in the row",
        "      c       ''      child  age: 7",
    ]


def test_what_the_function_reads_stands_in_front_of_the_row() -> None:
    """Evidence sorts the cells of a row by name, and a line has room for a few."""
    question = Question(column="year", input={"a": 1, "b": 2, "day": 3}, output={"year": 4}, why="w", reads=("day",))
    assert list(question.beside) == ["day", "a", "b"]


def test_the_change_of_a_new_column_names_what_it_is_made_of() -> None:
    """Of a column that was there its own two cells are enough."""

    def change(column: str) -> str:
        shown = Counterexample(input=({"day": "1.2.", "x": 1},), output=({"day": "1.2.", "x": 2, "year": 3},))
        return Concern(kind="k", check="c", detail="d", settles="s", columns=(column,), counterexample=shown).change

    assert change("year") == "{'day': '1.2.', 'x': 1} → {'year': 3}"
    assert change("x") == "{'x': 1} → {'x': 2}"


def test_changed_cells_carry_an_arrow(capsys: pytest.CaptureFixture[str]) -> None:
    """And columns in which nothing changed are left out."""
    assert _shown(capsys, {"a": "x", "b": "Bonn"}, {"a": "x", "b": "Kiel"}) == [
        "              b",
        "      before  Bonn",
        "      after   → Kiel",
    ]


@pytest.mark.parametrize(
    ("before", "after", "cells"),
    [
        (1, "1", ("1", "→ '1'")),
        ("a", "a ", ("a", "→ 'a '")),
        ("", None, ("''", "→ null")),
        ("a", "a\u00a0", ("a", r"→ 'a\xa0'")),
        ("a", "\x1b[31m\u202eb", ("a", r"→ \x1b[31m\u202eb")),
        ("[bold]", "[/bold]", ("[bold]", "→ [/bold]")),
        (1.0, 1, ("1.0", "→ 1")),
    ],
)
def test_what_differs_looks_different(
    capsys: pytest.CaptureFixture[str], before: object, after: object, cells: tuple[str, str]
) -> None:
    """Types, blanks at the end, what cannot be seen, and words that mean something to a terminal."""
    _, one, other = _shown(capsys, {"a": before}, {"a": after})
    assert (one.removeprefix("      before").strip(), other.removeprefix("      after").strip()) == cells


def test_rows_that_are_gone_or_new_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a result there is an input; without an input there is no row before."""
    assert _shown(capsys, {"a": "x"}, None) == ["             a", "      input  x"]
    assert _shown(capsys, None, {"a": "x"})[1] == "      before  (no row)"


def test_long_cells_are_cut_where_they_begin_to_differ(capsys: pytest.CaptureFixture[str]) -> None:
    """The change is what must be seen, not the beginning."""
    text = "word " * 30
    _, one, other = _shown(capsys, {"a": f"{text}old"}, {"a": f"{text}new"})
    assert one.endswith("old")
    assert other.endswith("new")


def test_many_wide_columns_are_turned(capsys: pytest.CaptureFixture[str]) -> None:
    """A line per column, where they would not fit side by side."""
    row = {f"a_column_with_a_long_name_{i}": f"value {i} of many" for i in range(8)}
    lines = _shown(capsys, row, {name: value.upper() for name, value in row.items()})
    assert lines[0].split() == ["before", "after"]
    assert lines[1].split(maxsplit=1) == ["a_column_with_a_long_name_0", "value 0 of many  → VALUE 0 OF MANY"]
    assert max(map(len, lines)) <= 80


def test_a_held_function_shows_what_would_settle_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Concerns are grouped by kind, each with its rows; of several about one cell the first says what settles it."""
    concerns = tuple(
        Concern(
            kind=kind,
            check="keeps-information",
            detail=f"d{n}",
            settles=f"s{cell}",
            columns=("a",),
            counterexample=Counterexample(input=({"a": cell, "b": "x"},), output=({"a": cell[1:], "b": "x"},)),
        )
        for n, (kind, cell) in enumerate([("sign", "-1"), ("figures-vanish", "-1"), ("sign", "-2")])
    )
    verdict = Verdict(
        candidate=CandidateInfo(name="f", sha256="0" * 64),
        verdict=Outcome.HOLD,
        checks=(CheckResult(id="keeps-information", outcome=Outcome.HOLD, detail="d0"),),
        concerns=concerns,
    )
    verdict_view.show_verdict(verdict, "f.py", brief=True)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if line.startswith("hold")][:3] == [
        "hold  figures-vanish: d1", "hold  sign: d0, in the same cell", "hold  sign: d2",
    ]  # fmt: skip
    assert [line.strip() for line in lines if "settle" in line] == ["to settle it: s-1", "to settle it: s-2"]
    assert lines[1:5] == ["      to settle it: s-1", "              a", "      before  -1", "      after   → 1"]


def test_no_confirmation_is_asked_for_what_failed(capsys: pytest.CaptureFixture[str]) -> None:
    """Beside a failure, "to settle it" read like the way to get the function through."""
    for outcome, settles in ((Outcome.HOLD, True), (Outcome.FAIL, False)):
        verdict_view.show_verdict(_held().model_copy(update={"verdict": outcome, "questions": ()}))
        said = capsys.readouterr().out
        assert ("word-replaced" in said, "to settle it" in said) == (True, settles)


def test_the_summary_says_first_what_failed(capsys: pytest.CaptureFixture[str]) -> None:
    """A concern, which is judged earlier, does not reject a function and stands behind the check that does."""
    checks = (
        CheckResult(id="keeps-information", outcome=Outcome.HOLD, detail="a doubt"),
        CheckResult(id="edges", outcome=Outcome.FAIL, detail="it is wrong"),
        CheckResult(id="pure", outcome=Outcome.FAIL, detail="it is not"),
    )
    verdict = Verdict(candidate=CandidateInfo(name="f", sha256="0" * 64), verdict=Outcome.FAIL, checks=checks)
    verdict_view.show_summary([VerifiedCandidate(CandidateFile(Path("f.py")), verdict)], 1.0)
    assert "edges: it is wrong (and 2 more)" in capsys.readouterr().out


def test_the_helper_modules_of_a_function_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """With the beginning of the hash of the text that it was proved with."""
    candidate = CandidateInfo(name="f", sha256="0" * 64)
    helpers = {"cleanroom_dates_v1": "353b2b558796" + "0" * 52}
    verdict_view.show_verdict(Verdict(candidate=candidate, verdict=Outcome.PASS, checks=(), helpers=helpers))
    assert "proved with cleanroom_dates_v1 353b2b558796" in capsys.readouterr().out.splitlines()


def test_the_end_of_a_long_cell_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    """Both sides were cut after sixty characters: a changed word behind them was confirmed unseen."""
    note = "the team wrote down what had been said about the plan " * 5
    before, after = f" {note}and approved it", f"{note}and rejected it"
    asked = (Question(column="note", input={"note": before}, output={"note": after}, why="w"),)
    held = Verdict(candidate=CandidateInfo(name="f", sha256="0" * 64), verdict=Outcome.HOLD, checks=(), questions=asked)
    verdict_view.show_verdict(held)
    shown = capsys.readouterr().out
    assert ("approved" in shown, "rejected" in shown) == (True, True)


def test_a_concern_shows_its_column_first_however_many_differ(capsys: pytest.CaptureFixture[str]) -> None:
    before, after = ({f"c{n}": text for n in range(10)} for text in ("a", "b"))
    concern = Concern(
        kind="word-replaced",
        check="keeps-information",
        detail="a word becomes another word",
        settles="Confirm it.",
        columns=("c9",),
        counterexample=Counterexample(input=(before,), output=(after,)),
    )
    held = Verdict(
        candidate=CandidateInfo(name="f", sha256="0" * 64),
        verdict=Outcome.HOLD,
        checks=(CheckResult(id="keeps-information", outcome=Outcome.HOLD, concerns=(concern,)),),
        concerns=(concern,),
    )
    verdict_view.show_verdict(held)
    titles = next(line.split() for line in capsys.readouterr().out.splitlines() if "c9" in line)
    assert titles[0] == "c9"


def _held(changes: tuple[DistinctChange, ...] = ()) -> Verdict:
    pair = Counterexample(input=({"id": 4, "city": "Köln"},), output=({"id": 4, "city": "Cologne"},))
    concern = Concern(
        kind="word-replaced", check="keeps-information", detail="a word becomes another word, on the sample",
        settles="Confirm it.", columns=("city",), counterexample=pair, rows=51,
    )  # fmt: skip
    question = Question(column="city", input={"city": "Köln"}, output={"city": "Cologne"}, why="word-replaced")
    return Verdict(
        candidate=CandidateInfo(name="f", sha256="0" * 64, modifies=("city",)), verdict=Outcome.HOLD, checks=(),
        concerns=(concern,), questions=(question,), samples=(pair, pair, pair), rows_changed=38, changes=changes,
    )  # fmt: skip


def test_a_change_is_listed_once_with_its_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """How many rows have it, and the rest of the first one, by which a person finds it."""
    first = Counterexample(input=({"id": 4, "city": "Köln"},), output=({"id": 4, "city": "Cologne"},))
    verdict_view.show_samples(_held((DistinctChange(column="city", rows=38, first=first),)), "")
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "38 rows of the sample change, held-out rows not counted:",
        "      column  before  after    rows  in the first of them",
        "      city    Köln    Cologne    38  id: 4",
    ]


def test_what_the_function_reads_stands_first_beside_a_change(capsys: pytest.CaptureFixture[str]) -> None:
    """What decides was cut off behind columns that say nothing."""
    row = {"city": "Köln", "note": "x", "depot": "DP04"}
    first = Counterexample(input=(row,), output=(row | {"city": "Bonn"},))
    held = _held((DistinctChange(column="city", rows=1, first=first),))
    for source, begins in (("OTHERS = ['depot']", "depot: DP04, note: x"), ("", "note: x, depot: DP04")):
        verdict_view.show_samples(held, source)
        assert begins in capsys.readouterr().out


@pytest.mark.parametrize("asked", [True, False])
def test_figures_say_whether_held_out_rows_count(capsys: pytest.CaptureFixture[str], asked: bool) -> None:
    """51 rows of a concern stood beside 38 that change; evidence of older releases has samples and no changes."""
    verdict_view.show_concerns(_held(), asked=asked)
    verdict_view.show_samples(_held(), "")
    said = " ".join(capsys.readouterr().out.split())
    assert "on the sample (51 rows, held-out rows included)" in said
    assert "38 rows of the sample change, held-out rows not counted; for example:" in said
    assert said.count("Köln") == (3 if asked else 4), "where a question shows the cells, the concern does not again"
