"""Where a prompt spends its words: on the columns that matter, and on the cells that are odd."""

import json
from typing import Any

import pyarrow as pa
import pytest

from benchmarks.prompt_size import INSTRUCTION, PLANTED, shown, table, tokens
from orchestrator.core.candidate import Shape
from orchestrator.core.requests import PromotedSummary, ProposalRequest
from orchestrator.data.record_tables import from_table
from orchestrator.propose.privacy.privacy_view import view_of
from orchestrator.propose.prompting.cell_facts import exact_pattern, extremes, null_words, signs
from orchestrator.propose.prompting.focus import still_found
from orchestrator.propose.prompting.form_kinds import kind_of, merged, mixed_forms
from orchestrator.propose.prompting.prompt_context import ContextLimits, analysis_values
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.scripted_models import ScriptedChat

CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
BEFORE = 8_299  # tokens of the same prompt in the version before columns were chosen
WIDE = pa.table(
    {
        **{f"c{n}": ["same"] * 100 for n in range(12)},
        "phone": [f"+49 30 {n:07d}" for n in range(99)] + ["030/12"],
        "status": [f"state {n % 40}" for n in range(100)],
        "amount": ["1.50"] * 97 + ["-3.25", "n/a", "1200"],
    }
)


def told(request: ProposalRequest, label: str) -> Any:
    text = str(analysis_values(request, ContextLimits())[label])
    return json.loads("\n".join(text.split("\n")[1:-1]))


def columns(request: ProposalRequest) -> dict[str, Any]:
    return {about["column"]: about for about in told(request, "columns")}


def test_a_wide_table_costs_half_and_shows_every_planted_cell() -> None:
    """Twenty columns, three of them named: half of the tokens, and no rare cell stays unseen."""
    chat = ScriptedChat([CLEAN] * 3)
    ModelProposer(chat, protocol="xml").analyse(ProposalRequest(table(), INSTRUCTION))
    asked = chat.asked[0].messages
    assert tokens(*asked) < 0.6 * BEFORE
    assert shown(asked[1].content) == sum(map(len, PLANTED.values()))


def test_a_named_column_is_told_in_full_and_the_others_in_a_line() -> None:
    """All values of a column with few, exact lengths, both ends, signs, null words; of the others next to nothing."""
    about = columns(ProposalRequest(WIDE, "Tidy phone and the state of each row (status)."))
    assert len(about["status"]["frequent"]) == 40
    assert ["+99 99 9{7}", 99, "+49 30 0000000"] in about["phone"]["patterns"]
    assert about["phone"]["signs"] == " +/"
    assert (about["amount"]["smallest"], about["amount"]["largest"]) == ("-3.25", "1200")
    assert about["amount"]["null_words"] == [["n/a", 1]]
    assert about["amount"]["left"] == "1 null word, 3 cells in 3 rare forms"
    assert about["c3"] == {
        "column": "c3", "type": "string", "distinct": 1, "patterns": [["aaa+", 100]], "frequent": ["same"],
    }  # fmt: skip
    assert told(ProposalRequest(WIDE, "Tidy phone."), "rows")["columns"] == ["phone", "amount"]


def test_a_question_about_columns_shows_these_in_full() -> None:
    """A repair or a tester's question spends nothing on the columns that it is not about."""
    request = ProposalRequest(WIDE, "Tidy phone.", focus=("c1",))
    assert [name for name, about in columns(request).items() if "blank" in about or "signs" in about] == []
    assert told(request, "rows")["columns"] == ["c1"]


def test_every_value_of_a_small_column_and_every_rare_form_has_its_row() -> None:
    """What is odd stands in a row of its own, with its neighbours."""
    rows = told(ProposalRequest(WIDE, "Tidy phone and amount."), "rows")["rows"]
    assert {"030/12"} <= {row[0] for row in rows}
    assert {"1.50", "-3.25", "n/a", "1200"} <= {row[1] for row in rows}


def test_facts_of_cells() -> None:
    """Runs are counted, numbers in texts compared as numbers, signs listed by how often they occur."""
    assert exact_pattern("ABCD-12345 x") == "A{4}-9{5} a"
    assert (exact_pattern(None), exact_pattern(float("nan"))) == ("null", "NaN")
    assert extremes(["9", "10.5", "1,000"]) == ("9", "1,000")
    assert extremes([3, None, -1]) == (-1, 3)
    assert extremes(["a", "1"]) is None
    assert extremes([]) is None
    assert signs(["a-b", "c-d e", None]) == "- "
    assert null_words(["N/A", "n/a", " - ", "x", None]) == [("N/A", 1), ("n/a", 1), (" - ", 1)]


def dates(others: int, of: int = 1_000) -> list[str]:
    """Dates of which so many are in another format."""
    odd = [f"{13 + n % 15}.0{1 + n % 9}.{2000 + n % 25}" for n in range(others)]
    return odd + [f"{2000 + n % 25}-0{1 + n % 9}-{13 + n % 15}" for n in range(of - others)]


@pytest.mark.parametrize("others", [1, 10, 20, 50, 60, 100, 300, 500])
def test_a_second_format_is_told_at_any_share(others: int) -> None:
    """In the line of a column, with its cells and one of them, as the usual one is."""
    rows = pa.table({**{f"c{n}": ["same"] * 1_000 for n in range(9)}, "joined": dates(others)})
    line = columns(ProposalRequest(rows, "", focus=("c1",)))["joined"]
    assert "signs" not in line
    assert {tuple(one) for one in line["patterns"]} == {
        ("999+-99-99", 1_000 - others, "2000-01-13"), ("99.99.999+", others, "13.01.2000"),
    }  # fmt: skip


def test_free_places_in_full_go_to_columns_that_mix_forms() -> None:
    """Behind those in which the host finds something; words and numbers of any length and number mix nothing."""
    rows = pa.table(
        {
            **{f"c{n}": ["same"] * 1_000 for n in range(6)},
            "joined": dates(300),
            "town": ["Ulm", "Bad Tölz"] * 500,
            "share": ["1", "-2.5"] * 500,
            "text": [f"{'a, b. ' * (n % 40)}c" for n in range(1_000)],
            "size": ["178 cm", "1.78 m"] * 500,
        }
    )
    about = columns(ProposalRequest(rows, "Make everything consistent."))
    assert [name for name in about if "signs" in about[name]] == ["joined", "size"]
    assert told(ProposalRequest(rows, "Make everything consistent."), "rows")["columns"] == ["joined", "size"]


def test_of_more_forms_than_a_line_has_room_for_both_ends_are_told() -> None:
    """The frequent ones and the rare ones, and how many more there are; of free text what is frequent."""
    forms = ["a-b", "a.b", "a/b", "a+b", "a_b", "a:b", "a=b", "a#b"]
    many = [form for n, form in enumerate(forms) for _ in range(80 - 10 * n)] * 2
    text = [f"{'a, b. ' * (n % 50)}c" if n % 5 else "A-1" for n in range(len(many))]
    rows = pa.table({**{f"c{n}": ["same"] * len(many) for n in range(9)}, "many": many, "text": text})
    about = columns(ProposalRequest(rows, "", focus=("c1",)))
    assert [one[2] for one in about["many"]["patterns"]] == ["a-b", "a.b", "a/b", "a:b", "a=b", "a#b"]
    assert about["many"]["other_forms"] == 2
    assert [one[2] for one in about["text"]["patterns"][1:]] == ["A-1"]


def test_where_values_are_hidden_all_forms_are_told_and_only_true_signs() -> None:
    """Under --privacy profile: every form of a column in full; the plus of a long run is none of its signs."""
    phones = [f"{'9' * (n % 12 + 3)}-{'1' * (n % 5 + 1)}" for n in range(600)]
    rows = pa.table({"phone": phones, "plus": ["+49 30 1234", "030-1234"] * 300})
    about = columns(ProposalRequest(view_of("profile", b"key").table(rows), "phone"))
    assert len(about["phone"]["patterns"]) == len({tuple(one) for one in about["phone"]["patterns"]}) == 8
    assert sum(n for _, n in about["phone"]["patterns"]) == 600
    assert (about["phone"]["signs"], about["plus"]["signs"]) == ("-", " +-")
    assert "left" not in about["phone"]
    wide = pa.table(
        {
            **{f"c{n}": ["same"] * 600 for n in range(9)},
            "phone": [f"{p} {'x' * (n % 3 + 1)}" for n, p in enumerate(phones)],
        }
    )
    line = columns(ProposalRequest(view_of("profile", b"key").table(wide), "", focus=("c1",)))["phone"]
    assert line["patterns"] == [["999+-9+ a+", 600]]


def test_kinds_of_forms() -> None:
    """Words and plain numbers are of one kind each; what is told of several lengths is the shortest and a plus."""
    assert (kind_of("Aa a a Aa 9"), kind_of("-9.9"), kind_of("AAa a")) == ("Aa a Aa 9", "9", "AAa a")
    assert (merged(["999+-99", "99-99"]), merged(["Aaaa"]), merged(["aa", "aaa+"])) == ("99+-99", "Aaaa", "aa+")
    assert mixed_forms({"Aa": 60, "Aa Aa": 30, "aa": 10}) == {"aa": 10}
    assert mixed_forms({"Aa": 60, "Aa Aa Aa": 40}) == {}


def nested(records: list[dict[str, Any]], instruction: str) -> ProposalRequest:
    return ProposalRequest(from_table(pa.Table.from_pylist(records)), instruction, shape=Shape.RECORD)


def test_a_key_inside_of_an_object_is_named_as_a_column_is() -> None:
    """A run was complete where the dates inside of an object kept another form, and no question was asked."""
    days = [{"id": n, "shipment": {"date": day, "town": "Ulm"}} for n, day in enumerate(dates(300))]
    told = "300 cells in another form than most, which may be right"
    assert still_found(nested(days, "every date as YYYY-MM-DD")) == {"shipment": told}
    assert still_found(nested(days, "towns in upper case")) == {}


def test_forms_of_two_places_are_no_mixture() -> None:
    """Codes and dates of one list, each of one form: nothing is left, also where the list is named."""
    lines = [{"items": [{"sku": f"AB-{n + 100}", "ship": f"2024-01-{n % 28 + 1:02d}"}]} for n in range(90)]
    assert still_found(nested(lines, "tidy the items")) == {}


def test_a_column_is_shown_in_full_for_a_key_inside_of_it() -> None:
    """Of thirteen keys of records the one that holds what the instruction names, with its rare values."""
    records = [
        {**{f"c{k}": {"unit": "kg"} for k in range(12)}, "lines": [{"qty": "twelve" if n == 77 else str(n % 9)}]}
        for n in range(100)
    ]
    request = nested(records, "qty as numbers")
    places = {about["place"]: about for about in told(request, "columns")}
    assert ["twelve", 1] in places["lines[].qty"]["frequent"]
    assert "signs" not in places["c0.unit"]


def test_what_the_instruction_means_is_shown_in_full_and_what_is_cleaned_comes_last() -> None:
    """A column of dates may be called `started`; all that is meant is shown, of cleaned columns those with room."""
    mixed = ["x 1", "Y2"] * 50
    rows = pa.table(
        {
            "plan": mixed,
            **{f"fee {n}": mixed for n in "abcdef"},
            "started": ["2024-01-31", "31.01.2024"] * 50,
            "contact": ["a@example.org", "b at example.org", "c@example.org", "D@Example.org"] * 25,
            "ended": ["2024-01-31"] * 100,
            "note": ["same"] * 100,
        }
    )
    wish = "ISO dates, e-mails in lower case, fee a, fee b, fee c, fee d, fee e and fee f as numbers."
    assert told(ProposalRequest(rows, wish), "rows")["columns"] == [
        *(f"fee {n}" for n in "abcdef"), "started", "contact",
    ]  # fmt: skip
    for n in "abcdef":
        rows = rows.set_column(rows.column_names.index(f"fee {n}"), f"fee {n}", pa.array(["1", "20"] * 50))
    cleaned = PromotedSummary(name="fees", docstring="", columns=tuple(f"fee {n}" for n in "abcdef"), own=True)
    now = told(ProposalRequest(rows, wish, promoted=(cleaned,)), "rows")["columns"]
    assert now == ["plan", "fee a", "fee b", "fee c", "started", "contact"]
