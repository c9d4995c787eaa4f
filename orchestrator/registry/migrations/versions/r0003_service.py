"""The tables of `cleanroom serve`: tokens, their uses, jobs and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "service_tokens",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False, unique=True),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("revoked_at", sa.Text),
    )
    op.create_table(
        "service_token_uses",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("token_id", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
    )
    op.create_index("ix_service_token_uses_token_id", "service_token_uses", ["token_id"])
    op.create_table(
        "service_jobs",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("token_id", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("request_sha256", sa.Text, nullable=False),
        sa.Column("idempotency_key", sa.Text),
        sa.Column("result", sa.Text),
        sa.Column("problem", sa.Text),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("ended_at", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("fence", sa.Integer, nullable=False),
        sa.Column("worker", sa.Text),
        sa.Column("lease", sa.BigInteger),
        sa.UniqueConstraint("token_id", "idempotency_key"),
    )
    op.create_index("ix_service_jobs_token_id", "service_jobs", ["token_id"])
    op.create_index("ix_service_jobs_state", "service_jobs", ["state", "number"])
    op.create_table(
        "service_job_events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("job_id", sa.Text, sa.ForeignKey("service_jobs.id"), nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_index("ix_service_job_events_job_id", "service_job_events", ["job_id"])
