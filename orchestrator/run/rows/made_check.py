"""Holds what a function made of a batch to its contract and to the policy's rules for columns. Called by the runner.

The gate holds a function to these rules on the rows that it is judged on (`user-checks`); other rows, and functions
that were proved under another policy, are held to them here, as far as cells are concerned that the function changed.
Not to `matches`: a regular expression can take for ever on a cell that somebody made for it, and here is no process
that could be ended.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pyarrow as pa

from orchestrator.core.candidate import Contract
from orchestrator.core.policy import ColumnRule
from orchestrator.data.cells import has_column, python_values
from orchestrator.data.record_tables import is_records, value_of
from orchestrator.run.rows.contract import CheckedBatch, ContractBroken, Expected, check_batch, check_records


def check_made(
    source: pa.Table,
    result: pa.Table,
    contract: Contract,
    same_columns: Collection[str],
    rules: Mapping[str, ColumnRule],
) -> CheckedBatch:
    """The result, with what changed in it. Raises ContractBroken, whose message is a clause about the function.

    `same_columns`: those that are the source's own, in which nothing can have changed.
    """
    expected = Expected.of(source.column_names, [contract])
    if is_records(source):
        checked = check_records(source, result, expected)
    else:
        checked = check_batch(source, result, expected, same_columns)
    for name, rule in rules.items():
        _check_rule(checked, name, rule)
    return checked


def _check_rule(made: CheckedBatch, name: str, rule: ColumnRule) -> None:
    known, there = has_column(made.source, name), has_column(made.table, name)
    if known and not there:
        raise ContractBroken(f"it drops the column '{name}', for which the policy has a rule")
    mask = made.masks.get(name)
    if not there or (known and (mask is None or not mask.any())):
        return
    if known and rule.never_changes:
        raise ContractBroken(f"the column '{name}' changed, which the policy forbids")
    column = made.table.column(name)
    cells = python_values(column if mask is None else column.filter(pa.array(mask)))
    for cell in {(type(one), repr(one)): one for one in cells}.values():
        value = value_of(cell) if is_records(made.source) else cell
        if value is None or value == "" or value != value:  # noqa: PLR0124 - not a number
            if rule.not_null:
                raise ContractBroken(f"it leaves nothing in '{name}', which the policy forbids")
        elif rule.allowed is not None and not _is_among(value, rule.allowed):
            raise ContractBroken(f"it leaves a value in '{name}' that the policy does not allow")


def _is_among(value: Any, allowed: Iterable[Any]) -> bool:
    from orchestrator.gate.checks.examples import same  # late: most applies have no such rule

    return any(same(one, value) for one in allowed)
