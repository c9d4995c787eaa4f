"""Habits of writing functions of tables, in one that is called for each record: the sentence says what to write."""

import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.data.record_tables import row_of, table_of
from orchestrator.gate.verifier import Verifier

SOURCE = '''"""Dates are not ISO."""
CONTRACT = {"shape": "record", "modifies": [NAME]}
def iso_dates(record):
    """ISO."""
    BODY
    return record
'''
KNOWN = "'items[].ship' (it has 'id', 'items'); name the outermost key: 'items'"


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("items[].ship", "pass", f"the contract names columns that the data does not have: {KNOWN}"),
        ("id", 'record["id"] = record["id"].map({"1": 1})', "once for each record, with a dict and no DataFrame"),
        ("id", 'record = record.assign(id="1")', "once for each record, with a dict and no DataFrame"),
        ("id", 'record["id"].strop()', "'str' object has no attribute 'strop'"),
    ],
    ids=["a place as a key", "a cell as a column", "a record as a table", "a slip"],
)
def test_what_a_function_of_records_is_given_is_said(gate: Verifier, name: str, body: str, words: str) -> None:
    """A path is no key of the record, and a value has no method of pandas; what else fails says its error alone."""
    rows = [{"id": str(number), "items": [{"ship": "1.2.2024"}]} for number in range(40)]
    sample = Sample(*(table_of([row_of(row) for row in part], ["id", "items"]) for part in (rows[:30], rows[30:])))
    source = SOURCE.replace("NAME", repr(name)).replace("BODY", body)
    [failure] = gate.verify(VerifyRequest(source, sample, quick=True)).failures
    assert failure.id == "executed"
    assert failure.detail.removesuffix(" (line 5)").endswith(words)
