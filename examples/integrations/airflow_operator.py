"""An Airflow operator that applies promoted functions to a file. Put it into the `plugins` folder of Airflow 3.

CleanroomApply(task_id="clean", data="{{ ds }}.csv", functions="/srv/registry", target="{{ ds }}-clean.csv")
"""

from collections.abc import Sequence
from typing import Any

from airflow.sdk import BaseOperator

from orchestrator import Cleanroom
from orchestrator.core.errors import UsageError


class CleanroomApply(BaseOperator):
    """Fails where a function does what was not proved (`drift="stop"`), and where none is in use: what waits for a
    review, or was suspended, cleans nothing. Its result is the counts, without a cell; what to look at is in its log.
    """

    template_fields: Sequence[str] = ("data", "functions", "target")

    def __init__(self, *, data: str, functions: str, target: str, drift: str = "stop", **options: Any) -> None:
        super().__init__(**options)
        self.data, self.functions, self.target, self.drift = data, functions, target, drift

    def execute(self, context: Any) -> dict[str, int]:
        """Apply, in sandboxes."""
        del context
        with Cleanroom() as cleanroom:
            step = cleanroom.apply(self.data, self.functions, self.target, drift=self.drift)
        for note in step.notes_alone:
            self.log.warning("%s", note)
        if not step.functions:
            raise UsageError("No function is in use there: every row of the target is as it was.")
        return {"rows_in": step.rows_in, "rows_out": step.rows_out, "set_aside": step.quarantined}
