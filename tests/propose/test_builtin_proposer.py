"""The built-in proposer as a Proposer: what it answers, in which order, and what it does when it is refused."""

from datetime import UTC, datetime
from time import process_time
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate
from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.proposals import ChunkStatus
from orchestrator.core.requests import PromotedSummary, ProposalRequest, RejectedCandidate, RepairRequest
from orchestrator.core.steps import VerificationStep
from orchestrator.core.verdict import CandidateInfo, CheckResult, Concern, Counterexample, Outcome, Verdict
from orchestrator.gate.candidate_file import read
from orchestrator.gate.screen import problems
from orchestrator.propose.builtin import BuiltinProposer
from tests.propose.builtin_help import ask, column, load, settle

if TYPE_CHECKING:
    from orchestrator.core.ports import Proposer

MESSY = column([" a", "b", "c ", "d"], "left", right=["x ", "y", "z", " w"], n=["1", "2", "N/A", "4"])

MEASURES = column(["12 kg", "13", "14 kg", "15"] * 5, "w", h=["1.5 cm", "2.5", "3.5 cm", "4.5"] * 5)


def request(frame: pd.DataFrame, *rejected: Candidate) -> ProposalRequest:
    given_up = tuple(RejectedCandidate(**dict(one)) for one in rejected)
    return ProposalRequest(pa.Table.from_pandas(frame, preserve_index=False), rejected=given_up)


def refusal(candidate: Candidate, *counterexamples: Counterexample) -> Verdict:
    checks = tuple(
        CheckResult(id="precise", outcome=Outcome.FAIL, counterexample=example) for example in counterexamples
    )
    return Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.FAIL, checks=checks)


def test_it_is_a_proposer() -> None:
    """The port's name is "builtin"."""
    proposer: Proposer = BuiltinProposer()
    assert proposer.name == "builtin"


def test_an_answer_lists_the_issues_and_one_candidate() -> None:
    """Characters come before meanings; the candidate says what it modifies and shows real cells."""
    answer = ask(MESSY)
    assert answer.chunk_status is ChunkStatus.NEEDS_WORK
    assert [issue.id for issue in answer.issues] == ["trim_blanks", "blank_null_words_in_n"]
    candidate = read(answer.source or "")
    assert candidate.name == "trim_blanks"
    assert candidate.contract.modifies == ("left", "right")
    for example in candidate.contract.examples:
        assert any(example.input.items() <= row.items() for row in MESSY.to_dict("records"))
    assert answer.usage.cost_usd == 0.0


def test_the_same_rows_get_the_same_answer() -> None:
    """Sources are reproducible to the byte."""
    assert ask(MESSY).source == ask(MESSY).source


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(),
        column([]),
        column([None, None]),
        column(["", " x".strip()]),
        column(["only"]),
        pd.DataFrame({"n": [1, 2], "f": [0.5, None], "d": pd.to_datetime(["2024-01-01", "2024-01-02"])}),
        pd.DataFrame({"l": [[" a"], ["b "]], "s": [{"k": " v"}, {"k": "w"}]}),
    ],
)
def test_rows_without_messy_text_are_clean(frame: pd.DataFrame) -> None:
    """Empty tables, null columns, numbers, dates and nested values: nothing is proposed."""
    answer = ask(frame)
    assert answer.source is None
    assert answer.chunk_status is ChunkStatus.CLEAN
    assert answer.issues == ()


def test_what_was_rejected_is_not_proposed_again() -> None:
    """A given-up function is skipped for its columns; the next issue takes its place, and then nothing is left."""
    first = read(ask(MESSY).source or "")
    second = read(BuiltinProposer().analyse(request(MESSY, first)).source or "")
    assert second.name == "blank_null_words_in_n"
    last = BuiltinProposer().analyse(request(MESSY, first, second))
    assert last.source is None


def test_a_function_of_a_taken_name_gets_another_one() -> None:
    """A second chunk's function for the same issue does not clash with the first one's."""
    assert read(ask(MESSY, promoted=("trim_blanks",)).source or "").name == "trim_blanks_2"


def test_repair_leaves_out_the_column_of_the_counterexample() -> None:
    """The refused function comes back for the other columns."""
    source = ask(MESSY).source or ""
    example = Counterexample(input=({"left": " a", "right": "y"},), output=({"left": "a", "right": "y"},))
    verdict = refusal(read(source), example)
    answer = BuiltinProposer().repair(RepairRequest(request(MESSY), source, "", verdict))
    assert read(answer.source or "").contract.modifies == ("right",)
    again = BuiltinProposer().repair(
        RepairRequest(
            request(MESSY),
            answer.source or "",
            "",
            refusal(read(source), Counterexample(input=({"right": "x "},), output=({"right": "x"},))),
        )
    )
    assert again.source is None


def test_columns_share_a_function_with_settings_of_their_own() -> None:
    """One function for all of a few columns; what it does to each is what its own function would do."""
    source = ask(MEASURES).source or ""
    emitted = load(source)
    assert emitted.candidate.contract.modifies == ("w", "h")
    cleaned = emitted.clean(MEASURES)
    for name in MEASURES:
        alone = load(ask(MEASURES[[name]]).source or "")
        assert list(alone.clean(MEASURES[[name]])[name]) == list(cleaned[name])
    assert not emitted.detect(cleaned).any()


def test_many_columns_with_the_same_settings_share_a_function_though_others_have_their_own() -> None:
    """Six columns of days and six of prices, turn by turn, took three functions, each of four columns as they came."""
    cells = {
        "day": [f"2024-03-{n:02}" for n in range(1, 31)] + ["n/a"],
        "price": [str(n) for n in range(3, 33)] + ["-"],
    }
    frame = pd.DataFrame({f"{kind}_{n}": cells[kind] for n in range(6) for kind in cells}, dtype=str)
    cleaned, emitted = settle(frame)
    modified = [one.candidate.contract.modifies for one in emitted]
    assert modified == [tuple(f"{kind}_{n}" for n in range(6)) for kind in cells]
    assert set(cleaned.iloc[-1]) == {""}


def test_what_is_rejected_together_is_tried_column_by_column() -> None:
    """A fault of one column does not lose the repair of the others."""
    together = read(ask(MEASURES).source or "")
    alone = read(BuiltinProposer().analyse(request(MEASURES, together)).source or "")
    assert (together.contract.modifies, alone.contract.modifies) == (("w", "h"), ("w",))
    other = read(BuiltinProposer().analyse(request(MEASURES, together, alone)).source or "")
    assert other.contract.modifies == ("h",)
    assert BuiltinProposer().analyse(request(MEASURES, together, alone, other)).source is None


def test_a_column_in_doubt_is_left_out_and_then_proposed_alone() -> None:
    """So a person decides about that column only; what is in doubt as a whole is not proposed in parts."""
    source = ask(MEASURES).source or ""
    concern = Concern(kind="k", check="precise", detail="d", settles="s", columns=("w",))
    held = Verdict(candidate=CandidateInfo.of(read(source)), verdict=Outcome.HOLD, checks=(), concerns=(concern,))
    before = request(MEASURES)
    narrower = BuiltinProposer().repair(RepairRequest(before, source, "", held)).source or ""
    assert read(narrower).contract.modifies == ("h",)
    history = (VerificationStep(at=datetime.now(UTC), chunk=0, iteration=1, verdict=held),)
    assert BuiltinProposer().analyse(before._replace(iteration=2, history=history)).source is None
    promoted = (PromotedSummary(name=read(narrower).name, docstring=""),)
    cleaned = pa.Table.from_pandas(load(narrower).clean(MEASURES), preserve_index=False)
    after = before._replace(rows=cleaned, iteration=2, history=history, promoted=promoted)
    assert read(BuiltinProposer().analyse(after).source or "").contract.modifies == ("w",)


def test_repair_gives_up_without_a_counterexample() -> None:
    """Nothing to go by: no second try."""
    source = ask(MESSY).source or ""
    answer = BuiltinProposer().repair(RepairRequest(request(MESSY), source, "", refusal(read(source))))
    assert answer.source is None


@pytest.mark.parametrize(
    "name",
    [
        'a"""\nimport os\nb',
        "it's \\ odd",
        "größe (€)",
        "{braces} %s",
        "1",
        "",
        "a b",
        "\u202eabc",
        "x" * 300,
    ],
)
def test_column_names_are_only_ever_data(name: str) -> None:
    """No column name breaks out of the literals and docstrings of the source."""
    cleaned, emitted = settle(column([" a", "b "], name))
    assert list(cleaned[name]) == ["a", "b"]
    assert [e.candidate.name for e in emitted] == ["trim_blanks"]


def test_a_column_named_as_a_special_attribute_is_refused_by_the_screen() -> None:
    """Its name is a text of the source, from which code can reach the attribute."""
    source = ask(column([" a", "b "], "__class__")).source
    assert source is not None
    refused = problems(read(source), ScreenPolicy())
    assert refused
    assert all("the text '__class__' names a special attribute" in why for why in refused)


def test_cells_are_only_ever_data() -> None:
    """Cells that look like code end in string literals."""
    evil = 'import os """ print(open) \\'
    cells = [evil] * 20 + ["plain words"] * 20 + [evil.upper()] * 2
    _, emitted = settle(column(cells))
    assert emitted
    for each in emitted:
        assert problems(each.candidate, ScreenPolicy()) == []


def test_duplicate_column_names_are_left_alone() -> None:
    """A column that cannot be addressed by its name is not touched."""
    rows = pa.table([pa.array([" a"]), pa.array([" b"]), pa.array([" c"])], names=["x", "x", "y"])
    answer = BuiltinProposer().analyse(ProposalRequest(rows))
    assert read(answer.source or "").contract.modifies == ("y",)


def test_what_is_learnt_holds_for_rows_that_were_not_seen() -> None:
    """A function learnt from some rows repairs the same kinds of mess in others."""
    cities = ["Springfield"] * 30 + ["Hamilton"] * 30
    source = ask(column([*cities, "Sprngfield", "Hamlton"])).source or ""
    unseen = column(["Springfeld", "HAMILTON", "Hamilton", "Nowhere"])
    assert list(load(source).clean(unseen)["value"]) == ["Springfield", "Hamilton", "Hamilton", "Nowhere"]


@pytest.mark.parametrize(
    "cell", [" " * 100_000 + "x", "x" * 100_000, "0." + "0" * 100_000, "<a" * 50_000, "&amp;" * 20_000]
)
def test_huge_cells_cost_no_more_than_their_length(cell: str) -> None:
    """No rule and no emitted function is quadratic in the length of a cell."""
    started = process_time()
    for neighbours in (["a b", "c  d", "e"], ["1", "2.0", "$3"], ["Springfield"] * 20 + ["Sprngfield", "Springfeld"]):
        settle(column([*neighbours, cell, cell[:-1] + "y"]))
    assert process_time() - started < 10


def test_a_wide_table_is_read_in_reasonable_time() -> None:
    """500 columns of 300 rows."""
    wide = pd.DataFrame({f"c{n}": [f"v{(row * n) % 13}" for row in range(300)] for n in range(500)}, dtype=str)
    started = process_time()
    assert ask(wide).source is None
    assert process_time() - started < 20


def test_a_column_in_which_nothing_is_to_be_corrected_is_not_named() -> None:
    """A tidy list of words was said to be misspelt, and shared the function, where another column needed it."""
    frame = column(["Springfield"] * 30 + ["Hamilton"] * 29 + ["HAMILTON"], "city", kind=["Visit", "Letter"] * 30)
    issue = ask(frame).issues[0]
    assert issue.columns == ("city",)
    assert "kind" not in issue.description


def test_many_columns_with_long_names_share_functions_that_are_not_too_long() -> None:
    """No source is longer than the screen allows, and all columns are cleaned: a survey with a question per column."""
    cells = ["Yes", "yes", "No", "Y", "no", "Yes", "No", "Yes"] * 4
    names = [f"question number {n} of the survey of customers" for n in range(700)]
    frame = pd.DataFrame(dict.fromkeys(names, cells), dtype=str)
    cleaned, emitted = settle(frame)
    assert {cell for name in names for cell in cleaned[name]} == {"Yes", "No"}
    assert 1 < len(emitted) < 15
