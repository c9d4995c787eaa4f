"""What `cleanroom check` found, as rows of the registry: only ever added, never signed, and without cells.

Called by `run.check.recorded`, `check --history` and `registry show`. A check decides nothing: it is done again
whenever somebody wants to know, against the signed evidence.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from orchestrator.core.errors import RegistryError
from orchestrator.core.value import Value
from orchestrator.registry.check_table import CheckRow
from orchestrator.registry.database import open_engine, reading_engine, writing
from orchestrator.registry.entries import dumps
from orchestrator.registry.location import registry_url, shown
from orchestrator.registry.sql_errors import mapped

_TIMEOUT_S = 60.0


class RecordedCheck(Value):
    """One function version, checked on one file. `state`: valid, stale or broken; `findings`: why, in sentences."""

    at: datetime
    name: str
    version: int
    state: str
    data: str
    data_sha256: str
    rows: int
    findings: tuple[str, ...] = ()


def record_checks(place: str | Path, checks: Sequence[RecordedCheck]) -> None:
    """Add them, all or none. Raises RegistryError, UsageError."""
    with _open(place, to_write=True) as (engine, name), mapped(name), writing(engine) as session, session.begin():
        for one in checks:
            plain = one.model_dump(mode="json")
            session.add(CheckRow(**(plain | {"findings": dumps(plain["findings"])})))


def checks_in(place: str | Path, *, name: str | None = None, since: datetime | None = None) -> list[RecordedCheck]:
    """The checks, the oldest first; of one function, or from a time on. Raises RegistryError, UsageError."""
    query = select(CheckRow).order_by(CheckRow.id)
    if name is not None:
        query = query.where(CheckRow.name == name)
    with _open(place, to_write=False) as (engine, where), mapped(where), Session(engine) as session:
        found = [_read(row, where) for row in session.scalars(query)]
    return [one for one in found if since is None or one.at >= since]


def _read(row: CheckRow, where: str) -> RecordedCheck:
    fields = {field: getattr(row, field) for field in RecordedCheck.model_fields}
    try:
        return RecordedCheck.model_validate(fields | {"findings": json.loads(row.findings)})
    except (ValidationError, ValueError, RecursionError):
        raise RegistryError(f"A recorded check in {where} cannot be read.") from None


@contextmanager
def _open(place: str | Path, *, to_write: bool) -> Iterator[tuple[Engine, str]]:
    url = registry_url(place, create=False)
    opener = partial(open_engine, create=False) if to_write else reading_engine
    engine = opener(url, busy_timeout_s=_TIMEOUT_S)
    try:
        yield engine, shown(url)
    finally:
        engine.dispose()
