"""Begins several batches in one job, with all functions that do not meet in a column. Called by `workers`.

Each function still has a process of its own for each batch, and is held to its own contract. What is saved is what each
job costs beside that: a batch crosses to the container once for all of them, and what one function made of several
batches is decoded at once. A function that fails is left to `clean_table`, with the ones after it.
"""

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from orchestrator.core.promoted import Promoted
from orchestrator.run.apply.function_runner import FunctionRunner
from orchestrator.run.apply.stages import stages
from orchestrator.run.rows.contract import CheckedBatch


def begin(runner: FunctionRunner, tables: Sequence[pa.Table]) -> list[list[CheckedBatch]]:
    """For each table, what the runner's functions made of the whole of it, one after the other, up to one that fails.

    Raises SandboxError.
    """
    begun: list[list[CheckedBatch]] = [[] for _ in tables]
    cut = stages(runner.functions)
    if len(tables) == 1 and len(cut) == len(runner.functions):
        return begun  # nothing can be shared
    for stage in cut:
        going = [place for place, made in enumerate(begun) if len(made) == stage.start]
        given = {place: begun[place][-1].table if begun[place] else tables[place] for place in going}
        functions = [runner.functions[number] for number in stage]
        pairs = [(function, given[place]) for function in functions for place in going]
        found = runner.run_each(pairs) if pairs else []
        for number, function in enumerate(functions):
            for made, place in zip(found[number * len(going) :], going, strict=False):
                if made is not None and len(begun[place]) == stage.start + number:
                    begun[place].append(_after(function, made, begun[place][stage.start :]))
    return begun


def _after(function: Promoted, made: CheckedBatch, before: Sequence[CheckedBatch]) -> CheckedBatch:
    """What the function makes of the table as those before it left it: what it does not see comes from there."""
    if not before:
        return made
    source = before[-1].table
    table = source
    for place, name in enumerate(source.column_names):
        if name in (function.candidate.contract.modifies or ()):
            table = table.set_column(place, made.table.schema.field(name), made.table.column(name))
    return replace(made, source=source, table=table)
