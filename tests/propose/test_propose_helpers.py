"""A prompt tells of the helper modules where they help, with the signatures that they have, in few tokens."""

import pyarrow as pa
import pytest

from benchmarks.prompt_size import tokens
from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.requests import ProposalRequest
from orchestrator.data.helper_modules import helper_names, helper_signatures
from orchestrator.propose.llm.chat import Message
from orchestrator.propose.prompting.helper_notes import helper_notes, libraries
from orchestrator.propose.prompting.prompt_context import ContextLimits, analysis_values
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.scripted_models import ScriptedChat
from tests.propose.test_propose_focus import CLEAN

COLUMNS = {
    "day": ["3.4.2024", "2024-04-03", "unknown"],
    "iso": ["2024-04-03", "2024-04-04T10:00", "2024-04-05"],
    "long": ["May 3, 2024", "4. Mai 2024", "2024-01-01"],
    "price": ["1.234,50", "12 EUR", "0,99"],
    "plain": ["1", "2.50", "-3"],
    "phone": ["030/1234 567", "+4930123456", "(212) 555-2368 x12"],
    "e164": ["+4930123456", "+12125552368", "+33123456789"],
    "zip": ["10115", "80331", "50667"],
    "name": ["Ada", "Grace 2", "May"],
    "count": [1, 2, 3],
    "nothing": ["", "", ""],
}
EVERYTHING = pa.table(COLUMNS)
ANY = ("*",)


@pytest.mark.parametrize(
    ("column", "module"),
    [
        ("day", "cleanroom_dates_v1"),
        ("long", "cleanroom_dates_v1"),
        ("price", "cleanroom_numbers_v1"),
        ("phone", "cleanroom_phones_v1"),
    ],
)
def test_a_column_brings_the_helpers_for_its_kind(column: str, module: str) -> None:
    """All signatures of the module, and of no other."""
    assert helper_notes(EVERYTHING, [column], ANY).split("\n") == [f"from {module}:", *helper_signatures(module)]


@pytest.mark.parametrize("column", ["iso", "plain", "e164", "zip", "name", "count", "nothing"])
def test_plain_values_and_other_columns_bring_none(column: str) -> None:
    """Where nothing is to be read the prompt says nothing."""
    assert helper_notes(EVERYTHING, [column], ANY) == ""


def test_only_columns_that_are_asked_for_count_where_some_are() -> None:
    """The instruction names the phone numbers: the dates beside them bring nothing."""
    told = analysis_values(ProposalRequest(EVERYTHING, "Phone numbers in phone to E.164."), ContextLimits())["helpers"]
    assert "cleanroom_phones_v1" in str(told)
    assert "cleanroom_dates_v1" not in str(told)


def test_a_policy_without_helpers_hears_nothing_of_them() -> None:
    """What a candidate may not import is not offered."""
    assert helper_notes(EVERYTHING, [*COLUMNS], ("re", "pandas")) == ""


def test_all_helpers_together_cost_few_tokens() -> None:
    """At most 350, signatures and the sentence around them."""

    def asked(table: pa.Table, imports: tuple[str, ...]) -> tuple[Message, ...]:
        chat = ScriptedChat([CLEAN])
        ModelProposer(chat, protocol="xml", imports=imports, functions=1).analyse(ProposalRequest(table))
        return tuple(chat.asked[0].messages)

    table = EVERYTHING.select(["day", "price", "phone"])
    without = tuple(name for name in ScreenPolicy().imports if not name.startswith("cleanroom"))
    told, untold = asked(table, ScreenPolicy().imports), asked(table, without)
    assert all(name in told[-1].content and name not in untold[-1].content for name in helper_names())
    assert told[0] == untold[0]  # the system part stays the same, so that providers can keep it
    assert 0 < tokens(*told) - tokens(*untold) <= 350


def test_the_list_of_libraries_names_each_once() -> None:
    """Helper modules are told where they help, and what is inside of a named module needs no name."""
    listed = libraries(ScreenPolicy().imports).split(", ")
    assert {"pandas", "re", "urllib.parse"} <= {*listed}
    assert not {"pandas.*", "cleanroom_*"} & {*listed}
    assert libraries(("os.*", "re")) == "os.*, re"
