"""Which rows of a candidate in doubt the tester is asked about."""

from typing import Any

from orchestrator.core.candidate import Shape
from orchestrator.core.verdict import CandidateInfo, Concern, Counterexample, Outcome, Question, Verdict
from orchestrator.run.loop.rows_in_question import rows_in_question

LINES = [{"sku": "A", "price": "$5"}]


def concern(column: str, **cells: Any) -> Concern:
    shown = Counterexample(input=(cells,), output=({column: "made"},))
    return Concern(kind="figures-vanish", check="c", detail="d", settles="s", columns=(column,), counterexample=shown)


def question(column: str, row: dict[str, Any], made: Any = "made", why: str = "figures-vanish") -> Question:
    return Question(column=column, input=row, output={column: made}, why=why)


def asked(concerns: list[Concern], questions: list[Question], shape: Shape = Shape.RECORD) -> list[Any]:
    verdict = Verdict(
        candidate=CandidateInfo(name="f", sha256="0" * 64, shape=shape),
        verdict=Outcome.HOLD,
        checks=(),
        concerns=tuple(concerns),
        questions=tuple(questions),
    )
    return [(row.cells, row.columns) for row in rows_in_question(verdict)]


def test_a_list_is_asked_about_as_a_list() -> None:
    """A counterexample shows its JSON text; an example with that would be about a row that there is not."""
    shown = concern("lines", id=1, lines='[{"sku": "A", "price": "$5"}]')
    row = {"id": 1, "lines": LINES}
    assert asked([shown], [question("lines", row)]) == [(row, ("lines",))]
    assert asked([shown], []) == []
    assert asked([shown], [], Shape.TABLE) == [({"id": 1, "lines": '[{"sku": "A", "price": "$5"}]'}, ("lines",))]


def test_further_forms_that_are_in_doubt_are_asked_about_at_once() -> None:
    """With the first row settled the next form was in doubt, and nobody was asked: the right function was held."""
    texts = ["- 1 -", "Page 4 of 12", "iv", "12", "[3]"]
    rows = [{"text": text} for text in texts]
    of_text = [question("text", row, "") for row in rows]
    assert asked([concern("text", text="- 1 -")], of_text, Shape.TEXT) == [(row, ("text",)) for row in rows]


def test_each_concern_has_its_rows_among_the_eight() -> None:
    """Twenty forms in one column leave room for the column that is in doubt for another reason."""
    many = [question("a", {"a": str(n), "b": "x"}) for n in range(20)]
    found = asked(
        [concern("a", a="0", b="x"), concern("b", a="y", b="1")], [*many, question("b", {"a": "y", "b": "1"})]
    )
    assert len(found) == 8
    assert found[1] == ({"a": "y", "b": "1"}, ("b",))


def test_a_row_that_several_concerns_are_about_is_asked_about_once() -> None:
    """With all the columns that are in doubt."""
    row = {"a": "1", "b": "2"}
    assert asked([concern("a", **row), concern("b", **row)], [question("a", row), question("b", row)]) == [
        (row, ("a", "b"))
    ]


def test_what_nobody_writes_again_without_a_slip_is_not_asked_about() -> None:
    """A right function would be rejected for a slip in a long text; so is a long list."""
    long: tuple[Any, ...] = ("x" * 200, [{"price": "$5"}] * 60)
    assert [asked([concern("a", a="x")], [question("a", {"a": cell})]) for cell in long] == [[], []]


def test_of_a_wide_row_the_columns_that_matter_are_shown() -> None:
    """Those that the concern shows."""
    wide = {f"c{number}": "v" for number in range(40)}
    assert asked([concern("c3", c3="v", c5="v")], [question("c3", wide)], Shape.TABLE) == [
        ({"c3": "v", "c5": "v"}, ("c3",))
    ]
