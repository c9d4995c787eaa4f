"""Where the data of a request lie, as a field of it. Called by the requests of `run` and `analyze`."""

from pathlib import Path
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator

from orchestrator.data.data_address import DataAddress, location

DataPlace = Annotated[Path | DataAddress, PlainValidator(location), PlainSerializer(str, when_used="json")]
"""A file, or an address, which is recorded without its secrets."""
