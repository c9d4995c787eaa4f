"""A column that comes back as another pandas type is told with the way to give the type back."""

import numpy as np
import pyarrow as pa

from orchestrator.core.candidate import Contract
from orchestrator.data.hostile.reply import DtypeChange
from orchestrator.gate.checks import dtypes_kept
from orchestrator.gate.judge.observations import CaseObservation, OpResult


def test_another_pandas_type_is_told_with_the_way_back() -> None:
    """The cells are right, so that the message would otherwise leave the author with nothing to do."""
    table = pa.table({"salary": ["1000", "2000"]})
    change = DtypeChange("salary", "string", "category")
    result = OpResult("returned", table=table, index=np.arange(2), dtypes=(change,))
    case = CaseObservation("shuffled", table, Contract(modifies=("salary",)), {"f": result})
    found = dtypes_kept.violation(case)
    assert found is not None
    assert found.detail.endswith("; `.astype(df['salary'].dtype)` gives it its type back")
