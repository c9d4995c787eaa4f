"""Where the data of a request lie, as a field of it. Called by the requests of `run` and `analyze`."""

from pathlib import Path
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator

from orchestrator.data.addresses import Address, location

DataPlace = Annotated[Path | Address, PlainValidator(location), PlainSerializer(str, when_used="json")]
"""A file, or an address, which is recorded without its secrets."""
