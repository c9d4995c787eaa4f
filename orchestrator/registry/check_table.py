"""The table of checks. Rows are only ever added (`APPEND_ONLY`). Used by `check_store`."""

from sqlalchemy import Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from orchestrator.registry.registry_tables import Base


class CheckRow(Base):
    """One function version on one file. `findings`: a JSON list of sentences; `at`: ISO 8601."""

    __tablename__ = "checks"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(Text, index=True)
    version: Mapped[int]
    state: Mapped[str] = mapped_column(Text)
    data: Mapped[str] = mapped_column(Text)
    data_sha256: Mapped[str] = mapped_column(Text)
    rows: Mapped[int]
    findings: Mapped[str] = mapped_column(Text)
    at: Mapped[str] = mapped_column(Text)
