"""A table that no container can answer with is refused at the door. Called by run, verify, apply and check.

Otherwise the first function that returns it whole is rejected, and seems to be at fault. Parquet can be wide; what
other formats may have is less.
"""

from orchestrator.core.errors import DataError
from orchestrator.data.formats import Dataset
from orchestrator.data.hostile.arrow_tables import DEFAULT_CAPS, INDEX


def check_width(dataset: Dataset) -> None:
    """Raises DataError."""
    count, most = len(dataset.columns), DEFAULT_CAPS.columns
    if count > most:
        raise DataError(
            f"{dataset.name} has {count:,} columns; functions can be judged on at most {most:,}.",
            advice="Write those columns that are needed into a file of their own.",
        )
    if INDEX in dataset.columns:  # what a container answers has a column of that name in front
        raise DataError(
            f"{dataset.name} has a column '{INDEX}', a name that no table for functions may have.",
            advice="Give the column another name.",
        )
