"""`cleanroom apply`: run promoted functions, sandboxed, over a whole data set."""

from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli.console import echo_json


def apply(
    data: Annotated[Path, typer.Argument(help="CSV, TSV, JSONL or Parquet.", show_default=False)],
    functions: Annotated[
        Path, typer.Option("--functions", help="A run's --out folder, or its registry folder.", show_default=False)
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the result goes.", show_default=False)],
    quarantine: Annotated[
        Path | None, typer.Option("--quarantine", help="Keep rows that a function fails on here, and go on.")
    ] = None,
    policy: Annotated[Path | None, typer.Option("--policy", help="YAML file with limits and thresholds.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse to run where any layer of the sandbox is missing.")
    ] = (False),
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as one JSON object.")] = False,
) -> None:
    """Apply promoted functions to DATA in the sandbox; the output appears whole or not at all."""
    from orchestrator import bootstrap
    from orchestrator.cli.console import stdout
    from orchestrator.data.arrow_without_pandas import defer_pandas

    defer_pandas()

    from orchestrator.data.formats import open_dataset
    from orchestrator.data.policy_file import read_policy
    from orchestrator.registry.bundle import load_functions
    from orchestrator.run.apply.step import apply_step

    promoted = load_functions(functions)
    open_dataset(data)
    light = bootstrap.need_no_pandas(function.candidate.source for function in promoted)
    with bootstrap.sandboxed(read_policy(policy, strict=strict), light=light) as parts:
        step = apply_step(data, promoted, output, parts, quarantine=quarantine)
    if as_json:
        echo_json(step)
        return
    cells = sum(c.changed for c in step.columns)
    aside = f", {step.quarantined:,} rows set aside" if step.quarantined else ""
    stdout().print(
        f"{step.rows_in:,} rows in, {step.rows_out:,} rows out{aside}, {cells:,} cells changed → {step.output}"
    )
