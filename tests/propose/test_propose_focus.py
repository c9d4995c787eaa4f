"""Where a prompt spends its words: on the columns that matter, and on the cells that are odd."""

import json
from typing import Any

import pyarrow as pa

from benchmarks.prompt_size import INSTRUCTION, PLANTED, shown, table, tokens
from orchestrator.core.requests import ProposalRequest
from orchestrator.propose.prompting.cell_facts import exact_pattern, extremes, null_words, signs
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
    assert about["amount"]["left"] == "1 null words, 3 of 3 rare forms"
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
