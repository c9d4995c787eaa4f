"""The tables of `cleanroom serve`: tokens, each use of one, jobs, what happened to them. Used by the stores beside it.

Times are seconds since 1970 in UTC, as text in ISO 8601 where nothing is computed with them.
"""

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from orchestrator.registry.registry_tables import Base


class TokenRow(Base):
    """A token of the service. The secret itself is nowhere: only its SHA-256, in hex."""

    __tablename__ = "service_tokens"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    sha256: Mapped[str] = mapped_column(Text, unique=True)
    scopes: Mapped[str] = mapped_column(Text)  # separated by blanks
    created_at: Mapped[str] = mapped_column(Text)
    expires: Mapped[int] = mapped_column(BigInteger)
    revoked_at: Mapped[str | None] = mapped_column(Text)


class TokenUseRow(Base):
    """One use of a token, or something that happened to it. Rows are only ever added (`APPEND_ONLY`)."""

    __tablename__ = "service_token_uses"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    token_id: Mapped[str] = mapped_column(Text, index=True)
    at: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)  # the method and the route; never a value from the request
    status: Mapped[int]


class JobRow(Base):
    """One job. Only the worker that holds the newest `fence` may write what came of it."""

    __tablename__ = "service_jobs"
    __table_args__ = (
        UniqueConstraint("token_id", "idempotency_key"),
        Index("ix_service_jobs_state", "state", "number"),
    )

    number: Mapped[int] = mapped_column(Integer, primary_key=True)  # the order in which they came
    id: Mapped[str] = mapped_column(Text, unique=True)
    kind: Mapped[str] = mapped_column(Text)
    token_id: Mapped[str] = mapped_column(Text, index=True)
    state: Mapped[str] = mapped_column(Text)
    request: Mapped[str] = mapped_column(Text)
    request_sha256: Mapped[str] = mapped_column(Text)
    idempotency_key: Mapped[str | None] = mapped_column(Text)
    result: Mapped[str | None] = mapped_column(Text)
    problem: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[str] = mapped_column(Text)
    ended_at: Mapped[str | None] = mapped_column(Text)
    attempts: Mapped[int] = mapped_column(default=0)
    fence: Mapped[int] = mapped_column(default=0)
    worker: Mapped[str | None] = mapped_column(Text)
    lease: Mapped[int | None] = mapped_column(BigInteger)


class JobEventRow(Base):
    """Something that happened to a job; its number is the id of the server-sent event."""

    __tablename__ = "service_job_events"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    job_id: Mapped[str] = mapped_column(ForeignKey("service_jobs.id"), index=True)
    kind: Mapped[str] = mapped_column(Text)
    data: Mapped[str] = mapped_column(Text)
    at: Mapped[str] = mapped_column(Text)
