"""What the user asks of a run, and the checks of all of it before any work starts.

Called by `cleanroom run`, the library API and `journal.resume`."""

from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from pydantic import Field

from orchestrator.core.candidate import Example, Shape
from orchestrator.core.columns import ColumnQuality
from orchestrator.core.conventions import Conventions
from orchestrator.core.errors import UsageError
from orchestrator.core.option_value import OptionValue
from orchestrator.data.formats import Dataset
from orchestrator.data.formats.private_copy import STDIN
from orchestrator.data.profile.quality import measure
from orchestrator.data.record_rows import RecordDataset
from orchestrator.data.sampling import Sampling
from orchestrator.data.sources import OpensData, open_source
from orchestrator.data.user_files.conventions_file import check_columns
from orchestrator.data.user_files.example_columns import check_example_columns
from orchestrator.data.user_files.example_conventions import check_examples
from orchestrator.data.user_files.example_files import read_examples
from orchestrator.data.user_files.instruction_examples import check_instruction
from orchestrator.run.data_place import DataPlace
from orchestrator.run.loop.run_context import OnHold
from orchestrator.run.loop.stopping import RunLimits
from orchestrator.run.outputs import Outputs
from orchestrator.run.parse.parser_choice import absolute_name
from orchestrator.run.table_width import check_width


class RunRequest(OptionValue):
    """What the user asked for."""

    data: DataPlace
    encoding: str | None = None  # of its text; None: UTF-8, or by its byte order mark
    format: str | None = None  # None: by its name
    sheet: str | None = None  # of a workbook; None: the first
    array: str | None = None  # of a JSON document: the keys that lead to the rows; None: the only ones
    delimiter: str | None = Field(default=None, exclude_if=lambda named: named is None)  # of CSV, TSV; None: guessed
    parser: str | None = Field(default=None, exclude_if=lambda named: named is None)  # a Python file, or fixed-width
    quarantine: bool = False  # set rows aside that cannot be read, or on which a function fails
    out: Path | None = None
    registry: str | None = None  # folder, file or URL of one that the run shares; None for one of its own
    overwrite: bool = False
    instruction: str = ""
    shape: Shape = Shape.TABLE  # of the functions that are proposed
    conventions: Conventions | None = None
    examples: Path | None = None
    chunk_rows: int = Field(default=4000, ge=10)  # fewer show nothing of a column
    max_chunks: int = Field(default=8, ge=1)
    sampling: Sampling = "random"
    seed: int = 0
    limits: RunLimits = RunLimits()
    on_hold: OnHold = "keep"  # what becomes of functions with concerns that nobody settles

    def check(self, opener: OpensData = open_source) -> "OpenedRun":
        """Read and check all files before any work starts. `opener`: where a parser is named, what opens data by it.

        Raises UsageError, DataError; for a parser SandboxError, CandidateError.
        """
        dataset = opener(self.data, **self.reading)
        check_width(dataset)
        check_columns(self.conventions or Conventions(), dataset.columns)
        next(self.rows_of(dataset).batches(1), None)  # values that records cannot hold are refused now
        examples = read_examples(self.examples) if self.examples else ()
        check_example_columns(examples, dataset.columns, dataset.name)
        check_examples(examples, self.conventions or Conventions())
        check_instruction(self.instruction, examples)
        outputs = Outputs.at(self.data, self.out, dataset.suffix, overwrite=self.overwrite)
        shared = self.shared_registry
        if shared is not None and Path(shared).is_relative_to(outputs.folder.absolute()):
            raise UsageError(f"The registry {shared} is in the folder of the run.", advice="Leave out --registry.")
        start = perf_counter()
        quality, rows = measure(dataset)
        return OpenedRun(dataset, examples, outputs, quality, rows, perf_counter() - start)

    @property
    def reading(self) -> dict[str, Any]:
        """How the data shall be read, as arguments of `open_dataset`."""
        how = {"format": self.format, "encoding": self.encoding, "sheet": self.sheet, "array": self.array}
        return how | {"delimiter": self.delimiter, "set_aside": self.quarantine}

    def rows_of(self, dataset: Dataset) -> Dataset:
        """The data set as the run's functions get it: as a table or as records."""
        return RecordDataset(dataset) if self.shape.by_row else dataset

    def recorded(self) -> dict[str, Any]:
        """The request as JSON values for the journal; with absolute paths, to repeat it from any folder."""
        data = self.data if self.data == STDIN else self.data.absolute()
        absolute = {"data": data, "examples": self.examples and self.examples.absolute()}
        named = {"parser": self.parser and absolute_name(self.parser)}
        plain = self.model_copy(update=absolute | named).model_dump(
            mode="json", exclude={"out", "overwrite", "registry"}
        )
        return plain | ({"registry": self.shared_registry} if self.registry is not None else {})

    @property
    def shared_registry(self) -> str | None:
        """The registry as a journal or a summary names it, without password. Raises UsageError for a wrong name."""
        from orchestrator.registry.location import absolute_name

        return None if self.registry is None else absolute_name(self.registry)


class OpenedRun(NamedTuple):
    """A request whose files were read once and are valid."""

    dataset: Dataset
    examples: tuple[Example, ...]
    outputs: Outputs
    quality: tuple[ColumnQuality, ...]
    rows: int
    seconds: float
