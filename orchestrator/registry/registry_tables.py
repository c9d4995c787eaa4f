"""The tables of the registry. Rows are only ever added; triggers refuse all other changes. Used by `store`.

The service's own tables, some of whose rows change, are in `queue.queue_tables`, that of checks is in `check_table`.

Whoever changes a table adds a migration in `migrations/versions` and its number to `REVISIONS`.
"""

from typing import Any

from sqlalchemy import ForeignKey, Integer, String, Text, TypeDecorator, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from orchestrator.core.errors import RegistryError

REVISIONS = ("0001", "0002", "0003", "0004")
"""The migrations, oldest first. Repeated here so that a database is compared with them without importing Alembic."""


class StoredText(TypeDecorator[str]):
    """A text. SQLite keeps bytes in such a column as bytes; cleanroom has written none."""

    impl = Text
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Any) -> str | None:
        """The text that was found. Raises RegistryError for anything else."""
        del dialect
        if value is None or isinstance(value, str):
            return value
        raise RegistryError(
            "The registry has bytes in a place where cleanroom writes texts.",
            advice="Do not use it: restore the registry from a copy, or ask whoever gave it to you for an export.",
        )


class Base(DeclarativeBase):
    """All tables of the registry."""


class SchemaVersion(Base):
    """How many migrations the tables have seen. Release 0.1.0 reads it, and refuses what is newer than it is."""

    __tablename__ = "schema_version"

    version: Mapped[int] = mapped_column(primary_key=True)


class AlembicVersion(Base):
    """The newest of `REVISIONS` that the tables have seen; release 0.1.0 had no such table."""

    __tablename__ = "alembic_version"

    version_num: Mapped[str] = mapped_column(String(32), primary_key=True)


class FunctionRow(Base):
    """One version of one function. `content_sha256` covers the whole row and its evidence."""

    __tablename__ = "functions"
    __table_args__ = (UniqueConstraint("name", "version"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(StoredText)
    version: Mapped[int]
    apply_order: Mapped[int] = mapped_column(unique=True)
    sha256: Mapped[str] = mapped_column(StoredText, index=True)
    source: Mapped[str] = mapped_column(StoredText)
    issue: Mapped[str] = mapped_column(StoredText)
    docstring: Mapped[str] = mapped_column(StoredText)
    has_detect: Mapped[bool]
    contract: Mapped[str] = mapped_column(StoredText)
    evidence: Mapped[str] = mapped_column(StoredText)
    promoted_at: Mapped[str] = mapped_column(StoredText)
    content_sha256: Mapped[str] = mapped_column(StoredText)

    events: Mapped[list["EventRow"]] = relationship(order_by="EventRow.id", lazy="selectin")


class EventRow(Base):
    """A change of a function version's status; the last one counts."""

    __tablename__ = "events"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    function_id: Mapped[int] = mapped_column(ForeignKey("functions.id"), index=True)
    status: Mapped[str] = mapped_column(StoredText)
    reason: Mapped[str] = mapped_column(StoredText, default="")
    at: Mapped[str] = mapped_column(StoredText)


class LogEntryRow(Base):
    """One entry of the log: a signed envelope exactly as it is hashed, and the signed head of the log after it."""

    __tablename__ = "log_entries"

    position: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    envelope: Mapped[str] = mapped_column(StoredText)
    checkpoint: Mapped[str] = mapped_column(StoredText)


APPEND_ONLY = (
    FunctionRow.__tablename__,
    EventRow.__tablename__,
    LogEntryRow.__tablename__,
    "service_token_uses",
    "checks",
)
"""The tables whose rows nobody may change or remove; `triggers` sees to it."""
