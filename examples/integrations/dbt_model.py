"""A dbt Python model (dbt-duckdb, and others whose models run where cleanroom is installed): raw orders, cleaned.

`cleanroom_functions` stands in the model's `config`, in its YAML file: the folder of a run, or a registry.
"""

from typing import Any

import orchestrator.pandas_accessor  # noqa: F401 - adds df.cleanroom


def model(dbt: Any, session: Any) -> Any:
    """The model's DataFrame."""
    del session
    dbt.config(materialized="table")
    return dbt.ref("raw_orders").df().cleanroom.apply(dbt.config.get("cleanroom_functions"))
